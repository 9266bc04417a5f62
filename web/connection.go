package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
	"go.opentelemetry.io/otel/trace"

	"pubquiz/account"
	"pubquiz/internal/coalesce"
	"pubquiz/internal/requestid"
	"pubquiz/internal/words"
	"pubquiz/ratelimit"
	"pubquiz/session"
)

// connection is one open socket. One goroutine waits for what the phone says. Nothing waits for the phone to take what it
// is told, but for what a socket did not take at once; and it is always told the newest, so that a slow phone skips
// versions and holds nobody up.
type connection struct {
	server   *Server
	ws       *websocket.Conn
	line     *line
	role     session.Role
	language *words.Language // of the page that opened it
	watcher  *session.Watcher
	request  requestid.ID // that opened it
	console  *console     // of a host
	out      *coalesce.Runner
	excess   atomic.Int32 // what it sent beyond reason since the last heartbeat

	mu       sync.Mutex
	outcomes []outcome
	beatDue  bool
	pongDue  *string // the latest ping's, to be answered
	beat     *time.Timer

	// Only drain touches these.
	begun   bool
	epoch   string
	version int64
}

// console is what a host's connection has besides.
type console struct {
	from   netip.Prefix
	signIn string
	room   []byte // as it was told last
}

func (c *connection) serve() {
	c.ws.SetReadLimit(socketReadLimit)
	c.ws.SetPingHandler(c.pinged)
	c.ws.SetPongHandler(c.ponged)
	c.patient()
	c.mu.Lock()
	c.beat = time.AfterFunc(jittered(heartbeatEvery), c.heartbeat)
	c.mu.Unlock()
	c.signOfHost()
	c.watcher.Start(c.out)
	c.out.Signal()
	go c.wait()
}

// end frees what the connection holds.
func (c *connection) end() {
	c.server.sockets.remove(c)
	c.watcher.Stop()
	c.mu.Lock()
	c.beat.Stop()
	c.beat = nil
	c.mu.Unlock()
	_ = c.ws.Close()
}

// patient gives the phone time to give another sign of life.
func (c *connection) patient() { _ = c.ws.SetReadDeadline(time.Now().Add(socketPatience)) }

// wait waits until the phone says something. Since that is all that most phones do, it has a goroutine of its own, whose
// stack stays as small as it begins.
func (c *connection) wait() {
	_, _ = c.line.in.Peek(1) // an error comes again
	go c.hear()
}

// hear takes what has arrived.
func (c *connection) hear() {
	for {
		if c.line.tookPong() {
			c.patient()
			c.excess.Add(1)
		} else if !c.hearMessage() {
			c.end()
			return
		}
		c.line.unheard = 0
		if c.floods() {
			closeRefused(c.ws, errFlooded)
			c.end()
			return
		}
		if c.line.in.Buffered() == 0 {
			go c.wait()
			return
		}
	}
}

// hearMessage takes a message, and reports whether the connection is to go on.
func (c *connection) hearMessage() bool {
	kind, message, err := c.ws.ReadMessage()
	switch {
	case errors.Is(err, errFlooded):
		closeRefused(c.ws, err)
		return false
	case err != nil:
		return false
	case c.behind():
		c.close(closeTooSlow)
		return false
	case kind != websocket.TextMessage || c.role != session.RoleParticipant || !c.receive(message):
		c.close(closeMalformed)
		return false
	default:
		return true
	}
}

// answerIn is the answer that a participant's message has. ok is false for whatever else may come.
func answerIn(message []byte) (a session.Answer, ok bool) {
	var in struct {
		Answer *session.Answer `json:"answer"`
	}
	decoder := json.NewDecoder(bytes.NewReader(message))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil || in.Answer == nil {
		return session.Answer{}, false
	}
	_, err := decoder.Token()
	return *in.Answer, err == io.EOF
}

// receive handles one message of a participant and reports whether it was one.
func (c *connection) receive(message []byte) bool {
	a, ok := answerIn(message)
	if !ok {
		return false
	}
	out := c.answer(a) // not under the lock: it waits for the store, and the newest state must not wait with it
	c.mu.Lock()
	c.outcomes = append(c.outcomes, out)
	c.mu.Unlock()
	c.out.Signal()
	return true
}

func (c *connection) answer(a session.Answer) outcome {
	began := time.Now()
	ctx, end := c.scope()
	defer end()
	d, err := c.server.limiters.Allow(ctx, ratelimit.SubmitAnswer.For(phoneKey(c.watcher.Seat)))
	if err == nil && !d.Allowed {
		c.excess.Add(1)
		c.server.refusals.note(c.watcher.Seat.Session, c.watcher.Seat.Participant, d.Name, time.Now())
		err = refusal(d)
	}
	if err != nil {
		return c.server.count(overSocket, began, outcome{ID: a.ID, Question: a.Question}.refused(err))
	}
	out := c.server.takeAnswer(ctx, c.watcher.Viewer, a)
	if out.Outcome == outcomeBusy {
		c.server.log.WarnContext(ctx, "an answer over a socket was not confirmed", "participant", c.watcher.Seat.Participant, "error", out.problem)
	}
	return c.server.count(overSocket, began, out)
}

// scope is for one answer: that of the request which opened the socket.
func (c *connection) scope() (context.Context, func()) {
	ctx, cancel := context.WithTimeout(&requestid.Scope{Context: context.Background(), ID: c.request}, 2*socketWriteTimeout)
	if c.server.tracer == nil {
		return ctx, cancel
	}
	ctx, span := c.server.tracer.Start(ctx, "answer over a socket", trace.WithSpanKind(trace.SpanKindServer))
	return ctx, func() { span.End(); cancel() }
}

// heartbeat makes the next beat due, and a ping, so that a phone that is gone is found out.
func (c *connection) heartbeat() {
	c.signOfHost()
	c.excess.Store(0)
	c.mu.Lock()
	c.beatDue = true
	if c.beat != nil {
		c.beat.Reset(jittered(heartbeatEvery))
	}
	c.mu.Unlock()
	c.out.Signal()
}

// signOfHost keeps the network of an open console the session's venue, and closes a console whose host has signed out.
func (c *connection) signOfHost() {
	if c.console == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), socketWriteTimeout)
	defer cancel()
	if _, err := c.server.accounts.Authenticate(ctx, c.console.signIn); errors.Is(err, account.ErrNotSignedIn) {
		c.close(closeInvalidToken)
		return
	}
	c.server.drivenFrom(ctx, c.watcher.Viewer, c.console.from, false)
}

// close ends the connection with a code; the reader then cleans up.
func (c *connection) close(code int) {
	_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Second))
	_ = c.ws.Close()
}

// jittered is d and up to half as much again.
func jittered(d time.Duration) time.Duration { return d + rand.N(d/2) }
