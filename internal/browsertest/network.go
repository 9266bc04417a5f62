package browsertest

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"sync"
	"testing"
)

// Network is a person's way to the server, as a proxy that browsers use. It can break as a pub's WiFi does.
type Network struct {
	server   *http.Server
	listener *breakable

	mu        sync.Mutex
	noSockets bool
	tunnels   map[net.Conn]bool
}

// NewNetwork returns a network on which everything works. It ends with its test.
func NewNetwork(t testing.TB) *Network {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &Network{listener: &breakable{Listener: listener, open: map[net.Conn]bool{}}, tunnels: map[net.Conn]bool{}}
	forward := &httputil.ReverseProxy{
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
		n.server.Close()
		n.Break()
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
func (n *Network) Break() { n.listener.breakAll() }

// Mend makes everything work again that Break broke.
func (n *Network) Mend() { n.listener.mend() }

// tunnel connects a browser with the server for as long as both wish.
func (n *Network) tunnel(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	blocked := n.noSockets
	n.mu.Unlock()
	if blocked {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	server, err := net.Dial("tcp", r.Host)
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

// breakable is a listener whose connections can all be cut.
type breakable struct {
	net.Listener

	mu     sync.Mutex
	broken bool
	open   map[net.Conn]bool
}

func (b *breakable) Accept() (net.Conn, error) {
	for {
		conn, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		b.mu.Lock()
		if !b.broken {
			b.open[conn] = true
			b.mu.Unlock()
			return &cuttable{Conn: conn, from: b}, nil
		}
		b.mu.Unlock()
		conn.Close()
	}
}

func (b *breakable) breakAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.broken = true
	for conn := range b.open {
		conn.Close()
	}
}

func (b *breakable) mend() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.broken = false
}

// cuttable forgets itself when it is closed.
type cuttable struct {
	net.Conn
	from *breakable
}

func (c *cuttable) Close() error {
	c.from.mu.Lock()
	delete(c.from.open, c.Conn)
	c.from.mu.Unlock()
	return c.Conn.Close()
}
