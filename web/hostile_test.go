package web

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"pubquiz/account"
	"pubquiz/quiz"
	"pubquiz/ratelimit"
)

// TestTheDemosLettersAreNoOtherSites: a name that was made to lead here gives its pages nothing (DNS rebinding). The letters open accounts, and no cookie guards them.
func TestTheDemosLettersAreNoOtherSites(t *testing.T) {
	s := newMailSite(t)
	for host, want := range map[string]int{
		strings.TrimPrefix(s.url, "http://"): http.StatusOK, "127.0.0.1": http.StatusOK, "127.0.0.1:8080": http.StatusOK, "[::1]": http.StatusOK, "[::1]:8080": http.StatusOK,
		"evil.example": http.StatusNotFound, "evil.example:8080": http.StatusNotFound, "127.0.0.1.evil.example": http.StatusNotFound, "localhost": http.StatusNotFound,
	} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", s.url+trayPath, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("to %q: %d, want %d", host, res.StatusCode, want)
		}
	}
}

// TestAMessageIsOneValue: what comes after it would go unnoticed.
func TestAMessageIsOneValue(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Alice")
	const answer = `{"answer":{"id":"a","question":"1.1","given":{"choices":[0]}}}`
	for _, message := range []string{answer + " x", answer + answer, answer + "}", answer + "\n[]", answer + " null"} {
		ws := l.dial(phone, "participant")
		if err := ws.ws.WriteMessage(websocket.TextMessage, []byte(message)); err != nil {
			t.Fatal(err)
		}
		if code, _ := ws.closeCode(); code != closeMalformed {
			t.Errorf("%s: closed with %d", message, code)
		}
	}
	ws := l.dial(phone, "participant")
	if err := ws.ws.WriteMessage(websocket.TextMessage, []byte(answer+" \n")); err != nil {
		t.Fatal(err)
	}
	ws.next("outcome")
}

// TestAHostCannotFillTheMemory: of all that is held in memory while it comes in, few may be on their way, however slowly it comes. Files do not hold up the saving of a quiz.
func TestAHostCannotFillTheMemory(t *testing.T) {
	s := newSite(t)
	b, other := s.host("host@quiz.example"), s.host("other@quiz.example")
	type way struct{ method, path string }
	files := []way{{"POST", "/api/v1/imports?name=quiz.csv"}, {"POST", "/api/v1/media"}}
	contents := []way{{"POST", "/api/v1/quizzes"}, {"PUT", "/api/v1/quizzes/1"}}
	for _, kind := range []struct {
		ways, others []way
		of           *transfers
	}{{files, contents, &s.server.files}, {contents, files, &s.server.contents}} {
		var slow []*io.PipeWriter
		for i := range transfersOfOne {
			body, w := io.Pipe()
			slow = append(slow, w)
			to := kind.ways[i%len(kind.ways)]
			req, err := http.NewRequestWithContext(t.Context(), to.method, s.url+to.path, body)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			go func() {
				if res, err := b.http.Do(req); err == nil {
					res.Body.Close()
				}
			}()
		}
		held := func() int {
			kind.of.mu.Lock()
			defer kind.of.mu.Unlock()
			n := 0
			for _, of := range kind.of.of {
				n += of
			}
			return n
		}
		until(t, "all coming in", func() bool { return held() == transfersOfOne })
		kind.of.mu.Lock()
		if kind.of.all != 0 {
			t.Errorf("%d of them, of which nothing has come, have a place among all", kind.of.all)
		}
		kind.of.mu.Unlock()
		for _, way := range kind.ways {
			if r := b.send(way.method, way.path, "{}"); r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" {
				t.Errorf("%s %s: %d %s", way.method, way.path, r.status, r.body)
			}
			if r := other.send(way.method, way.path, "{}"); r.status == http.StatusServiceUnavailable {
				t.Errorf("%s %s of another host: %s", way.method, way.path, r.body)
			}
		}
		for _, way := range kind.others {
			if r := b.send(way.method, way.path, "{}"); r.status == http.StatusServiceUnavailable {
				t.Errorf("%s %s is held up: %s", way.method, way.path, r.body)
			}
		}
		for _, w := range slow {
			w.Close()
		}
		until(t, "none coming in", func() bool { return held() == 0 })
		if r := b.send(kind.ways[0].method, kind.ways[0].path, "{}"); r.status == http.StatusServiceUnavailable {
			t.Errorf("afterwards: %d %s", r.status, r.body)
		}
	}
}

