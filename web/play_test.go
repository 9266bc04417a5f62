package web

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pubquiz/ratelimit"
)

var bootBlock = regexp.MustCompile(`(?s)<script type="application/json" id="boot">(.*?)</script>`)

// boot is the first data of an app page.
func boot(t *testing.T, r reply) map[string]any {
	t.Helper()
	m := bootBlock.FindStringSubmatch(r.body)
	if m == nil {
		t.Fatalf("%d: a page without data: %s", r.status, r.body)
	}
	var data map[string]any
	if err := json.Unmarshal([]byte(m[1]), &data); err != nil {
		t.Fatal(err)
	}
	return data
}

func consoleBoot(t *testing.T, l *live) map[string]any {
	t.Helper()
	return boot(t, l.host.get("/host/sessions/"+l.id))
}

func TestJoining(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := s.browser()
	typed := strings.ToLower(l.code[:3]) + "-" + l.code[3:]
	if r := phone.get("/j?code=" + typed); r.status != http.StatusSeeOther || r.header.Get("Location") != "/j/"+l.code {
		t.Errorf("a typed code: %d to %s", r.status, r.header.Get("Location"))
	}
	if data := boot(t, phone.get("/j/"+typed)); data["page"] != "join" || data["code"] != l.code || data["title"] == "" {
		t.Errorf("the join page has %v", data)
	}
	if r := phone.get("/j/BBBBBB"); r.status != http.StatusNotFound || boot(t, r)["problem"].(map[string]any)["type"] != "/problems/unknown-code" {
		t.Errorf("an unknown code: %d %s", r.status, r.body)
	}
	r := l.joins(phone, "The Quizzards")
	if r.status != http.StatusCreated || r.json(t)["session"] != l.id || r.json(t)["name"] != "The Quizzards" {
		t.Fatalf("joining: %d %s", r.status, r.body)
	}
	cookie := r.header.Get("Set-Cookie")
	for _, attribute := range []string{"HttpOnly", "SameSite=Lax", "Path=/"} {
		if !strings.Contains(cookie, attribute) {
			t.Errorf("the cookie %q lacks %s", cookie, attribute)
		}
	}
	if r := phone.get("/j/" + l.code); r.status != http.StatusSeeOther || r.header.Get("Location") != "/play/"+l.id {
		t.Errorf("scanning again: %d to %s", r.status, r.header.Get("Location"))
	}
	if again := l.joins(phone, "Someone else"); again.status != http.StatusOK || again.json(t)["name"] != "The Quizzards" {
		t.Errorf("joining again on the same phone: %d %s", again.status, again.body)
	}
	other := s.browser()
	r = other.send("POST", "/api/v1/join/"+l.code, map[string]string{"name": "the quizzards", "attempt": "another-attempt-0001"})
	if p := r.json(t); r.status != http.StatusConflict || p["type"] != "/problems/name-taken" || p["field"] != "name" || p["suggestion"] == nil {
		t.Errorf("a taken name: %d %s", r.status, r.body)
	}
	for body, status := range map[string]int{
		`{"name":"x","attempt":"another-attempt-0002","admin":true}`: http.StatusBadRequest,
		`{"name":7}`:      http.StatusBadRequest,
		`{"name":"x"} {}`: http.StatusBadRequest,
		`{"name":"","attempt":"another-attempt-0002"}`: http.StatusUnprocessableEntity,
		`{"name":"` + strings.Repeat("x", 5000) + `"}`: http.StatusRequestEntityTooLarge,
	} {
		if r := other.send("POST", "/api/v1/join/"+l.code, body); r.status != status || r.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%.60s: %d %s, want %d", body, r.status, r.body, status)
		}
	}
}

