package loadtest

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestQuantiles(t *testing.T) {
	timings := newTimings()
	for ms := range 1000 {
		timings.add(time.Duration(ms+1) * time.Millisecond)
	}
	timings.add(-time.Second)
	timings.add(100 * time.Hour)
	got := timings.quantiles()
	near := func(got, want float64) bool { return got > want*0.995 && got < want*1.005 }
	if !near(got.P50, 500) || !near(got.P95, 951) || !near(got.P99, 991) || !near(got.Max, ms(longestTiming)) || got.count != 1002 {
		t.Errorf("%+v", got)
	}
	if got := newTimings().quantiles(); got != (Quantiles{}) {
		t.Errorf("of nothing: %+v", got)
	}
}

func exampleReport() Report {
	rec := newRecorder(time.Now())
	rec.request(joinPage, 12*time.Millisecond)
	rec.failure(phonePoll)
	rec.refusal(&refusal{kind: joinPage, status: 429})
	rec.refusal(&refusal{kind: phonePoll, status: 429, Limiter: "sessionPoll"})
	rec.refusal(&refusal{kind: joinRequest, status: 503})
	rec.refusal(&refusal{kind: joinRequest, status: 409})
	rec.outcome("accepted")
	rec.join.add(40 * time.Millisecond)
	evenings := []evening{
		{joined: 9, keptOut: []string{"full"}, delayed: 2, longestWait: time.Minute, lastIn: 70 * time.Second, sumsChecked: map[string]int{asJSON: 9, asXLSX: 9}, acknowledged: 45, stored: 44, missing: []string{"one"}, sawEverything: 9},
		{joined: 10, delayed: 1, longestWait: time.Second, lastIn: 5 * time.Second, acknowledged: 50, stored: 50, questionsMissed: 1, revealsMissed: 2, sawEverything: 9, screenMissed: 1,
			sumsChecked: map[string]int{asJSON: 10}, sumsWrong: []string{"Owls: 3"}},
	}
	return newReport(Plan{Venues: 2, Phones: 10}, evenings, rec, newRecorder(time.Now()), time.Minute)
}

func TestReportAddsUpVenues(t *testing.T) {
	r := exampleReport()
	got := []int{r.Venues, r.Phones, r.Joined, r.RefusedLegit, r.Delayed, r.QuestionsMissed, r.RevealsMissed, r.SawEveryQuestion,
		r.ScreenMissed, r.AnswersAcknowledged, r.AnswersStored, r.AnswersMissing}
	if diff := cmp.Diff([]int{2, 20, 19, 1, 3, 1, 2, 18, 1, 95, 94, 1}, got); diff != "" {
		t.Error(diff)
	}
	if r.LongestWait != 60_000 || r.LastIn != 70_000 || r.TookMs != 60_000 {
		t.Errorf("longest wait %g, last in %g, took %g", r.LongestWait, r.LastIn, r.TookMs)
	}
	if diff := cmp.Diff(map[string]int{"join page": 1, "sessionPoll": 1, "busy": 1}, r.Refusals); diff != "" {
		t.Error(diff)
	}
}

// Other tools read these names.
func TestReportJSON(t *testing.T) {
	encoded, err := json.Marshal(exampleReport())
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(encoded, &got); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{
		"phones": 20.0, "joined": 19.0, "refusedLegitimate": 1.0, "answersAcknowledged": 95.0, "answersStored": 94.0,
		"questionsMissed": 1.0,
		"joinMs":          map[string]any{"p50": 40.0, "p95": 40.0, "p99": 40.0, "max": 40.0},
		"fanoutMs":        map[string]any{"p50": 0.0, "p95": 0.0, "p99": 0.0, "max": 0.0},
	} {
		rounded := got[name]
		if q, ok := rounded.(map[string]any); ok {
			for k, v := range q {
				q[k] = float64(int(v.(float64)))
			}
		}
		if diff := cmp.Diff(want, rounded); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if _, ok := got["server"]; ok {
		t.Error("figures of a server that is not ours")
	}
}

func TestReportErr(t *testing.T) {
	for name, test := range map[string]struct {
		r    Report
		want string
	}{
		"fine":     {Report{Joined: 100, Delayed: 40, AnswersAcknowledged: 499, AnswersStored: 500, QuestionsMissed: 1}, ""},
		"kept out": {Report{RefusedLegit: 2}, "2 phones were kept out"},
		"lost":     {Report{AnswersMissing: 3}, "3 acknowledged answers are missing"},
		"sums":     {Report{SumsWrong: []string{"Owls: 3", "Dragons: 4"}}, "2 sums are wrong"},
	} {
		switch err := test.r.Err(); {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case test.want != "" && (err == nil || err.Error() != test.want):
			t.Errorf("%s: %v: want %s", name, err, test.want)
		}
	}
}

func TestPrint(t *testing.T) {
	r := exampleReport()
	r.Server = &ServerUse{ResidentMB: 40, PeakMB: 60, IdleMB: 10, PlayingMB: 11, PhoneKB: 50, CPUSeconds: 2.5, DatabaseCPUSeconds: 4}
	var b strings.Builder
	if err := r.Print(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  join page      1    12.0    12.0    12.0    12.0       0",
		" phone poll      0     0.0     0.0     0.0     0.0       1",
		"2 venues, 20 phones: 19 joined, 1 kept out; the last was in after 1m10s\n",
		"3 phones had to wait to get in, the longest for 1m0s\n",
		"18 phones saw every question (1 question missed, 2 reveals missed, 1 missed by big screens)\n",
		"server: 40.0 MB resident, 60.0 MB at most; 10.0 MB in use, 11.0 MB with everybody seated: 50.0 kB a phone; 2.5 s of CPU, and 4.0 s of Postgres's\n",
		"95 answers acknowledged, 94 stored, 1 acknowledged but missing\n",
		"Sums checked: JSON 19, XLSX 9\n1 sum wrong\nwrong: Owls: 3\n",
		"Refused, by limiter: busy 1, join page 1, sessionPoll 1\n",
		"Kept out: full 1\n",
		"missing: one\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log("\n" + b.String())
	}
}
