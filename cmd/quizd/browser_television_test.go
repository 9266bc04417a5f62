package main

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// watchFrames counts from now on the frames that a page of 60 frames a second shows, and those that it leaves out.
const watchFrames = `(() => {
	const seen = window.frames60 = { shown: 0, dropped: 0, longest: 0 };
	let last = 0;
	const next = (at) => {
		if (window.frames60 !== seen) return;
		const lasted = at - last;
		if (last > 0) Object.assign(seen, {
			shown: seen.shown + 1, dropped: seen.dropped + Math.max(0, Math.round(lasted * 60 / 1000) - 1), longest: Math.max(seen.longest, lasted),
		});
		last = at;
		requestAnimationFrame(next);
	};
	requestAnimationFrame(next);
	return true;
})()`

// TestTelevisionOfTwoHundredInBrowser fills the lobby with 200 names while the television's processor is four times slower, and plays a question to the
// standings. It tells how many frames were dropped, which depends on the machine; docs/big-screen.md has figures.
func TestTelevisionOfTwoHundredInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.begin(quiz.Content{Title: "Two hundred at The Crown", Rounds: []quiz.Round{{Title: "One", Questions: []quiz.Question{
		{Kind: quiz.Single, Text: "How many are we?", Options: []string{"A hundred", "Two hundred"}, Correct: []int{1}, Seconds: 600, Points: 2},
	}}}})
	if _, err := e.server.pool.Exec(t.Context(), `UPDATE sessions SET capacity = 200`); err != nil {
		t.Fatal(err)
	}
	e.host.Tolerate("status of 503") // on a machine that is busy enough without two hundred; the host presses again
	e.tv.SlowProcessor(4)
	worked := time.Duration(0)
	frames := func(during string) {
		t.Helper()
		var seen struct {
			Shown, Dropped int
			Longest        float64
		}
		e.tv.Ask("window.frames60", &seen)
		t.Logf("%s: %v of work; %d frames shown, %d dropped (%.1f %%), the longest took %.0f ms", during, (e.tv.Worked() - worked).Round(time.Millisecond),
			seen.Shown, seen.Dropped, 100*float64(seen.Dropped)/float64(max(1, seen.Shown+seen.Dropped)), seen.Longest)
	}
	watch := func() {
		t.Helper()
		e.tv.Ask(watchFrames, new(bool))
		worked = e.tv.Worked()
	}

	names := crowd(200)
	watch()
	e.othersJoin(names...)
	e.tv.See(".count", "200 players are in")
	frames("200 names arriving")
	e.tv.SlowProcessor(1)
	inView := func(name string) {
		t.Helper()
		e.tv.Await(name+" in view", fmt.Sprintf(`(() => {
			const box = document.querySelector(".names").getBoundingClientRect();
			const item = [...document.querySelectorAll(".names li:not([data-away])")].find((li) => li.innerText === %q);
			const own = item?.getBoundingClientRect();
			return own && own.top >= box.top - 1 && own.bottom <= box.bottom + 1;
		})()`, name), nil)
	}
	inView(names[199]) // whoever comes sees it
	inView(names[0])   // and later the others, in turns
	onEverySize(e.tv, func(size string) {
		show(e.tv, size+"-lobby-200")
		var least float64
		e.tv.Ask(`Math.min(...[...document.querySelectorAll(".names li")].map((li) => parseFloat(getComputedStyle(li).fontSize))) / innerHeight`, &least)
		if least < 1./36-0.0005 {
			t.Errorf("on %s the names are 1/%.1f of the screen's height, want at least 1/36", size, 1/least)
		}
	})

	e.tv.SlowProcessor(4)
	e.step("Round introduction")
	watch()
	e.step("Question open")
	e.tv.See(".question", "How many are we?")
	e.othersAnswer("1.1", slices.Repeat([]quiz.Given{choice(1), choice(0)}, 100)...)
	e.tv.See(".answered", "200 of 200 answered")
	frames("200 answers to a question")
	watch()
	e.step("Question closed")
	e.step("Answer revealed")
	e.tv.See(".times-up", "100 of 200 got it right")
	frames("the reveal")
	watch()
	e.host.PressUntil("s", ".state", "Standings")
	e.tv.See(".standings li", names[104])
	frames("the standings")
}

