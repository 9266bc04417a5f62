package exchange

import "pubquiz/internal/words"

// kahoot is Kahoot's template, an XLSX file. Titles and advice stand above the headings, and a number before each question. Its maximum lengths are in the
// headings; longer texts occur.
var kahoot = layout{
	name: words.T("Kahoot spreadsheet"),
	columns: []column{
		{asQuestion, []string{"questionmax*"}, true},
		{asOption, []string{"answer1max*", "answer2max*", "answer3max*", "answer4max*", "answer5max*", "answer6max*"}, true},
		{asSeconds, []string{"timelimit*"}, true},
		{asCorrect, []string{"correctanswer*"}, true},
	},
	read: func(e entry, d *draft) {
		options := e.all(asOption)
		d.time(e.first(asSeconds))
		if len(e.filled(asOption)) == 0 {
			d.skip(d.names["options"], "", words.T("Expected answers to choose from. A slide without any has to be written anew in the editor."))
			return
		}
		d.chooseAny("Kahoot", options, d.numbered(e.first(asCorrect), options)...)
	},
}
