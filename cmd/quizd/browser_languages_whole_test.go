package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/session"
)

// TestWholeQuizInLongAndMirroredWordsInBrowser plays everything that a quiz can have in the pseudo-language and in Arabic. In no phase is anything cut off or has to be
// scrolled sideways, on a phone, the host's console or the television.
func TestWholeQuizInLongAndMirroredWordsInBrowser(t *testing.T) {
	t.Parallel()
	for _, code := range []string{words.Pseudo.Code, "ar"} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			language, _ := words.Find(code)
			e := &eveningAbroad{newEvening(t), language}
			host := e.open(e.wholeQuiz())
			e.owls = e.browser.Person("the phone", browsertest.Phone)
			e.join(e.owls, "The Night Owls")
			e.othersJoin(crowd(39)...)
			e.host = e.browser.Person("the host", browsertest.Laptop)
			e.signIn(e.host, demoEmail, demoName)
			e.host.Click("To the console")
			e.tv = e.browser.Person("the television", browsertest.Television)
			e.tv.Open(e.host.Link("Open the big screen"))
			for _, p := range []*browsertest.Page{e.owls, e.tv, e.host} {
				inLanguage(p, code, language.Direction())
			}
			e.play(host)
			e.prepare()
		})
	}
}

// eveningAbroad is one whose screens speak another language than its quiz.
type eveningAbroad struct {
	*evening
	language *words.Language
}

// play takes each next obvious step until the evening is finished.
func (e *eveningAbroad) play(host session.Viewer) {
	e.t.Helper()
	reflowed := map[session.Phase]bool{} // on the console, which is much the same for each kind of question
	for now := e.stand(host); ; now = e.stand(host) {
		text := ""
		if now.Phase == session.Open || now.Phase == session.Closed || now.Phase == session.Revealed {
			text = now.Question.Text
		}
		e.owls.See(fmt.Sprintf(".page[data-phase=%q]", now.Phase), text)
		e.tv.See(fmt.Sprintf(".stage[data-phase=%q]", now.Phase), text)
		e.host.See(fmt.Sprintf(".desk[data-phase=%q] .preview", now.Phase), text)
		e.everywhere()
		if !reflowed[now.Phase] {
			e.host.MustReflow()
			reflowed[now.Phase] = true
		}
		switch {
		case now.Phase == session.Finished:
			return
		case now.Phase == session.Open:
			e.answer(now)
			e.orders(host, session.Command{Command: session.Pause})
			for _, p := range []*browsertest.Page{e.owls, e.tv, e.host} {
				p.See(".paused", "")
			}
			e.everywhere()
		case now.Phase == session.Revealed && now.Question.ID == "1.6":
			e.markAndVoid()
		}
		e.orders(host, session.Command{Command: now.Next})
	}
}

// answer chooses, orders or types, and stakes a point where that is asked for.
func (e *eveningAbroad) answer(now stand) {
	e.t.Helper()
	switch now.Question.Kind {
	case quiz.Text, quiz.NumberKind:
		e.owls.ClickOn(".typed-input")
		e.owls.Type("40")
	case quiz.Ordering:
		for _, option := range now.Question.Options {
			e.owls.Click(option)
		}
	default:
		e.owls.ClickOn(".option")
	}
	if now.Question.Wager {
		e.owls.ClickOn(".stepper .button:last-of-type")
	}
	if now.Question.Kind != quiz.Poll { // which one tap answers
		e.on(e.owls, "phone")
		e.owls.ClickOn(".answering .button-primary")
	}
	e.owls.See(".answer-line[data-state=locked]", "")
}

// markAndVoid opens what lies over the console or beside it, and takes the question out.
func (e *eveningAbroad) markAndVoid() {
	e.t.Helper()
	for _, lies := range []struct{ key, there, back string }{
		{"m", ".marking [role=option]", "m"}, {"h", ".log li", "\x1b"}, {"a", ".paper .line", "\x1b"}, {"q", "[data-of=hosts]", "\x1b"}, {"?", ".key-map", "\x1b"},
	} {
		e.host.PressUntil(lies.key, lies.there, "")
		e.on(e.host, "console")
		e.host.Press(lies.back)
		e.host.Miss(lies.there, "")
	}
	e.host.PressUntil("v", "[role=alertdialog]", "")
	e.on(e.host, "console")
	e.host.PressUntil("y", ".now", e.language.Say(words.T("This question does not count.")))
	e.owls.See(".verdict", e.language.Say(words.T("This question doesn’t count")))
	e.tv.See(".times-up", e.language.Say(words.T("This question doesn’t count")))
	e.everywhere()
}

// prepare is what a host does before another evening: the pub's look, and a quiz of a file.
func (e *eveningAbroad) prepare() {
	e.t.Helper()
	sheet := filepath.Join(e.t.TempDir(), "Odds and ends.csv")
	if err := os.WriteFile(sheet, []byte(oddities), 0o600); err != nil {
		e.t.Fatal(err)
	}
	e.host.Open(e.base + "/host/look")
	e.host.See(".look-preview", "")
	e.on(e.host, "look")
	e.host.Open(e.base + "/host/import")
	e.host.See(".drop-words", "")
	e.on(e.host, "import")
	e.host.Choose("input[type=file]", sheet)
	e.host.See(".found-row[data-status=skipped]", "")
	e.on(e.host, "import")
}

func (e *eveningAbroad) everywhere() {
	e.t.Helper()
	e.on(e.owls, "phone")
	holds(e.host, "console")
	holds(e.tv, "tv")
}

// on looks at one screen as it is, in a narrow window, and with larger text.
func (e *eveningAbroad) on(p *browsertest.Page, screen string) {
	e.t.Helper()
	holds(p, screen)
	p.MustReflow()
}
