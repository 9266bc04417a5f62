package web

import (
	"errors"
	"net/url"

	"pubquiz/account"
	"pubquiz/internal/words"
	"pubquiz/ratelimit"
)

// confirm makes sure that the host is still the one before the browser, by the password in a form. It is charged as an attempt to sign in is, and
// only a wrong password counts. The error is a FieldError for what the host can mend.
func (s *Server) confirm(r *request, in url.Values) error {
	return s.atOwnRisk(r, r.user.Email, func() error {
		err := s.accounts.Confirm(r.Context(), r.user.ID, s.hostToken(r), in.Get("password"))
		switch {
		case errors.Is(err, account.ErrWrongCredentials):
			return account.FieldError{Field: "password", Detail: words.T("That is not your password. Try again.")}
		case errors.Is(err, account.ErrNotFresh):
			return account.FieldError{Field: "password", Detail: words.T("Your sign-in is older than ten minutes. Sign out, sign in again, and then do this.")}
		}
		return err
	})
}

// atOwnRisk charges a guess at something of an account's to the client's address and to the account, and gives the charges back unless the guess is
// wrong, which is when it returns a FieldError. Without an address of an account, only the client's is charged, for good.
func (s *Server) atOwnRisk(r *request, email string, guess func() error) error {
	key, err := account.EmailKey(email)
	if err != nil {
		key = ""
	}
	reserved, err := s.chargeSignIn(r, key)
	if err != nil {
		return err
	}
	err = guess()
	_, wrong := errors.AsType[account.FieldError](err)
	if wrong {
		s.logRefused(r)
	}
	if !wrong && key != "" {
		reserved.Refund(r.Context(), ratelimit.AuthAccount)
		reserved.Refund(r.Context(), ratelimit.Auth)
	}
	return err
}
