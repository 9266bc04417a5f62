package exchange

import (
	"testing"

	"pubquiz/internal/words"
)

// TestSeenElsewhereOneCellFailsTheImport: a number where text is expected, a slide, and a column for pictures that is empty or not there leave the rest as it is.
func TestSeenElsewhereOneCellFailsTheImport(t *testing.T) {
	kahoot := newWorksheet("Sheet1").row(t, "A8", kahootHeadings...).
		row(t, "A9", 1, 1984, 1949, 1984, nil, nil, 20, 1).
		row(t, "A10", 2, "Now for something else").
		row(t, "A11", 3, "Is a slide a question?", "No", "Yes", nil, nil, 20, 1)
	for name, data := range map[string][]byte{
		"kahoot.xlsx":      workbook(t, kahoot),
		"empty column.csv": []byte("Round,Question,Answer,Image\nOne,Who wrote 1984?,Orwell,\nOne,When?,1949,\n"),
		"short rows.csv":   []byte("Round,Question,Answer,Image\nOne,Who wrote 1984?,Orwell\nOne,When?,1949\n"),
	} {
		t.Run(name, func(t *testing.T) {
			found, err := Read(words.English, name, data)
			must(t, err)
			asked := 0
			for _, round := range found.Content.Rounds {
				for _, question := range round.Questions {
					if len(question.Options) > 0 || len(question.Accepted) > 0 || question.Number != nil {
						asked++
					}
				}
			}
			if asked != 2 {
				t.Errorf("%d questions: %+v", asked, found)
			}
		})
	}
}
