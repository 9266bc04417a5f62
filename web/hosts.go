package web

import (
	"errors"
	"net/http"
	"net/url"

	"pubquiz/account"
	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/ratelimit"
	"pubquiz/session"
)

func (s *Server) signUpPage(w http.ResponseWriter, r *request) error {
	return s.signFormPage(w, r, "signup.html", words.T("Sign up"))
}

func (s *Server) signInPage(w http.ResponseWriter, r *request) error {
	return s.signFormPage(w, r, "signin.html", words.T("Sign in"))
}

// signFormPage shows an empty form, or leads on whoever is signed in.
func (s *Server) signFormPage(w http.ResponseWriter, r *request, name string, title words.Text) error {
	next := r.URL.Query().Get("next")
	_, err := s.accounts.Authenticate(r.Context(), s.hostToken(r))
	if err == nil {
		http.Redirect(w, r.Request, nextOr(next, homeOfHosts), http.StatusSeeOther)
		return nil
	}
	if !errors.Is(err, account.ErrNotSignedIn) {
		return err
	}
	return s.render(w, r, http.StatusOK, name, page{Title: title, Form: form{Values: map[string]string{"next": next}}})
}

// signUp makes an account. Where letters can be sent, one says how to go on; elsewhere its owner is signed in.
func (s *Server) signUp(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.Auth); err != nil {
		return err
	}
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	var token string
	if s.accounts.SendsMail() {
		err = s.signUpByMail(w, r, in.Get("email"), in.Get("name"), in.Get("password"))
	} else {
		token, err = s.accounts.SignUp(r.Context(), in.Get("email"), in.Get("name"), in.Get("password"), r.device())
	}
	wrong, isField := errors.AsType[account.FieldError](err)
	switch {
	case isField:
		return s.showAgain(w, r, "signup.html", words.T("Sign up"), in, wrong.Field, wrong.Detail)
	case errors.Is(err, account.ErrAddressRefused):
		return s.showAgain(w, r, "signup.html", words.T("Sign up"), in, "",
			words.T("This address cannot be used for a new account. If you have one already, sign in with it."))
	case err != nil || token == "":
		return err
	}
	return s.enter(w, r, token, in.Get("next"))
}

// signIn signs a host in. The address in the body is a limit's key, so the limits are charged here and together: what
// one of them refuses is charged to neither, and a right password costs its account nothing.
func (s *Server) signIn(w http.ResponseWriter, r *request) error {
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	email := in.Get("email")
	key, wrong := account.EmailKey(email)
	reserved, err := s.chargeSignIn(r, key)
	if err != nil {
		return err
	}
	if wrong, ok := errors.AsType[account.FieldError](wrong); ok {
		return s.showAgain(w, r, "signin.html", words.T("Sign in"), in, wrong.Field, wrong.Detail)
	}
	token, err := s.accounts.SignIn(r.Context(), email, in.Get("password"), r.device())
	if errors.Is(err, account.ErrWrongCredentials) {
		s.logRefused(r)
		return s.showAgain(w, r, "signin.html", words.T("Sign in"), in, "", words.T("The address or the password is not right. Check both and try again."))
	}
	reserved.Refund(r.Context(), ratelimit.AuthAccount) // only a wrong password counts
	return s.goIn(w, r, token, err, in.Get("next"))
}

// chargeSignIn charges an attempt to the address it came from and to the account with the key, if it is one, or to the
// device that is known there. What it returns gives back the charge on the account or device.
func (s *Server) chargeSignIn(r *request, key string) (ratelimit.Reservation, error) {
	address := ratelimit.Auth.For(ratelimit.AddressKey(r.client))
	checks := []ratelimit.Check{address}
	device, known := s.knownDevice(r, key)
	switch {
	case known:
		checks = append(checks, ratelimit.AuthAccount.For(ratelimit.DeviceKey(key, device)))
	case key != "":
		checks = append(checks, ratelimit.AuthAccount.For(ratelimit.AccountKey(key)))
	}
	reserved, decision, err := s.limiters.Reserve(r.Context(), checks...)
	if err == nil && !decision.Allowed && decision.Name == ratelimit.Auth.Name && known {
		// Somebody in the same network has used up the address's budget. No stranger has the device, so its own budget
		// will do; and as nothing else counts these attempts, a right password gives none of it back.
		decision, err = s.limiters.Allow(r.Context(), checks[1])
	}
	if err != nil {
		return reserved, err
	}
	told := decision
	if told.Name != ratelimit.Auth.Name { // how many attempts others made on an account is not for telling
		if told, err = s.limiters.Peek(r.Context(), address); err != nil {
			return reserved, err
		}
	}
	s.tellLimit(r, told)
	if !decision.Allowed {
		refused := refusal(decision)
		refused.Detail = words.T("There have been too many attempts to sign in.")
		return reserved, refused
	}
	return reserved, nil
}

