package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pubquiz/ratelimit"
)

// TestMonitoringKnowsItsMetrics: whatever alerts and dashboards name is exported by a running server, with the labels that they choose by.
func TestMonitoringKnowsItsMetrics(t *testing.T) {
	needsLimits(t)
	t.Parallel()
	s, base := startWith(t, environment{"SMTP_URL": "smtp://127.0.0.1:1?tls=none", "MAIL_FROM": "quiz@example.org"})
	for range ratelimit.Auth.Budget + 1 { // so that a limiter has admitted and refused something
		(instance{base: base}).guess(t)
	}
	s.web.DrainSockets(t.Context(), 0) // so that a request has failed
	if status := (instance{base: base}).status(t, "/readyz"); status != http.StatusServiceUnavailable {
		t.Fatal(status)
	}
	watched := httptest.NewServer(metricsHandler(s.collectors()...))
	t.Cleanup(watched.Close)
	exported := get(t, watched.URL+"/metrics")

	expressions := append(found(readFile(t, "../../deploy/prometheus/rules.yml"), `expr: (.*)`), dashboards(t)...)
	if len(expressions) < 20 {
		t.Fatalf("only %d expressions were found", len(expressions))
	}
	selector := regexp.MustCompile(`\b((?:quizd|go|process)_\w+)(?:\{([^}]*)\})?`)
	for _, expression := range expressions {
		selected := selector.FindAllStringSubmatch(expression, -1)
		if len(selected) == 0 && !strings.Contains(expression, "up{") && !strings.Contains(expression, "ALERTS{") {
			t.Errorf("no metric was found in %s", expression)
		}
		for _, match := range selected {
			if !exports(exported, regexp.QuoteMeta(match[1])+`[ {]`) {
				t.Errorf("%s: no server exports %s", expression, match[1])
			}
			for _, label := range chosen(match[2]) {
				if !exports(exported, `quizd_\w+\{[^}]*\b`+regexp.QuoteMeta(label)) { // of any metric, since what has not been decided yet is not counted
					t.Errorf("%s: no server exports anything with %s", expression, label)
				}
			}
		}
	}
}

// chosen are the labels that a selector chooses by, each as label="value". The job is Prometheus's.
func chosen(selector string) (labels []string) {
	for _, match := range regexp.MustCompile(`(\w+)=~?"([^"]*)"`).FindAllStringSubmatch(selector, -1) {
		for value := range strings.SplitSeq(match[2], "|") {
			if match[1] != "job" {
				labels = append(labels, match[1]+`="`+value+`"`)
			}
		}
	}
	return labels
}

// exports reports whether a line of the export begins with what the pattern says.
func exports(exported, pattern string) bool {
	return regexp.MustCompile("(?m)^" + pattern).MatchString(exported)
}

// dashboards returns all that the dashboards ask.
func dashboards(t *testing.T) (expressions []string) {
	t.Helper()
	files, err := filepath.Glob("../../deploy/grafana/dashboards/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		var board struct {
			Panels []struct {
				Targets []struct{ Expr string }
			}
		}
		if err := json.Unmarshal([]byte(readFile(t, file)), &board); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, panel := range board.Panels {
			for _, target := range panel.Targets {
				expressions = append(expressions, target.Expr)
			}
		}
	}
	return expressions
}

// TestEveryAlertSaysWhatToDo: in a line of its own in docs/operations.md.
func TestEveryAlertSaysWhatToDo(t *testing.T) {
	t.Parallel()
	alerts := found(readFile(t, "../../deploy/prometheus/rules.yml"), `alert: (\w+)`)
	runbook := found(readFile(t, "../../docs/operations.md"), "(?m)^\\| `([A-Z][a-z]\\w+)` \\| .{40}")
	if len(alerts) == 0 || strings.Join(alerts, " ") != strings.Join(runbook, " ") {
		t.Errorf("the alerts are %v, and docs/operations.md says what to do at %v", alerts, runbook)
	}
}
