package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// TestNamesAreTextInBrowsers lets in whoever has a name that was trouble elsewhere. It is shown as it was typed, everywhere.
func TestNamesAreTextInBrowsers(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.begin(quiz.Sample())
	names := []string{`<b>x</b>`, `O'Neill & "Söhne"`, `👨‍👩‍👧‍👦 Night`, `مرحبا 123`, `<img src=x onerror=1>`}
	e.othersJoin(names[1:]...)
	phone := e.browser.Person("the phone", browsertest.Phone)
	phone.Open(e.joinURL())
	phone.Fill("Your name", names[0])
	phone.Click("Join")
	phone.See("h1", names[0])
	for _, name := range names {
		e.tv.See(".names li", name)
		e.host.See(".player .who", name)
	}
	show(e.tv, "tv-names")
	show(e.host, "console-names")

	// Somebody else has the name already, in other letters.
	second := e.browser.Person("a second phone", browsertest.Phone)
	second.Tolerate("status of 409", "status of 403")
	second.Open(e.joinURL())
	second.Fill("Your name", `o'neill & "söhne"`)
	second.Click("Join")
	second.See(".field-problem", "Somebody here is called that already")
	show(second, "phone-name-taken")
	second.Click("Use")
	second.See("h1", `o'neill & "söhne" 2`)

	e.host.Click(names[0])
	e.host.Click("Rename")
	e.host.Fill("New name for", `<i>y</i>`)
	show(e.host, "console-renaming")
	e.host.Press("\r")
	phone.See("h1", `<i>y</i>`)
	e.tv.See(".names li", `<i>y</i>`)

	e.host.Click(`o'neill & "söhne" 2`)
	e.host.Click("Remove")
	e.host.See(".choices", "The phone is told")
	show(e.host, "console-removing")
	e.host.Click("Remove")
	second.See("h1", "You’re out of this quiz")
	show(second, "phone-removed")
	e.tv.Miss(".names li", `"söhne" 2`)

	e.host.PressUntil("l", ".room", "The doors are locked")
	e.tv.See(".doors", "The doors are closed")
	show(e.tv, "tv-doors-locked")
	show(e.host, "console-doors-locked")
	late := e.browser.Person("a latecomer", browsertest.Phone)
	late.Tolerate("status of 409")
	late.Open(e.joinURL())
	late.Fill("Your name", "Too Late")
	late.Click("Join")
	late.See(".notice", "The host has closed the doors")
	show(late, "phone-doors-locked")

	for _, p := range []*browsertest.Page{e.host, e.tv, phone} {
		var made int
		if p.Ask(`document.querySelectorAll("b, i, img:not(.qr)").length`, &made); made > 0 {
			t.Errorf("names became %d elements of a page", made)
		}
	}
}

