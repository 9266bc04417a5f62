package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"pubquiz/internal/requestid"
	"pubquiz/ratelimit"
)

var requestName = regexp.MustCompile(`^[0-9a-f]{32}$`)

// TestEveryRequestHasAName: a trace that a trusted proxy tells of where it is well formed, otherwise one of our own. Whatever else was sent goes nowhere.
func TestEveryRequestHasAName(t *testing.T) {
	t.Run("a client", func(t *testing.T) { namesRequests(t, newSite(t), false) })
	t.Run("a trusted proxy", func(t *testing.T) {
		s := newSite(t)
		var err error
		if s.server.proxies, err = ratelimit.ParseProxies("127.0.0.1", ""); err != nil {
			t.Fatal(err)
		}
		namesRequests(t, s, true)
	})
}

func namesRequests(t *testing.T, s *site, trusted bool) {
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	for traceparent, taken := range map[string]bool{
		"00-" + trace + "-00f067aa0ba902b7-01": true,
		"00-" + trace + "-00f067aa0ba902b7-00": true,
		"":                                     false,
		"00-" + strings.ToUpper(trace) + "-00f067aa0ba902b7-01":          false,
		"00-00000000000000000000000000000000-00f067aa0ba902b7-01":        false,
		"00-" + trace + "-0000000000000000-01":                           false,
		"00-" + trace + "-00f067aa0ba902b7-01-more":                      false,
		"ff-" + trace + "-00f067aa0ba902b7-01":                           false,
		"00-" + trace + "4bf92f-00f067aa0ba902b7-01":                     false,
		`00-<script>alert(1)</script>4736-00f067aa0ba902b7-01`:           false,
		"00-" + strings.Repeat(trace, 100) + "-00f067aa0ba902b7-01":      false,
		"00-" + trace[:30] + "\u00e4-00f067aa0ba902b7-01":                false,
		"00-" + trace + "-00f067aa0ba902b7-01, 00-" + trace + "-1234-01": false,
	} {
		for _, path := range []string{"/", "/nothing", "/api/v1/nothing", "/healthz", "/static/nothing"} {
			r := s.browser().get(path, "Traceparent", traceparent, "X-Request-Id", "mine", "X-Forwarded-For", "127.0.0.1")
			name := r.header.Values(requestIDHeader)
			if len(name) != 1 || !requestName.MatchString(name[0]) || (name[0] == trace) != (taken && trusted) {
				t.Errorf("%s with %q is called %q", path, traceparent, name)
			}
		}
	}
}

// TestFailuresSayWhichRequestItWas, on the page and in the API's problems, by the name that the log has.
func TestFailuresSayWhichRequestItWas(t *testing.T) {
	s := newSite(t)
	var log bytes.Buffer
	s.server.log = slog.New(requestid.InLog(slog.NewTextHandler(&log, nil)))
	fails := s.server.serve(route{method: "GET", pattern: "/api/v1/broken", exempt: true, handle: func(http.ResponseWriter, *request) error { return errors.New("it broke") }})
	for _, test := range []struct {
		kind string
		ask  func() reply
	}{
		{"a problem", func() reply { return s.browser().get("/api/v1/sessions/nowhere/participant") }},
		{"a page", func() reply { return s.browser().get("/nothing") }},
		{"a failure", func() reply {
			w := httptest.NewRecorder()
			fails(w, httptest.NewRequest("GET", "/api/v1/broken?secret", nil))
			return reply{w.Code, w.Header(), w.Body.String()}
		}},
	} {
		log.Reset()
		r := test.ask()
		name := r.header.Get(requestIDHeader)
		if !strings.Contains(r.body, name) || !requestName.MatchString(name) {
			t.Errorf("%s does not say that it is %s: %s", test.kind, name, r.body)
		}
		if logged := strings.Contains(log.String(), `msg="request failed" method=GET route=/api/v1/broken status=500 error="it broke" request=`+name); logged != (r.status >= 500) {
			t.Errorf("%s: logged %s", test.kind, log.String())
		}
	}
	if one, other := s.browser().get("/nothing"), s.browser().get("/nothing"); one.header.Get(requestIDHeader) == other.header.Get(requestIDHeader) {
		t.Error("two requests have one name")
	}
}

// TestRequestsAreCounted by route and by what became of them, never by what a client chose.
func TestRequestsAreCounted(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	b.get("/")
	b.get("/j/ABCDEF")
	b.get("/nothing")
	b.send("BREW", "/coffee", nil)
	b.send("DELETE", "/signin", nil)
	b.send("POST", "/signout", nil, "Sec-Fetch-Site", "cross-site")
	b.send("HEAD", "/healthz", nil)
	got := s.scrape()
	for name, want := range map[string]float64{
		"{answer=2xx route=GET /}":         1,
		"{answer=4xx route=GET /j/{code}}": 1,
		"{answer=4xx route=/*}":            3,
		"{answer=4xx route=/api/*}":        1,
		"{answer=2xx route=GET /healthz}":  1,
	} {
		if got["quizd_request_duration_seconds"+name] != want {
			t.Errorf("%s was counted %v times, want %v", name, got["quizd_request_duration_seconds"+name], want)
		}
	}
	for name := range got {
		if strings.Contains(name, "BREW") || strings.Contains(name, "coffee") || strings.Contains(name, "ABCDEF") {
			t.Errorf("a client chose %s", name)
		}
	}
	if got["quizd_requests_in_flight{}"] != 0 {
		t.Errorf("%v requests are under way", got["quizd_requests_in_flight{}"])
	}
}

