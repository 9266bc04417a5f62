package session

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pubquiz/quiz"
)

func (e *evening) decide(question, group, verdict string) {
	e.t.Helper()
	if _, err := e.service.Decide(e.t.Context(), e.host, GroupDecision{Question: question, Group: group, Verdict: verdict}); err != nil {
		e.t.Errorf("deciding that %q is %s: %v", group, verdict, err)
	}
}

// TestDecisions: a decision about a group counts for everyone in it at once, before and after the reveal, and can be taken
// back.
func TestDecisions(t *testing.T) {
	e := newEvening(t)
	alice, bob, carol := e.join("Alice"), e.join("Bob"), e.join("Carol")
	e.launch()
	e.do(Close)
	e.do(Reveal)
	e.launch()
	e.answer(alice, write("a", "1.2", "The Gold"), Accepted)
	e.answer(bob, write("b", "1.2", "copper"), Accepted)
	e.answer(carol, write("c", "1.2", "COPPER!"), Accepted)
	if _, err := e.service.Decide(t.Context(), e.host, GroupDecision{Question: "1.2", Group: "copper", Verdict: "right"}); !errors.Is(err, ErrNotNow) {
		t.Errorf("while the question is open: %v", err)
	}
	e.do(Close)
	version := e.host.room.version()
	e.decide("1.2", "copper", "right")
	if after := e.host.room.version(); after != version+1 {
		t.Errorf("the decision led from version %d to %d", version, after)
	}
	e.wantPoints("before the reveal", map[string]float64{"Alice": 0, "Bob": 0, "Carol": 0})
	e.do(Reveal)
	e.wantPoints("accepted", map[string]float64{"Alice": 1.5, "Bob": 1.5, "Carol": 1.5})
	e.decide("1.2", "copper", "half")
	e.wantPoints("half accepted", map[string]float64{"Alice": 1.5, "Bob": 1, "Carol": 1})
	if _, own := e.see(bob); own["points"] != 1.0 || own["answer"].(map[string]any)["verdict"] != "part" {
		t.Errorf("Bob is told %v", own)
	}
	host, _ := e.see(e.host)
	want := []any{
		map[string]any{"key": "copper", "text": "COPPER!", "count": 2.0, "verdict": "part", "by": "host"},
		map[string]any{"key": "gold", "text": "The Gold", "count": 1.0, "verdict": "right", "by": "machine"},
	}
	if diff := cmp.Diff(want, host["groups"]); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	e.do(Finish)
	e.decide("1.2", "gold", "wrong")
	e.decide("1.2", "copper", "machine")
	e.wantPoints("after the end", map[string]float64{"Alice": 0, "Bob": 0, "Carol": 0})

	marking, err := e.service.Marking(t.Context(), e.host, 1)
	if err != nil || marking.Version != e.host.room.version() || len(marking.Questions) != 2 || marking.Questions[0].Groups == nil {
		t.Fatalf("%+v, %v", marking, err)
	}
	if q := marking.Questions[1]; q.ID != "1.2" || q.Status != StatusRevealed || len(q.Groups) != 2 || q.Groups[1].By != quiz.ByHost || q.Accepted[0] != "Gold" {
		t.Errorf("to mark: %+v", q)
	}
	if marking, err := e.service.Marking(t.Context(), e.host, 2); err != nil || len(marking.Questions) != 0 {
		t.Errorf("in a round that has not begun: %+v, %v", marking, err)
	}
	if _, err := e.service.Marking(t.Context(), e.host, 3); err == nil {
		t.Error("a round that does not exist can be marked")
	}
	for field, d := range map[string]GroupDecision{
		"group":      {Question: "1.2", Group: "silver", Verdict: "right"},
		"verdict":    {Question: "1.2", Group: "copper", Verdict: "perhaps"},
		"question":   {Question: "1.7", Group: "copper", Verdict: "right"},
		"question ":  {Question: "1.1", Group: "copper", Verdict: "right"},
		"question  ": {Question: "\x00", Group: "copper", Verdict: "right"},
	} {
		_, err := e.service.Decide(t.Context(), e.host, d)
		if invalid, ok := errors.AsType[*InvalidError](err); !ok || invalid.Field != strings.TrimSpace(field) {
			t.Errorf("%+v: %v", d, err)
		}
	}
	entries, err := e.service.Log(t.Context(), e.host)
	if err != nil {
		t.Fatal(err)
	}
	var detail map[string]string
	if err := json.Unmarshal(entries[1].Detail, &detail); err != nil || entries[1].Command != Mark || detail["group"] != "gold" || detail["verdict"] != "wrong" || detail["question"] != "1.2" {
		t.Errorf("the log says %+v, %v", entries[1], err)
	}
}

