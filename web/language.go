package web

import (
	"errors"
	"net/http"
	"time"

	"pubquiz/account"
	"pubquiz/internal/words"
)

const (
	languageCookie    = "quizd_language" // holds the code of the one that somebody chose
	languageCookieAge = 365 * 24 * time.Hour
)

// languagePage lets anybody choose a language.
func (s *Server) languagePage(w http.ResponseWriter, r *request) error {
	return s.render(w, r, http.StatusOK, "language.html", page{Title: words.T("Language"), Data: nextOr(r.URL.Query().Get("next"), "/")})
}

// chooseLanguage keeps what was chosen in the browser and, of whoever is signed in, for their letters, and goes back to where it was chosen.
func (s *Server) chooseLanguage(w http.ResponseWriter, r *request) error {
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	chosen, ok := words.Find(in.Get("language"))
	if !ok {
		return &problem{Status: http.StatusUnprocessableEntity, Slug: "invalid", Title: words.T("That does not fit"), Field: "language", Detail: words.T("Choose a language from the list.")}
	}
	switch reader, err := s.accounts.Authenticate(r.Context(), s.hostToken(r)); {
	case errors.Is(err, account.ErrNotSignedIn):
	case err != nil:
		return err
	default:
		if err := s.accounts.SetLanguage(r.Context(), reader.ID, chosen.Code); err != nil {
			return err
		}
	}
	s.setCookie(w, languageCookie, chosen.Code, languageCookieAge)
	http.Redirect(w, r.Request, nextOr(in.Get("next"), "/"), http.StatusSeeOther)
	return nil
}