// TestWhatBecameOfARequest is told apart: what failed, what broke off, and what nobody waited for.
func TestWhatBecameOfARequest(t *testing.T) {
	s := newSite(t)
	ask := func(ctx context.Context, pattern string, handle func(http.ResponseWriter, *request) error) {
		defer func() { _ = recover() }()
		s.server.serve(route{pattern: pattern, exempt: true, handle: handle})(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/", nil))
	}
	ended, end := context.WithCancel(t.Context())
	end()
	fails := func(http.ResponseWriter, *request) error { return errors.New("it broke") }
	s.server.log = slog.New(slog.DiscardHandler)
	ask(t.Context(), "/fails", fails)
	ask(ended, "/gone", fails)
	ask(t.Context(), "/panics", func(http.ResponseWriter, *request) error { panic("nobody foresaw this") })
	ask(t.Context(), "/says-nothing", func(http.ResponseWriter, *request) error { return nil })
	ask(t.Context(), "/hints", func(w http.ResponseWriter, _ *request) error {
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusSeeOther)
		return nil
	})
	ask(t.Context(), "/copies", func(w http.ResponseWriter, _ *request) error {
		_, err := io.Copy(w, strings.NewReader("x"))
		return err
	})
	got := s.scrape()
	for pattern, class := range map[string]string{"/fails": "5xx", "/gone": gone, "/panics": "5xx", "/says-nothing": "2xx", "/hints": "3xx", "/copies": "2xx"} {
		if name := "quizd_request_duration_seconds{answer=" + class + " route=" + pattern + "}"; got[name] != 1 {
			t.Errorf("%s is %v: %v", name, got[name], got)
		}
	}
}

// TestAccessLogTellsNoTokens: it has a line a request, at the level debug only, which names the route and not the address that was asked for.
func TestAccessLogTellsNoTokens(t *testing.T) {
	s := newSite(t)
	var log bytes.Buffer
	for level, lines := range map[slog.Level]int{slog.LevelDebug: 3, slog.LevelInfo: 0} {
		log.Reset()
		s.server.log = slog.New(requestid.InLog(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: level})))
		for _, path := range []string{"/results/secret-token", "/signin?next=secret", "/j/secret"} {
			s.browser().get(path)
		}
		if n := strings.Count(log.String(), "msg=answered"); n != lines || strings.Contains(log.String(), "secret") {
			t.Errorf("%v: %d lines, want %d: %s", level, n, lines, log.String())
		}
	}
}

// TestBodyTooLargeEndsTheConnection: net/http still hears of it, although it is not its own writer that handlers write to.
func TestBodyTooLargeEndsTheConnection(t *testing.T) {
	s := newSite(t)
	res, err := s.browser().http.Post(s.url+"/signin", "application/x-www-form-urlencoded", strings.NewReader("email="+strings.Repeat("x", smallBody)))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusRequestEntityTooLarge || !res.Close {
		t.Errorf("%s, and it goes on: %v", res.Status, !res.Close)
	}
}

// TestAnswersAreTimed by what they came over; and what is not confirmed over a socket is in the log, with the request that opened the socket.
func TestAnswersAreTimed(t *testing.T) {
	s := newSite(t)
	var log bytes.Buffer
	s.server.log = slog.New(requestid.InLog(slog.NewTextHandler(&log, nil))) // from the start: a request that opens a socket may end after its answer
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Alice")
	l.command("next")
	l.command("launch")
	ws, opened, err := l.tryDial(phone, "participant", l.url)
	if err != nil {
		t.Fatal(err)
	}
	over := &socket{t, ws}
	over.send(socketAnswer("a1"))
	over.next("outcome")
	phone.send("POST", l.path("answers"), map[string]any{"id": "a1", "question": "1.1", "given": firstGiven()})
	if got := s.scrape(); got["quizd_answer_duration_seconds{over=post}"] != 1 || got["quizd_answer_duration_seconds{over=socket}"] != 1 {
		t.Errorf("got %v", got)
	}
	s.pool.Close()
	over.send(socketAnswer("a2"))
	if outcome := over.next("outcome"); outcome["outcome"] != "busy" {
		t.Errorf("got %v", outcome)
	}
	if want := "request=" + opened.Header.Get(requestIDHeader); !strings.Contains(log.String(), want) || !strings.Contains(log.String(), "closed pool") {
		t.Errorf("logged %s, want the reason and %s", log.String(), want)
	}
}
