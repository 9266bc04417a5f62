package web

import "net/http"

// playJoker has the participant double a round, or none.
func (s *Server) playJoker(w http.ResponseWriter, r *request) error {
	viewer, err := s.sessions.AsParticipant(r.Context(), r.param("session"), r.seat)
	if err != nil {
		return err
	}
	var in struct {
		Round int `json:"round"`
	}
	if err := readJSON(w, r, smallBody, &in); err != nil {
		return err
	}
	if err := s.sessions.PlayJoker(r.Context(), viewer, in.Round); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, in)
}
