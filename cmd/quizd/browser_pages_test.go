package main

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

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
		adapts(visitor, page.name)
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
	phone.Listen()
	phone.Open(e.joinURL())
	phone.MustBeAt("Your name")
	phone.MustAdapt()
	phone.MustReflow()
	phone.Fill("Your name", "Keyboard Cats")
	phone.MustShowFocus()
	phone.Click("Join")
	phone.MustBeAt("Keyboard Cats")
	e.step("Round introduction")
	first := quiz.Sample().Rounds[0]
	phone.MustBeAt(first.Title)
	e.step("Question open")
	phone.MustBeAt(first.Questions[0].Text)
	phone.MustTell("One tap locks it in. Worth 1 point.")
	right := first.Questions[0].Options[2]
	phone.Click(right)
	phone.MustTell("Locked in")
	e.host.PressUntil("w", ".who:focus", "Keyboard Cats")
	e.host.Press(" ")
	e.host.See(".choices", "Rename")
	e.host.Press(kb.Escape)
	e.host.MustBeAt("Players")
	e.host.PressUntil("w", ".who:focus", "Keyboard Cats")
	e.host.Press("r")
	e.host.MustBeAt("New name for Keyboard Cats")
	e.host.Press(kb.Escape)
	e.host.MustBeAt("Players") // so that the space bar is the next step
	e.step("Question closed")
	phone.MustTell("Locked in. Let’s see who’s right…")
	e.step("Answer revealed")
	phone.MustTell("Right! 1 point for you")
	phone.MustBeAt(right) // where the reader was: nothing moves away from under them
	phone.MustAdapt()
	phone.MustReflow()
	phone.ForceColours(true)
	phone.MustShowFocus()
	phone.ForceColours(false)
	e.tv.See(".option[data-verdict=right]", "")
	e.tv.MustAdapt()
	e.host.MustAdapt()
	e.host.MustReflow()
	e.host.PressUntil("f", "[role=alertdialog]", "End the evening early?")
	e.host.MustBeAt("Go on playing")
	e.host.Press(kb.Escape)
	e.host.MustBeAt("Space")
	e.host.PressUntil("?", ".key-map", "The evening")
	e.host.Click("Act on single keys") // not for who dictates
	e.host.Press(kb.Escape)
	e.host.Miss(".key-map", "")
	e.host.Press("f")
	e.host.Click("Keys")
	e.host.See(".key-map", "The evening")
	e.host.Miss("[role=alertdialog]", "")
	e.host.Click("Act on single keys")
	e.host.Press(kb.Escape)

	e.host.Click("Your quizzes")
	e.host.See("h1", "Your quizzes")
	adapts(e.host, "dashboard-live")
	e.host.MustShowFocus()
	e.host.Click(quiz.Sample().Title)
	e.host.See("h2", "Question 1")
	e.host.MustShowFocus()
	e.host.MustAdapt()
	e.host.MustReflow()
}