// TestAllHostsTogetherCannotFillTheMemory: nor can somebody with many accounts.
func TestAllHostsTogetherCannotFillTheMemory(t *testing.T) {
	var i transfers
	var ends []func()
	for n := range 2 * transfersOfAll {
		end, err := i.begin(account.UserID(n))
		if refused := err != nil; refused != (n >= transfersOfAll) {
			t.Fatalf("number %d: %v", n+1, err)
		}
		if err == nil {
			ends = append(ends, end)
		}
	}
	for _, end := range ends {
		end()
	}
	if i.all != 0 || len(i.of) != 0 {
		t.Errorf("%d are left, of %v", i.all, i.of)
	}
}

// TestSlowBodiesHoldUpNobody: somebody with many accounts who sends hardly anything has no place among all, and where others have them all, what is small goes on.
func TestSlowBodiesHoldUpNobody(t *testing.T) {
	s := newSite(t)
	b := s.host("host@quiz.example")
	content := func(text string) string {
		return `{"content":{"title":"Saved","rounds":[{"title":"","introduction":"` + text + `","questions":[]}]}}`
	}
	large := strings.Repeat(" ", arrivesFree) + content("")
	for _, kind := range []struct {
		of                 *transfers
		path, small, large string
		taken              int
	}{
		{&s.server.contents, "/api/v1/quizzes", content(""), large, http.StatusCreated},
		{&s.server.files, "/api/v1/imports?name=quiz.csv", "question,answer\nWho?,You\n", "question,answer\nWho?,You\n" + strings.Repeat("\n", arrivesFree), http.StatusOK},
		{&s.server.files, "/api/v1/media", "no picture", strings.Repeat("no picture ", arrivesFree), http.StatusUnprocessableEntity},
	} {
		send := func(body string) reply {
			if strings.HasPrefix(kind.path, "/api/v1/quizzes") {
				return b.send("POST", kind.path, body)
			}
			return b.send("POST", kind.path, strings.NewReader(body)) // as a file
		}
		counted := func(n int) (before int) {
			kind.of.mu.Lock()
			defer kind.of.mu.Unlock()
			before, kind.of.all = kind.of.all, n
			return before
		}
		counted(transfersOfAll)
		if r := send(kind.small); r.status != kind.taken {
			t.Errorf("%s, small: %d %s", kind.path, r.status, r.body)
		}
		if kind.taken != http.StatusUnprocessableEntity { // what is no picture is known by its beginning
			if r := send(kind.large); r.status != http.StatusServiceUnavailable || r.json(t)["type"] != "/problems/busy" {
				t.Errorf("%s, large: %d %s", kind.path, r.status, r.body)
			}
		}
		counted(0)
		if r := send(kind.large); r.status != kind.taken {
			t.Errorf("%s, large, with a place: %d %s", kind.path, r.status, r.body)
		}
		if kept := counted(0); kept != 0 {
			t.Errorf("%s: %d places are kept", kind.path, kept)
		}
	}
}

// TestUploadsKeepAPace: a byte now and then holds a place for half a minute, and what comes steadily has the time that it takes.
func TestUploadsKeepAPace(t *testing.T) {
	for name, test := range map[string]struct {
		ago   time.Duration
		taken int64
		left  time.Duration
	}{
		"at first":             {0, 0, mediaStall},
		"with nothing":         {20 * time.Second, 0, 10 * time.Second},
		"with a few bytes":     {29 * time.Second, uploadPace / 16, time.Second + time.Second/16},
		"at that pace":         {5 * time.Minute, 5 * 60 * uploadPace, mediaStall},
		"slower":               {5 * time.Minute, 4 * 60 * uploadPace, -30 * time.Second},
		"faster, but for ever": {uploadLimit - time.Second, quiz.MaxVideo, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) { // where time stands still
			var left time.Duration
			body := &steady{from: strings.NewReader("x"), began: time.Now().Add(-test.ago), taken: test.taken, extend: func(until time.Time) error { left = time.Until(until); return nil }}
			if _, err := body.Read(make([]byte, 1)); err != nil || left != test.left {
				t.Errorf("%s: %v, and %v are left, want %v", name, err, left, test.left)
			}
		})
	}
}

// TestCodesMakeNoBudgets: a captain or a host could make any number of codes, each with an address's budget.
func TestCodesMakeNoBudgets(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	codes := make([]string, 3)
	for i := range codes {
		r := l.host.send("POST", l.path("rejoin-codes"), map[string]string{})
		codes[i], _ = r.json(t)["code"].(string)
	}
	stranger := s.browser()
	admitted := 0
	for range ratelimit.PlayerPageLoad.Budget {
		for _, code := range codes {
			if stranger.get("/j/"+code).status == http.StatusOK {
				admitted++
			}
		}
	}
	if admitted != ratelimit.PlayerPageLoad.Budget {
		t.Errorf("%d codes let one address load %d pages a minute; the budget is %d", len(codes), admitted, ratelimit.PlayerPageLoad.Budget)
	}
}

