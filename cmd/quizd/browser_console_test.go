package main

import (
	"slices"
	"strings"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// TestConsoleIsOneViewInBrowsers walks through every phase with a full room. On a laptop and on a tablet nothing but lists scrolls; on a phone it is one column.
// Meanwhile it notes every key that a button shows: those of the key map are exactly these.
func TestConsoleIsOneViewInBrowsers(t *testing.T) {
	t.Parallel()
	s, base := startWith(t, environment{"LIMITS": "hostAction=1000/1m"})
	e := &evening{t: t, server: s, base: base, browser: browsertest.Start(t)}
	e.begin(quiz.Showcase())
	names := crowd(40)
	e.othersJoin(names...)
	e.host.See(".player", names[39])
	tablet := e.onTablet()
	keys := map[string]bool{"W": true, "Y": true, "Esc": true, "N": true} // no button: walks; not on the way: answers what is asked, and skips the standings at a round's end
	for _, phase := range []string{"Lobby", "Round introduction", "Question open", "Question closed", "Answer revealed", "Standings"} {
		switch phase {
		case "Lobby":
		case "Standings":
			e.host.PressUntil("s", ".state", phase)
		default:
			e.step(phase)
		}
		e.oneView(tablet, phase, keys)
	}
	e.host.PressUntil("l", ".room", "Let one in")
	e.host.PressUntil("w", ".who:focus", "")
	e.host.Press("\r")
	e.host.See(".choices", "Away: the screen is off")
	e.oneView(tablet, "Doors locked", keys)
	e.host.Press("z")
	e.host.See("h2", "On the phones")
	tablet.Click("See a phone")
	e.oneView(tablet, "Phone", keys)
	e.host.PressUntil("f", "[role=alertdialog]", "End the evening early?")
	e.host.PressUntil("y", ".state", "Finished")
	e.oneView(tablet, "Finished", keys)
	e.host.PressUntil("m", ".marking", "Mark what was typed")
	tablet.Click("Mark")
	e.oneView(tablet, "Marking", keys)
	e.host.PressUntil("?", ".key-map", "The evening")
	var told []string
	e.host.Ask(`[...document.querySelectorAll(".key-map dl .kbd")].map((key) => key.innerText)`, &told)
	for _, key := range told {
		if !keys[key] {
			t.Errorf("the map has %q, which no button shows", key)
		}
	}
	for key := range keys {
		if !slices.Contains(told, key) && key != "↵" {
			t.Errorf("a button shows %q, which the map has not", key)
		}
	}
}

// onTablet opens the host's console on a tablet, too.
func (e *evening) onTablet() *browsertest.Page {
	e.t.Helper()
	tablet := e.browser.Person("the host's tablet", browsertest.Device{Width: 1024, Height: 768, Scale: 1, Touch: true})
	e.signIn(tablet, demoEmail, demoName)
	tablet.Click("To the console")
	tablet.See(".state", "Lobby")
	return tablet
}

// oneView looks at the console on every device, and notes the keys that are shown. A finger finds everything on the tablet.
func (e *evening) oneView(tablet *browsertest.Page, phase string, keys map[string]bool) {
	e.t.Helper()
	var shown []string
	e.host.Ask(`[...document.querySelectorAll(".kbd")].map((key) => key.innerText)`, &shown)
	for _, key := range shown {
		keys[key] = true
	}
	name := strings.ToLower(strings.ReplaceAll(phase, " ", "-"))
	fits(e.host, "console-full-"+name)
	fits(tablet, "tablet-full-"+name)
	tablet.MustNotScroll()
	for _, console := range []*browsertest.Page{e.host, tablet} {
		console.Await("all options of the question in sight", `[...document.querySelectorAll(".now .solution li")].every((e) => e.getBoundingClientRect().bottom <= document.querySelector(".now .scrolls").getBoundingClientRect().bottom)`, nil)
	}
	for _, console := range []*browsertest.Page{e.host, tablet} {
		if phase == "Lobby" {
			console.Await("all that comes next in sight", `(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)(document.querySelector(".next-up .scrolls"))`, nil)
		}
		console.Await("every player on one line", `[...document.querySelectorAll(".player .line")].every((e) => e.offsetHeight <= 48)`, nil)
	}
	var small []string
	tablet.Ask(`[...document.querySelectorAll(".console :is(button, a)")].filter((e) => visible(e) && !e.closest("[inert]") && e.getBoundingClientRect().height < 47.5).map((e) => e.innerText)`, &small)
	if len(small) > 0 {
		e.t.Errorf("%s: too small for a finger: %q", phase, small)
	}
	e.host.Resize(360, 740)
	e.host.Await("the window's size", "innerWidth === 360", nil)
	fits(e.host, "phone-full-"+name)
	e.host.Resize(1280, 720)
}
