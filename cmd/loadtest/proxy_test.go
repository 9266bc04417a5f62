package main

import (
	"errors"
	"os"
	"testing"
	"time"

	"pubquiz/internal/postgres"
	"pubquiz/internal/proxies"
	"pubquiz/loadtest"
)

// whenAnswering calls begins once somebody has answered.
type whenAnswering struct {
	silent
	begins func()
}

// Answered implements loadtest.Progress.
func (w whenAnswering) Answered(_, _, answers int) {
	if answers > 0 {
		w.begins()
	}
}

// A small room plays through nginx while both instances behind it are restarted, one after the other.
func TestRollingRestartBehindTheProxy(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and starts servers and plays for half a minute")
	}
	t.Chdir("../..")
	s, err := startServer(t.Context(), 2, &proxies.Nginx)
	if missing := errors.Is(err, postgres.ErrNotInstalled) || errors.Is(err, proxies.ErrNotInstalled); missing && os.Getenv("CI") != "true" {
		t.Skipf("SKIPPED, and it should not be: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	}()
	nothingToMeasure := make(chan struct{})
	close(nothingToMeasure)
	fault := restart{how: "rolling", instances: s.instances, after: nothingToMeasure}
	plan := loadtest.Plan{
		URLs: s.urls(), Venues: 1, Phones: 20, Questions: 2, Seconds: 8, Seed: 1, Arrival: loadtest.Spread, Arrive: time.Second, Talk: time.Second,
	}
	report, err := loadtest.Run(t.Context(), plan, whenAnswering{begins: func() { fault.begin(t.Context()) }})
	if err = errors.Join(err, fault.addTo(&report), report.Err()); err != nil {
		t.Error(err)
	}
	if report.Joined != plan.Phones || report.AnswersAcknowledged == 0 || report.LongestOut == 0 {
		t.Errorf("%d joined and gave %d answers; the longest out was %g ms, though every socket was closed", report.Joined, report.AnswersAcknowledged, report.LongestOut)
	}
	t.Logf("the longest that a phone was without a socket: %.0f ms", report.LongestOut)
}

func TestTheProxyStandsBeforeTwo(t *testing.T) {
	t.Chdir("../..")
	f := flags{Self: true, Instances: 3, Proxy: "nginx"}
	if err := f.Validate(); err == nil {
		t.Error("the proxy may stand in front of three instances, of which it would know two")
	}
}
