package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"pubquiz/account"
	"pubquiz/internal/words"
	"pubquiz/ratelimit"
)

// The cookie of a browser that asks an authenticator for us: what it was asked, which its answer has to fit.
const (
	ceremonyCookie    = "quizd_ceremony"
	ceremonyCookieAge = 5 * time.Minute
	passkeyForm       = "passkey"
)

// ceremony is what that cookie holds.
type ceremony struct {
	account.Ceremony
	User account.UserID // to whom a passkey is to be added; 0 to sign in
}

// beginPasskey begins to add a passkey to the host's account. It takes the password.
func (s *Server) beginPasskey(w http.ResponseWriter, r *request) error {
	var in struct {
		Password string `json:"password"`
	}
	if err := readJSON(w, r, smallBody, &in); err != nil {
		return s.chargedAnyway(r, err)
	}
	if err := s.confirm(r, url.Values{"password": {in.Password}}); err != nil {
		return fieldProblem(err)
	}
	if s.passkeys == nil {
		return s.notFound(w, r)
	}
	options, begun, err := s.passkeys.BeginAdding(r.Context(), r.user.ID)
	if err != nil {
		return fieldProblem(err)
	}
	if err := s.setSealed(w, ceremonyCookie, ceremony{begun, r.user.ID}, ceremonyCookieAge); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, options.Response)
}

// chargedAnyway charges a request whose body cannot be read, as if it had been a guess.
func (s *Server) chargedAnyway(r *request, err error) error {
	if _, refused := s.chargeSignIn(r, ""); refused != nil {
		return refused
	}
	return err
}

// addPasskey adds the passkey that the browser has made.
func (s *Server) addPasskey(w http.ResponseWriter, r *request) error {
	var in struct {
		Name       string          `json:"name"`
		Credential json.RawMessage `json:"credential"`
	}
	if err := readJSON(w, r, commandBody, &in); err != nil {
		return err
	}
	begun, err := s.endCeremony(w, r, r.user.ID)
	if err != nil {
		return err
	}
	if err := s.passkeys.Add(r.Context(), r.user.ID, begun, in.Name, in.Credential); err != nil {
		return fieldProblem(err)
	}
	return writeJSON(w, http.StatusCreated, map[string]string{"next": securityPath})
}

// beginPasskeySignIn begins to sign in with a passkey.
func (s *Server) beginPasskeySignIn(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.Auth); err != nil {
		return err
	}
	if s.passkeys == nil {
		return s.notFound(w, r)
	}
	options, begun, err := s.passkeys.BeginSignIn()
	if err != nil {
		return err
	}
	if err := s.setSealed(w, ceremonyCookie, ceremony{Ceremony: begun}, ceremonyCookieAge); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, options.Response)
}

// signInWithPasskey ends what beginPasskeySignIn began, without which it does nothing. A passkey checks who is there, so no code is asked for.
func (s *Server) signInWithPasskey(w http.ResponseWriter, r *request) error {
	var in struct {
		Next       string          `json:"next"`
		Credential json.RawMessage `json:"credential"`
	}
	if err := readJSON(w, r, commandBody, &in); err != nil {
		return err
	}
	begun, err := s.endCeremony(w, r, 0)
	if err != nil {
		return err
	}
	token, err := s.passkeys.SignIn(r.Context(), begun, in.Credential, r.device())
	if errors.Is(err, account.ErrPasskeyRefused) {
		s.logRefused(r)
	}
	if err != nil {
		return fieldProblem(err)
	}
	if err := s.welcome(w, r, token); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]string{"next": nextOr(in.Next, homeOfHosts)})
}

// endCeremony takes from the browser what it was asked, for this user. It can be answered once.
func (s *Server) endCeremony(w http.ResponseWriter, r *request, user account.UserID) (account.Ceremony, error) {
	var c ceremony
	if s.passkeys == nil || !s.openSealed(r, ceremonyCookie, &c) || c.User != user {
		return account.Ceremony{}, fieldProblem(account.ErrAttemptSpent)
	}
	s.clearCookie(w, ceremonyCookie)
	return c.Ceremony, fieldProblem(s.accounts.SpendAttempt(r.Context(), c.Attempt()))
}

// removePasskey ends that a passkey opens the account.
func (s *Server) removePasskey(w http.ResponseWriter, r *request) error {
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	form := passkeyForm + "-" + r.param("passkey")
	if err := s.confirm(r, in); err != nil {
		return s.refused(w, r, form, err)
	}
	id, err := r.number("passkey")
	if err != nil || s.passkeys == nil {
		return s.notFound(w, r)
	}
	err = s.passkeys.Remove(r.Context(), r.user.ID, id, s.usable())
	if errors.Is(err, account.ErrLastWayIn) {
		return s.showSecurity(w, r, http.StatusUnprocessableEntity, form, lastWayIn)
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r.Request, securityPath, http.StatusSeeOther)
	return nil
}

// fieldProblem is what a script is told of what its user can mend. Other errors, and none, stay as they are.
func fieldProblem(err error) error {
	if wrong, ok := errors.AsType[account.FieldError](err); ok {
		return &problem{Status: http.StatusUnprocessableEntity, Slug: "invalid", Title: words.T("That does not fit"), Field: wrong.Field, Detail: wrong.Detail}
	}
	switch {
	case errors.Is(err, account.ErrPasskeyRefused):
		return &problem{Status: http.StatusUnprocessableEntity, Slug: "passkey-refused", Title: words.T("Not this passkey"), cause: err,
			Detail: words.T("This passkey is not known here. Use another, or sign in with your password.")}
	case errors.Is(err, account.ErrAttemptSpent):
		return &problem{Status: http.StatusGone, Slug: "attempt-spent", Title: words.T("Too late"), cause: err,
			Detail: words.T("That took too long, or went on in another window. Try again.")}
	}
	return err
}
