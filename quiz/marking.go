package quiz

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// CheckGiven tells whether g is an answer to this kind of question at all, right or wrong.
// The error is a Problem: which field, and a sentence for the person who answered.
func (q Question) CheckGiven(g Given) error {
	if q.Kind == Text {
		return checkGivenText(g)
	}
	switch {
	case g.Text != "":
		return Problem{"given.text", "Choose one of the options; this question takes no text."}
	case len(g.Choices) != 1:
		return Problem{"given.choices", "Choose exactly one option."}
	case g.Choices[0] < 0 || g.Choices[0] >= q.choices():
		return Problem{"given.choices", "This question has no such option."}
	}
	return nil
}

func checkGivenText(g Given) error {
	switch {
	case len(g.Choices) > 0:
		return Problem{"given.choices", "Type the answer; this question has no options."}
	case strings.TrimSpace(g.Text) == "":
		return Problem{"given.text", "Type an answer first."}
	case utf8.RuneCountInString(g.Text) > MaxAnswerText:
		return Problem{"given.text", "Shorten the answer to 100 characters."}
	case !printable(g.Text):
		return Problem{"given.text", "The answer contains a character that cannot be shown. Type it again."}
	}
	return nil
}

// Mark returns what g earns: all the question's points, or none. Typed answers are right when they fold to the same
// text as an accepted one, so all answers with one Fold earn the same. What CheckGiven refuses earns nothing.
func (q Question) Mark(g Given) Points {
	if q.CheckGiven(g) != nil {
		return 0
	}
	var right bool
	if q.Kind == Text {
		given := Fold(g.Text)
		right = slices.ContainsFunc(q.Accepted, func(a string) bool { return Fold(a) == given })
	} else {
		right = slices.Contains(q.Correct, g.Choices[0])
	}
	if !right {
		return 0
	}
	return q.Points
}

// choices is how many options a participant may choose from.
func (q Question) choices() int {
	switch q.Kind {
	case Single:
		return len(q.Options)
	case TrueFalse:
		return 2
	default:
		return 0
	}
}
