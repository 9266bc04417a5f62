package main

import (
	"os"
	"path/filepath"
	"testing"

	"pubquiz/internal/browsertest"
)

// oddities is a sheet with a row of each status.
const oddities = `Round,Question,Answer,Option 1,Option 2,Option 3,Image,Seconds
Odds and ends,Which river flows through Vienna?,Danube,,,,,
Odds and ends,Which of these is a berry to a botanist?,Banana,Strawberry,Banana,Raspberry,https://example.org/banana.jpg,30
Odds and ends,Who has no answer?,,,,,,
Odds and ends,Which of these is the largest?,Jupiter,Mars,Venus,,,20
Numbers,How many legs has a lobster?,10,,,,,2
Numbers,Is it true that a shrimp's heart is in its head?,TRUE,,,,,
`

// TestImportingInBrowsers makes a quiz of files, as an author does who has some, and prints it.
func TestImportingInBrowsers(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.signUp()
	e.host.Tolerate("status of 422")
	e.host.Click("From a file")
	e.host.See("h1", "New quiz from files")
	e.host.See(".drop-words", "Drop your question files here")
	show(e.host, "import-empty")
	e.host.MustShowFocus()

	sheet := filepath.Join(t.TempDir(), "Odds and ends.csv")
	letter := filepath.Join(t.TempDir(), "letter.txt")
	for path, content := range map[string]string{sheet: oddities, letter: "Dear all, there is no quiz tonight.\n"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e.host.Choose("input[type=file]", sheet)
	e.host.See(".filter", "Skipped 2")
	e.host.See(".found-row[data-status=changed]", "Upload this one in the editor")
	e.host.See(".found-row[data-status=skipped]", "Expected the right answer.")
	show(e.host, "import-rows")
	e.host.Choose("input[type=file]", letter)
	e.host.See(".file-refused", "No questions were found")
	kahoot, err := filepath.Abs(filepath.Join("..", "..", "quiz", "exchange", "testdata", "evening", "3-who-what-where.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	e.host.Choose("input[type=file]", kahoot)
	e.host.See(".file", "Kahoot spreadsheet")
	e.host.Click("Paste text")
	e.host.Fill("Questions as text", "Which planet is called the red one? - Mars")
	e.host.Click("Read the text")
	e.host.See(".file", "list of questions")
	e.host.See(".finish", "15 questions in 4 rounds")
	e.host.Click("Take Row 7: Is it true that a shrimp's heart")
	e.host.Click("Take letter.txt away")
	e.host.Miss(".file", "letter.txt")
	e.host.See(".finish", "14 questions in 4 rounds")
	show(e.host, "import-files")
	phone := e.host.Tab("the host's phone")
	phone.Tolerate("beforeunload") // it leaves with rows on its page
	phone.Resize(browsertest.Phone.Width, browsertest.Phone.Height)
	phone.Open(e.base + "/host/import")
	show(phone, "import-phone-empty")
	phone.Choose("input[type=file]", sheet)
	phone.See(".filter", "Skipped 2")
	show(phone, "import-phone-rows")

	e.host.Fill("Title", "A quiz of many files")
	e.host.Click("Create quiz")
	e.host.See("h1", "A quiz of many files")
	e.host.Open(e.base + "/host")
	paper := e.host.Link("Print or download A quiz of many files")
	e.host.Open(paper)
	e.host.See(".paper h1", "A quiz of many files")
	show(e.host, "print-questions")
	for _, paper := range []browsertest.Paper{browsertest.A4, browsertest.Letter} {
		if sheets := e.host.Print("print-questions", paper); sheets != 4 {
			t.Errorf("four rounds to fill in take %d sheets of %s, want one each", sheets, paper.Name)
		}
	}
	e.host.Click("Download")
	e.host.See(".downloads", "JSON, to import here again")
	show(e.host, "print-download")
	e.host.Click("Answers")
	e.host.See(".answer", "Danube")
	show(e.host, "print-answers")
	e.host.Print("print-answers", browsertest.Letter)
	e.host.Click("Script")
	e.host.See(".paper-top", "to read out")
	show(e.host, "print-script")
	e.host.Print("print-script", browsertest.A4)
	e.host.MustShowFocus()
	phone.Open(paper)
	show(phone, "print-phone")
}
