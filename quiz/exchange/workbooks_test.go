package exchange

import (
	"bytes"
	"testing"

	"github.com/xuri/excelize/v2"
)

// worksheet is what a test puts into a sheet: cells by their address.
type worksheet struct {
	name  string
	cells map[string]any
}

// row puts values into a row, from a cell on. Nil leaves a cell out.
func (w worksheet) row(t testing.TB, from string, values ...any) worksheet {
	t.Helper()
	column, row, err := excelize.CellNameToCoordinates(from)
	if err != nil {
		t.Fatal(err)
	}
	for i, value := range values {
		name, err := excelize.CoordinatesToCellName(column+i, row)
		if err != nil {
			t.Fatal(err)
		}
		if value != nil {
			w.cells[name] = value
		}
	}
	return w
}

func newWorksheet(name string) worksheet { return worksheet{name, map[string]any{}} }

// workbook writes an XLSX file.
func workbook(t testing.TB, sheets ...worksheet) []byte {
	t.Helper()
	file := excelize.NewFile()
	defer file.Close()
	for i, sheet := range sheets {
		if i == 0 {
			must(t, file.SetSheetName("Sheet1", sheet.name))
		} else if _, err := file.NewSheet(sheet.name); err != nil {
			t.Fatal(err)
		}
		for cell, value := range sheet.cells {
			must(t, file.SetCellValue(sheet.name, cell, value))
		}
	}
	var out bytes.Buffer
	must(t, file.Write(&out))
	return out.Bytes()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The headings of Kahoot's template, with the dashes that occur in it.
var kahootHeadings = []any{nil, "Question - max 120 characters", "Answer 1 - max 75 characters", "Answer 2 – max 75 characters",
	"Answer 3 — max 75 characters", "Answer 4 - max 75 characters", "Time limit (sec) – 5, 10, 20, 30, 60, 90, 120, or 240 secs",
	"Correct answer(s) - choose at least one"}

func kahootFile(t testing.TB) []byte {
	s := newWorksheet("Sheet1")
	s.row(t, "B2", "Quiz template").row(t, "B3", "Add questions, at least two answer alternatives, time limit and choose correct answers.")
	s.row(t, "A8", kahootHeadings...)
	s.row(t, "A9", 1, "In which year did the Normans land at Hastings?", 1066, 1086, 1966, "1066 BC", 20, 1)
	s.row(t, "A10", 2, "Which of these are planets?", "Mars", "Pluto", "Venus", nil, 30, "1,3")
	s.row(t, "A11", nil, "Kahoot stands for nothing.", true, false, nil, nil, "5", "1")
	s.row(t, "A12", 4, "Welcome to our slide!")
	s.row(t, "A13", 5, "Which question is longer than the template says, and is fine here all the same, because "+
		"nobody minds a question that goes on a little longer than it strictly has to?", "This one", "Another", nil, nil, 240, 1.0)
	s.row(t, "A14", 6, "How much is a half?", 0.5, 0.25, nil, nil, 1000, 1)
	s.row(t, "A15", 7, "Whose answer is out of reach?", "Mine", "Yours", nil, nil, 20, 5)
	s.row(t, "A20", 8)
	return workbook(t, s)
}

func quizizzFile(t testing.TB) []byte {
	s := newWorksheet("Sheet1")
	s.row(t, "A1", "Question Text", "Question Type", "Option 1", "Option 2", "Option 3", "Option 4", "Option 5", "Correct Answer",
		"Time in seconds", "Image Link", "Answer explanation")
	s.row(t, "A2", "Text of the question\n\n(required)", "Question Type\n\n(default is Multiple Choice)")
	s.row(t, "A3", "How many minutes has an hour?", "Multiple Choice", 50, 60, 70, nil, nil, 2, 20)
	s.row(t, "A4", "A square has four sides.", "Multiple Choice", true, false, nil, nil, nil, 1, 10)
	return workbook(t, s)
}

func socrativeFile(t testing.TB) []byte {
	s := newWorksheet("Quiz")
	s.row(t, "A1", "Instructions").row(t, "A3", "1. Quiz Name:", "Chemistry in the Cellar")
	s.row(t, "A6", "2. Question Type:", "3. Question:", "Answer A:", "Answer B:", "Answer C:", "Answer D:", "Answer E:",
		"Correct Answer", "Correct Answer", "Correct Answer", "Correct Answer", "Correct Answer", "6. Explanation (Optional):")
	s.row(t, "A7", "Multiple choice", "Which of these are noble gases?", "Neon", "Nitrogen", "Argon", nil, nil, "A", "C", nil, nil, nil, "Nitrogen is not noble.")
	s.row(t, "A8", "Multiple choice", "What is H2O?", "Salt", "Water", nil, nil, nil, "B")
	s.row(t, "A9", "Open-ended", "What is the symbol of iron?", nil, nil, nil, nil, nil, "Fe")
	s.row(t, "A10", "True/False", "Helium is lighter than air.", nil, nil, nil, nil, nil, true)
	s.row(t, "A11", "Open-ended", "What do you think?")
	return workbook(t, s)
}

func classQuizFile(t testing.TB) []byte {
	s := newWorksheet("Quiz")
	s.row(t, "C5", "Geography Class").row(t, "C6", "For the back row.")
	s.row(t, "B13", "Question", "1st Answer", "2nd Answer", "3rd Answer", "4th Answer", "Time Limit (max. 120)", "Correct Answers")
	s.row(t, "B14", "Which is the longest river of Africa?", "Congo", "Nile", nil, nil, 60, 2)
	s.row(t, "B15", "Which of these lie on the equator?", "Kenya", "Norway", "Ecuador", "Greece", 90, "1, 3")
	return workbook(t, s)
}

func roundsFile(t testing.TB) []byte {
	return workbook(t,
		newWorksheet("Read me").row(t, "A1", "Have fun!"),
		newWorksheet("Animals").row(t, "A1", "Question", "Answer", "Wrong answer 1", "Wrong answer 2").
			row(t, "A2", "What is a young swan called?", "Cygnet", "Gosling", "Duckling").
			row(t, "A4", "How many hearts has an octopus?", 3),
		newWorksheet("Films").row(t, "B2", "QUESTION", "CORRECT_ANSWER").row(t, "B3", "Who directed \"Jaws\"?", "Steven Spielberg | Spielberg"))
}

func cellName(t testing.TB, column, row int) string {
	t.Helper()
	name, err := excelize.CoordinatesToCellName(column, row)
	must(t, err)
	return name
}
