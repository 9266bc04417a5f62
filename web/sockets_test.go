package web

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pubquiz/quiz"
	"pubquiz/ratelimit"
)

// socket is a screen's end of a WebSocket.
type socket struct {
	t  *testing.T
	ws *websocket.Conn
}

// dial opens a socket with a browser's cookies, as a page of our own.
func (l *live) dial(b *browser, role string) *socket {
	l.t.Helper()
	ws, _, err := l.tryDial(b, role, l.url)
	if err != nil {
		l.t.Fatal(err)
	}
	return &socket{l.t, ws}
}

func (l *live) tryDial(b *browser, role, origin string) (*websocket.Conn, *http.Response, error) {
	dialer := websocket.Dialer{Jar: b.http.Jar}
	header := http.Header{}
	if origin != "" {
		header.Set("Origin", origin)
	}
	ws, res, err := dialer.DialContext(l.t.Context(), strings.Replace(l.url, "http", "ws", 1)+l.path(role+"/socket"), header)
	if err == nil {
		l.t.Cleanup(func() { _ = ws.Close() })
	}
	return ws, res, err
}

// next reads until a message with this member comes, and returns the member.
func (s *socket) next(member string) map[string]any {
	s.t.Helper()
	_ = s.ws.SetReadDeadline(time.Now().Add(ampleTime))
	for {
		_, message, err := s.ws.ReadMessage()
		if err != nil {
			s.t.Fatalf("waiting for %s: %v", member, err)
		}
		if err := undescribedMessage(message); err != nil {
			s.t.Errorf("%s is not described: %v", message, err)
		}
		var m map[string]json.RawMessage
		if err := json.Unmarshal(message, &m); err != nil {
			s.t.Fatal(err)
		}
		if raw, ok := m[member]; ok {
			var value map[string]any
			if err := json.Unmarshal(raw, &value); err != nil {
				s.t.Fatal(err)
			}
			return value
		}
	}
}

// closeCode reads until the server closes, and returns its code and reason.
func (s *socket) closeCode() (int, string) {
	s.t.Helper()
	_ = s.ws.SetReadDeadline(time.Now().Add(ampleTime))
	for {
		if _, _, err := s.ws.ReadMessage(); err != nil {
			closed, ok := err.(*websocket.CloseError)
			if !ok {
				s.t.Fatalf("not closed but %v", err)
			}
			return closed.Code, closed.Text
		}
	}
}

func (s *socket) send(v any) {
	s.t.Helper()
	if err := s.ws.WriteJSON(v); err != nil {
		s.t.Fatal(err)
	}
}

// firstGiven is an answer to the sample's first question.
func firstGiven() map[string]any {
	if quiz.Sample().Rounds[0].Questions[0].Kind == quiz.Text {
		return map[string]any{"text": "something"}
	}
	return map[string]any{"choices": []int{0}}
}

func socketAnswer(id string) map[string]any {
	return map[string]any{"answer": map[string]any{"id": id, "question": "1.1", "given": firstGiven()}}
}

func TestSocketCarriesTheGame(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Alice")
	ps := l.dial(phone, "participant")
	if shared := ps.next("shared"); shared["phase"] != "lobby" || shared["role"] != "participant" {
		t.Errorf("first came %v", shared)
	}
	if personal := ps.next("personal"); personal["name"] != "Alice" {
		t.Errorf("then %v", personal)
	}
	hs := l.dial(l.host, "host")
	hs.next("shared")
	l.command("next")
	if shared := ps.next("shared"); shared["phase"] != "round" {
		t.Errorf("after next: %v", shared)
	}
	l.command("launch")
	if shared := ps.next("shared"); shared["phase"] != "open" {
		t.Errorf("after launch: %v", shared)
	}
	ps.send(socketAnswer("a1"))
	if out := ps.next("outcome"); out["id"] != "a1" || out["outcome"] != "accepted" || out["question"] != "1.1" {
		t.Errorf("the answer's outcome: %v", out)
	}
	for live := hs.next("live"); live["answered"] != 1.0; live = hs.next("live") {
		continue // the counter comes within a quarter of a second
	}
	ps.send(socketAnswer("a2"))
	if out := ps.next("outcome"); out["outcome"] != "already-answered" || out["given"] == nil {
		t.Errorf("a second answer: %v", out)
	}
	ps.send(map[string]any{"answer": map[string]any{"id": "a3", "question": "1.1", "given": map[string]any{}}})
	if out := ps.next("outcome"); out["outcome"] != "invalid" || out["detail"] == nil {
		t.Errorf("a malformed answer: %v", out)
	}
	l.command("close")
	l.command("reveal")
	if shared := ps.next("shared"); shared["phase"] != "closed" {
		t.Errorf("after close: %v", shared)
	}
	if shared := ps.next("shared"); shared["phase"] != "revealed" || shared["answer"] == nil {
		t.Errorf("after reveal: %v", shared)
	}
	if personal := ps.next("personal"); personal["answer"].(map[string]any)["verdict"] == nil {
		t.Errorf("after reveal the phone is told %v", personal)
	}
}

