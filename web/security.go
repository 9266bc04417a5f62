package web

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"pubquiz/account"
	"pubquiz/internal/openid"
	"pubquiz/internal/words"
)

// securityPath is where a host says what opens the account.
const securityPath = "/account/security"

// securityData is what opens a host's account.
type securityData struct {
	User      account.User
	Providers []providerState
	Passkeys  []account.Passkey
	TwoStep   account.TwoStepState
	form      string // with which something was wrong, and what
	problem   words.Text
}

// ask is what one of the page's forms asks for before it does anything, and what was wrong with it.
type ask struct {
	Form           string
	User           account.User
	Password, Code bool
	Problem        words.Text
}

// Ask is for the form of that name: for the password, if there is one, and perhaps for a code.
func (d securityData) Ask(form string, code bool) ask {
	a := ask{Form: form, User: d.User, Password: d.User.HasPassword, Code: code}
	if form == d.form {
		a.Problem = d.problem
	}
	return a
}

// providerState is one provider, and the host's identity there.
type providerState struct {
	Name, Label string
	Linked      bool
	Email       string
	LinkedAt    time.Time
}

func (s *Server) securityPage(w http.ResponseWriter, r *request) error {
	return s.showSecurity(w, r, http.StatusOK, "", words.Text{})
}

// The names of the page's forms.
const (
	turnOnForm  = "on"
	turnOffForm = "off"
	codesForm   = "codes"
)

var lastWayIn = words.T("Nothing else opens your account. Give it another way in first, such as a password.")

// providerForm is the one that links or unlinks.
func providerForm(name string) string { return "with-" + name }

// showSecurity shows the page, with what was wrong with one of its forms.
func (s *Server) showSecurity(w http.ResponseWriter, r *request, status int, form string, problem words.Text) error {
	data := securityData{User: r.user, form: form, problem: problem}
	var err error
	if data.TwoStep, err = s.twoStep.State(r.Context(), r.user.ID); err != nil {
		return err
	}
	if s.passkeys != nil {
		if data.Passkeys, err = s.accounts.Passkeys(r.Context(), r.user.ID); err != nil {
			return err
		}
	}
	identities, err := s.accounts.Identities(r.Context(), r.user.ID)
	if err != nil {
		return err
	}
	for _, p := range s.providers {
		state := providerState{Name: p.Name, Label: p.Label}
		for _, identity := range identities {
			if identity.Issuer == p.Issuer {
				state.Linked, state.Email, state.LinkedAt = true, identity.Email, identity.LinkedAt
			}
		}
		data.Providers = append(data.Providers, state)
	}
	return s.render(w, r, status, "security.html", page{Title: words.T("Ways in"), Data: data})
}

// refused shows what was wrong with one of the page's forms, and passes on what is not for the host to mend.
func (s *Server) refused(w http.ResponseWriter, r *request, form string, err error) error {
	if wrong, ok := errors.AsType[account.FieldError](err); ok {
		return s.showSecurity(w, r, http.StatusUnprocessableEntity, form, wrong.Detail)
	}
	return err
}

// linkIdentity begins to link an identity at a provider.
func (s *Server) linkIdentity(w http.ResponseWriter, r *request) error {
	p, in, err := s.readProviderForm(w, r)
	if err != nil {
		return err
	}
	if err := s.confirm(r, in); err != nil {
		return s.refused(w, r, providerForm(p.Name), err)
	}
	err = s.leave(w, r, p, attempt{Link: r.user.ID})
	if errors.Is(err, openid.ErrUnavailable) {
		return s.afterProvider(w, r, p, attempt{Link: r.user.ID}, err)
	}
	return err
}

func (s *Server) unlinkIdentity(w http.ResponseWriter, r *request) error {
	p, in, err := s.readProviderForm(w, r)
	if err != nil {
		return err
	}
	if err := s.confirm(r, in); err != nil {
		return s.refused(w, r, providerForm(p.Name), err)
	}
	err = s.accounts.UnlinkIdentity(r.Context(), r.user.ID, p.Issuer, s.usable())
	if errors.Is(err, account.ErrLastWayIn) {
		return s.showSecurity(w, r, http.StatusUnprocessableEntity, providerForm(p.Name), lastWayIn)
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r.Request, securityPath, http.StatusSeeOther)
	return nil
}

// usable is what opens accounts here besides passwords.
func (s *Server) usable() account.Usable {
	u := account.Usable{Passkeys: s.passkeys != nil}
	for _, p := range s.providers {
		u.Issuers = append(u.Issuers, p.Issuer)
	}
	return u
}

func (s *Server) readProviderForm(w http.ResponseWriter, r *request) (*openid.Provider, url.Values, error) {
	p, err := s.providerOf(r)
	if err != nil {
		return nil, nil, err
	}
	in, err := readForm(w, r)
	return p, in, err
}
