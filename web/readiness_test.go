package web

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadinessIsAskedOnceASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked, away := 0, errors.New("away")
		r := readiness{checks: []Check{{"database", func(context.Context) error { asked++; return away }}, {"another", func(context.Context) error { return nil }}}}
		for range 1000 {
			if diff := cmp.Diff(map[string]string{"database": "away"}, r.now()); diff != "" {
				t.Fatal(diff)
			}
		}
		away = nil
		time.Sleep(readinessAge)
		if failing := r.now(); len(failing) > 0 || asked != 2 {
			t.Errorf("%v, asked %d times", failing, asked)
		}
	})
}

func TestReadinessDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := readiness{checks: []Check{{"database", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}}}
		if failing := r.now(); failing["database"] != context.DeadlineExceeded.Error() {
			t.Errorf("got %v", failing)
		}
	})
}

// TestReadinessSaysWhatFails, to whoever asks, as JSON, and to who watches: a server that has shut its doors can be asked nothing else.
func TestReadinessSaysWhatFails(t *testing.T) {
	s := newSite(t)
	var database, schema error
	s.server.readiness.checks = []Check{{"database", func(context.Context) error { return database }}, {"schema", func(context.Context) error { return schema }}}
	asks := func(status int, body string) {
		t.Helper()
		s.server.readiness.asked = time.Time{}
		r := s.browser().get("/readyz")
		if r.status != status || r.body != body || r.header.Get("Content-Type") != "application/json" || r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%d %s %v, want %d %s", r.status, r.body, r.header, status, body)
		}
		if is := s.scrape()["quizd_ready{}"]; (is == 1) != (status == http.StatusOK) {
			t.Errorf("quizd_ready is %g with %s", is, body)
		}
	}
	asks(http.StatusOK, `{"status":"ready"}`)
	database = errors.New("it does not answer")
	asks(http.StatusServiceUnavailable, `{"status":"not ready","failing":{"database":"it does not answer"}}`)
	schema = errors.New("it is behind")
	asks(http.StatusServiceUnavailable, `{"status":"not ready","failing":{"database":"it does not answer","schema":"it is behind"}}`)
	database, schema = nil, nil
	asks(http.StatusOK, `{"status":"ready"}`)
	s.server.DrainSockets(t.Context(), 0)
	asks(http.StatusServiceUnavailable, `{"status":"not ready","failing":{"draining":"the server is stopping"}}`)
	if r := s.browser().get("/healthz"); r.status != http.StatusOK {
		t.Errorf("a server that stops is alive until it has: %d", r.status)
	}
}
