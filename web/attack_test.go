package web

import (
	"context"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pubquiz/ratelimit"
	"pubquiz/session"
)

// TestPhoneThatDoesNotReadCannotFillTheMemory: what is waiting to be told to one phone is bounded.
func TestPhoneThatDoesNotReadCannotFillTheMemory(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Silent")
	dialer := websocket.Dialer{Jar: phone.http.Jar, NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if tcp, ok := conn.(*net.TCPConn); ok {
			err = tcp.SetReadBuffer(4 << 10)
		}
		return conn, err
	}}
	ws, _, err := dialer.DialContext(t.Context(), strings.Replace(l.url, "http", "ws", 1)+l.path("participant/socket"), http.Header{"Origin": {l.url}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	answer := socketAnswer(strings.Repeat("x", 3000))
	most := 0
	for range 20_000 {
		if ws.WriteJSON(answer) != nil {
			break // cut off
		}
		s.server.sockets.mu.Lock()
		for c := range s.server.sockets.open {
			c.mu.Lock()
			most = max(most, len(c.outcomes))
			c.mu.Unlock()
		}
		s.server.sockets.mu.Unlock()
	}
	if most > 100 {
		t.Errorf("%d outcomes were waiting for a phone that reads none", most)
	}
}

// TestSignedOutConsoleIsCut: a console that is left open does not go on showing the answers after its host has signed
// out elsewhere.
func TestSignedOutConsoleIsCut(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	console := l.dial(l.host, "host")
	console.next("shared")
	if r := l.host.send("POST", "/signout", nil); r.status != http.StatusSeeOther {
		t.Fatalf("signing out: %d %s", r.status, r.body)
	}
	s.server.sockets.mu.Lock()
	open := slices.Collect(maps.Keys(s.server.sockets.open))
	s.server.sockets.mu.Unlock()
	for _, c := range open {
		c.heartbeat()
	}
	if code, _ := console.closeCode(); code != closeInvalidToken {
		t.Errorf("the console is closed with %d", code)
	}
}

// TestRefusedPageDoesNotLeadAway: "//other.example/" is a path here and another site to a browser that is sent there.
func TestRefusedPageDoesNotLeadAway(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	b := s.browser()
	for range ratelimit.Global.Budget {
		b.get("/healthy?not")
	}
	for path, again := range map[string]string{"//other.example/?": "/", "/?x=1": "/?x=1"} {
		r := b.get(path)
		if r.status != http.StatusTooManyRequests || !strings.Contains(r.body, `data-again="`+again+`"`) {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
}

// TestScreenTokenOpensItsOwnSessionOnly: a link with another session's token would take a big screen from its evening.
func TestScreenTokenOpensItsOwnSessionOnly(t *testing.T) {
	s := newSite(t)
	mine, other := s.open(s.host("host@quiz.example")), s.open(s.host("other@quiz.example"))
	link := consoleBoot(t, other)["screenURL"].(string)
	_, token, _ := strings.Cut(link, "?token=")
	screen := s.browser()
	if r := screen.get("/screen/" + mine.id + "?token=" + token); r.status != http.StatusNotFound || r.header.Get("Set-Cookie") != "" {
		t.Errorf("another session's token: %d %q", r.status, r.header.Get("Set-Cookie"))
	}
	if r := screen.get(link); r.status != http.StatusSeeOther {
		t.Errorf("its own: %d %s", r.status, r.body)
	}
}

// TestWhatNoIDCanBeIsNotFound: Postgres refuses some texts, which is no fault of ours to report.
func TestWhatNoIDCanBeIsNotFound(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	for _, path := range []string{"/host/sessions/%00", "/api/v1/sessions/%00/host", "/api/v1/sessions/%C3%28/export"} {
		if r := l.host.get(path); r.status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	for body, status := range map[string]int{
		`{"version":1,"command":"remove","participant":"\u0000"}`:              http.StatusNotFound,
		`{"version":1,"command":"rename","participant":"\u0000","name":"New"}`: http.StatusNotFound,
		`{"version":1,"command":"shutOut","participants":["\u0000"]}`:          http.StatusNotFound,
		`{"version":1,"command":"next","name":"\u0000"}`:                       http.StatusUnprocessableEntity,
	} {
		if r := l.host.send("POST", l.path("commands"), body); r.status != status {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		}
	}
	if r := l.host.send("POST", l.path("rejoin-codes"), `{"participant":"\u0000"}`); r.status != http.StatusNotFound {
		t.Errorf("a rejoin code: %d %s", r.status, r.body)
	}
}

// TestNobodyKeepsAnExport: it has everybody's answers.
func TestNobodyKeepsAnExport(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	if r := l.host.get(l.path("export")); r.status != http.StatusOK || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("the export: %d, Cache-Control %q", r.status, r.header.Get("Cache-Control"))
	}
}

// TestSocketsOfOnePhoneAreFew: however slowly a phone opens sockets, it does not end up with hundreds.
func TestSocketsOfOnePhoneAreFew(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Many tabs")
	first := l.dial(phone, "participant")
	first.next("shared")
	for range socketsHeld - 1 {
		l.dial(phone, "participant").next("shared")
	}
	one := l.dial(phone, "participant")
	if code, reason := one.closeCode(); code != websocket.CloseTryAgainLater || !strings.Contains(reason, `"retryAfter":`) {
		t.Errorf("one more is closed with %d %s", code, reason)
	}
	l.dial(l.phone("Another"), "participant").next("shared")
	_ = first.ws.Close()
	until(t, "room for another socket", func() bool { return s.server.sockets.count()[session.RoleParticipant] == socketsHeld })
	l.dial(phone, "participant").next("shared")
}
