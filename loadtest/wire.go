package loadtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

const (
	healthyAfter   = 5 * time.Second  // with a snapshot, and still alive
	silenceAllowed = 20 * time.Second // heartbeats come every 10 to 15 s
	outcomeTimeout = 4 * time.Second
)

// wire is one open socket.
type wire struct {
	conn *websocket.Conn
	gone chan struct{} // closed when it no longer reads

	mu       sync.Mutex // for what follows, and for writing
	snapshot time.Time  // when the first came; zero before
	latest   time.Time  // frame
	waiting  map[string]chan outcome
}

// silentBy is when a healthy socket is given up unless it speaks; zero for one that is not healthy at now.
func (w *wire) silentBy(now time.Time) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.snapshot.IsZero() || now.Sub(w.snapshot) < healthyAfter {
		return time.Time{}
	}
	return w.latest.Add(silenceAllowed)
}

func (w *wire) healthy(now time.Time) bool { return !w.silentBy(now).IsZero() }

func (w *wire) received(f frame, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.latest = now
	if f.Shared != nil && w.snapshot.IsZero() {
		w.snapshot = now
	}
	if f.Outcome != nil {
		if ch, ok := w.waiting[f.Outcome.ID]; ok {
			ch <- *f.Outcome // has room: there is one outcome for each sending
			delete(w.waiting, f.Outcome.ID)
		}
	}
}

func (l *link) keepSocket(ctx context.Context) error {
	failures := 0
	for ctx.Err() == nil {
		healthy, err := l.serveSocket(ctx)
		if healthy {
			failures = 0
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

var errBlocked = errors.New("the socket cannot be reached")

// serveSocket opens a socket and reads it to its end. It reports whether the socket was ever healthy.
func (l *link) serveSocket(ctx context.Context) (healthy bool, err error) {
	if l.blocked.Load() {
		// As behind a firewall that drops packets: nothing answers until the phone gives up.
		sleep(ctx, connectTimeout)
		return false, errBlocked
	}
	w, err := l.open(ctx)
	if err != nil {
		return false, err
	}
	defer context.AfterFunc(ctx, func() { w.conn.Close() })()
	defer w.conn.Close()
	l.attach(w)
	defer l.detach(w)
	for {
		sleep(ctx, l.dice.upTo(l.lag))
		if l.stalled.Load() {
			<-ctx.Done()
			return false, ctx.Err()
		}
		var f frame
		if err := w.read(&f); err != nil {
			return w.healthy(time.Now()), l.whyClosed(err)
		}
		w.received(f, time.Now())
		l.take(f, bySocket)
	}
}

func (w *wire) read(f *frame) error {
	if err := w.conn.SetReadDeadline(time.Now().Add(silenceAllowed)); err != nil {
		return err
	}
	return w.conn.ReadJSON(f)
}

const (
	closeRestarting = 4000
	closeForGood    = 4500 // the first of the close codes after which the server wants no other attempt
)

// whyClosed turns the close codes into what they mean: a refusal by a limit, the end, or just an error.
func (l *link) whyClosed(err error) error {
	closed, ok := errors.AsType[*websocket.CloseError](err)
	switch {
	case ok && closed.Code >= closeForGood:
		return fmt.Errorf("%w: %w", errShutOut, err)
	case ok && closed.Code == websocket.CloseTryAgainLater:
		refused := &refusal{kind: l.socketKind, status: http.StatusTooManyRequests}
		// Without a reason it is a refusal all the same.
		_ = json.Unmarshal([]byte(closed.Text), refused)
		l.browser.refused(refused)
		return refused
	case ok && closed.Code == closeRestarting:
		gone := &refusal{kind: l.socketKind, status: http.StatusServiceUnavailable}
		if json.Unmarshal([]byte(closed.Text), gone) != nil {
			return err
		}
		return gone
	default:
		return err
	}
}

func (l *link) open(ctx context.Context) (*wire, error) {
	path := l.path + "/socket"
	began := time.Now()
	conn, res, err := l.browser.socket.DialContext(ctx, "ws"+strings.TrimPrefix(l.browser.origin, "http")+path,
		http.Header{"Origin": {l.browser.origin}})
	if err != nil {
		if res != nil {
			refused := newRefusal(l.socketKind, response{status: res.StatusCode, header: res.Header})
			l.browser.refused(refused)
			return nil, refused
		}
		if ctx.Err() == nil {
			l.browser.rec.failure(l.socketKind)
		}
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	l.browser.timed(l.socketKind, time.Since(began))
	return &wire{conn: conn, gone: make(chan struct{}), waiting: map[string]chan outcome{}}, nil
}

func (l *link) attach(w *wire) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wire = w
	l.browser.lane.is(OnSocket)
}

func (l *link) detach(w *wire) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(w.gone)
	l.wire = nil
	l.browser.lane.is(Polling)
}

// cut breaks the socket without a farewell and keeps it out of reach from then on.
func (l *link) cut() {
	l.blocked.Store(true)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wire != nil {
		l.wire.conn.NetConn().Close()
	}
}

// errNoOutcome: the answer may or may not have arrived.
var errNoOutcome = errors.New("no outcome came")

// current is the open socket, or nil.
func (l *link) current() *wire {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wire
}

// send submits an answer and waits for what became of it.
func (w *wire) send(ctx context.Context, a answer) (outcome, error) {
	arrived := make(chan outcome, 1)
	if err := w.write(a, arrived); err != nil {
		return outcome{}, err
	}
	t := time.NewTimer(outcomeTimeout)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return outcome{}, ctx.Err()
	case o := <-arrived:
		return o, nil
	case <-w.gone:
	case <-t.C:
	}
	return outcome{}, errNoOutcome
}

func (w *wire) write(a answer, arrived chan outcome) error {
	message, err := json.Marshal(map[string]answer{"answer": a})
	if err != nil {
		return fmt.Errorf("send an answer: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting[a.ID] = arrived
	if err := w.conn.SetWriteDeadline(time.Now().Add(outcomeTimeout)); err != nil {
		return fmt.Errorf("send an answer: %w", err)
	}
	if err := w.conn.WriteMessage(websocket.TextMessage, message); err != nil {
		return fmt.Errorf("send an answer: %w", err)
	}
	return nil
}
