package quiz

import (
	"slices"
	"strings"
	"unicode/utf8"

	"pubquiz/internal/words"
)

// CheckGiven tells whether g is an answer to this kind of question at all, right or wrong.
// The error is a Problem: which field, and a sentence for the person who answered.
func (q Question) CheckGiven(g Given) error {
	if err := q.checkWager(g); err != nil {
		return err
	}
	switch q.Kind {
	case Slide:
		return Problem{"given", words.T("There is nothing to answer here; just read on.")}
	case Text, NumberKind:
		return q.checkGivenText(g)
	default:
		return q.checkGivenChoices(g)
	}
}

func (q Question) checkWager(g Given) error {
	switch {
	case g.Wager < 0:
		return Problem{"given.wager", words.T("Stake 0 points or more.")}
	case g.Wager > 0 && !q.Wager:
		return Problem{"given.wager", words.T("Nothing can be staked on this question.")}
	default:
		return nil
	}
}

func (q Question) checkGivenText(g Given) error {
	switch {
	case len(g.Choices) > 0:
		return Problem{"given.choices", words.T("Type the answer; this question has no options.")}
	case isPlain(g.Text):
	case strings.TrimSpace(g.Text) == "":
		return Problem{"given.text", words.T("Type an answer first.")}
	case utf8.RuneCountInString(g.Text) > MaxAnswerText:
		return Problem{"given.text", words.T("Shorten the answer to {most} characters.", "most", MaxAnswerText)}
	case !printable(g.Text):
		return Problem{"given.text", words.T("The answer contains a character that cannot be shown. Type it again.")}
	}
	if q.Kind == NumberKind {
		if _, ok := q.parse(g.Text); !ok {
			return Problem{"given.text", words.T("Type a number and nothing else, such as 42, 1,800 or 2.5.")}
		}
	}
	return nil
}

// isPlain tells at a glance what most answers are: short, and nothing but ASCII that can be seen.
func isPlain(s string) bool {
	if s == "" || len(s) > MaxAnswerText || s[0] == ' ' {
		return false
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func (q Question) checkGivenChoices(g Given) error {
	options := len(q.Choices())
	if g.Text != "" {
		return Problem{"given.text", words.T("Choose from the options; this question takes no text.")}
	}
	switch q.Kind {
	case Multiple:
		if len(g.Choices) == 0 {
			return Problem{"given.choices", words.T("Choose at least one option.")}
		}
	case Ordering:
		if len(g.Choices) != options {
			return Problem{"given.choices", words.T("Put all the options in order.")}
		}
	default:
		if len(g.Choices) != 1 {
			return Problem{"given.choices", words.T("Choose exactly one option.")}
		}
	}
	for i, choice := range g.Choices {
		if choice < 0 || choice >= options {
			return Problem{"given.choices", words.T("This question has no such option.")}
		}
		if slices.Contains(g.Choices[:i], choice) {
			return Problem{"given.choices", words.T("Choose each option only once.")}
		}
	}
	return nil
}
