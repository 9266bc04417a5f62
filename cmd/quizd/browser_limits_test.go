package main

import (
	"net/http"
	"net/url"
	"testing"

	"pubquiz/internal/browsertest"
)

// TestRefusedPageComesBackByItselfInBrowser: whoever a limit refuses is told how long it takes, and need not do anything.
func TestRefusedPageComesBackByItselfInBrowser(t *testing.T) {
	needsLimits(t)
	t.Parallel()
	_, base := startWith(t, environment{"LIMITS": "playerPageLoad=1/20s auth=1/20s"})
	visitor := browsertest.Start(t).Person("a visitor", browsertest.Phone)
	visitor.Tolerate("status of 429", "status of 422")
	visitor.Open(base)
	visitor.See("h1", "Join the quiz")
	visitor.Open(base)
	visitor.See("h1", "A moment, please")
	visitor.See("main", "to go")
	show(visitor, "limited")
	visitor.See("h1", "Join the quiz")

	// A form comes back with what was typed into it.
	visitor.Open(base + "/signin")
	visitor.Fill("E-mail address", "crown@example.org")
	visitor.Fill("Password", "not the one")
	exhaust(t, func() (*http.Response, error) {
		return http.PostForm(base+"/signin", url.Values{"email": {"crown@example.org"}, "password": {"not the one"}})
	})
	visitor.Click("Sign in")
	visitor.See("main", "too many attempts")
	visitor.See("h1", "Sign in")
	if typed := visitor.Value("E-mail address"); typed != "crown@example.org" {
		t.Errorf("the form comes back with the address %q", typed)
	}
}

// TestOperatorsPageInBrowser is the operator's look at an evening's limits.
func TestOperatorsPageInBrowser(t *testing.T) {
	needsLimits(t)
	t.Parallel()
	s, base := startWith(t, environment{"OPERATORS": demoEmail, "LIMITS": "pricing=shadow playerPageLoad=1/10m"})
	w, err := s.welcome(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	get(t, base+"/")
	operator := browsertest.Start(t).Person("the operator", browsertest.Laptop)
	operator.Tolerate("status of 429")
	operator.Open(base)
	operator.See("h1", "A moment, please")
	operator.Open(base + w.link)
	operator.Click("Sign in")
	operator.Click("For the operator")
	operator.See("h1", "Limits")
	operator.See(".ledger", "1 in 10 minutes for each address")
	operator.See("main", "127.0.0.1/32")
	operator.See("main", "1 of 1")
	operator.Resize(browsertest.Laptop.Width, 1400) // all of it
	show(operator, "operator")
	operator.Resize(browsertest.Phone.Width, browsertest.Phone.Height)
	show(operator, "operator-narrow")
}
