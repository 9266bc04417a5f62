package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pubquiz/internal/dbtest"
)

func TestReadyCommand(t *testing.T) {
	t.Parallel()
	_, base := startTest(t)
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, `{"status":"not ready","failing":{"schema":"it is behind","database":"it is slow"}}`)
	}))
	t.Cleanup(busy.Close)
	port := base[strings.LastIndex(base, ":")+1:]
	for name, test := range map[string]struct {
		listen string
		code   int
		says   string
	}{
		"it is ready":              {"127.0.0.1:" + port, 0, ""},
		"it would be, everywhere":  {"0.0.0.0:" + port, 0, ""},
		"it is not":                {strings.TrimPrefix(busy.URL, "http://"), 1, "not ready: 503 Service Unavailable; database: it is slow; schema: it is behind"},
		"nobody is there":          {"127.0.0.1:" + freePort(t), 1, "refused"},
		"it is called by nonsense": {"nonsense", 1, "LISTEN_ADDRESS"},
	} {
		if _, said, code := output(t, quizd(t, environment{"LISTEN_ADDRESS": test.listen}, "ready")); code != test.code || !strings.Contains(said, test.says) {
			t.Errorf("%s: exit status %d, %q", name, code, said)
		}
	}
}

// TestReadinessSaysWhy, while one thing after the other is wrong with a real database. That a server is stopping is web's to say.
func TestReadinessSaysWhy(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	exec := func(query string) func() {
		return func() {
			if _, err := pool.Exec(t.Context(), query); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		name  string
		begin func()
		says  map[string]string // how what each check says begins
	}{
		{"all is well", func() {}, nil},
		{"a newer server has migrated", exec(`UPDATE schema_migrations SET version = version + 1`), nil},
		{"somebody took a step back", exec(`UPDATE schema_migrations SET version = version - 2`), map[string]string{"schema": "behind: "}},
		{"a step has failed", exec(`UPDATE schema_migrations SET dirty = true`), map[string]string{"schema": "broken: "}},
		{"the database is away", pool.Close, map[string]string{"database": "it does not answer"}},
	} {
		test.begin()
		for _, check := range ready(pool) {
			says := ""
			if err := check.Ask(t.Context()); err != nil {
				says = err.Error()
			}
			if want := test.says[check.Name]; !strings.HasPrefix(says, want) || (says == "") != (want == "") {
				t.Errorf("%s: %s says %q, want %q", test.name, check.Name, says, want)
			}
		}
	}
}
