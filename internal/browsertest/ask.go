package browsertest

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/chromedp"
)

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
