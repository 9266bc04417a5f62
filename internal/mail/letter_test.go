package mail

import (
	"slices"
	"strings"
	"testing"

	"pubquiz/internal/words"
)

var letter = Letter{
	Subject: "Choose a new password", Text: []string{"First <b>this</b>.", "Then that."},
	Button: "Choose a password", Link: "https://quiz.example/reset?token=a&b=c", After: []string{"It works once."},
}

func TestALetterAsText(t *testing.T) {
	want := "First <b>this</b>.\n\nThen that.\n\nChoose a password:\nhttps://quiz.example/reset?token=a&b=c\n\nIt works once.\n\n-- \nLive pub quiz\n"
	if got := letter.Plain(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if letter.Text[0] != "First <b>this</b>." || len(letter.Text) != 2 {
		t.Error("writing it as text has changed it")
	}
}

func TestALetterAsAPageLoadsNothingAndEscapes(t *testing.T) {
	page, err := letter.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"First &lt;b&gt;this&lt;/b&gt;.", `href="https://quiz.example/reset?token=a&amp;b=c"`, "It works once.", "prefers-color-scheme: dark"} {
		if !strings.Contains(page, part) {
			t.Errorf("no %q in it", part)
		}
	}
	for _, part := range []string{"<img", "src=", "@import", "url(", "<script", "<link", "ZgotmplZ"} {
		if strings.Contains(page, part) {
			t.Errorf("%q in it", part)
		}
	}
	links := strings.Count(page, "https://")
	if links != strings.Count(page, letter.Link)+strings.Count(page, "https://quiz.example/reset?token=a&amp;b=c") {
		t.Errorf("it leads elsewhere: %d addresses", links)
	}
	page, err = Letter{Subject: "s", Text: []string{"t"}}.HTML()
	if err != nil || strings.Contains(page, "<a") {
		t.Errorf("a letter without a link has one, %v", err)
	}
}

func TestWaitsGrowAndAreSpread(t *testing.T) {
	for attempts, want := range []float64{1: 30, 2: 60, 3: 120, 7: 1920, 8: 3600, 9: 3600, 100: 3600} {
		if want == 0 {
			continue
		}
		if least, most := wait(attempts, 0).Seconds(), wait(attempts, 0.999999).Seconds(); least != want/2 || most < want*0.999 || most > want {
			t.Errorf("after %d attempts: %g to %g s, want half of %g to all of it", attempts, least, most, want)
		}
	}
}

func TestErrorsAreStoredShort(t *testing.T) {
	if got := shortened("a\r\n b\x00\xff c " + strings.Repeat("é", 400)); len([]rune(got)) != 300 || !strings.HasPrefix(got, "a b c éé") {
		t.Errorf("%q", got)
	}
}

func TestATrayKeepsTheLatest(t *testing.T) {
	var tray Tray
	for i := range trayHolds + 3 {
		if err := tray.Send(t.Context(), Message{ID: string(rune('A' + i))}); err != nil {
			t.Fatal(err)
		}
	}
	letters := tray.Letters()
	if len(letters) != trayHolds || letters[0].ID != string(rune('A'+trayHolds+2)) || letters[trayHolds-1].ID != "D" {
		t.Errorf("%d letters, from %s", len(letters), letters[0].ID)
	}
	if !slices.IsSortedFunc(letters, func(a, b Delivered) int { return b.At.Compare(a.At) }) {
		t.Error("the latest is not first")
	}
}

// TestALetterInALanguage: the frame around a letter is in the language of its words, and runs as they do.
func TestALetterInALanguage(t *testing.T) {
	arabic, _ := words.Find("ar")
	draft := Draft{Subject: words.T("Choose a new password"), Text: []words.Text{words.T("The link works once, within a day.")}, Button: words.T("Choose a new password"), Link: "https://quiz.example/reset"}
	for l, frame := range map[*words.Language]string{
		words.English: `<html lang="en" dir="ltr">`, arabic: `<html lang="ar" dir="rtl">`, words.Pseudo: `<html lang="en-XA" dir="ltr">`,
	} {
		said := draft.In(l)
		page, err := said.HTML()
		if err != nil || !strings.Contains(page, frame) {
			t.Errorf("%s: no %s, %v:\n%s", l.Code, frame, err, page)
		}
		if said.Subject != l.Say(draft.Subject) || said.Button != l.Say(draft.Button) || len(said.Text) != 1 || said.Text[0] != l.Say(draft.Text[0]) || said.Link != draft.Link {
			t.Errorf("%s: %+v", l.Code, said)
		}
		if around := l.Say(words.T("This letter was written by a machine that reads no replies.")); !strings.Contains(page, around) {
			t.Errorf("%s: the frame does not say %q", l.Code, around)
		}
		if name := "-- \n" + l.Say(words.T("Live pub quiz")) + "\n"; !strings.HasSuffix(said.Plain(), name) {
			t.Errorf("%s: the text does not end in %q", l.Code, name)
		}
	}
}
