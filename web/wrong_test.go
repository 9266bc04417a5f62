package web

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pubquiz/quiz"
	"pubquiz/session"
)

// The tests in this file and in session/wrong_test.go are about what went wrong for users of comparable products; docs/seen-elsewhere.md lists them
// all.

// TestSeenElsewhereSecondPlayer: a phone that was away comes back by its page, by scanning and by joining again as who it
// was.
func TestSeenElsewhereSecondPlayer(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Alice")
	_ = l.dial(phone, "participant").ws.Close()
	if data := boot(t, phone.get("/play/"+l.id)); data["page"] != "play" {
		t.Errorf("its page has %v", data)
	}
	if r := phone.get("/j/" + l.code); r.header.Get("Location") != "/play/"+l.id {
		t.Errorf("scanning leads to %q", r.header.Get("Location"))
	}
	if r := phone.send("POST", "/api/v1/join/"+l.code, map[string]string{"name": "Alice 2", "attempt": "another-attempt-0001"}); r.json(t)["name"] != "Alice" {
		t.Errorf("joining again: %s", r.body)
	}
	l.dial(phone, "participant").next("personal")
	var participants int
	if err := s.pool.QueryRow(t.Context(), `SELECT count(*) FROM participants`).Scan(&participants); err != nil || participants != 1 {
		t.Errorf("there are %d participants, %v", participants, err)
	}
}

// TestSeenElsewhereHostLockedOut: a reloaded console, a second one and one on another machine see the lobby as it is, and drive on.
func TestSeenElsewhereHostLockedOut(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	l.phone("Alice")
	_ = l.dial(l.host, "host").ws.Close()
	elsewhere := s.browser()
	if r := elsewhere.send("POST", "/signin", signInForm("host@quiz.example", testPassword)); r.status != http.StatusSeeOther {
		t.Fatalf("signing in elsewhere: %d", r.status)
	}
	for name, console := range map[string]*browser{"reloaded": l.host, "elsewhere": elsewhere} {
		if data := boot(t, console.get("/host/sessions/"+l.id)); data["session"] != l.id {
			t.Errorf("%s: the console's page has %v", name, data)
		}
		hs := l.dial(console, "host")
		if shared := hs.next("shared"); shared["phase"] != "lobby" || shared["joinCode"] != l.code {
			t.Errorf("%s: the console is told %v", name, shared)
		}
		for live := hs.next("live"); live["joined"] != 1.0; live = hs.next("live") {
			continue // what it is told at first may be a quarter of a second old
		}
	}
	l.host = elsewhere
	l.command("next")
}

// TestSeenElsewhereReconnect: a socket that dies after an answer was sent, and the resend over the
// other way in, leave one answer.
func TestSeenElsewhereReconnect(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Flaky")
	l.command("next")
	l.command("launch")
	ps := l.dial(phone, "participant")
	ps.send(socketAnswer("a1"))
	_ = ps.ws.NetConn().Close() // without a word
	answer := socketAnswer("a1")["answer"]
	if r := phone.send("POST", l.path("answers"), answer); r.status != http.StatusOK {
		t.Errorf("the same answer over HTTP: %d %s", r.status, r.body)
	}
	again := l.dial(phone, "participant")
	if personal := again.next("personal"); personal["answer"].(map[string]any)["id"] != "a1" {
		t.Errorf("the phone is told %v", personal)
	}
	again.send(socketAnswer("a2"))
	if out := again.next("outcome"); out["outcome"] != "already-answered" {
		t.Errorf("another answer: %v", out)
	}
	if answers := l.host.get(l.path("export")).json(t)["answers"].([]any); len(answers) != 1 || answers[0].(map[string]any)["id"] != "a1" {
		t.Errorf("stored are %v", answers)
	}
}

