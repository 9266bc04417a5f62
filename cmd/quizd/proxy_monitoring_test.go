package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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

// TestAlerts: Prometheus understands what it is given; each alert fires when it should and says what it should, and it wakes nobody when it is nearly so.
func TestAlerts(t *testing.T) {
	t.Parallel()
	const config, rules, cases = "../../deploy/prometheus/prometheus.yml", "../../deploy/prometheus/rules.yml", "../../deploy/prometheus/rules_test.yml"
	promtool(t, "check", "config", "--lint-fatal", config)
	promtool(t, "check", "rules", "--lint-fatal", rules)
	promtool(t, "test", "rules", cases)

	alerts, tried := found(readFile(t, rules), `alert: (\w+)`), readFile(t, cases)
	if fire := slices.Compact(found(tried, `alertname: (\w+)\n +exp_alerts:\n +- exp_labels:`)); !slices.Equal(fire, alerts) {
		t.Errorf("the alerts are %v, and those that fire in a case are %v", alerts, fire)
	}
	if quiet := slices.Compact(found(tried, `alertname: (\w+), exp_alerts: \[\]`)); !slices.Equal(quiet, alerts) {
		t.Errorf("the alerts are %v, and those that do not in another are %v", alerts, quiet)
	}
	const often = `(?m)^ *evaluation_interval: (\w+)`
	if have, want := found(tried, often), found(readFile(t, config), often); !slices.Equal(have, want) {
		t.Errorf("the cases are evaluated every %v, and the alerts every %v", have, want)
	}
}

// TestPrometheusUnderstandsDashboards: all that they ask would do as a rule.
func TestPrometheusUnderstandsDashboards(t *testing.T) {
	t.Parallel()
	type rule struct {
		Record string `json:"record"`
		Expr   string `json:"expr"`
	}
	type group struct {
		Name  string `json:"name"`
		Rules []rule `json:"rules"`
	}
	filled := strings.NewReplacer("$__rate_interval", "20s") // four scrapes, as Grafana has it; what it does not fill in is no PromQL
	var groups []group                                       // each named as what it asks, since promtool names the group that it complains of
	for _, expression := range slices.Compact(slices.Sorted(slices.Values(dashboards(t)))) {
		groups = append(groups, group{expression, []rule{{"panel", filled.Replace(expression)}}})
	}
	written, err := json.Marshal(map[string][]group{"groups": groups})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "dashboards.yml") // JSON is YAML, too
	if err := os.WriteFile(file, written, 0o600); err != nil {
		t.Fatal(err)
	}
	promtool(t, "check", "rules", "--lint=none", file)
}

// promtool fails the test if Prometheus's own checker is not content.
func promtool(t *testing.T, arguments ...string) {
	t.Helper()
	program, err := exec.LookPath("promtool")
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skipf("SKIPPED, and it should not be: %v", err)
	}
	if said, err := exec.Command(program, arguments...).CombinedOutput(); err != nil {
		t.Errorf("promtool %s: %v\n%s", strings.Join(arguments, " "), err, said)
	}
}
