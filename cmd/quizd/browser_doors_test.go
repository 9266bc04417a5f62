package main

import (
	"fmt"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// TestDoorsInBrowsers has strangers in the room: the host makes them leave in one go and lets in, by codes, whom they know.
func TestDoorsInBrowsers(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.begin(quiz.Sample())
	names := []string{"The Regulars", "Table 7"}
	for i := range 12 {
		names = append(names, fmt.Sprintf("stranger %d", i))
	}
	e.othersJoin(names...)

	e.host.Tolerate("status of 422")
	// The room is full: the host is told, and makes room by the keyboard.
	e.host.See(".places", "14 of 100 places taken")
	e.host.PressUntil("c", ".places", "Keep")
	e.host.Fill("Places", "14")
	e.host.Press("\r")
	e.host.See(".places", "14 of 14 places, full")
	show(e.host, "console-full")
	owls := e.browser.Person("the owls' phone", browsertest.Phone)
	owls.Tolerate("status of 409", "status of 401", "status of 404")
	owls.Open(e.joinURL())
	owls.Fill("Your name", "The Night Owls")
	owls.Click("Join")
	owls.See(".notice", "Every place in this quiz is taken")
	show(owls, "phone-full")
	e.host.PressUntil("c", ".places", "Keep")
	e.host.Fill("Places", "0")
	e.host.Press("\r")
	e.host.See(".places", "A session has between 1 and 2,000 places")
	e.host.Fill("Places", "50")
	e.host.Press("\r")
	e.host.See(".places", "14 of 50 places taken")

	// The first stranger and everybody who came after are shut out.
	e.host.PressUntil("x", ".choosing", "Tick whom to remove")
	e.host.Click("stranger 0")
	e.host.Click("Joined after stranger 0")
	e.host.See(".choosing", "Lock the doors and remove 12")
	show(e.host, "console-choosing")
	e.host.Click("Lock the doors and remove 12")
	e.host.See(".choosing", "Everybody else plays on")
	show(e.host, "console-shutting-out")
	e.host.Click("Remove 12")
	e.host.See(".room", "The doors are locked")
	e.host.See(".places", "2 of 50 places taken")
	e.tv.Miss(".names", "stranger")

	// The owls are known, and come in by a code for one phone.
	owls.Click("Try again")
	owls.See(".notice", "The host has closed the doors")
	e.host.PressUntil("i", ".let-in", "For one phone")
	show(e.host, "console-letting-in")
	owls.Fill("Code from the host", e.host.Read(".let-in .code"))
	e.host.Press("\x1b")
	owls.Click("Go on")
	if got := owls.Value("Your name"); got != "The Night Owls" {
		t.Errorf("the name that was typed is now %q", got)
	}
	owls.Click("Join")
	owls.See("h1", "The Night Owls")

	// Their battery is low, and they go on with another phone.
	e.host.Click("The Night Owls")
	e.host.PressUntil("t", ".let-in", "The phone used until now stops") // the row grows as the phone comes back, and its buttons move
	code := e.host.Read(".let-in .code")
	show(e.host, "console-moving")
	second := e.browser.Person("the owls' other phone", browsertest.Phone)
	second.Open(e.base)
	second.Fill("Code on the big screen", code)
	second.Click("Go on")
	second.See("h1", quiz.Sample().Title)
	show(second, "phone-moving")
	second.Click("Continue as The Night Owls")
	second.See("h1", "The Night Owls")
	owls.See("h1", "You went on with another phone")
	show(owls, "phone-moved")
	owls.Click("Join with a code")
	owls.Fill("Code on the big screen", code)
	owls.Click("Go on")
	owls.Click("Continue as The Night Owls")
	owls.See(".field-problem", "This code has been used or has run out")
	show(owls, "phone-code-used")
}
