package main

import (
	"fmt"
	"math"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
	"pubquiz/session"
)

// watch notes what a page goes through: everything that moved by itself, when its field had the focus, how long a tap took to show, and when a question came up.
const watch = `
	window.seen = { moved: [], there: 0, usable: 0, taps: [] };
	new PerformanceObserver((list) => seen.moved.push(...list.getEntries().map(({ value, sources }) =>
		value + " " + sources.map(({ node }) => node?.outerHTML?.slice(0, 80)).join()))).observe({ type: "layout-shift", buffered: true });
	new PerformanceObserver((list) => seen.taps.push(...list.getEntries().filter(({ interactionId }) => interactionId).map(({ duration }) => duration)))
		.observe({ type: "event", durationThreshold: 16, buffered: true });
	new MutationObserver(() => { if (document.getElementById("name")) seen.there ||= performance.now(); }).observe(document, { subtree: true, childList: true });
	addEventListener("focusin", ({ target }) => { if (target.id === "name") seen.usable ||= performance.now(); });`

// TestFirstVisitInBrowser measures what a cheap phone goes through from the scan to the name field, and holds what does not depend on this machine: three requests,
// 45 kB, and nothing that moves by itself.
func TestFirstVisitInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.begin(quiz.Sample())
	phone := e.browser.Person("the phone", browsertest.Phone)
	phone.Before(watch)
	phone.SlowDown()
	phone.Open(e.joinURL())
	phone.Fill("Your name", "The Night Owls")
	var visit struct {
		Usable      float64
		Before      []string // what was asked for before the field was there
		Weight      int
		Moved       []string
		Installable bool
	}
	phone.Ask(`document.fonts.ready.then(() => {
		const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
		return {
			usable: seen.usable,
			before: loaded.filter(({ startTime }) => startTime < seen.there).map(({ name }) => name),
			weight: loaded.reduce((sum, { transferSize }) => sum + transferSize, 0),
			moved: seen.moved,
			installable: document.querySelector("link[rel=manifest]") !== null,
		};
	})`, &visit)
	t.Logf("usable after %.0f ms, %d bytes, before that %d requests: %v", visit.Usable, visit.Weight, len(visit.Before), visit.Before)
	if len(visit.Before) > 3 {
		t.Errorf("%d requests before it is usable, want three: %v", len(visit.Before), visit.Before)
	}
	if visit.Weight > 45_000 {
		t.Errorf("the first visit weighs %d bytes, want at most 45,000", visit.Weight)
	}
	if len(visit.Moved) > 0 {
		t.Errorf("moved by itself: %v", visit.Moved)
	}
	if visit.Installable {
		t.Error("a browser could offer to install the page, in the middle of a quiz")
	}
}

// TestScriptThatDoesNotComeInBrowser: a page without its script is not an empty one.
func TestScriptThatDoesNotComeInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.begin(quiz.Sample())
	phone := e.browser.Person("the phone", browsertest.Phone)
	phone.Lose("/static/*.js")
	phone.Open(e.joinURL())
	phone.See("p", "This page is taking its time")
	phone.Picture("phone-overdue")
	phone.MustFit()
	phone.Lose()
	phone.Click("Try again")
	phone.See("h1", quiz.Sample().Title)
	phone.Fill("Your name", "The Night Owls")
}

