package loadtest

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// wifi is a venue's network. When it is lost, the people there notice at once, and the server hears nothing at all: no farewell, only silence.
type wifi struct {
	mu    sync.Mutex
	lost  bool
	conns map[*airborne]bool
}

var errNoWiFi = errors.New("the venue has no network")

// over dials through the venue's network.
func (w *wifi) over(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if w.isLost() {
			return nil, errNoWiFi
		}
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.lost {
			conn.Close()
			return nil, errNoWiFi
		}
		a := &airborne{Conn: conn, wifi: w}
		if w.conns == nil {
			w.conns = map[*airborne]bool{}
		}
		w.conns[a] = true
		return a, nil
	}
}

func (w *wifi) isLost() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lost
}

// drop loses the network for d. What was connected then stays lost.
func (w *wifi) drop(ctx context.Context, d time.Duration) {
	w.mu.Lock()
	w.lost = true
	dead := w.conns
	w.conns = nil
	for a := range dead {
		a.lose()
	}
	w.mu.Unlock()
	sleep(ctx, d)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lost = false
	for a := range dead {
		a.Conn.Close() // now the server hears of it
	}
}

// airborne is a connection through a venue's network.
type airborne struct {
	net.Conn
	wifi *wifi

	mu   sync.Mutex
	lost bool
}

func (a *airborne) lose() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lost = true
	_ = a.Conn.SetDeadline(time.Unix(1, 0)) // who is waiting is told
}

func (a *airborne) isLost() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lost
}

func (a *airborne) Read(b []byte) (int, error)  { return a.unlessLost(a.Conn.Read(b)) }
func (a *airborne) Write(b []byte) (int, error) { return a.unlessLost(a.Conn.Write(b)) }

func (a *airborne) unlessLost(n int, err error) (int, error) {
	if err != nil && a.isLost() {
		return n, errNoWiFi
	}
	return n, err
}

// Close tells the server, unless nothing gets there.
func (a *airborne) Close() error {
	a.wifi.mu.Lock()
	defer a.wifi.mu.Unlock()
	if a.isLost() {
		return nil
	}
	delete(a.wifi.conns, a)
	return a.Conn.Close()
}

func (a *airborne) SetDeadline(t time.Time) error { return a.deadline(a.Conn.SetDeadline, t) }

func (a *airborne) SetReadDeadline(t time.Time) error { return a.deadline(a.Conn.SetReadDeadline, t) }

func (a *airborne) SetWriteDeadline(t time.Time) error { return a.deadline(a.Conn.SetWriteDeadline, t) }

func (a *airborne) deadline(set func(time.Time) error, t time.Time) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.lost {
		return errNoWiFi
	}
	return set(t)
}
