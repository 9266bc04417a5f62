package browsertest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
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
	patience = time.Minute           // for anything to happen, also on a busy machine
	look     = 50 * time.Millisecond // between two looks at the page
	reply    = 20 * time.Second      // for the browser to answer one question, after which it is asked again
)

func newPage(t testing.TB, parent context.Context, name string, device Device, how ...chromedp.ContextOption) *Page {
	t.Helper()
	p := &Page{t: t, name: name, device: device, tolerated: []string{givenUp}}
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

// Resize gives the page another size, in CSS pixels.
func (p *Page) Resize(width, height int64) {
	p.t.Helper()
	call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: p.device.Scale, Mobile: p.device.Touch,
	})
}

// SlowProcessor makes the device's processor so many times slower than this machine's; 1 is as fast.
func (p *Page) SlowProcessor(times float64) {
	p.t.Helper()
	call(p, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: times})
}

// Worked tells for how long the page's main thread has been at work since it was first asked, in processor time: what else the machine does makes no difference.
func (p *Page) Worked() time.Duration {
	p.t.Helper()
	call(p, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	for _, metric := range call(p, performance.GetMetrics, cdp.Empty{}).Metrics {
		if metric.Name == "TaskDuration" {
			return time.Duration(metric.Value * float64(time.Second))
		}
	}
	p.t.Fatalf("%s: the browser does not tell how long it worked", p.name)
	return 0
}

// EnlargeText sets the size of the browser's own text in percent, as people do who see badly.
func (p *Page) EnlargeText(percent int64) {
	p.t.Helper()
	call(p, page.SetFontSizes, page.SetFontSizesParams{FontSizes: &page.FontSizes{Standard: 16 * percent / 100}})
}

// Before has every document that is loaded from now on run a script before its own, to be the browser that a test needs.
func (p *Page) Before(script string) {
	p.t.Helper()
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
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
	p.Ask(`document.dispatchEvent(new Event("visibilitychange"))`, new(bool))
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
