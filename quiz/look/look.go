// Package look is what a host's pub looks like on the big screen: its logo, its colour, and the pictures of its breaks.
package look

import (
	"fmt"
	"regexp"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// MaxPictures is how many pictures take turns in the breaks: the pub's own and its sponsors'.
const MaxPictures = 8

// Look is a pub's look. Pictures are named by the ids of media.
type Look struct {
	Accent   string   `json:"accent,omitempty"` // "#rrggbb"; empty: the product's own colour
	Logo     string   `json:"logo,omitempty"`   // empty: none
	Pictures []string `json:"pictures"`         // of the breaks, in this order
}

var mediaID = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Check returns what is wrong with the look, as a quiz.Problem, or nil.
func (l Look) Check() error {
	if _, ok := parse(l.Accent); l.Accent != "" && !ok {
		return quiz.Problem{Path: "accent", Detail: words.T("Write the colour as # and six digits from 0 to f, such as #ffb52e.")}
	}
	if l.Logo != "" && !mediaID.MatchString(l.Logo) {
		return quiz.Problem{Path: "logo", Detail: uploadAgain}
	}
	if len(l.Pictures) > MaxPictures {
		return quiz.Problem{Path: "pictures", Detail: words.T("At most {most} pictures take turns in the breaks. Take one out first.", "most", MaxPictures)}
	}
	for i, id := range l.Pictures {
		if !mediaID.MatchString(id) {
			return notHere(i)
		}
	}
	return nil
}

var uploadAgain = words.T("This picture is not here any more. Upload it again.")

func notHere(picture int) error {
	return quiz.Problem{Path: fmt.Sprintf("pictures[%d]", picture), Detail: uploadAgain}
}

// Colours are those of the accent in both schemes. They are nil where the look has no accent of its own.
func (l Look) Colours() (light, dark *Palette) {
	accent, ok := parse(l.Accent)
	if !ok {
		return nil, nil
	}
	return palette(accent, paper), palette(accent, ink)
}