// TestTelevisionComesBackInBrowser cuts the television off while the quiz goes on. It says so in a calm line, keeps what it shows, and catches up by itself.
func TestTelevisionComesBackInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.begin(quiz.Sample())
	network := browsertest.NewNetwork(t)
	tv := e.browser.PersonOn(network, "the television on bad WiFi", browsertest.Television)
	tv.Open(e.host.Link("Open the big screen"))
	tv.See(".way-in", e.code)
	network.Break()
	tv.See(".quiet-line", "this screen comes back by itself")
	tv.See(".way-in", e.code)
	show(tv, "tv-cut-off")
	e.step("Round introduction")
	e.step("Question open")
	network.Mend()
	tv.See(".question", quiz.Sample().Rounds[0].Questions[0].Text)
	tv.Miss(".quiet-line", "comes back by itself")

	tv.Miss(".controls", "Full screen") // nobody is at the computer
	tv.MustBeAccessible()
	tv.MustShowFocus()
	tv.See(".controls", "Full screen") // whoever came there by the keyboard
}

// TestTelevisionSoundsInBrowser: silent until somebody at the screen wants to hear something, then remembered, and again silent after a reload until the browser
// has been touched, as browsers demand.
func TestTelevisionSoundsInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.begin(quiz.Content{Title: "Loud", Rounds: []quiz.Round{{Title: "One", Questions: []quiz.Question{
		{Kind: quiz.TrueFalse, Text: "It ticks.", Correct: []int{0}, Seconds: 20, Points: 2},
	}}}})
	const listen = `(() => {
		window.pitches = [];
		const start = OscillatorNode.prototype.start;
		OscillatorNode.prototype.start = function (...when) { window.pitches.push(Math.round(this.frequency.value)); return start.apply(this, when); };
		return true;
	})()`
	e.tv.Ask(listen, new(bool))
	e.step("Round introduction")
	var heard []int
	if e.tv.Ask(`window.pitches`, &heard); len(heard) > 0 {
		t.Errorf("nobody asked for sound, and it plays %v", heard)
	}
	e.tv.Press("s")
	e.tv.Await("a sound that shows how loud it is", `window.pitches.length === 2 && window.pitches.splice(0)`, nil)
	e.step("Question open")
	e.host.See(".state", "Question closed")
	e.tv.See(".times-up", "Time’s up")
	e.tv.Ask(`window.pitches.splice(0)`, &heard)
	// It opens, counts down, and is over. A television that hears of the question late leaves out what it missed.
	whole := []int{523, 784, 880, 880, 880, 880, 880, 392, 330, 262}
	if len(heard) < 4 || len(heard) > len(whole) || !slices.Equal(heard, whole[len(whole)-len(heard):]) {
		t.Errorf("a question sounds like %v, want %v, or the end of that", heard, whole)
	}

	e.tv.Reload()
	e.tv.See(".for-sound", "Press any key here for sound")
	show(e.tv, "tv-for-sound")
	e.tv.Ask(listen, new(bool))
	e.tv.Press("s")
	e.tv.Miss(".for-sound", "")
	e.step("Answer revealed")
	e.tv.Await("the reveal's chord", `window.pitches.length >= 2 + 3`, nil)
	e.tv.Press("s")
	e.host.PressUntil(" ", "[role=alertdialog]", "Finish the evening?")
	e.host.PressUntil("y", ".state", "Finished")
	e.tv.See(".podium", "Thank you for coming")
	if e.tv.Ask(`window.pitches.slice(5)`, &heard); len(heard) > 0 {
		t.Errorf("sound was turned off, and it plays %v", heard)
	}
}
