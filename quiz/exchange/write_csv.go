package exchange

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"

	"pubquiz/quiz"
)

var csvHeader = []string{"Round", "Introduction", "Type", "Question", "Answer",
	"Option 1", "Option 2", "Option 3", "Option 4", "Option 5", "Option 6", "Points", "Seconds", "Tolerance", "Unit", "Rules", "Tags", "Notes"}

// WriteCSV returns the quiz as a sheet, from which Read reads the questions again. What a sheet has no place for is lost: how rounds are paced
// and scored, the quiz's own options, pictures and sounds. No cell is a formula to a spreadsheet.
func WriteCSV(content quiz.Content) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("\uFEFF") // without it, Excel takes UTF-8 for something else
	w := csv.NewWriter(&out)
	w.UseCRLF = true
	w.Write(csvHeader) // errors are kept until Flush, and a buffer has none
	for _, round := range content.Rounds {
		introduction := round.Introduction
		for _, question := range round.Questions {
			row := csvRow(question)
			row[0], row[1] = round.Title, introduction
			introduction = ""
			for i := range row {
				row[i] = Guard(row[i])
			}
			w.Write(row)
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return nil, fmt.Errorf("exchange.WriteCSV: %w", err)
	}
	return out.Bytes(), nil
}

// csvRow is a question's row, but for its round.
func csvRow(q quiz.Question) []string {
	row := make([]string, len(csvHeader))
	row[2], row[3], row[4] = string(q.Kind), q.Text, csvAnswer(q)
	if q.Kind != quiz.TrueFalse {
		copy(row[5:11], q.Options)
	}
	if q.Points != 0 {
		row[11] = q.Points.String()
	}
	if q.Seconds != 0 {
		row[12] = strconv.Itoa(q.Seconds)
	}
	if n := q.Number; n != nil && q.Kind == quiz.NumberKind {
		switch {
		case n.Nearest:
			row[13] = nearestWins
		case n.Tolerance != 0:
			row[13] = decimal(n.Tolerance)
		}
		row[14] = n.Unit
	}
	row[15], row[16], row[17] = joined(rules(q)), joined(q.Tags), q.Notes
	return row
}

func csvAnswer(q quiz.Question) string {
	switch q.Kind {
	case quiz.Single, quiz.Multiple:
		var right []string
		for _, c := range q.Correct {
			if c >= 0 && c < len(q.Options) {
				right = append(right, q.Options[c])
			}
		}
		return joined(right)
	case quiz.TrueFalse:
		if len(q.Correct) == 0 {
			return ""
		}
		return map[bool]string{true: "TRUE", false: "FALSE"}[q.Correct[0] == 0]
	case quiz.Text:
		return joined(q.Accepted)
	case quiz.NumberKind:
		if q.Number != nil {
			return decimal(q.Number.Value)
		}
	}
	return ""
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// rules are the words of the column Rules.
func rules(q quiz.Question) []string {
	var rules []string
	for _, r := range []struct {
		name string
		set  bool
	}{
		{ruleSurnames, q.Surnames}, {ruleExact, q.Exact}, {rulePartial, q.Partial}, {ruleWager, q.Wager}, {ruleTieBreak, q.TieBreak},
	} {
		if r.set {
			rules = append(rules, r.name)
		}
	}
	return rules
}