// TestProofsAreLogged: each attempt to show who one is leaves who, where and by what, and nothing of what was typed.
func TestProofsAreLogged(t *testing.T) {
	s := newSite(t)
	var log bytes.Buffer
	s.server.log = slog.New(slog.NewTextHandler(&log, nil))
	alice := s.host("alice@example.org")
	phone, _ := s.turnOn(alice)
	somebody := s.browser()
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() { somebody.send("POST", "/signin", signInForm("alice@example.org", "opens nothing")) }, `level=WARN msg="a proof was refused" route=/signin host=0 address=127.0.0.1`},
		{func() { somebody.send("POST", "/signin", signInForm("nobody@example.org", "opens nothing")) }, `msg="a proof was refused" route=/signin host=0`},
		{func() { somebody.send("POST", "/signin", signInForm("alice@example.org", testPassword)) }, ``},
		{func() { somebody.send("POST", "/signin/code", url.Values{"code": {"000000"}}) }, `msg="a proof was refused" route=/signin/code`},
		{func() { somebody.send("POST", "/signin/code", url.Values{"code": {phone.code()}}) }, `level=INFO msg="a host signed in" route=/signin/code host=1 address=127.0.0.1`},
		{func() { alice.send("POST", "/account/takeaway", url.Values{"password": {"opens nothing"}}) }, `msg="a proof was refused" route=/account/takeaway host=1`},
		{func() { s.browser().send("POST", "/signup", signUpForm("bob@example.org")) }, `msg="a host signed in" route=/signup host=2`},
	} {
		log.Reset()
		step.do()
		got := log.String()
		if !strings.Contains(got, step.want) || step.want == "" && got != "" {
			t.Errorf("logged %q, want %q", got, step.want)
		}
		for _, typed := range []string{"opens nothing", testPassword, "example.org", "000000"} {
			if strings.Contains(got, typed) {
				t.Errorf("%q is in the log: %s", typed, got)
			}
		}
	}
}

// TestRefusalsNameNothingOfOurs: what is wrong with a body is said without the names that types have in the code.
func TestRefusalsNameNothingOfOurs(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Alice")
	ours := regexp.MustCompile(`\b(u?int|int64|float64|bool|string|map|struct)\b|\[\]|[a-z]+\.[A-Z]`)
	for body, want := range map[string]string{
		`{"id":1}`:                      "The field id is not text.",
		`{"given":[]}`:                  "The field given is not an object.",
		`{"given":{"choices":1}}`:       "The field given.choices is not a list.",
		`{"given":{"choices":["A"]}}`:   "The field given.choices is not a whole number, or too large a one.",
		`{"given":{"choices":[1e30]}}`:  "The field given.choices is not a whole number, or too large a one.",
		`[]`:                            "The body is not an object.",
		`{"given":{"text":{"a":true}}}`: "The field given.text is not text.",
	} {
		r := phone.send("POST", l.path("answers"), body)
		detail := fmt.Sprint(r.json(t)["detail"])
		if r.status != http.StatusBadRequest || detail != want || ours.MatchString(detail) {
			t.Errorf("%s: %d %s", body, r.status, detail)
		}
	}
}

// TestPanicsAreLogged: what nobody foresaw is in the log, with where it happened, and the answer breaks off instead of looking whole.
func TestPanicsAreLogged(t *testing.T) {
	s := newSite(t)
	var log bytes.Buffer
	s.server.log = slog.New(slog.NewTextHandler(&log, nil))
	for name, panicked := range map[string]any{"nobody foresaw this": "nobody foresaw this", "": http.ErrAbortHandler} {
		log.Reset()
		handler := s.server.serve(route{pattern: "/somewhere", exempt: true, handle: func(http.ResponseWriter, *request) error { panic(panicked) }})
		func() {
			defer func() {
				if got := recover(); got != http.ErrAbortHandler {
					t.Errorf("%v goes on as %v", panicked, got)
				}
			}()
			handler(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/somewhere?secret=1", nil))
		}()
		got := log.String()
		if want := name != ""; strings.Contains(got, `level=ERROR msg="a handler panicked" method=GET route=/somewhere`) != want || !strings.Contains(got, name) || strings.Contains(got, "secret") {
			t.Errorf("%v: logged %q", panicked, got)
		}
		if want := name != ""; strings.Contains(got, "hostile_test.go") != want {
			t.Errorf("%v: the log says where: %v", panicked, !want)
		}
	}
}
