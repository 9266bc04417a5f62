package session

import (
	"cmp"
	"slices"
	"strings"

	"pubquiz/quiz"
)

// answerGroup is typed answers that fold to the same text and were marked the same: numbers may fold to one text, as -five and 5 do, and differ.
type answerGroup struct {
	Key     string       `json:"key"`
	Text    string       `json:"text"`
	Count   int          `json:"count"`
	Verdict quiz.Verdict `json:"verdict"`
	By      quiz.By      `json:"by"`
}

// groups gathers typed answers by what they fold to, most common first. Each is shown as it was typed most often.
func groups(answers map[int64]answerView) []answerGroup {
	type key struct {
		folded  string
		verdict quiz.Verdict
	}
	type spellings map[string]int
	byKey := map[key]*answerGroup{}
	typed := map[key]spellings{}
	for _, a := range answers {
		text := strings.TrimSpace(a.given.Text)
		k := key{quiz.Fold(text), a.verdict}
		g := byKey[k]
		if g == nil {
			g = &answerGroup{Key: k.folded, Verdict: a.verdict, By: a.by}
			byKey[k], typed[k] = g, spellings{}
		}
		g.Count++
		typed[k][text]++
	}
	gathered := make([]answerGroup, 0, len(byKey))
	for k, g := range byKey {
		for text, n := range typed[k] {
			// Whichever was read first must not matter.
			if best := typed[k][g.Text]; g.Text == "" || n > best || n == best && text < g.Text {
				g.Text = text
			}
		}
		gathered = append(gathered, *g)
	}
	slices.SortFunc(gathered, func(a, b answerGroup) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), quiz.BetterFirst(a.Verdict, b.Verdict), cmp.Compare(a.Text, b.Text))
	})
	return gathered
}

// popularAnswer is what several participants typed.
type popularAnswer struct {
	Text    string       `json:"text"`
	Count   int          `json:"count"`
	Verdict quiz.Verdict `json:"verdict"`
}

// mostPopular is how many typed answers are shown.
const mostPopular = 5

// popular are the most common answers to a question that is typed.
func popular(q *quiz.Question, answers map[int64]answerView) []popularAnswer {
	if q.Kind != quiz.Text && q.Kind != quiz.NumberKind {
		return nil
	}
	gathered := groups(answers)
	shown := make([]popularAnswer, 0, mostPopular)
	for _, g := range gathered[:min(mostPopular, len(gathered))] {
		shown = append(shown, popularAnswer{Text: g.Text, Count: g.Count, Verdict: g.Verdict})
	}
	return shown
}
