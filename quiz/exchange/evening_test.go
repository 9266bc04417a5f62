package exchange

import (
	"os"
	"path/filepath"
	"testing"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// whoWhatWhere is the evening's third round: a Kahoot workbook, written by -update.
func whoWhatWhere(t testing.TB) []byte {
	s := newWorksheet("Sheet1")
	s.row(t, "B2", "Quiz template").row(t, "A8", kahootHeadings...)
	for i, row := range [][]any{
		{"Who wrote \"Frankenstein\"?", "Mary Shelley", "Bram Stoker", "Jane Austen", "Emily Brontë", 20, 1},
		{"In which year did the Titanic sink?", 1905, 1912, 1918, 1923, 20, 2},
		{"Who was the first person in space?", "Neil Armstrong", "Valentina Tereshkova", "Yuri Gagarin", "John Glenn", 20, "3"},
		{"The Colosseum stands in Rome.", true, false, nil, nil, 10, 1},
		{"What did Alexander Fleming discover in 1928?", "Insulin", "Penicillin", "X-rays", "Vaccination", 20, 2},
		{"Where is the Great Barrier Reef?", "Brazil", "Mexico", "South Africa", "Australia", 20, 4},
		{"Who sang \"Bohemian Rhapsody\" first?", "Queen", "ABBA", "The Beatles", "Genesis", 20, 1},
		{"What is three quarters as a decimal number?", 0.25, 0.5, 0.75, 1.25, 20, 3},
		{"Cleopatra lived before the pyramids of Giza were built.", true, false, nil, nil, 20, 2},
		{"Where were the Hanging Gardens said to be?", "Babylon", "Ephesus", "Rhodes", "Olympia", 30, 1},
	} {
		s.row(t, cellName(t, 1, 9+i), append([]any{i + 1}, row...)...)
	}
	return workbook(t, s)
}

// TestEvening keeps testdata/evening what the load test plays: eight files of seven formats, which make eight rounds of ten questions of all kinds.
func TestEvening(t *testing.T) {
	if *update {
		must(t, os.WriteFile("testdata/evening/3-who-what-where.xlsx", whoWhatWhere(t), 0o644))
	}
	files, err := filepath.Glob("testdata/evening/*")
	must(t, err)
	titles := []string{"Warming up", "At the bar", "Who what where", "Half-time", "By the numbers", "Words and letters", "Four corners", "Last orders"}
	evening := quiz.Content{Title: "A mixed evening"}
	formats, kinds := map[string]bool{}, map[quiz.Kind]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		must(t, err)
		found, err := Read(words.English, filepath.Base(file), data)
		must(t, err)
		for _, row := range found.Rows {
			if row.Status != Fine {
				t.Errorf("%s: %+v", file, row)
			}
		}
		if len(found.Content.Rounds) != 1 || len(found.Content.Rounds[0].Questions) != 10 {
			t.Errorf("%s has not one round of ten questions: %+v", file, found.Content.Rounds)
		}
		if round := found.Content.Rounds[0]; round.Title != titles[len(evening.Rounds)] {
			t.Errorf("%s is called %q", file, round.Title)
		}
		formats[found.Format.String()] = true
		evening.Rounds = append(evening.Rounds, found.Content.Rounds...)
		for _, q := range found.Content.Rounds[0].Questions {
			kinds[q.Kind] = true
		}
	}
	if len(evening.Rounds) != 8 || len(formats) != 7 || len(kinds) != len(quiz.Kinds) {
		t.Errorf("%d rounds of %d formats with %d kinds of questions", len(evening.Rounds), len(formats), len(kinds))
	}
	if problems := evening.Problems(); len(problems) > 0 {
		t.Errorf("the evening cannot be played: %v", problems)
	}
}
