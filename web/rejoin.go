package web

import (
	"errors"
	"net/http"
	"time"

	"pubquiz/internal/words"
	"pubquiz/ratelimit"
	"pubquiz/session"
)

// rejoinPage is the join page for a rejoin code.
func (s *Server) rejoinPage(w http.ResponseWriter, r *request, code string) error {
	found, err := s.sessions.FindRejoinCode(r.Context(), code)
	if errors.Is(err, session.ErrUnknownCode) {
		err = s.missed(r)
	}
	if err != nil {
		return s.noSuchCode(w, r, err)
	}
	return s.app(w, r, http.StatusOK, "phone", words.T("{quiz}", "quiz", found.Title), joinBoot{Page: "join", Code: code, Title: found.Title, Rejoin: true, Name: found.Name, Team: found.Member})
}

// rejoin uses a rejoin code.
func (s *Server) rejoin(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.JoinSession); err != nil {
		return err
	}
	var in joinBody
	if err := readJSON(w, r, smallBody, &in); err != nil {
		return err
	}
	code, ok := session.ParseRejoinCode(r.param("code"))
	if !ok {
		return s.missed(r)
	}
	joined, err := s.sessions.Rejoin(r.Context(), code, in.Name, in.Attempt)
	return s.seat(w, r, joined, err)
}

// issueRejoinCode gives the host a way in for one phone.
func (s *Server) issueRejoinCode(w http.ResponseWriter, r *request) error {
	var in struct {
		Participant string `json:"participant"`
	}
	if err := readJSON(w, r, smallBody, &in); err != nil {
		return err
	}
	code, err := s.sessions.IssueRejoinCode(r.Context(), r.driven, in.Participant)
	if err != nil {
		return err
	}
	return s.writeRejoinCode(w, code)
}

func (s *Server) writeRejoinCode(w http.ResponseWriter, code session.RejoinCode) error {
	return writeJSON(w, http.StatusCreated, struct {
		Code      string    `json:"code"`
		URL       string    `json:"url"`
		ExpiresAt time.Time `json:"expiresAt"`
	}{code.Code, s.sessions.JoinURL(code.Code), code.ExpiresAt})
}

// issueTeamCode gives the captain's phone a way in for one more phone of the team.
func (s *Server) issueTeamCode(w http.ResponseWriter, r *request) error {
	viewer, err := s.sessions.AsParticipant(r.Context(), r.param("session"), r.seat)
	if err != nil {
		return err
	}
	var in struct{}
	if err := readJSON(w, r, smallBody, &in); err != nil {
		return err
	}
	code, err := s.sessions.IssueTeamCode(r.Context(), viewer)
	if err != nil {
		return err
	}
	return s.writeRejoinCode(w, code)
}
