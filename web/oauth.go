package web

import (
	"errors"
	"net/http"
	"time"

	"pubquiz/account"
	"pubquiz/internal/openid"
	"pubquiz/internal/words"
	"pubquiz/ratelimit"
)

// The cookie of whoever is on the way to a provider and back.
const (
	attemptCookie    = "quizd_attempt"
	attemptCookieAge = 10 * time.Minute
)

// attempt is what that cookie holds.
type attempt struct {
	openid.Attempt
	Provider string
	Next     string         // where to go in the end
	Link     account.UserID // whose account is to be linked; 0 to sign in
}

// ProviderReturn is the path to which the provider of that name sends people back.
func ProviderReturn(name string) string { return "/signin/with/" + name + "/back" }

// providerOf finds the provider in the path.
func (s *Server) providerOf(r *request) (*openid.Provider, error) {
	for _, p := range s.providers {
		if p.Name == r.param("provider") {
			return p, nil
		}
	}
	return nil, s.notFound(nil, r)
}

// goToProvider begins to sign in with a provider. It takes a button, not a link: nobody else's page can begin it, and use up the limit.
func (s *Server) goToProvider(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.Auth); err != nil {
		return err
	}
	p, err := s.providerOf(r)
	if err != nil {
		return err
	}
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	err = s.leave(w, r, p, attempt{Next: in.Get("next")})
	if errors.Is(err, openid.ErrUnavailable) {
		return s.showProviderProblem(w, r, p, in.Get("next"), err)
	}
	return err
}

// leadsOnData is the page between here and somebody else's. A redirect would not do: the policy on forms holds for where their answers lead, too.
type leadsOnData struct {
	Label   string     // who it is
	Lead    words.Text // what happens there
	Address string
	Back    string // where whoever turns back goes
}

// leadOn sends the browser on.
func (s *Server) leadOn(w http.ResponseWriter, r *request, d leadsOnData) error {
	w.Header().Set("Refresh", "0;url="+d.Address)
	return s.render(w, r, http.StatusOK, "leads-on.html", page{Title: words.T("On to {provider}", "provider", d.Label), Data: d})
}

// leave sends the browser on to the provider, with the attempt in a cookie.
func (s *Server) leave(w http.ResponseWriter, r *request, p *openid.Provider, a attempt) error {
	begun, address, err := p.Begin(r.Context())
	if err != nil {
		return err
	}
	a.Attempt, a.Provider = begun, p.Name
	if err := s.setSealed(w, attemptCookie, a, attemptCookieAge); err != nil {
		return err
	}
	return s.leadOn(w, r, leadsOnData{Label: p.Label, Address: address, Back: "/signin",
		Lead: words.T("{provider} tells us your name and your e-mail address, and nothing else. Then you are back here.", "provider", p.Label)})
}

// backFromProvider ends what goToProvider or linkIdentity began. Whoever has not begun it here, in this browser and just now, gets nowhere.
func (s *Server) backFromProvider(w http.ResponseWriter, r *request) error {
	p, err := s.providerOf(r)
	if err != nil {
		return err
	}
	var a attempt
	if !s.openSealed(r, attemptCookie, &a) || a.Provider != p.Name || a.State == "" || a.State != r.URL.Query().Get("state") {
		return s.showProviderProblem(w, r, p, "", account.ErrAttemptSpent)
	}
	s.clearCookie(w, attemptCookie)
	if err := s.accounts.SpendAttempt(r.Context(), a.State); err != nil {
		return s.showProviderProblem(w, r, p, a.Next, err)
	}
	found, err := p.Finish(r.Context(), a.Attempt, r.URL.Query())
	if err != nil {
		return s.afterProvider(w, r, p, a, err)
	}
	identity := account.Identity{
		Issuer: found.Issuer, Subject: found.Subject, Email: found.Email, EmailVerified: found.EmailVerified, Name: found.Name,
	}
	if a.Link != 0 {
		return s.afterProvider(w, r, p, a, s.link(r, a.Link, identity))
	}
	token, err := s.accounts.SignInWithIdentity(r.Context(), identity, r.device())
	if problem := s.providerProblem(p, err); !problem.IsZero() {
		return s.showProviderProblem(w, r, p, a.Next, err)
	}
	return s.goIn(w, r, token, err, a.Next)
}

