package exchange

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"

	"pubquiz/internal/words"
)

// sheet is a table of cells: a worksheet, or a file of separated values.
type sheet struct {
	name    string // of a worksheet
	rows    []sheetRow
	warning words.Text // about the sheet as a whole
}

// sheetRow is a row that has something in it. Its cells end with the last that is not blank.
type sheetRow struct {
	number int // as a person counts, from 1
	cells  []string
}

// cell is the text in a column, from 0, without space around it. What was neutralised for spreadsheets is as it was.
func (r sheetRow) cell(column int) string {
	if column < 0 || column >= len(r.cells) {
		return ""
	}
	return strings.TrimSpace(unguard(r.cells[column]))
}

// trimmed is the row's cells up to the last that is not blank.
func trimmed(cells []string) []string {
	for len(cells) > 0 && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	return cells
}

// The bounds of a sheet of separated values, whose cells take ten times as much memory as the separators between them.
const (
	maxColumns   = 1000 // of a row, also of a workbook's: each heading is held against those of all layouts
	maxSeparated = 250_000
)

func errTooWide() error {
	return refuse(words.T("A row has more than {most} cells. Keep only the columns of the questions.", "most", maxColumns))
}

// separators are what separates cells, in the order in which they are tried.
var separators = []rune{',', ';', '\t'}

// separated reads a file of separated values: with whichever separator one of the layouts finds its columns. It is not ok where none does.
func separated(text string) (s sheet, ok bool, err error) {
	for _, separator := range separators {
		if s, err = separate(text, separator); err != nil {
			return sheet{}, false, err
		}
		if _, ok = findLayout(s); ok {
			return s, true, nil
		}
	}
	return sheet{}, false, nil
}

// separate splits text into rows and cells. Quotes that do not match are read as they stand, with a warning.
func separate(text string, separator rune) (sheet, error) {
	s, err := separateAs(text, separator, false)
	if parse, ok := errors.AsType[*csv.ParseError](err); ok {
		if s, err = separateAs(text, separator, true); err == nil {
			s.warning = words.T("The quotation marks do not match around line {line}. Compare the questions there with the file.", "line", parse.Line)
		}
	}
	return s, err
}

func separateAs(text string, separator rune, lazy bool) (sheet, error) {
	if strings.Count(text, string(separator)) > maxSeparated {
		if strings.Count(text, "\n") > maxRows+maxPreamble {
			return sheet{}, errTooMany()
		}
		return sheet{}, errTooWide()
	}
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma, reader.LazyQuotes, reader.FieldsPerRecord, reader.ReuseRecord = separator, lazy, -1, true
	var s sheet
	number, end := 0, int64(0)
	for {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return sheet{}, err
		}
		number++
		for ; end < int64(len(text)) && text[end] == '\n'; end++ { // lines that the reader skips, and people count
			number++
		}
		end = reader.InputOffset()
		if cells = trimmed(cells); len(cells) == 0 {
			continue
		}
		if len(cells) > maxColumns {
			return sheet{}, errTooWide()
		}
		if len(s.rows) > maxRows+maxPreamble {
			return sheet{}, errTooMany()
		}
		s.rows = append(s.rows, sheetRow{number, slices.Clone(cells)})
	}
}

// heading reduces a column's heading to its letters and digits, in lower case: "Question - max 120 characters" is "questionmax120characters", and so it
// is with another dash, a line break or an underscore.
func heading(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
