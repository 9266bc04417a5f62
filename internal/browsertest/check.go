package browsertest

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/chromedp/chromedp"
)

// axe is axe-core 4.14.1, which finds what keeps people with disabilities out; under the Mozilla Public License 2.0, as its first lines say.
//
//go:embed axe.min.js.gz
var axe []byte

var axeScript = sync.OnceValues(func() (string, error) {
	r, err := gzip.NewReader(bytes.NewReader(axe))
	if err != nil {
		return "", err
	}
	var script strings.Builder
	_, err = io.Copy(&script, r)
	return script.String(), err
})

// MustBeAccessible fails the test for each rule of WCAG 2.2 A and AA that a machine can check and the page breaks, in light or in dark.
func (p *Page) MustBeAccessible() {
	p.t.Helper()
	p.loadAxe()
	for _, scheme := range schemes {
		p.prefer(scheme)
		var broken []string
		p.Ask(fmt.Sprintf("brokenRules(%t)", scheme == "dark"), &broken)
		for _, rule := range broken {
			p.t.Errorf("%s, %s: %s", p.name, scheme, rule)
		}
	}
}

func (p *Page) loadAxe() {
	p.t.Helper()
	script, err := axeScript()
	if err != nil {
		p.t.Fatal(err)
	}
	var ready bool
	if p.Ask(`typeof axe !== "undefined"`, &ready); !ready {
		p.do("loading axe", chromedp.Evaluate[chromedp.Void](script))
	}
}

// MustFit fails the test for all text that is cut off, and for a page that is wider than its window.
func (p *Page) MustFit() {
	p.t.Helper()
	var faults []string
	p.Await("the page to come to rest", "rest().then(misfits)", &faults)
	for _, fault := range faults {
		p.t.Errorf("%s: %s", p.name, fault)
	}
}

// MustNotScroll fails the test if the page is longer than its window.
func (p *Page) MustNotScroll() {
	p.t.Helper()
	var root struct{ Content, Window int }
	p.Ask(`{ content: document.documentElement.scrollHeight, window: document.documentElement.clientHeight }`, &root)
	if root.Content > root.Window {
		p.t.Errorf("%s: the page is %d high in a window of %d", p.name, root.Content, root.Window)
	}
}

// MustShowFocus walks through the page by the Tab key, and fails the test where somebody who does so could not see where they are.
func (p *Page) MustShowFocus() {
	p.t.Helper()
	const enough = 100 // more than any page has
	for range enough {
		p.Press("\t")
		var at struct {
			What, Fault string
			End         bool
		}
		p.Ask("rest().then(focused)", &at)
		if at.End {
			return
		}
		if at.Fault != "" {
			p.t.Errorf("%s: what has the focus %s: %s", p.name, at.Fault, at.What)
		}
	}
	p.t.Errorf("%s: the Tab key comes to no end", p.name)
}