func TestPollAndAnswer(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Alice")
	first := phone.get(l.path("participant"))
	if first.status != http.StatusOK || first.header.Get("Server-Time") == "" || first.header.Get("Poll-Interval") == "" {
		t.Fatalf("the poll: %d %v", first.status, first.header)
	}
	if r := phone.get(l.path("participant"), "If-None-Match", first.header.Get("ETag")); r.status != http.StatusNotModified || r.body != "" {
		t.Errorf("nothing new: %d %s", r.status, r.body)
	}
	l.command("next")
	l.command("launch")
	r := phone.get(l.path("participant"), "If-None-Match", first.header.Get("ETag"))
	if shared := r.json(t)["shared"].(map[string]any); shared["phase"] != "open" || shared["answer"] != nil {
		t.Errorf("after the launch: %v", shared)
	}
	send := func(b *browser, id string) reply {
		return b.send("POST", l.path("answers"), map[string]any{"id": id, "question": "1.1", "given": firstGiven()})
	}
	if r := send(phone, "a1"); r.status != http.StatusOK || r.json(t)["outcome"] != "accepted" {
		t.Errorf("the answer: %d %s", r.status, r.body)
	}
	if personal := l.poll(phone, "participant")["personal"].(map[string]any); personal["answer"].(map[string]any)["id"] != "a1" {
		t.Errorf("the phone is told %v", personal)
	}
	if r := send(phone, "a1"); r.status != http.StatusOK {
		t.Errorf("the same answer again: %d %s", r.status, r.body)
	}
	if r := send(phone, "a2"); r.status != http.StatusConflict || r.json(t)["type"] != "/problems/already-answered" || r.json(t)["given"] == nil {
		t.Errorf("another answer: %d %s", r.status, r.body)
	}
	if r := send(s.browser(), "a1"); r.status != http.StatusUnauthorized {
		t.Errorf("a stranger's answer: %d %s", r.status, r.body)
	}
	l.command("close")
	if r := send(l.phone("Late"), "a1"); r.status != http.StatusConflict || r.json(t)["type"] != "/problems/too-late" {
		t.Errorf("a late answer: %d %s", r.status, r.body)
	}
	if r := phone.send("POST", l.path("answers"), map[string]any{"id": "a3", "question": "1.1", "given": map[string]any{}}); r.status != http.StatusUnprocessableEntity || r.json(t)["field"] == nil {
		t.Errorf("an empty answer: %d %s", r.status, r.body)
	}
}

func TestStaleCommandIsExplained(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	send := func(version int64) reply {
		return l.host.send("POST", l.path("commands"), map[string]any{"version": version, "command": "next"})
	}
	if r := send(l.version); r.status != http.StatusOK {
		t.Fatal(r.body)
	}
	if r := send(l.version); r.status != http.StatusConflict || r.json(t)["type"] != "/problems/stale-version" || r.json(t)["version"] != float64(l.version+1) {
		t.Errorf("a double click: %d %s", r.status, r.body)
	}
	if r := send(l.version + 1); r.status != http.StatusConflict || r.json(t)["type"] != "/problems/not-now" {
		t.Errorf("next in a round: %d %s", r.status, r.body)
	}
}

// TestAccess asks for everything of a session with every credential but the right one.
func TestAccess(t *testing.T) {
	s := newSite(t, ratelimit.Unlimited())
	l := s.open(s.host("host@quiz.example"))
	screen := s.browser()
	screen.get(consoleBoot(t, l)["screenURL"].(string))
	someone := map[string]*browser{
		"owner": l.host, "other host": s.host("other@quiz.example"), "participant": l.phone("Alice"), "screen": screen, "anyone": s.browser(),
	}
	for path, want := range map[string]map[string]int{
		"participant": {"participant": 200, "owner": 401, "other host": 401, "screen": 401, "anyone": 401},
		"screen":      {"screen": 200, "owner": 401, "other host": 401, "participant": 401, "anyone": 401},
		"host":        {"owner": 200, "other host": 404, "participant": 404, "screen": 404, "anyone": 401},
		"export":      {"owner": 200, "other host": 404, "participant": 404, "screen": 404, "anyone": 401},
	} {
		for who, status := range want {
			if r := someone[who].get(l.path(path)); r.status != status {
				t.Errorf("%s as %s: %d, want %d", path, who, r.status, status)
			}
		}
	}
	// A token of one session opens no other.
	second := s.open(someone["other host"])
	stranger := s.browser()
	r := l.joins(stranger, "Bob")
	stranger.cookie(participantCookie(second.id), r.json(t)["token"].(string))
	if r := stranger.get(second.path("participant")); r.status != http.StatusUnauthorized {
		t.Errorf("a seat in another session: %d %s", r.status, r.body)
	}
	bearer := s.browser()
	if r := bearer.get(l.path("participant"), "Authorization", "Bearer "+r.json(t)["token"].(string)); r.status != http.StatusOK {
		t.Errorf("the token as a bearer: %d %s", r.status, r.body)
	}
	if r := bearer.get(l.path("participant"), "Authorization", "Bearer "+strings.Repeat("A", 80)); r.status != http.StatusUnauthorized {
		t.Errorf("an invented token: %d %s", r.status, r.body)
	}
}

