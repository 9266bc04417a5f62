package main

import (
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"testing"
	"time"
)

// proxy is a stretch of network that can be cut and held up. It passes on what it is given, between sockets of any kind.
type proxy struct {
	listener         net.Listener
	network, address string // where it leads

	mu      sync.Mutex
	pairs   map[*pair]struct{}
	came    []time.Time // the connections
	severed bool
	stalled chan struct{} // closed when nothing is held up
}

type pair struct{ near, far net.Conn }

// newProxy listens until the test ends.
func newProxy(t *testing.T, listen, listenAddress, network, address string) *proxy {
	t.Helper()
	l, err := net.Listen(listen, listenAddress)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, network: network, address: address, pairs: map[*pair]struct{}{}, stalled: make(chan struct{})}
	close(p.stalled)
	t.Cleanup(func() {
		_ = l.Close()
		p.cut(rand.New(rand.NewPCG(0, 0)), 1)
	})
	go p.serve()
	return p
}

func (p *proxy) serve() {
	for {
		near, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		p.came = append(p.came, time.Now())
		p.mu.Unlock()
		go func() {
			far, err := net.Dial(p.network, p.address)
			if err != nil {
				_ = near.Close()
				return
			}
			both := &pair{near, far}
			p.mu.Lock()
			severed := p.severed
			p.pairs[both] = struct{}{}
			p.mu.Unlock()
			if severed {
				both.close()
			}
			var pumping sync.WaitGroup
			pumping.Go(func() { p.pump(far, near); both.close() })
			pumping.Go(func() { p.pump(near, far); both.close() })
			pumping.Wait()
			p.mu.Lock()
			delete(p.pairs, both)
			p.mu.Unlock()
		}()
	}
}

// since lists when connections came after a moment, in order.
func (p *proxy) since(moment time.Time) []time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	after, _ := slices.BinarySearchFunc(p.came, moment, time.Time.Compare)
	return slices.Clone(p.came[after:])
}

func (p *proxy) pump(to io.Writer, from io.Reader) {
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		p.mu.Lock()
		stalled := p.stalled
		p.mu.Unlock()
		<-stalled
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// cut resets a share of the connections: what is under way in them is lost.
func (p *proxy) cut(random *rand.Rand, share float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for both := range p.pairs {
		if random.Float64() < share {
			both.close()
		}
	}
}

func (both *pair) close() {
	for _, conn := range []net.Conn{both.near, both.far} {
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // a reset, as from a network that has gone
		}
		_ = conn.Close()
	}
}

// sever cuts all connections and lets none through until the function it returns is called.
func (p *proxy) sever() (mend func()) {
	p.setSevered(true)
	p.cut(rand.New(rand.NewPCG(0, 0)), 1)
	return func() { p.setSevered(false) }
}

func (p *proxy) setSevered(severed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.severed = severed
}

// stall holds everything up, in both directions, until the function it returns is called.
func (p *proxy) stall() (goOn func()) {
	stalled := make(chan struct{})
	p.mu.Lock()
	p.stalled = stalled
	p.mu.Unlock()
	return func() { close(stalled) }
}
