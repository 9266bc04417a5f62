package quiz

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// differentAnswers are ten thousand ways to type one name, none of them twice.
func differentAnswers() []Given {
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[string]bool{}
	var given []Given
	for len(given) < 10_000 {
		text := []byte("Arnold Schwarzenegger")
		for range 1 + random.IntN(4) {
			text[random.IntN(len(text))] = byte('a' + random.IntN(26))
		}
		if !seen[string(text)] {
			seen[string(text)] = true
			given = append(given, Given{Text: string(text)})
		}
	}
	return given
}

func BenchmarkMarkTyped(b *testing.B) {
	q := Question{Kind: Text, Text: "Who played the Terminator?", Accepted: []string{"Arnold Schwarzenegger", "Schwarzenegger", "Arnie"}, Points: 2}
	given := differentAnswers()
	b.ReportAllocs()
	for b.Loop() {
		q.Mark(given, nil)
	}
}

func BenchmarkGroup(b *testing.B) {
	given := differentAnswers()
	b.ReportAllocs()
	for b.Loop() {
		groups := map[string]int{}
		for _, g := range given {
			groups[Fold(g.Text)]++
		}
	}
}

func BenchmarkMarkNumbers(b *testing.B) {
	var given []Given
	for n := range 10_000 {
		given = append(given, Given{Text: fmt.Sprintf("%d,%03d.5", n%900+1, n%1000)})
	}
	q := Question{Kind: NumberKind, Number: &Number{Value: 123456.5, Nearest: true}, Points: 2}
	for b.Loop() {
		q.Mark(given, nil)
	}
}

// BenchmarkMarkWorst marks what takes longest: the longest text that anybody may type, against as many accepted answers
// that begin like it.
func BenchmarkMarkWorst(b *testing.B) {
	for _, unit := range []string{"a", "the ", "twenty ", "hundred and ", "1,", "½", "か", "ﷺ", "x "} {
		text := string([]rune(strings.Repeat(unit, MaxAnswerText))[:MaxAnswerText])
		accepted := make([]string, MaxAccepted)
		for i := range accepted {
			accepted[i] = fmt.Sprint(text[:len(text)/2], i)
		}
		q := Question{Kind: Text, Text: text, Accepted: accepted, Surnames: true}
		b.Run(strings.TrimSpace(unit), func(b *testing.B) {
			for b.Loop() {
				mark(q, Given{Text: text})
			}
		})
	}
}
