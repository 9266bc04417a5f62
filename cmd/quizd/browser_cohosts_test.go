package main

import (
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// TestTwoHostsInBrowsers: a host brings a second one in, who drives, marks and takes notes with them at another laptop until the owner has them leave.
func TestTwoHostsInBrowsers(t *testing.T) {
	t.Parallel()
	s, base := startWith(t, environment{"LIMITS": "hostAction=1000/1m"})
	e := &evening{t: t, server: s, base: base, browser: browsertest.Start(t)}
	e.begin(quiz.Sample())
	e.othersJoin("The Night Owls")

	e.host.PressUntil("q", "[data-of=hosts]", "Host together")
	e.host.Click("Make a link")
	link := e.host.Value("Link for one more host")
	show(e.host, "console-hosts-link")
	ben := e.secondHost("Ben", link)
	e.host.See("[data-of=hosts]", "Ben")
	e.host.Miss("[data-of=hosts]", "Take it back")
	show(e.host, "console-hosts")
	e.host.Press("\x1b")
	e.host.See(".drawers", "2 hosts")

	ben.PressUntil(" ", ".state", "Round introduction")
	e.host.See(".state", "Round introduction")
	e.step("Question open")
	ben.See(".state", "Question open")

	e.notesOfBoth(ben)

	e.host.PressUntil("h", ".log", "The next round was introduced. (Ben)")
	e.host.See(".log", "Question 1.1 was launched. ("+demoName+")")
	show(e.host, "console-log-of-two")
	e.host.Press("\x1b")
	ben.PressUntil("q", "[data-of=hosts]", "whose session it is")
	show(ben, "console-hosts-guest")
	ben.Press("\x1b")

	e.host.PressUntil("q", "[data-of=hosts]", "Ben")
	e.host.Click("Remove Ben")
	e.host.See("[data-of=hosts]", "Their consoles close at once")
	e.host.Click("Remove")
	ben.See("h1", "You no longer host this quiz")
	show(ben, "host-removed")
	ben.Click("Your quizzes")
	ben.See("h1", "Your quizzes")
	ben.Miss("h2", "Hosted with others")
	ben.Tolerate("status of 410")
	ben.Open(link)
	ben.See("h1", "This link no longer works")
	e.host.Press("\x1b")
	e.step("Question closed")
}

// secondHost is another host at a laptop of their own, who has come by the link.
func (e *evening) secondHost(name, link string) *browsertest.Page {
	e.t.Helper()
	p := e.browser.Person(name, browsertest.Laptop)
	p.Open(link)
	p.See("h1", "Sign in") // a stranger is asked who they are first
	e.signIn(p, name+"@quiz.example", name)
	p.Open(link)
	p.See("h1", "Host together")
	show(p, "host-invited")
	p.Click("Host this quiz")
	p.See(".state", "Lobby")
	return p
}

// signIn signs a host in, and leads to their quizzes.
func (e *evening) signIn(p *browsertest.Page, email, name string) {
	e.t.Helper()
	id, err := e.server.accounts.EnsureUser(e.t.Context(), email, name)
	if err != nil {
		e.t.Fatal(err)
	}
	token, err := e.server.accounts.CreateLink(e.t.Context(), id)
	if err != nil {
		e.t.Fatal(err)
	}
	p.Open(e.base + "/signin/link?token=" + token)
	p.Click("Sign in")
	p.See("h1", "Your quizzes")
}

// notesOfBoth: what one writes the other reads, letters that are keys elsewhere do nothing, and what both write at once is kept.
func (e *evening) notesOfBoth(ben *browsertest.Page) {
	e.t.Helper()
	e.host.PressUntil("d", "h2", "Your notes")
	e.host.Fill("Your notes", "Quiz pays late")
	e.host.Press(" f?") // Space, Finish and the keys, were this no field
	e.host.See("#notepad-line", "Saved")
	ben.PressUntil("d", "h2", "Your notes")
	ben.Await("the other's notes", `document.querySelector(".notepad").value === "Quiz pays late f?"`, nil)
	ben.Fill("Your notes", "Quiz pays late f?\nBus at eleven")
	e.host.Await("what Ben added", `document.querySelector(".notepad").value === "Quiz pays late f?\nBus at eleven"`, nil)
	e.host.See(".state", "Question open")
	show(e.host, "console-notes")
	for _, p := range []*browsertest.Page{e.host, ben} { // out of the field, where keys are letters
		p.Press("\x1b")
	}
	e.host.Press("d")
	e.host.See("h2", "What comes next")
	e.tv.Miss("body", "Bus at eleven")
}
