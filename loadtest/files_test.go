package loadtest

import (
	"bytes"
	"encoding/csv"
	"testing"

	"github.com/xuri/excelize/v2"
)

// answersRows are what the results' sheet of answers has after an evening of two questions, the second of which counts for nobody.
func answersRows() [][]string {
	return [][]string{
		{"Rank", "Participant", "Joker round", "1.1 Which scores no points", "1.1 points", "1.2 How many points?", "1.2 points (void)", "Adjustments", "Reasons", "Points"},
		{"1", "Ann", "1", "Gold", "4", "12", "", "-0.5", "late (-½)", "3.5"},
		{"2", "Ben", "", "", "", "7", "", "1", "song (+1)", "1"},
	}
}

func standingsRows() [][]string {
	return [][]string{
		{"Rank", "Participant", "Round 1 Metals", "Round 2 Points", "Adjustments", "Points"},
		{"1", "Ann", "4", "0", "-0.5", "3.5"},
		{"2", "Ben", "0", "0", "1", "1"},
	}
}

func csvFile(t *testing.T, answers [][]string) []byte {
	t.Helper()
	out := bytes.NewBufferString("\uFEFF")
	w := csv.NewWriter(out)
	if err := w.WriteAll(answers); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func workbook(t *testing.T, answers, standings [][]string) []byte {
	t.Helper()
	book := excelize.NewFile()
	defer book.Close()
	for name, rows := range map[string][][]string{"Answers": answers, "Standings": standings} {
		if _, err := book.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			cell, err := excelize.CoordinatesToCellName(1, i+1)
			if err != nil {
				t.Fatal(err)
			}
			if err := book.SetSheetRow(name, cell, &row); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := book.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSumsOfFiles(t *testing.T) {
	shown := []standing{{"Ann", 3.5, 1}, {"Ben", 1, 2}}
	for _, test := range []struct {
		name   string
		change func(answers, standings [][]string)
		shown  []standing
		csv    int // what is wrong in the file
		xlsx   int
	}{
		{"right", func(_, _ [][]string) {}, shown, 0, 0},
		{"an answer earned more", func(answers, _ [][]string) { answers[1][4] = "5" }, shown, 1, 1},
		{"a void question counts", func(answers, _ [][]string) { answers[2][6] = "8" }, shown, 1, 1},
		{"an adjustment is missing", func(answers, _ [][]string) { answers[1][7] = "" }, shown, 1, 1},
		{"points are no number", func(answers, _ [][]string) { answers[1][4] = "four" }, shown, 1, 1},
		{"a round earned less", func(_, standings [][]string) { standings[1][2] = "3" }, shown, 0, 1},
		{"the total is another", func(answers, standings [][]string) { answers[2][9], standings[2][5] = "2", "2" }, shown, 2, 4},
		{"others are shown", func(_, _ [][]string) {}, []standing{{"Ann", 3.5, 1}, {"Ben", 1.5, 2}}, 1, 2},
		{"at another rank", func(_, _ [][]string) {}, []standing{{"Ann", 3.5, 1}, {"Ben", 1, 3}}, 1, 2},
		{"somebody is not listed", func(_, _ [][]string) {}, append(shown, standing{"Cleo", 0, 3}), 2, 4},
		{"somebody is not shown", func(_, _ [][]string) {}, shown[:1], 1, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			answers, standings := answersRows(), standingsRows()
			test.change(answers, standings)
			fromCSV, err := readCSV(csvFile(t, answers))
			if err != nil {
				t.Fatal(err)
			}
			fromBook, err := readWorkbook(workbook(t, answers, standings))
			if err != nil {
				t.Fatal(err)
			}
			mustBeWrong(t, asCSV, fromCSV, test.shown, test.csv)
			mustBeWrong(t, asXLSX, fromBook, test.shown, test.xlsx)
		})
	}
}

func mustBeWrong(t *testing.T, format string, sheets []sheet, shown []standing, want int) {
	t.Helper()
	var wrong []string
	for _, s := range sheets {
		wrong = append(wrong, s.sums(shown)...)
	}
	if len(wrong) != want {
		t.Errorf("wrong in %s: %q; want %d", format, wrong, want)
	}
}

func TestFilesOfOtherColumns(t *testing.T) {
	answers := answersRows()
	answers[0][7] = "Bonus"
	if _, err := readCSV(csvFile(t, answers)); err == nil {
		t.Error("a CSV file with another column was read")
	}
	if _, err := readWorkbook(workbook(t, answers, standingsRows())); err == nil {
		t.Error("a workbook with another column was read")
	}
	if _, err := readCSV(nil); err == nil {
		t.Error("an empty CSV file was read")
	}
	if _, err := readWorkbook([]byte("<html>")); err == nil {
		t.Error("a page was read as a workbook")
	}
}
