package browsertest

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Page is one tab, and the person before it.
type Page struct {
	t      testing.TB
	name   string // who it is, in messages
	device Device
	ctx    context.Context

	mu         sync.Mutex
	complaints []string
	tolerated  []string
}

const (
	patience = 30 * time.Second      // for anything to happen, also on a busy machine
	look     = 50 * time.Millisecond // between two looks at the page
	reply    = 10 * time.Second      // for the browser to answer one question
)

func newPage(t testing.TB, parent context.Context, name string, device Device, how ...chromedp.ContextOption) *Page {
	t.Helper()
	p := &Page{t: t, name: name, device: device}
	ctx, leave := chromedp.NewContext(parent, append(how, chromedp.WithListener(p.hear))...)
	p.ctx = ctx
	t.Cleanup(func() {
		leave()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, complaint := range p.complaints {
			t.Errorf("%s: the page complains: %s", name, complaint)
		}
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("%s: opening a tab: %v", name, err)
	}
	p.Resize(device.Width, device.Height)
	if device.Touch {
		call(p, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	}
	// Several people look at their pages at the same time, so none may count as hidden behind the others.
	call(p, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return p
}

// Tab opens another tab for the same person.
func (p *Page) Tab(name string) *Page {
	p.t.Helper()
	return newPage(p.t, p.ctx, name, p.device, chromedp.WithExistingBrowserContext(chromedp.FromContext(p.ctx).BrowserContextID))
}

// Follow clicks what opens a tab of its own, and returns that tab on a device.
func (p *Page) Follow(control, name string, device Device) *Page {
	p.t.Helper()
	opened := chromedp.WaitNewTarget(p.ctx, func(info *target.Info) bool { return info.Type == "page" })
	p.Click(control)
	select {
	case id := <-opened:
		return newPage(p.t, p.ctx, name, device, chromedp.WithTargetID(id))
	case <-time.After(patience):
		p.t.Fatalf("%s: %q opens no tab", p.name, control)
		return nil
	}
}

// hear keeps what the page complains about.
func (p *Page) hear(event any) {
	var complaint string
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		complaint = e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			complaint += " " + e.ExceptionDetails.Exception.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type != runtime.ConsoleAPICalledTypeError && e.Type != runtime.ConsoleAPICalledTypeWarning && e.Type != runtime.ConsoleAPICalledTypeAssert {
			return
		}
		for _, argument := range e.Args {
			complaint += fmt.Sprintf("%s%s ", argument.Value, argument.Description)
		}
	case *cdplog.EventEntryAdded: // among them violations of the content security policy
		if e.Entry.Level != cdplog.EntryLevelError && e.Entry.Level != cdplog.EntryLevelWarning {
			return
		}
		complaint = fmt.Sprintf("%s %s", e.Entry.Text, e.Entry.URL)
	default:
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, part := range p.tolerated {
		if strings.Contains(complaint, part) {
			return
		}
	}
	p.complaints = append(p.complaints, complaint)
}

// Tolerate expects complaints that contain one of the parts, such as a status that the test brings about. They are no failure from here on.
func (p *Page) Tolerate(parts ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tolerated = append(p.tolerated, parts...)
}

// Resize gives the page another size, in CSS pixels.
func (p *Page) Resize(width, height int64) {
	p.t.Helper()
	call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: p.device.Scale, Mobile: p.device.Touch,
	})
}

// EnlargeText sets the size of the browser's own text in percent, as people do who see badly.
func (p *Page) EnlargeText(percent int64) {
	p.t.Helper()
	call(p, page.SetFontSizes, page.SetFontSizesParams{FontSizes: &page.FontSizes{Standard: 16 * percent / 100}})
}

// Open goes to an address and waits until it is loaded.
func (p *Page) Open(address string) {
	p.t.Helper()
	p.do("opening "+address, chromedp.Navigate(address))
}

// Reload loads the page anew.
func (p *Page) Reload() {
	p.t.Helper()
	p.do("reloading", chromedp.Reload())
}

// PickUp takes a phone that lay on the table with its screen off.
func (p *Page) PickUp() {
	p.t.Helper()
	p.Ask(`dispatchEvent(new PageTransitionEvent("pageshow")) || true`, new(bool))
}

// Press types keys to whatever has the focus.
func (p *Page) Press(keys string) {
	p.t.Helper()
	p.do("pressing "+keys, chromedp.KeyEvent(keys))
}

// Type writes a text into the field that has the focus, as a keyboard of any language would.
func (p *Page) Type(text string) {
	p.t.Helper()
	call(p, input.InsertText, input.InsertTextParams{Text: text})
}

// BeforeLoading runs a script in each page from now on before its own.
func (p *Page) BeforeLoading(script string) {
	p.t.Helper()
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}

//go:embed eyes.js
var eyes string

// Await asks the page again and again until the expression, in JavaScript, has a value other than false, null or nothing, which is
// then decoded into what into points to, unless that is nil. The expression may use what eyes.js defines. what says what is waited for.
func (p *Page) Await(what, expression string, into any) {
	p.t.Helper()
	value, err := p.wait(patience, expression)
	if err == nil && into != nil {
		err = json.Unmarshal(value, into)
	}
	if err != nil {
		p.t.Fatalf("%s: waiting for %s: %v; the page shows:\n%s", p.name, what, err, p.everything())
	}
}

// wait evaluates the expression until it has a value, and returns that.
func (p *Page) wait(patience time.Duration, expression string) ([]byte, error) {
	deadline := time.After(patience)
	again := time.NewTicker(look)
	defer again.Stop()
	for {
		value, err := p.evaluate(expression)
		switch string(value) {
		case "", "false", "null", `""`, "undefined":
		default:
			return value, nil
		}
		select {
		case <-again.C:
		case <-deadline:
			return nil, cmp.Or(err, errTooLong)
		}
	}
}

var errTooLong = errors.New("it takes too long")

// Ask evaluates an expression once.
func (p *Page) Ask(expression string, into any) {
	p.t.Helper()
	value, err := p.evaluate(expression)
	if err == nil {
		err = json.Unmarshal(value, into)
	}
	if err != nil {
		p.t.Fatalf("%s: asking for %s: %v", p.name, expression, err)
	}
}

// evaluate fails also when the page is about to be replaced by the next.
func (p *Page) evaluate(expression string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(p.ctx, reply)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[[]byte]("(() => {"+eyes+"\nreturn ("+expression+");})()", chromedp.EvalAwaitPromise))
}

// everything is the address and the text of the page, for messages.
func (p *Page) everything() string {
	value, err := p.evaluate(`location.href + "\n" + document.body.innerText`)
	var text string
	if err != nil || json.Unmarshal(value, &text) != nil {
		return fmt.Sprintf("nothing: %v", err)
	}
	return text
}

func (p *Page) do(what string, action chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, action); err != nil {
		p.t.Fatalf("%s: %s: %v", p.name, what, err)
	}
}

// Close closes the tab.
func (p *Page) Close() {
	p.t.Helper()
	if err := chromedp.Cancel(p.ctx); err != nil {
		p.t.Fatalf("%s: closing the tab: %v", p.name, err)
	}
}
