package web

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"pubquiz/internal/coalesce"
	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/ratelimit"
	"pubquiz/session"
)

// Close codes, as docs/protocol.md lists them. From 4500 on, a screen is not to come back.
const (
	closeRestarting   = 4000
	closeTooSlow      = 4001
	closeMalformed    = 4002
	closeRemoved      = 4500
	closeInvalidToken = 4501
	closeSeatLost     = 4502
)

const (
	socketReadLimit    = 4 << 10
	socketSendBuffer   = 16 << 10 // the kernel's; its default hides a stalled phone behind thousands of messages
	socketWriteTimeout = 5 * time.Second
	socketPatience     = 40 * time.Second // without a pong
	heartbeatEvery     = 10 * time.Second // and up to half as much again
	socketsHeld        = 10               // by one holder at a time: more tabs than a phone has, and more televisions than a pub
)

// sockets are the open connections of this process.
type sockets struct {
	mu       sync.Mutex
	open     map[*connection]struct{}
	byHolder map[holder]int // how many of them each has
	closing  time.Time      // when all will have been sent away; zero as long as nobody is
}

// holder is who has a socket open: a participant, the screens of a session, or the consoles of one of its hosts.
type holder struct {
	role        session.Role
	session     session.ID
	host        quiz.OwnerID // each of a session's hosts has consoles of their own
	participant int64
	member      int // of a participant's phones
}

func (c *connection) holder() holder {
	return holder{c.role, c.watcher.Seat.Session, c.watcher.Host, c.watcher.Seat.Participant, c.watcher.Seat.Member}
}

func (s *Server) newUpgrader() *websocket.Upgrader {
	return &websocket.Upgrader{
		WriteBufferPool: &writeBuffers, // it needs one only to answer what it does not understand
		// Browsers say which page opens a socket, and a page of another site must not.
		CheckOrigin: func(r *http.Request) bool { return s.origins[r.Header.Get("Origin")] },
		Error: func(w http.ResponseWriter, r *http.Request, status int, reason error) {
			p := &problem{Status: status, Slug: "no-socket", Title: words.T("No socket"), Detail: words.T("A WebSocket cannot be opened this way."), cause: reason}
			s.fail(w, &request{Request: r}, &route{pattern: "/api/"}, p)
		},
	}
}

var writeBuffers sync.Pool

func (s *Server) participantSocket(w http.ResponseWriter, r *request) error {
	viewer, err := s.sessions.AsParticipant(r.Context(), r.param("session"), r.seat)
	return s.openSocket(w, r, viewer, err)
}

func (s *Server) screenSocket(w http.ResponseWriter, r *request) error {
	viewer, err := s.sessions.AsScreen(r.Context(), r.param("session"), r.screen)
	return s.openSocket(w, r, viewer, err)
}

func (s *Server) hostSocket(w http.ResponseWriter, r *request) error {
	return s.openSocket(w, r, r.driven, nil)
}

// openSocket upgrades the request and returns; the connection lives on goroutines of its own, since a handler that
// stays would pin the buffers of its request.
func (s *Server) openSocket(w http.ResponseWriter, r *request, viewer session.Viewer, refused error) error {
	ws, err := s.upgrader.Upgrade(hijacker{w}, r.Request, http.Header{requestIDHeader: r.idField[:]})
	if err != nil {
		return nil // the upgrader has answered
	}
	if refused != nil {
		closeRefused(ws, refused)
		return nil
	}
	c := &connection{server: s, ws: ws, line: ws.NetConn().(*line), role: viewer.Role, language: s.languageOf(r), watcher: s.sessions.Watcher(viewer), request: r.scope.ID}
	if tcp, ok := c.line.Conn.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(socketSendBuffer)
	}
	if c.role == session.RoleHost {
		c.console = &console{from: network(r.client), signIn: s.hostToken(r)}
	}
	c.out = coalesce.HandingOver(c.drain)
	if err := s.sockets.add(c); err != nil {
		closeRefused(ws, err)
		return nil
	}
	go c.serve()
	return nil
}

// refuseSocket tells a refusal by a close code, since browsers hide the status of a handshake that failed.
func (s *Server) refuseSocket(w http.ResponseWriter, r *request, rt *route, err error) {
	if !websocket.IsWebSocketUpgrade(r.Request) {
		s.fail(w, r, rt, err)
		return
	}
	if ws, upgradeErr := s.upgrader.Upgrade(w, r.Request, nil); upgradeErr == nil {
		closeRefused(ws, err)
	}
}

