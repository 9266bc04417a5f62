// Package exchange reads quizzes from the files that authors already have, and writes them for others. docs/imports.md says what each
// format looks like; formats.go lists them.
package exchange

import (
	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// The bounds of a file.
const (
	MaxBytes     = 5 << 20
	MaxQuestions = 1000
	maxRows      = 2 * MaxQuestions // questions and whatever could not be taken
)

// Import is what a file holds, to be confirmed by its author. Nothing of it is stored. Its texts are yet to be said in a language.
type Import struct {
	Format  words.Text // what people call it: "Kahoot spreadsheet"
	Counts  Unit
	Content quiz.Content // within quiz.Content.Check's bounds
	Rows    []Row        // every question, taken or not, in the quiz's order
}

// Unit is what a format's rows are.
type Unit string

// The units.
const (
	InRows      Unit = "row"      // of a sheet, blank ones included
	InLines     Unit = "line"     // where a question of a text begins
	InQuestions Unit = "question" // of a JSON file
)

// Row is what became of one row of the file.
type Row struct {
	Row    int    // from 1; 0: the file or the sheet as a whole
	Sheet  string // of a workbook that has several
	Status Status
	Text   string // what it asks, perhaps shortened
	At     *Place // its question; nil when there is none
	Notes  []Note
}

// Status says whether a row was taken.
type Status string

// The statuses.
const (
	Fine    Status = "fine"    // as it stands in the file
	Changed Status = "changed" // taken, but not as it stands in the file: the notes say how
	Skipped Status = "skipped" // not taken: the notes say why
)

// Place is a question in Import.Content, from 0.
type Place struct {
	Round    int `json:"round"`
	Question int `json:"question"`
}

// Note is one thing about a row that was changed or could not be taken.
type Note struct {
	Column string     // as the file calls it; empty: the whole row
	Found  string     // perhaps shortened
	Detail words.Text // a sentence: what was expected, or what it was changed to
}

// RefusedError says why nothing of a file could be taken.
type RefusedError struct{ Detail words.Text } // a sentence that says what to do

func (e *RefusedError) Error() string { return "file refused: " + e.Detail.String() }

func refuse(detail words.Text) error {
	return &RefusedError{detail}
}

func errTooMany() error {
	return refuse(words.T("This file has more than {most} questions. Split it into smaller files.", "most", MaxQuestions))
}

// Read reads a quiz from a file of any of the formats, which it tells by what is inside. The name is used only to call the quiz
// something where the file itself does not; what neither names has a name in l. Rows that cannot be taken never fail the file; a RefusedError says that there is nothing to take.
func Read(l *words.Language, name string, data []byte) (Import, error) {
	if len(data) > MaxBytes {
		return Import{}, refuse(words.T("This file is larger than {most} MB. Split it into smaller files.", "most", MaxBytes>>20))
	}
	c := collector{in: l, title: titleFrom(name)}
	if isZip(data) {
		sheets, err := readWorkbook(data)
		if err != nil {
			return Import{}, err
		}
		return readSheets(sheets, c)
	}
	text, err := decode(data)
	if err != nil {
		return Import{}, err
	}
	if startsJSON.MatchString(text) {
		return readJSON(text, c)
	}
	if s, ok, err := separated(text); ok || err != nil {
		if err != nil {
			return Import{}, err
		}
		return readSheets([]sheet{s}, c)
	}
	for _, f := range textFormats {
		if f.matches(text) {
			if err := f.read(text, &c); err != nil {
				return Import{}, err
			}
			return c.result(f.name, InLines)
		}
	}
	return Import{}, refuse(words.T("No questions were found in this file. A sheet needs a row of headings with a column for the question and one for the answer."))
}
