package web

import (
	"encoding/base64"
	"errors"
	"html/template"
	"net/http"
	"strings"
	"time"

	"pubquiz/account"
	"pubquiz/internal/words"
)

// ProductName is what authenticators call us.
const ProductName = "Live pub quiz"

// The cookie of whoever is about to turn the second factor on: the app's secret, which is stored nowhere else before that.
const (
	secretCookie    = "quizd_app_secret"
	secretCookieAge = 15 * time.Minute
)

// appSecret is what that cookie holds.
type appSecret struct {
	User account.UserID
	account.Secret
}

// appData shows an app its secret.
type appData struct {
	QR     template.URL // an image in itself
	Secret string       // in groups of four
}

// beginTwoStep makes a secret for the host's app.
func (s *Server) beginTwoStep(w http.ResponseWriter, r *request) error {
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	if err := s.confirm(r, in); err != nil {
		return s.refused(w, r, turnOnForm, err)
	}
	secret, err := s.twoStep.NewSecret(ProductName, r.user.Email)
	if err != nil {
		return err
	}
	if err := s.setSealed(w, secretCookie, appSecret{r.user.ID, secret}, secretCookieAge); err != nil {
		return err
	}
	http.Redirect(w, r.Request, "/account/two-step", http.StatusSeeOther)
	return nil
}

// appPage shows the secret to the host's app, and asks for a first code.
func (s *Server) appPage(w http.ResponseWriter, r *request) error {
	return s.showApp(w, r, http.StatusOK, form{})
}

func (s *Server) showApp(w http.ResponseWriter, r *request, status int, f form) error {
	var secret appSecret
	if !s.openSealed(r, secretCookie, &secret) || secret.User != r.user.ID {
		http.Redirect(w, r.Request, securityPath, http.StatusSeeOther)
		return nil
	}
	code, err := drawQR(secret.URL)
	if err != nil {
		return err
	}
	return s.render(w, r, status, "app-secret.html", page{Title: words.T("Set up your app"), Form: f, Data: appData{picture(code), grouped(secret.Text)}})
}

// enableTwoStep turns the second factor on with the app's first code, and shows the recovery codes, this once.
func (s *Server) enableTwoStep(w http.ResponseWriter, r *request) error {
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	var secret appSecret
	if !s.openSealed(r, secretCookie, &secret) || secret.User != r.user.ID {
		return s.showSecurity(w, r, http.StatusUnprocessableEntity, turnOnForm, words.T("That took too long. Begin once more."))
	}
	recovery, token, err := s.twoStep.Enable(r.Context(), r.user.ID, secret.Text, in.Get("code"), r.device())
	if wrong, ok := errors.AsType[account.FieldError](wrongCode(err, "code")); ok {
		return s.showApp(w, r, http.StatusUnprocessableEntity, form{Errors: map[string]words.Text{"code": wrong.Detail}})
	}
	if errors.Is(err, account.ErrAlreadyOn) {
		return s.showSecurity(w, r, http.StatusUnprocessableEntity, turnOnForm, words.T("It was turned on in another window meanwhile."))
	}
	if err != nil {
		return err
	}
	s.clearCookie(w, secretCookie)
	s.setHostToken(w, token)
	return s.showRecoveryCodes(w, r, recovery, true)
}

// recoveryData is the recovery codes, as they are shown once.
type recoveryData struct {
	Codes     []string
	SignedOut bool // all other browsers have been
}

func (s *Server) showRecoveryCodes(w http.ResponseWriter, r *request, codes []string, signedOut bool) error {
	return s.render(w, r, http.StatusOK, "recovery-codes.html", page{Title: words.T("Recovery codes"), Data: recoveryData{codes, signedOut}})
}

// disableTwoStep turns the second factor off.
func (s *Server) disableTwoStep(w http.ResponseWriter, r *request) error {
	var token string
	err := s.withBothFactors(w, r, func(code string) (err error) {
		token, err = s.twoStep.Disable(r.Context(), r.user.ID, code, r.device())
		return err
	})
	if err != nil {
		return s.refused(w, r, turnOffForm, err)
	}
	s.setHostToken(w, token)
	http.Redirect(w, r.Request, securityPath, http.StatusSeeOther)
	return nil
}

func (s *Server) renewRecoveryCodes(w http.ResponseWriter, r *request) error {
	var recovery []string
	err := s.withBothFactors(w, r, func(code string) (err error) {
		recovery, err = s.twoStep.RenewRecoveryCodes(r.Context(), r.user.ID, code)
		return err
	})
	if err != nil {
		return s.refused(w, r, codesForm, err)
	}
	return s.showRecoveryCodes(w, r, recovery, false)
}

// withBothFactors does what takes the password and a code.
func (s *Server) withBothFactors(w http.ResponseWriter, r *request, do func(code string) error) error {
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	if err := s.confirm(r, in); err != nil {
		return err
	}
	return s.atOwnRisk(r, r.user.Email, func() error { return wrongCode(do(in.Get("code")), "code") })
}

// grouped is a secret as people read it, four letters at a time.
func grouped(secret string) string {
	var groups []string
	for len(secret) > 4 {
		groups, secret = append(groups, secret[:4]), secret[4:]
	}
	return strings.Join(append(groups, secret), " ")
}

// picture is an SVG as the address of an image. It is part of the page, so that nothing else ever has it.
func picture(svg []byte) template.URL {
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg))
}
