package exchange

import (
	"strings"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// socrative is Socrative's template, an XLSX file: the quiz's name stands above the headings, and the right answers in up to five columns.
var socrative = layout{
	name: words.T("Socrative spreadsheet"),
	columns: []column{
		{asKind, []string{"2questiontype"}, true},
		{asQuestion, []string{"3question"}, true},
		{asOption, []string{"answera", "answerb", "answerc", "answerd", "answere"}, true},
		{asCorrect, []string{"correctanswer*", "5correctanswer*"}, true},
		{asNotes, []string{"6explanation*"}, false},
	},
	before: func(above []sheetRow, c *collector) {
		for i, row := range above {
			for column := range row.cells {
				if !strings.HasPrefix(heading(row.cell(column)), "1quizname") {
					continue
				}
				for _, place := range []string{row.cell(column + 1), cellBelow(above[i+1:], column)} {
					if place != "" {
						c.title = place
						return
					}
				}
			}
		}
	},
	read: func(e entry, d *draft) {
		d.note(e.first(asNotes))
		options, right := e.all(asOption), e.filled(asCorrect)
		switch kind := e.first(asKind); heading(kind) {
		case "", "multiplechoice":
			d.chooseNamed(options, right)
		case "truefalse", "trueorfalse":
			d.chooseNamed([]string{"True", "False"}, right)
		case "openended", "shortanswer":
			d.Kind, d.Accepted = quiz.Text, append(e.filled(asOption), right...)
			if len(d.Accepted) == 0 {
				d.skip(d.names["correct"], "", words.T("Expected at least one right answer, so that answers can be marked."))
			}
		default:
			d.skip(d.names["kind"], kind, words.T("There is no such kind of question here. Multiple choice, True/False and Open-ended can be taken."))
		}
	},
}

func cellBelow(rows []sheetRow, column int) string {
	if len(rows) == 0 {
		return ""
	}
	return rows[0].cell(column)
}

// chooseNamed makes it a question of options, of which each of right names one, by its text, letter or number.
func (d *draft) chooseNamed(options, right []string) {
	if len(right) > maxAnswers {
		d.tooMany(strings.Join(right, " | "))
		return
	}
	var correct []int
	single := allSpaced(options)
	for _, text := range right {
		i, ok := named(text, single)
		if !ok {
			d.skip(d.names["correct"], text, words.T("Expected one of the options, or its letter."))
			return
		}
		correct = append(correct, i)
	}
	if len(correct) == 0 {
		d.skip(d.names["correct"], "", words.T("Expected the right option, or its letter."))
	}
	d.choose(options, correct...)
}