// TestWagers: a stake is worth at most what its participant has when the question closes, and stays that.
func TestWagers(t *testing.T) {
	content := smallQuiz()
	content.Rounds[0].Questions[1].Wager = true
	e := newEvening(t, content)
	rich, poor, bold := e.join("Rich"), e.join("Poor"), e.join("Bold")
	silent := e.join("Silent")
	e.launch()
	for _, v := range []Viewer{rich, bold, silent} {
		e.answer(v, choose("1", "1.1", 1), Accepted)
	}
	e.do(Close)
	e.do(Reveal)
	e.launch()
	stake := func(text string, half quiz.Points) Answer {
		return Answer{ID: "2", Question: "1.2", Given: quiz.Given{Text: text, Wager: half}}
	}
	e.answer(rich, stake("gold", 1), Accepted)
	e.answer(poor, stake("gold", 40), Accepted)
	e.answer(bold, stake("lead", 40), Accepted)
	stakes := func() map[string]any {
		_, live := e.see(e.host)
		staked := map[string]any{}
		for _, p := range live["participants"].([]any) {
			staked[p.(map[string]any)["name"].(string)] = p.(map[string]any)["stake"]
		}
		return staked
	}
	if diff := cmp.Diff(map[string]any{"Rich": 0.5, "Poor": 20.0, "Bold": 20.0, "Silent": nil}, stakes()); diff != "" {
		t.Errorf("the host sees of the stakes (-want +got):\n%s", diff)
	}
	e.do(Close)
	if _, own := e.see(bold); own["answer"].(map[string]any)["stake"] != 1.0 || own["answer"].(map[string]any)["verdict"] != nil {
		t.Errorf("before the reveal Bold is told %v", own)
	}
	e.do(Reveal)
	want := map[string]float64{"Rich": 1.5, "Poor": 0, "Bold": 0, "Silent": 1}
	e.wantPoints("after the reveal", want)
	e.do(Void, func(c *Command) { c.Question = "1.1" })
	e.decide("1.2", "lead", "right")
	e.wantPoints("with a verdict turned, and what was staked no longer earned", map[string]float64{"Rich": 0.5, "Poor": 0, "Bold": 1, "Silent": 0})
}

// TestMarkedAtTheEnd: where a round is revealed at its end, nothing of it counts or shows before.
func TestMarkedAtTheEnd(t *testing.T) {
	content := smallQuiz()
	content.Rounds[0].Pacing, content.Rounds[0].Weight, content.Rounds[0].Negative = quiz.RoundsEnd, 2, 1
	e := newEvening(t, content)
	alice, bob := e.join("Alice"), e.join("Bob")
	e.launch()
	e.answer(alice, choose("1", "1.1", 1), Accepted)
	e.answer(bob, choose("1", "1.1", 0), Accepted)
	e.do(Close)
	if err := e.refused(Reveal); !errors.Is(err, ErrNotNow) {
		t.Errorf("revealed before the round's end: %v", err)
	}
	e.do(Launch)
	e.answer(bob, write("2", "1.2", "gold"), Accepted)
	e.do(Close)
	e.wantPoints("before the reveal", map[string]float64{"Alice": 0, "Bob": 0})
	e.do(Reveal)
	if shared, own := e.see(alice); shared["question"].(map[string]any)["id"] != "1.1" || own["answer"].(map[string]any)["verdict"] != "right" {
		t.Errorf("at the first reveal Alice is told %v and %v", shared["question"], own)
	}
	e.wantPoints("after the first", map[string]float64{"Alice": 2, "Bob": -1})
	e.do(Reveal)
	if shared, own := e.see(alice); shared["question"].(map[string]any)["id"] != "1.2" || own["answer"] != nil {
		t.Errorf("at the second Alice is told %v and %v", shared["question"], own)
	}
	e.wantPoints("after the second", map[string]float64{"Alice": 2, "Bob": 2})
	e.do(Back)
	e.wantPoints("with the second hidden", map[string]float64{"Alice": 2, "Bob": -1})
}

// TestPopularNumbersThatFoldAlike: "-five" and "5" fold to one text, and one of them is right. Whichever is read first, every instance says the same, and no answer is
// said to be what it is not.
func TestPopularNumbersThatFoldAlike(t *testing.T) {
	q := &quiz.Question{Kind: quiz.NumberKind, Number: &quiz.Number{Value: -5}, Points: 2}
	answers := map[int64]answerView{}
	var given []quiz.Given
	for _, text := range []string{"-five", "5", "-five", "5", "5"} {
		given = append(given, quiz.Given{Text: text})
	}
	for i, mark := range q.Mark(given, nil) {
		answers[int64(i)] = answerView{given: given[i], verdict: mark.Verdict, by: mark.By}
	}
	want := []popularAnswer{{Text: "5", Count: 3, Verdict: quiz.Wrong}, {Text: "-five", Count: 2, Verdict: quiz.Right}}
	for range 20 { // a map is read in another order each time
		if got := popular(q, answers); !slices.Equal(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	}
}
