package main

import (
	"fmt"
	"strings"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
	"pubquiz/session"
)

// evening is everybody who is there: a host with a laptop, the room with its television, phones that are looked at, and some that are only
// heard of.
type evening struct {
	t      *testing.T
	server *server
	base   string

	browser       *browsertest.Browser
	host, tv      *browsertest.Page
	owls, dragons *browsertest.Page // two phones: the one on bad WiFi, and the one whose sockets are blocked
	member        *browsertest.Page // a second phone of the owls, where teams have several
	owlsNetwork   *browsertest.Network
	code          string
	others        []session.Viewer
	answers       int // given by the others
}

func newEvening(t *testing.T) *evening {
	t.Helper()
	s, base := startTest(t)
	return &evening{t: t, server: s, base: base, browser: browsertest.Start(t)}
}

// newPunctualEvening is one on which questions open a lead after their launch, as they do outside of tests.
func newPunctualEvening(t *testing.T) *evening {
	t.Helper()
	s, base := startConfigured(t, nil, func(c *config) { c.lead = lead })
	return &evening{t: t, server: s, base: base, browser: browsertest.Start(t)}
}

// begin opens a session of a quiz that is already written, with its console and its television.
func (e *evening) begin(content quiz.Content) {
	e.t.Helper()
	ctx := e.t.Context()
	host, err := e.server.accounts.EnsureUser(ctx, demoEmail, demoName)
	if err != nil {
		e.t.Fatal(err)
	}
	if _, err := e.server.quizzes.Create(ctx, quiz.OwnerID(host), content); err != nil {
		e.t.Fatal(err)
	}
	w, err := e.server.welcome(ctx)
	if err != nil {
		e.t.Fatal(err)
	}
	e.code = w.joinCode
	e.host = e.browser.Person("the host", browsertest.Laptop)
	e.host.Open(e.base + w.link)
	e.host.Click("Sign in")
	e.host.Click("To the console")
	e.host.See(".state", "Lobby")
	e.tv = e.browser.Person("the television", browsertest.Television)
	e.tv.Open(e.host.Link("Open the big screen"))
	e.tv.See(".way-in", e.code)
}

func (e *evening) joinURL() string { return e.base + "/j/" + e.code }

// step lets the host take the next obvious step with the space bar.
func (e *evening) step(phase string) {
	e.t.Helper()
	e.host.PressUntil(" ", ".state", phase)
}

func (e *evening) othersJoin(names ...string) {
	e.t.Helper()
	for _, name := range names {
		joined, err := e.server.sessions.Join(e.t.Context(), e.code, name, fmt.Sprintf("attempt-of-another-table-%d", len(e.others)))
		if err != nil {
			e.t.Fatal(err)
		}
		viewer, err := e.server.sessions.AsParticipant(e.t.Context(), joined.Session, joined.Seat)
		if err != nil {
			e.t.Fatal(err)
		}
		e.others = append(e.others, viewer)
	}
}

// othersAnswer gives the answers of the tables that are not looked at, one each; a table beyond the last answer says nothing.
func (e *evening) othersAnswer(question string, answers ...quiz.Given) {
	e.t.Helper()
	for i, given := range answers {
		e.answers++
		reply, err := e.server.sessions.Answer(e.t.Context(), e.others[i],
			session.Answer{ID: fmt.Sprintf("other-%d", e.answers), Question: question, Given: given})
		if err != nil || reply.Outcome != session.Accepted {
			e.t.Fatalf("another table's answer: %v, %v", reply, err)
		}
	}
}

// count counts what is stored about the evening.
func (e *evening) count(from string) (n int) {
	e.t.Helper()
	if err := e.server.pool.QueryRow(e.t.Context(), "SELECT count(*) FROM "+from).Scan(&n); err != nil {
		e.t.Fatal(err)
	}
	return n
}

func choice(option int) quiz.Given { return quiz.Given{Choices: []int{option}} }

// show keeps a picture of a page, and asks of each what every page owes to people: nothing cut off, and usable by all.
func show(p *browsertest.Page, name string) {
	fits(p, name)
	p.MustBeAccessible()
}

// adapts is show for those, too, who have asked their browser for narrower, larger, plainer or calmer pages. A television's words are as large as its window allows.
func adapts(p *browsertest.Page, name string) {
	show(p, name)
	p.MustAdapt()
	if !strings.HasPrefix(name, "tv-") {
		p.MustReflow()
	}
}

// fits is show without the many rules of accessibility, for pages that have passed them with other words on them.
func fits(p *browsertest.Page, name string) {
	p.Picture(name)
	screen, _, _ := strings.Cut(name, "-")
	holds(p, screen)
}

// holds is fits without a picture: nothing is cut off, and a screen that is seen in one view is not longer than that.
func holds(p *browsertest.Page, screen string) {
	p.MustFit()
	if screen == "console" || screen == "tv" || screen == "fullhd" || screen == "projector" {
		p.MustNotScroll() // all is in one view
	}
}
