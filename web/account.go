package web

import (
	"errors"
	"net/http"
	"net/url"

	"pubquiz/account"
	"pubquiz/billing"
	"pubquiz/internal/words"
	"pubquiz/ratelimit"
)

// accountPath is a host's page about themselves.
const accountPath = "/account"

// accountData is what that page shows.
type accountData struct {
	User     account.User
	Done     words.Text // what has just been done, in words
	Browsers []browserRow
	Plan     *billing.Standing // nil where nothing is sold
}

// browserRow is a signed-in browser as its owner recognizes it.
type browserRow struct {
	account.Browser
	Name words.Text // "Firefox on Windows"
	Seen words.Text // "Seen 12 minutes ago"
}

// sure is what a form asks for before it does something that cannot be left to whoever finds the browser open.
type sure struct {
	Form    string // its name on the page
	User    account.User
	Problem words.Text // with what was given before
}

// Sure is for the page's forms.
func (d accountData) Sure(form string, problem words.Text) sure { return sure{form, d.User, problem} }

// doneWords say what has just been done. The page is told which by its address, after a redirect.
var doneWords = map[string]words.Text{
	"name":        words.T("Your name is changed."),
	"letter":      words.T("The letter is on its way. The link in it works for a day."),
	"new-address": words.T("A letter is on its way to the new address. Until you follow its link, the old one stays."),
	"confirmed":   words.T("Your address is confirmed."),
	"password":    words.T("Your password is changed, and all other browsers are signed out."),
	"browser":     words.T("That browser is signed out."),
}

func (s *Server) accountPage(w http.ResponseWriter, r *request) error {
	return s.showAccount(w, r, http.StatusOK, form{})
}

// showAccount shows the page, with what was wrong with the form that was sent from it.
func (s *Server) showAccount(w http.ResponseWriter, r *request, status int, f form) error {
	browsers, err := s.accounts.Browsers(r.Context(), r.user.ID, s.hostToken(r))
	if err != nil {
		return err
	}
	data := accountData{User: r.user}
	if data.Plan, err = s.ownPlan(r); err != nil {
		return err
	}
	if status == http.StatusOK {
		data.Done = doneWords[r.URL.Query().Get("done")]
	}
	for _, b := range browsers {
		data.Browsers = append(data.Browsers, browserRow{b, agentInWords(b.Agent), seenInWords(s.now().Sub(b.LastSeenAt), b.LastSeenAt)})
	}
	return s.render(w, r, status, "account.html", page{Title: words.T("Your account"), Form: f, Data: data})
}

// again shows the page with what is wrong with one of its forms, beside the field. Fields are called as on the page: by the form, a dash and their name. What is
// no FieldError it passes on.
func (s *Server) again(w http.ResponseWriter, r *request, formName string, in url.Values, err error) error {
	wrong, ok := errors.AsType[account.FieldError](err)
	if !ok {
		return err
	}
	values := map[string]string{"name": in.Get("name"), "email": in.Get("email"), "open": formName}
	return s.showAccount(w, r, http.StatusUnprocessableEntity, form{Values: values, Errors: map[string]words.Text{formName + "-" + wrong.Field: wrong.Detail}})
}

// accountDone goes back to the page, which says what was done.
func accountDone(w http.ResponseWriter, r *request, what string) error {
	http.Redirect(w, r.Request, accountPath+"?"+url.Values{"done": {what}}.Encode(), http.StatusSeeOther)
	return nil
}

func (s *Server) rename(w http.ResponseWriter, r *request) error {
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	if err := s.accounts.Rename(r.Context(), r.user.ID, in.Get("name")); err != nil {
		return s.again(w, r, "rename", in, err)
	}
	return accountDone(w, r, "name")
}

// sendConfirmation writes to the host's own address once more.
func (s *Server) sendConfirmation(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.PasswordReset); err != nil {
		return err
	}
	if !s.accounts.SendsMail() {
		return errNoMail
	}
	if err := s.accounts.AskToConfirm(r.Context(), r.user, r.user.Email, s.inboxFull(r)); err != nil {
		return err
	}
	return accountDone(w, r, "letter")
}

// changeEmail writes to the address that is to be the host's from now on.
func (s *Server) changeEmail(w http.ResponseWriter, r *request) error {
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	if err := s.confirm(r, in); err != nil {
		return s.again(w, r, "move", in, err)
	}
	if !s.accounts.SendsMail() {
		return errNoMail
	}
	if err := s.accounts.AskToConfirm(r.Context(), r.user, in.Get("email"), s.inboxFull(r)); err != nil {
		return s.again(w, r, "move", in, err)
	}
	return accountDone(w, r, "new-address")
}

// changePassword takes the current password and gives the browser a new token.
func (s *Server) changePassword(w http.ResponseWriter, r *request) error {
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	if err := s.confirm(r, in); err != nil {
		return s.again(w, r, "change", in, err)
	}
	token, err := s.accounts.ChangePassword(r.Context(), r.user, s.hostToken(r), in.Get("new"), r.device())
	if wrong, ok := errors.AsType[account.FieldError](err); ok {
		wrong.Field = "new"
		return s.again(w, r, "change", in, wrong)
	}
	if err != nil {
		return err
	}
	s.setHostToken(w, token)
	return accountDone(w, r, "password")
}