// TestPhoneStaysSmallInBrowser plays sixty questions, each of which a phone answers: it holds on to nothing of those that are over.
func TestPhoneStaysSmallInBrowser(t *testing.T) {
	t.Parallel()
	const rounds, each = 6, 10
	content := quiz.Content{Title: "A long evening"}
	for r := range rounds {
		round := quiz.Round{Title: fmt.Sprintf("Round %d", r+1)}
		for q := range each {
			round.Questions = append(round.Questions, quiz.Question{Kind: quiz.Single, Text: fmt.Sprintf("Question %d of round %d?", q+1, r+1),
				Options: []string{"This", "That", "Neither"}, Correct: []int{1}, Points: 2, Seconds: 300})
		}
		content.Rounds = append(content.Rounds, round)
	}
	s, base := startWith(t, environment{"LIMITS": "submitAnswer=1000/1m"})
	e := &evening{t: t, server: s, base: base, browser: browsertest.Start(t)}
	host := e.open(content)
	phone := e.browser.Person("the phone", browsertest.Phone)
	phone.Before(watch)
	e.join(phone, "The Night Owls")
	var early browsertest.Memory
	for r := range rounds {
		e.orders(host, session.Command{Command: session.Next})
		for range each {
			e.orders(host, session.Command{Command: session.Launch})
			phone.See(".answer-line", "One tap locks it in")
			phone.Click("That")
			phone.See(".answer-line", "Locked in")
			e.orders(host, session.Command{Command: session.Close})
			e.orders(host, session.Command{Command: session.Reveal})
			phone.See(".verdict", "Right!")
		}
		if r == 0 {
			early = phone.Memory()
		}
	}
	late := phone.Memory()
	t.Logf("after ten questions %+v, after sixty %+v", early, late)
	var taps []float64
	phone.Ask("seen.taps.sort((a, b) => a - b)", &taps)
	if len(taps) > 0 {
		t.Logf("from a tap to the picture that shows it: %v ms, at most %v of %d", taps[len(taps)/2], taps[len(taps)-1], len(taps))
	}
	if late.Nodes > early.Nodes*3/2 || late.Listeners > early.Listeners*3/2 || late.Heap > early.Heap+1<<20 {
		t.Errorf("the page grows from %+v to %+v within fifty questions", early, late)
	}
	var kept int
	if phone.Ask("localStorage.length", &kept); kept > 3 {
		t.Errorf("the phone has put %d things away", kept)
	}
}

// open opens a session that a test drives by itself.
func (e *evening) open(content quiz.Content) session.Viewer {
	e.t.Helper()
	ctx := e.t.Context()
	user, err := e.server.accounts.EnsureUser(ctx, demoEmail, demoName)
	if err != nil {
		e.t.Fatal(err)
	}
	owner := quiz.OwnerID(user)
	id, err := e.server.quizzes.Create(ctx, owner, content)
	if err != nil {
		e.t.Fatal(err)
	}
	public, err := e.server.sessions.Open(ctx, owner, id, content)
	if err != nil {
		e.t.Fatal(err)
	}
	host, err := e.server.sessions.AsHost(ctx, public, owner)
	if err != nil {
		e.t.Fatal(err)
	}
	e.code = e.stand(host).JoinCode
	return host
}

// TestTwoPhonesSeeTheSameInBrowsers opens questions on two phones, each in a browser of its own, one of them on a slow network and with a clock that is a minute and
// a half wrong. Both count down the same time; how far apart they show a question is measured.
func TestTwoPhonesSeeTheSameInBrowsers(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	const questions = 5
	var round quiz.Round
	for q := range questions {
		round.Questions = append(round.Questions, quiz.Question{Kind: quiz.TrueFalse, Text: fmt.Sprintf("Statement %d.", q+1), Correct: []int{0}, Points: 2, Seconds: 300})
	}
	round.Title = "Is it so?"
	host := e.open(quiz.Content{Title: "Tuesday at The Crown", Rounds: []quiz.Round{round}})
	network := browsertest.NewNetwork(t)
	network.Worsen(browsertest.Slow4G)
	phones := []*browsertest.Page{
		e.browser.Person("the phone at the bar", browsertest.Phone),
		browsertest.Start(t).PersonOn(network, "the phone in the corner", browsertest.Phone),
	}
	phones[1].Before("const now = Date.now; Date.now = () => now() + 90_000;")
	for i, phone := range phones {
		phone.Before(`window.shown = {};
			new MutationObserver(() => { const h1 = document.querySelector("h1"); if (h1) shown[h1.innerText] ??= performance.timeOrigin + performance.now(); })
				.observe(document, { subtree: true, childList: true, characterData: true });`)
		e.join(phone, []string{"The Regulars", "The Night Owls"}[i])
	}
	e.orders(host, session.Command{Command: session.Next})
	for q := range questions {
		e.orders(host, session.Command{Command: session.Launch})
		heading := fmt.Sprintf("Statement %d.", q+1)
		var at, left [2]float64
		for i, phone := range phones {
			phone.See("h1", heading)
			phone.Ask(fmt.Sprintf("shown[%q]", heading), &at[i])
			phone.Ask(`parseFloat(document.querySelector(".countdown").innerText)`, &left[i])
		}
		t.Logf("%s comes up %.0f ms later in the corner; %v s are left", heading, at[1]-at[0], left)
		if math.Abs(left[0]-left[1]) > 45 {
			t.Errorf("one phone counts down %v s, the other %v s", left[0], left[1])
		}
		e.orders(host, session.Command{Command: session.Close})
		e.orders(host, session.Command{Command: session.Reveal})
	}
}
