package web

import (
	"bufio"
	"encoding/binary"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"time"
)

// line is what a WebSocket goes over. Whoever writes frames to it, they go out whole and one after the other; and a frame
// for many phones is offered to each without waiting for any.
type line struct {
	net.Conn
	raw syscall.RawConn
	in  *bufio.Reader // what gorilla reads from

	unheard int // bytes that have come since the last message or pong was whole; only whoever reads touches it

	mu   sync.Mutex // held while frames are written
	shut bool       // nothing may follow: a close was sent, or a frame only in part
}

// lineReadBuffer holds an answer. gorilla takes over a reader that is larger than 256 bytes.
const lineReadBuffer = 288

// hijacker makes a line of the connection that it gives away.
type hijacker struct{ http.ResponseWriter }

func (h hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	l := &line{Conn: conn}
	if sc, ok := conn.(syscall.Conn); ok {
		if l.raw, err = sc.SyscallConn(); err != nil {
			_ = conn.Close() // nobody else has it any more
			return nil, nil, err
		}
	}
	if rw.Reader.Buffered() == 0 { // otherwise the upgrade fails
		rw.Reader = bufio.NewReaderSize(l, lineReadBuffer)
	}
	l.in = rw.Reader
	return l, rw, nil
}

// unheardMost is what the longest message takes in pieces of one byte, each with a header and a mask. Pieces that are empty, and what comes between them, gorilla takes
// without end and without telling.
const unheardMost = socketReadLimit*(2+4+1) + lineReadBuffer

// Read reads for in.
func (l *line) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p)
	if l.unheard += n; l.unheard > unheardMost {
		return 0, errFlooded
	}
	return n, err
}

// SetWriteDeadline does nothing: every write has a deadline of its own.
func (l *line) SetWriteDeadline(time.Time) error { return nil }

// Write writes one frame of gorilla's, which are few: what it answers itself.
func (l *line) Write(frame []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shut {
		return 0, net.ErrClosed
	}
	l.shut = frame[0] == finalBit|opClose
	return len(frame), l.finish(frame)
}

// send writes frames as far as the socket takes them at once. rest, if it is not nil, writes what is left, and waits for
// the phone to take it, though not for ever.
func (l *line) send(frames []byte) (rest func() error, err error) {
	if l.raw == nil || !l.mu.TryLock() {
		return func() error {
			l.mu.Lock()
			return l.finishLocked(frames)
		}, nil
	}
	if l.shut {
		l.mu.Unlock()
		return nil, net.ErrClosed
	}
	n, err := l.offer(frames)
	if err != nil || n == len(frames) {
		l.mu.Unlock()
		return nil, err
	}
	return func() error { return l.finishLocked(frames[n:]) }, nil
}

// finishLocked is finish, and unlocks.
func (l *line) finishLocked(frames []byte) error {
	defer l.mu.Unlock()
	if l.shut {
		return net.ErrClosed
	}
	return l.finish(frames)
}

// finish writes all, each piece within socketWriteTimeout: a console's snapshot of two thousand seats may take a slow line longer than that.
func (l *line) finish(frames []byte) (err error) {
	for piece := range slices.Chunk(frames, socketSendBuffer) {
		_ = l.Conn.SetWriteDeadline(time.Now().Add(socketWriteTimeout))
		if _, err = l.Conn.Write(piece); err != nil {
			break
		}
	}
	_ = l.Conn.SetWriteDeadline(time.Time{})
	l.shut = l.shut || err != nil
	return err
}

// offer writes what the socket takes at once, which may be nothing.
func (l *line) offer(frames []byte) (n int, err error) {
	o := offers.Get().(*offer)
	defer offers.Put(o)
	o.frames = frames
	err = l.raw.Write(o.write)
	n, o.frames = o.n, nil
	switch {
	case err != nil:
		return 0, err
	case errors.Is(o.err, syscall.EAGAIN):
		return 0, nil
	default:
		return max(n, 0), o.err
	}
}

// offer is one attempt to write.
type offer struct {
	frames []byte
	n      int
	err    error
	write  func(fd uintptr) bool // made once, since it would be made anew for every attempt otherwise
}

var offers = sync.Pool{New: func() any {
	o := &offer{}
	o.write = func(fd uintptr) bool {
		for {
			if o.n, o.err = syscall.Write(int(fd), o.frames); o.err != syscall.EINTR {
				return true
			}
		}
	}
	return o
}}

// Parts of a frame's header, by RFC 6455, section 5.2.
const (
	finalBit = 0x80
	maskBit  = 0x80

	opText  = 1
	opClose = 8
	opPing  = 9
	opPong  = 10
)

// appendFrame adds the header of a frame of n bytes.
func appendFrame(b []byte, op byte, n int) []byte {
	b = append(b, finalBit|op)
	switch {
	case n < 126:
		return append(b, byte(n))
	case n < 1<<16:
		return binary.BigEndian.AppendUint16(append(b, 126), uint16(n))
	default:
		return binary.BigEndian.AppendUint64(append(b, 127), uint64(n))
	}
}

// appendMessage adds the message {"name": body} in one frame.
func appendMessage(b []byte, name string, body []byte) []byte {
	b = appendFrame(b, opText, len(name)+len(body)+len(`{"":}`))
	b = append(b, `{"`...)
	b = append(b, name...)
	b = append(b, `":`...)
	b = append(b, body...)
	return append(b, '}')
}

// tookPong takes a pong from what has arrived, and reports whether there was one. gorilla would take it too, but then go
// on to wait for a message.
func (l *line) tookPong() bool {
	header, err := l.in.Peek(2)
	if err != nil || header[0] != finalBit|opPong || header[1]&maskBit == 0 {
		return false
	}
	const mask, mostInControl = 4, 125
	n := int(header[1] &^ maskBit)
	if n > mostInControl { // which gorilla refuses
		return false
	}
	_, err = l.in.Discard(2 + mask + n)
	return err == nil
}
