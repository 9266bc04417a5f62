package session

import (
	"testing"
	"time"

	"pubquiz/quiz"
)

func TestScore(t *testing.T) {
	right, half, wrong := quiz.Mark{Verdict: quiz.Right, Points: 4}, quiz.Mark{Verdict: quiz.Part, Points: 2}, quiz.Mark{Verdict: quiz.Wrong}
	question := quiz.Question{Kind: quiz.Single, Points: 4, Seconds: 20}
	tieBreak, wager, poll := question, question, question
	tieBreak.TieBreak, wager.Wager, poll.Kind = true, true, quiz.Poll
	speed := quiz.Round{Speed: true}
	for name, test := range map[string]struct {
		round    quiz.Round
		question quiz.Question
		answer   scored
		want     quiz.Points
	}{
		"right":                         {quiz.Round{}, question, scored{mark: right}, 4},
		"part":                          {quiz.Round{}, question, scored{mark: half}, 2},
		"wrong":                         {quiz.Round{}, question, scored{mark: wrong}, 0},
		"wrong, at a cost":              {quiz.Round{Negative: 1}, question, scored{mark: wrong}, -1},
		"right, where wrong costs":      {quiz.Round{Negative: 1}, question, scored{mark: right}, 4},
		"weight":                        {quiz.Round{Weight: 3}, question, scored{mark: right}, 12},
		"no weight is one":              {quiz.Round{Weight: 0}, question, scored{mark: right}, 4},
		"joker":                         {quiz.Round{}, question, scored{mark: right, joker: true}, 8},
		"joker, weight, wrong":          {quiz.Round{Weight: 2, Negative: 3}, question, scored{mark: wrong, joker: true}, -12},
		"at once":                       {speed, question, scored{mark: right}, 4},
		"half way":                      {speed, question, scored{mark: right, elapsed: 10 * time.Second}, 3},
		"rounded up":                    {speed, question, scored{mark: right, elapsed: time.Second}, 4},
		"in the end":                    {speed, question, scored{mark: right, elapsed: 20 * time.Second}, 2},
		"after an extension":            {speed, question, scored{mark: right, elapsed: time.Hour}, 2},
		"before the beginning":          {speed, question, scored{mark: right, elapsed: -time.Second}, 4},
		"part, in the end":              {speed, question, scored{mark: half, elapsed: 20 * time.Second}, 1},
		"wrong, at speed":               {speed, question, scored{mark: wrong}, 0},
		"speed, weight, joker":          {quiz.Round{Speed: true, Weight: 2}, question, scored{mark: right, elapsed: 10 * time.Second, joker: true}, 12},
		"won":                           {quiz.Round{Negative: 1}, wager, scored{mark: right, stake: 7}, 7},
		"won, whatever the time":        {speed, wager, scored{mark: right, stake: 7, elapsed: 20 * time.Second}, 7},
		"half won, rounded up":          {quiz.Round{}, wager, scored{mark: half, stake: 7}, 4},
		"lost":                          {quiz.Round{Negative: 1}, wager, scored{mark: wrong, stake: 7}, -7},
		"won, but not twice":            {quiz.Round{Weight: 2}, wager, scored{mark: right, stake: 7, joker: true}, 7},
		"lost, but not twice":           {quiz.Round{Weight: 2}, wager, scored{mark: wrong, stake: 7, joker: true}, -7},
		"half won, but not twice":       {quiz.Round{Weight: 2}, wager, scored{mark: half, stake: 7, joker: true}, 4},
		"nothing staked":                {quiz.Round{Negative: 1}, wager, scored{mark: wrong}, 0},
		"tie-break":                     {quiz.Round{Negative: 1, Weight: 2}, tieBreak, scored{mark: right, joker: true}, 0},
		"tie-break, wrong":              {quiz.Round{Negative: 1}, tieBreak, scored{mark: wrong}, 0},
		"poll":                          {quiz.Round{Negative: 1}, poll, scored{}, 0},
		"what no verdict can be had of": {quiz.Round{Negative: 1}, question, scored{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := score(&test.round, &test.question, test.answer); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestStakeOf(t *testing.T) {
	for _, test := range []struct{ wager, has, want quiz.Points }{{3, 5, 3}, {5, 3, 3}, {5, 0, 0}, {5, -4, 0}, {0, 9, 0}, {1 << 31, 1 << 40, mostEarned}} {
		if got := stakeOf(test.wager, test.has); got != test.want {
			t.Errorf("of %v, having %v: %v, want %v", test.wager, test.has, got, test.want)
		}
	}
}

// FuzzSlowed: being later never earns more, a right answer earns at least half, and never more than all.
func FuzzSlowed(f *testing.F) {
	f.Add(uint16(3), uint32(5_000), uint32(5_001), uint16(20))
	f.Fuzz(func(t *testing.T, half uint16, earlier, later uint32, seconds uint16) {
		points, limit := quiz.Points(half%200+1), time.Duration(seconds)*time.Second
		earlier, later = min(earlier, later), max(earlier, later)
		a, b := slowed(points, time.Duration(earlier)*time.Millisecond, limit), slowed(points, time.Duration(later)*time.Millisecond, limit)
		if b > a || 2*b < points || a > points {
			t.Errorf("of %v points in %v: %v after %d ms, %v after %d ms", points, limit, a, earlier, b, later)
		}
	})
}

func TestRank(t *testing.T) {
	standing := func(name string, points quiz.Points, tieBreaks ...int) Standing {
		return Standing{Name: name, Points: points, tieBreaks: tieBreaks}
	}
	late := func(s Standing, ms int64) Standing { s.overtime = ms; return s }
	for name, test := range map[string]struct {
		standings []Standing
		byTime    bool
		names     string
		ranks     []int
	}{
		"nobody":          {nil, false, "", nil},
		"one":             {[]Standing{standing("a", 0)}, false, "a", []int{1}},
		"all different":   {[]Standing{standing("a", 2), standing("b", 6), standing("c", 3)}, false, "bca", []int{1, 2, 3}},
		"below nothing":   {[]Standing{standing("a", -2), standing("b", 0)}, false, "ba", []int{1, 2}},
		"tie for first":   {[]Standing{standing("b", 4), standing("a", 4), standing("c", 3)}, false, "abc", []int{1, 1, 3}},
		"tie in the rest": {[]Standing{standing("a", 9), standing("b", 4), standing("c", 4), standing("d", 4), standing("e", 1)}, false, "abcde", []int{1, 2, 2, 2, 5}},
		"tie broken":      {[]Standing{standing("a", 4, 2), standing("b", 4, 1), standing("c", 5, noTieBreak)}, false, "cba", []int{1, 2, 3}},
		"tie broken at the second attempt": {
			[]Standing{standing("a", 4, 1, 2), standing("b", 4, 1, 1), standing("c", 4, 1, noTieBreak)}, false, "bac", []int{1, 2, 3}},
		"tie that holds":          {[]Standing{standing("a", 4, 1), standing("b", 4, 1), standing("c", 4, noTieBreak)}, false, "abc", []int{1, 1, 3}},
		"time does not count":     {[]Standing{late(standing("a", 4), 10), late(standing("b", 4), 5)}, false, "ab", []int{1, 1}},
		"time counts":             {[]Standing{late(standing("a", 4), 10), late(standing("b", 4), -5)}, true, "ba", []int{1, 2}},
		"the same time":           {[]Standing{late(standing("a", 4), 5), late(standing("b", 4), 5)}, true, "ab", []int{1, 1}},
		"tie-break before time":   {[]Standing{late(standing("a", 4, 1), 10), late(standing("b", 4, 2), 5)}, true, "ab", []int{1, 2}},
		"points before tie-break": {[]Standing{late(standing("a", 3, 1), 1), late(standing("b", 4, 2), 5)}, true, "ba", []int{1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			rank(test.standings, test.byTime)
			for i, st := range test.standings {
				if st.Name != test.names[i:i+1] || st.Rank != test.ranks[i] {
					t.Errorf("place %d: %s with rank %d, want %s with rank %d", i, st.Name, st.Rank, test.names[i:i+1], test.ranks[i])
				}
			}
		})
	}
}

func TestTieBreakRanks(t *testing.T) {
	answers := map[int64]answerView{
		1: {given: quiz.Given{Text: "90"}, verdict: quiz.Wrong, elapsed: 9 * time.Second},
		2: {given: quiz.Given{Text: "110"}, verdict: quiz.Wrong, elapsed: 3 * time.Second},
		3: {given: quiz.Given{Text: "100"}, verdict: quiz.Right, elapsed: 12 * time.Second},
	}
	nearest := quiz.Question{Kind: quiz.NumberKind, TieBreak: true, Number: &quiz.Number{Value: 100}}
	suddenDeath := quiz.Question{Kind: quiz.Text, TieBreak: true, Accepted: []string{"100"}}
	for name, test := range map[string]struct {
		question quiz.Question
		want     map[int64]int
	}{
		"nearest":      {nearest, map[int64]int{1: 2, 2: 2, 3: 1}},
		"sudden death": {suddenDeath, map[int64]int{1: 3, 2: 2, 3: 1}},
	} {
		for id, rank := range tieBreakRanks(&test.question, answers) {
			if rank != test.want[id] {
				t.Errorf("%s: participant %d has rank %d, want %d", name, id, rank, test.want[id])
			}
		}
	}
}
