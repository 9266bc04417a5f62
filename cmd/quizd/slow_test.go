package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener to which connections come that are no network's.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial() net.Conn {
	here, there := net.Pipe()
	p.conns <- there
	return here
}

// trickle sends a byte a second, for as long as somebody takes it.
func trickle(conn net.Conn, text string) {
	for i := range len(text) {
		if _, err := conn.Write([]byte{text[i]}); err != nil {
			return
		}
		time.Sleep(time.Second)
	}
}

// TestSlowClientsAreCut: whoever sends slowly, or takes slowly, holds a connection no longer than it is meant to last.
func TestSlowClientsAreCut(t *testing.T) {
	const request = "POST / HTTP/1.1\r\nHost: quiz.example\r\nContent-Length: 100\r\n\r\n"
	for name, test := range map[string]struct {
		send  func(net.Conn)
		after time.Duration
	}{
		"says nothing":     {func(net.Conn) {}, 5 * time.Second},
		"slow headers":     {func(c net.Conn) { trickle(c, request) }, 5 * time.Second},
		"endless headers":  {func(c net.Conn) { trickle(c, "GET / HTTP/1.1\r\n"+strings.Repeat("X: y\r\n", 100)) }, 5 * time.Second},
		"no body":          {func(c net.Conn) { _, _ = io.WriteString(c, request) }, 15 * time.Second},
		"slow body":        {func(c net.Conn) { _, _ = io.WriteString(c, request); trickle(c, strings.Repeat("x", 100)) }, 15 * time.Second},
		"nothing further":  {func(c net.Conn) { _, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: quiz.example\r\n\r\n") }, 90 * time.Second},
		"half a handshake": {func(c net.Conn) { trickle(c, "GET /socket HTTP/1.1\r\nUpgrade: websocket\r\n") }, 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, conn := serveOnPipe(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
				defer server.Close()
				began := time.Now()
				var sending sync.WaitGroup
				sending.Go(func() { test.send(conn) })
				defer sending.Wait()
				_, _ = io.Copy(io.Discard, conn) // until it is cut
				if took := time.Since(began); took < test.after || took > test.after+time.Second {
					t.Errorf("cut after %v, want %v", took, test.after)
				}
			})
		})
	}
}

// TestWhoTakesNothingIsCut: an answer that nobody reads is given up.
func TestWhoTakesNothingIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, gaveUp := time.Now(), make(chan time.Duration, 1)
		server, conn := serveOnPipe(t, func(w http.ResponseWriter, _ *http.Request) {
			_, err := w.Write(make([]byte, 1<<20))
			if err == nil {
				t.Error("it was written to nobody")
			}
			gaveUp <- time.Since(began)
		})
		defer server.Close()
		_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: quiz.example\r\n\r\n")
		if took := <-gaveUp; took != 30*time.Second {
			t.Errorf("given up after %v", took)
		}
	})
}

// TestFloodsOfHeadersAreRefused: before anything is made of them.
func TestFloodsOfHeadersAreRefused(t *testing.T) {
	const room = 16<<10 + 4<<10 // net/http adds a little to what it is told
	for name, test := range map[string]struct {
		header string
		want   string
	}{
		"one that is long":  {"X: " + strings.Repeat("x", room) + "\r\n", "431"},
		"many":              {strings.Repeat("X: y\r\n", room/6+1), "431"},
		"cookies":           {"Cookie: " + strings.Repeat("a=b; ", room/5+1) + "\r\n", "431"},
		"cookies that fit":  {"Cookie: " + strings.Repeat("a=b; ", 2000) + "\r\n", "200"},
		"two hosts":         {"Host: evil.example\r\n", "400"},
		"two lengths":       {"Content-Length: 1\r\nContent-Length: 2\r\n", "400"},
		"a length and more": {"Content-Length: x\r\n", "400"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, conn := serveOnPipe(t, func(_ http.ResponseWriter, r *http.Request) { r.Cookies() })
				defer server.Close()
				go func() { _, _ = fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: quiz.example\r\n%s\r\n", test.header) }()
				status := make([]byte, len("HTTP/1.1 200"))
				if _, err := io.ReadFull(conn, status); err != nil || !strings.HasSuffix(string(status), test.want) {
					t.Errorf("%q, %v, want %s", status, err, test.want)
				}
				_, _ = io.Copy(io.Discard, conn) // until the server has done with it
			})
		})
	}
}

// serveOnPipe starts our server and connects to it.
func serveOnPipe(t *testing.T, handle http.HandlerFunc) (*http.Server, net.Conn) {
	listener, server := newPipes(), newHTTPServer(handle)
	go func() { _ = serve(server, listener) }()
	conn := listener.dial()
	t.Cleanup(func() { _ = conn.Close() })
	return server, conn
}
