package session

import (
	"encoding/json"
	"testing"
	"time"

	"pubquiz/quiz"
)

// TestSeenElsewhereLateAnswerBelowZero: a right answer is worth at least half, however late its question says it came, and a wrong one no less than the round has it.
func TestSeenElsewhereLateAnswerBelowZero(t *testing.T) {
	question := quiz.Question{Kind: quiz.Single, Points: 4, Seconds: 20}
	for _, elapsed := range []time.Duration{-time.Hour, 0, 20 * time.Second, 21 * time.Second, time.Hour, 1 << 62} {
		for _, round := range []quiz.Round{{Speed: true}, {Speed: true, Negative: 3}, {Speed: true, Weight: 10}} {
			if got, least := score(&round, &question, scored{mark: quiz.Mark{Verdict: quiz.Right, Points: 4}, elapsed: elapsed}), 2*max(round.Weight, 1); got < quiz.Points(least) {
				t.Errorf("right after %v: %v, want %v or more", elapsed, got, least)
			}
		}
		if got := score(&quiz.Round{Speed: true}, &question, scored{mark: quiz.Mark{Verdict: quiz.Wrong}, elapsed: elapsed}); got != 0 {
			t.Errorf("wrong after %v: %v", elapsed, got)
		}
	}
}

// TestSeenElsewhereWeightOfNothing: a round without a weight, or one of 0, counts once, in the scoring and from the stored content on, with a joker and without.
func TestSeenElsewhereWeightOfNothing(t *testing.T) {
	question := quiz.Question{Kind: quiz.Single, Points: 4, Seconds: 20}
	for _, stored := range []string{`{}`, `{"weight":0}`, `{"weight":0,"joker":true}`, `{"weight":null,"joker":null}`} {
		var round quiz.Round
		if err := json.Unmarshal([]byte(stored), &round); err != nil {
			t.Fatal(err)
		}
		for _, joker := range []bool{false, true} {
			want := quiz.Points(4)
			if joker {
				want *= 2
			}
			if got := score(&round, &question, scored{mark: quiz.Mark{Verdict: quiz.Right, Points: 4}, joker: joker}); got != want {
				t.Errorf("%s, joker %v: %v, want %v", stored, joker, got, want)
			}
		}
	}
}
