package web

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pubquiz/quiz"
)

// halves writes points as people do: 4½, −1.
func halves(p quiz.Points) string {
	sign, whole, half := "", int(p)/2, int(p)%2 != 0
	if p < 0 {
		sign, whole = "−", -whole
	}
	switch {
	case half && whole == 0:
		return sign + "½"
	case half:
		return fmt.Sprintf("%s%d½", sign, whole)
	default:
		return fmt.Sprintf("%s%d", sign, whole)
	}
}

// signed writes points that are added: +2, −½.
func signed(p quiz.Points) string {
	if p > 0 {
		return "+" + halves(p)
	}
	return halves(p)
}

// pointsWords writes points with their noun: 1 point, 4½ points.
func pointsWords(p quiz.Points) string {
	if p >= -2 && p <= 2 && p != 0 {
		return halves(p) + " point"
	}
	return halves(p) + " points"
}

// secondsWords writes how long something took: 8.4 s.
func secondsWords(d time.Duration) string {
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// optionLetter is what the option at this index is called on all screens.
func optionLetter(index int) string { return string(rune('A' + index)) }

// givenWords is what was answered, in full.
func givenWords(q *quiz.Question, g quiz.Given) string {
	choices := q.Choices()
	if choices == nil {
		return strings.TrimSpace(g.Text)
	}
	return strings.Join(named(choices, g.Choices), between(q.Kind))
}

// givenBrief is what was answered, as short as a table wants it: of several options only the letters.
func givenBrief(q *quiz.Question, g quiz.Given) string {
	switch q.Kind {
	case quiz.Single, quiz.Poll:
		return optionLetter(g.Choices[0]) + " " + givenWords(q, g)
	case quiz.Multiple, quiz.Ordering:
		picked := slices.Clone(g.Choices)
		if q.Kind == quiz.Multiple {
			slices.Sort(picked)
		}
		letters := make([]string, len(picked))
		for i, choice := range picked {
			letters[i] = optionLetter(choice)
		}
		return strings.Join(letters, between(q.Kind))
	default:
		return givenWords(q, g)
	}
}

// rightWords is the right answer to a question that a session has asked; empty where there is none.
func rightWords(q *quiz.Question) string {
	if q.Kind == quiz.Ordering {
		return strings.Join(named(q.Options, q.Correct), between(q.Kind))
	}
	return answerOnPaper(*q)
}

func between(kind quiz.Kind) string {
	if kind == quiz.Ordering {
		return " → "
	}
	return ", "
}

func named(choices []string, picked []int) []string {
	names := make([]string, len(picked))
	for i, choice := range picked {
		names[i] = choices[choice]
	}
	return names
}
