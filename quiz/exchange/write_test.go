package exchange

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// everything is a quiz whose texts are trouble for files.
func everything() quiz.Content {
	return quiz.Content{Title: "Everything", Rounds: []quiz.Round{
		{Title: "=SUM(A1) / formulas", Introduction: "Two lines,\nof which \"this\" is one.", Questions: []quiz.Question{
			{Kind: quiz.Single, Text: "-1 + 1 = {?} #1", Options: []string{"B", "0; or so", "A | B", "C"}, Correct: []int{2}, Seconds: 20, Points: 3, Notes: "~none~"},
			{Kind: quiz.Multiple, Text: "@everyone: which?", Options: []string{"a", "A, C", "+1", "'=1"}, Correct: []int{1, 3}, Partial: true, Seconds: 30, Points: 2},
			{Kind: quiz.Multiple, Text: "Only one of several?", Options: []string{"yes", "no"}, Correct: []int{0}, Seconds: 30, Points: 2},
			{Kind: quiz.TrueFalse, Text: "＝1 is full-width.", Correct: []int{1}, Seconds: 5, Points: 1},
		}},
		{Title: "Typed", Questions: []quiz.Question{
			{Kind: quiz.Text, Text: "// no comment", Accepted: []string{"a;b", `c\|d`, "e|f", `g\`, "::x::"}, Surnames: true, Exact: true, Seconds: 600, Points: 200, Tags: []string{"a|b", "c"}},
			{Kind: quiz.NumberKind, Text: "[html] is no format", Number: &quiz.Number{Value: -0.5, Tolerance: 0.25, Unit: "°C"}, Wager: true, Seconds: 30, Points: 2},
			{Kind: quiz.NumberKind, Text: "How many?", Number: &quiz.Number{Value: 1234567, Nearest: true}, TieBreak: true, Seconds: 30},
			{Kind: quiz.Ordering, Text: "Put in order", Options: []string{"one", "two", "three"}, Partial: true, Seconds: 30, Points: 2},
			{Kind: quiz.Poll, Text: "Which do you like?", Options: []string{"this", "that"}, Seconds: 30},
			{Kind: quiz.Slide, Text: "Have a break."},
			{Kind: quiz.Text, Text: "Is \"TRUE\" typed?", Accepted: []string{"TRUE"}, Seconds: 30, Points: 2},
			{Kind: quiz.Single, Text: "True or false?", Options: []string{"It is", "It is not"}, Correct: []int{1}, Seconds: 30, Points: 2},
		}},
	}}
}

// All that a sheet has room for comes back from it, through a spreadsheet program or not.
func TestCSVRoundTrip(t *testing.T) {
	data, err := WriteCSV(everything())
	must(t, err)
	read := func(name string, data []byte) {
		t.Helper()
		found, err := Read(words.English, name, data)
		must(t, err)
		for _, row := range found.Rows {
			if row.Status != Fine {
				t.Errorf("%s: row %+v", name, row)
			}
		}
		if diff := cmp.Diff(everything().Whole(), found.Content); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	read("everything.csv", data)

	records, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(data), "\uFEFF"))).ReadAll()
	must(t, err)
	s := newWorksheet("everything")
	for i, record := range records {
		for j, cell := range record {
			if strings.ContainsRune(formulaStarts, []rune(cell + " ")[0]) {
				t.Errorf("a spreadsheet runs the cell %q", cell)
			}
			s.cells[cellName(t, j+1, i+1)] = cell
		}
	}
	read("everything.xlsx", workbook(t, s))
}

func TestGuard(t *testing.T) {
	for _, cell := range []string{"", "plain", "=1+1", "+1", "-1", "@x", "\tx", "\rx", "＝1", "＋1", "－1", "＠x", "'=1", "''=1", "'", "'plain", "1=1"} {
		guarded := Guard(cell)
		if isFormula(guarded) || unguard(guarded) != cell {
			t.Errorf("Guard(%q) = %q, and back %q", cell, guarded, unguard(guarded))
		}
	}
}

// GIFT holds less, but what it holds comes back.
func TestGIFTRoundTrip(t *testing.T) {
	found, err := Read(words.English, "everything.txt", WriteGIFT(everything()))
	must(t, err)
	want := everything()
	for i := range want.Rounds {
		round := &want.Rounds[i]
		round.Introduction = ""
		var kept []quiz.Question
		for _, q := range round.Questions {
			if q.Kind == quiz.Ordering || q.Kind == quiz.Poll {
				continue
			}
			q.Points, q.Seconds, q.Tags, q.Surnames, q.Exact, q.Wager, q.TieBreak = defaultPoints, defaultSeconds, nil, false, false, false, false
			if q.Kind == quiz.Slide {
				q.Points, q.Seconds = 0, 0
			}
			if n := q.Number; n != nil {
				q.Number = &quiz.Number{Value: n.Value, Tolerance: n.Tolerance}
			}
			kept = append(kept, q)
		}
		round.Questions = kept
	}
	if diff := cmp.Diff(want, found.Content); diff != "" {
		t.Error(diff)
	}
}

// The sample survives every way out and in again.
func TestSampleRoundTrips(t *testing.T) {
	data, err := WriteCSV(quiz.Sample())
	must(t, err)
	found, err := Read(words.English, "sample.csv", data)
	must(t, err)
	found.Content.Title = quiz.Sample().Title
	if diff := cmp.Diff(quiz.Sample(), found.Content); diff != "" {
		t.Error(diff)
	}
}
