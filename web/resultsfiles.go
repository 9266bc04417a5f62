package web

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"pubquiz/quiz"
	"pubquiz/quiz/exchange"
	"pubquiz/session"
)

// exportResults sends a session's results as a file: json has everything that is stored, csv the answers with their
// points, xlsx those and the statistics. Each row's points in a file add up to its last cell, which is what the standings say.
func (s *Server) exportResults(w http.ResponseWriter, r *request) error {
	format := r.param("format")
	if format == "json" {
		export, err := s.sessions.Export(r.Context(), r.driven)
		if err != nil {
			return err
		}
		data, err := json.MarshalIndent(export, "", "  ")
		if err != nil {
			return err
		}
		return sendResults(w, "application/json", export.Session.Title, ".json", data)
	}
	write, ok := map[string]func(session.Results) ([]byte, error){"csv": resultsCSV, "xlsx": resultsWorkbook}[format]
	if !ok {
		return s.notFound(w, r)
	}
	results, err := s.sessions.Results(r.Context(), r.driven)
	if err != nil {
		return err
	}
	data, err := write(results)
	if err != nil {
		return err
	}
	kind := map[string]string{"csv": "text/csv; charset=utf-8", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}[format]
	return sendResults(w, kind, results.Title, "."+format, data)
}

func sendResults(w http.ResponseWriter, kind, title, suffix string, data []byte) error {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": fileName(title) + " results" + suffix}))
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(data) // a browser that went away needs no file
	return nil
}

// A cells row holds strings, which no spreadsheet runs, float64s, ints, and nil for what is empty.
type cells []any

// words is a cell of text that somebody wrote.
func words(text string) any {
	if text == "" {
		return nil
	}
	return exchange.Guard(text)
}

func number(p quiz.Points) any { return float64(p) / 2 }

// answersSheet has a row for each participant, with two columns for each question: what was answered, and what that
// earned. Points that do not count are left out.
func answersSheet(results session.Results) []cells {
	header := cells{"Rank", "Participant", "Joker round"}
	rounds := roundsOf(results)
	for _, round := range rounds {
		for _, column := range round.Asked() {
			points := column.ID + " points"
			if void := column.Void(); void != "" {
				points += " (" + void + ")"
			}
			header = append(header, words(column.ID+" "+column.Question.Text), points)
		}
	}
	sheet := []cells{append(header, "Adjustments", "Reasons", "Points")}
	for _, participant := range results.Rows {
		row := cells{participant.Rank, words(participant.Name), nil}
		if participant.Joker > 0 {
			row[2] = participant.Joker
		}
		for _, round := range rounds {
			for _, column := range round.Asked() {
				var given, earned any
				if a := participant.Answers[column.index]; a != nil {
					given = words(givenWords(&column.Question, a.Given))
					if column.Counts() {
						earned = number(a.Earned)
					}
				}
				row = append(row, given, earned)
			}
		}
		var adjusted quiz.Points
		var reasons []string
		for _, a := range participant.Adjustments {
			adjusted += a.Points
			reasons = append(reasons, a.Reason+" ("+signed(a.Points)+")")
		}
		sheet = append(sheet, append(row, number(adjusted), words(strings.Join(reasons, "; ")), number(participant.Points)))
	}
	return sheet
}

// standingsSheet has a row for each participant, with what each round brought.
func standingsSheet(results session.Results) []cells {
	view := newResultsView(results, "", standingsView, 0)
	header := cells{"Rank", "Participant"}
	for _, round := range view.Rounds {
		header = append(header, words(fmt.Sprintf("Round %d %s", round.Number, round.Title)))
	}
	sheet := []cells{append(header, "Adjustments", "Points")}
	for _, row := range view.Rows {
		line := cells{row.Rank, words(row.Name)}
		for _, in := range row.Rounds {
			line = append(line, number(in.Points))
		}
		sheet = append(sheet, append(line, number(row.Given), number(row.Points)))
	}
	return sheet
}

