package exchange

import (
	"cmp"
	"fmt"
	"slices"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// collector gathers what a format's reader finds.
type collector struct {
	in        *words.Language   // of whoever reads the file
	title     string            // of the quiz: the file's name, if that says anything, until the file says better
	intros    map[string]string // by round; of "": where the file describes the quiz
	rows      []Row
	questions []collected
}

// collected is a question that was taken.
type collected struct {
	question quiz.Question
	round    string
	row      int // index in rows
}

// at is where a row stands in the file.
type at struct {
	row   int
	sheet string
}

// add takes a draft as far as it can be taken. The error says that the file has too many.
func (c *collector) add(where at, d draft) error {
	if len(c.questions) == MaxQuestions && !d.skipped || len(c.rows) == maxRows {
		return errTooMany()
	}
	text := shorten(plain(d.Text), maxText)
	d.fit()
	row := Row{Row: where.row, Sheet: where.sheet, Status: Fine, Text: text, Notes: d.notes}
	switch {
	case d.skipped:
		row.Status = Skipped
	case len(d.notes) > 0:
		row.Status = Changed
	}
	if !d.skipped {
		c.questions = append(c.questions, collected{d.Question, plain(d.round), len(c.rows)})
	}
	c.rows = append(c.rows, row)
	return nil
}

// introduce gives a round its introduction.
func (c *collector) introduce(where at, round, text string) {
	text, round = plain(text), plain(round)
	if text == "" || c.intros[round] != "" {
		return
	}
	if c.intros == nil {
		c.intros = map[string]string{}
	}
	d := draft{}
	if c.intros[round] = d.cut("introduction", text, quiz.MaxIntroduction); len(d.notes) > 0 {
		c.rows = append(c.rows, Row{Row: where.row, Sheet: where.sheet, Status: Changed, Notes: d.notes})
	}
}

// result puts the questions into rounds. The error says that there was nothing to take at all.
func (c *collector) result(format words.Text, counts Unit) (Import, error) {
	if len(c.rows) == 0 {
		return Import{}, refuse(words.T("This looks like a {format}, but there is no question in it.", "format", format))
	}
	title := cmp.Or(shorten(plain(c.title), quiz.MaxTitle), c.in.Say(words.T("Imported quiz")))
	found := Import{Format: format, Counts: counts, Rows: c.rows, Content: quiz.Content{Title: title, Rounds: []quiz.Round{}}}
	for _, group := range c.groups(title) {
		round := quiz.Round{Title: group.title, Introduction: group.introduction, Questions: []quiz.Question{}}
		for _, q := range group.questions {
			found.Rows[q.row].At = &Place{len(found.Content.Rounds), len(round.Questions)}
			round.Questions = append(round.Questions, q.question)
		}
		found.Content.Rounds = append(found.Content.Rounds, round)
	}
	return found, nil
}

// group is a round to be.
type group struct {
	title, introduction string
	questions           []collected
}

// groups sorts the questions by round, in the order in which the file names these, and splits rounds that are too long. Where that gives more
// rounds than a quiz may have, the questions follow one another in as few rounds as can be.
func (c *collector) groups(title string) []group {
	var named []group
	index := map[string]int{}
	for _, q := range c.questions {
		name := shorten(cmp.Or(q.round, title), quiz.MaxTitle)
		i, ok := index[name]
		if !ok {
			i = len(named)
			index[name] = i
			named = append(named, group{title: name, introduction: c.intros[q.round]})
		}
		named[i].questions = append(named[i].questions, q)
	}
	if groups := split(named); len(groups) <= quiz.MaxRounds {
		return groups
	}
	for _, q := range c.questions {
		row := &c.rows[q.row]
		row.Status = Changed
		row.Notes = append(row.Notes, Note{Column: "round", Found: shorten(q.round, maxFound),
			Detail: words.T("Put into one round with the others, since a quiz has at most {most} rounds.", "most", quiz.MaxRounds)})
	}
	return split([]group{{title: title, questions: c.questions}})
}

// split makes several rounds of one that has too many questions.
func split(groups []group) []group {
	var parts []group
	for _, g := range groups {
		number := 0
		for questions := range slices.Chunk(g.questions, quiz.MaxQuestions) {
			part := group{title: g.title, questions: questions}
			if number++; number == 1 {
				part.introduction = g.introduction
			} else {
				part.title = fmt.Sprintf("%s (%d)", shorten(g.title, quiz.MaxTitle-5), number)
			}
			parts = append(parts, part)
		}
	}
	return parts
}
