package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/netip"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"pubquiz/account"
	"pubquiz/internal/coalesce"
	"pubquiz/ratelimit"
	"pubquiz/session"
)

// connection is one open socket. One goroutine reads; another writes, but exists only while there is something to
// write, and always writes the newest, so that a slow phone skips versions and holds nobody up.
type connection struct {
	server  *Server
	ws      *websocket.Conn
	role    session.Role
	from    netip.Prefix
	watcher *session.Watcher
	signIn  string // the host's
	out     *coalesce.Runner

	mu       sync.Mutex
	outcomes []outcome
	beatDue  bool
	beat     *time.Timer

	// Only drain touches these.
	begun   bool
	epoch   string
	version int64
	room    []byte
}

func (c *connection) serve() {
	defer func() {
		c.server.sockets.remove(c)
		c.watcher.Stop()
		c.mu.Lock()
		c.beat.Stop()
		c.beat = nil
		c.mu.Unlock()
		_ = c.ws.Close()
	}()
	c.mu.Lock()
	c.beat = time.AfterFunc(jittered(heartbeatEvery), c.heartbeat)
	c.mu.Unlock()
	c.ws.SetReadLimit(socketReadLimit)
	patient := func(string) error { return c.ws.SetReadDeadline(time.Now().Add(socketPatience)) }
	c.ws.SetPongHandler(patient)
	_ = patient("")
	c.signOfHost()
	c.watcher.Start(c.out)
	c.out.Signal()
	for {
		kind, message, err := c.ws.ReadMessage()
		if err != nil {
			return
		}
		if c.behind() {
			c.close(closeTooSlow)
			return
		}
		if kind != websocket.TextMessage || c.role != session.RoleParticipant || !c.receive(message) {
			c.close(closeMalformed)
			return
		}
	}
}

// outcomesHeld is how many outcomes wait for a phone to take them. It answers ten times a minute at most.
const outcomesHeld = 20

// behind reports whether the phone sends without reading what it is told.
func (c *connection) behind() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.outcomes) >= outcomesHeld
}

// receive handles one message of a participant and reports whether it was one.
func (c *connection) receive(message []byte) bool {
	var in struct {
		Answer *session.Answer `json:"answer"`
	}
	decoder := json.NewDecoder(bytes.NewReader(message))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil || in.Answer == nil {
		return false
	}
	out := c.answer(*in.Answer) // not under the lock: it waits for the store, and the newest state must not wait with it
	c.mu.Lock()
	c.outcomes = append(c.outcomes, out)
	c.mu.Unlock()
	c.out.Signal()
	return true
}

func (c *connection) answer(a session.Answer) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), 2*socketWriteTimeout)
	defer cancel()
	d, err := c.server.limiters.Allow(ctx, ratelimit.SubmitAnswer.For(ratelimit.ParticipantKey(c.watcher.Seat.Participant)))
	if err == nil && !d.Allowed {
		c.server.refusals.note(c.watcher.Seat.Session, c.watcher.Seat.Participant, d.Name, time.Now())
		err = refusal(d)
	}
	if err != nil {
		return c.server.count(outcome{ID: a.ID, Question: a.Question}.refused(err))
	}
	return c.server.count(c.server.takeAnswer(ctx, c.watcher.Viewer, a))
}

// heartbeat makes the next beat due, and pings, so that a phone that is gone is found out.
func (c *connection) heartbeat() {
	_ = c.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(socketWriteTimeout))
	c.signOfHost()
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
	if c.role != session.RoleHost {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), socketWriteTimeout)
	defer cancel()
	if _, err := c.server.accounts.Authenticate(ctx, c.signIn); errors.Is(err, account.ErrNotSignedIn) {
		c.close(closeInvalidToken)
		return
	}
	c.server.drivenFrom(ctx, c.watcher.Viewer, c.from, false)
}

// drain writes whatever is new. It runs again after every wake.
func (c *connection) drain() {
	sight, err := c.look()
	if err != nil {
		closeRefused(c.ws, err)
		return
	}
	c.mu.Lock()
	outcomes, beat := c.outcomes, c.beatDue
	c.outcomes, c.beatDue = nil, false
	c.mu.Unlock()
	if sight.Epoch != c.epoch || sight.Version > c.version {
		if !c.writeShared(sight.Shared) {
			return
		}
		c.epoch, c.version = sight.Epoch, sight.Version
	}
	if sight.Own != nil && !c.write(wrapped(ownName(c.role), sight.Own.Body)) {
		return
	}
	if !c.writeRoom() {
		return
	}
	for _, out := range outcomes {
		if !c.writeJSON(map[string]outcome{"outcome": out}) {
			return
		}
	}
	if beat {
		c.writeJSON(struct {
			V     int64  `json:"v"`
			Epoch string `json:"epoch"`
			Now   int64  `json:"now"`
		}{c.version, c.epoch, c.server.now().UnixMilli()})
	}
}

// writeRoom tells a host how the room stands with its budgets, if that has changed.
func (c *connection) writeRoom() bool {
	if c.role != session.RoleHost {
		return true
	}
	room, err := c.server.room(context.Background(), c.watcher.Viewer)
	if err != nil || bytes.Equal(room, c.room) {
		return true // what the limiters cannot say now, they say at the next beat
	}
	c.room = room
	return c.write(wrapped("room", room))
}

// look reads freshly at first, and from then on what the room knows.
func (c *connection) look() (session.Sight, error) {
	if c.begun {
		return c.watcher.Now()
	}
	ctx, cancel := context.WithTimeout(context.Background(), socketWriteTimeout)
	defer cancel()
	sight, err := c.watcher.First(ctx)
	c.begun = err == nil
	return sight, err
}

// writeShared writes the snapshot. Its wire form is made once for all connections that it goes to.
func (c *connection) writeShared(f *session.Frame) bool {
	prepared, _ := f.Prepared(func(body []byte) any {
		p, err := websocket.NewPreparedMessage(websocket.TextMessage, wrapped("shared", body))
		if err != nil {
			return nil
		}
		return p
	}).(*websocket.PreparedMessage)
	if prepared == nil {
		return false
	}
	return c.inTime(func() error { return c.ws.WritePreparedMessage(prepared) })
}

func (c *connection) writeJSON(v any) bool {
	body, err := json.Marshal(v)
	return err == nil && c.write(body)
}

func (c *connection) write(message []byte) bool {
	return c.inTime(func() error { return c.ws.WriteMessage(websocket.TextMessage, message) })
}

// inTime writes with a deadline. A phone that does not take it in time is cut: it comes back and reads the newest.
func (c *connection) inTime(write func() error) bool {
	_ = c.ws.SetWriteDeadline(time.Now().Add(socketWriteTimeout))
	if err := write(); err != nil {
		c.close(closeTooSlow)
		return false
	}
	return true
}

// wrapped is the message {"name": body}.
func wrapped(name string, body []byte) []byte {
	message := make([]byte, 0, len(name)+len(body)+5)
	message = append(message, `{"`+name+`":`...)
	message = append(message, body...)
	return append(message, '}')
}

// close ends the connection with a code; the reader then cleans up.
func (c *connection) close(code int) {
	_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Second))
	_ = c.ws.Close()
}

// jittered is d and up to half as much again.
func jittered(d time.Duration) time.Duration { return d + rand.N(d/2) }
