package main

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"time"
)

// doors is where a proxy's connections come in. An instance that cannot reach what it needs shuts them, and nobody listens: the proxy then asks another instance, also
// for what it must not send twice, which no answer could have it do.
type doors struct {
	address net.Addr

	mu      sync.Mutex
	open    net.Listener  // nil while they are shut
	changed chan struct{} // closed when they are opened or closed for good
	closed  bool
}

func newDoors(l net.Listener) *doors {
	return &doors{address: l.Addr(), open: l, changed: make(chan struct{})}
}

// doorsEvery is how often it is looked whether the doors should be open.
const doorsEvery = time.Second

// keep shuts the doors while the server cannot reach its database, and sends away who is inside, until ctx ends.
func (d *doors) keep(ctx context.Context, s *server) {
	ticker := time.NewTicker(doorsEvery)
	defer ticker.Stop()
	shut := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		switch should := s.sessions.OutOfTouch(); {
		case should && !shut:
			slog.Error("the database cannot be reached; until it can, nobody is let in, so that the proxy turns to another instance")
			d.shut()
			s.http.SetKeepAlivesEnabled(false) // nor is more asked on a connection that is open
			s.web.DrainSockets(ctx, socketSpread)
			shut = true
		case shut && !should:
			if err := d.reopen(); err != nil {
				slog.Error("listening again failed; trying again", "error", err)
				continue
			}
			s.http.SetKeepAlivesEnabled(true)
			s.web.TakeSockets()
			slog.Warn("the database can be reached again")
			shut = false
		}
	}
}

func (d *doors) shut() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open != nil {
		_ = d.open.Close()
		d.open = nil
	}
}

func (d *doors) reopen() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	l, err := net.Listen(d.address.Network(), d.address.String())
	if err != nil {
		return err
	}
	d.open = l
	close(d.changed)
	d.changed = make(chan struct{})
	return nil
}

// Accept waits for a connection, and while the doors are shut for their opening.
func (d *doors) Accept() (net.Conn, error) {
	for {
		d.mu.Lock()
		open, changed, closed := d.open, d.changed, d.closed
		d.mu.Unlock()
		switch {
		case closed:
			return nil, net.ErrClosed
		case open == nil:
			<-changed
			continue
		}
		conn, err := open.Accept()
		if err == nil || d.holds(open) {
			return conn, err
		}
	}
}

// holds reports whether this is still where connections come in.
func (d *doors) holds(l net.Listener) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open == l
}

// Close shuts the doors for good.
func (d *doors) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	close(d.changed)
	if d.open == nil {
		return nil
	}
	err := d.open.Close()
	d.open = nil
	return err
}

// Addr is where they are, open or shut.
func (d *doors) Addr() net.Addr { return d.address }
