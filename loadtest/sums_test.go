package loadtest

import (
	"encoding/json"
	"testing"
)

func TestSums(t *testing.T) {
	const stored = `{
		"participants": [
			{"id": "a", "name": "Ann", "points": 3.5, "rank": 1, "adjustments": [{"points": -0.5}]},
			{"id": "b", "name": "Ben", "points": 1, "rank": 2},
			{"id": "c", "name": "Cleo", "points": 0, "removed": true}
		],
		"questions": [{"id": "1.1", "status": "revealed"}, {"id": "1.2", "status": "revealed", "voided": true}, {"id": "1.3", "status": "closed"}],
		"answers": [
			{"participant": "a", "question": "1.1", "points": 4}, {"participant": "b", "question": "1.1", "points": 1},
			{"participant": "b", "question": "1.2", "points": 8}, {"participant": "b", "question": "1.3", "points": 8}
		]}`
	for _, test := range []struct {
		name   string
		change func(*exported)
		shown  []standing
		wrong  int
	}{
		{"right", func(*exported) {}, []standing{{"Ann", 3.5, 1}, {"Ben", 1, 2}}, 0},
		{"not shown", func(*exported) {}, nil, 0},
		{"an answer earned more", func(e *exported) { e.Answers[0].Points = 5 }, nil, 1},
		{"a void question counts", func(e *exported) { e.Questions[1].Voided = false }, nil, 1},
		{"a question counts before its reveal", func(e *exported) { e.Questions[2].Status = "revealed" }, nil, 1},
		{"an adjustment is missing", func(e *exported) { e.Participants[0].Adjustments = nil }, nil, 1},
		{"others are shown", func(*exported) {}, []standing{{"Ann", 3.5, 1}, {"Ben", 1.5, 2}}, 1},
		{"others are before them", func(*exported) {}, []standing{{"Ann", 3.5, 2}, {"Ben", 1, 3}}, 2},
		{"somebody is not shown", func(*exported) {}, []standing{{"Ann", 3.5, 1}}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			var e exported
			if err := json.Unmarshal([]byte(stored), &e); err != nil {
				t.Fatal(err)
			}
			test.change(&e)
			if checked, wrong := e.sums(test.shown); checked != 3 || len(wrong) != test.wrong {
				t.Errorf("%d looked at, wrong: %q; want 3 and %d", checked, wrong, test.wrong)
			}
		})
	}
}

func TestChoicesAreAnswers(t *testing.T) {
	p := &phone{human: newDice(1, 2)}
	options := []string{"a", "b", "c", "d"}
	for range 200 {
		if g := p.choose(question{Kind: ordering, Options: options}); !permutation(g.Choices, len(options)) {
			t.Fatalf("%v is no order of %d", g.Choices, len(options))
		}
		if g := p.choose(question{Kind: multiple, Options: options}); len(g.Choices) == 0 || len(g.Choices) > 4 {
			t.Fatalf("%v chosen of several", g.Choices)
		}
		if g := p.choose(question{Kind: numberKind, Wager: true}); g.Text == "" || g.Wager < 0 || g.Wager > 4 {
			t.Fatalf("%+v as a number and a stake", g)
		}
	}
}

func permutation(choices []int, n int) bool {
	seen := map[int]bool{}
	for _, c := range choices {
		seen[c] = c >= 0 && c < n
	}
	return len(choices) == n && len(seen) == n
}
