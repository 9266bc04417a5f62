package main

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
	"pubquiz/session"
)

// watch notes what a page goes through: everything that moved by itself, when its field had the focus, how long a tap took to show, and when a question came up.
const watch = `
	window.seen = { moved: [], there: 0, usable: 0, pressed: [], taps: [] };
	new PerformanceObserver((list) => seen.moved.push(...list.getEntries().map(({ value, sources }) =>
		value + " " + sources.map(({ node }) => node?.outerHTML?.slice(0, 80)).join()))).observe({ type: "layout-shift", buffered: true });
	const tapped = (list, name) => list.getEntries().filter((entry) => entry.name === name).map(({ duration }) => duration);
	new PerformanceObserver((list) => { seen.pressed.push(...tapped(list, "pointerdown")); seen.taps.push(...tapped(list, "click")); })
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
	e.host.Lose("/static/*.js")
	e.host.Reload()
	e.tv.Lose("/static/*.js")
	e.tv.Reload()
	for name, page := range map[string]*browsertest.Page{"phone": phone, "console": e.host, "tv": e.tv} {
		page.See("p", "This page is taking its time")
		page.Picture(name + "-overdue")
		page.MustFit()
		page.Lose()
		page.Click("Try again")
	}
	phone.See("h1", quiz.Sample().Title)
	phone.Fill("Your name", "The Night Owls")
	e.host.See(".state", "Lobby")
	e.host.Miss("p", "This page is taking its time")
	e.tv.See(".way-in", e.code)
	e.tv.Miss("p", "This page is taking its time")
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
	for _, what := range []string{"pressed", "taps"} {
		var took []float64
		phone.Ask("seen."+what+".sort((a, b) => a - b)", &took)
		if len(took) > 0 {
			t.Logf("from the touch (pressed), or its end (taps), to the picture that shows it: %s: half within %v ms, at most %v of %d", what, took[len(took)/2], took[len(took)-1], len(took))
		}
	}
	if late.Nodes > early.Nodes*3/2 || late.Listeners > early.Listeners*3/2 || late.Heap > early.Heap+1<<20 {
		t.Errorf("the page grows from %+v to %+v within fifty questions", early, late)
	}
	var kept int
	if phone.Ask("localStorage.length", &kept); kept > 3 {
		t.Errorf("the phone has put %d things away", kept)
	}
}

// TestPressShowsAtOnceInBrowser: what a finger presses is marked before anything else happens, and no longer when the page scrolls, or what the click changed is drawn.
func TestPressShowsAtOnceInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	host := e.open(quiz.Sample())
	phone := e.browser.Person("the phone", browsertest.Phone)
	e.join(phone, "The Night Owls")
	e.orders(host, session.Command{Command: session.Next})
	e.orders(host, session.Command{Command: session.Launch})
	phone.See(".answer-line", "One tap locks it in")
	var pressed struct{ Before, Down, Cancelled, Clicked string }
	phone.Ask(`(async () => {
		const option = document.querySelector(".option");
		const ground = () => getComputedStyle(option).backgroundColor;
		const touch = (type) => option.dispatchEvent(new PointerEvent(type, { bubbles: true }));
		const before = ground();
		touch("pointerdown");
		const down = ground();
		touch("pointercancel");
		const cancelled = String(option.dataset.pressed);
		touch("pointerdown");
		touch("pointerup");
		option.click();
		await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
		return { before, down, cancelled, clicked: String(option.dataset.pressed) };
	})()`, &pressed)
	if pressed.Before == pressed.Down || pressed.Cancelled != "undefined" || pressed.Clicked != "undefined" {
		t.Errorf("an option's press shows as %+v", pressed)
	}
	phone.See(".answer-line", "Locked in")
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

// TestTwoPhonesSeeTheSameInBrowsers opens questions on two phones, each in a browser of its own. One is on a good network; the other on a slow one, with a
// clock that is a minute and a half wrong. Both see a question when it opens, and count down the same time. How far apart they show
// it is measured: by the picture in which each shows it first.
func TestTwoPhonesSeeTheSameInBrowsers(t *testing.T) {
	t.Parallel()
	e := newPunctualEvening(t)
	const questions = 5
	var round quiz.Round
	for q := range questions {
		round.Questions = append(round.Questions, quiz.Question{Kind: quiz.TrueFalse, Text: fmt.Sprintf("Statement %d.", q+1), Correct: []int{0}, Points: 2, Seconds: 300})
	}
	round.Title = "Is it so?"
	host := e.open(quiz.Content{Title: "Tuesday at The Crown", Rounds: []quiz.Round{round}})
	near, far := browsertest.NewNetwork(t), browsertest.NewNetwork(t)
	near.Worsen(browsertest.Quality{Latency: 10 * time.Millisecond, Asking: 10 * time.Millisecond})
	far.Worsen(browsertest.Quality{Latency: 150 * time.Millisecond, Asking: 150 * time.Millisecond})
	screens := []*browsertest.Page{
		e.browser.PersonOn(near, "the phone at the bar", browsertest.Phone),
		browsertest.Start(t).PersonOn(far, "the phone in the corner", browsertest.Phone),
	}
	screens[1].Before("const now = Date.now; Date.now = () => now() + 90_000;")
	for i, phone := range screens {
		phone.Before(firstShown)
		e.join(phone, []string{"The Regulars", "The Night Owls"}[i])
	}
	e.orders(host, session.Command{Command: session.Next})
	for _, phone := range screens {
		phone.See("h1", round.Title)
	}
	for q := range questions {
		e.orders(host, session.Command{Command: session.Launch})
		opens := float64(e.stand(host).OpensAt)
		heading := fmt.Sprintf("Statement %d.", q+1)
		var at, left [2]float64
		for i, phone := range screens {
			phone.See("h1", heading)
			phone.Await("the picture of it", fmt.Sprintf("shown[%q]", heading), &at[i])
			phone.Ask(`parseFloat(document.querySelector(".countdown").innerText)`, &left[i])
		}
		t.Logf("%s comes up %.0f ms after its opening at the bar, and %.0f ms later in the corner; %v s are left", heading, at[0]-opens, at[1]-at[0], left)
		if math.Abs(left[0]-left[1]) > 45 {
			t.Errorf("one phone counts down %v s, the other %v s", left[0], left[1])
		}
		e.orders(host, session.Command{Command: session.Close})
		e.orders(host, session.Command{Command: session.Reveal})
	}
}

// TestQuestionWaitsForItsMomentInBrowsers: until a question opens, a phone and the television hold what they showed, with the question behind it, out of sight; who comes meanwhile is told to get ready. All of it is over soon,
// and on a busy machine may be missed: then it is looked for at the next question.
func TestQuestionWaitsForItsMomentInBrowsers(t *testing.T) {
	t.Parallel()
	s, base := startConfigured(t, nil, func(c *config) { c.lead = 1500 * time.Millisecond })
	e := &evening{t: t, server: s, base: base, browser: browsertest.Start(t)}
	const questions = 8
	round := quiz.Round{Title: "Is it so?"}
	for q := range questions {
		round.Questions = append(round.Questions, quiz.Question{Kind: quiz.TrueFalse, Text: fmt.Sprintf("Statement %d.", q+1), Correct: []int{0}, Points: 2, Seconds: 300})
	}
	e.begin(quiz.Content{Title: "Tuesday at The Crown", Rounds: []quiz.Round{round}})
	phone, late := e.browser.Person("the phone", browsertest.Phone), e.browser.Person("the phone that comes late", browsertest.Phone)
	for _, p := range []*browsertest.Page{phone, late, e.tv} {
		p.Before(whileWaiting)
	}
	e.tv.Reload()
	e.join(phone, "The Regulars")
	e.join(late, "The Night Owls")
	e.step("Round introduction")
	var held, onTV, ready string
	for q := range questions {
		e.step("Question open")
		late.Reload()
		heading := round.Questions[q].Text
		for _, p := range []*browsertest.Page{phone, late, e.tv} {
			p.See("h1", heading)
		}
		phone.Ask("seen.held ?? ''", &held)
		e.tv.Ask("seen.held ?? ''", &onTV)
		late.Ask("seen.ready ?? ''", &ready)
		t.Logf("the phone has held %q, the television %q; %q was told to come", held, onTV, ready)
		if held != "" && onTV != "" && ready != "" {
			break
		}
		e.step("Question closed")
		e.step("Answer revealed")
	}
	if held == "" || onTV == "" || ready == "" {
		t.Error("no question was waited for")
	}
	var early []string
	for _, p := range []*browsertest.Page{phone, late, e.tv} {
		if p.Ask("seen.both", &early); len(early) > 0 {
			t.Errorf("what was held and what was to come were seen together: %q", early)
		}
	}
}

// whileWaiting notes in every picture what is held, what who comes late is told, and what of a question that waits can be seen, which is nothing.
const whileWaiting = `
	window.seen = { both: [] };
	const visible = (element) => element?.checkVisibility({ visibilityProperty: true });
	const look = () => {
		requestAnimationFrame(look);
		const [held, waiting] = ["held", "waiting"].map((is) => document.querySelector(".staged[data-is=" + is + "] h1"));
		if (visible(waiting)) seen.both.push(waiting.innerText);
		if (visible(held) && waiting) seen.held = held.textContent + " before " + waiting.textContent;
		const ready = document.querySelector(".scene.round > h1, .get-ready");
		if (waiting && !held && visible(ready)) seen.ready = ready.innerText;
	};
	look();`

// firstShown notes for each heading when the first picture was drawn in which it can be seen, in Unix milliseconds of the machine's own clock.
const firstShown = `
	window.shown = {};
	const look = () => requestAnimationFrame(() => {
		for (const h1 of document.querySelectorAll("h1")) {
			if (h1.checkVisibility({ visibilityProperty: true })) shown[h1.innerText] ??= performance.timeOrigin + performance.now();
		}
	});
	new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });`
