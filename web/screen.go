package web

import (
	"errors"
	"net/http"

	"pubquiz/internal/words"
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
	shown, err := s.lookOnScreen(r, publicID)
	if err != nil {
		return err
	}
	return s.app(w, r, http.StatusOK, "screen", words.T("Big screen"), struct {
		Page    string     `json:"page"`
		Session string     `json:"session"`
		Look    *shownLook `json:"look,omitempty"`
	}{"screen", publicID, shown})
}

// lookOnScreen is the look of the pub whose session it is. A browser that may not watch the session has none, and is told so when it asks for news.
func (s *Server) lookOnScreen(r *request, publicID string) (*shownLook, error) {
	seat, ok := s.keys.VerifyScreen(s.cookieValue(r, screenCookie(publicID)))
	if !ok {
		return nil, nil
	}
	switch _, err := s.sessions.AsScreen(r.Context(), publicID, seat); {
	case errors.Is(err, session.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	found, err := s.looks.OfSession(r.Context(), publicID)
	if err != nil {
		return nil, err
	}
	return newShownLook(found), nil
}

func (s *Server) pollAsScreen(w http.ResponseWriter, r *request) error {
	viewer, err := s.sessions.AsScreen(r.Context(), r.param("session"), r.screen)
	if err != nil {
		return err
	}
	return s.poll(w, r, viewer)
}
