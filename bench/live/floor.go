package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"syscall"

	"github.com/gorilla/websocket"
)

const (
	bareInTurn = "bare writes in turn"
	bareAtOnce = "bare writes on every core"
)

// bareWrites is the floor: on a publish it does nothing but one write(2) of the ready frame for each socket. It has no deadline, no queue and no part of
// the frame that a socket does not take at once, and so no product could be it.
type bareWrites struct {
	writers int // goroutines that share the sockets

	mu      sync.Mutex // held while it writes, so that no descriptor is closed, and taken by another socket, meanwhile
	sockets map[int]struct{}
}

func (b *bareWrites) serve(w http.ResponseWriter, r *http.Request) {
	ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	conn := ws.NetConn()
	socket, err := descriptor(conn)
	if err != nil {
		conn.Close()
		return
	}
	b.mu.Lock()
	b.sockets[socket] = struct{}{}
	b.mu.Unlock()
	go func() {
		_, _ = io.Copy(io.Discard, conn)
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.sockets, socket)
		conn.Close()
	}()
}

func descriptor(conn net.Conn) (socket int, err error) {
	raw, err := conn.(syscall.Conn).SyscallConn()
	if err != nil {
		return 0, err
	}
	return socket, raw.Control(func(fd uintptr) { socket = int(fd) })
}

func (b *bareWrites) broadcast(message []byte) {
	const finalText, lengthFollows = 0x81, 126 // RFC 6455, section 5.2, of a message between 126 and 65535 bytes, as all here are
	frame := append(binary.BigEndian.AppendUint16([]byte{finalText, lengthFollows}, uint16(len(message))), message...)
	b.mu.Lock()
	defer b.mu.Unlock()
	var writing sync.WaitGroup
	sockets := slices.Collect(maps.Keys(b.sockets))
	for share := range slices.Chunk(sockets, max(1, (len(sockets)+b.writers-1)/b.writers)) {
		writing.Go(func() {
			for _, socket := range share {
				_, _ = syscall.Write(socket, frame) // who is gone, or does not take it, shows as a socket that was not reached
			}
		})
	}
	writing.Wait()
}

// measureFloors has bare writes meet Centrifugo with the largest crowd.
func (r *results) measureFloors(ctx context.Context, centrifugo *contender) error {
	for _, name := range []string{bareInTurn, bareAtOnce} {
		progress("%d sockets, %s", largestCrowd, name)
		if err := r.measureFloor(ctx, name, centrifugo); err != nil {
			return err
		}
	}
	return nil
}

func (r *results) measureFloor(ctx context.Context, name string, centrifugo *contender) error {
	bare, err := startPeer(ctx, name)
	if err != nil {
		return err
	}
	defer bare.process.stop()
	crowd, err := gather(ctx, bare, largestCrowd)
	if err != nil {
		return err
	}
	defer crowd.disperse()
	them, err := gather(ctx, centrifugo, largestCrowd) // for each anew: after some twenty seconds Centrifugo wants a pong of its own kind
	if err != nil {
		return err
	}
	defer them.disperse()
	return r.fight(ctx, duelIn(&r.floors, name, largestCrowd), crowd, them)
}

// floor is the faster of the floors beside Centrifugo.
func (r *results) floor() *duel {
	return slices.MinFunc(r.floors, func(a, b *duel) int { return cmp.Compare(a.ratio(), b.ratio()) })
}

// verdict says whether the first bar is out of reach; it is empty where it is not.
func (r *results) verdict() string {
	floor := r.floor()
	withCommand := float64(floor.ours.median()+quantile(r.command, 0.5)) / float64(floor.them.median())
	switch {
	case floor.ratio() > centrifugoBar:
		return fmt.Sprintf("The floor alone is above %.2f of Centrifugo: with the clients on the same cores, no server that writes to each socket by itself "+
			"can meet the first bar.", centrifugoBar)
	case withCommand > centrifugoBar:
		return fmt.Sprintf("The floor and the command together are %.2f of Centrifugo: with the clients on the same cores, no server that stores what it then "+
			"writes to each socket by itself can meet the first bar.", withCommand)
	default:
		return ""
	}
}
