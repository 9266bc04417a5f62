package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"pubquiz/quiz"
)

// pair is an answer to a question, and what a fair host says of it.
type pair struct {
	question quiz.Question
	given    string
	right    bool
}

func readCorpus(path string) ([]pair, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var pairs []pair
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(columns) < 5 {
			return nil, fmt.Errorf("%s has a line of %d columns: %q", path, len(columns), line)
		}
		options := strings.Fields(columns[1])
		pairs = append(pairs, pair{
			question: quiz.Question{Kind: quiz.Text, Text: columns[4], Accepted: strings.Split(columns[0], "|"), Points: 2,
				Surnames: slices.Contains(options, "surnames"), Exact: slices.Contains(options, "exact")},
			given: columns[2], right: columns[3] == "right",
		})
	}
	return pairs, nil
}

// perQuestion is how many answers each contender marks at once.
const perQuestion = 10_000

// actor is what the speed is measured with: a long name that people type in many ways.
var actor = quiz.Question{Kind: quiz.Text, Text: "Who played the Terminator?", Accepted: []string{"Arnold Schwarzenegger", "Schwarzenegger", "Arnie"}, Points: 2}

// room is what a large room types: most of it the same few texts, with some slips and some wrong names.
func room(random *rand.Rand) []string {
	common := []string{"Arnold Schwarzenegger", "arnold schwarzenegger", "Schwarzenegger", "schwarzenegger", "Arnie", "Sylvester Stallone", "Bruce Willis", "stallone"}
	typed := make([]string, perQuestion)
	for i := range typed {
		typed[i] = common[random.IntN(len(common))]
		if random.IntN(4) == 0 {
			typed[i] = withSlip(random, typed[i])
		}
	}
	return typed
}

// allDifferent is the worst of rooms: no text comes twice.
func allDifferent(random *rand.Rand) []string {
	seen := map[string]bool{}
	for len(seen) < perQuestion {
		text := room(random)[0]
		for range 1 + random.IntN(3) {
			text = withSlip(random, text)
		}
		seen[text] = true
	}
	typed := make([]string, 0, perQuestion)
	for text := range seen {
		typed = append(typed, text)
	}
	slices.Sort(typed)
	return typed
}

// withSlip changes, drops, adds or swaps a letter.
func withSlip(random *rand.Rand, text string) string {
	at := random.IntN(len(text) - 1)
	letter := string(rune('a' + random.IntN(26)))
	switch random.IntN(4) {
	case 0:
		return text[:at] + letter + text[at+1:]
	case 1:
		return text[:at] + text[at+1:]
	case 2:
		return text[:at] + letter + text[at:]
	default:
		return text[:at] + text[at+1:at+2] + text[at:at+1] + text[at+2:]
	}
}
