package main

import (
	"fmt"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// TestLongAndMirroredWordsInBrowser looks at the host's console and editor, a phone and the television in the pseudo-language, whose words are longer than most, and in
// Arabic, which runs from right to left: all of it is still in one view.
func TestLongAndMirroredWordsInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.begin(quiz.Showcase())
	phone := e.browser.Person("the phone", browsertest.Phone)
	e.join(phone, "The Night Owls")
	names := crowd(39)
	e.othersJoin(names...)
	for _, phase := range []string{"lobby", "round", "open"} {
		if phase != "lobby" {
			e.host.PressUntil(" ", fmt.Sprintf(".desk[data-phase=%q]", phase), "")
		}
		for code, direction := range map[string]string{words.Pseudo.Code: "ltr", "ar": "rtl"} {
			inLanguage(e.host, code, direction)
			e.host.See(".player", names[38])
			fits(e.host, "console-"+phase+"-"+code)
		}
		if phase == "round" {
			continue
		}
		onPhone, onTelevision := "The Night Owls", e.code
		if phase == "open" {
			onPhone, onTelevision = "fruits to a botanist", "fruits to a botanist"
		}
		for code, direction := range map[string]string{words.Pseudo.Code: "ltr", "ar": "rtl", "de": "ltr"} {
			inLanguage(phone, code, direction)
			phone.See("h1", onPhone)
			fits(phone, "phone-"+phase+"-"+code)
			if code != "de" {
				inLanguage(e.tv, code, direction)
				e.tv.See(".stage", onTelevision)
				fits(e.tv, "tv-"+phase+"-"+code)
			}
		}
	}
	e.host.Open(e.base + "/host")
	e.host.Click(quiz.Showcase().Title)
	for code, direction := range map[string]string{words.Pseudo.Code: "ltr", "ar": "rtl"} {
		inLanguage(e.host, code, direction)
		e.host.See(".outline", quiz.Showcase().Rounds[0].Title)
		fits(e.host, "console-editor-"+code) // which is in one view, too
	}
}

// settledWorker asks whether the page's service worker, if it has one, is of the page's version. Nobody changes languages so quickly that one is still replacing
// another, from which a browser under load loses files.
const settledWorker = `navigator.serviceWorker.getRegistration().then(async (registration) => {
	await registration?.update();
	return !registration || (!registration.installing && !registration.waiting && registration.active?.state === "activated");
})`

// inLanguage loads the page anew in a language that runs in a direction, as after it was chosen.
func inLanguage(p *browsertest.Page, code, direction string) {
	p.Await("the page's worker", settledWorker, nil)
	p.Await("the choice to be kept", fmt.Sprintf(`fetch("/language", { method: "POST", body: new URLSearchParams({ language: %q }) }).then((answer) => answer.ok)`, code), nil)
	p.Reload()
	p.Await("the language "+code, fmt.Sprintf(`document.documentElement.lang === %q && document.documentElement.dir === %q`, code, direction), nil)
}
