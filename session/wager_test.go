package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"pubquiz/quiz"
)

// TestAWagerOfTheRemoved: what somebody staked before they were removed is worth what they had when the question closed,
// not what they have when they are let back in.
func TestAWagerOfTheRemoved(t *testing.T) {
	content := smallQuiz()
	content.Rounds[0].Questions[1].Wager = true
	e := newEvening(t, content)
	alice := e.join("Alice")
	id := e.publicID(alice)
	e.launch()
	e.answer(alice, choose("1", "1.1", 1), Accepted)
	e.do(Close)
	e.do(Reveal)
	e.launch()
	e.answer(alice, Answer{ID: "2", Question: "1.2", Given: quiz.Given{Text: "gold", Wager: 40}}, Accepted)
	e.do(Remove, about(id))
	e.do(Close)
	e.do(Reveal)
	e.do(Void, func(c *Command) { c.Question = "1.1" }) // with it goes all that she had
	e.do(LetBackIn, about(id))
	e.wantPoints("let back in", map[string]float64{"Alice": 1})
}

// TestWagersOfOneRound: where nothing is won or lost before the round's end, nobody stakes the same point twice. All stakes of the round together are at most what a
// participant had when it began, whatever is reopened, taken back or closed in which way.
func TestWagersOfOneRound(t *testing.T) {
	content := smallQuiz()
	wager := quiz.Question{Kind: quiz.Text, Text: "And how much on this?", Accepted: []string{"gold"}, Seconds: 30, Points: 2, Wager: true}
	content.Rounds[1] = quiz.Round{Title: "On paper", Pacing: quiz.RoundsEnd, Questions: []quiz.Question{wager, wager, wager}}
	e := newEvening(t, content)
	bold, wise := e.join("Bold"), e.join("Wise")
	boldID := e.publicID(bold)
	e.launch()
	e.do(Close)
	e.do(Reveal)
	e.launch()
	e.do(Close)
	e.do(Reveal)
	for _, v := range []Viewer{bold, wise} {
		id := e.publicID(v)
		e.do(Adjust, func(c *Command) { c.Participant, c.Points, c.Reason = id, 10, "to stake" })
	}
	stake := func(v Viewer, question, text string, half quiz.Points) {
		t.Helper()
		e.answer(v, Answer{ID: "staked", Question: question, Given: quiz.Given{Text: text, Wager: half}}, Accepted)
	}
	stakes := func(when string, want map[string][]float64) {
		t.Helper()
		results, err := e.service.Results(t.Context(), e.host)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string][]float64{}
		for _, row := range results.Rows {
			for _, a := range row.Answers {
				if a != nil && a.Stake != nil {
					got[row.Name] = append(got[row.Name], float64(*a.Stake)/2)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s the stakes are (-want +got):\n%s", when, diff)
		}
	}
	staked := func(when string, v Viewer, want any) {
		t.Helper()
		if _, own := e.see(v); own["staked"] != want || own["points"] != 10.0 {
			t.Errorf("%s a phone is told of %v points at stake, of %v; want %v", when, own["staked"], own["points"], want)
		}
	}

	e.launch()
	staked("at the first", bold, nil)
	stake(bold, "2.1", "lead", 20)
	stake(wise, "2.1", "gold", 8)
	e.do(Close)
	stakes("after the first", map[string][]float64{"Bold": {10}, "Wise": {4}})
	staked("once it has closed", wise, nil)

	e.launch()
	staked("at the second", bold, 10.0)
	staked("at the second", wise, 4.0)
	stake(bold, "2.2", "lead", 20)
	stake(wise, "2.2", "lead", 20)
	e.do(Close)
	stakes("after the second", map[string][]float64{"Bold": {10, 0}, "Wise": {4, 6}})
	e.do(Reopen, func(c *Command) { c.Seconds = 30 })
	staked("with the second open again, and its own stake not counted against it", wise, 4.0)
	e.do(Close)
	stakes("closed a second time", map[string][]float64{"Bold": {10, 0}, "Wise": {4, 6}})

	e.do(Void, func(c *Command) { c.Question = "2.1" })
	e.launch()
	staked("with the first void", bold, nil)
	e.do(Unvoid, func(c *Command) { c.Question = "2.1" })
	staked("with the first counting again", bold, 10.0)
	stake(bold, "2.3", "gold", 20)
	stake(wise, "2.3", "gold", 20)
	e.do(Remove, about(boldID)) // whose stake is frozen all the same
	e.do(Close)
	e.do(LetBackIn, about(boldID))
	e.do(Reveal)
	e.do(Back)
	e.do(Reopen, func(c *Command) { c.Seconds = 30 })
	staked("with the last open again", wise, 10.0)
	e.do(Close)
	stakes("in the end", map[string][]float64{"Bold": {10, 0, 0}, "Wise": {4, 6, 0}})
	for range 3 {
		e.do(Reveal)
	}
	e.wantPoints("in the end", map[string]float64{"Bold": 0, "Wise": 8})
}

// TestAStakeOfAVoidQuestionIsNotHeld: while a question is void, its stake may be staked elsewhere. When it counts again, only what is left is at stake on it.
func TestAStakeOfAVoidQuestionIsNotHeld(t *testing.T) {
	content := smallQuiz()
	wager := quiz.Question{Kind: quiz.Text, Text: "And how much on this?", Accepted: []string{"gold"}, Seconds: 30, Points: 2, Wager: true}
	content.Rounds[0] = quiz.Round{Title: "On paper", Pacing: quiz.RoundsEnd, Questions: []quiz.Question{wager, wager}}
	e := newEvening(t, content)
	bold := e.join("Bold")
	id := e.publicID(bold)
	e.do(Adjust, func(c *Command) { c.Participant, c.Points, c.Reason = id, 10, "to stake" })
	first := func(c *Command) { c.Question = "1.1" }
	stakes := func(when string, want ...quiz.Points) {
		t.Helper()
		results, err := e.service.Results(t.Context(), e.host)
		if err != nil {
			t.Fatal(err)
		}
		for i, answer := range results.Rows[0].Answers[:len(want)] {
			if answer.Stake == nil || *answer.Stake != want[i] {
				t.Errorf("%s, on question %d: %+v, want %d half points at stake", when, i+1, answer, want[i])
			}
		}
	}
	e.launch()
	e.answer(bold, Answer{ID: "first", Question: "1.1", Given: quiz.Given{Text: "lead", Wager: 12}}, Accepted)
	e.do(Close)
	e.do(Void, first)
	e.do(Unvoid, first)
	stakes("with nothing in between", 12)
	e.do(Void, first)
	e.launch()
	e.answer(bold, Answer{ID: "second", Question: "1.2", Given: quiz.Given{Text: "lead", Wager: 16}}, Accepted)
	e.do(Close)
	stakes("while the first is void", 12, 16)
	e.do(Unvoid, first)
	stakes("when it counts again", 4, 16)
	e.do(Reveal)
	e.do(Void, first) // what has been won or lost already stays what it was
	e.do(Unvoid, first)
	e.do(Reveal)
	stakes("in the end", 4, 16)
	e.wantPoints("in the end", map[string]float64{"Bold": 0})
}
