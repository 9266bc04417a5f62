package browsertest

import (
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// Quality is how well a network carries what is on its way. The zero value is as good as can be.
type Quality struct {
	Latency, Jitter time.Duration // until something arrives at the browser, more or less
	Speed           int           // of that, in bytes a second; 0 for any
	Asking          time.Duration // until something that the browser sends arrives
}

// Networks that there are in pubs.
var (
	// Slow4G is what browsers call so.
	Slow4G = Quality{Latency: 150 * time.Millisecond, Speed: 1_600_000 / 8}
	// Laggy is a WiFi with too many people on it.
	Laggy = Quality{Latency: 800 * time.Millisecond, Jitter: 400 * time.Millisecond}
)

// arrival is when something arrives that is sent now, behind what is on its way already.
func (q Quality) arrival(size int, last time.Time) time.Time {
	at := time.Now().Add(q.Latency + time.Duration((2*rand.Float64()-1)*float64(q.Jitter)))
	if at.Before(last) {
		at = last
	}
	if q.Speed > 0 {
		at = at.Add(time.Duration(size) * time.Second / time.Duration(q.Speed))
	}
	return at
}

// breakable is a listener whose connections can all be cut.
type breakable struct {
	net.Listener

	mu      sync.Mutex
	broken  bool
	quality Quality
	open    map[*cuttable]bool
}

func (b *breakable) Accept() (net.Conn, error) {
	for {
		conn, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		b.mu.Lock()
		if !b.broken {
			c := b.carry(conn, b.quality)
			b.open[c] = true
			b.mu.Unlock()
			return c, nil
		}
		b.mu.Unlock()
		conn.Close()
	}
}

// carry gives a connection a quality.
func (b *breakable) carry(conn net.Conn, q Quality) *cuttable {
	c := &cuttable{Conn: conn, from: b, quality: q, underWay: make(chan parcel, 1024), closed: make(chan struct{}), gone: make(chan struct{})}
	if c.late() {
		go c.deliver()
	}
	return c
}

// cut resets what is open, and with breaking lets nothing through from then on.
func (b *breakable) cut(breaking bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.broken = b.broken || breaking
	for c := range b.open {
		if tcp, ok := c.Conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // a reset, as from a network that has gone
		}
		c.Conn.Close()
		c.going.Do(func() { close(c.gone) })
	}
}

func (b *breakable) mend() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.broken = false
}

// cuttable forgets itself when it is closed. What is written to it arrives in order, and late.
type cuttable struct {
	net.Conn
	from     *breakable
	quality  Quality
	last     time.Time // when what was written before arrives
	underWay chan parcel

	closing sync.Once
	closed  chan struct{} // nothing more is written to it
	going   sync.Once
	gone    chan struct{} // nothing more arrives
}

// parcel is something on its way.
type parcel struct {
	content []byte
	at      time.Time
}

func (c *cuttable) Write(content []byte) (int, error) {
	if !c.late() {
		return c.Conn.Write(content)
	}
	c.last = c.quality.arrival(len(content), c.last)
	select {
	case c.underWay <- parcel{append([]byte(nil), content...), c.last}:
		return len(content), nil
	case <-c.closed:
		return 0, net.ErrClosed
	case <-c.gone:
		return 0, net.ErrClosed
	}
}

// deliver lets everything arrive at its time, also what was written before the end.
func (c *cuttable) deliver() {
	defer func() { _ = c.end() }()
	for {
		select {
		case p := <-c.underWay:
			if !c.hand(p) {
				return
			}
		case <-c.closed:
			for len(c.underWay) > 0 && c.hand(<-c.underWay) {
				continue
			}
			return
		case <-c.gone:
			return
		}
	}
}

// hand hands a parcel over when it is time. False if there is no connection any more.
func (c *cuttable) hand(p parcel) bool {
	select {
	case <-time.After(time.Until(p.at)):
		_, err := c.Conn.Write(p.content)
		return err == nil
	case <-c.gone:
		return false
	}
}

func (c *cuttable) Close() error {
	c.closing.Do(func() { close(c.closed) })
	if c.late() {
		return nil // it ends when everything has arrived
	}
	return c.end()
}

func (c *cuttable) end() error {
	c.from.mu.Lock()
	delete(c.from.open, c)
	c.from.mu.Unlock()
	return c.Conn.Close()
}

func (c *cuttable) late() bool { return c.quality != (Quality{}) }
