package main

import (
	"fmt"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// TestPagesInOtherWordsInBrowser looks at the pages that are forms and lists in the pseudo-language, whose words are longer than most, and in Arabic, on a phone and
// on a laptop: nothing of them is cut off, and a table of results may be scrolled in its frame only.
func TestPagesInOtherWordsInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	_, id := e.played(quiz.Showcase(), crowd(12)...)
	e.begin(quiz.Sample())
	results := "/host/sessions/" + id + "/results"
	stranger := e.browser.Person("a stranger", browsertest.Laptop)
	stranger.Open(e.base)
	for code, direction := range map[string]string{words.Pseudo.Code: "ltr", "ar": "rtl"} {
		inLanguage(e.host, code, direction)
		inLanguage(stranger, code, direction)
		for _, page := range []struct {
			name, path string
			wide       bool // there is something else to see on a laptop
		}{
			{"dashboard", "/host", true}, {"account", "/account", true}, {"ways-in", "/account/security", false}, {"delete-account", "/account/delete", false},
			{"standings", results, true}, {"answers", results + "?view=answers", true}, {"questions", results + "?view=questions", true}, {"log", results + "?view=log", false},
			{"paper", "/host/quizzes/1/print", true}, {"home", "/", false}, {"sign-up", "/signup", false}, {"limited", "/too-many-requests", false},
		} {
			reader := e.host
			if page.path == "/signup" { // from where a host is sent on to the quizzes
				reader = stranger
			}
			reader.Open(e.base + page.path)
			reader.Await("the page itself", fmt.Sprintf("location.pathname + location.search === %q", page.path), nil)
			reader.Resize(browsertest.Phone.Width, 720)
			fits(reader, "phone-"+page.name+"-"+code)
			if page.wide {
				reader.Resize(browsertest.Laptop.Width, 720)
				fits(reader, page.name+"-"+code)
			}
		}
	}
}
