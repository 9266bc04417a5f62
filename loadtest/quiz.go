package loadtest

import (
	"fmt"
	"maps"
)

const questionsInRound = 5

// quiz is the venue's quiz as the server's API takes it: rounds of five, the kinds of questions in turn.
func (p Plan) quiz(venue int) map[string]any {
	ask := p.question
	if p.Quiz == Whole {
		ask = p.anyQuestion
	}
	var rounds []map[string]any
	for first := 1; first <= p.Questions; first += questionsInRound {
		var questions []map[string]any
		for n := first; n < first+questionsInRound && n <= p.Questions; n++ {
			questions = append(questions, ask(n))
		}
		round := map[string]any{"title": fmt.Sprintf("Round %d", len(rounds)+1), "introduction": "Pens down, phones up.", "questions": questions}
		if p.Quiz == Whole {
			maps.Copy(round, waysToScore[len(rounds)%len(waysToScore)])
		}
		rounds = append(rounds, round)
	}
	return map[string]any{"title": fmt.Sprintf("Rehearsal in venue %d", venue+1), "rounds": rounds}
}

func (p Plan) question(n int) map[string]any {
	q := map[string]any{"seconds": p.Seconds, "points": 1, "notes": ""}
	switch n % 3 {
	case 1:
		q["kind"], q["text"] = "single", fmt.Sprintf("Question %d: which metal is liquid at room temperature?", n)
		q["options"], q["correct"] = []string{"Mercury", "Gold", "Tin", "Zinc"}, []int{0}
	case 2:
		q["kind"], q["text"] = "trueFalse", fmt.Sprintf("Question %d: a hectare is larger than an acre.", n)
		q["correct"] = []int{0}
	default:
		q["kind"], q["text"] = "text", fmt.Sprintf("Question %d: which metal has the symbol Au?", n)
		q["accepted"] = []string{"Gold", "Au"}
	}
	return q
}
