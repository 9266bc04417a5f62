package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stripe/stripe-go/v85"
	collected "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	traced "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"pubquiz/internal/mail"
	"pubquiz/internal/tracing"
	"pubquiz/quiz"
	"pubquiz/session"
)

// collector receives traces by OpenTelemetry's protocol.
type collector struct {
	url string

	mu    sync.Mutex
	spans []*traced.Span
	about []string // whose they are
}

func startCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var told collected.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &told) != nil {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, resource := range told.ResourceSpans {
			c.about = append(c.about, resource.Resource.String())
			for _, scope := range resource.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(server.Close)
	c.url = server.URL
	return c
}

// find returns the spans that are so.
func (c *collector) find(so func(*traced.Span) bool) (found []*traced.Span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, span := range c.spans {
		if so(span) {
			found = append(found, span)
		}
	}
	return found
}

// one returns the span with a name in a trace, of any if trace is "".
func (c *collector) one(t *testing.T, name, trace string) *traced.Span {
	t.Helper()
	found := c.find(func(s *traced.Span) bool {
		return s.Name == name && (trace == "" || hex.EncodeToString(s.TraceId) == trace)
	})
	if len(found) != 1 {
		t.Fatalf("%d spans are called %q in %q, of %v", len(found), name, trace, c.find(func(*traced.Span) bool { return true }))
	}
	return found[0]
}

func linked(from, to *traced.Span) bool {
	for _, link := range from.Links {
		if string(link.SpanId) == string(to.SpanId) && string(link.TraceId) == string(to.TraceId) {
			return true
		}
	}
	return false
}

// TestTracesFollowAnAnswer from the request by which a phone sent it, whose name the phone knows, to the statement that stored it and those that it was stored with.
func TestTracesFollowAnAnswer(t *testing.T) {
	t.Parallel()
	c := startCollector(t)
	s, base := startWith(t, environment{"OTEL_EXPORTER_OTLP_ENDPOINT": c.url, "TRUSTED_PROXIES": "127.0.0.1"})
	ctx := t.Context()
	if _, err := s.welcome(ctx); err != nil {
		t.Fatal(err)
	}
	user, err := s.accounts.EnsureUser(ctx, demoEmail, demoName)
	if err != nil {
		t.Fatal(err)
	}
	open, err := s.newestOpen(ctx, quiz.OwnerID(user))
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	phone := &http.Client{Jar: jar}
	post := func(path, body string, header ...string) (name string, told map[string]any) {
		t.Helper()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		answer, err := phone.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(&told); err != nil || answer.StatusCode >= 300 {
			t.Fatalf("%s: %d %v %v", path, answer.StatusCode, told, err)
		}
		return answer.Header.Get("X-Request-Id"), told
	}
	_, joined := post("/api/v1/join/"+open.JoinCode, `{"name":"Agatha","attempt":"0123456789abcdef"}`)
	host, err := s.sessions.AsHost(ctx, open.PublicID, quiz.OwnerID(user))
	if err != nil {
		t.Fatal(err)
	}
	for version, command := range []session.CommandName{session.Next, session.Launch} {
		if _, err := s.sessions.Command(ctx, host, session.Command{Version: int64(version) + 1, Command: command}); err != nil {
			t.Fatal(err)
		}
	}
	const caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00" // which does not want to be traced: that is not for callers to say
	given := `{"id":"a1","question":"1.1","given":{"choices":[0]}}`
	if quiz.Sample().Rounds[0].Questions[0].Kind == quiz.Text {
		given = `{"id":"a1","question":"1.1","given":{"text":"Agatha"}}`
	}
	path := "/api/v1/sessions/" + open.PublicID + "/answers"
	first, _ := post(path, given)
	again, _ := post(path, given, "Traceparent", caller)
	if err := s.traces.Stop(ctx); err != nil {
		t.Fatal(err)
	}

	request := c.one(t, "POST /api/v1/sessions/{session}/answers", first)
	batches := c.find(func(s *traced.Span) bool { return s.Name == "store answers" && linked(s, request) })
	if len(batches) != 1 || !linked(request, batches[0]) {
		t.Fatalf("the batches with the answer are %v; the request is linked to %v", batches, request.Links)
	}
	stores := c.find(func(s *traced.Span) bool {
		return string(s.ParentSpanId) == string(batches[0].SpanId) && strings.Contains(s.String(), "INSERT INTO answers")
	})
	if len(stores) != 1 {
		t.Errorf("%d statements stored it", len(stores))
	}
	if repeated := c.one(t, request.Name, again); again != "4bf92f3577b34da6a3ce929d0e0e4736" || len(repeated.ParentSpanId) > 0 || hex.EncodeToString(repeated.Links[0].SpanId) != "00f067aa0ba902b7" {
		t.Errorf("%s is %v, where a caller's span is linked", again, repeated)
	}
	if len(c.about) == 0 || !strings.Contains(c.about[0], `"quizd"`) {
		t.Errorf("the traces are of %v", c.about)
	}
	for _, private := range []string{"Agatha", joined["token"].(string), open.JoinCode, demoEmail, "127.0.0.1"} {
		if told := c.find(func(s *traced.Span) bool { return strings.Contains(s.String(), private) }); len(told) > 0 {
			t.Errorf("%s is in %v", private, told)
		}
	}
}

// bounces is a mail server that does not like an address.
type bounces struct{}

func (bounces) Send(context.Context, mail.Message) error {
	return errors.New("nobody is called agatha@quiz.example here")
}

// TestCallsAreTraced: those at others, who hear nothing of it.
func TestCallsAreTraced(t *testing.T) {
	t.Parallel()
	c := startCollector(t)
	address, err := url.Parse(c.url)
	if err != nil {
		t.Fatal(err)
	}
	traces, err := tracing.Start(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Traceparent") != "" {
			t.Error("whoever is called hears of the trace")
		}
	}))
	t.Cleanup(other.Close)
	var backend stripe.BackendConfig
	traceStripe(traces)(&backend)
	answer, err := backend.HTTPClient.Get(other.URL)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if err := traceLetters(bounces{}, traces).Send(t.Context(), mail.Message{To: "agatha@quiz.example"}); err == nil {
		t.Error("the letter did not bounce")
	}
	if err := traces.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.one(t, "HTTP GET", "")
	if letter := c.one(t, "send a letter", ""); letter.Status.GetCode() != traced.Status_STATUS_CODE_ERROR || strings.Contains(letter.String(), "agatha") {
		t.Errorf("the letter is %v", letter)
	}
}

// TestCollectorsAddress is one, and holds no secret that would be in the log.
func TestCollectorsAddress(t *testing.T) {
	for address, ok := range map[string]bool{
		"http://localhost:4318": true, "https://traces.example.org/otlp": true, "localhost:4318": false, "grpc://localhost:4317": false, "http://user:secret@localhost:4318": false, "http://%secret": false,
	} {
		var u collectorURL
		if err := u.UnmarshalText([]byte(address)); (err == nil) != ok || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
