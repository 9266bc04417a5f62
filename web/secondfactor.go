package web

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"pubquiz/account"
	"pubquiz/internal/words"
)

// The cookie of whoever has proved the first of two factors. It opens nothing by itself.
const (
	firstFactorCookie    = "quizd_first_factor"
	firstFactorCookieAge = 10 * time.Minute
)

// firstFactor is what that cookie holds.
type firstFactor struct {
	account.FirstFactor
	Next string
}

// goIn lets in whoever got a token, asks for a code where the account wants one, and passes on any other error.
func (s *Server) goIn(w http.ResponseWriter, r *request, token string, err error, next string) error {
	if needed, ok := errors.AsType[*account.SecondFactorNeeded](err); ok {
		if err := s.setSealed(w, firstFactorCookie, firstFactor{needed.First, next}, firstFactorCookieAge); err != nil {
			return err
		}
		http.Redirect(w, r.Request, "/signin/code", http.StatusSeeOther)
		return nil
	}
	if err != nil {
		return err
	}
	return s.enter(w, r, token, next)
}

// codePage asks for the second factor.
func (s *Server) codePage(w http.ResponseWriter, r *request) error {
	var first firstFactor
	if !s.openSealed(r, firstFactorCookie, &first) {
		http.Redirect(w, r.Request, "/signin", http.StatusSeeOther)
		return nil
	}
	return s.render(w, r, http.StatusOK, "code.html", page{Title: words.T("Your code")})
}

// signInWithCode takes the second factor. A wrong code counts like a wrong password, a right one costs nothing.
func (s *Server) signInWithCode(w http.ResponseWriter, r *request) error {
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	var (
		first firstFactor
		token string
	)
	known := s.openSealed(r, firstFactorCookie, &first)
	err = s.atOwnRisk(r, first.Email, func() (err error) {
		if !known {
			return account.ErrNotSignedIn
		}
		code, field := codeIn(in)
		token, err = s.twoStep.SignIn(r.Context(), first.FirstFactor, code, r.device())
		return wrongCode(err, field)
	})
	if wrong, ok := errors.AsType[account.FieldError](err); ok {
		return s.render(w, r, http.StatusUnprocessableEntity, "code.html", page{Title: words.T("Your code"), Form: form{Errors: map[string]words.Text{wrong.Field: wrong.Detail}}})
	}
	if errors.Is(err, account.ErrNotSignedIn) {
		s.clearCookie(w, firstFactorCookie)
		return s.showAgain(w, r, "signin.html", words.T("Sign in"), in, "", words.T("That took too long, or the password has changed. Sign in once more."))
	}
	if err != nil {
		return err
	}
	s.clearCookie(w, firstFactorCookie)
	return s.enter(w, r, token, first.Next)
}

// codeIn is the code in a form: of the app or, in a field of its own, one for recovery.
func codeIn(in url.Values) (code, field string) {
	if code := in.Get("recovery"); code != "" {
		return code, "recovery"
	}
	return in.Get("code"), "code"
}

// wrongCode makes a FieldError of a wrong code.
func wrongCode(err error, field string) error {
	if !errors.Is(err, account.ErrWrongCode) {
		return err
	}
	detail := words.T("That code is not right, or was used before. Wait for the next one and type that.")
	if field == "recovery" {
		detail = words.T("That is none of your codes, or it was used before. Try another.")
	}
	return account.FieldError{Field: field, Detail: detail}
}
