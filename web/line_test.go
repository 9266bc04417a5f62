package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pubquiz/session"
)

// newLine opens a socket and returns its two ends. The phone's holds so many bytes that it has not read, and waits for none of them for ever.
func newLine(t *testing.T, buffer int) (*line, *websocket.Conn, *websocket.Conn) {
	t.Helper()
	opened := make(chan *websocket.Conn, 1)
	upgrader := websocket.Upgrader{WriteBufferPool: &writeBuffers}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := upgrader.Upgrade(hijacker{w}, r, nil)
		if err != nil {
			t.Error(err)
			close(opened)
			return
		}
		opened <- ws
	}))
	t.Cleanup(server.Close)
	dialer := websocket.Dialer{NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(buffer)
		}
		return conn, err
	}}
	phone, _, err := dialer.DialContext(t.Context(), strings.Replace(server.URL, "http", "ws", 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = phone.Close() })
	if err := phone.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	ws := <-opened
	if ws == nil {
		t.FailNow()
	}
	t.Cleanup(func() { _ = ws.Close() })
	l := ws.NetConn().(*line)
	if err := l.Conn.(*net.TCPConn).SetWriteBuffer(socketSendBuffer); err != nil {
		t.Fatal(err)
	}
	return l, ws, phone
}

// fill sends messages until the socket takes no more, and returns how many there were and the rest of the last.
func fill(t *testing.T, l *line, message []byte) (sent int, rest func() error) {
	t.Helper()
	for sent = 1; sent < 10_000; sent++ {
		rest, err := l.send(message)
		if err != nil {
			t.Fatal(err)
		}
		if rest != nil {
			return sent, rest
		}
	}
	t.Fatal("the socket takes everything")
	return 0, nil
}

func TestFramesOfEverySize(t *testing.T) {
	t.Parallel()
	l, _, phone := newLine(t, 64<<10)
	for _, n := range []int{0, 1, 125, 126, 127, 1 << 10, 1<<16 - 1, 1 << 16, 200_000} {
		body := bytes.Repeat([]byte("x"), n)
		go func() {
			rest, err := l.send(appendMessage(nil, "m", body))
			if err == nil && rest != nil {
				err = rest()
			}
			if err != nil {
				t.Error(err)
			}
		}()
		kind, message, err := phone.ReadMessage()
		if want := `{"m":` + string(body) + `}`; err != nil || kind != websocket.TextMessage || string(message) != want {
			t.Fatalf("%d bytes came as %d of kind %d, %v", n, len(message), kind, err)
		}
	}
}

