package web

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// halves writes points as people do: 4½, −1.
func halves(l *words.Language, p quiz.Points) string {
	if p < 0 {
		return together(l, "−", -p)
	}
	return together(l, "", p)
}

// signed writes points that are added: +2, −½.
func signed(l *words.Language, p quiz.Points) string {
	if p > 0 {
		return together(l, "+", p)
	}
	return halves(l, p)
}

// together keeps signs, which have no direction, beside their digits where the words around them run the other way.
func together(l *words.Language, sign string, p quiz.Points) string {
	const leftToRightMark = "\u200e"
	text := sign
	if p == 0 || p > 1 {
		text += strconv.Itoa(int(p) / 2)
	}
	if p%2 != 0 {
		text += "½"
	}
	if l.Direction() == "rtl" {
		return leftToRightMark + text + leftToRightMark
	}
	return text
}

// pointsWords writes points with their noun: 1 point, 4½ points. What is more than one is counted as the next whole number is.
func pointsWords(l *words.Language, p quiz.Points) string {
	n := int(max(p, -p)+1) / 2
	return l.Say(words.N(n, "{points} point", "{points} points", "points", halves(l, p)))
}

// secondsWords writes how long something took: 8.4 s.
func secondsWords(l *words.Language, d time.Duration) string {
	return l.Say(words.T("{seconds} s", "seconds", l.Decimal(d.Seconds(), 1)))
}

// optionLetter is what the option at this index is called on all screens.
func optionLetter(index int) string { return string(rune('A' + index)) }

// givenWords is what was answered, in full.
func givenWords(l *words.Language, q *quiz.Question, g quiz.Given) string {
	choices := choicesIn(l, q)
	if choices == nil {
		return strings.TrimSpace(g.Text)
	}
	return strings.Join(named(choices, g.Choices), between(q.Kind))
}

// givenBrief is what was answered, as short as a table wants it: of several options only the letters.
func givenBrief(l *words.Language, q *quiz.Question, g quiz.Given) string {
	switch q.Kind {
	case quiz.Single, quiz.Poll:
		return optionLetter(g.Choices[0]) + " " + givenWords(l, q, g)
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
		return givenWords(l, q, g)
	}
}

// rightWords is the right answer to a question that a session has asked; empty where there is none.
func rightWords(l *words.Language, q *quiz.Question) string {
	if q.Kind == quiz.Ordering {
		return strings.Join(named(q.Options, q.Correct), between(q.Kind))
	}
	return answerOnPaper(l, *q)
}

// choicesIn are the options, of which those that the question's author has not written are in the language.
func choicesIn(l *words.Language, q *quiz.Question) []string {
	if q.Kind == quiz.TrueFalse {
		return []string{l.Say(words.T("True")), l.Say(words.T("False"))}
	}
	return q.Choices()
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
