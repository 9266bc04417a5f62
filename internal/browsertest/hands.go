package browsertest

import (
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// Chord presses a key while Ctrl, Alt or Shift are held.
func (p *Page) Chord(key string, held ...chromedp.Modifier) {
	p.t.Helper()
	p.do("pressing "+key+" with others", chromedp.KeyEvent(key, chromedp.KeyModifiers(held...)))
}

// Drag takes the first element that a selector finds, and lets it go at the upper edge of the first that another finds.
func (p *Page) Drag(from, to string) {
	p.t.Helper()
	var at struct{ FromX, FromY, ToX, ToY float64 }
	p.Await("something to drag", expression(`(() => {
		const from = document.querySelector(%s)?.getBoundingClientRect(), to = document.querySelector(%s)?.getBoundingClientRect();
		return from && to && { fromX: from.x + from.width / 2, fromY: from.y + from.height / 2, toX: to.x + to.width / 2, toY: to.y };
	})()`, from, to), &at)
	mouse := func(event input.DispatchMouseEventType, x, y float64) {
		p.t.Helper()
		p.do("dragging", chromedp.MouseEvent(event, x, y, chromedp.ButtonLeft))
	}
	mouse(input.DispatchMouseEventTypeMousePressed, at.FromX, at.FromY)
	const steps = 5
	for i := range steps {
		part := float64(i+1) / steps
		mouse(input.DispatchMouseEventTypeMouseMoved, at.FromX+(at.ToX-at.FromX)*part, at.FromY+(at.ToY-at.FromY)*part)
	}
	mouse(input.DispatchMouseEventTypeMouseReleased, at.ToX, at.ToY)
}

// Choose gives a file to the file field that a selector finds, as a person does in the system's own window.
func (p *Page) Choose(selector, path string) {
	p.t.Helper()
	p.do("choosing "+path, chromedp.SetUploadFiles(chromedp.CSS(selector), []string{path}))
}
