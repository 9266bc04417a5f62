package main

import (
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// TestPagesInBrowsers looks at the pages around the evening, and goes through all kinds of them by the keyboard alone.
func TestPagesInBrowsers(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	visitor := e.browser.Person("a visitor", browsertest.Laptop)
	visitor.Tolerate("status of 404", "status of 422")
	for _, page := range []struct{ name, path, heading string }{
		{"home", "/", "Join the quiz"},
		{"sign-in", "/host", "Sign in"},
		{"sign-up", "/signup", "Host a quiz"},
		{"too-many-requests", "/too-many-requests", "A moment, please"},
		{"not-found", "/nothing/here", "Nothing here"},
	} {
		visitor.Open(e.base + page.path)
		visitor.See("h1", page.heading)
		show(visitor, page.name)
		visitor.MustShowFocus()
	}
	visitor.Open(e.base + "/signin")
	visitor.Fill("E-mail address", "nobody@example.org")
	visitor.Fill("Password", "not the password")
	visitor.Click("Sign in")
	visitor.See(".form-problem", "password")
	if typed := visitor.Value("E-mail address"); typed != "nobody@example.org" {
		t.Errorf("after a refused sign-in the address is %q", typed)
	}
	show(visitor, "sign-in-refused")

	e.begin(quiz.Sample())
	e.host.MustShowFocus()
	phone := e.browser.Person("a phone", browsertest.Phone)
	phone.Open(e.joinURL())
	phone.Fill("Your name", "Keyboard Cats")
	phone.MustShowFocus()
	phone.Click("Join")
	e.step("Round introduction")
	e.step("Question open")
	phone.See(".answer-line", "One tap locks it in")
	phone.MustShowFocus()

	e.host.Click("Your quizzes")
	e.host.See("h1", "Your quizzes")
	show(e.host, "dashboard-live")
	e.host.MustShowFocus()
	e.host.Click(quiz.Sample().Title)
	e.host.See("h2", "Question 1")
	e.host.MustShowFocus()
}
