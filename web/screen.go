package web

import (
	"net/http"

	"pubquiz/session"
)

// screenPage is the big screen's page. The first visit brings the token from the console's link, keeps it in a cookie,
// and goes on to the same address without it, so that it is not on show in the address bar.
func (s *Server) screenPage(w http.ResponseWriter, r *request) error {
	publicID := r.param("session")
	if token := r.URL.Query().Get("token"); token != "" {
		seat, ok := s.keys.VerifyScreen(token)
		if !ok {
			return session.ErrNotFound
		}
		if _, err := s.sessions.AsScreen(r.Context(), publicID, seat); err != nil {
			return err
		}
		s.setCookie(w, screenCookie(publicID), token, eveningCookieAge)
		http.Redirect(w, r.Request, "/screen/"+publicID, http.StatusSeeOther)
		return nil
	}
	return s.app(w, http.StatusOK, "screen", "Big screen", struct {
		Page    string `json:"page"`
		Session string `json:"session"`
	}{"screen", publicID})
}

func (s *Server) pollAsScreen(w http.ResponseWriter, r *request) error {
	viewer, err := s.sessions.AsScreen(r.Context(), r.param("session"), r.screen)
	if err != nil {
		return err
	}
	return s.poll(w, r, viewer)
}