func closeRefused(ws *websocket.Conn, err error) {
	code, reason := closeInvalidToken, ""
	p := problemOf(err)
	switch {
	case errors.Is(err, session.ErrRemoved):
		code = closeRemoved
	case errors.Is(err, session.ErrSeatLost):
		code = closeSeatLost
	case p.Slug == restartingSlug || p.Status >= http.StatusInternalServerError && p.RetryAfter == 0:
		code = closeRestarting
	case p.RetryAfter > 0:
		code = websocket.CloseTryAgainLater
	}
	if p.RetryAfter > 0 {
		b, _ := json.Marshal(struct {
			RetryAfter int    `json:"retryAfter"`
			Limiter    string `json:"limiter,omitempty"`
		}{p.RetryAfter, p.Limiter})
		reason = string(b)
	}
	_ = ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(socketWriteTimeout))
	_ = ws.Close()
}

const restartingSlug = "restarting"

// restarting is what a phone is told until the server has sent all away: who came back sooner would only be sent away again.
func restarting(gone time.Time) *problem {
	return &problem{Status: http.StatusServiceUnavailable, Slug: restartingSlug, Title: words.T("Restarting"), Detail: words.T("The server is restarting."),
		RetryAfter: ratelimit.Seconds(time.Until(gone))}
}

var errTooMany = &problem{Status: http.StatusTooManyRequests, Slug: "quota-exceeded", Title: words.T("A moment, please"), Detail: crowded,
	RetryAfter: int(socketPatience / time.Second), Limiter: string(ratelimit.SocketOpen.Name)} // by then the dead ones are gone

// add registers a connection. It fails when the server is shutting down, and when the holder has enough open.
func (s *sockets) add(c *connection) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing.IsZero() {
		return restarting(s.closing)
	}
	if s.open == nil {
		s.open, s.byHolder = map[*connection]struct{}{}, map[holder]int{}
	}
	if s.byHolder[c.holder()] >= socketsHeld {
		return errTooMany
	}
	s.open[c] = struct{}{}
	s.byHolder[c.holder()]++
	return nil
}

// draining reports whether the server sends its sockets away.
func (s *sockets) draining() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.closing.IsZero()
}

func (s *sockets) remove(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
	if s.byHolder[c.holder()]--; s.byHolder[c.holder()] == 0 {
		delete(s.byHolder, c.holder())
	}
}

// count is how many sockets each role has open.
func (s *sockets) count() map[session.Role]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	open := map[session.Role]int{session.RoleParticipant: 0, session.RoleScreen: 0, session.RoleHost: 0}
	for c := range s.open {
		open[c.role]++
	}
	return open
}

// socketPace is how far apart a draining server sends its sockets away, on average, unless all would take too long.
const socketPace = 20 * time.Millisecond

// DrainSockets takes no more sockets and closes every socket, each after a delay of its own and all within most, so that the
// phones do not all come back at once; and it tells each how long the others take. When ctx ends it closes the rest at once: those that still take what was sent
// before have a second for it.
func (s *Server) DrainSockets(ctx context.Context, most time.Duration) {
	s.sockets.mu.Lock()
	spread := min(most, socketPace*time.Duration(len(s.sockets.open)))
	gone := time.Now().Add(spread)
	s.sockets.closing = gone
	var wg sync.WaitGroup
	for c := range s.sockets.open {
		wg.Go(func() {
			select {
			case <-ctx.Done():
			case <-time.After(rand.N(spread)):
			}
			giveUp := context.AfterFunc(ctx, func() { time.AfterFunc(lastWords, func() { _ = c.ws.Close() }) })
			defer giveUp()
			closeRefused(c.ws, restarting(gone))
		})
	}
	s.sockets.mu.Unlock()
	wg.Wait()
}

// lastWords is how long a socket is given to be told why it is closed when there is no more time for what comes before.
const lastWords = time.Second

// TakeSockets takes sockets again after DrainSockets.
func (s *Server) TakeSockets() {
	s.sockets.mu.Lock()
	defer s.sockets.mu.Unlock()
	s.sockets.closing = time.Time{}
}
