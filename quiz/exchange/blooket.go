package exchange

import "pubquiz/internal/words"

// blooket is Blooket's template, a CSV file. Its headings are of several lines, and the numbers of questions go on below the last of them.
var blooket = layout{
	name:   words.T("Blooket sheet"),
	marker: "blooketimporttemplate",
	columns: []column{
		{asNothing, []string{"question"}, false}, // "Question #"
		{asQuestion, []string{"questiontext"}, true},
		{asOption, []string{"answer1*", "answer2*", "answer3*", "answer4*"}, true},
		{asSeconds, []string{"timelimit*"}, false},
		{asCorrect, []string{"correctanswer*"}, true},
	},
	read: func(e entry, d *draft) {
		options := e.all(asOption)
		d.time(e.first(asSeconds))
		d.chooseAny("Blooket", options, d.numbered(e.first(asCorrect), options)...)
	},
}
