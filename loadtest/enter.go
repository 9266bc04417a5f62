package loadtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// entry tells how a phone got in, or did not.
type entry struct {
	took   time.Duration // from the scan to the seat, waits included
	waited time.Duration // of that, for what the server refused or failed at
	seated time.Time
	byCode bool  // with a rejoin code from the host
	err    error // why it was finally kept out
}

// enter scans, loads the page and its files, and joins. It goes on trying until the phone's patience ends.
func (p *phone) enter(ctx context.Context) entry {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("out of patience"))
	defer cancel()
	began := time.Now()
	p.browser.lane.is(Scanning)
	var e entry
	e.err = p.scan(ctx, &e)
	if e.err != nil && p.venue.doors != nil {
		e.err = p.enterByCode(ctx, &e)
	}
	e.took, e.seated = time.Since(began), time.Now()
	if e.err == nil {
		p.browser.lane.is(Polling)
	} else {
		p.browser.lane.is(Left)
	}
	return e
}

// scan gets in the usual way.
func (p *phone) scan(ctx context.Context, e *entry) error {
	if err := p.loadPage(ctx, e); err != nil {
		return err
	}
	// And the same page goes on to the game.
	return p.join(ctx, e, joinRequest, "/api/v1/join/"+strings.ToLower(p.venue.joinCode))
}

// enterByCode asks the host for a rejoin code and gets in by that.
func (p *phone) enterByCode(ctx context.Context, e *entry) error {
	began := time.Now()
	e.byCode = true
	p.browser.lane.is(Waiting)
	defer p.browser.lane.is(Scanning)
	code, err := p.venue.doors.askForCode(ctx)
	e.waited += time.Since(began)
	if err != nil {
		return err
	}
	return p.join(ctx, e, rejoinRequest, "/api/v1/rejoin/"+code)
}

// insist repeats what fails for as long as it makes sense, and counts the time spent waiting.
func (p *phone) insist(ctx context.Context, e *entry, try func() error) error {
	for n := 0; ; n++ {
		err := try()
		if err == nil {
			return nil
		}
		pause, again := p.machine.pause(n, err)
		if !again {
			return err
		}
		began := time.Now()
		p.browser.lane.is(Waiting)
		ended := p.wait(ctx, e, pause)
		p.browser.lane.is(Scanning)
		e.waited += time.Since(began)
		if ended != nil {
			return fmt.Errorf("%w: %w", ended, err)
		}
	}
}

var errDoorsLocked = errors.New("the host has locked the doors")

// wait ends early when patience does, and when the doors are locked: then waiting helps only those who have a code.
func (p *phone) wait(ctx context.Context, e *entry, d time.Duration) error {
	var locked <-chan struct{}
	if p.venue.doors != nil && !e.byCode {
		locked = p.venue.doors.locked
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-locked:
		return errDoorsLocked
	case <-t.C:
		return nil
	}
}

var ownFile = regexp.MustCompile(`(?:src|href)="(/static/[^"]+)"`)

// loadPage loads the page that the QR code leads to, and its files.
func (p *phone) loadPage(ctx context.Context, e *entry) error {
	var page response
	err := p.insist(ctx, e, func() (err error) {
		page, err = p.browser.page(ctx, joinPage, "/j/"+p.venue.joinCode)
		return err
	})
	if err != nil {
		return err
	}
	for _, found := range ownFile.FindAllSubmatch(page.body, -1) {
		if err := p.insist(ctx, e, func() error {
			_, err := p.browser.page(ctx, staticFile, string(found[1]))
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// names of tables as they turn up in pubs, in several scripts.
var names = []string{"Table %d", "Die Ratefüchse %d", "L'équipe %d", "Стол %d", "クイズ %d", "🍺 Round %d", "فريق %d"}

func (p *phone) join(ctx context.Context, e *entry, k kind, path string) error {
	name := fmt.Sprintf(names[p.number%len(names)], p.number)
	attempt := rand.Text()
	var joined struct {
		Participant string `json:"participant"`
	}
	ask := func() error {
		return p.browser.call(ctx, k, http.MethodPost, path, map[string]string{"name": name, "attempt": attempt}, &joined)
	}
	err := p.insist(ctx, e, func() error {
		err := ask()
		if refused, ok := errors.AsType[*refusal](err); ok && refused.Suggestion != "" {
			name = refused.Suggestion
			return ask()
		}
		return err
	})
	p.participant = joined.Participant
	return err
}
