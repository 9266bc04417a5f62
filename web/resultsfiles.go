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

	"pubquiz/internal/words"
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
		return s.sendResults(w, r, "application/json", export.Session.Title, ".json", data)
	}
	write, ok := map[string]func(*words.Language, session.Results) ([]byte, error){"csv": resultsCSV, "xlsx": resultsWorkbook}[format]
	if !ok {
		return s.notFound(w, r)
	}
	results, err := s.sessions.Results(r.Context(), r.driven)
	if err != nil {
		return err
	}
	data, err := write(s.languageOf(r), results)
	if err != nil {
		return err
	}
	kind := map[string]string{"csv": "text/csv; charset=utf-8", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}[format]
	return s.sendResults(w, r, kind, results.Title, "."+format, data)
}

func (s *Server) sendResults(w http.ResponseWriter, r *request, kind, title, suffix string, data []byte) error {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": fileName(s.languageOf(r), title) + " results" + suffix}))
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(data) // a browser that went away needs no file
	return nil
}

// A cells row holds strings, which no spreadsheet runs, float64s, ints, and nil for what is empty.
type cells []any

// textCell is a cell of text that somebody wrote.
func textCell(text string) any {
	if text == "" {
		return nil
	}
	return exchange.Guard(text)
}

// headings are the first row of a sheet, or a part of it.
func headings(l *words.Language, texts ...words.Text) cells {
	row := make(cells, len(texts))
	for i, text := range texts {
		row[i] = l.Say(text)
	}
	return row
}

func number(p quiz.Points) any { return float64(p) / 2 }

// answersSheet has a row for each participant, with two columns for each question: what was answered, and what that
// earned. Points that do not count are left out.
func answersSheet(l *words.Language, results session.Results) []cells {
	header := headings(l, words.T("Rank"), words.T("Participant"), words.T("Joker round"))
	rounds := roundsOf(l, results)
	for _, round := range rounds {
		for _, column := range round.Asked() {
			points := words.T("{question} points", "question", column.ID)
			if column.Void != "" {
				points = words.T("{question} points ({why})", "question", column.ID, "why", column.Void)
			}
			header = append(header, textCell(column.ID+" "+column.Question.Text), l.Say(points))
		}
	}
	sheet := []cells{append(header, headings(l, words.T("Adjustments"), words.T("Reasons"), words.T("Points"))...)}
	for _, participant := range results.Rows {
		row := cells{participant.Rank, textCell(participant.Name), nil}
		if participant.Joker > 0 {
			row[2] = participant.Joker
		}
		for _, round := range rounds {
			for _, column := range round.Asked() {
				var given, earned any
				if a := participant.Answers[column.index]; a != nil {
					given = textCell(givenWords(l, &column.Question, a.Given))
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
			reasons = append(reasons, a.Reason+" ("+signed(l, a.Points)+")")
		}
		sheet = append(sheet, append(row, number(adjusted), textCell(strings.Join(reasons, "; ")), number(participant.Points)))
	}
	return sheet
}

// standingsSheet has a row for each participant, with what each round brought.
func standingsSheet(l *words.Language, results session.Results) []cells {
	view := newResultsView(l, results, "", standingsView, 0)
	header := headings(l, words.T("Rank"), words.T("Participant"))
	for _, round := range view.Rounds {
		header = append(header, textCell(l.Say(words.T("Round {number}", "number", round.Number))+" "+round.Title))
	}
	sheet := []cells{append(header, headings(l, words.T("Adjustments"), words.T("Points"))...)}
	for _, row := range view.Rows {
		line := cells{row.Rank, textCell(row.Name)}
		for _, in := range row.Rounds {
			line = append(line, number(in.Points))
		}
		sheet = append(sheet, append(line, number(row.Given), number(row.Points)))
	}
	return sheet
}

// questionsSheet has a row for each question, with how it went.
func questionsSheet(l *words.Language, results session.Results) []cells {
	sheet := []cells{headings(l, words.T("Question"), words.T("Round"), words.T("Asked"), words.T("Right answer"), words.T("Does not count"), words.T("Answers"), words.T("Right"), words.T("Partly right"), words.T("Wrong"),
		words.T("Median seconds"), words.T("Most common wrong answer"), words.T("Given by"))}
	for _, round := range roundsOf(l, results) {
		for _, column := range round.Asked() {
			stats := column.Statistics
			row := cells{column.ID, textCell(round.Title), textCell(column.Question.Text), textCell(column.Right), textCell(column.Void), stats.Answered, stats.Right, stats.Part, stats.Wrong, nil, nil, nil}
			if stats.Answered > 0 {
				row[9] = stats.MedianTime().Seconds()
			}
			if len(stats.CommonWrong) > 0 {
				most := stats.CommonWrong[0]
				row[10], row[11] = textCell(givenWords(l, &column.Question, most.Given)), most.Count
			}
			sheet = append(sheet, row)
		}
	}
	return sheet
}

// adjustmentsSheet has a row for each time that the host gave or took points.
func adjustmentsSheet(l *words.Language, results session.Results) []cells {
	sheet := []cells{headings(l, words.T("Participant"), words.T("Points"), words.T("Reason"), words.T("At (UTC)"))}
	for _, row := range results.Rows {
		for _, a := range row.Adjustments {
			sheet = append(sheet, cells{textCell(row.Name), number(a.Points), textCell(a.Reason), a.At.UTC().Format("2006-01-02 15:04:05")})
		}
	}
	return sheet
}

// resultsCSV has the answers as programs read them, which look for the same headings whatever the host reads.
func resultsCSV(_ *words.Language, results session.Results) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("\uFEFF") // without it, Excel takes UTF-8 for something else
	w := csv.NewWriter(&out)
	w.UseCRLF = true
	for _, row := range answersSheet(words.English, results) {
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

// resultsWorkbook has each of the sheets, in the host's language, with its first row and what names a row kept in sight.
func resultsWorkbook(l *words.Language, results session.Results) ([]byte, error) {
	book := excelize.NewFile()
	defer book.Close()
	bold, err := book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return nil, fmt.Errorf("writing results as a workbook: %w", err)
	}
	for i, sheet := range []struct {
		name  words.Text
		names int // columns that name a row
		rows  []cells
	}{
		{words.T("Standings"), 2, standingsSheet(l, results)}, {words.T("Answers"), 2, answersSheet(l, results)},
		{words.T("Questions"), 1, questionsSheet(l, results)}, {words.T("Adjustments"), 1, adjustmentsSheet(l, results)},
	} {
		name := sheetName(l.Say(sheet.name))
		if i == 0 {
			err = book.SetSheetName("Sheet1", name)
		} else {
			_, err = book.NewSheet(name)
		}
		if err == nil && l.Direction() == "rtl" {
			fromRight := true
			err = book.SetSheetView(name, -1, &excelize.ViewOptions{RightToLeft: &fromRight})
		}
		if err == nil {
			err = writeSheet(book, name, sheet.names, sheet.rows, bold)
		}
		if err != nil {
			return nil, fmt.Errorf("writing the sheet %s: %w", name, err)
		}
	}
	out, err := book.WriteToBuffer()
	if err != nil {
		return nil, fmt.Errorf("writing results as a workbook: %w", err)
	}
	return out.Bytes(), nil
}

// sheetName is as much of a name as a workbook takes.
func sheetName(name string) string {
	runes := []rune(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\'`, r) {
			return ' '
		}
		return r
	}, name))
	return string(runes[:min(len(runes), excelize.MaxSheetNameLength)])
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
