// Package browsertest lets tests use the product as people do: with a real browser, its own window for each person, a keyboard, a mouse or a
// finger, and a network that can fail.
//
// A test says what a person does and sees. Everything waits until it can be done or seen, and fails the test with what the page shows
// instead. A page that logs an error, throws, or violates its content security policy fails the test too.
//
// Where no browser is installed a test fails in CI, and is skipped elsewhere.
package browsertest

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Browser is a running browser without a window on any screen. It ends with its test.
type Browser struct {
	t   testing.TB
	ctx context.Context
}

// programs are the browsers that will do, the smallest first.
var programs = []string{
	"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
}

// Start starts a browser of the test's own.
func Start(t testing.TB) *Browser {
	t.Helper()
	path := find()
	switch {
	case path == "" && os.Getenv("CI") == "true":
		t.Fatal("no browser is installed, such as Debian's chromium-headless-shell")
	case path == "":
		t.Skip("SKIPPED, and it should not be: no browser is installed, such as Debian's chromium-headless-shell")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(profile(t)),
		chromedp.DisableGPU, chromedp.Flag("disable-component-update", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // which Chromium's sandbox insists on
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	t.Cleanup(stopAllocator)
	ctx, stop := chromedp.NewContext(allocator, chromedp.WithErrorf(t.Logf))
	t.Cleanup(stop)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	return &Browser{t: t, ctx: ctx}
}

// profile makes a folder for the browser's own files, and removes it with the test. The last of its processes may still be writing there then.
func profile(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := os.RemoveAll(folder)
		for start := time.Now(); err != nil && time.Since(start) < patience; err = os.RemoveAll(folder) {
			time.Sleep(50 * time.Millisecond)
		}
		if err != nil {
			t.Error(err)
		}
	})
	return folder
}

func find() string {
	for _, program := range programs {
		if path, err := exec.LookPath(program); err == nil {
			return path
		}
	}
	return ""
}

// Device is what a person holds, or sits in front of.
type Device struct {
	Width, Height int64
	Scale         float64 // device pixels to one of CSS
	Touch         bool    // a phone: a finger instead of a mouse
}

// The devices of an evening.
var (
	Laptop     = Device{Width: 1280, Height: 720, Scale: 1}
	Television = Device{Width: 1280, Height: 720, Scale: 1}
	FullHD     = Device{Width: 1920, Height: 1080, Scale: 1}
	Projector  = Device{Width: 1024, Height: 768, Scale: 1}
	Phone      = Device{Width: 360, Height: 740, Scale: 2, Touch: true}
)

// Person returns an empty page on a device that nobody used before: it shares no cookies and no storage with any other person's.
func (b *Browser) Person(name string, device Device) *Page {
	b.t.Helper()
	return b.PersonFor(b.t, name, device)
}

// PersonFor is Person for a test that shares the browser with others.
func (b *Browser) PersonFor(t testing.TB, name string, device Device) *Page {
	t.Helper()
	return newPage(t, b.ctx, name, device, chromedp.WithNewBrowserContext())
}

// PersonOn is Person with a network of their own, whose failures the page may complain about.
func (b *Browser) PersonOn(network *Network, name string, device Device) *Page {
	b.t.Helper()
	p := newPage(b.t, b.ctx, name, device, chromedp.WithNewBrowserContext(func(params *target.CreateBrowserContextParams) {
		params.ProxyServer = network.address()
		params.ProxyBypassList = "<-loopback>" // not even this machine is reached directly
	}))
	p.Tolerate("net::ERR_", "WebSocket connection to")
	return p
}