// What a phone is told comes in whole frames, one after the other, however slowly it reads and whoever writes.
func TestFramesNeverMix(t *testing.T) {
	t.Parallel()
	l, ws, phone := newLine(t, 64<<10)
	const writers, each = 4, 300
	var pings int
	phone.SetPingHandler(func(string) error { pings++; return nil })
	var writing sync.WaitGroup
	for w := range writers {
		writing.Go(func() {
			for i := range each {
				body := fmt.Appendf(nil, `"%d-%d-%s"`, w, i, strings.Repeat("x", 500))
				rest, err := l.send(appendMessage(nil, "m", body))
				if err == nil && rest != nil {
					err = rest()
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Go(func() {
		for range each {
			if err := ws.WriteControl(websocket.PingMessage, []byte("ping"), time.Now().Add(time.Minute)); err != nil {
				t.Error(err)
			}
		}
	})
	next := make([]int, writers)
	for range writers * each {
		_, message, err := phone.ReadMessage()
		if err != nil {
			t.Fatal(err)
		}
		var w, i int
		if _, err := fmt.Sscanf(string(message), `{"m":"%d-%d-`, &w, &i); err != nil || next[w] != i || len(message) < 500 {
			t.Fatalf("%.40q of %d bytes: %v, want number %d", message, len(message), err, next[w])
		}
		next[w]++
	}
	writing.Wait()
	if pings == 0 {
		t.Error("no ping came between the messages")
	}
}

// A full socket holds up nobody but the rest; and what comes after it waits its turn.
func TestAFullSocketIsLeftToItsRest(t *testing.T) {
	t.Parallel()
	l, _, phone := newLine(t, 64<<10)
	message := appendMessage(nil, "m", bytes.Repeat([]byte("x"), 1000))
	sent, rest := fill(t, l, message)
	after, err := l.send(message)
	if err != nil || after == nil {
		t.Fatalf("sending on a full socket: %v", err)
	}
	finished := make(chan error, 2)
	go func() { finished <- rest() }()
	go func() { finished <- after() }()
	for i := range sent + 1 {
		if _, got, err := phone.ReadMessage(); err != nil || len(got) != 1000+len(`{"m":}`) {
			t.Fatalf("message %d of %d: %d bytes, %v", i, sent+1, len(got), err)
		}
	}
	for range 2 {
		if err := <-finished; err != nil {
			t.Error(err)
		}
	}
	if rest, err := l.send(message); rest != nil || err != nil {
		t.Errorf("once there is room again: %v", err)
	}
}

// A phone that takes nothing for too long has had a part of a frame; nothing may follow.
func TestALineThatWasCutShortIsShut(t *testing.T) {
	t.Parallel()
	l, ws, _ := newLine(t, 4<<10)
	_, rest := fill(t, l, appendMessage(nil, "m", bytes.Repeat([]byte("x"), 1000)))
	began := time.Now()
	if err := rest(); !errors.Is(err, context.DeadlineExceeded) && !isTimeout(err) {
		t.Fatalf("the rest ended with %v", err)
	}
	if took := time.Since(began); took < socketWriteTimeout {
		t.Errorf("it was given up after %v", took)
	}
	if _, err := l.send([]byte{0}); !errors.Is(err, net.ErrClosed) {
		t.Errorf("sending then: %v", err)
	}
	if err := ws.WriteControl(websocket.CloseMessage, nil, time.Now().Add(time.Second)); err == nil {
		t.Error("a close was written after a part of a frame")
	}
}

// TestADrainWaitsForNoSlowLine: what a slow phone has yet to take does not hold up a server that stops, beyond its time.
func TestADrainWaitsForNoSlowLine(t *testing.T) {
	t.Parallel()
	l, ws, phone := newLine(t, 64<<10)
	_, rest := fill(t, l, appendMessage(nil, "m", bytes.Repeat([]byte("x"), 8<<20)))
	given := make(chan error, 1)
	go func() { given <- rest() }()
	drained := make(chan struct{})
	var reading sync.WaitGroup
	defer reading.Wait()
	reading.Go(func() { // so that each piece has gone before its time is over, and the whole after some minutes
		_ = phone.SetReadDeadline(time.Time{})
		for some := make([]byte, 4<<10); ; {
			if _, err := phone.NetConn().Read(some); err != nil {
				return
			}
			select {
			case <-drained:
			case <-time.After(100 * time.Millisecond):
			}
		}
	})
	s := &Server{}
	if err := s.sockets.add(&connection{ws: ws, line: l, role: session.RoleHost, watcher: &session.Watcher{}}); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	s.DrainSockets(ctx, time.Minute)
	close(drained)
	if err := <-given; err == nil {
		t.Error("the phone was waited for")
	}
}

// A version goes to thousands of phones, most of which take it at once.
func TestPassingOnAVersionAllocatesNothing(t *testing.T) {
	l, _, _ := newLine(t, 64<<10)
	c := &connection{line: l}
	sight := session.Sight{Shared: &session.Frame{Body: []byte(`"version"`)}}
	allocations := testing.AllocsPerRun(100, func() {
		sight.Version++
		if rest := c.pass(sight, nil, nil); rest != nil {
			t.Error("the socket did not take it at once")
		}
	})
	if allocations > 0 {
		t.Errorf("%v allocations", allocations)
	}
	if c.version != sight.Version {
		t.Errorf("the phone was told version %d of %d", c.version, sight.Version)
	}
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}

// pacedConn takes what is written to it, and counts how often it is given time.
type pacedConn struct {
	net.Conn
	taken bytes.Buffer
	given int
}

func (c *pacedConn) Write(b []byte) (int, error) { return c.taken.Write(b) }

func (c *pacedConn) SetWriteDeadline(t time.Time) error {
	if !t.IsZero() {
		c.given++
	}
	return nil
}

// A large frame is not given up while it goes on, however slowly: every piece of it has its own time.
func TestEveryPieceOfAFrameHasItsTime(t *testing.T) {
	for size, times := range map[int]int{1: 1, socketSendBuffer: 1, socketSendBuffer + 1: 2, 10 * socketSendBuffer: 10} {
		c := &pacedConn{}
		frame := bytes.Repeat([]byte("x"), size)
		if err := (&line{Conn: c}).finish(frame); err != nil || !bytes.Equal(c.taken.Bytes(), frame) || c.given != times {
			t.Errorf("%d bytes: %d taken, time given %d times, want %d; %v", size, c.taken.Len(), c.given, times, err)
		}
	}
}