// confirmAddressPage asks before it uses a link up: programs that look through mail open links, but press no buttons.
func (s *Server) confirmAddressPage(w http.ResponseWriter, r *request) error {
	token := r.URL.Query().Get("token")
	email, err := s.accounts.ConfirmLink(r.Context(), r.user.ID, token)
	if errors.Is(err, account.ErrLinkSpent) {
		return s.confirmLinkSpent(w, r)
	}
	if err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, "confirm-address.html", page{Title: words.T("Confirm your address"), Form: form{Values: map[string]string{"token": token, "email": email}}})
}

func (s *Server) confirmLinkSpent(w http.ResponseWriter, r *request) error {
	return s.note(w, r, http.StatusGone, linkSpent, noteData{
		Lead: words.T("Each link works once, within a day, and for the account that it was sent for."), Then: words.T("Your account’s page sends a new one."),
		Link: accountPath, Label: words.T("To your account"),
	})
}

func (s *Server) confirmAddress(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.Auth); err != nil {
		return err
	}
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	token := in.Get("token")
	email, err := s.accounts.ConfirmLink(r.Context(), r.user.ID, token)
	if err == nil {
		err = s.accounts.ConfirmAddress(r.Context(), r.user.ID, s.hostToken(r), token)
	}
	switch {
	case errors.Is(err, account.ErrLinkSpent):
		return s.confirmLinkSpent(w, r)
	case errors.Is(err, account.ErrAddressRefused):
		return &problem{Status: http.StatusConflict, Slug: "address-refused", Title: words.T("Another account has this address"), cause: err,
			Detail: words.T("Since the letter was written, another account has been made with this address. Sign in to that one, or choose another address.")}
	case err != nil:
		return err
	}
	if key, err := account.EmailKey(email); err == nil {
		s.rememberDevice(w, r, key)
	}
	return accountDone(w, r, "confirmed")
}

func (s *Server) endBrowser(w http.ResponseWriter, r *request) error {
	id, err := r.number("browser")
	if err != nil {
		return s.notFound(w, r)
	}
	if err := s.accounts.EndBrowser(r.Context(), r.user.ID, id); err != nil {
		return err
	}
	return accountDone(w, r, "browser") // which asks to sign in, if it was this browser
}

func (s *Server) signOutEverywhere(w http.ResponseWriter, r *request) error {
	if err := s.accounts.SignOutEverywhere(r.Context(), r.user.ID); err != nil {
		return err
	}
	s.clearCookie(w, hostCookie)
	return s.note(w, r, http.StatusOK, words.T("Signed out everywhere"), noteData{
		Lead: words.T("Nobody is signed in to your account any more, on this computer or another."), Link: "/signin", Label: words.T("Sign in again"),
	})
}

func (s *Server) deleteAccountPage(w http.ResponseWriter, r *request) error {
	return s.showDeleteAccount(w, r, http.StatusOK, form{})
}

func (s *Server) showDeleteAccount(w http.ResponseWriter, r *request, status int, f form) error {
	standing, err := s.ownPlan(r)
	if err != nil {
		return err
	}
	return s.render(w, r, status, "delete-account.html", page{Title: words.T("Delete your account"), Form: f, Data: accountData{User: r.user, Plan: standing}})
}

// deleteAccount takes the address, typed out, and the password.
func (s *Server) deleteAccount(w http.ResponseWriter, r *request) error {
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	err = s.confirm(r, in)
	if err == nil {
		err = s.deleteIfMeant(r, in.Get("email"))
	}
	if wrong, ok := errors.AsType[account.FieldError](err); ok {
		return s.showDeleteAccount(w, r, http.StatusUnprocessableEntity, form{
			Values: map[string]string{"email": in.Get("email")}, Errors: map[string]words.Text{wrong.Field: wrong.Detail},
		})
	}
	if err != nil {
		return err
	}
	s.clearCookie(w, hostCookie)
	return s.note(w, r, http.StatusOK, words.T("Your account is deleted"), noteData{Lead: words.T("Everything that was yours here is gone. Thank you for the evenings."), Link: "/", Label: words.T("To the start")})
}

// deleteIfMeant deletes the host's account if the address is theirs. The error is a FieldError for what stands in the way.
func (s *Server) deleteIfMeant(r *request, email string) error {
	typed, err := account.EmailKey(email)
	if err != nil {
		return err
	}
	if own, err := account.EmailKey(r.user.Email); err != nil || typed != own {
		return account.FieldError{Field: "email", Detail: words.T("That is not the address of this account.")}
	}
	err = s.accounts.Delete(r.Context(), r.user.ID)
	if errors.Is(err, account.ErrSessionOpen) {
		return account.FieldError{Field: "", Detail: words.T("One of your sessions is still open. End it in its console first, so that nobody’s evening breaks off.")}
	}
	return err
}
