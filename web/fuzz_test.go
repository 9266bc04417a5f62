package web

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/gorilla/websocket"
)

// onPipe is the answer to a request that came over a connection which is no network's.
type onPipe struct {
	http.ResponseWriter
	conn net.Conn
}

func (p onPipe) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return p.conn, bufio.NewReadWriter(bufio.NewReader(p.conn), bufio.NewWriter(p.conn)), nil
}

// heard opens a socket over which these bytes come, and returns what is heard on it: each message, and how it ended. tookPong takes the pongs between messages, or
// gorilla does.
func heard(t *testing.T, sent []byte, tookPong func(*line) bool) []string {
	t.Helper()
	server, phone := net.Pipe()
	defer phone.Close()
	go func() { _, _ = io.Copy(io.Discard, phone) }()
	upgrade := httptest.NewRequestWithContext(t.Context(), "GET", "/socket", nil)
	for name, value := range map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="} {
		upgrade.Header.Set(name, value)
	}
	ws, err := new(websocket.Upgrader).Upgrade(hijacker{onPipe{httptest.NewRecorder(), server}}, upgrade, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	ws.SetReadLimit(socketReadLimit)
	ws.SetPingHandler(func(string) error { return nil }) // ours answers later, too
	go func() {
		_, _ = phone.Write(sent)
		_ = phone.Close()
	}()
	l := ws.NetConn().(*line)
	var messages []string
	for {
		if tookPong(l) {
			continue
		}
		kind, message, err := ws.ReadMessage()
		if err != nil {
			return messages
		}
		if len(message) > socketReadLimit {
			t.Fatalf("a message of %d bytes", len(message))
		}
		messages = append(messages, fmt.Sprintf("%d %s", kind, message))
	}
}

// FuzzFrames: whatever bytes come over a socket, what is heard is what gorilla hears, whose own way with pongs would pin its buffers.
func FuzzFrames(f *testing.F) {
	f.Fuzz(func(t *testing.T, sent []byte) {
		ours := heard(t, sent, (*line).tookPong)
		theirs := heard(t, sent, func(*line) bool { return false })
		if !slices.Equal(ours, theirs) {
			t.Errorf("heard %q, and gorilla hears %q", ours, theirs)
		}
	})
}

// FuzzMessage: what is taken for an answer is nothing but one, and is the same when it is sent again. No choices are none, whether or not there is a list of them.
func FuzzMessage(f *testing.F) {
	f.Fuzz(func(t *testing.T, message []byte) {
		a, ok := answerIn(message)
		if !ok {
			return
		}
		if !json.Valid(message) {
			t.Errorf("%q is taken for JSON", message)
		}
		again, err := json.Marshal(map[string]any{"answer": a})
		if err != nil {
			t.Fatal(err)
		}
		if b, ok := answerIn(again); !ok || !cmp.Equal(a, b, cmpopts.EquateEmpty()) {
			t.Errorf("%+v sent again as %s is %+v, %v", a, again, b, ok)
		}
	})
}
