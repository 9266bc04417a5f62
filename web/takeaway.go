package web

import (
	"archive/zip"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"pubquiz/account"
	"pubquiz/billing"
	"pubquiz/quiz"
)

const (
	takeawayTime = 5 * time.Minute // for sending everything but media
	takeawayPace = 256 << 10       // bytes a second at which media are sent at least
)

// takeaway sends everything that is a host's: one folder with the account, the plan where plans are sold, the pub's look, each quiz, whose sessions they have driven, and each session of theirs with all that was played in it. It is read and sent piece by
// piece; where that fails, the download breaks off, so that nobody takes a part for the whole.
func (s *Server) takeaway(w http.ResponseWriter, r *request) error {
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	if err := s.confirm(r, in); err != nil {
		return s.again(w, r, "takeaway", in, err)
	}
	end, err := s.takeaways.begin(r.user.ID)
	if err != nil {
		return err
	}
	defer end()
	profile, err := s.accounts.Profile(r.Context(), r.user.ID)
	if err != nil {
		return err
	}
	standing, err := s.ownPlan(r)
	if err != nil {
		return err
	}
	media, err := s.media.Owned(r.Context(), r.ownerID())
	if err != nil {
		return err
	}
	if err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(takeawayTime + timeFor(media))); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Disposition", `attachment; filename="pub-quiz-account.zip"`)
	h.Set("Cache-Control", "no-store")
	if err := s.pack(zip.NewWriter(w), r, profile, media, standing); err != nil {
		s.log.ErrorContext(r.Context(), "sending a host everything of theirs broke off", "error", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

func (s *Server) pack(folder *zip.Writer, r *request, profile account.Profile, media []quiz.StoredMedia, standing *billing.Standing) error {
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
	if standing != nil {
		if err := put("plan.json", standing); err != nil {
			return err
		}
	}
	pub, err := s.looks.Of(r.Context(), r.ownerID())
	if err != nil {
		return err
	}
	if err := put("look.json", pub); err != nil {
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
	cohosted, err := s.sessions.Cohostings(r.Context(), r.ownerID())
	if err != nil {
		return err
	}
	if err := put("cohosted.json", cohosted); err != nil {
		return err
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
	for _, m := range media {
		if err := s.packMedia(folder, r, m); err != nil {
			return err
		}
	}
	return folder.Close()
}

// extensions are those of types whose own second half is another kind's.
var extensions = map[string]string{"audio/mpeg": "mp3", "audio/mp4": "m4a"}

// packMedia adds a picture, sound or film as a file, under the id by which quizzes and sessions name it. What has been cleared away since it was listed is left out.
func (s *Server) packMedia(folder *zip.Writer, r *request, m quiz.StoredMedia) error {
	from, err := s.media.Open(r.Context(), m.ID)
	if errors.Is(err, quiz.ErrNoMedia) {
		return nil
	}
	if err != nil {
		return err
	}
	_, format, _ := strings.Cut(m.Type, "/")
	to, err := folder.CreateHeader(&zip.FileHeader{Name: "media/" + m.ID + "." + cmp.Or(extensions[m.Type], format)})
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from) // as it is: it is compressed already
	return err
}

// timeFor is how long media may take to send.
func timeFor(media []quiz.StoredMedia) time.Duration {
	var bytes int64
	for _, m := range media {
		bytes += m.Size
	}
	return time.Duration(bytes/takeawayPace) * time.Second
}