// TestSeenElsewhereLongTextInBrowsers plays what is as long as it may be, on every screen and a small projector.
func TestSeenElsewhereLongTextInBrowsers(t *testing.T) {
	t.Parallel()
	longest := func(n int) string { return prose(n) }
	options := []string{prose(75), "B " + prose(73), "C " + prose(73), "D " + prose(73)}
	extremes := []string{"A " + prose(148), "B " + strings.Repeat("Wort", 37), "C " + prose(148), "D " + prose(148), "E " + prose(148), "F " + prose(148)}
	content := quiz.Content{Title: longest(quiz.MaxTitle), Rounds: []quiz.Round{{
		Title: longest(quiz.MaxTitle), Introduction: longest(quiz.MaxIntroduction),
		Questions: []quiz.Question{
			{Kind: quiz.Single, Text: longest(150), Options: options, Correct: []int{2}, Seconds: 600, Points: 2, Notes: longest(quiz.MaxNotes)},
			{Kind: quiz.Single, Text: longest(quiz.MaxQuestionText), Options: extremes, Correct: []int{1}, Seconds: 600, Points: 200},
			{Kind: quiz.Ordering, Text: longest(150), Options: numbered(extremes), Seconds: 600, Points: 2},
			{Kind: quiz.Text, Text: longest(quiz.MaxQuestionText), Accepted: []string{longest(quiz.MaxAnswerText)}, Seconds: 600, Points: 1},
		},
	}}}
	e := newEvening(t)
	e.begin(content)
	phone := e.browser.Person("the phone", browsertest.Phone)
	phone.Open(e.joinURL())
	phone.Fill("Your name", strings.Repeat("W", 24))
	show(phone, "phone-long-join")
	phone.Click("Join")
	phone.See(".badge", "You’re in")
	e.othersJoin(crowd(99)...)
	e.tv.See(".crowd", "100 players are in")
	e.host.See(".players", "All 100")
	everywhere := func(name string) {
		t.Helper()
		fits(phone, "phone-long-"+name)
		show(e.host, "console-long-"+name)
		onEverySize(e.tv, func(size string) { fits(e.tv, size+"-long-"+name) })
	}
	everywhere("lobby")
	e.step("Round introduction")
	phone.See(".scene.round", "Round 1 of 1")
	everywhere("round")
	e.step("Question open")
	phone.See(".answer-line", "One tap locks it in")
	e.tv.See(".stage-foot", "answered")
	everywhere("open")
	legible(t, e.tv, 1)
	// By the page's own means: the browser forgets its text's size (EnlargeText) when a picture needs other colours or more than the window.
	phone.Await("text twice as large", `document.documentElement.style.fontSize = "200%"`, nil)
	show(phone, "phone-long-enlarged")
	phone.Await("text as it was", `document.documentElement.style.fontSize = "", true`, nil)
	phone.Click(options[0])
	phone.See(".answer-line", "Locked in")
	e.step("Question closed")
	e.step("Answer revealed")
	phone.See(".verdict", "Not this time")
	e.tv.See(".option[data-verdict=right]", options[2])
	everywhere("revealed")
	legible(t, e.tv, 1)

	e.step("Question open")
	phone.See(".answer-line", "One tap locks it in")
	e.tv.See(".question", content.Rounds[0].Questions[1].Text)
	everywhere("extreme")
	legible(t, e.tv, 0.5)            // six options of 150 characters below a question of 300 do not fit otherwise
	e.othersAnswer("1.2", choice(1)) // a short name for the second step
	phone.Click(extremes[1])
	phone.See(".answer-line", "Locked in")
	e.step("Question closed")
	e.step("Answer revealed")
	phone.See(".verdict", "100 points for you")
	e.step("Question open")
	phone.See(".order-tools", "Tap them in order")
	everywhere("ordering")
	e.step("Question closed")
	e.step("Answer revealed")
	e.tv.See(".in-order", "1 ")
	everywhere("ordered")
	e.step("Question open")
	e.tv.See(".how-to", "Type your answer")
	typed := content.Rounds[0].Questions[3].Accepted[0]
	phone.Fill("Your answer", typed)
	everywhere("typed")
	phone.Click("Send answer")
	phone.See(".answer-line", "Locked in")
	e.step("Question closed")
	e.step("Answer revealed")
	e.tv.See(".typed", typed)
	phone.See(".verdict", "Right")
	everywhere("typed-revealed")
	e.host.PressUntil("s", ".state", "Standings")
	phone.See("h1", "You’re 1st")
	everywhere("standings")
	e.host.PressUntil(" ", "[role=alertdialog]", "Finish the evening?")
	e.host.PressUntil("y", ".state", "Finished")
	phone.See("h1", "You won!")
	e.tv.See(".podium", strings.Repeat("W", 24))
	everywhere("finished")
	onEverySize(e.tv, func(size string) {
		var names []float64
		e.tv.Await("the podium to be fitted", `rest().then(() => [...document.querySelectorAll(".winners")].map((box) => parseFloat(getComputedStyle(box.querySelector("li")).fontSize)))`, &names)
		if !slices.IsSortedFunc(names, func(a, b float64) int { return cmp.Compare(b, a) }) {
			t.Errorf("on %s the names are %v px high, from the first step to the last: a lower one is larger", size, names)
		}
	})
}

// numbered are the texts, each as long as before, told apart by a number at the front.
func numbered(texts []string) []string {
	var all []string
	for i, text := range texts {
		all = append(all, fmt.Sprintf("%d %s", i+1, text[2:]))
	}
	return all
}

// onEverySize looks at a big screen as a television, a large one and a projector show it.
func onEverySize(tv *browsertest.Page, look func(size string)) {
	for size, device := range map[string]browsertest.Device{"projector": browsertest.Projector, "fullhd": browsertest.FullHD, "tv": browsertest.Television} {
		tv.Resize(device.Width, device.Height)
		look(size)
	}
	tv.Resize(browsertest.Television.Width, browsertest.Television.Height)
}

// legible asks that a question and its options can be read at ten metres on every size, or from part of that.
func legible(t *testing.T, tv *browsertest.Page, part float64) {
	t.Helper()
	onEverySize(tv, func(size string) {
		var sizes struct{ Question, Option float64 }
		tv.Await("the type to be fitted", `rest().then(() => {
			const size = (selector) => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize) / innerHeight;
			return { question: size(".question"), option: size(".option-text") };
		})`, &sizes)
		if sizes.Question < part/16-0.0005 || sizes.Option < part/22-0.0005 {
			t.Errorf("on %s the question is 1/%.1f and an option 1/%.1f of the screen's height, want at least %g/16 and %g/22", size, 1/sizes.Question, 1/sizes.Option, part, part)
		}
	})
}

// prose is n characters of a sentence that goes on and on.
func prose(n int) string {
	sentence := strings.Repeat("How many of the seven wonders of the ancient world were still standing when the lighthouse fell? ", 6)
	return strings.TrimSpace(sentence[:n-1]) + "."
}

// crowd is n names, short and long, of several scripts.
func crowd(n int) []string {
	kinds := []string{"Table %d", "The Quizzard of Oz %d", "Königinnen %d", "Команда %d", "クイズ %d", "We Thought This Was %d"}
	names := slices.Collect(func(yield func(string) bool) {
		for i := range n {
			if !yield(fmt.Sprintf(kinds[i%len(kinds)], i+1)) {
				return
			}
		}
	})
	return names
}
