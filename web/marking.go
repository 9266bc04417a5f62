package web

import (
	"net/http"
	"strconv"

	"pubquiz/internal/words"
	"pubquiz/session"
)

// decide takes a host's decision about a group of typed answers.
func (s *Server) decide(w http.ResponseWriter, r *request) error {
	var d session.GroupDecision
	if err := readJSON(w, r, smallBody, &d); err != nil {
		return err
	}
	version, err := s.sessions.Decide(r.Context(), r.driven, d)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]int64{"version": version})
}

// marking shows what there is to mark in a round.
func (s *Server) marking(w http.ResponseWriter, r *request) error {
	round, err := strconv.Atoi(r.URL.Query().Get("round"))
	if err != nil {
		return &session.InvalidError{Field: "round", Detail: words.T("Say which round, by its number.")}
	}
	marking, err := s.sessions.Marking(r.Context(), r.driven, round)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return writeJSON(w, http.StatusOK, marking)
}

// sessionLog shows what was done in the session.
func (s *Server) sessionLog(w http.ResponseWriter, r *request) error {
	entries, err := s.sessions.Log(r.Context(), r.driven)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return writeJSON(w, http.StatusOK, map[string][]session.LogEntry{"entries": entries})
}
