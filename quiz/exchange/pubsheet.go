package exchange

import (
	"strings"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// pubSheet is the sheet that quizmasters pass around: rounds, categories, and questions to choose or to type.
var pubSheet = layout{
	name: words.T("pub quiz sheet"),
	columns: []column{
		{asRound, []string{"round"}, true},
		{asTimed, []string{"timed"}, true},
		{asTags, []string{"category"}, true},
		{asNothing, []string{"q"}, true}, // the question's number in its round
		{asKind, []string{"type*"}, true},
		{asQuestion, []string{"question"}, true},
		{asMedia, []string{"image"}, false},
		{asCorrect, []string{"answer"}, true},
		{asOption, []string{"opta", "optb", "optc", "optd", "opte"}, true},
	},
	read: func(e entry, d *draft) {
		d.round, d.Tags = d.roundName(e.first(asRound)), e.filled(asTags)
		d.media(d.names["media"], e.first(asMedia))
		if timed := e.first(asTimed); isNumber(timed) {
			d.time(timed)
		} else if t := strings.ToLower(timed); t == "no" || t == "n" || t == "false" {
			d.changed(d.names["timed"], timed, words.T("Every question has a time here; this one got {seconds} seconds.", "seconds", defaultSeconds))
		}
		answer := e.first(asCorrect)
		switch kind := e.first(asKind); {
		case answer == "":
			d.skip(d.names["correct"], "", words.T("Expected the right answer."))
		case strings.EqualFold(kind, "MC") || kind == "" && len(e.filled(asOption)) > 0:
			d.chooseNamed(e.all(asOption), rightOnes(answer, e.all(asOption)))
		case len(e.filled(asOption)) > 0:
			d.changed(d.names["options"], strings.Join(e.filled(asOption), " | "), words.T("Left out, since players type the answer to a question of type {kind}.", "kind", kind))
			fallthrough
		default:
			d.Kind, d.Accepted = quiz.Text, several(answer)
			if truth, ok := parseTruth(answer); ok && len(answer) > 1 {
				d.isTrue(truth)
			}
		}
	},
}

// roundName is a round's title: its number alone is not one.
func (d *draft) roundName(cell string) string {
	if cell != "" && isNumber(cell) {
		return d.in.Say(words.T("Round {number}", "number", cell))
	}
	return cell
}

// rightOnes are the right options that a cell names: one by its whole text, or several.
func rightOnes(cell string, options []string) []string {
	if _, ok := named(unescaped(cell), allSpaced(options)); ok {
		return []string{unescaped(cell)}
	}
	if texts := several(cell); len(texts) > 1 {
		return texts
	}
	var letters []string
	for letter := range strings.FieldsFuncSeq(cell, func(r rune) bool { return r == ',' || r == '&' || r == '+' }) {
		if letters = append(letters, letter); len(letters) > maxAnswers {
			break
		}
	}
	if len(letters) > 1 {
		return letters
	}
	return []string{cell}
}
