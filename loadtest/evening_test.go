package loadtest

import (
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// heard is a Progress that remembers the furthest of each.
type heard struct {
	mu       sync.Mutex
	joined   map[int]int
	answered map[[2]int]int
}

func newHeard() *heard { return &heard{joined: map[int]int{}, answered: map[[2]int]int{}} }

func (h *heard) Joined(venue, phones int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.joined[venue] = max(h.joined[venue], phones)
}

func (h *heard) Answered(venue, question, answers int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := [2]int{venue, question}
	h.answered[at] = max(h.answered[at], answers)
}

// rehearse plays a plan against a fake in a bubble, where hours take no time.
func rehearse(t *testing.T, f *fakeServer, change func(*Plan)) (Report, *heard) {
	t.Helper()
	plan := Plan{
		URLs: []string{fakeURL}, Venues: 1, Phones: 20, Arrival: Spread, Arrive: 90 * time.Second, Questions: 4, Seconds: 20, LastSecond: 0.1, Seed: 1,
	}
	if change != nil {
		change(&plan)
	}
	var report Report
	progress := newHeard()
	synctest.Test(t, func(t *testing.T) {
		var err error
		report, err = run(t.Context(), plan, progress, f.start(t))
		if err != nil {
			t.Fatal(err)
		}
	})
	return report, progress
}

func TestEvening(t *testing.T) {
	f := &fakeServer{}
	r, progress := rehearse(t, f, func(p *Plan) { p.Venues, p.Questions, p.CutSocket = 2, 7, 0.3 })
	if r.Phones != 40 || r.Joined != 40 || r.RefusedLegit != 0 || r.Delayed != 0 {
		t.Errorf("of %d phones %d joined, %d were kept out, %d delayed: %v", r.Phones, r.Joined, r.RefusedLegit, r.Delayed, r.KeptOut)
	}
	if want := 40 * 7; r.AnswersAcknowledged != want || r.AnswersStored != want || r.Outcomes["accepted"] != want {
		t.Errorf("%d acknowledged, %d stored, outcomes %v: want %d of each", r.AnswersAcknowledged, r.AnswersStored, r.Outcomes, want)
	}
	if r.QuestionsMissed != 0 || r.RevealsMissed != 0 || r.SawEveryQuestion != 40 || r.ScreenMissed != 0 {
		t.Errorf("missed %d questions, %d reveals, %d by big screens; %d phones saw all",
			r.QuestionsMissed, r.RevealsMissed, r.ScreenMissed, r.SawEveryQuestion)
	}
	if got, want := r.FanoutMs.count+r.PollFanoutMs.count, int64(40*7); got != want || r.PollFanoutMs.count == 0 {
		t.Errorf("%d arrivals by socket and %d by polling: want %d in all, and some of each",
			r.FanoutMs.count, r.PollFanoutMs.count, want)
	}
	if r.PollFanoutMs.Max > 20_000 {
		t.Errorf("a phone that polls had the question only %.0f ms after the launch", r.PollFanoutMs.Max)
	}
	if r.LastPhoneMs.count != 2*7 || r.FirstPhoneMs.count != 2*7 {
		t.Errorf("first and last phones of %d and %d questions: want 14", r.FirstPhoneMs.count, r.LastPhoneMs.count)
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	if f.accounts != 2 {
		t.Errorf("%d hosts signed up: want one a venue", f.accounts)
	}
	if progress.joined[0] != 20 || progress.joined[1] != 20 || progress.answered[[2]int{1, 7}] == 0 {
		t.Errorf("progress heard: %v joined, %v answered", progress.joined, progress.answered)
	}
	byKind := map[string]int64{}
	for _, q := range r.Requests {
		byKind[q.Kind] = q.Count
	}
	for kind, want := range map[kind]int64{joinPage: 40, staticFile: 40, joinRequest: 40, phoneSocket: 40} {
		if byKind[string(kind)] != want {
			t.Errorf("%d requests of the kind %q: want %d", byKind[string(kind)], kind, want)
		}
	}
	if byKind[string(postAnswer)] == 0 || byKind[string(postAnswer)]+byKind[string(socketAnswer)] < 40*7 {
		t.Errorf("%d answers posted, %d by socket", byKind[string(postAnswer)], byKind[string(socketAnswer)])
	}
}

func TestLostAnswerIsFound(t *testing.T) {
	r, _ := rehearse(t, &fakeServer{loseAnswer: 7}, nil)
	if r.AnswersAcknowledged != 80 || r.AnswersStored != 79 || r.AnswersMissing != 1 || len(r.Missing) != 1 || r.Err() == nil {
		t.Errorf("%d acknowledged, %d stored, %d missing: %v; %v",
			r.AnswersAcknowledged, r.AnswersStored, r.AnswersMissing, r.Missing, r.Err())
	}
}

func TestAnswerWithoutOutcomeIsReadBack(t *testing.T) {
	r, _ := rehearse(t, &fakeServer{muteAnswer: 7}, nil)
	if want := map[string]int{"accepted": 80}; !maps.Equal(r.Outcomes, want) || r.AnswersStored != 80 {
		t.Errorf("outcomes %v, %d stored", r.Outcomes, r.AnswersStored)
	}
}

func TestLimitedAnswerIsSentAgain(t *testing.T) {
	r, _ := rehearse(t, &fakeServer{limitAnswer: 7}, nil)
	if r.AnswersStored != 80 || r.Outcomes["accepted"] != 80 || r.Refusals["submitAnswer"] != 1 {
		t.Errorf("%d stored, outcomes %v, refusals %v", r.AnswersStored, r.Outcomes, r.Refusals)
	}
}

func TestDelayedPhonesGetIn(t *testing.T) {
	r, _ := rehearse(t, &fakeServer{pageBudget: 12}, func(p *Plan) { p.Arrive = 5 * time.Second })
	if r.Joined != 20 || r.Err() != nil {
		t.Errorf("%d joined: %v", r.Joined, r.KeptOut)
	}
	if r.Delayed != 8 || r.Refusals[string(joinPage)] < 8 {
		t.Errorf("%d delayed, refusals %v: want the eight above the budget", r.Delayed, r.Refusals)
	}
	if r.LongestWait < 50_000 || r.LastIn < 55_000 || r.JoinMs.Max < 50_000 {
		t.Errorf("longest wait %.0f ms, last in after %.0f ms, slowest join %.0f ms", r.LongestWait, r.LastIn, r.JoinMs.Max)
	}
}

func TestKeptOutPhonesAreReported(t *testing.T) {
	r, _ := rehearse(t, &fakeServer{capacity: 18}, nil)
	if r.Joined != 18 || r.RefusedLegit != 2 || r.Err() == nil {
		t.Errorf("%d joined, %d kept out: %v", r.Joined, r.RefusedLegit, r.Err())
	}
	if reasons := slices.Collect(maps.Keys(r.KeptOut)); len(reasons) != 1 {
		t.Errorf("reasons: %q", reasons)
	}
	if r.QuestionsMissed != 0 || r.AnswersAcknowledged != 18*4 {
		t.Errorf("those who were in missed %d questions and answered %d times", r.QuestionsMissed, r.AnswersAcknowledged)
	}
}

func TestRefusedSocketsDoNotStopTheEvening(t *testing.T) {
	r, _ := rehearse(t, &fakeServer{noSockets: true}, func(p *Plan) { p.Seconds = 30 })
	if r.AnswersAcknowledged != 80 || r.QuestionsMissed != 0 || r.FanoutMs.count != 0 {
		t.Errorf("%d acknowledged, %d questions missed, %d arrivals by socket", r.AnswersAcknowledged, r.QuestionsMissed, r.FanoutMs.count)
	}
	if r.Refusals[string(phoneSocket)] == 0 {
		t.Errorf("refusals %v: want the sockets'", r.Refusals)
	}
}
