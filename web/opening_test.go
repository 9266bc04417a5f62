package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/mail"
	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/session"
)

// planReader is what tells a site's sessions what a host's plan allows.
type planReader = func(ctx context.Context, tx pgx.Tx, host quiz.OwnerID) (session.Allowance, error)

// onePlan is the plan of every host of a site, each for themselves but for those who share it with the first of them.
type onePlan struct {
	atomic.Pointer[session.Allowance]
}

func (p *onePlan) read(ctx context.Context, tx pgx.Tx, host quiz.OwnerID) (session.Allowance, error) {
	now := *p.Load()
	if len(now.Hosts) == 0 {
		now.Hosts = []quiz.OwnerID{host}
	}
	_, err := tx.Exec(ctx, `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`, now.Hosts[0])
	return now, err
}

// newPlannedSite is newSite where hosts have plans: the smallest, to begin with.
func newPlannedSite(t *testing.T) (*site, *onePlan) {
	t.Helper()
	p := &onePlan{}
	p.Store(&session.Allowance{Plan: words.T("Free"), Places: 30, LiveSessions: 1})
	return startSite(t, nil, p.read), p
}

func TestOneSessionTooMany(t *testing.T) {
	s, p := newPlannedSite(t)
	l := s.open(s.host("alice@example.org"))
	l.phone("The Owls")
	l.command("next")
	id := newQuiz(t, l.host)
	second := quiz.Sample()
	second.Title = `<b>Second</b> quiz`
	if r := saveQuiz(l.host, id, 1, second); r.status != http.StatusOK {
		t.Fatalf("%d %s", r.status, r.body)
	}
	address := "/host/quizzes/" + id + "/sessions"

	wantShows(t, l.host.send("POST", address, nil), http.StatusConflict,
		"A session is open already", "Your plan, Free, runs one session at a time", `href="/host/sessions/`+l.id+`"`, "Being played · 1 participant<", `data-local="clock"`,
		`action="`+address+`"`, `name="instead" value="`+l.id+`"`, "End it and open the new one", "&lt;b&gt;Second&lt;/b&gt; quiz", "-<b>Second", `href="/pricing"`)
	if l.poll(l.host, "host")["shared"].(map[string]any)["phase"] != "round" {
		t.Error("the refusal has moved what is open")
	}

	bob := s.host("bob@example.org")
	theirs := newQuiz(t, bob)
	if r := saveQuiz(bob, theirs, 1, quiz.Sample()); r.status != http.StatusOK {
		t.Fatalf("%d %s", r.status, r.body)
	}
	for who, instead := range map[string]string{"another host's session": l.id, "none": "nosuchsession", "what no id can be": "\x00"} {
		if r := bob.send("POST", "/host/quizzes/"+theirs+"/sessions", url.Values{"instead": {instead}}); r.status != http.StatusNotFound {
			t.Errorf("ending %s: %d", who, r.status)
		}
	}

	r := l.host.send("POST", address, url.Values{"instead": {l.id}})
	console := r.header.Get("Location")
	if r.status != http.StatusSeeOther || !strings.HasPrefix(console, "/host/sessions/") || strings.HasSuffix(console, l.id) {
		t.Fatalf("instead: %d to %q", r.status, console)
	}
	until(t, "the first one's end", func() bool { return l.poll(l.host, "host")["shared"].(map[string]any)["phase"] == "finished" })
	again := l.host.send("POST", address, url.Values{"instead": {l.id}})
	wantShows(t, again, http.StatusConflict, "Your plan, Free", `href="`+console+`"`)

	// The way back to what has ended is barred too.
	l.version = int64(l.poll(l.host, "host")["shared"].(map[string]any)["version"].(float64))
	back := map[string]any{"version": l.version, "command": "back"}
	refused := l.host.send("POST", l.path("commands"), back)
	if refused.status != http.StatusConflict || refused.json(t)["type"] != "/problems/too-many-open" || !strings.Contains(refused.body, "one session at a time") {
		t.Errorf("back: %d %s", refused.status, refused.body)
	}
	p.Store(&session.Allowance{Plan: words.T("Pub"), Places: 150, LiveSessions: 2})
	if r := l.host.send("POST", l.path("commands"), back); r.status != http.StatusOK {
		t.Errorf("back with a larger plan: %d %s", r.status, r.body)
	}
	wantShows(t, l.host.send("POST", address, nil), http.StatusConflict, "2 sessions are open already", "runs 2 sessions at a time", "or end it and open")

	// More are open than a smaller plan allows: ending one of them makes no room.
	p.Store(&session.Allowance{Plan: words.T("Free"), Places: 30, LiveSessions: 1})
	wantShows(t, l.host.send("POST", address, nil), http.StatusConflict, "2 sessions are open already", "Those that are open go on", "-End it and open")
}

// TestWhoSharesAPlanIsTold: which session of whose is in the way, and nothing by which to end it.
func TestWhoSharesAPlanIsTold(t *testing.T) {
	s, p := newPlannedSite(t)
	l := s.open(s.host("alice@example.org"))
	bob := s.host("bob@example.org")
	p.Store(&session.Allowance{Plan: words.T("Chain"), Places: 2000, LiveSessions: 1, Hosts: []quiz.OwnerID{s.ownerOf(l.host), s.ownerOf(bob)}})
	id := newQuiz(t, bob)
	if r := saveQuiz(bob, id, 1, quiz.Sample()); r.status != http.StatusOK {
		t.Fatalf("%d %s", r.status, r.body)
	}
	wantShows(t, bob.send("POST", "/host/quizzes/"+id+"/sessions", nil), http.StatusConflict,
		"In the lobby · 0 participants", "Opened by <bdi>Host</bdi> on", "-/host/sessions/"+l.id, "-"+l.code, `-name="instead"`, "-A larger plan")
}