// questionsSheet has a row for each question, with how it went.
func questionsSheet(results session.Results) []cells {
	sheet := []cells{{"Question", "Round", "Asked", "Right answer", "Does not count", "Answers", "Right", "Partly right", "Wrong", "Median seconds", "Most common wrong answer", "Given by"}}
	for _, round := range roundsOf(results) {
		for _, column := range round.Asked() {
			stats := column.Statistics
			row := cells{column.ID, words(round.Title), words(column.Question.Text), words(column.Right), words(column.Void()), stats.Answered, stats.Right, stats.Part, stats.Wrong, nil, nil, nil}
			if stats.Answered > 0 {
				row[9] = stats.MedianTime().Seconds()
			}
			if len(stats.CommonWrong) > 0 {
				most := stats.CommonWrong[0]
				row[10], row[11] = words(givenWords(&column.Question, most.Given)), most.Count
			}
			sheet = append(sheet, row)
		}
	}
	return sheet
}

// adjustmentsSheet has a row for each time that the host gave or took points.
func adjustmentsSheet(results session.Results) []cells {
	sheet := []cells{{"Participant", "Points", "Reason", "At (UTC)"}}
	for _, row := range results.Rows {
		for _, a := range row.Adjustments {
			sheet = append(sheet, cells{words(row.Name), number(a.Points), words(a.Reason), a.At.UTC().Format("2006-01-02 15:04:05")})
		}
	}
	return sheet
}

func resultsCSV(results session.Results) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("\uFEFF") // without it, Excel takes UTF-8 for something else
	w := csv.NewWriter(&out)
	w.UseCRLF = true
	for _, row := range answersSheet(results) {
		record := make([]string, len(row))
		for i, cell := range row {
			switch cell := cell.(type) {
			case nil:
			case float64:
				record[i] = strconv.FormatFloat(cell, 'f', -1, 64)
			default:
				record[i] = fmt.Sprint(cell)
			}
		}
		w.Write(record) // errors are kept until Flush, and a buffer has none
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return nil, fmt.Errorf("writing results as CSV: %w", err)
	}
	return out.Bytes(), nil
}

// resultsWorkbook has each of the sheets, with its first row and what names a row kept in sight.
func resultsWorkbook(results session.Results) ([]byte, error) {
	book := excelize.NewFile()
	defer book.Close()
	bold, err := book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return nil, fmt.Errorf("writing results as a workbook: %w", err)
	}
	for i, sheet := range []struct {
		name  string
		names int // columns that name a row
		rows  []cells
	}{
		{"Standings", 2, standingsSheet(results)}, {"Answers", 2, answersSheet(results)}, {"Questions", 1, questionsSheet(results)}, {"Adjustments", 1, adjustmentsSheet(results)},
	} {
		if i == 0 {
			err = book.SetSheetName("Sheet1", sheet.name)
		} else {
			_, err = book.NewSheet(sheet.name)
		}
		if err == nil {
			err = writeSheet(book, sheet.name, sheet.names, sheet.rows, bold)
		}
		if err != nil {
			return nil, fmt.Errorf("writing the sheet %s: %w", sheet.name, err)
		}
	}
	out, err := book.WriteToBuffer()
	if err != nil {
		return nil, fmt.Errorf("writing results as a workbook: %w", err)
	}
	return out.Bytes(), nil
}

func writeSheet(book *excelize.File, name string, names int, rows []cells, bold int) error {
	w, err := book.NewStreamWriter(name)
	if err != nil {
		return err
	}
	corner, err := excelize.CoordinatesToCellName(names+1, 2)
	if err != nil {
		return err
	}
	if err := w.SetPanes(&excelize.Panes{Freeze: true, XSplit: names, YSplit: 1, TopLeftCell: corner, ActivePane: "bottomRight"}); err != nil {
		return err
	}
	if err := w.SetColWidth(2, 2, 28); err != nil {
		return err
	}
	for i, row := range rows {
		cell, err := excelize.CoordinatesToCellName(1, i+1)
		if err != nil {
			return err
		}
		var options []excelize.RowOpts
		if i == 0 {
			options = append(options, excelize.RowOpts{StyleID: bold})
		}
		if err := w.SetRow(cell, row, options...); err != nil {
			return err
		}
	}
	return w.Flush()
}
