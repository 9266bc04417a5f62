package main

import (
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	out, _, code := output(t, quizd(t, nil, "--version"))
	if code != 0 || !regexp.MustCompile(`^quizd \S+ \(go1\.\S+, `+runtime.GOOS+`/`+runtime.GOARCH+`\)\n$`).MatchString(out) {
		t.Errorf("exit status %d: %q", code, out)
	}
	watched := httptest.NewServer(metricsHandler(prometheus.NewRegistry()))
	t.Cleanup(watched.Close)
	if metrics := get(t, watched.URL+"/metrics"); !strings.Contains(metrics, `quizd_build_info{goversion="`+runtime.Version()+`",version="`+version()+`"} 1`) {
		t.Errorf("no version in the metrics: %s", metrics)
	}
}

// What is owed to others is in the binary itself, which may be all that somebody has.
func TestLicencesCommand(t *testing.T) {
	t.Parallel()
	out, _, code := output(t, quizd(t, nil, "licences"))
	for _, owed := range []string{"Apache License", "golang.org/x/text", "Figtree", "Preact"} {
		if code != 0 || !strings.Contains(out, owed) {
			t.Errorf("exit status %d, and %s is not in what is printed", code, owed)
		}
	}
}
