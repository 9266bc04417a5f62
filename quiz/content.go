// Package quiz is authored content: quizzes, their rounds and questions, and the marking of what was answered.
package quiz

import (
	"fmt"
	"math"
	"strconv"
)

// ID identifies a quiz.
type ID int64

// OwnerID identifies the host who owns a quiz. It is the id of a user.
type OwnerID int64

// Content is a whole quiz as its author wrote it. Its JSON form is the editor's, the database's and the export's.
type Content struct {
	Title  string  `json:"title"`
	Rounds []Round `json:"rounds"`
}

// Round is a group of questions under one title.
type Round struct {
	Title        string     `json:"title"`
	Introduction string     `json:"introduction"`
	Questions    []Question `json:"questions"`
}

// Kind says how a question is answered.
type Kind string

// The kinds of questions.
const (
	Single    Kind = "single"    // one of the options
	TrueFalse Kind = "trueFalse" // option 0 is true, option 1 is false
	Text      Kind = "text"      // typed, compared with the accepted answers
)

// Question is what is asked, what is right, and what it is worth.
type Question struct {
	Kind     Kind     `json:"kind"`
	Text     string   `json:"text"`
	Options  []string `json:"options,omitempty"`  // Single
	Correct  []int    `json:"correct,omitempty"`  // Single and TrueFalse: indexes of the right options
	Accepted []string `json:"accepted,omitempty"` // Text: the right answers, the one to show first
	Seconds  int      `json:"seconds"`
	Points   Points   `json:"points"`
	Notes    string   `json:"notes"` // for the host only
}

// Given is what a participant answered: choices by index, or text, as the question's kind asks.
type Given struct {
	Choices []int  `json:"choices,omitempty"`
	Text    string `json:"text,omitempty"`
}

// Points counts half points, so that sums are exact. Its JSON form is a number in steps of 0.5.
type Points int

// MarshalJSON writes points as a number: Points(3) is 1.5.
func (p Points) MarshalJSON() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalJSON accepts whole and half numbers only.
func (p *Points) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(string(b), 64)
	if half := f * 2; err != nil || half != math.Trunc(half) || math.Abs(half) > math.MaxInt32 {
		return fmt.Errorf("points must be a whole or half number, not %s", b)
	}
	*p = Points(f * 2)
	return nil
}

// String writes points as a decimal number: "1.5".
func (p Points) String() string {
	if p%2 == 0 {
		return fmt.Sprint(int(p) / 2)
	}
	return fmt.Sprintf("%.1f", float64(p)/2)
}

// Choices are the options that a participant picks from; nil where the answer is typed.
func (q *Question) Choices() []string {
	switch q.Kind {
	case Single:
		return q.Options
	case TrueFalse:
		return []string{"True", "False"}
	default:
		return nil
	}
}
