package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

var update = flag.Bool("update", false, "write the golden files and the workbooks anew")

// fixtures are a file of each format, with the oddities that it is known for.
func fixtures(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{
		"kahoot.xlsx": kahootFile(t), "quizizz.xlsx": quizizzFile(t), "socrative.xlsx": socrativeFile(t), "classquiz.xlsx": classQuizFile(t),
		"rounds.xlsx": roundsFile(t),
	}
	paths, err := filepath.Glob("testdata/formats/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = data
	}
	return files
}

// TestGolden compares what is read of each fixture with what a person found right.
func TestGolden(t *testing.T) {
	for name, data := range fixtures(t) {
		t.Run(name, func(t *testing.T) {
			found, err := Read(words.English, name, data)
			if err != nil {
				t.Fatal(err)
			}
			sound(t, found)
			if slices.Contains(mixed, name) {
				rightFirst(found.Content)
			}
			got, err := json.MarshalIndent(found.Say(words.English), "", " ")
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "golden", name+".json")
			if *update {
				must(t, os.WriteFile(path, append(got, '\n'), 0o644))
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)+"\n"); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// mixed are the fixtures whose right answers stand apart, and may come anywhere.
var mixed = []string{"gimkit.csv", "opentrivia.json", "opentrivia-bare.json", "rounds.xlsx"}

// rightFirst puts the right option of each question first.
func rightFirst(content quiz.Content) {
	for _, round := range content.Rounds {
		for i, q := range round.Questions {
			if q.Kind == quiz.Single {
				at := q.Correct[0]
				q.Options = slices.Insert(slices.Delete(slices.Clone(q.Options), at, at+1), 0, q.Options[at])
				q.Correct = []int{0}
			}
			round.Questions[i] = q
		}
	}
}

// TestTheRightAnswerMayBeAnywhere: neither the question nor the file tells where the right answer was put among the wrong ones.
func TestTheRightAnswerMayBeAnywhere(t *testing.T) {
	for name, data := range map[string]string{
		"gimkit.csv":      "Gimkit Spreadsheet Import Template,,,,\nQuestion,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3\nq,right,a,b,c\n",
		"opentrivia.json": `[{"question":"q","correct_answer":"right","incorrect_answers":["a","b","c"]}]`,
		"plain.csv":       "Question,Answer,Wrong 1,Wrong 2,Wrong 3\nq,right,a,b,c\n",
		"too many.csv":    "Question,Answer,Wrong 1,Wrong 2,Wrong 3,Wrong 4,Wrong 5,Wrong 6,Wrong 7\nq,right,a,b,c,d,e,f,g\n",
	} {
		places := map[int]bool{}
		options := 0
		for range 400 { // of which one place is left out once in 10³¹
			found, err := Read(words.English, name, []byte(data))
			must(t, err)
			q := found.Content.Rounds[0].Questions[0]
			if len(q.Correct) != 1 || q.Options[q.Correct[0]] != "right" {
				t.Fatalf("%s: %+v", name, q)
			}
			places[q.Correct[0]], options = true, len(q.Options)
		}
		if len(places) != options {
			t.Errorf("%s: of %d places, the right answer was at %v", name, options, places)
		}
	}
}

// sound fails the test unless the rows and the questions are each other's, and everything is within bounds.
func sound(t *testing.T, found Import) {
	t.Helper()
	if problems := found.Content.Check(); len(problems) > 0 {
		t.Errorf("out of bounds: %v", problems)
	}
	questions, places := 0, map[Place]bool{}
	for _, round := range found.Content.Rounds {
		questions += len(round.Questions)
	}
	for _, row := range found.Rows {
		switch {
		case row.At == nil:
			if row.Status == Fine || len(row.Notes) == 0 {
				t.Errorf("row %d gave no question, and nothing says why", row.Row)
			}
			continue
		case row.Status == Skipped, row.Status == Fine && len(row.Notes) > 0, row.Status == Changed && len(row.Notes) == 0:
			t.Errorf("row %d is %s with the notes %v", row.Row, row.Status, row.Notes)
		case row.At.Round >= len(found.Content.Rounds) || row.At.Question >= len(found.Content.Rounds[row.At.Round].Questions):
			t.Errorf("row %d is at %v, where nothing is", row.Row, row.At)
		}
		places[*row.At] = true
	}
	if len(places) != questions || questions > MaxQuestions {
		t.Errorf("%d questions in %d places", questions, len(places))
	}
}

// TestNamesInTheHostsLanguage: what the file leaves unnamed is named in the language of whoever reads it.
func TestNamesInTheHostsLanguage(t *testing.T) {
	pub := "Round;Timed;Category;Q;Type;Question;Image;Answer;OptA;OptB;OptC;OptD;OptE\n2;20;Sport;1;SA;How many?;;15;;;;;\n"
	for _, sheet := range []string{pub, "Round,Question,Answer\n2,How many?,15\n"} {
		for l, want := range map[string][2]string{"en": {"Imported quiz", "Round 2"}, "de": {"Importiertes Quiz", "Runde 2"}, "pl": {"Zaimportowany quiz", "Runda 2"}, "ar": {"مسابقة مستوردة", "الجولة 2"}} {
			reader, _ := words.Find(l)
			found, err := Read(reader, "7 .csv", []byte(sheet))
			if err != nil {
				t.Fatal(err)
			}
			if got := [2]string{found.Content.Title, found.Content.Rounds[0].Title}; got != want {
				t.Errorf("%s: %q, want %q", l, got, want)
			}
		}
	}
}

// Every way in which a text file may be written gives the same quiz.
func TestEncodings(t *testing.T) {
	text := "Round,Question,Answer\nCafé,\"Who wrote \"\"Émile\"\"\nand when?\",Rousseau\n\nCafé,Größe?,Maß\n"
	utf16 := func(big bool) string {
		out := []byte("\xff\xfe")
		if big {
			out = []byte("\xfe\xff")
		}
		for _, r := range text {
			low, high := byte(r), byte(r>>8)
			if big {
				low, high = high, low
			}
			out = append(out, low, high)
		}
		return string(out)
	}
	latin := []byte{}
	for _, r := range text {
		latin = append(latin, byte(r))
	}
	want, err := Read(words.English, "quiz.csv", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for name, encoded := range map[string]string{
		"UTF-8 with BOM": "\xef\xbb\xbf" + text, "UTF-16 little endian": utf16(false), "UTF-16 big endian": utf16(true), "Windows-1252": string(latin),
		"CRLF": strings.ReplaceAll(text, "\n", "\r\n"), "CR": strings.ReplaceAll(text, "\n", "\r"),
		"semicolons": strings.ReplaceAll(text, ",", ";"), "tabs": strings.ReplaceAll(text, ",", "\t"),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Read(words.English, "quiz.csv", []byte(encoded))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if rows := want.Rows; len(rows) != 2 || rows[0].Row != 2 || rows[1].Row != 4 {
		t.Errorf("rows %+v, want the second and the fourth, as a spreadsheet counts", rows)
	}
	if title := want.Content.Rounds[0].Title; title != "Café" {
		t.Errorf("the round is called %q", title)
	}
}

func TestRefusals(t *testing.T) {
	many := func(n int) []byte {
		return []byte("Question,Answer\n" + strings.Repeat("What is one and one?,2\n", n))
	}
	for _, test := range []struct{ name, data, want string }{
		{"empty", "", "empty"},
		{"blank", "\ufeff \n\t\r\n", "empty"},
		{"a headed sheet without questions", "Question,Answer\n", "no question in it"},
		{"too large", strings.Repeat("x", MaxBytes+1), "5 MB"},
		{"too many", string(many(MaxQuestions + 1)), "1,000 questions"},
		{"far too many", "Question,Answer\n" + strings.Repeat("q,a\n", maxSeparated), "1,000 questions"},
		{"too wide", "Question,Answer" + strings.Repeat(",", maxSeparated) + "\nq,a\n", "1,000 cells"},
		{"prose", "Dear all,\nplease find attached nothing.\n", "No questions were found"},
		{"a sheet without headings", "one,two,three\n1,2,3\n", "row of headings"},
		{"a picture", "\x89PNG\r\n\x1a\n", "picture"},
		{"an old workbook", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ".xlsx"},
		{"some zip", "PK\x03\x04nothing of the sort", "damaged"},
		{"binary", "a\x00b\x00c", "not a text file"},
		{"broken JSON", "{\n\"title\": \"x\",\n\"rounds\": [\n", "broken at line"},
		{"foreign JSON", `{"name":"x"}`, "no format that is known"},
		{"a list of nothing", `[]`, "no format that is known"},
		{"questions that are no list", `{"subject":"x","questions":7}`, "no list of questions"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read(words.English, "file", []byte(test.data))
			refused, ok := errors.AsType[*RefusedError](err)
			if !ok || !strings.Contains(refused.Detail.String(), test.want) || !strings.HasSuffix(refused.Detail.String(), ".") {
				t.Errorf("Read = %v, want a refusal that says %q", err, test.want)
			}
		})
	}
	found, err := Read(words.English, "many.csv", many(MaxQuestions))
	if err != nil {
		t.Fatal(err)
	}
	sound(t, found)
	if len(found.Content.Rounds) != 10 || found.Content.Rounds[1].Title != "Many (2)" {
		t.Errorf("%d rounds, the second called %q", len(found.Content.Rounds), found.Content.Rounds[1].Title)
	}
}

// More rounds than a quiz may have are put together, and every question says so.
func TestTooManyRounds(t *testing.T) {
	var text strings.Builder
	text.WriteString("Round,Question,Answer\n")
	for i := range quiz.MaxRounds + 1 {
		text.WriteString(fmt.Sprintf("Round of %d,What is one and one?,2\n", i))
	}
	found, err := Read(words.English, "rounds.csv", []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	sound(t, found)
	if len(found.Content.Rounds) != 1 || found.Rows[30].Status != Changed {
		t.Errorf("%d rounds; the last row is %+v", len(found.Content.Rounds), found.Rows[30])
	}
}

// Many people name a round only where it begins.
func TestRoundsNamedOnce(t *testing.T) {
	found, err := Read(words.English, "Quiz.csv", []byte("Round,Category,Question,Answer\n,,Warm?,Yes\nOne,Art,A?,a\n,Music,B?,b\nTwo,,C?,c\n,,D?,d\n"))
	must(t, err)
	var got []string
	for _, round := range found.Content.Rounds {
		got = append(got, fmt.Sprintf("%s: %d", round.Title, len(round.Questions)))
	}
	if diff := cmp.Diff([]string{"Quiz: 1", "One: 2", "Two: 2"}, got); diff != "" {
		t.Error(diff)
	}
	if tags := found.Content.Rounds[1].Questions[1].Tags; len(tags) != 1 || tags[0] != "Music" {
		t.Errorf("the category of a row whose round stands above it became %v", tags)
	}
}

// Cells are what a person sees of them.
func TestCellsAsShown(t *testing.T) {
	original := workbook(t, newWorksheet("Sheet1").row(t, "A1", "Question", "Answer").row(t, "A2", "x", 1))
	for cell, want := range map[string]string{
		`<v>1066.0</v>`: "1066", `<v>0.1</v>`: "0.1", `<v>0.30000000000000004</v>`: "0.3", `<v>1234567890</v>`: "1234567890", `<v>-40</v>`: "-40",
		`<v>1.5E-2</v>`: "0.015",
	} {
		data := replaced(t, original, "xl/worksheets/sheet1.xml", func(w *strings.Builder) {
			w.WriteString(`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` +
				`<row r="1"><c r="A1" t="inlineStr"><is><t>Question</t></is></c><c r="B1" t="inlineStr"><is><t>Answer</t></is></c></row>` +
				`<row r="2"><c r="A2" t="inlineStr"><is><t>What?</t></is></c><c r="B2">` + cell + `</c></row></sheetData></worksheet>`)
		})
		found, err := Read(words.English, "x.xlsx", data)
		must(t, err)
		if got := found.Content.Rounds[0].Questions[0].Accepted; len(got) != 1 || got[0] != want {
			t.Errorf("%s reads as %q, want %q", cell, got, want)
		}
	}
}

// What is longer than our own bounds is shortened or left out, and told.
func TestBounds(t *testing.T) {
	long := func(n int) string { return strings.Repeat("é", n) }
	header := "Question,Answer,Option 1,Option 2,Option 3,Option 4,Option 5,Option 6,Answer 1,Seconds,Points,Tags,Notes\n"
	for _, test := range []struct {
		name, row string
		want      Status
		detail    string
	}{
		{"all fine", "Q,a,a,b", Fine, ""},
		{"text", long(301) + ",a,a,b", Changed, "Shortened to 300 characters; it had 301."},
		{"option", "Q,a,a," + long(151), Changed, "Shortened to 150"},
		{"accepted", "Q,b|" + long(101), Changed, "at most 100 characters"},
		{"only such", "Q," + long(101), Skipped, "at least one answer"},
		{"twenty-one answers", "Q," + strings.Join(strings.Split("abcdefghijklmnopqrstu", ""), "|"), Changed, "at most 20 answers"},
		{"seven options", "Q,g,a,b,c,d,e,f,g", Changed, "at most 6 options"},
		{"the same option twice", "Q,a,a,b,b", Changed, "the same option"},
		{"one option", "Q,a,a", Skipped, "at least 2 options"},
		{"short time", "Q,a,a,b,,,,,,2", Changed, "Changed to 5 seconds"},
		{"points", "Q,a,a,b,,,,,,,1.3", Changed, "Rounded to 1.5"},
		{"no points", "Q,a,a,b,,,,,,,few", Changed, "It got 1."},
		{"tag", "Q,a,a,b,,,,,,,," + long(41), Changed, "Shortened to 40"},
		{"eleven tags", "Q,a,a,b,,,,,,,,1|2|3|4|5|6|7|8|9|10|11", Changed, "at most 10 tags"},
		{"notes", "Q,a,a,b,,,,,,,,," + long(501), Changed, "Shortened to 500"},
	} {
		t.Run(test.name, func(t *testing.T) {
			found, err := Read(words.English, "bounds.csv", []byte(header+test.row+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			sound(t, found)
			row := found.Rows[0]
			if row.Status != test.want || !strings.Contains(fmt.Sprint(row.Notes), test.detail) {
				t.Errorf("the row is %+v, want it %s with %q", row, test.want, test.detail)
			}
		})
	}
}

// Our own file, read and written, is the same to the byte.
func TestOwnRoundTrip(t *testing.T) {
	contents := map[string]quiz.Content{"nothing": {}, "the sample": quiz.Sample()}
	for name, data := range fixtures(t) {
		found, err := Read(words.English, name, data)
		if err != nil {
			t.Fatal(err)
		}
		contents[name] = found.Content
	}
	for name, content := range contents {
		first, err := WriteJSON(content)
		must(t, err)
		found, err := Read(words.English, "x.json", first)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, row := range found.Rows {
			if row.Status != Fine {
				t.Errorf("%s: row %+v", name, row)
			}
		}
		second, err := WriteJSON(found.Content)
		must(t, err)
		if !bytes.Equal(first, second) {
			t.Errorf("%s is another quiz after a round trip: %s", name, cmp.Diff(string(first), string(second)))
		}
	}
	own, err := os.ReadFile("testdata/formats/own.json")
	must(t, err)
	found, err := Read(words.English, "own.json", own)
	must(t, err)
	if written, err := WriteJSON(found.Content); err != nil || !bytes.Equal(written, own) {
		t.Errorf("the fixture is not written as it was read (%v): %s", err, cmp.Diff(string(own), string(written)))
	}
}
