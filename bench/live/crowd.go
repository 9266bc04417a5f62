package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
	"golang.org/x/sync/errgroup"
)

// contender is a server with a way to it.
type contender struct {
	name    string
	process *process
	socket  func(i int) target
	// publish has one message sent to each of the first n sockets; it may return before they have it. Peers send the payload, ours what it has to say.
	publish func(ctx context.Context, n int, payload []byte) error
}

// target is where one socket goes.
type target struct {
	url    string
	header http.Header
	greet  []byte // what the client says first, if anything
}

// readBuffer holds a whole message, so that the clients, which share the machine, take it with one read.
const readBuffer = 2048

// crowd is n open sockets that wait for messages.
type crowd struct {
	contender *contender
	conns     []*websocket.Conn
	received  atomic.Int64
	last      atomic.Int64 // when the latest came, in nanoseconds since began
	began     time.Time
	lost      atomic.Int64
	why       atomic.Pointer[error] // the first was lost
	sample    atomic.Pointer[[]byte]
}

// gather opens n sockets, each hundred from an address of its own, as from so many venues.
func gather(ctx context.Context, c *contender, n int) (*crowd, error) {
	all := &crowd{contender: c, conns: make([]*websocket.Conn, n), began: time.Now()}
	opening, ctx := errgroup.WithContext(ctx)
	opening.SetLimit(32)
	for i := range n {
		opening.Go(func() error {
			from := &net.TCPAddr{IP: net.IPv4(127, 0, byte(1+i/100), 1)}
			dialer := websocket.Dialer{NetDialContext: (&net.Dialer{LocalAddr: from}).DialContext, ReadBufferSize: readBuffer, WriteBufferSize: 512}
			to := c.socket(i)
			ws, _, err := dialer.DialContext(ctx, to.url, to.header)
			if err != nil {
				return fmt.Errorf("socket %d to %s: %w", i, c.name, err)
			}
			if to.greet != nil {
				if err := ws.WriteMessage(websocket.TextMessage, to.greet); err != nil {
					return err
				}
			}
			all.conns[i] = ws
			go all.read(ws)
			return nil
		})
	}
	if err := opening.Wait(); err != nil {
		all.disperse()
		return nil, err
	}
	all.settle()
	return all, nil
}

func (all *crowd) disperse() {
	for _, ws := range all.conns {
		if ws != nil {
			ws.Close()
		}
	}
}

// settle waits until no message has come for a while.
func (all *crowd) settle() {
	for seen := int64(-1); seen != all.received.Load(); {
		seen = all.received.Load()
		time.Sleep(500 * time.Millisecond)
	}
}

// snapshotMark is in every message that a publish leads to, and in no other.
var snapshotMark = []byte(`"shared":`)

func (all *crowd) read(ws *websocket.Conn) {
	buffer := make([]byte, readBuffer)
	for {
		n := 0
		_, r, err := ws.NextReader()
		if err == nil {
			n, err = io.ReadFull(r, buffer)
		}
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			all.why.CompareAndSwap(nil, &err)
			all.lost.Add(1)
			return
		}
		if !bytes.Contains(buffer[:min(n, 100)], snapshotMark) {
			continue
		}
		all.last.Store(int64(time.Since(all.began)))
		if all.received.Add(1) == 1 {
			sample := bytes.Clone(buffer[:n])
			all.sample.Store(&sample)
		}
	}
}

// publish measures how long one message takes to the last of all sockets.
func (all *crowd) publish(ctx context.Context, payload []byte) (time.Duration, error) {
	before, n := all.received.Load(), int64(len(all.conns))
	began := time.Since(all.began)
	if err := all.contender.publish(ctx, len(all.conns), payload); err != nil {
		return 0, err
	}
	for deadline := time.Now().Add(20 * time.Second); all.received.Load()-before < n; {
		if lost := all.lost.Load(); lost > 0 {
			return 0, fmt.Errorf("%s: %d of %d sockets were lost: %w", all.contender.name, lost, n, *all.why.Load())
		}
		if time.Now().After(deadline) {
			return 0, fmt.Errorf("%s: %d of %d sockets got the message", all.contender.name, all.received.Load()-before, n)
		}
		time.Sleep(time.Millisecond)
	}
	return time.Duration(all.last.Load()) - began, nil
}

func post(ctx context.Context, url string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", url, res.Status, answer)
	}
	return err
}