func TestSocketAnswersAreLimited(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Eager")
	ps := l.dial(phone, "participant")
	outcomes := map[any]int{}
	for range ratelimit.SubmitAnswer.Budget {
		ps.send(socketAnswer("a"))
		outcomes[ps.next("outcome")["outcome"]]++
	}
	ps.send(socketAnswer("a"))
	out := ps.next("outcome")
	if outcomes["not-this-question"] != ratelimit.SubmitAnswer.Budget || out["outcome"] != "limited" || out["retryAfter"].(float64) < 1 {
		t.Errorf("%v, then %v", outcomes, out)
	}
	// The same budget over HTTP: what was used on the socket is used.
	r := phone.send("POST", l.path("answers"), socketAnswer("a")["answer"])
	if r.status != http.StatusTooManyRequests || r.json(t)["limiter"] != "submitAnswer" {
		t.Errorf("over HTTP: %d %s", r.status, r.body)
	}
}

func TestSocketRefusals(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Alice")
	t.Run("another site's page", func(t *testing.T) {
		for _, origin := range []string{"https://evil.example", "", "null"} {
			ws, res, err := l.tryDial(phone, "participant", origin)
			if err == nil {
				_ = ws.Close()
				t.Errorf("opened for origin %q", origin)
			} else if res == nil || res.StatusCode != http.StatusForbidden {
				t.Errorf("origin %q: %v", origin, err)
			}
		}
	})
	t.Run("no token", func(t *testing.T) {
		if code, _ := l.dial(s.browser(), "participant").closeCode(); code != closeInvalidToken {
			t.Errorf("closed with %d", code)
		}
	})
	t.Run("a participant asks for the host's role", func(t *testing.T) {
		if code, _ := l.dial(phone, "host").closeCode(); code != closeInvalidToken {
			t.Errorf("closed with %d", code)
		}
	})
	t.Run("host and big screen only listen", func(t *testing.T) {
		hs := l.dial(l.host, "host")
		hs.send(socketAnswer("a"))
		if code, _ := hs.closeCode(); code != closeMalformed {
			t.Errorf("closed with %d", code)
		}
	})
	t.Run("malformed", func(t *testing.T) {
		for _, message := range []any{map[string]any{}, map[string]any{"answer": nil}, []int{}, map[string]any{"answer": map[string]any{"is_admin": true}}} {
			ps := l.dial(phone, "participant")
			ps.send(message)
			if code, _ := ps.closeCode(); code != closeMalformed {
				t.Errorf("%v: closed with %d", message, code)
			}
		}
	})
	t.Run("too large", func(t *testing.T) {
		ps := l.dial(phone, "participant")
		ps.send(strings.Repeat("x", socketReadLimit+1))
		if code, _ := ps.closeCode(); code != websocket.CloseMessageTooBig {
			t.Errorf("closed with %d", code)
		}
	})
	t.Run("too many", func(t *testing.T) {
		needsLimits(t)
		for range ratelimit.SocketOpen.Budget {
			ps := l.dial(phone, "participant")
			_ = ps.ws.SetReadDeadline(time.Now().Add(ampleTime))
			_, _, err := ps.ws.ReadMessage()
			if closed, ok := err.(*websocket.CloseError); ok {
				if closed.Code != websocket.CloseTryAgainLater || !strings.Contains(closed.Text, `"retryAfter":`) {
					t.Errorf("closed with %d %s", closed.Code, closed.Text)
				}
				return
			}
		}
		t.Error("no socket was refused")
	})
}

func TestRemovedPhoneIsCut(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := s.browser()
	id := l.joins(phone, "Heckler").json(t)["participant"]
	ps := l.dial(phone, "participant")
	ps.next("personal")
	r := l.host.send("POST", l.path("commands"), map[string]any{"version": l.version, "command": "remove", "participant": id})
	if r.status != http.StatusOK {
		t.Fatal(r.body)
	}
	if code, _ := ps.closeCode(); code != closeRemoved {
		t.Errorf("closed with %d", code)
	}
	if r := phone.get(l.path("participant")); r.status != http.StatusForbidden || r.json(t)["type"] != "/problems/removed" {
		t.Errorf("the removed phone's poll: %d %s", r.status, r.body)
	}
	if r := phone.get("/j/" + l.code); boot(t, r)["page"] != "join" {
		t.Errorf("the removed phone scans again: %d", r.status)
	}
}

// TestDrainTellsPhonesToComeBack: when all are gone, and not before, since until then nobody is let in.
func TestDrainTellsPhonesToComeBack(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Alice")
	for range socketsHeld - 1 {
		l.dial(phone, "participant").next("personal")
	}
	ps := l.dial(phone, "participant")
	ps.next("personal")
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		s.server.DrainSockets(context.WithoutCancel(t.Context()), time.Minute)
	}()
	if code, reason := ps.closeCode(); code != closeRestarting || reason != `{"retryAfter":1}` {
		t.Errorf("closed with %d %s", code, reason)
	}
	select {
	case <-drained:
	case <-time.After(ampleTime / 2): // ten sockets take a fifth of a second, however long they may take
		t.Error("it is still draining")
	}
	if code, _ := l.dial(phone, "participant").closeCode(); code != closeRestarting {
		t.Errorf("a phone that comes back at once is told %d", code)
	}
}
