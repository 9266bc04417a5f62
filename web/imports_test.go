package web

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/quiz/exchange"
)

// TestImportingAnEvening takes a file of each kind from upload to quiz, as the page does.
func TestImportingAnEvening(t *testing.T) {
	s := newSite(t)
	b := s.host("importer@example.org")
	files, err := filepath.Glob("../quiz/exchange/testdata/evening/*")
	if err != nil || len(files) != 8 {
		t.Fatalf("%d files (%v)", len(files), err)
	}
	var content quiz.Content
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := b.send("POST", "/api/v1/imports?name="+filepath.Base(file), bytes.NewReader(data))
		var found exchange.Said
		if err := json.Unmarshal([]byte(r.body), &found); err != nil || r.status != http.StatusOK || len(found.Rows) != 10 {
			t.Fatalf("%s: %d %s", file, r.status, r.body)
		}
		content.Title = "A mixed evening"
		content.Rounds = append(content.Rounds, found.Content.Rounds...)
	}
	if list := b.get("/host").body; strings.Contains(list, "A mixed evening") {
		t.Error("reading a file stored something")
	}
	r := b.send("POST", "/api/v1/quizzes", map[string]any{"content": content})
	if r.status != http.StatusCreated {
		t.Fatalf("%d %s", r.status, r.body)
	}
	id := r.json(t)["quiz"].(string)
	if got := r.header.Get("Location"); got != "/host/quizzes/"+id {
		t.Errorf("Location: %s", got)
	}
	if diff := cmp.Diff(content, loadQuiz(t, b, id).Content); diff != "" {
		t.Error(diff)
	}
}

// TestImportingInALanguage: a quiz that its file leaves unnamed is named as the host speaks.
func TestImportingInALanguage(t *testing.T) {
	b := newSite(t).host("importer@example.org")
	b.cookie(languageCookie, "de")
	r := b.send("POST", "/api/v1/imports", bytes.NewReader([]byte("Round,Question,Answer\n2,How many?,15\n")))
	for _, name := range []string{`"Importiertes Quiz"`, `"Runde 2"`} {
		if !strings.Contains(r.body, name) {
			t.Errorf("%d %s: no %s", r.status, r.body, name)
		}
	}
}

func TestRefusedImports(t *testing.T) {
	s := newSite(t)
	b := s.host("importer@example.org")
	for _, test := range []struct {
		name   string
		body   []byte
		status int
		detail string
	}{
		{"empty", nil, http.StatusUnprocessableEntity, "This file is empty."},
		{"prose", []byte("Nothing to see here.\n"), http.StatusUnprocessableEntity, "No questions were found"},
		{"too large", bytes.Repeat([]byte("x"), exchange.MaxBytes+1), http.StatusRequestEntityTooLarge, "larger than 5 MB"},
	} {
		r := b.send("POST", "/api/v1/imports?name=x", bytes.NewReader(test.body))
		problem := r.json(t)
		if r.status != test.status || problem["field"] != "file" || !strings.Contains(problem["detail"].(string), test.detail) {
			t.Errorf("%s: %d %s", test.name, r.status, r.body)
		}
	}
	if r := s.browser().send("POST", "/api/v1/imports", bytes.NewReader([]byte("a - b"))); r.status != http.StatusUnauthorized {
		t.Errorf("a stranger's file: %d %s", r.status, r.body)
	}
	for body, want := range map[string]int{`{}`: http.StatusBadRequest, `{"content":{"title":"` + strings.Repeat("x", 121) + `","rounds":[]}}`: http.StatusUnprocessableEntity} {
		if r := b.send("POST", "/api/v1/quizzes", body); r.status != want {
			t.Errorf("creating from %.40s: %d, want %d", body, r.status, want)
		}
	}
}

// A quiz that was taken away comes back the same.
func TestTakingAQuizAway(t *testing.T) {
	s := newSite(t)
	b := s.host("author@example.org")
	id := newQuiz(t, b)
	content := quiz.Sample()
	content.Title = `=1+1 "Größe" / 50%`
	if r := saveQuiz(b, id, 1, content); r.status != http.StatusOK {
		t.Fatalf("%d %s", r.status, r.body)
	}
	for format, contentType := range map[string]string{"json": "application/json", "csv": "text/csv; charset=utf-8", "gift": "text/plain; charset=utf-8"} {
		r := b.get("/host/quizzes/" + id + "/export/" + format)
		if r.status != http.StatusOK || r.header.Get("Content-Type") != contentType || r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", format, r.status, r.header)
		}
		_, disposition, err := mime.ParseMediaType(r.header.Get("Content-Disposition"))
		if err != nil || !strings.HasPrefix(disposition["filename"], "=1+1 Größe 50%.") {
			t.Errorf("%s: the file is called %q (%v)", format, disposition["filename"], err)
		}
		found, err := exchange.Read(words.English, "x", []byte(r.body))
		if err != nil || len(found.Content.Rounds) != 3 {
			t.Errorf("%s: %v", format, err)
		}
		if format == "json" {
			if diff := cmp.Diff(content, found.Content); diff != "" {
				t.Error(diff)
			}
		}
	}
	if r := b.get("/host/quizzes/" + id + "/export/docx"); r.status != http.StatusNotFound {
		t.Errorf("a format that there is not: %d", r.status)
	}
	other := s.host("other@example.org")
	for _, path := range []string{"/export/json", "/print"} {
		if r := other.get("/host/quizzes/" + id + path); r.status != http.StatusNotFound {
			t.Errorf("another host's %s: %d", path, r.status)
		}
	}
}

// The sheet for the teams tells nothing that they are asked for.
func TestPaper(t *testing.T) {
	s := newSite(t)
	b := s.host("author@example.org")
	id := newQuiz(t, b)
	content := quiz.Sample()
	content.Rounds = append(content.Rounds, quiz.Round{Title: "More kinds", Questions: []quiz.Question{
		{Kind: quiz.Ordering, Text: "Smallest first?", Options: []string{"mouse", "cat", "horse"}, Seconds: 30, Points: 2},
		{Kind: quiz.NumberKind, Text: "How tall?", Number: &quiz.Number{Value: 330, Tolerance: 5, Unit: "m"}, Seconds: 30, Points: 2},
		{Kind: quiz.Slide, Text: "Have a break."},
	}})
	saveQuiz(b, id, 1, content)
	page := func(sheet string) string {
		t.Helper()
		r := b.get("/host/quizzes/" + id + "/print?sheet=" + sheet)
		if r.status != http.StatusOK {
			t.Fatalf("%s: %d", sheet, r.status)
		}
		return r.body
	}
	questions, answers, script := page("questions"), page("answers"), page("script")
	for _, secret := range []string{"Canberra", "330", "Hummingbirds turn", `class="answer"`, "mouse → cat"} {
		if strings.Contains(questions, secret) {
			t.Errorf("the teams' sheet tells %q", secret)
		}
	}
	for _, want := range []string{"Canberra", "330 m ± 5", "mouse → cat → horse", "C  Hummingbird", "True", "22 points in all"} {
		if !strings.Contains(answers, want) {
			t.Errorf("the answers lack %q", want)
		}
	}
	for _, want := range []string{"Hummingbirds turn", "Five easy ones", "Have a break.", "30 s · 1 p"} {
		if !strings.Contains(script, want) {
			t.Errorf("the script lacks %q", want)
		}
	}
	if nonsense := page("nonsense"); nonsense != questions {
		t.Error("a sheet that there is not is not the questions")
	}
}
