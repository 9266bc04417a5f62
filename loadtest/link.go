package loadtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// way is how something reached a screen.
type way int

const (
	bySocket way = iota
	byPoll
)

// link keeps one screen up to date as docs/protocol.md asks: a socket, and polling whenever the socket is not known to
// be healthy. Only what is newer is passed on.
type link struct {
	browser              *browser
	path                 string // of the role's poll; its socket is at path/socket
	pollKind, socketKind kind
	dice                 *dice
	see                  func(frame, way) // called for one frame at a time; must not call the link

	blocked atomic.Bool   // the socket cannot be reached
	stalled atomic.Bool   // nothing is read from the socket
	lag     time.Duration // the most that a frame waits to be read
	wake    chan struct{} // the next poll is due sooner

	mu       sync.Mutex
	epoch    string
	version  int64
	personal personal
	etag     string
	steady   time.Time     // the next poll of the steady kind, while no socket is healthy
	urgent   time.Time     // a poll that is wanted whatever the socket does; zero for none
	offset   time.Duration // of the server's clock, by the quickest poll
	quickest time.Duration
	wire     *wire
}

const (
	pollInterval = 10 * time.Second
	pollJitter   = 2 * time.Second
	soonestPoll  = 5 * time.Second // shorter hints are taken for mistakes
)

func newLink(b *browser, path string, pollKind, socketKind kind, d *dice, see func(frame, way)) *link {
	return &link{
		browser: b, path: path, pollKind: pollKind, socketKind: socketKind, dice: d, see: see,
		wake: make(chan struct{}, 1), quickest: time.Hour,
	}
}

// errShutOut ends a link for good: removed, or the token is no longer valid.
var errShutOut = errors.New("shut out")

func shutOut(err error) error {
	if errors.Is(err, errShutOut) {
		return err
	}
	return fmt.Errorf("%w: %w", errShutOut, err)
}

// run keeps the screen up to date until ctx ends, which is no error, or the server says to stay away: errShutOut.
func (l *link) run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	wg.Go(func() { stop(l.keepPolling(ctx)) })
	wg.Go(func() { stop(l.keepSocket(ctx)) })
	wg.Wait()
	if err := context.Cause(ctx); errors.Is(err, errShutOut) {
		return err
	}
	return nil
}

func (l *link) keepPolling(ctx context.Context) error {
	failures := 0
	for ctx.Err() == nil {
		if wait := time.Until(l.pollDue()); wait > 0 {
			l.sleep(ctx, wait)
			continue // the socket may have become healthy, or something urgent come up
		}
		_, err := l.poll(ctx)
		if err == nil {
			failures = 0
			continue
		}
		pause, again := l.dice.pause(failures, err)
		if !again {
			return shutOut(err)
		}
		failures++
		if !sleep(ctx, pause) {
			return nil
		}
	}
	return nil
}

// sleep waits for d, or until a poll is due sooner, or ctx ends.
func (l *link) sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-l.wake:
	case <-t.C:
	}
}

// pollDue is when to poll next: now if something is urgent; else an interval after the last news, but not while a
// healthy socket speaks.
func (l *link) pollDue() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.urgent.IsZero() {
		return l.urgent
	}
	due := l.steady
	if l.wire != nil {
		if silent := l.wire.silentBy(time.Now()); silent.After(due) {
			due = silent
		}
	}
	return due
}

// pollSoon asks for a poll after d.
func (l *link) pollSoon(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hasten(d)
}

// hasten is pollSoon under the lock.
func (l *link) hasten(d time.Duration) {
	if at := time.Now().Add(d); l.urgent.IsZero() || at.Before(l.urgent) {
		l.urgent = at
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// poll fetches the state and passes on what is new. It returns the personal part as the server has it now.
func (l *link) poll(ctx context.Context) (personal, error) {
	l.mu.Lock()
	l.urgent = time.Time{}
	header := http.Header{"Accept": {"application/json"}}
	if l.etag != "" {
		header.Set("If-None-Match", l.etag)
	}
	l.mu.Unlock()
	began := time.Now()
	r, err := l.browser.do(ctx, l.pollKind, http.MethodGet, l.path, nil, header)
	if err != nil {
		return personal{}, err
	}
	l.note(r, began, time.Now())
	if r.status == http.StatusNotModified {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.personal, nil
	}
	var f frame
	if err := r.decode(&f); err != nil {
		return personal{}, err
	}
	if f.Shared == nil || f.Shared.Epoch == "" {
		return personal{}, fmt.Errorf("%s: a poll without a snapshot", l.path)
	}
	own := f.Personal
	l.take(f, byPoll)
	if own == nil {
		return personal{}, nil
	}
	return *own, nil
}

// note keeps what a poll's headers say.
func (l *link) note(r response, began, ended time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.etag = r.header.Get("ETag")
	interval := pollInterval
	if s, err := strconv.Atoi(r.header.Get("Poll-Interval")); err == nil {
		interval = max(time.Duration(s)*time.Second, soonestPoll)
	}
	l.steady = ended.Add(interval + l.dice.upTo(pollJitter))
	if ms, err := strconv.ParseInt(r.header.Get("Server-Time"), 10, 64); err == nil && ended.Sub(began) < l.quickest {
		l.quickest = ended.Sub(began)
		l.offset = time.UnixMilli(ms).Sub(began.Add(l.quickest / 2))
	}
}

// serverTime is the server's clock, as well as polls have told it.
func (l *link) serverTime() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Now().Add(l.offset)
}

// take passes a frame on, without what is no newer than what the screen holds.
func (l *link) take(f frame, w way) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := f.Shared; s != nil {
		switch {
		case s.Epoch != l.epoch || s.Version > l.version:
			l.epoch, l.version = s.Epoch, s.Version
		case s.Version < l.version: // the personal part is as old
			return
		default:
			f.Shared = nil
		}
	}
	if f.Personal != nil {
		l.personal = *f.Personal
	}
	if w == bySocket {
		if fresh := time.Now().Add(pollInterval + l.dice.upTo(pollJitter)); fresh.After(l.steady) {
			l.steady = fresh
		}
	}
	if f.V != 0 && (f.V != l.version || f.Epoch != l.epoch) {
		// The snapshot may be just behind, and a room that missed it should not come as one.
		l.hasten(500*time.Millisecond + l.dice.upTo(time.Second))
	}
	l.see(f, w)
}
