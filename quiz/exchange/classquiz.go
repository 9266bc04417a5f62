package exchange

import "pubquiz/internal/words"

// classQuiz is ClassQuiz's template, an XLSX file: title and description stand above the headings, in column C.
var classQuiz = layout{
	name: words.T("ClassQuiz spreadsheet"),
	columns: []column{
		{asQuestion, []string{"question"}, true},
		{asOption, []string{"1stanswer", "2ndanswer", "3rdanswer", "4thanswer"}, true},
		{asSeconds, []string{"timelimit*"}, false},
		{asCorrect, []string{"correctanswers"}, true},
	},
	before: func(above []sheetRow, c *collector) {
		for _, row := range above {
			switch text := row.cell(2); {
			case text == "":
			case row.number == 5:
				c.title = text
			case row.number == 6:
				c.introduce(at{row: row.number}, "", text)
			}
		}
	},
	read: func(e entry, d *draft) {
		options := e.all(asOption)
		d.time(e.first(asSeconds))
		d.chooseAny("ClassQuiz", options, d.numbered(e.first(asCorrect), options)...)
	},
}
