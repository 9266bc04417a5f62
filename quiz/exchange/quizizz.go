package exchange

import (
	"strings"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// quizizz is the template of Quizizz, now Wayground, as CSV or XLSX.
var quizizz = layout{
	name: words.T("Quizizz / Wayground sheet"),
	columns: []column{
		{asQuestion, []string{"questiontext"}, true},
		{asKind, []string{"questiontype"}, true},
		{asOption, []string{"option1", "option2", "option3", "option4", "option5"}, true},
		{asCorrect, []string{"correctanswer*"}, true},
		{asSeconds, []string{"timeinseconds"}, false},
		{asMedia, []string{"imagelink"}, false},
		{asNotes, []string{"answerexplanation"}, false},
	},
	isHelp: func(e entry) bool { // the row below the headings, which explains each column in several lines
		return strings.Contains(e.first(asKind), "\n") || heading(e.first(asQuestion)) == "textofthequestionrequired"
	},
	read: func(e entry, d *draft) {
		options := e.all(asOption)
		d.time(e.first(asSeconds))
		d.media(d.names["media"], e.first(asMedia))
		d.note(e.first(asNotes))
		switch kind := e.first(asKind); heading(kind) {
		case "", "multiplechoice":
			d.choose(options, d.numbered(e.first(asCorrect), options)...)
		case "checkbox":
			d.choose(options, d.numbered(e.first(asCorrect), options)...)
			d.Kind = quiz.Multiple
		case "truefalse", "trueorfalse":
			if len(e.filled(asOption)) == 0 {
				options = []string{"True", "False"}
			}
			d.choose(options, d.numbered(e.first(asCorrect), options)...)
		case "fillintheblank", "fillintheblanks":
			d.Kind, d.Accepted = quiz.Text, append(e.filled(asOption), filledIn(e.first(asCorrect), options)...)
			d.names["accepted"] = d.names["options"]
		case "poll":
			d.Kind, d.Options = quiz.Poll, options
		case "reorder", "sequence":
			d.Kind, d.Options = quiz.Ordering, options
		default:
			d.skip(d.names["kind"], kind, words.T("There is no such kind of question here. Multiple Choice, Checkbox, Fill-in-the-Blank, Poll and Reorder can be taken."))
		}
	},
}

// filledIn is the answer to a blank where it stands in the column of the right answer, which else names an option.
func filledIn(cell string, options []string) []string {
	if _, isOption := named(cell, allSpaced(options)); isOption || isNumber(cell) && len(strings.Join(options, "")) > 0 {
		return nil
	}
	return []string{cell}
}