// link links an identity to the account of whoever began it, if they are still signed in.
func (s *Server) link(r *request, to account.UserID, identity account.Identity) error {
	user, err := s.accounts.Authenticate(r.Context(), s.hostToken(r))
	if err != nil {
		return err
	}
	if user.ID != to {
		return account.ErrAttemptSpent
	}
	return s.accounts.LinkIdentity(r.Context(), to, identity)
}

// afterProvider shows what came of an attempt where it was begun.
func (s *Server) afterProvider(w http.ResponseWriter, r *request, p *openid.Provider, a attempt, err error) error {
	if a.Link == 0 {
		return s.showProviderProblem(w, r, p, a.Next, err)
	}
	if err == nil {
		http.Redirect(w, r.Request, securityPath, http.StatusSeeOther)
		return nil
	}
	problem := s.providerProblem(p, err)
	if problem.IsZero() {
		return err
	}
	if r.user, err = s.accounts.Authenticate(r.Context(), s.hostToken(r)); err != nil {
		return err
	}
	return s.showSecurity(w, r, http.StatusUnprocessableEntity, providerForm(p.Name), problem)
}

// showProviderProblem shows the sign-in page, and why the provider did not lead past it.
func (s *Server) showProviderProblem(w http.ResponseWriter, r *request, p *openid.Provider, next string, err error) error {
	problem := s.providerProblem(p, err)
	if problem.IsZero() {
		return err
	}
	status := http.StatusUnprocessableEntity
	if errors.Is(err, openid.ErrUnavailable) {
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "10")
	}
	if errors.Is(err, openid.ErrUnavailable) || errors.Is(err, openid.ErrRefused) {
		s.log.WarnContext(r.Context(), "signing in with a provider failed", "provider", p.Name, "error", err)
	}
	return s.render(w, r, status, "signin.html", page{Title: words.T("Sign in"), Form: form{
		Values: map[string]string{"next": next}, Errors: map[string]words.Text{"": problem},
	}})
}

// providerProblem says what came of an attempt, and what to do. It is empty for what is no answer of the provider's, or about it.
func (s *Server) providerProblem(p *openid.Provider, err error) words.Text {
	if wrong, ok := errors.AsType[account.FieldError](err); ok {
		return words.T("{provider} tells an address that cannot be used here. {detail}", "provider", p.Label, "detail", wrong.Detail)
	}
	switch {
	case errors.Is(err, openid.ErrUnavailable):
		return words.T("{provider} does not answer at the moment. Try again in a minute.", "provider", p.Label)
	case errors.Is(err, openid.ErrDeclined):
		return words.T("You came back from {provider} without going through with it, so nothing was done.", "provider", p.Label)
	case errors.Is(err, openid.ErrRefused):
		return words.T("What {provider} answered cannot be trusted, so nothing was done. Try again.", "provider", p.Label)
	case errors.Is(err, account.ErrAttemptSpent):
		return words.T("That took too long, or went on in another window. Try again.")
	case errors.Is(err, account.ErrEmailUnverified):
		return words.T("{provider} has not confirmed your address. Confirm it there first, or make an account here with a password.", "provider", p.Label)
	case errors.Is(err, account.ErrNotLinked):
		return words.T("You have an account here already. Sign in as you always do, and then link {provider} in your account, under Other ways in.", "provider", p.Label)
	case errors.Is(err, account.ErrAddressRefused):
		return words.T("This address cannot be used for a new account. If you have one already, sign in to it.")
	case errors.Is(err, account.ErrIdentityTaken):
		return words.T("That account at {provider} already opens another account here, or you have linked one.", "provider", p.Label)
	}
	return words.Text{}
}
