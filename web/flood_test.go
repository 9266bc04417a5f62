package web

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pubquiz/ratelimit"
)

// TestAFloodingPhoneIsCut: every answer beyond the budget is refused, but not for ever.
func TestAFloodingPhoneIsCut(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	flooding, quiet := l.phone("Flooding"), l.phone("Quiet")
	fs, qs := l.dial(flooding, "participant"), l.dial(quiet, "participant")
	outcomes, began := 0, time.Now()
	for ; outcomes < 1000; outcomes++ {
		fs.send(socketAnswer("a"))
		_ = fs.ws.SetReadDeadline(time.Now().Add(ampleTime))
		if !outcomeComes(fs) {
			break
		}
	}
	most := ratelimit.SubmitAnswer.Budget + excessHeld + 1 // the one that is too many may still be answered
	if time.Since(began) > heartbeatEvery {
		most = 999 // on a machine so busy the phone can hardly flood
	}
	if outcomes < ratelimit.SubmitAnswer.Budget || outcomes > most {
		t.Errorf("cut after %d answers, want at most %d", outcomes, most)
	}
	qs.send(socketAnswer("a"))
	if out := qs.next("outcome"); out["outcome"] != "not-this-question" {
		t.Errorf("the other phone is told %v", out)
	}
}

// outcomeComes reads until an outcome comes, and reports whether one does before the socket is closed as full of an eager phone.
func outcomeComes(s *socket) bool {
	s.t.Helper()
	for {
		_, message, err := s.ws.ReadMessage()
		if closed, ok := err.(*websocket.CloseError); ok {
			if closed.Code != websocket.CloseTryAgainLater || !strings.Contains(closed.Text, `"retryAfter":60`) || !strings.Contains(closed.Text, "submitAnswer") {
				s.t.Errorf("closed with %d %s", closed.Code, closed.Text)
			}
			return false
		}
		if err != nil {
			s.t.Fatal(err)
		}
		if strings.HasPrefix(string(message), `{"outcome"`) {
			return true
		}
	}
}

func TestPingsAreAnsweredButNotForEver(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	ps := l.dial(l.phone("Pinging"), "participant")
	ps.next("personal")
	answered := 0
	ps.ws.SetPongHandler(func(payload string) error {
		if payload != "are you there?" {
			t.Errorf("the pong says %q", payload)
		}
		answered++
		return nil
	})
	ping := func() {
		t.Helper()
		if err := ps.ws.WriteControl(websocket.PingMessage, []byte("are you there?"), time.Now().Add(time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	ping()
	for _, id := range []string{"a1", "a2"} { // the pong comes with the first outcome, or before it
		ps.send(socketAnswer(id))
		ps.next("outcome")
	}
	if answered != 1 {
		t.Errorf("a ping was answered %d times", answered)
	}
	for range excessHeld { // and no more: whoever sends on after the close may not hear of it
		ping()
	}
	if code, reason := ps.closeCode(); code != websocket.CloseTryAgainLater || !strings.Contains(reason, "retryAfter") {
		t.Errorf("closed with %d %s", code, reason)
	}
}

// TestAMessageWithoutEnd: pieces without anything in them, and pongs between pieces, make no message longer, and are not taken for ever.
func TestAMessageWithoutEnd(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	const final, continuation, masked, begun = 0x80, 0, 0x80, 1
	frame := func(first byte, payload string) string {
		return string([]byte{first, masked | byte(len(payload)), 0, 0, 0, 0}) + payload
	}
	for name, piece := range map[string]string{
		"empty pieces":         frame(continuation, ""),
		"pongs":                frame(final|opPong, ""),
		"pieces and pongs":     strings.Repeat(frame(continuation, ""), 5) + frame(final|opPong, ""),
		"pongs with something": frame(final|opPong, strings.Repeat("x", 125)),
	} {
		ps := l.dial(l.phone("Endless "+name[:5]+name[len(name)-5:]), "participant")
		ps.next("personal")
		conn := ps.ws.NetConn()
		_, err := conn.Write([]byte(frame(begun, "{")))
		for n := 0; err == nil && n < 1000*unheardMost; n += len(piece) * 100 { // more than lies between the two of us
			_, err = conn.Write([]byte(strings.Repeat(piece, 100)))
		}
		if err == nil {
			t.Errorf("%s are taken without end", name)
		}
	}
	// The longest message, in the smallest pieces, is heard.
	ps := l.dial(l.phone("Piecemeal"), "participant")
	ps.next("personal")
	message := `{"answer":{"id":"a","question":"1.1","given":{"choices":[0]}}`
	message += strings.Repeat(" ", socketReadLimit-len(message)-1) + "}"
	var frames strings.Builder
	frames.WriteString(frame(begun, message[:1]))
	for _, c := range []byte(message[1 : len(message)-1]) {
		frames.WriteString(frame(continuation, string(c)))
	}
	if _, err := ps.ws.NetConn().Write([]byte(frames.String() + frame(final|continuation, "}"))); err != nil {
		t.Fatal(err)
	}
	if out := ps.next("outcome"); out["id"] != "a" {
		t.Errorf("in the smallest pieces: %v", out)
	}
}

// TestQuietSocketsStaySmall: each waits for its phone on a goroutine that does nothing else and so keeps the smallest stack
// there is, also after the phone has answered pings and questions.
func TestQuietSocketsStaySmall(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Talking")
	for range socketsHeld {
		ps := l.dial(phone, "participant")
		if err := ps.ws.WriteControl(websocket.PongMessage, nil, time.Now().Add(time.Second)); err != nil {
			t.Fatal(err)
		}
		ps.send(socketAnswer("a"))
		ps.next("outcome")
	}
	// Other tests have sockets too, though not for long.
	for deadline := time.Now().Add(ampleTime); ; time.Sleep(10 * time.Millisecond) {
		stacks := make([]byte, 16<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		hearing, waiting := bytes.Count(stacks, []byte("web.(*connection).hear(")), bytes.Count(stacks, []byte("web.(*connection).wait("))
		if hearing == 0 && waiting >= socketsHeld {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d sockets are in the middle of a message and %d wait for one", hearing, waiting)
		}
	}
}