// TestPlacesOnTheConsole: how many there may be, and whether a larger plan has more, is what the page says, and never more than the server decides.
func TestPlacesOnTheConsole(t *testing.T) {
	s, p := newPlannedSite(t)
	l := s.open(s.host("alice@example.org"))
	wants := func(places float64, pricing any) {
		t.Helper()
		if got := consoleBoot(t, l); got["places"] != places || got["pricing"] != pricing {
			t.Errorf("the console begins with %v, want %v places and %v", got, places, pricing)
		}
	}
	places := func(n int) reply {
		return l.host.send("POST", l.path("commands"), map[string]any{"version": l.version, "command": "setCapacity", "capacity": n})
	}
	wants(30, "/pricing")
	if r := places(31); r.status != http.StatusUnprocessableEntity || r.json(t)["field"] != "capacity" || !strings.Contains(r.body, "Your plan, Free, includes up to 30 places in a session. A larger plan has more") {
		t.Errorf("31 places: %d %s", r.status, r.body)
	}
	p.Store(&session.Allowance{Plan: words.T("Pub"), Places: 150, LiveSessions: 2})
	if r := places(150); r.status != http.StatusOK {
		t.Errorf("150 places, in the middle of the evening with a larger plan: %d %s", r.status, r.body)
	}
	wants(150, "/pricing")
	p.Store(&session.Allowance{Plan: words.T("Chain"), Places: 2000, LiveSessions: 50})
	wants(2000, nil)
}

// TestWithoutPlansNothingIsSaidOfThem, on a site of one's own.
func TestWithoutPlansNothingIsSaidOfThem(t *testing.T) {
	for name, tray := range map[string]*mail.Tray{"without mail": nil, "with mail": new(mail.Tray)} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			s := startSite(t, tray, nil)
			l := s.open(s.host("alice@example.org"))
			most := 2000.0
			if tray != nil {
				most = 30 // until the address is confirmed
			}
			if got := consoleBoot(t, l); got["places"] != most || got["pricing"] != nil {
				t.Errorf("the console begins with %v", got)
			}
			for range 3 {
				s.open(l.host)
			}
		})
	}
}

// TestNoPlaceToLetSomebodyBackTo tells the host, who can make room, and not to go and tell the host.
func TestNoPlaceToLetSomebodyBackTo(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("alice@example.org"))
	id := l.joins(s.browser(), "Heckler").json(t)["participant"]
	for _, c := range []map[string]any{{"command": "remove", "participant": id}, {"command": "setCapacity", "capacity": 1}} {
		if r := l.commandWith(c); r.status != http.StatusOK {
			t.Fatal(r.body)
		}
	}
	l.phone("The Owls")
	back := map[string]any{"command": "letBackIn", "participant": id}
	if r := l.commandWith(back); r.status != http.StatusConflict || r.json(t)["type"] != "/problems/session-full" || !strings.Contains(r.body, "Raise the places first") || strings.Contains(r.body, "ell the host") {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := l.commandWith(map[string]any{"command": "setCapacity", "capacity": 2}); r.status != http.StatusOK {
		t.Fatal(r.body)
	}
	if r := l.commandWith(back); r.status != http.StatusOK {
		t.Errorf("with a place: %d %s", r.status, r.body)
	}
}

// TestOpenWithoutPlans: where nothing is sold, whoever has many sessions open is shown them, and nothing about plans.
func TestOpenWithoutPlans(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("alice@example.org"))
	s.exec(`
		INSERT INTO sessions (public_id, owner_id, quiz_id, title, options, rounds, join_code, capacity)
		SELECT 'BBBBBBBBBB' || chr(66 + n / 10) || chr(98 + n % 10), owner_id, quiz_id, title, options, rounds, 'BBBB2' || (ARRAY['B','C','D','F','G','H','J','K','M','P','Q','R','T','V','W','X','Y','2','3'])[n], capacity
		FROM sessions, generate_series(1, 19) n`)
	id := newQuiz(t, l.host)
	if r := saveQuiz(l.host, id, 1, quiz.Sample()); r.status != http.StatusOK {
		t.Fatalf("%d %s", r.status, r.body)
	}
	address := "/host/quizzes/" + id + "/sessions"
	wantShows(t, l.host.send("POST", address, nil), http.StatusConflict, "20 sessions are open already", `name="instead" value="`+l.id+`"`, "or end it and open", "-plan")
	l.command("finish")
	wantShows(t, l.host.send("POST", address, nil), http.StatusSeeOther)
	back := l.host.send("POST", l.path("commands"), map[string]any{"version": l.version, "command": "back"})
	if back.status != http.StatusConflict || back.json(t)["type"] != "/problems/too-many-open" || strings.Contains(back.body, "plan") {
		t.Errorf("back: %d %s", back.status, back.body)
	}
}
