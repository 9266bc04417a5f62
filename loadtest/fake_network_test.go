package loadtest

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

func (f *fakeServer) socket(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{CheckOrigin: func(r *http.Request) bool { return r.Header.Get("Origin") == fakeURL }}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer conn.Close()
	if f.noSockets {
		message := websocket.FormatCloseMessage(websocket.CloseTryAgainLater, `{"retryAfter":30}`)
		_ = conn.WriteControl(websocket.CloseMessage, message, time.Now().Add(time.Second))
		return
	}
	f.mu.Lock()
	s := f.sessions[r.PathValue("session")]
	socket := &fakeSocket{role: r.PathValue("role"), player: s.player(r), out: make(chan map[string]any, 1000)}
	s.sockets[socket] = true
	socket.out <- map[string]any{"shared": s.shared(socket.role)}
	f.mu.Unlock()

	ctx, gone := context.WithCancel(context.Background())
	var writing sync.WaitGroup
	writing.Go(func() { f.write(ctx, s, socket, conn) })
	defer writing.Wait()
	defer gone()
	for {
		var message struct{ Answer map[string]any }
		if err := conn.ReadJSON(&message); err != nil {
			f.mu.Lock()
			delete(s.sockets, socket)
			f.mu.Unlock()
			return
		}
		f.mu.Lock()
		if o := f.answer(s, socket.player, message.Answer); o != nil {
			socket.out <- map[string]any{"outcome": o}
		}
		f.mu.Unlock()
	}
}

func (f *fakeServer) write(ctx context.Context, s *fakeSession, socket *fakeSocket, conn *websocket.Conn) {
	heartbeat := time.NewTicker(12 * time.Second)
	defer heartbeat.Stop()
	for {
		var message map[string]any
		select {
		case <-ctx.Done():
			return
		case message = <-socket.out:
		case <-heartbeat.C:
			f.mu.Lock()
			message = map[string]any{"v": s.version, "epoch": "e", "now": time.Now().UnixMilli()}
			f.mu.Unlock()
		}
		if err := conn.WriteJSON(message); err != nil {
			return
		}
	}
}

// pipeListener is a network without sockets.
type pipeListener struct {
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }
