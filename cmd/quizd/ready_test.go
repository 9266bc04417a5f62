package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestReadyCommand(t *testing.T) {
	t.Parallel()
	_, base := startTest(t)
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }))
	t.Cleanup(busy.Close)
	port := base[strings.LastIndex(base, ":")+1:]
	for name, test := range map[string]struct {
		listen string
		code   int
		says   string
	}{
		"it is ready":              {"127.0.0.1:" + port, 0, ""},
		"it would be, everywhere":  {"0.0.0.0:" + port, 0, ""},
		"it is not":                {strings.TrimPrefix(busy.URL, "http://"), 1, "not ready: 503"},
		"nobody is there":          {"127.0.0.1:" + freePort(t), 1, "refused"},
		"nobody is meant to be":    {"off", 1, "LISTEN_ADDRESS"},
		"it is called by nonsense": {"nonsense", 1, "LISTEN_ADDRESS"},
	} {
		if _, said, code := output(t, quizd(t, environment{"LISTEN_ADDRESS": test.listen}, "ready")); code != test.code || !strings.Contains(said, test.says) {
			t.Errorf("%s: exit status %d, %q", name, code, said)
		}
	}
}
