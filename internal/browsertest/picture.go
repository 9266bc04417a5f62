package browsertest

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
)

// Picture keeps what the page looks like, in light and in dark, as NAME-light.png and NAME-dark.png among the test's artifacts. It does
// nothing where artifacts are not kept (go test -artifacts).
func (p *Page) Picture(name string) {
	p.t.Helper()
	if kept := flag.Lookup("test.artifacts"); kept == nil || kept.Value.String() != "true" {
		return
	}
	for _, scheme := range schemes {
		p.prefer(scheme)
		shot := call(p, page.CaptureScreenshot, p.extent())
		if err := os.WriteFile(filepath.Join(p.t.ArtifactDir(), name+"-"+scheme+".png"), shot.Data, 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
}

// extent asks for all of a page that is longer than its window.
func (p *Page) extent() page.CaptureScreenshotParams {
	p.t.Helper()
	asked := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng}
	var size struct{ Width, Window, Page float64 }
	p.Await("the page's size", `({ width: innerWidth, window: innerHeight, page: document.documentElement.scrollHeight })`, &size)
	if size.Page > size.Window {
		asked.CaptureBeyondViewport = new(true)
		asked.Clip = &page.Viewport{Width: size.Width, Height: min(size.Page, windows*size.Window), Scale: 1}
	}
	return asked
}

// windows is how many windows high a picture may be; what is further down is more of the same.
const windows = 2.5

var schemes = []string{"dark", "light"}

// prefer changes the page's colours, and waits until they have changed.
func (p *Page) prefer(scheme string) {
	p.t.Helper()
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	p.Await("the page to come to rest", "rest()", nil)
}

// Photograph takes a photo of one element, as a phone's camera does of a QR code.
func (p *Page) Photograph(selector string) image.Image {
	p.t.Helper()
	var box struct{ X, Y, Width, Height float64 }
	p.Await(selector, expression(`[...document.querySelectorAll(%s)].find((e) => visible(e) && e.complete !== false)?.getBoundingClientRect().toJSON()`, selector), &box)
	shot := call(p, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Clip: &page.Viewport{X: box.X, Y: box.Y, Width: box.Width, Height: box.Height, Scale: 2},
	})
	photo, err := png.Decode(bytes.NewReader(shot.Data))
	if err != nil {
		p.t.Fatalf("%s: the photo of %s: %v", p.name, selector, err)
	}
	return photo
}
