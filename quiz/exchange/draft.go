package exchange

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// draft is a question on its way from a row of the file into the content.
type draft struct {
	quiz.Question
	round   string            // the title of the round it belongs to; empty: the file names none
	in      *words.Language   // of whoever reads the file
	names   map[string]string // how the file calls what is told in notes: "text", "options[2]", "correct", …
	notes   []Note
	skipped bool
}

// maxDraftNotes is how many notes a row has, the last of which says that there would be more.
const maxDraftNotes = 40

// changed notes that the draft differs from what the file says.
func (d *draft) changed(column, found string, detail words.Text) {
	switch len(d.notes) {
	case maxDraftNotes:
		return
	case maxDraftNotes - 1:
		column, found, detail = "", "", words.T("There is more to say about this question than is listed here.")
	}
	d.notes = append(d.notes, Note{Column: column, Found: shorten(found, maxFound), Detail: detail})
}

// skip notes why the row cannot be taken.
func (d *draft) skip(column, found string, detail words.Text) {
	d.skipped = true
	d.changed(column, found, detail)
}

// media notes a link to a picture, a sound or a film. Nothing is fetched: an importing server would do what any file tells it to.
func (d *draft) media(column, link string) {
	if link = strings.TrimSpace(link); link != "" {
		d.changed(column, link, words.T("Pictures, sounds and films are not taken along. Upload this one in the editor."))
	}
}

// note adds to what only the host reads, as long as there is room: fit shortens it.
func (d *draft) note(text string) {
	if len(d.Notes) > utf8.UTFMax*quiz.MaxNotes {
		return
	}
	if text = strings.TrimSpace(text); text != "" && !strings.Contains(d.Notes, text) {
		d.Notes = strings.TrimSpace(d.Notes + "\n" + text)
	}
}

// choose makes it a question of options: one to choose where one is right, any number where several are.
func (d *draft) choose(options []string, correct ...int) {
	d.Options, d.Correct, d.Kind = options, correct, quiz.Single
	if len(correct) > 1 {
		d.Kind = quiz.Multiple
	}
}

// chooseAny is choose for products that take any one of several right options for the answer.
func (d *draft) chooseAny(product string, options []string, correct ...int) {
	d.choose(options, correct...)
	if d.Kind == quiz.Multiple && !d.skipped {
		d.changed(d.names["correct"], oneBased(correct), words.T("{product} counts any one of these as right. Here players must choose all of them.", "product", product))
	}
}

// mix makes it a question of options out of a right one and wrong ones, putting the right one anywhere: a place that follows from what is asked
// would be known to whoever is asked. It is one of those that are left when fit takes away wrong ones.
func (d *draft) mix(right string, wrong []string) {
	at := rand.IntN(min(len(wrong)+1, quiz.MaxOptions))
	d.choose(slices.Insert(slices.Clone(wrong), at, right), at)
}

// isTrue sets the answer of a true-or-false question.
func (d *draft) isTrue(right bool) {
	d.Kind, d.Options, d.Correct = quiz.TrueFalse, nil, []int{1}
	if right {
		d.Correct = []int{0}
	}
}

// oneBased writes indexes as people count: "1, 3".
func oneBased(indexes []int) string {
	var numbers []string
	for _, i := range indexes {
		numbers = append(numbers, fmt.Sprint(i+1))
	}
	return strings.Join(numbers, ", ")
}
