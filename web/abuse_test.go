package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pubquiz/ratelimit"
	"pubquiz/session"
)

// TestFramesInPieces: an answer may come in any number of pieces, and no number of them makes a message longer than one may be.
func TestFramesInPieces(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("In pieces")
	pieces := func(ws *websocket.Conn, text string, size int) error {
		w, err := ws.NextWriter(websocket.TextMessage)
		if err != nil {
			return err
		}
		for len(text) > 0 && err == nil {
			n := min(size, len(text))
			_, err = w.Write([]byte(text[:n]))
			text = text[n:]
		}
		if closing := w.Close(); err == nil {
			err = closing
		}
		return err
	}
	dial := func() *socket {
		// A buffer of sixteen bytes is sent whenever it is full, as a piece.
		dialer := websocket.Dialer{Jar: phone.http.Jar, WriteBufferSize: 16}
		ws, _, err := dialer.DialContext(t.Context(), strings.Replace(l.url, "http", "ws", 1)+l.path("participant/socket"), http.Header{"Origin": {l.url}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = ws.Close() })
		return &socket{t, ws}
	}
	ps := dial()
	ps.next("personal")
	if err := pieces(ps.ws, `{"answer":{"id":"a","question":"1.1","given":{"choices":[0]}}}`, 5); err != nil {
		t.Fatal(err)
	}
	if out := ps.next("outcome"); out["id"] != "a" || out["outcome"] != "not-this-question" {
		t.Errorf("the answer in pieces: %v", out)
	}
	_ = pieces(ps.ws, `{"answer":{"id":"`+strings.Repeat("a", socketReadLimit)+`"}}`, 10) // may break off
	if code, _ := ps.closeCode(); code != websocket.CloseMessageTooBig {
		t.Errorf("too long a message in pieces: closed with %d", code)
	}
	whole := dial()
	whole.next("personal")
	_ = whole.ws.WriteMessage(websocket.TextMessage, []byte(strings.Repeat("x", socketReadLimit+1)))
	if code, _ := whole.closeCode(); code != websocket.CloseMessageTooBig {
		t.Errorf("too long a message: closed with %d", code)
	}
}

// TestSocketsTakeASeat: an address has no limit of its own on open sockets, since a whole pub is behind one. What bounds them is that each takes a token, and each
// token only so many: whoever has none keeps none open, however many they dial.
func TestSocketsTakeASeat(t *testing.T) {
	s := newSite(t, ratelimit.Unlimited())
	l := s.open(s.host("host@quiz.example"))
	for range 200 {
		if code, _ := l.dial(s.browser(), "participant").closeCode(); code != closeInvalidToken {
			t.Fatalf("without a token: closed with %d", code)
		}
	}
	if open := s.server.sockets.count()[session.RoleParticipant]; open != 0 {
		t.Errorf("%d sockets of nobody are open", open)
	}
	phone := l.phone("Hoarders")
	held := 0
	for range 3 * socketsHeld {
		ws := l.dial(phone, "participant")
		if _, message, err := ws.ws.ReadMessage(); err == nil && strings.Contains(string(message), `"shared"`) {
			held++
		}
	}
	if held != socketsHeld {
		t.Errorf("one phone holds %d sockets, want %d", held, socketsHeld)
	}
}

// TestGuessingCodes: who guesses join codes from one address has 30 guesses a minute, of 24^6 codes, and is told about the right one as little as about the others once they
// are used up. Guesses at rejoin codes are counted with them.
func TestGuessingCodes(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	s.exec(`UPDATE sessions SET venue = NULL, venue_until = NULL`) // the host is elsewhere
	until(t, "the venue's end", func() bool {
		_, ok := s.sessions.VenueOf(l.code)
		return !ok
	})
	b := s.browser()
	guesses := 0
	for i := range 4 * ratelimit.JoinMiss.Budget {
		code := "BBBB" + string("BCDFGHJKMPQRTVWXY2346789"[i%24]) + string("BCDFGHJKMPQRTVWXY2346789"[i/24])
		switch i % 3 {
		case 0:
			code = "/j/" + code
		case 1:
			code = "/j/" + code + "BB" // as a rejoin code is
		case 2:
			code = "/j/" + strings.ToLower(code)
		}
		r := b.get(code)
		if r.status == http.StatusTooManyRequests {
			break
		}
		if guesses++; r.status != http.StatusNotFound {
			t.Errorf("%s: %d", code, r.status)
		}
	}
	if guesses != ratelimit.JoinMiss.Budget {
		t.Errorf("%d guesses, want %d", guesses, ratelimit.JoinMiss.Budget)
	}
	if r := b.get("/j/" + l.code); r.status != http.StatusTooManyRequests {
		t.Errorf("the right code after them: %d", r.status)
	}
	if r := b.send("POST", "/api/v1/join/"+l.code, map[string]string{"name": "Lucky", "attempt": "0123456789abcdef"}); r.status != http.StatusTooManyRequests {
		t.Errorf("joining with it: %d %s", r.status, r.body)
	}
}
