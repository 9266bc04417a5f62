package exchange

import (
	"pubquiz/quiz"

	"pubquiz/internal/words"
)

// gimkit is Gimkit's template, a CSV file. Its right answer always comes first, so the answers are mixed.
var gimkit = layout{
	name:   words.T("Gimkit sheet"),
	marker: "gimkitspreadsheetimporttemplate",
	columns: []column{
		{asQuestion, []string{"question"}, true},
		{asCorrect, []string{"correctanswer"}, true},
		{asWrong, []string{"incorrectanswer*"}, true},
	},
	read: func(e entry, d *draft) {
		right, wrong := e.first(asCorrect), e.filled(asWrong)
		switch {
		case right == "":
			d.skip(d.names["correct"], "", words.T("Expected the right answer."))
		case len(wrong) == 0:
			d.Kind, d.Accepted = quiz.Text, []string{right}
			d.changed(d.names["wrong"], "", words.T("There is no wrong answer to choose from, so players type the answer."))
		default:
			d.mix(right, wrong)
		}
	},
}
