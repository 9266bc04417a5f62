package web

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/session"
)

// resultsView is one view of a session's results, in the language of its reader.
type resultsView struct {
	session.Results
	language *words.Language
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
	Label   words.Text
	About   any // a words.Text, or what the host calls it
	Address string
	Current bool
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
	Void  string // why its points do not count
	Chart questionChart
}

// void says why the column's points do not count; empty where they do.
func (c resultsColumn) void() words.Text {
	switch {
	case c.Question.Kind == quiz.Slide:
		return words.T("to read")
	case c.Voided:
		return words.T("taken out")
	case c.Status == session.StatusWaiting:
		return words.T("not asked")
	case c.Status != session.StatusRevealed:
		return words.T("not revealed")
	default:
		return words.Text{}
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

func newResultsView(l *words.Language, results session.Results, path, view string, round int) resultsView {
	v := resultsView{language: l, Results: results, Path: path, View: standingsView}
	for _, tab := range []struct {
		name         string
		label, about words.Text
	}{
		{standingsView, words.T("Standings"), words.T("who won")}, {answersView, words.T("Answers"), words.T("who said what")}, {questionsView, words.T("Questions"), words.T("how each went")}, {logView, words.T("Log"), words.T("what was done")},
	} {
		if tab.name == view {
			v.View = view
		}
		v.Views = append(v.Views, resultsTab{Label: tab.label, About: tab.about, Address: path + "?view=" + tab.name, Current: tab.name == view})
	}
	v.Views[0].Current = v.View == standingsView
	rounds := roundsOf(l, results)
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

// TookPart is how many there were, also where their names were deleted.
func (v resultsView) TookPart() int { return len(v.Results.Rows) + v.Forgotten }

// IsForgotten reports that names and answers were deleted.
func (v resultsView) IsForgotten() bool { return !v.ForgottenAt.IsZero() }

// DaysKept is how long after the end they were.
func (v resultsView) DaysKept() int { return wholeDays(v.ForgottenAt.Sub(v.FinishedAt)) }

func wholeDays(d time.Duration) int { return int(d / (24 * time.Hour)) }

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
		v.Chooser = append(v.Chooser, resultsTab{Label: words.T("All rounds"), Address: address(0), Current: v.Round == 0})
	}
	for _, r := range rounds {
		v.Chooser = append(v.Chooser, resultsTab{Label: words.T("Round {number}", "number", r.Number), About: r.Title, Address: address(r.Number), Current: v.Round == r.Number})
	}
}

// roundsOf gathers the questions by their rounds.
func roundsOf(l *words.Language, results session.Results) []resultsRound {
	var rounds []resultsRound
	for i, q := range results.Questions {
		if len(rounds) == 0 || rounds[len(rounds)-1].Number != q.Round {
			rounds = append(rounds, resultsRound{Number: q.Round, Title: q.RoundTitle})
		}
		r := &rounds[len(rounds)-1]
		column := resultsColumn{ResultsQuestion: q, index: i, Right: rightWords(l, &q.Question), Chart: chartOf(l, q, len(results.Rows))}
		column.Void = l.Say(column.void())
		r.Questions = append(r.Questions, column)
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
			in.Cells = append(in.Cells, cellOf(v.language, column, a))
		}
		row.Rounds = append(row.Rounds, in)
	}
	return row
}

var verdictWords = map[quiz.Verdict]words.Text{quiz.Right: words.T("Right"), quiz.Part: words.T("Partly right"), quiz.Wrong: words.T("Wrong")}

func cellOf(l *words.Language, column resultsColumn, a *session.ResultsAnswer) resultsCell {
	if a == nil {
		return resultsCell{Mark: "none", Word: l.Say(words.T("No answer"))}
	}
	q := &column.Question
	cell := resultsCell{Mark: "open", Word: l.Say(words.T("Answered")), Answer: givenBrief(l, q, a.Given), ByHost: a.By == quiz.ByHost, Counts: column.Counts()}
	if a.Verdict == "" {
		return cell
	}
	cell.Mark, cell.Word = string(a.Verdict), l.Say(verdictWords[a.Verdict])
	if !q.TieBreak {
		cell.Points = halves(l, a.Earned)
	}
	if a.Stake != nil {
		cell.Stake = halves(l, *a.Stake)
	}
	return cell
}

// Asked are the questions that somebody can answer: all but slides.
func (r resultsRound) Asked() []resultsColumn {
	return slices.DeleteFunc(slices.Clone(r.Questions), func(c resultsColumn) bool { return c.Question.Kind == quiz.Slide })
}
