package browsertest

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"sync"
	"testing"
	"time"
)

// Network is a person's way to the server, as a proxy that browsers use. It can break as a pub's WiFi does.
type Network struct {
	server   *http.Server
	listener *breakable

	mu        sync.Mutex
	noSockets bool
	tunnels   map[net.Conn]bool
	ended     chan struct{}
}

// NewNetwork returns a network on which everything works. It ends with its test.
func NewNetwork(t testing.TB) *Network {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &Network{listener: &breakable{Listener: listener, open: map[*cuttable]bool{}}, tunnels: map[net.Conn]bool{}, ended: make(chan struct{})}
	onward := &http.Transport{DialContext: n.dial}
	forward := &httputil.ReverseProxy{
		Transport:    onward,
		Rewrite:      func(*httputil.ProxyRequest) {}, // a browser names the whole address
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	n.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			n.tunnel(w, r) // a WebSocket
			return
		}
		forward.ServeHTTP(w, r)
	})}
	done := make(chan error)
	go func() { done <- n.server.Serve(n.listener) }()
	t.Cleanup(func() {
		close(n.ended)
		n.server.Close()
		n.Break()
		onward.CloseIdleConnections()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return n
}

func (n *Network) address() string { return n.listener.Addr().String() }

// BlockSockets ends all WebSockets and lets none through from now on; everything else works.
func (n *Network) BlockSockets() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.noSockets = true
	for tunnel := range n.tunnels {
		tunnel.Close()
	}
}

// Break cuts every connection and lets none through until Mend.
func (n *Network) Break() { n.listener.cut(true) }

// Mend makes everything work again that Break broke.
func (n *Network) Mend() { n.listener.mend() }

// Worsen gives the connections that are made from now on a quality.
func (n *Network) Worsen(q Quality) {
	n.listener.mu.Lock()
	defer n.listener.mu.Unlock()
	n.listener.quality = q
}

// Flicker cuts every connection again and again, at random times between two that are so far apart, until the network ends.
func (n *Network) Flicker(least, most time.Duration) {
	go func() {
		for {
			select {
			case <-time.After(least + rand.N(most-least)):
				n.listener.cut(false)
			case <-n.ended:
				return
			}
		}
	}()
}

// dial connects to the server, on which what the browser sends is on its way for a while.
func (n *Network) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	n.listener.mu.Lock()
	defer n.listener.mu.Unlock()
	return n.listener.carry(conn, Quality{Latency: n.listener.quality.Asking}), nil
}

// tunnel connects a browser with the server for as long as both wish.
func (n *Network) tunnel(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	blocked := n.noSockets
	n.mu.Unlock()
	if blocked {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	server, err := n.dial(r.Context(), "tcp", r.Host)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer server.Close()
	browser, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer browser.Close()
	n.mu.Lock()
	n.tunnels[browser] = true
	n.mu.Unlock()
	defer func() {
		n.mu.Lock()
		delete(n.tunnels, browser)
		n.mu.Unlock()
	}()
	if _, err := io.WriteString(browser, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(server, buffered)
		server.Close()
	}()
	_, _ = io.Copy(browser, server)
}
