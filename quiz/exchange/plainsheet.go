package exchange

import (
	"slices"
	"strings"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// plainSheet is any sheet with a column of questions and one of answers. It is also the one that WriteCSV writes, with all of these columns.
var plainSheet = layout{
	name: words.T("sheet of questions and answers"),
	columns: []column{
		{asRound, []string{"round", "roundtitle", "roundname", "section"}, false},
		{asIntro, []string{"introduction", "roundintroduction"}, false},
		{asCategory, []string{"category", "topic", "subject"}, false},
		{asKind, []string{"type", "questiontype", "kind"}, false},
		{asQuestion, []string{"question", "questions", "questiontext", "prompt", "statement"}, true},
		{asCorrect, []string{"answer", "answers", "correctanswer", "correctanswers", "rightanswer", "rightanswers", "correct", "solution", "acceptedanswers"}, true},
		{asOption, []string{"option1", "option2", "option3", "option4", "option5", "option6", "optiona", "optionb", "optionc", "optiond", "optione", "optionf",
			"opta", "optb", "optc", "optd", "opte", "answer1", "answer2", "answer3", "answer4", "answer5", "answer6",
			"answera", "answerb", "answerc", "answerd", "answere", "answerf", "choice1", "choice2", "choice3", "choice4", "a", "b", "c", "d", "e", "f"}, false},
		{asWrong, []string{"wronganswer*", "incorrectanswer*", "wrong*", "incorrect*", "distractor*"}, false},
		{asPoints, []string{"points", "score", "marks", "worth"}, false},
		{asSeconds, []string{"seconds", "time", "timelimit*", "timeinseconds", "timesec*", "duration"}, false},
		{asNear, []string{"tolerance"}, false},
		{asUnit, []string{"unit"}, false},
		{asRules, []string{"rules"}, false},
		{asMedia, []string{"image", "imagelink", "imageurl", "picture", "media", "audio", "video"}, false},
		{asTags, []string{"tags"}, false},
		{asNotes, []string{"notes", "note", "explanation", "answerexplanation", "comment", "comments", "funfact"}, false},
		{asNothing, []string{"no", "nr", "number", "q", "id"}, false},
	},
	read: readPlain,
}

func readPlain(e entry, d *draft) {
	switch round, category := d.roundName(e.first(asRound)), e.first(asCategory); {
	case round != "" || len(e.f.columns[asRound]) > 0:
		d.round = round
		d.Tags = append(d.Tags, e.filled(asCategory)...)
	case category != "":
		d.round = category
	}
	d.Tags = append(d.Tags, several(e.first(asTags))...)
	d.time(e.first(asSeconds))
	d.worth(e.first(asPoints))
	d.note(strings.Join(e.filled(asNotes), "\n"))
	for _, link := range e.filled(asMedia) {
		d.media(d.names["media"], link)
	}
	answer, options := e.first(asCorrect), e.all(asOption)
	d.kindOf(e, answer)
	switch {
	case d.skipped:
	case d.Kind == quiz.Poll || d.Kind == quiz.Ordering:
		d.Options = e.filled(asOption)
	case d.Kind == quiz.Slide:
	case answer == "":
		d.skip(d.names["correct"], "", words.T("Expected the right answer."))
	case d.Kind == quiz.Text:
		d.Accepted = several(answer)
	case d.Kind == quiz.NumberKind:
		d.numeric(e, answer)
	case d.Kind == quiz.TrueFalse:
		truth, ok := parseTruth(answer)
		if !ok {
			d.skip(d.names["correct"], answer, words.T("Expected TRUE or FALSE."))
		}
		d.isTrue(truth)
	case len(e.filled(asOption)) > 0:
		multiple := d.Kind == quiz.Multiple
		if d.chooseNamed(options, rightOnes(answer, options)); multiple {
			d.Kind = quiz.Multiple
		}
	default:
		d.mix(answer, e.filled(asWrong))
	}
	d.follow(several(strings.ReplaceAll(e.first(asRules), ",", "|")))
}

// kindOf sets the kind that the row says or, where it says none, the one that its columns suggest. An empty kind is a question of options.
func (d *draft) kindOf(e entry, answer string) {
	_, isTruth := parseTruth(answer)
	switch kind := e.first(asKind); heading(kind) {
	case "multiple", "checkbox", "multipleanswers", "multipleresponse", "multiselect":
		d.Kind = quiz.Multiple
	case "text", "typed", "sa", "shortanswer", "short", "open", "openended", "fillintheblank":
		d.Kind = quiz.Text
	case "number", "numeric", "numerical":
		d.Kind = quiz.NumberKind
	case "truefalse", "trueorfalse", "tf", "boolean":
		d.Kind = quiz.TrueFalse
	case "ordering", "order", "reorder", "sequence":
		d.Kind = quiz.Ordering
	case "poll", "survey":
		d.Kind = quiz.Poll
	case "slide", "info", "information":
		d.Kind = quiz.Slide
	case "", "single", "mc", "mcq", "multiplechoice", "singlechoice", "choice", "sp":
		switch {
		case len(e.filled(asOption))+len(e.filled(asWrong)) > 0:
		case isTruth && len(answer) > 1:
			d.Kind = quiz.TrueFalse
		default:
			d.Kind = quiz.Text
		}
	default:
		d.skip(d.names["kind"], kind, words.T("There is no such kind of question here. Expected one of: single, multiple, trueFalse, text, number, ordering, poll, slide."))
	}
}

// numeric sets a number as the answer, with how far off is still right.
func (d *draft) numeric(e entry, answer string) {
	value, err := parseNumber(answer)
	if err != nil {
		d.skip(d.names["correct"], answer, words.T("Expected a number."))
		return
	}
	d.Number = &quiz.Number{Value: value, Unit: d.cut("unit", e.first(asUnit), quiz.MaxUnit)}
	near := e.first(asNear)
	switch tolerance, err := parseNumber(near); {
	case near == "":
	case strings.EqualFold(near, nearestWins):
		d.Number.Nearest = true
	case err != nil || !(tolerance >= 0):
		d.changed(d.names["tolerance"], near, words.T("Expected how far off is still right, or the word nearest. Only {answer} itself is right.", "answer", answer))
	default:
		d.Number.Tolerance = tolerance
	}
}

// What the column Rules may say, and Tolerance instead of a number.
const (
	ruleSurnames = "surnames"
	ruleExact    = "exact"
	rulePartial  = "part points"
	ruleWager    = "wager"
	ruleTieBreak = "tie-break"
	nearestWins  = "nearest"
)

// follow applies the rules that a row asks for.
func (d *draft) follow(rules []string) {
	for _, rule := range rules {
		switch strings.ToLower(rule) {
		case ruleSurnames:
			d.Surnames = d.Kind == quiz.Text
		case ruleExact:
			d.Exact = d.Kind == quiz.Text
		case rulePartial:
			d.Partial = slices.Contains([]quiz.Kind{quiz.Multiple, quiz.Ordering}, d.Kind)
		case ruleWager:
			d.Wager = true
		case ruleTieBreak:
			d.TieBreak = true
		default:
			d.changed(d.names["rules"], rule, words.T("There is no such rule. Expected one of: surnames, exact, part points, wager, tie-break."))
		}
	}
}
