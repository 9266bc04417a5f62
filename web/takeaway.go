package web

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"pubquiz/account"
)

// takeawayTime is how long sending everything may take.
const takeawayTime = 5 * time.Minute

// takeaway sends everything that is a host's: one folder with the account, each quiz, and each session with all that was played in it. It is read and sent piece by
// piece; where that fails, the download breaks off, so that nobody takes a part for the whole.
func (s *Server) takeaway(w http.ResponseWriter, r *request) error {
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	if err := s.confirm(r, in); err != nil {
		return s.again(w, r, "takeaway", in, err)
	}
	profile, err := s.accounts.Profile(r.Context(), r.user.ID)
	if err != nil {
		return err
	}
	if err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(takeawayTime)); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Disposition", `attachment; filename="pub-quiz-account.zip"`)
	h.Set("Cache-Control", "no-store")
	if err := s.pack(zip.NewWriter(w), r, profile); err != nil {
		s.log.ErrorContext(r.Context(), "sending a host everything of theirs broke off", "error", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

func (s *Server) pack(folder *zip.Writer, r *request, profile account.Profile) error {
	put := func(name string, content any) error {
		file, err := folder.Create(name)
		if err != nil {
			return err
		}
		encoder := json.NewEncoder(file)
		encoder.SetIndent("", "  ")
		return encoder.Encode(content)
	}
	if err := put("account.json", profile); err != nil {
		return err
	}
	quizzes, err := s.quizzes.List(r.Context(), r.ownerID())
	if err != nil {
		return err
	}
	for _, summary := range quizzes {
		q, err := s.quizzes.Get(r.Context(), r.ownerID(), summary.ID)
		if err != nil {
			return err
		}
		if err := put(fmt.Sprintf("quizzes/%d.json", summary.ID), q.Content); err != nil {
			return err
		}
	}
	sessions, err := s.sessions.Owned(r.Context(), r.ownerID())
	if err != nil {
		return err
	}
	for _, id := range sessions {
		viewer, err := s.sessions.AsHost(r.Context(), id, r.ownerID())
		if err != nil {
			return err
		}
		export, err := s.sessions.Export(r.Context(), viewer)
		if err != nil {
			return err
		}
		if err := put("sessions/"+id+".json", export); err != nil {
			return err
		}
	}
	return folder.Close()
}
