package web

import (
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pubquiz/session"
)

// clockedConn is a connection whose clock the test holds: it remembers until when the server waits for the phone.
type clockedConn struct {
	*net.TCPConn
	mu    sync.Mutex
	until time.Time
}

func (c *clockedConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	c.until = t
	c.mu.Unlock()
	return c.TCPConn.SetReadDeadline(t)
}

// waitsUntil is until when the server waits for a sign of life.
func (c *clockedConn) waitsUntil() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.until
}

// clockedListener has accepted clockedConns.
type clockedListener struct {
	net.Listener
	accepted chan *clockedConn
}

func (l clockedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &clockedConn{TCPConn: conn.(*net.TCPConn)}
	select {
	case l.accepted <- c:
	default: // nobody asked for it
	}
	return c, nil
}

// TestWhoAnswersNoPingIsCut: a socket is there for as long as its phone answers pings, and is cut when the heartbeat's patience is over: whether the phone reads
// nothing and says nothing, or reads, talks and pings itself.
func TestWhoAnswersNoPingIsCut(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	server := httptest.NewUnstartedServer(s.server)
	listener := clockedListener{server.Listener, make(chan *clockedConn, 1)}
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
	open := func(name string) (*socket, *clockedConn) {
		dialer := websocket.Dialer{Jar: l.phone(name).http.Jar}
		ws, _, err := dialer.DialContext(t.Context(), strings.Replace(server.URL, "http", "ws", 1)+l.path("participant/socket"), http.Header{"Origin": {l.url}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = ws.Close() })
		return &socket{t, ws}, <-listener.accepted
	}
	began := time.Now()
	alive, answering := open("Alive")
	_, silent := open("Silent")
	deaf, talking := open("Talking")
	sockets := func() int { return s.server.sockets.count()[session.RoleParticipant] }
	until(t, "all sockets' patience", func() bool {
		return !slices.ContainsFunc([]*clockedConn{answering, silent, talking}, func(c *clockedConn) bool { return !c.waitsUntil().After(began) })
	})
	over := time.Now().Add(socketPatience) // for whoever gives no further sign of life
	if n := sockets(); n != 3 || silent.waitsUntil().After(over) || silent.waitsUntil().Before(began.Add(socketPatience)) {
		t.Fatalf("%d sockets are open, and the server waits until %v of %v", n, silent.waitsUntil(), over)
	}

	beat := func() {
		s.server.sockets.mu.Lock()
		connections := slices.Collect(maps.Keys(s.server.sockets.open))
		s.server.sockets.mu.Unlock()
		for _, c := range connections {
			c.heartbeat()
		}
	}
	go func() { // a browser answers pings while it reads
		for {
			if _, _, err := alive.ws.ReadMessage(); err != nil {
				return
			}
		}
	}()
	deaf.ws.SetPingHandler(func(string) error { return nil })
	beat()
	until(t, "the answer to a ping", func() bool { return answering.waitsUntil().After(over) })
	if err := deaf.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	deaf.send(socketAnswer("a"))
	deaf.next("outcome")

	for _, c := range []*clockedConn{answering, silent, talking} {
		if !c.waitsUntil().After(over) {
			_ = c.TCPConn.SetReadDeadline(began) // as when the time has come
		}
	}
	until(t, "the end of the two that answered no ping", func() bool { return sockets() == 1 })
	before := answering.waitsUntil()
	beat()
	until(t, "one more answer from the phone that is there", func() bool { return answering.waitsUntil().After(before) })
}
