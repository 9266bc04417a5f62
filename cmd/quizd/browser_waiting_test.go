package main

import (
	"testing"
	"time"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// waitings notes what on a page says that something takes its time, and how long after its cause, a touch or the page's opening, it was seen first. It looks at every picture.
const waitings = `
	window.waitings = {};
	let since = 0;
	for (const cause of ["pointerdown", "keydown"]) addEventListener(cause, () => (since = performance.now()), true);
	const words = ["Joining…", "Sending…", "Getting the quiz…", "Connecting…", "Opening the console…"];
	const look = () => {
		requestAnimationFrame(look);
		for (const element of document.querySelectorAll("p:not(.answer-line), button, .answer-line > span")) {
			const word = words.find((word) => element.innerText.startsWith(word));
			const seen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
			if (word && seen) waitings[word] ??= Math.round(performance.now() - since);
		}
		const dim = [...document.querySelectorAll(".button[aria-disabled=true]")].some((button) => parseFloat(getComputedStyle(button).opacity) < 1);
		if (dim && document.querySelector(".console, .join-form")) waitings.dimmed ??= Math.round(performance.now() - since);
	};
	look();`

// TestWaitingShowsOnlyWhenItLastsInBrowsers walks through what a phone, a console and the television say while they wait, on a network that answers at once and on one that takes its time. On neither is any of it
// seen within 300 ms; on the second all of it is.
func TestWaitingShowsOnlyWhenItLastsInBrowsers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		quality browsertest.Quality
		all     bool // that there is to be seen
	}{
		"fast": {browsertest.Quality{}, false},
		"slow": {browsertest.Quality{Latency: 400 * time.Millisecond, Asking: 300 * time.Millisecond}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEvening(t)
			e.begin(quiz.Sample())
			network := browsertest.NewNetwork(t)
			network.Worsen(test.quality)
			phone := e.browser.PersonOn(network, "the phone", browsertest.Phone)
			phone.Before(waitings)
			e.join(phone, "The Night Owls")
			seen := func(p *browsertest.Page, want ...string) {
				t.Helper()
				var after map[string]int
				p.Ask("waitings", &after)
				t.Logf("%v", after)
				for word, ms := range after {
					if ms < 290 { // a picture may say that it is a little earlier than it is
						t.Errorf("%q is seen after %d ms", word, ms)
					}
				}
				for _, word := range want {
					if _, there := after[word]; test.all && !there {
						t.Errorf("on a slow network %q is never seen", word)
					}
				}
			}
			seen(phone, "Joining…", "dimmed")
			e.step("Round introduction")
			e.step("Question open")
			phone.See("h1", quiz.Sample().Rounds[0].Questions[0].Text)
			phone.Click(quiz.Sample().Rounds[0].Questions[0].Choices()[0])
			phone.See(".answer-line", "Locked in")
			seen(phone, "Sending…")
			phone.Reload()
			phone.See(".answer-line", "Locked in")
			seen(phone)
			host := e.browser.PersonOn(network, "the host's other laptop", browsertest.Laptop)
			host.Before(waitings)
			e.signIn(host, demoEmail, demoName)
			host.Click("To the console")
			host.See(".state", "Question open")
			seen(host, "Opening the console…")
			television := e.browser.PersonOn(network, "another television", browsertest.Television)
			television.Before(waitings)
			television.Open(host.Link("Open the big screen"))
			television.See(".question", quiz.Sample().Rounds[0].Questions[0].Text)
			seen(television, "Connecting…")
		})
	}
}
