package quiz

import (
	"fmt"
	"math/rand/v2"
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
