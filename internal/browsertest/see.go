package browsertest

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// See waits until an element that the selector finds shows the text, whatever its case and spaces.
func (p *Page) See(selector, text string) {
	p.t.Helper()
	p.Await(fmt.Sprintf("%q in %s", text, selector), expression("see(%s, %s)", selector, text), nil)
}

// Miss waits until no element that the selector finds shows the text.
func (p *Page) Miss(selector, text string) {
	p.t.Helper()
	p.Await(fmt.Sprintf("no %q in %s", text, selector), expression("!see(%s, %s)", selector, text), nil)
}

// Read waits for an element that the selector finds, and returns what it shows.
func (p *Page) Read(selector string) string {
	p.t.Helper()
	var text string
	p.Await(selector, expression(`see(%s, "")`, selector), &text)
	return text
}

// Click clicks, or taps, the button, link or choice of this name, once it is there, can be used, and nothing lies over it.
func (p *Page) Click(control string) {
	p.t.Helper()
	p.point(fmt.Sprintf("control %q", control), expression("control(%s)", control))
}

// ClickOn is Click on the first that a selector finds, for whoever cannot know what it is called.
func (p *Page) ClickOn(selector string) {
	p.t.Helper()
	p.point(selector, expression("[...document.querySelectorAll(%s)].find((element) => visible(element) && enabled(element))", selector))
}

// PressUntil presses a key until an element that the selector finds shows the text, as a person does who is not sure that it was noticed. Only a page that does not show
// it at that very moment gets the key again: on a busy machine one that was on its way would find the page a step further.
func (p *Page) PressUntil(key, selector, text string) {
	p.t.Helper()
	pressed := false
	p.until(selector, text, "pressed "+key, func() {
		if !pressed {
			p.Press(key)
			pressed = true
			return
		}
		p.Ask(expression(`see(%s, %s) || document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: %s, bubbles: true, cancelable: true}))`, selector, text, key), new(any))
	})
}

// ClickUntil clicks a control until an element that the selector finds shows the text, as a person does who waits for something.
func (p *Page) ClickUntil(control, selector, text string) {
	p.t.Helper()
	p.until(selector, text, "clicked "+control, func() { p.Click(control) })
}

// until does something again whenever the text has not come half a second later.
func (p *Page) until(selector, text, did string, do func()) {
	p.t.Helper()
	const doubt = 500 * time.Millisecond
	for range patience / doubt {
		do()
		if _, err := p.wait(doubt, expression("see(%s, %s)", selector, text)); err == nil {
			return
		}
	}
	p.t.Fatalf("%s: %s again and again, and there is no %q in %s; the page shows:\n%s", p.name, did, text, selector, p.everything())
}

// Fill replaces what is in the field of this label.
func (p *Page) Fill(label, text string) {
	p.t.Helper()
	p.point(fmt.Sprintf("field %q", label), expression("field(%s)", label))
	p.Await(fmt.Sprintf("the cursor in %q", label), expression("selected(field(%s))", label), nil)
	p.Type(text)
	p.Await(fmt.Sprintf("%q in the field %q", text, label), expression("field(%s).value === %s", label, text), nil)
}

// Value returns what is in the field of this label.
func (p *Page) Value(label string) string {
	p.t.Helper()
	var content struct{ Value string }
	p.Await(fmt.Sprintf("a field %q", label), expression("field(%s) && { value: field(%s).value }", label, label), &content)
	return content.Value
}

// Link returns the address that the link of this name leads to.
func (p *Page) Link(name string) string {
	p.t.Helper()
	var address string
	p.Await(fmt.Sprintf("a link %q", name), expression("control(%s)?.href", name), &address)
	return address
}

// point clicks, or taps, the middle of an element.
func (p *Page) point(what, element string) {
	p.t.Helper()
	var at struct{ X, Y float64 }
	p.Await("a "+what+" that can be clicked", "point("+element+")", &at)
	action := chromedp.MouseClickXY(at.X, at.Y)
	if p.device.Touch {
		action = chromedp.TapXY(at.X, at.Y)
	}
	p.do("clicking the "+what, action)
}

// expression puts texts into a JavaScript expression.
func expression(format string, texts ...string) string {
	quoted := make([]any, len(texts))
	for i, text := range texts {
		b, err := json.Marshal(text)
		if err != nil {
			panic(err) // no string does
		}
		quoted[i] = string(b)
	}
	return fmt.Sprintf(format, quoted...)
}

// call runs a command of the browser's protocol on the page.
func call[P, R any](p *Page, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	result, err := chromedp.Call(p.ctx, command, params)
	if err != nil {
		p.t.Fatalf("%s: %s: %v", p.name, command.Method, err)
	}
	return result
}
