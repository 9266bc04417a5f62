package exchange

import (
	"strings"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// jovVix is jovVix's CSV file.
var jovVix = layout{
	name: words.T("jovVix sheet"),
	columns: []column{
		{asQuestion, []string{"questiontext"}, true},
		{asKind, []string{"questiontype"}, true},
		{asPoints, []string{"points"}, true},
		{asOption, []string{"option1", "option2", "option3", "option4", "option5"}, true},
		{asCorrect, []string{"correctanswer*"}, true},
		{asMedia, []string{"questionmedia", "resource"}, true},
		{asNothing, []string{"optionsmedia"}, false},
	},
	read: func(e entry, d *draft) {
		options := e.all(asOption)
		for _, cell := range e.filled(asMedia) {
			if isLink(cell) { // the column Question Media says only what kind of media it is
				d.media(d.names["media"], cell)
			}
		}
		for _, option := range options {
			if isLink(option) {
				d.skip(d.names["options"], option, words.T("Expected a text; pictures cannot be options here."))
			}
		}
		switch kind := e.first(asKind); {
		case d.skipped:
		case strings.HasPrefix(heading(kind), "survey"), heading(kind) == "poll":
			d.Kind, d.Options = quiz.Poll, options
		default:
			d.worth(e.first(asPoints))
			d.choose(options, d.numbered(e.first(asCorrect), options)...)
		}
	},
}

func isLink(s string) bool { return strings.Contains(s, "://") || strings.HasPrefix(s, "www.") }