func TestOtherSitesCannotSendCommands(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	body := map[string]any{"version": l.version, "command": "next"}
	for _, header := range [][]string{
		{"Sec-Fetch-Site", "cross-site"},
		{"Origin", "https://evil.example"},
		{"Origin", "null"},
	} {
		if r := l.host.send("POST", l.path("commands"), body, header...); r.status != http.StatusForbidden {
			t.Errorf("%v: %d %s", header, r.status, r.body)
		}
	}
	if r := l.host.send("POST", l.path("commands"), body, "Sec-Fetch-Site", "same-origin", "Origin", s.url); r.status != http.StatusOK {
		t.Errorf("our own page: %d %s", r.status, r.body)
	}
}

func TestSecurityHeadersEverywhere(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/", "/nothing", "/api/v1/nothing", "/healthz", "/signin", "/too-many-requests", "/j/BBBBBB"} {
		r := s.browser().get(path)
		csp := r.header.Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: Content-Security-Policy is %q", path, csp)
		}
		if r.header.Get("X-Content-Type-Options") != "nosniff" || r.header.Get("Referrer-Policy") == "" {
			t.Errorf("%s: %v", path, r.header)
		}
		if strings.Contains(r.body, "<script>") || strings.Contains(r.body, " style=") || strings.Contains(r.body, "<style") {
			t.Errorf("%s has inline script or style", path)
		}
	}
}

func TestQRCode(t *testing.T) {
	s := newSite(t)
	r := s.browser().get("/j/BCDF23/qr.svg")
	if r.status != http.StatusOK || r.header.Get("Content-Type") != "image/svg+xml" || !strings.Contains(r.body, "<svg") {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := s.browser().get("/j/OOOOOO/qr.svg"); r.status != http.StatusNotFound {
		t.Errorf("a code that cannot be: %d", r.status)
	}
}

func TestPollInterval(t *testing.T) {
	for _, test := range []struct {
		open            bool
		pollers, budget int
		window          time.Duration
		want            time.Duration
	}{
		{false, 1, 1200, time.Minute, 10 * time.Second},
		{true, 1, 1200, time.Minute, 5 * time.Second},
		{true, 50, 1200, time.Minute, 5 * time.Second},
		{true, 100, 1200, time.Minute, 10 * time.Second},
		{false, 100, 1200, time.Minute, 10 * time.Second},
		{false, 500, 1200, time.Minute, 50 * time.Second},
		{true, 500, 6000, time.Minute, 10 * time.Second},
		{true, 100, 1200, 2 * time.Minute, 20 * time.Second},
		{true, 1, 1, time.Minute, 2 * time.Minute},
	} {
		got := pollInterval(test.open, test.pollers, ratelimit.Limit{Budget: test.budget, Window: test.window})
		if got != test.want {
			t.Errorf("%d pollers, budget %d, open %v: %v, want %v", test.pollers, test.budget, test.open, got, test.want)
		}
		if each := int(test.window / got); each*test.pollers > test.budget/2 && got > pollEvery {
			t.Errorf("%d pollers use %d of %d", test.pollers, each*test.pollers, test.budget)
		}
	}
}

// TestFiveHundredPhonesPollForTenMinutes: without a refusal, from one address that is no venue, where nothing but polling works. Who polls is counted each second, as
// the server does; a phone waits up to a fifth longer than it is told, as lib/schedule.ts does.
func TestFiveHundredPhonesPollForTenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiters, err := ratelimit.New(ratelimit.Table)
		if err != nil {
			t.Fatal(err)
		}
		const phones, tick = 500, 50 * time.Millisecond
		random := rand.New(rand.NewPCG(1, 2))
		began := time.Now()
		var at, since [phones]time.Time // of the next poll, and of the last
		for i := range at {
			at[i] = began.Add(time.Duration(random.Int64N(int64(pollEvery))))
		}
		address := ratelimit.SeatedKey(netip.MustParseAddr("203.0.113.7"))
		pollers, polls := 0, 0
		for counted := began; time.Since(began) < 10*time.Minute; time.Sleep(tick) {
			if time.Since(counted) >= time.Second {
				counted, pollers = time.Now(), 0
				for _, last := range since {
					if !last.IsZero() {
						pollers++
					}
				}
			}
			open := time.Since(began)%time.Minute < 30*time.Second // a question every minute
			for i := range at {
				if time.Now().Before(at[i]) {
					continue
				}
				if d, err := limiters.Allow(t.Context(), ratelimit.Global.For(address)); err != nil || !d.Allowed {
					t.Fatalf("after %v phone %d is refused: %+v, %v", time.Since(began), i, d, err)
				}
				polls++
				since[i] = time.Now()
				at[i] = since[i].Add(time.Duration(float64(pollInterval(open, pollers, ratelimit.Global)) * (1 + 0.2*random.Float64())))
			}
		}
		if polls < 10*phones {
			t.Errorf("%d polls of %d phones in ten minutes", polls, phones)
		}
	})
}
