package session

import (
	"testing"

	"pubquiz/quiz"
)

func TestRank(t *testing.T) {
	for name, test := range map[string]struct {
		points map[string]quiz.Points
		names  []string
		ranks  []int
	}{
		"nobody":          {nil, nil, nil},
		"one":             {map[string]quiz.Points{"a": 0}, []string{"a"}, []int{1}},
		"all different":   {map[string]quiz.Points{"a": 2, "b": 6, "c": 3}, []string{"b", "c", "a"}, []int{1, 2, 3}},
		"tie for first":   {map[string]quiz.Points{"a": 4, "b": 4, "c": 3}, []string{"a", "b", "c"}, []int{1, 1, 3}},
		"tie in the rest": {map[string]quiz.Points{"a": 9, "b": 4, "c": 4, "d": 4, "e": 1}, []string{"a", "b", "c", "d", "e"}, []int{1, 2, 2, 2, 5}},
		"all the same":    {map[string]quiz.Points{"b": 0, "a": 0}, []string{"a", "b"}, []int{1, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var standings []Standing
			for n, p := range test.points {
				standings = append(standings, Standing{Name: n, Points: p})
			}
			rank(standings)
			for i, st := range standings {
				if st.Name != test.names[i] || st.Rank != test.ranks[i] {
					t.Errorf("place %d: %s with rank %d, want %s with rank %d", i, st.Name, st.Rank, test.names[i], test.ranks[i])
				}
			}
		})
	}
}
