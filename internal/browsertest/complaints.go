package browsertest

import (
	"fmt"
	"strings"

	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
)

// givenUp is what a browser says of a socket that a page gave up because it took too long to open, as on a busy machine: the page polls then.
const givenUp = "WebSocket is closed before the connection is established"

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