// linkPage asks before it signs in with a one-time link: programs that look through mail open links, but press no
// buttons.
func (s *Server) linkPage(w http.ResponseWriter, r *request) error {
	return s.render(w, r, http.StatusOK, "link.html", page{
		Title: words.T("Sign in"), Form: form{Values: map[string]string{"token": r.URL.Query().Get("token")}},
	})
}

func (s *Server) useLink(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.Auth); err != nil {
		return err
	}
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	token, err := s.accounts.UseLink(r.Context(), in.Get("token"), r.device())
	if errors.Is(err, account.ErrLinkSpent) {
		return &problem{Status: http.StatusGone, Slug: "link-spent", Title: words.T("This link no longer works"), cause: err,
			Detail: words.T("Each link signs in once, and within half an hour. Ask for a new one, or sign in with your password.")}
	}
	if err != nil {
		return err
	}
	return s.enter(w, r, token, "")
}

func (s *Server) signOut(w http.ResponseWriter, r *request) error {
	if err := s.accounts.SignOut(r.Context(), s.hostToken(r)); err != nil {
		return err
	}
	s.clearCookie(w, hostCookie)
	http.Redirect(w, r.Request, "/", http.StatusSeeOther)
	return nil
}

// enter welcomes a browser with its new token, and leads on.
func (s *Server) enter(w http.ResponseWriter, r *request, token, next string) error {
	if err := s.welcome(w, r, token); err != nil {
		return err
	}
	http.Redirect(w, r.Request, nextOr(next, homeOfHosts), http.StatusSeeOther)
	return nil
}

// welcome gives the browser its new token, and remembers it as one of the account's. The token it had before ends.
func (s *Server) welcome(w http.ResponseWriter, r *request, token string) error {
	user, err := s.accounts.Authenticate(r.Context(), token)
	if err != nil {
		return err
	}
	key, err := account.EmailKey(user.Email)
	if err != nil {
		return err
	}
	if old := s.hostToken(r); old != "" {
		if err := s.accounts.SignOut(r.Context(), old); err != nil {
			return err
		}
	}
	s.setHostToken(w, token)
	s.rememberDevice(w, r, key)
	s.logSignIn(r, user.ID)
	return nil
}

// showAgain shows a form as it was sent, but for the password, with what is wrong beside the field. The field "" is the
// whole form.
func (s *Server) showAgain(w http.ResponseWriter, r *request, name string, title words.Text, in url.Values, field string, detail words.Text) error {
	values := map[string]string{"email": in.Get("email"), "name": in.Get("name"), "next": in.Get("next")}
	return s.render(w, r, http.StatusUnprocessableEntity, name, page{
		Title: title, Form: form{Values: values, Errors: map[string]words.Text{field: detail}},
	})
}

// dashboardData is a host's quizzes and sessions.
type dashboardData struct {
	User     account.User
	Operator bool
	Quizzes  []quiz.Summary // those picked
	Written  int            // how many there are
	Picked   picked
	Tags     []string
	Live     []session.Summary
	Cohosted []session.CohostedSession // with their owners
	Finished []session.Summary         // the latest of them
}

// finishedShown is how many finished sessions the dashboard lists; the history has all.
const finishedShown = 5

// picked says which of the quizzes the dashboard shows, in which order.
type picked struct {
	Words, Tag string
	Order      quiz.Sort
}

func (s *Server) dashboard(w http.ResponseWriter, r *request) error {
	return s.showDashboard(w, r, http.StatusOK, form{})
}

// showDashboard shows the host's home, with what was wrong about the form that was sent from it.
func (s *Server) showDashboard(w http.ResponseWriter, r *request, status int, f form) error {
	quizzes, err := s.quizzes.List(r.Context(), r.ownerID())
	if err != nil {
		return err
	}
	sessions, err := s.sessions.List(r.Context(), r.ownerID())
	if err != nil {
		return err
	}
	cohosted, err := s.sessions.Cohosted(r.Context(), r.ownerID())
	if err != nil {
		return err
	}
	asked := r.URL.Query()
	by := picked{Words: asked.Get("q"), Tag: asked.Get("tag"), Order: quiz.Sort(asked.Get("sort"))}
	data := dashboardData{User: r.user, Operator: s.isOperator(r.user), Written: len(quizzes), Tags: quiz.TagsOf(quizzes), Picked: by, Cohosted: cohosted,
		Quizzes: quiz.Pick(quizzes, by.Words, by.Tag, by.Order)}
	for _, summary := range sessions {
		switch {
		case summary.Phase == session.Finished && len(data.Finished) < finishedShown:
			data.Finished = append(data.Finished, summary)
		case summary.Phase != session.Finished:
			data.Live = append(data.Live, summary)
		}
	}
	return s.render(w, r, status, "host.html", page{Title: words.T("Your quizzes"), Form: f, Data: data})
}
