package main

import (
	"encoding/binary"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"syscall"

	"github.com/gorilla/websocket"
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
