package loadtest

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// The formats in which a host can have the results, as the report names them.
const (
	asJSON = "JSON"
	asCSV  = "CSV"
	asXLSX = "XLSX"
)

// A sheet is one of a results file: a row for each participant, with rank and name at its beginning and all points at its end.
type sheet struct {
	where  string
	header []string
	rows   [][]string
	points []int // the columns that add up to the last
}

// addUpFiles adds up the results as the host can download them for a spreadsheet, and holds them against the standings that were shown.
func (h *host) addUpFiles(ctx context.Context, e *evening, shown []standing) error {
	for _, f := range []struct {
		format string
		read   func([]byte) ([]sheet, error)
	}{{asCSV, readCSV}, {asXLSX, readWorkbook}} {
		var file response
		path := "/host/sessions/" + h.session + "/results/" + strings.ToLower(f.format)
		err := h.insist(ctx, func() (err error) {
			file, err = h.browser.do(ctx, export, http.MethodGet, path, nil, http.Header{"Accept": {"*/*"}})
			return err
		})
		if err != nil {
			return err
		}
		sheets, err := f.read(file.body)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, s := range sheets {
			e.sumsWrong = append(e.sumsWrong, s.sums(shown)...)
		}
		e.sumsChecked[f.format] = len(sheets[0].rows)
	}
	return nil
}

// readCSV reads the answers, which are all that a CSV file has.
func readCSV(file []byte) ([]sheet, error) {
	rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(file, []byte("\uFEFF")))).ReadAll()
	if err != nil {
		return nil, err
	}
	s, err := answersSheet("the CSV file", rows)
	return []sheet{s}, err
}

// readWorkbook reads the answers and the standings.
func readWorkbook(file []byte) ([]sheet, error) {
	book, err := excelize.OpenReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	defer book.Close()
	var sheets []sheet
	for _, s := range []struct {
		name string
		read func(where string, rows [][]string) (sheet, error)
	}{{"Answers", answersSheet}, {"Standings", standingsSheet}} {
		rows, err := book.GetRows(s.name, excelize.Options{RawCellValue: true})
		if err != nil {
			return nil, err
		}
		read, err := s.read("the workbook's sheet "+s.name, rows)
		if err != nil {
			return nil, err
		}
		sheets = append(sheets, read)
	}
	return sheets, nil
}

// answersSheet reads rows of rank, name, joker's round, an answer and its points for each question, adjustments, their reasons, and all points.
func answersSheet(where string, rows [][]string) (sheet, error) {
	s, err := newSheet(where, rows, []string{"Rank", "Participant", "Joker round"}, []string{"Adjustments", "Reasons", "Points"})
	if err != nil {
		return sheet{}, err
	}
	adjustments := len(s.header) - 3
	for column := 4; column < adjustments; column += 2 {
		s.points = append(s.points, column)
	}
	s.points = append(s.points, adjustments)
	return s, nil
}

// standingsSheet reads rows of rank, name, each round's points, adjustments, and all points.
func standingsSheet(where string, rows [][]string) (sheet, error) {
	s, err := newSheet(where, rows, []string{"Rank", "Participant"}, []string{"Adjustments", "Points"})
	for column := 2; column < len(s.header)-1; column++ {
		s.points = append(s.points, column)
	}
	return s, err
}

func newSheet(where string, rows [][]string, first, last []string) (sheet, error) {
	if len(rows) == 0 {
		return sheet{}, errors.New(where + " is empty")
	}
	header := rows[0]
	if n := len(header); n < len(first)+len(last) || !slices.Equal(header[:len(first)], first) || !slices.Equal(header[n-len(last):], last) {
		return sheet{}, fmt.Errorf("%s has the columns %q, which are not those that it had", where, header)
	}
	return sheet{where: where, header: header, rows: rows[1:]}, nil
}

// sums returns what does not add up, and what was shown otherwise.
func (s sheet) sums(shown []standing) (wrong []string) {
	rows := map[string]standing{}
	for _, row := range s.rows {
		listed, sum, err := s.add(row)
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Sprintf("%s: %v", s.where, err))
		case sum != listed.Points:
			wrong = append(wrong, fmt.Sprintf("%s: %s has %g points, which are the sum of %g", s.where, listed.Name, listed.Points, sum))
		}
		rows[listed.Name] = listed
	}
	for _, place := range shown {
		if listed, ok := rows[place.Name]; !ok || listed != place {
			wrong = append(wrong, fmt.Sprintf("%s: %s is shown with %g points at rank %d, and listed with %g at %d", s.where, place.Name, place.Points, place.Rank, listed.Points, listed.Rank))
		}
	}
	if len(s.rows) != len(shown) {
		wrong = append(wrong, fmt.Sprintf("%s has %d participants, of %d who are shown", s.where, len(s.rows), len(shown)))
	}
	return wrong
}

// add adds up a row's points, and reads what it says of the participant.
func (s sheet) add(row []string) (listed standing, sum float64, err error) {
	if len(row) != len(s.header) {
		return standing{}, 0, fmt.Errorf("a row has %d cells, of %d", len(row), len(s.header))
	}
	listed.Name = row[1]
	if listed.Rank, err = strconv.Atoi(row[0]); err != nil {
		return listed, 0, fmt.Errorf("the rank of %s: %w", listed.Name, err)
	}
	if listed.Points, err = strconv.ParseFloat(row[len(row)-1], 64); err != nil {
		return listed, 0, fmt.Errorf("the points of %s: %w", listed.Name, err)
	}
	for _, column := range s.points {
		if row[column] == "" {
			continue // no answer, or one that does not count
		}
		points, err := strconv.ParseFloat(row[column], 64)
		if err != nil {
			return listed, 0, fmt.Errorf("what %s earned: %w", listed.Name, err)
		}
		sum += points
	}
	return listed, sum, nil
}
