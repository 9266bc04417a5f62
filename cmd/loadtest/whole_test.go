package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pubquiz/internal/postgres"
	"pubquiz/loadtest"
)

// silent is a Progress that nobody follows.
type silent struct{}

func (silent) Joined(int, int)        {}
func (silent) Answered(int, int, int) {}

// A small room plays every kind of question and of round on a real server, while its host uses every power: nothing may be lost, and
// the standings must be the sums of what is exported, in each format.
func TestWholeQuizAddsUp(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and starts a server and plays for most of a minute")
	}
	s, err := startServer(t.Context(), 2, nil, "LIMITS=hostAction=1000/1m submitAnswer=1000/1m") // or the limiters would set the pace
	if errors.Is(err, postgres.ErrNotInstalled) && os.Getenv("CI") != "true" {
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
	plan := loadtest.Plan{Quiz: loadtest.Whole, Questions: 12, CutSocket: 0.2}
	plan.URLs, plan.Venues, plan.Phones, plan.Seconds, plan.Seed = s.urls(), 1, 5, 5, 1
	plan.Arrival, plan.Arrive, plan.Talk = loadtest.Spread, time.Second, 100*time.Millisecond
	report, err := loadtest.Run(t.Context(), plan, silent{})
	if err != nil {
		t.Fatalf("%v\n%s", err, s.instances[0].said)
	}
	if err := report.Err(); err != nil {
		t.Error(err)
	}
	if report.AnswersAcknowledged == 0 || report.Joined != 5 {
		t.Errorf("%d joined and gave %d answers", report.Joined, report.AnswersAcknowledged)
	}
	if want := map[string]int{"JSON": 5, "CSV": 5, "XLSX": 5}; !maps.Equal(report.SumsChecked, want) {
		t.Errorf("the sums of %v were checked, not of %v", report.SumsChecked, want)
	}
	if t.Failed() {
		_ = report.Print(os.Stderr)
	}
}

func TestBigQuizHasItsFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("../..", bigQuiz))
	if err != nil || len(files) != 8 {
		t.Errorf("%d files of the big quiz: %v", len(files), err)
	}
}

// Away from the top of the repository, as here, it says where it must be started.
func TestBigQuizAwayFromItsFiles(t *testing.T) {
	f := flags{Quiz: "big", Self: true, Instances: 1}
	if err := f.Validate(); err == nil || !strings.Contains(err.Error(), bigQuiz) {
		t.Errorf("the error is %v, and does not name %s", err, bigQuiz)
	}
}
