package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"pubquiz/ratelimit"
)

// scrape reads the metrics as "name{label=value …}", labels by name.
func (s *site) scrape() map[string]float64 {
	s.t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(s.server.Metrics())
	families, err := registry.Gather()
	if err != nil {
		s.t.Fatal(err)
	}
	values := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.Metric {
			var labels []string
			for _, label := range metric.Label {
				labels = append(labels, label.GetName()+"="+label.GetValue())
			}
			name := family.GetName() + "{" + strings.Join(labels, " ") + "}"
			values[name] = metric.GetCounter().GetValue() + metric.GetGauge().GetValue() + float64(metric.GetHistogram().GetSampleCount())
		}
	}
	return values
}

func TestMetrics(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Alice")
	l.command("next")
	l.command("launch")
	for _, id := range []string{"a1", "a2"} {
		phone.send("POST", l.path("answers"), map[string]any{"id": id, "question": "1.1", "given": firstGiven()})
	}
	guesser := s.from("127.0.0.8")
	for range ratelimit.Auth.Budget + 2 {
		guesser.send("POST", "/signin", signInForm("alice@example.org", "wrong password"))
	}
	got := s.scrape()
	for name, want := range map[string]float64{
		"quizd_limiter_decisions_total{decision=admitted limiter=auth reason=admitted store=memory}":         10,
		"quizd_limiter_decisions_total{decision=refused limiter=auth reason=over-budget store=memory}":       2,
		"quizd_limiter_decisions_total{decision=admitted limiter=submitAnswer reason=admitted store=memory}": 2,
		"quizd_limiter_keys{limiter=auth}":                   1,
		"quizd_limiter_keys_max{limiter=auth}":               ratelimit.DefaultMaxKeys,
		"quizd_limiter_evictions_total{limiter=auth}":        0,
		"quizd_limiter_overflows_total{limiter=auth}":        0,
		"quizd_limiter_store_down{}":                         0,
		"quizd_limiter_store_outages_total{}":                0,
		"quizd_client_address_doubts_total{doubt=no-header}": 0,
		"quizd_answers_total{outcome=accepted}":              1,
		"quizd_answers_total{outcome=already-answered}":      1,
		"quizd_answers_total{outcome=too-late}":              0,
		"quizd_rooms{}":                                      1,
		"quizd_sockets{role=participant}":                    0,
	} {
		if value, ok := got[name]; !ok || value != want {
			t.Errorf("%s is %v (there: %v), want %v", name, value, ok, want)
		}
	}
	for name := range got {
		if strings.Contains(name, "127.0.0") || strings.Contains(name, "alice") {
			t.Errorf("a key is a label: %s", name)
		}
	}
}

// What a phone asks for beyond its share of the venue is charged to the room: nobody is refused, and no figure says so.
func TestMetricsOfAShare(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host(operatorEmail))
	phone := l.phone("Alice")
	for range ratelimit.SeatShare.Budget + 2 {
		if r := phone.get(l.path("participant")); r.status != http.StatusOK {
			t.Fatal(r.status, r.body)
		}
	}
	got := s.scrape()
	const name = "quizd_limiter_decisions_total{decision=passed-on limiter=seatShare reason=over-budget store=memory}"
	if got[name] < 2 {
		t.Errorf("%s is %v, want at least 2", name, got[name])
	}
	for name, value := range got {
		if strings.Contains(name, "decision=refused") && value > 0 {
			t.Errorf("%s is %v", name, value)
		}
	}
	wantShows(t, l.host.get("/operator"), http.StatusOK, "beyond the share, and counted under global")
}

// In shadow mode a decision against the limit is counted with its reason, as admitted.
func TestMetricsOfShadowMode(t *testing.T) {
	table, err := ratelimit.Override(ratelimit.Table, "playerPageLoad=1+shadow")
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t)
	if s.server.limiters, err = ratelimit.New(table); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		wantShows(t, s.browser().get("/"), http.StatusOK)
	}
	const name = "quizd_limiter_decisions_total{decision=admitted limiter=playerPageLoad reason=over-budget store=memory}"
	if got := s.scrape()[name]; got != 2 {
		t.Errorf("%s is %v, want 2", name, got)
	}
}
