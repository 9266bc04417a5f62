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
	Title      string   `json:"title"`
	Language   string   `json:"language,omitempty"` // BCP 47, of the questions; empty: not said
	Tags       []string `json:"tags,omitempty"`
	Teams      Teams    `json:"teams,omitempty"`
	TiesByTime bool     `json:"tiesByTime,omitempty"` // equal points are ranked by total answer time
	Rounds     []Round  `json:"rounds"`
}

// Teams says how many phones a participant may have, and whose answer counts.
type Teams string

// The ways to play.
const (
	OnePhone    Teams = ""        // a participant is one phone
	FirstAnswer Teams = "first"   // several phones; the first answer counts
	Captain     Teams = "captain" // several phones; only the first phone's answers count
)

// Round is a group of questions under one title.
type Round struct {
	Title        string     `json:"title"`
	Introduction string     `json:"introduction"`
	Picture      *Media     `json:"picture,omitempty"`
	Pacing       Pacing     `json:"pacing,omitempty"`
	Weight       int        `json:"weight,omitempty"`   // multiplies what its questions earn; 0 counts as 1
	Speed        bool       `json:"speed,omitempty"`    // a right answer earns less the later it comes
	Joker        bool       `json:"joker,omitempty"`    // participants may double this round
	Negative     Points     `json:"negative,omitempty"` // what a wrong answer costs
	Questions    []Question `json:"questions"`
}

// Pacing says when a round's answers are revealed.
type Pacing string

// The pacings.
const (
	EachQuestion Pacing = ""      // after each question
	RoundsEnd    Pacing = "round" // all together when the round ends, as on paper
)

// Kind says how a question is answered.
type Kind string

// The kinds of questions.
const (
	Single     Kind = "single"    // one of the options
	Multiple   Kind = "multiple"  // any of the options
	TrueFalse  Kind = "trueFalse" // option 0 is true, option 1 is false
	Text       Kind = "text"      // typed, compared with the accepted answers
	NumberKind Kind = "number"    // typed, compared with a number
	Ordering   Kind = "ordering"  // the options, put in order
	Poll       Kind = "poll"      // one of the options, none of them right
	Slide      Kind = "slide"     // something to read; there is nothing to answer
)

// Kinds lists all of them, in the order in which an editor offers them.
var Kinds = []Kind{Single, Multiple, TrueFalse, Text, NumberKind, Ordering, Poll, Slide}

// Question is what is asked, what is right, and what it is worth.
type Question struct {
	Kind     Kind     `json:"kind"`
	Text     string   `json:"text"`
	Media    *Media   `json:"media,omitempty"`
	Options  []string `json:"options,omitempty"`  // Single, Multiple, Ordering (as authored: in the right order), Poll
	Correct  []int    `json:"correct,omitempty"`  // indexes of the right options; of a frozen Ordering: their right order
	Partial  bool     `json:"partial,omitempty"`  // Multiple, Ordering: part of the points for part of the answer
	Accepted []string `json:"accepted,omitempty"` // Text: the right answers, the one to show first
	Surnames bool     `json:"surnames,omitempty"` // Text: the last word of a name is enough
	Exact    bool     `json:"exact,omitempty"`    // Text: no typing error is forgiven
	Number   *Number  `json:"number,omitempty"`   // NumberKind
	Wager    bool     `json:"wager,omitempty"`    // participants stake points of their own
	TieBreak bool     `json:"tieBreak,omitempty"` // earns nothing, but ranks those with equal points
	Seconds  int      `json:"seconds"`
	Points   Points   `json:"points"`
	Tags     []string `json:"tags,omitempty"`
	Notes    string   `json:"notes"` // for the host only
}

// Number is the answer to a NumberKind question.
type Number struct {
	Value     float64 `json:"value"`
	Tolerance float64 `json:"tolerance,omitempty"` // how far off is still right
	Nearest   bool    `json:"nearest,omitempty"`   // whoever is nearest is right, however far off
	Unit      string  `json:"unit,omitempty"`      // shown beside the answer: "km"
}

// Media is a picture, a sound or a film that belongs to a question or a round.
type Media struct {
	ID   string    `json:"id"` // SHA-256 of the stored file, in hexadecimal
	Kind MediaKind `json:"kind"`
	Alt  string    `json:"alt,omitempty"` // what it shows, for whoever cannot see or hear it
}

// MediaKind says how media is shown.
type MediaKind string

// The kinds of media.
const (
	Image MediaKind = "image"
	Audio MediaKind = "audio"
	Video MediaKind = "video"
)

// Given is what a participant answered, as the question's kind asks: choices by index (Ordering: all of them, in order), or
// text (NumberKind: a number as people write it).
type Given struct {
	Choices []int  `json:"choices,omitempty"`
	Text    string `json:"text,omitempty"`
	Wager   Points `json:"wager,omitempty"` // what is staked on it, where the question asks for that
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

// Choices are the options that a participant picks from; nil where the answer is typed, or there is none.
func (q *Question) Choices() []string {
	switch q.Kind {
	case Single, Multiple, Ordering, Poll:
		return q.Options
	case TrueFalse:
		return []string{"True", "False"}
	default:
		return nil
	}
}