// TestSeenElsewherePhoneIsBelieved: what a phone says of itself beyond its answer (a time, points, a role) is refused, and
// nothing of it is stored.
func TestSeenElsewherePhoneIsBelieved(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Clever")
	l.command("next")
	l.command("launch")
	for _, claim := range []string{"at", "answeredAt", "points", "role", "is_admin", "participant"} {
		answer := socketAnswer("a1")["answer"].(map[string]any)
		answer[claim] = 1
		if r := phone.send("POST", l.path("answers"), answer); r.status != http.StatusBadRequest || r.json(t)["field"] != claim {
			t.Errorf("an answer with %s: %d %s", claim, r.status, r.body)
		}
	}
	if r := phone.send("POST", l.path("commands"), map[string]any{"version": l.version, "command": "close", "is_admin": true}); r.status != http.StatusNotFound {
		t.Errorf("a phone's command: %d %s", r.status, r.body)
	}
	if answers := l.host.get(l.path("export")).json(t)["answers"]; answers != nil && len(answers.([]any)) > 0 {
		t.Errorf("stored are %v", answers)
	}
}

// TestCommandsAreJSON: what a form of another site can send is no command.
func TestCommandsAreJSON(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"} {
		if r := l.host.send("POST", l.path("commands"), `{"version":1,"command":"next"}`, "Content-Type", kind); r.status != http.StatusUnsupportedMediaType {
			t.Errorf("as %q: %d %s", kind, r.status, r.body)
		}
	}
}

// TestSeenElsewhereAnswerInThePage reads everything that phones and the big screen are sent while a question is open and
// closed.
func TestSeenElsewhereAnswerInThePage(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone, television := l.phone("Curious"), s.browser()
	television.get(consoleBoot(t, l)["screenURL"].(string))
	secret := quiz.Sample().Rounds[0].Questions[0].Notes
	l.command("next")
	for _, command := range []string{"launch", "close"} {
		l.command(command)
		if console := l.host.get(l.path("host")).body; !strings.Contains(console, secret) || !strings.Contains(console, `"correct"`) {
			t.Fatalf("even the host is not told: %s", console)
		}
		sent := map[string]string{}
		for _, path := range []string{"/", "/j/" + l.code, "/play/" + l.id, l.path("participant"), l.path("host"), l.path("screen"), l.path("export")} {
			sent["phone "+path] = phone.get(path).body
		}
		for _, path := range []string{"/screen/" + l.id, l.path("screen"), l.path("host"), l.path("export")} {
			sent["television "+path] = television.get(path).body
		}
		sent["phone's socket"] = l.dial(phone, "participant").raw("shared")
		sent["television's socket"] = l.dial(television, "screen").raw("shared")
		for what, body := range sent {
			if strings.Contains(body, secret) || strings.Contains(body, `"correct"`) || strings.Contains(body, `"accepted"`) {
				t.Errorf("after %s, %s tells the answer: %s", command, what, body)
			}
		}
	}
}

// raw reads until a message with this member comes, and returns the message.
func (s *socket) raw(member string) string {
	s.t.Helper()
	_ = s.ws.SetReadDeadline(time.Now().Add(ampleTime))
	for {
		_, message, err := s.ws.ReadMessage()
		if err != nil {
			s.t.Fatalf("waiting for %s: %v", member, err)
		}
		if strings.HasPrefix(string(message), `{"`+member+`":`) {
			return string(message)
		}
	}
}

