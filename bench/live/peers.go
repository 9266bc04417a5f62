package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"os/exec"
	"sync"
	"time"

	coder "github.com/coder/websocket"
	"github.com/gorilla/websocket"
	"github.com/prometheus/client_golang/prometheus/promhttp"
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
	address, err := freeAddress()
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

const (
	centrifugoAsItIs = "Centrifugo"
	centrifugoTuned  = "Centrifugo, small buffers"
	gorillaLoop      = "gorilla loop"
	gorillaHub       = "gorilla hub"
	coderWebsocket   = "coder/websocket"
)

// startPeers starts all peers; it returns those that it could start, also when it fails.
func startPeers(ctx context.Context, folder string) (peers []*contender, err error) {
	binary := folder + "/centrifugo"
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "github.com/centrifugal/centrifugo/v6").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	for _, start := range []func() (*contender, error){
		func() (*contender, error) { return startCentrifugo(ctx, binary, centrifugoAsItIs, "") },
		func() (*contender, error) {
			return startCentrifugo(ctx, binary, centrifugoTuned, `"websocket": {"read_buffer_size": 512, "use_write_buffer_pool": true},`)
		},
		func() (*contender, error) { return startPeer(ctx, gorillaLoop) },
		func() (*contender, error) { return startPeer(ctx, gorillaHub) },
		func() (*contender, error) { return startPeer(ctx, coderWebsocket) },
	} {
		peer, err := start()
		if err != nil {
			return peers, err
		}
		peers = append(peers, peer)
	}
	return peers, nil
}

// startCentrifugo starts Centrifugo with its default settings, but for those given and what lets anybody in.
func startCentrifugo(ctx context.Context, binary, name, settings string) (*contender, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	config := binary + "-" + port + ".json"
	err = os.WriteFile(config, fmt.Appendf(nil, `{
		"http_server": {"address": %q, "port": %q}, "http_api": {"insecure": true}, "log": {"level": "error"}, %s
		"client": {"insecure": true, "allowed_origins": ["*"]},
		"channel": {"without_namespace": {"allow_subscribe_for_client": true, "allow_subscribe_for_anonymous": true}},
		"debug": {"enabled": true}, "prometheus": {"enabled": true}, "health": {"enabled": true}
	}`, host, port, settings), 0o600)
	if err != nil {
		return nil, err
	}
	base := "http://" + address
	p, err := startProcess(ctx, exec.Command(binary, "--config", config), base+"/health", base)
	if err != nil {
		return nil, err
	}
	return &contender{
		name: name, process: p,
		socket: func(int) target {
			return target{url: "ws://" + address + "/connection/websocket", greet: []byte(`{"id":1,"connect":{}}` + "\n" + `{"id":2,"subscribe":{"channel":"room"}}`)}
		},
		publish: func(ctx context.Context, _ int, payload []byte) error {
			return post(ctx, base+"/api/publish", fmt.Appendf(nil, `{"channel":"room","data":%s}`, payload))
		},
	}, nil
}
