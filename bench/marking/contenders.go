package main

import (
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"github.com/hbollon/go-edlib"
	"github.com/lithammer/fuzzysearch/fuzzy"

	"pubquiz/quiz"
)

// contender marks all answers to a question: which of them are right.
type contender struct {
	name string
	mark func(q quiz.Question, typed []string) []bool
}

var ours = contender{"ours", func(q quiz.Question, typed []string) []bool {
	given := make([]quiz.Given, len(typed))
	for i, text := range typed {
		given[i].Text = text
	}
	right := make([]bool, len(typed))
	for i, mark := range q.Mark(given, nil) {
		right[i] = mark.Verdict == quiz.Right
	}
	return right
}}

// peers are libraries used as their documents show: on the text in lower case and trimmed, right when the distance to an accepted answer is a
// small enough part of its length, or the similarity high enough. Each gets the threshold at which it errs least in the corpus.
func peers(pairs []pair) []contender {
	distance := func(name string, of func(a, b string) int) contender {
		return fitted(pairs, name, []float64{0, 0.05, 0.1, 0.125, 0.15, 0.175, 0.2, 0.225, 0.25, 0.3, 0.35}, func(accepted, typed string, threshold float64) bool {
			return float64(of(accepted, typed)) <= threshold*float64(utf8.RuneCountInString(accepted))
		})
	}
	similarity := func(name string, algorithm edlib.Algorithm) contender {
		return fitted(pairs, name, []float64{0.75, 0.8, 0.85, 0.875, 0.9, 0.925, 0.95, 0.975, 1}, func(accepted, typed string, threshold float64) bool {
			score, err := edlib.StringsSimilarity(accepted, typed, algorithm)
			return err == nil && float64(score) >= threshold
		})
	}
	return []contender{
		distance("agnivade/levenshtein", levenshtein.ComputeDistance),
		distance("go-edlib, OSA distance", edlib.OSADamerauLevenshteinDistance),
		similarity("go-edlib, Jaro-Winkler", edlib.JaroWinkler),
		distance("fuzzysearch, distance", fuzzy.LevenshteinDistance),
		distance("fuzzysearch, rank", func(accepted, typed string) int {
			if rank := fuzzy.RankMatchNormalizedFold(typed, accepted); rank >= 0 {
				return rank
			}
			return utf8.RuneCountInString(accepted) * 10
		}),
	}
}

// fitted is a contender with the threshold of these at which it errs least.
func fitted(pairs []pair, name string, thresholds []float64, near func(accepted, typed string, threshold float64) bool) contender {
	with := func(threshold float64) contender {
		return contender{name, func(q quiz.Question, typed []string) []bool {
			accepted := make([]string, len(q.Accepted))
			for i, a := range q.Accepted {
				accepted[i] = strings.ToLower(strings.TrimSpace(a))
			}
			right := make([]bool, len(typed))
			for i, text := range typed {
				text = strings.ToLower(strings.TrimSpace(text))
				for _, a := range accepted {
					if a == text || !q.Exact && near(a, text, threshold) {
						right[i] = true
						break
					}
				}
			}
			return right
		}}
	}
	best, fewest := contender{}, len(pairs)+1
	for _, threshold := range thresholds {
		c := with(threshold)
		if refused, accepted := errs(c, pairs); refused+accepted < fewest {
			best, fewest = c, refused+accepted
		}
	}
	return best
}

// errs counts the right answers that a contender refuses and the wrong ones that it accepts.
func errs(c contender, pairs []pair) (refused, accepted int) {
	for _, p := range pairs {
		switch right := c.mark(p.question, []string{p.given})[0]; {
		case p.right && !right:
			refused++
		case !p.right && right:
			accepted++
		}
	}
	return refused, accepted
}
