package web

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"pubquiz/account"
	"pubquiz/internal/words"
	"pubquiz/ratelimit"
)

// noteData is a page that says one thing.
type noteData struct {
	Lead  words.Text
	Then  words.Text // what else there is to know; may be empty
	Link  string     // where to go on; may be empty
	Label words.Text
}

func (s *Server) note(w http.ResponseWriter, r *request, status int, title words.Text, data noteData) error {
	return s.render(w, r, status, "note.html", page{Title: title, Data: data})
}

// lookInYourMail is what everybody is told who typed an address to which something may have been sent.
func (s *Server) lookInYourMail(w http.ResponseWriter, r *request, lead, then words.Text) error {
	data := noteData{Lead: lead, Then: then, Link: "/signin", Label: words.T("To the sign-in")}
	if s.tray != nil {
		data.Link, data.Label = trayPath, words.T("Look into the demo’s mail")
	}
	return s.note(w, r, http.StatusOK, words.T("Look in your mail"), data)
}

// inboxFull charges a letter to the address that it would go to, whether there is such an account or not. A full inbox is nobody's business but its owner's: only
// that the limit cannot be asked is told.
func (s *Server) inboxFull(r *request) account.InboxFull { return s.fullFor(r, ratelimit.AccountKey) }

// resetsFull is inboxFull for links to a new password, which no other letter uses up.
func (s *Server) resetsFull(r *request) account.InboxFull { return s.fullFor(r, ratelimit.ResetKey) }

func (s *Server) fullFor(r *request, keyOf func(folded string) ratelimit.Key) account.InboxFull {
	return func(folded string) (bool, error) {
		d, err := s.limiters.Allow(r.Context(), ratelimit.ResetAccount.For(keyOf(folded)))
		if err == nil && d.Unavailable {
			err = refusal(d)
		}
		return !d.Allowed, err
	}
}

// errNoMail is the answer of pages that make no sense where nothing can be sent.
var errNoMail = &problem{Status: http.StatusNotFound, Slug: "no-mail", Title: words.T("No mail from here"),
	Detail: words.T("This server sends no mail, so nobody can get a link for that. Ask whoever runs it.")}

// signUpByMail makes an account of which only the owner of its address learns whether there was one already.
func (s *Server) signUpByMail(w http.ResponseWriter, r *request, email, name, password string) error {
	if err := s.accounts.SignUpByMail(r.Context(), email, name, password, s.inboxFull(r)); err != nil {
		return err
	}
	return s.lookInYourMail(w, r, words.T("We have written to {email}. The letter says how to go on.", "email", email),
		words.T("Nothing there? Give it a minute, look among the spam, and check the address for a mistake. If the address is new here, you can sign in at once: until it is confirmed, a session has 30 places at most."))
}

func (s *Server) resetPage(w http.ResponseWriter, r *request) error {
	if !s.accounts.SendsMail() {
		return errNoMail
	}
	return s.render(w, r, http.StatusOK, "reset.html", page{Title: words.T("A new password"), Form: form{Values: map[string]string{"email": r.URL.Query().Get("email")}}})
}

// requestReset sends a link to choose a new password, if there is such an account.
func (s *Server) requestReset(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.PasswordReset); err != nil {
		return err
	}
	if !s.accounts.SendsMail() {
		return errNoMail
	}
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	err = s.accounts.RequestReset(r.Context(), in.Get("email"), s.resetsFull(r))
	if wrong, ok := errors.AsType[account.FieldError](err); ok {
		return s.showAgain(w, r, "reset.html", words.T("A new password"), in, wrong.Field, wrong.Detail)
	}
	if err != nil {
		return err
	}
	return s.lookInYourMail(w, r, words.T("If there is an account with the address {email}, a letter with a link is on its way there.", "email", in.Get("email")),
		words.T("The link works for half an hour. Nothing there? Look among the spam, and check the address for a mistake."))
}

// linkSpent is what is said of a link that can no longer be used.
var linkSpent = words.T("This link no longer works")

func (s *Server) resetLinkSpent(w http.ResponseWriter, r *request) error {
	return s.note(w, r, http.StatusGone, linkSpent, noteData{
		Lead: words.T("Each link works once, within half an hour, and a newer one replaces it."), Link: "/reset", Label: words.T("Send a new link"),
	})
}

// choosePasswordPage asks for the new password. It uses nothing up: programs that look through mail open links.
func (s *Server) choosePasswordPage(w http.ResponseWriter, r *request) error {
	return s.showChoosePassword(w, r, http.StatusOK, r.URL.Query().Get("token"), words.Text{})
}

func (s *Server) showChoosePassword(w http.ResponseWriter, r *request, status int, token string, problem words.Text) error {
	email, err := s.accounts.ResetLink(r.Context(), token)
	if errors.Is(err, account.ErrLinkSpent) {
		return s.resetLinkSpent(w, r)
	}
	if err != nil {
		return err
	}
	f := form{Values: map[string]string{"token": token, "email": email}}
	if !problem.IsZero() {
		f.Errors = map[string]words.Text{"password": problem}
	}
	return s.render(w, r, status, "choose-password.html", page{Title: words.T("A new password"), Form: f})
}

func (s *Server) choosePassword(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.Auth); err != nil {
		return err
	}
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	err = s.accounts.ResetPassword(r.Context(), in.Get("token"), in.Get("password"))
	wrong, isField := errors.AsType[account.FieldError](err)
	switch {
	case isField:
		return s.showChoosePassword(w, r, http.StatusUnprocessableEntity, in.Get("token"), wrong.Detail)
	case errors.Is(err, account.ErrLinkSpent):
		return s.resetLinkSpent(w, r)
	case err != nil:
		return err
	}
	s.clearCookie(w, hostCookie)
	return s.note(w, r, http.StatusOK, words.T("Your new password is set"), noteData{
		Lead: words.T("All browsers that were signed in have been signed out. Sign in with the new password."), Link: "/signin", Label: words.T("Sign in"),
	})
}

// trayPath is where a demo shows the letters that it does not send.
const trayPath = "/demo/mail"

// trayPage shows the letters of a demo, which open accounts, to whoever sits at the machine that it runs on; and not to a page of another site there,
// whose name was made to lead here (DNS rebinding).
func (s *Server) trayPage(w http.ResponseWriter, r *request) error {
	if s.tray == nil || !fromThisMachine(r) || !s.isOurName(r.Host) {
		return s.notFound(w, r)
	}
	return s.render(w, r, http.StatusOK, "tray.html", page{Title: words.T("The demo’s mail"), Data: s.tray.Letters()})
}

// isOurName tells whether a request was made to a name that we go by, or to an address, which nobody can make lead elsewhere.
func (s *Server) isOurName(host string) bool {
	_, notAddressAndPort := netip.ParseAddrPort(host)
	_, notAddress := netip.ParseAddr(strings.Trim(host, "[]"))
	return notAddressAndPort == nil || notAddress == nil || s.origins[s.baseURL.Scheme+"://"+host]
}

// fromThisMachine tells whether a request came over no network: its client has an address that is this machine's own.
func fromThisMachine(r *request) bool {
	if r.client.IsLoopback() {
		return true
	}
	here, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	local, err := netip.ParseAddrPort(here.String())
	return err == nil && local.Addr().Unmap() == r.client
}
