package browsertest

import (
	"encoding/json"
	"strings"

	"github.com/chromedp/cdproto/emulation"
)

// MustAdapt fails the test where the page is lost to people who have asked their browser for more than a colour scheme: for the system's few colours,
// more contrast, or less motion. It asks for what is theirs besides: text that may be pasted, and on a phone targets that a thumb hits.
func (p *Page) MustAdapt() {
	p.t.Helper()
	p.loadAxe()
	p.Ask("(rememberGrounds(), true)", new(bool))
	for _, scheme := range schemes {
		p.among(scheme, "with forced colours", "lost()", media("forced-colors", "active"), media("prefers-color-scheme", scheme))
		p.among(scheme, "with more contrast", "paleWords()", media("prefers-contrast", "more"), media("prefers-color-scheme", scheme))
	}
	p.among("light", "with less motion", "movements()", media("prefers-reduced-motion", "reduce"))
	p.among("light", "in use", "refusals()")
	if p.device.Touch {
		p.among("light", "under a thumb", "smallTargets(48)")
	}
}

// MustReflow fails the test for all that is cut off, or must be scrolled sideways, in a window as narrow as one of 1280 pixels is at 400 %, and where the browser's
// text is twice as large.
func (p *Page) MustReflow() {
	p.t.Helper()
	const narrow = 320
	p.Resize(narrow, p.device.Height)
	p.MustFit()
	p.Resize(p.device.Width, p.device.Height)
	p.EnlargeText(200)
	p.MustFit()
	p.EnlargeText(100)
}

// among looks for faults while the browser is asked for what the features say.
func (p *Page) among(scheme, how, faults string, features ...*emulation.MediaFeature) {
	p.t.Helper()
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
	var found []string
	p.Await("the page to come to rest", "rest()", nil)
	p.Ask(faults, &found)
	for _, fault := range found {
		p.t.Errorf("%s, %s %s: %s", p.name, scheme, how, fault)
	}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{}})
}

func media(name, value string) *emulation.MediaFeature {
	return &emulation.MediaFeature{Name: name, Value: value}
}

// ForceColours has the system's few colours in the place of the page's, or the page's own again.
func (p *Page) ForceColours(forced bool) {
	p.t.Helper()
	features := []*emulation.MediaFeature{}
	if forced {
		features = append(features, media("forced-colors", "active"), media("prefers-color-scheme", "dark"))
	}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
}

// Listen keeps from now on what every page that is loaded tells a screen reader by itself.
func (p *Page) Listen() {
	p.t.Helper()
	p.Before(`window.told = [];
		new MutationObserver((changes) => {
			const element = ({ target }) => target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
			for (const region of new Set(changes.map((change) => element(change)?.closest("[role=status], [role=alert], [aria-live]")))) {
				const text = region?.textContent.replace(/\s+/g, " ").trim();
				if (text && !region.closest("[inert], [aria-hidden=true]")) told.push((region.role === "alert" || region.ariaLive === "assertive" ? "! " : "") + text);
			}
		}).observe(document, { subtree: true, childList: true, characterData: true });`)
}

// MustTell waits until the page has told these texts since it was last asked, and fails the test if it told more, or anything more than once. What was
// told in a hurry begins with an exclamation mark.
func (p *Page) MustTell(texts ...string) {
	p.t.Helper()
	last, err := json.Marshal(texts[len(texts)-1])
	if err != nil {
		p.t.Fatal(err)
	}
	var told []string
	if _, err := p.wait(patience, "told.includes("+string(last)+")"); err != nil {
		p.Ask("told", &told)
		p.t.Fatalf("%s: a screen reader is told %q, never %s", p.name, told, last)
	}
	p.Ask("told.splice(0)", &told)
	if got, want := strings.Join(told, "\n"), strings.Join(texts, "\n"); got != want {
		p.t.Errorf("%s: a screen reader is told %q, want %q", p.name, told, texts)
	}
}

// MustBeAt waits until what has the focus is called so.
func (p *Page) MustBeAt(name string) {
	p.t.Helper()
	p.Await("the focus on "+name, expression(`has(called(document.activeElement), %s)`, name), nil)
}
