package exchange

import (
	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// Said is an Import as programs are sent it, in the words of a language.
type Said struct {
	Format  string       `json:"format"`
	Counts  Unit         `json:"counts"`
	Content quiz.Content `json:"content"`
	Rows    []SaidRow    `json:"rows"`
}

// SaidRow is a Row in the words of a language.
type SaidRow struct {
	Row    int        `json:"row"`
	Sheet  string     `json:"sheet,omitempty"`
	Status Status     `json:"status"`
	Text   string     `json:"text"`
	At     *Place     `json:"at,omitempty"`
	Notes  []SaidNote `json:"notes,omitempty"`
}

// SaidNote is a Note in the words of a language.
type SaidNote struct {
	Column string `json:"column,omitempty"`
	Found  string `json:"found,omitempty"`
	Detail string `json:"detail"`
}

// Say says what is in the file in a language.
func (found Import) Say(l *words.Language) Said {
	said := Said{Format: l.Say(found.Format), Counts: found.Counts, Content: found.Content, Rows: make([]SaidRow, len(found.Rows))}
	for i, row := range found.Rows {
		said.Rows[i] = SaidRow{Row: row.Row, Sheet: row.Sheet, Status: row.Status, Text: row.Text, At: row.At}
		for _, note := range row.Notes {
			said.Rows[i].Notes = append(said.Rows[i].Notes, SaidNote{note.Column, note.Found, l.Say(note.Detail)})
		}
	}
	return said
}
