package main

import (
	"fmt"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// TestFullInBrowsers has a room that is larger than its host's plan, and a host who opens one session more than that plan allows.
func TestFullInBrowsers(t *testing.T) {
	t.Parallel()
	s := startSelling(t)
	e := &evening{t: t, server: s.server, base: s.base, browser: browsertest.Start(t)}
	e.begin(quiz.Sample())
	var names []string
	for i := range 29 {
		names = append(names, fmt.Sprintf("Table %d", i+1))
	}
	e.othersJoin(names...)
	e.host.See(".places", "29 of 30 places taken")
	e.host.Miss(".places", "plan")
	e.othersJoin("The last ones in")
	e.host.See(".places", "30 of 30 places, full")
	e.host.See(".places", "Whoever comes now is turned away")
	e.host.See(".places", "See the plans")
	show(e.host, "console-full-plan")

	owls := e.browser.Person("the owls' phone", browsertest.Phone)
	owls.Tolerate("status of 409")
	owls.Open(e.joinURL())
	owls.Fill("Your name", "The Night Owls")
	owls.Click("Join")
	owls.See("main", "Every place in this quiz is taken")
	show(owls, "phone-full-plan")

	// The host asks for more all the same, and is told why not.
	e.host.Tolerate("status of 422", "status of 409")
	e.host.PressUntil("c", ".places", "Keep")
	e.host.Fill("Places", "50")
	e.host.Press("\r")
	e.host.See(".places", "Your plan, Free, includes up to 30 places")
	show(e.host, "console-full-refused")
	e.host.Press("\x1b")

	// Somebody leaves, and the owls come in without typing anything again.
	e.host.Click("Table 7")
	e.host.Click("Remove")
	e.host.Click("Remove")
	e.host.See(".places", "29 of 30 places taken")
	owls.Click("Try again")
	owls.See("h1", "The Night Owls")

	e.host.Click("Your quizzes")
	e.host.Click("Open a session")
	e.host.See("h1", "A session is open already")
	show(e.host, "open-already")
	e.host.Click("End it and open the new one")
	e.host.See(".list", "For everybody in it the quiz is over then")
	show(e.host, "open-already-sure")
	e.host.Resize(browsertest.Phone.Width, browsertest.Phone.Height)
	show(e.host, "phone-open-already")
	e.host.Resize(browsertest.Laptop.Width, browsertest.Laptop.Height)
	e.host.Click("End it now")
	e.host.See(".state", "Lobby")
	e.host.See(".places", "0 of 30 places taken")
	e.tv.See(".podium", "Table 1")
}
