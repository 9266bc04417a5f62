package web

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"pubquiz/quiz"
	"pubquiz/session"
)

// resultsView is one view of a session's results.
type resultsView struct {
	session.Results
	Path     string
	View     string
	Views    []resultsTab
	Round    int // which is shown; 0 for all
	Chooser  []resultsTab
	Rounds   []resultsRound // those shown
	Rows     []resultsRow
	Adjusted bool // anybody has got or lost points by hand
	Unmarked bool // no answer has a verdict yet
}

// resultsTab leads to another view, or to another part of one.
type resultsTab struct {
	Label, About, Address string
	Current               bool
}

// resultsRound is a round with its columns.
type resultsRound struct {
	Number    int
	Title     string
	Questions []resultsColumn
}

// resultsColumn is a question with all that is shown of it.
type resultsColumn struct {
	session.ResultsQuestion
	index int // in the results
	Right string
	Chart questionChart
}

// Void says why the column's points do not count; "" where they do.
func (c resultsColumn) Void() string {
	switch {
	case c.Question.Kind == quiz.Slide:
		return "to read"
	case c.Voided:
		return "taken out"
	case c.Status == session.StatusWaiting:
		return "not asked"
	case c.Status != session.StatusRevealed:
		return "not revealed"
	default:
		return ""
	}
}

// resultsRow is what one participant did in the rounds shown.
type resultsRow struct {
	session.ResultsRow
	Rounds []roundOfRow
	Given  quiz.Points // by hand, all adjustments together
}

// roundOfRow is what a participant did in one round. Points are the sum of what its cells that count earned.
type roundOfRow struct {
	Points  quiz.Points
	Doubled bool
	Cells   []resultsCell
}

// resultsCell is one answer.
type resultsCell struct {
	Mark   string // "right", "part" or "wrong"; "open" without a verdict, "none" without an answer
	Word   string // what the mark says
	Answer string
	Points string // "" where there are none to earn
	Stake  string // "" where nothing was staked
	ByHost bool
	Counts bool
}

const (
	standingsView = "standings"
	answersView   = "answers"
	questionsView = "questions"
	logView       = "log"
)

// manyCells is how many answers a page shows at most; of more, it shows one round.
const manyCells = 10_000

func newResultsView(results session.Results, path, view string, round int) resultsView {
	v := resultsView{Results: results, Path: path, View: standingsView}
	for _, tab := range []struct{ name, label, about string }{
		{standingsView, "Standings", "who won"}, {answersView, "Answers", "who said what"}, {questionsView, "Questions", "how each went"}, {logView, "Log", "what was done"},
	} {
		if tab.name == view {
			v.View = view
		}
		v.Views = append(v.Views, resultsTab{Label: tab.label, About: tab.about, Address: path + "?view=" + tab.name, Current: tab.name == view})
	}
	v.Views[0].Current = v.View == standingsView
	rounds := roundsOf(results)
	if v.View == answersView || v.View == questionsView {
		v.choose(rounds, round)
	}
	for _, r := range rounds {
		if v.Round == 0 || v.Round == r.Number {
			v.Rounds = append(v.Rounds, r)
		}
	}
	for _, row := range results.Rows {
		v.Rows = append(v.Rows, v.row(row))
		v.Adjusted = v.Adjusted || len(row.Adjustments) > 0
	}
	return v
}

// choose takes the round that was asked for, and offers the others.
func (v *resultsView) choose(rounds []resultsRound, asked int) {
	whole := len(v.Questions)*len(v.Results.Rows) <= manyCells
	if asked >= 1 && asked <= len(rounds) {
		v.Round = asked
	} else if !whole && len(rounds) > 0 {
		v.Round = 1
	}
	if len(rounds) < 2 {
		return
	}
	address := func(round int) string {
		query := url.Values{"view": {v.View}}
		if round > 0 {
			query.Set("round", strconv.Itoa(round))
		}
		return v.Path + "?" + query.Encode()
	}
	if whole {
		v.Chooser = append(v.Chooser, resultsTab{Label: "All rounds", Address: address(0), Current: v.Round == 0})
	}
	for _, r := range rounds {
		v.Chooser = append(v.Chooser, resultsTab{Label: fmt.Sprint("Round ", r.Number), About: r.Title, Address: address(r.Number), Current: v.Round == r.Number})
	}
}

// roundsOf gathers the questions by their rounds.
func roundsOf(results session.Results) []resultsRound {
	var rounds []resultsRound
	for i, q := range results.Questions {
		if len(rounds) == 0 || rounds[len(rounds)-1].Number != q.Round {
			rounds = append(rounds, resultsRound{Number: q.Round, Title: q.RoundTitle})
		}
		r := &rounds[len(rounds)-1]
		r.Questions = append(r.Questions, resultsColumn{ResultsQuestion: q, index: i, Right: rightWords(&q.Question), Chart: chartOf(q, len(results.Rows))})
	}
	return rounds
}

func (v *resultsView) row(from session.ResultsRow) resultsRow {
	row := resultsRow{ResultsRow: from}
	for _, a := range from.Adjustments {
		row.Given += a.Points
	}
	for _, r := range v.Rounds {
		in := roundOfRow{Doubled: from.Joker == r.Number}
		for _, column := range r.Questions {
			a := from.Answers[column.index]
			if a != nil && column.Counts() {
				in.Points += a.Earned
			}
			in.Cells = append(in.Cells, cellOf(column, a))
		}
		row.Rounds = append(row.Rounds, in)
	}
	return row
}

var verdictWords = map[quiz.Verdict]string{quiz.Right: "Right", quiz.Part: "Partly right", quiz.Wrong: "Wrong"}

func cellOf(column resultsColumn, a *session.ResultsAnswer) resultsCell {
	if a == nil {
		return resultsCell{Mark: "none", Word: "No answer"}
	}
	q := &column.Question
	cell := resultsCell{Mark: "open", Word: "Answered", Answer: givenBrief(q, a.Given), ByHost: a.By == quiz.ByHost, Counts: column.Counts()}
	if a.Verdict == "" {
		return cell
	}
	cell.Mark, cell.Word = string(a.Verdict), verdictWords[a.Verdict]
	if !q.TieBreak {
		cell.Points = halves(a.Earned)
	}
	if a.Stake != nil {
		cell.Stake = halves(*a.Stake)
	}
	return cell
}

// Asked are the questions that somebody can answer: all but slides.
func (r resultsRound) Asked() []resultsColumn {
	return slices.DeleteFunc(slices.Clone(r.Questions), func(c resultsColumn) bool { return c.Question.Kind == quiz.Slide })
}
