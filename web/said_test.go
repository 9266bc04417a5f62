package web

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// TestPagesInALanguage: pages say which language they are in and where it begins, whoever chose it.
func TestPagesInALanguage(t *testing.T) {
	s := newSite(t)
	for _, l := range []struct{ asked, frame string }{
		{"de", `<html lang="de" dir="ltr">`}, {"ar-EG,ar;q=0.9,en;q=0.5", `<html lang="ar" dir="rtl">`}, {"tlh, pl;q=0.8", `<html lang="pl" dir="ltr">`}, {"tlh", `<html lang="en" dir="ltr">`}, {"", `<html lang="en" dir="ltr">`},
	} {
		b := s.browser()
		for _, path := range []string{"/", "/signin", "/signup", "/language", "/too-many-requests", "/nowhere"} {
			if page := b.get(path, "Accept-Language", l.asked); !strings.Contains(page.body, l.frame) {
				t.Errorf("%s, asked for in %q, has no %s", path, l.asked, l.frame)
			}
		}
	}
}

// TestProblemsInALanguage: what a program shows to people is said in the language that these read; what it looks at itself is the same in all.
func TestProblemsInALanguage(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	b.send("POST", "/language", url.Values{"language": {words.Pseudo.Code}})
	r := b.get("/api/v1/sessions/nothing/host")
	for _, part := range []string{`"type":"/problems/not-signed-in"`, words.Pseudo.Say(words.T("Not signed in")), words.Pseudo.Say(words.T("Sign in to go on."))} {
		if !strings.Contains(r.body, part) {
			t.Errorf("no %s in %s", part, r.body)
		}
	}
}

// TestALetterInItsReadersLanguage: a letter is in the language of whoever caused it, and the account keeps it for the others.
func TestALetterInItsReadersLanguage(t *testing.T) {
	s := newMailSite(t)
	b := s.browser()
	b.send("POST", "/language", url.Values{"language": {words.Pseudo.Code}})
	b.send("POST", "/signup", url.Values{"name": {"Alice"}, "email": {"alice@example.org"}, "password": {"a long enough password"}})
	letters := s.letters("alice@example.org")
	if len(letters) != 1 || letters[0].Language != words.Pseudo.Code || letters[0].Subject != words.Pseudo.Say(words.T("Confirm your address")) {
		t.Errorf("%+v", letters)
	}
	kept := func() int { return s.count(`SELECT count(*) FROM users WHERE language = 'en-XA'`) }
	if kept() != 1 {
		t.Error("the account has not kept the language of whoever signed up")
	}
	signedIn := s.host("bob@example.org")
	signedIn.send("POST", "/language", url.Values{"language": {words.Pseudo.Code}})
	if kept() != 2 {
		t.Error("the account has not kept the language that its host has chosen")
	}
}

// TestFilesInALanguage: a workbook is for people, in their language; what programs read has the same headings for all.
func TestFilesInALanguage(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("alice@example.org"))
	l.phone("The Owls")
	path := "/host/sessions/" + l.id + "/results/"
	plain := l.host.get(path + "csv").body
	l.host.cookie(languageCookie, words.Pseudo.Code)
	if said := l.host.get(path + "csv").body; said != plain || !strings.Contains(plain, "Rank,Participant,Joker round") {
		t.Errorf("the headings of the CSV are %.60q and %.60q", plain, said)
	}
	book := l.host.get(path + "xlsx").body
	archive, err := zip.NewReader(bytes.NewReader([]byte(book)), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := archive.Open("xl/worksheets/sheet1.xml")
	if err != nil {
		t.Fatal(err)
	}
	defer sheet.Close()
	content, err := io.ReadAll(sheet)
	if want := words.Pseudo.Say(words.T("Participant")); err != nil || !strings.Contains(string(content), want) {
		t.Errorf("no %q in the workbook (%v): %.300s", want, err, content)
	}
}

// TestAQuizKeepsItsLanguageOnPaper: what the host has written says which language it is in, whatever the page around it is said in.
func TestAQuizKeepsItsLanguageOnPaper(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	id := newQuiz(t, b)
	content := quiz.Sample()
	content.Language = "cy"
	if r := saveQuiz(b, id, 1, content); r.status != http.StatusOK {
		t.Fatalf("%d %s", r.status, r.body)
	}
	b.cookie(languageCookie, words.Pseudo.Code)
	wantShows(t, b.get("/host/quizzes/"+id+"/print"), http.StatusOK, `<html lang="en-XA"`, `<p class="text" dir="auto" lang="cy">`, words.Pseudo.Say(words.T("Round {number}", "number", 1)))
}
