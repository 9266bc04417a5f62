package main

import (
	"context"
	"io"
	"net/http"
	"net/http/pprof"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	coder "github.com/coder/websocket"
	"github.com/gorilla/websocket"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"pubquiz/internal/freeport"
)

// broadcaster is one well-known way to send a message to every socket.
type broadcaster interface {
	serve(w http.ResponseWriter, r *http.Request)
	broadcast(message []byte)
}

var broadcasters = map[string]func() broadcaster{
	gorillaLoop:    func() broadcaster { return &loop{conns: map[*websocket.Conn]struct{}{}} },
	gorillaHub:     func() broadcaster { return &hub{clients: map[chan *websocket.PreparedMessage]struct{}{}} },
	coderWebsocket: func() broadcaster { return &coderHub{clients: map[chan []byte]struct{}{}} },
	bareInTurn:     func() broadcaster { return &bareWrites{writers: 1, sockets: map[int]struct{}{}} },
	bareAtOnce:     func() broadcaster { return &bareWrites{writers: runtime.GOMAXPROCS(0), sockets: map[int]struct{}{}} },
}

// servePeer is what this program does when it is started as a peer: it serves one broadcaster, and sends to all sockets what is posted to it.
func servePeer(name, address string) error {
	b := broadcasters[name]()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /socket", b.serve)
	mux.HandleFunc("POST /publish", func(_ http.ResponseWriter, r *http.Request) {
		if message, err := io.ReadAll(r.Body); err == nil {
			b.broadcast(message)
		}
	})
	mux.Handle("GET /metrics", promhttp.Handler())
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	return http.ListenAndServe(address, mux)
}

// startPeer starts a broadcaster as a process.
func startPeer(ctx context.Context, name string) (*contender, error) {
	address, err := freeport.Loopback()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p, err := startProcess(ctx, exec.Command(self, "-peer", name, "-address", address), "http://"+address+"/metrics", "http://"+address)
	if err != nil {
		return nil, err
	}
	return &contender{
		name: name, process: p,
		socket: func(int) target { return target{url: "ws://" + address + "/socket"} },
		publish: func(ctx context.Context, _ int, payload []byte) error {
			return post(ctx, "http://"+address+"/publish", payload)
		},
	}, nil
}

// loop writes to one socket after the other.
type loop struct {
	mu    sync.Mutex
	conns map[*websocket.Conn]struct{}
}

func (l *loop) serve(w http.ResponseWriter, r *http.Request) {
	ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	l.mu.Lock()
	l.conns[ws] = struct{}{}
	l.mu.Unlock()
	readUntilGone(ws)
	l.mu.Lock()
	delete(l.conns, ws)
	l.mu.Unlock()
}

func (l *loop) broadcast(message []byte) {
	prepared, err := websocket.NewPreparedMessage(websocket.TextMessage, message)
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for ws := range l.conns {
		_ = ws.SetWriteDeadline(time.Now().Add(writeTimeout))
		_ = ws.WritePreparedMessage(prepared)
	}
}

const writeTimeout = 5 * time.Second

func readUntilGone(ws *websocket.Conn) {
	defer ws.Close()
	for {
		if _, _, err := ws.ReadMessage(); err != nil {
			return
		}
	}
}

// hub gives every connection a channel and a goroutine that writes what comes through it, as gorilla's chat example does.
type hub struct {
	mu      sync.Mutex
	clients map[chan *websocket.PreparedMessage]struct{}
}

func (h *hub) serve(w http.ResponseWriter, r *http.Request) {
	ws, err := (&websocket.Upgrader{ReadBufferSize: 1024, WriteBufferSize: 1024}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	messages := make(chan *websocket.PreparedMessage, 256)
	h.mu.Lock()
	h.clients[messages] = struct{}{}
	h.mu.Unlock()
	go func() {
		for message := range messages {
			_ = ws.SetWriteDeadline(time.Now().Add(writeTimeout))
			if ws.WritePreparedMessage(message) != nil {
				ws.Close()
			}
		}
	}()
	go func() {
		readUntilGone(ws)
		h.mu.Lock()
		delete(h.clients, messages)
		close(messages)
		h.mu.Unlock()
	}()
}

func (h *hub) broadcast(message []byte) {
	prepared, err := websocket.NewPreparedMessage(websocket.TextMessage, message)
	if err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for messages := range h.clients {
		select {
		case messages <- prepared:
		default: // a slow one misses it
		}
	}
}

// coderHub is the chat example of coder/websocket.
type coderHub struct {
	mu      sync.Mutex
	clients map[chan []byte]struct{}
}

func (h *coderHub) serve(w http.ResponseWriter, r *http.Request) {
	ws, err := coder.Accept(w, r, &coder.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return
	}
	defer ws.CloseNow()
	messages := make(chan []byte, 16)
	h.mu.Lock()
	h.clients[messages] = struct{}{}
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.clients, messages)
		h.mu.Unlock()
	}()
	ctx := ws.CloseRead(context.Background())
	for {
		select {
		case message := <-messages:
			writing, cancel := context.WithTimeout(ctx, writeTimeout)
			err := ws.Write(writing, coder.MessageText, message)
			cancel()
			if err != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

func (h *coderHub) broadcast(message []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for messages := range h.clients {
		select {
		case messages <- message:
		default:
		}
	}
}