// TestSeenElsewhereMarkupInAName: apostrophes and angle brackets are letters of a name, the same name in other letters is
// taken, and no page runs it.
func TestSeenElsewhereMarkupInAName(t *testing.T) {
	const name = "</script><b>O'Hara"
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := s.browser()
	joined := phone.send("POST", "/api/v1/join/"+l.code, map[string]string{"name": name, "attempt": "attempt-of-o-hara-1"})
	if joined.status != http.StatusCreated || joined.json(t)["name"] != name {
		t.Fatalf("joining: %d %s", joined.status, joined.body)
	}
	same := map[string]string{"name": "</SCRIPT><B>o’hara", "attempt": "attempt-of-o-hara-2"}
	if r := s.browser().send("POST", "/api/v1/join/"+l.code, same); r.status != http.StatusConflict || r.json(t)["type"] != "/problems/name-taken" {
		t.Errorf("the same name in other letters: %d %s", r.status, r.body)
	}
	code := l.host.send("POST", l.path("rejoin-codes"), map[string]any{"participant": joined.json(t)["participant"]}).json(t)["code"].(string)
	page := s.browser().get("/j/" + code)
	if boot(t, page)["name"] != name || strings.Contains(page.body, "<b>") || strings.Contains(page.body, "O'Hara</script>") {
		t.Errorf("the page with the name: %s", page.body)
	}
	poll := phone.get(l.path("participant"))
	if poll.header.Get("Content-Type") != "application/json" || poll.json(t)["personal"].(map[string]any)["name"] != name {
		t.Errorf("the poll: %s %s", poll.header.Get("Content-Type"), poll.body)
	}
}

// TestSeenElsewhereSocketsNeverFreed: of a phone whose connection broke off nothing is kept, and the host sees that it is away.
func TestSeenElsewhereSocketsNeverFreed(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	hs := l.dial(l.host, "host")
	ps := l.dial(l.phone("Gone"), "participant")
	ps.next("personal")
	for live := hs.next("live"); live["connected"] != 1.0; live = hs.next("live") {
		continue
	}
	_ = ps.ws.NetConn().Close()
	until(t, "the socket's end", func() bool { return s.server.sockets.count()[session.RoleParticipant] == 0 })
	for live := hs.next("live"); live["connected"] != 0.0; live = hs.next("live") {
		continue
	}
}

// TestSlowStoreHoldsNoNewsBack: while the store is at a phone's answer, the phone still learns what happens.
func TestSlowStoreHoldsNoNewsBack(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	ps := l.dial(l.phone("Waiting"), "participant")
	l.command("next")
	l.command("launch")
	for shared := ps.next("shared"); shared["phase"] != "open"; shared = ps.next("shared") {
		continue
	}
	stall, err := s.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer stall.Rollback(t.Context())
	if _, err := stall.Exec(t.Context(), `SELECT FROM session_questions WHERE status = 'open' FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	ps.send(socketAnswer("a1"))
	until(t, "the store's wait", func() bool {
		var waiting int
		err := s.pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`).Scan(&waiting)
		return err == nil && waiting > 0
	})
	l.command("lockDoors")
	if shared := ps.next("shared"); shared["version"] != float64(l.version) {
		t.Errorf("the phone is told %v", shared)
	}
	if err := stall.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if out := ps.next("outcome"); out["outcome"] != "accepted" {
		t.Errorf("then the answer's outcome is %v", out)
	}
}

// TestStoreThatIsAwayThrowsNobodyOut: a phone whose state cannot be read at the moment is told to come back, not that
// its token is worthless.
func TestStoreThatIsAwayThrowsNobodyOut(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Unlucky") // since the room's latest version, so that opening a socket asks the store
	seat, _ := s.keys.VerifySeat(phone.value(participantCookie(l.id)))
	viewer, err := s.sessions.AsParticipant(t.Context(), l.id, seat)
	if err != nil {
		t.Fatal(err)
	}
	opener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.server.openSocket(w, &request{Request: r, client: netip.MustParseAddr("127.0.0.1")}, viewer, nil); err != nil {
			t.Error(err)
		}
	}))
	defer opener.Close()
	s.pool.Close()
	ws, _, err := websocket.DefaultDialer.DialContext(t.Context(), strings.Replace(opener.URL, "http", "ws", 1), http.Header{"Origin": {s.url}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	_ = ws.SetReadDeadline(time.Now().Add(ampleTime))
	_, _, err = ws.ReadMessage()
	if closed, ok := errors.AsType[*websocket.CloseError](err); !ok || closed.Code != closeRestarting {
		t.Errorf("the socket ended with %v", err)
	}
}
