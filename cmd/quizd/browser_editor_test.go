package main

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// author signs a host in who has written these quizzes, and leads them to the dashboard.
func (e *evening) author(device browsertest.Device, contents ...quiz.Content) *browsertest.Page {
	e.t.Helper()
	ctx := e.t.Context()
	host, err := e.server.accounts.EnsureUser(ctx, demoEmail, demoName)
	if err != nil {
		e.t.Fatal(err)
	}
	for _, content := range contents {
		if _, err := e.server.quizzes.Create(ctx, quiz.OwnerID(host), content); err != nil {
			e.t.Fatal(err)
		}
	}
	token, err := e.server.accounts.CreateLink(ctx, host)
	if err != nil {
		e.t.Fatal(err)
	}
	p := e.browser.Person("the author", device)
	p.Open(e.base + "/signin/link?token=" + token)
	p.Click("Sign in")
	p.See("h1", "Your quizzes")
	return p
}

// photo writes a picture to look at, as a camera would, and returns its path.
func photo(t *testing.T) string {
	t.Helper()
	drawn := image.NewRGBA(image.Rect(0, 0, 1600, 900))
	for y := range 900 {
		for x := range 1600 {
			hill := 600 + 120*math.Sin(float64(x)/260)
			sun := math.Hypot(float64(x)-1150, float64(y)-300)
			switch {
			case float64(y) > hill:
				drawn.Set(x, y, color.RGBA{uint8(20 + y/30), uint8(70 + y/20), 60, 255})
			case sun < 130:
				drawn.Set(x, y, color.RGBA{255, 208, 90, 255})
			default:
				drawn.Set(x, y, color.RGBA{uint8(90 + y/8), uint8(140 + y/12), 200, 255})
			}
		}
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, drawn, nil); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "hills.jpg")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestEditorShowsEveryKindInBrowser looks at the form of each kind of question, at a laptop.
func TestEditorShowsEveryKindInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	p := e.author(browsertest.Laptop, quiz.Sample())
	p.Click(quiz.Sample().Title)
	p.See("h2", "Question 1")
	for _, kind := range []string{"Multiple choice", "True or false", "Typed answer", "Number", "Put in order", "Poll", "Slide", "Single choice"} {
		p.Click(kind)
		show(p, "editor-"+strings.ReplaceAll(strings.ToLower(kind), " ", "-"))
	}
	p.Choose(".pane input[type=file]", photo(t))
	p.See(".media-field", "In words")
	p.Await("the picture", `document.querySelector(".media-shown img")?.naturalWidth === 1600`, nil)
	p.Fill("In words", "Green hills under a low sun")
	show(p, "editor-picture")
	p.Click("Big screen")
	p.Click("Answer")
	show(p, "editor-picture-big-screen")
	p.Click("Warming up")
	show(p, "editor-round")
	p.Click("About the quiz")
	show(p, "editor-quiz")
}

// tabTo walks by the Tab key to the control or field of this name.
func tabTo(p *browsertest.Page, name string) {
	for range 60 {
		p.Press("\t")
		var at string
		p.Ask(`(({ ariaLabel, labels, innerText }) => ariaLabel ?? labels?.[0]?.innerText ?? innerText ?? "")(document.activeElement)`, &at)
		if strings.TrimSpace(at) == name {
			return
		}
	}
	p.See("no control that the Tab key reaches", name)
}

// TestEditorByKeyboardInBrowser writes a question of every kind without a mouse, and looks at what is stored.
func TestEditorByKeyboardInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	first := quiz.Question{Kind: quiz.Single, Text: "Which planet is red?", Options: []string{"Mars", "Venus"}, Correct: []int{0}, Seconds: 20, Points: 2}
	p := e.author(browsertest.Laptop, quiz.Content{Title: "By hand", Rounds: []quiz.Round{{Title: "All kinds", Questions: []quiz.Question{first}}}})
	p.Click("By hand")
	p.See("h2", "Question 1")
	next := func(text string) { // a new question of the next kind
		p.Chord("\r", chromedp.ModifierCtrl)
		p.Await("the cursor in the new question", `document.activeElement.tagName === "TEXTAREA" && document.activeElement.value === ""`, nil)
		p.Chord("\t", chromedp.ModifierShift)
		p.Press(kb.ArrowRight)
		p.Press("\t")
		p.Await("the cursor in the question", `document.activeElement.tagName === "TEXTAREA"`, nil)
		p.Type(text)
	}
	fill := func(label, text string) {
		tabTo(p, label)
		p.Type(text)
	}
	next("Which are gases?")
	fill("Option A", "Neon")
	fill("Option B", "Iron")
	fill("Option C", "Argon")
	tabTo(p, "Remove option D")
	p.Press("\r")
	p.Chord("\t", chromedp.ModifierShift) // back to what was before it
	tabTo(p, "Part of the points for a part of the answer")
	p.Press(" ")
	next("Water is wet.")
	tabTo(p, "True")
	p.Press(kb.ArrowRight)
	next("Who found radium?")
	fill("Accepted answer 1", "Marie Curie")
	tabTo(p, "A surname is enough")
	p.Press(" ")
	next("How high is Everest?")
	fill("The number", "8849")
	fill("Unit", "m")
	fill("Margin either way", "50")
	next("Put them in order of age.")
	fill("Place 1", "Second")
	fill("Place 2", "First")
	p.Chord(kb.ArrowUp, chromedp.ModifierAlt)
	p.See("[role=status]", "Moved: Place 1")
	fill("Place 3", "Third")
	tabTo(p, "Remove place 4")
	p.Press("\r")
	next("Another round?")
	fill("Option A", "Yes")
	fill("Option B", "No")
	for _, option := range []string{"Remove option D", "Remove option C"} {
		tabTo(p, option)
		p.Press("\r")
	}
	next("Time for a drink.")
	p.See(".save-line", "Saved")
	p.MustBeAccessible()

	stored := func() []quiz.Question {
		t.Helper()
		var id quiz.ID
		if err := e.server.pool.QueryRow(t.Context(), `SELECT id FROM quizzes WHERE content ->> 'title' = 'By hand'`).Scan(&id); err != nil {
			t.Fatal(err)
		}
		host, err := e.server.accounts.EnsureUser(t.Context(), demoEmail, demoName)
		if err != nil {
			t.Fatal(err)
		}
		q, err := e.server.quizzes.Get(t.Context(), quiz.OwnerID(host), id)
		if err != nil {
			t.Fatal(err)
		}
		return q.Content.Rounds[0].Questions
	}
	want := []quiz.Question{
		first,
		{Kind: quiz.Multiple, Text: "Which are gases?", Options: []string{"Neon", "Iron", "Argon"}, Correct: []int{0}, Partial: true, Seconds: 20, Points: 2},
		{Kind: quiz.TrueFalse, Text: "Water is wet.", Correct: []int{1}, Seconds: 20, Points: 2},
		{Kind: quiz.Text, Text: "Who found radium?", Accepted: []string{"Marie Curie"}, Surnames: true, Seconds: 20, Points: 2},
		{Kind: quiz.NumberKind, Text: "How high is Everest?", Number: &quiz.Number{Value: 8849, Tolerance: 50, Unit: "m"}, Seconds: 20, Points: 2},
		{Kind: quiz.Ordering, Text: "Put them in order of age.", Options: []string{"First", "Second", "Third"}, Partial: true, Seconds: 20, Points: 2},
		{Kind: quiz.Poll, Text: "Another round?", Options: []string{"Yes", "No"}, Seconds: 20, Points: 2},
		{Kind: quiz.Slide, Text: "Time for a drink.", Seconds: 20, Points: 2},
	}
	if diff := cmp.Diff(want, stored()); diff != "" {
		t.Error(diff)
	}

	p.Chord(kb.ArrowUp, chromedp.ModifierAlt) // the slide before the poll
	p.See("[role=status]", "Moved: All kinds, question 7")
	p.Chord("d", chromedp.ModifierCtrl)
	p.See("h2", "Question 8")
	p.Chord("z", chromedp.ModifierCtrl)
	p.Chord("z", chromedp.ModifierCtrl)
	p.See(".is-question[aria-current]", "8 Time for a drink")
	p.Chord("z", chromedp.ModifierCtrl, chromedp.ModifierShift)
	p.See(".is-question[aria-current]", "7 Time for a drink")
	p.See(".save-line", "Saved")
	want[6], want[7] = want[7], want[6]
	if diff := cmp.Diff(want, stored()); diff != "" {
		t.Error(diff)
	}
}

// TestEditorFromElsewhereInBrowser drags, deletes, and takes questions from other quizzes and from a list; on a laptop, a tablet and a phone.
func TestEditorFromElsewhereInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	sample := quiz.Sample()
	sample.Tags = []string{"sample", "easy"}
	p := e.author(browsertest.Laptop, sample, quiz.Content{Title: "Draft", Tags: []string{"easy"}, Rounds: []quiz.Round{
		{Title: "First", Questions: []quiz.Question{{Kind: quiz.Poll, Text: "Ready?", Options: []string{"Yes", "No"}, Seconds: 20, Points: 2}}},
		{Title: "Second"},
	}})
	show(p, "dashboard-tags")
	p.Click("Draft")
	p.See("h2", "Question 1")
	p.Drag("[data-question] .grip", "[data-round='1'][data-end]")
	p.See("h2", "Second · Question 1")
	p.Click("Delete")
	p.See(".toast", "Deleted: Ready?")
	p.Miss(".outline", "Ready?")
	p.Click("Undo")
	p.See(".outline", "Ready?")

	p.Click("Add several questions to First")
	p.See(".bank", "Which of these birds")
	show(p, "editor-bank")
	p.Fill("Words in them", "canberra")
	p.Miss(".bank", "birds")
	p.Click("What is the capital of Australia?")
	p.Click("Add 1 question")
	p.See("h2", "First · Question 1")
	p.See(".outline", "capital of Australia")
	p.Click("Add several questions to First")
	p.Click("A list or file")
	p.Fill("A list", "1. Capital of Peru? - Lima\n2. Who wrote Dracula? - Bram Stoker / Stoker")
	p.See(".bank", "Bram Stoker / Stoker")
	show(p, "editor-paste")
	p.Click("Add 2 questions")
	p.See(".outline", "Who wrote Dracula?")
	p.Click("About the quiz")
	p.Click("Make a link")
	p.See("fieldset", "Stop sharing")
	show(p, "editor-shared")
	reader := e.browser.Person("a reader", browsertest.Laptop)
	reader.Open(p.Link("Open ↗"))
	reader.See("h1", "Draft")
	reader.See("body", "Canberra")
	show(reader, "shared-quiz")
	p.Fill("Title", "Draft with a newer name")
	p.Follow("Open ↗", "the author as a reader", browsertest.Laptop).See("h1", "Draft with a newer name")
	p.Fill("Title", "Draft")
	p.Click("Print it, or download it")
	p.See("h1", "Draft")
	p.Click("← Back to the editor")
	p.Click("About the quiz")

	for _, device := range []struct {
		name          string
		width, height int64
	}{{"tablet", 1024, 768}, {"phone", 360, 740}} {
		name := device.name
		p.Resize(device.width, device.height)
		p.Click("Preview")
		show(p, "editor-"+name+"-preview")
		p.Click("Write")
		show(p, "editor-"+name)
		if name == "phone" {
			p.Click("Questions")
			show(p, "editor-"+name+"-questions")
			p.Click("Capital of Peru?")
			show(p, "editor-"+name+"-question")
			p.Open(e.base + "/host")
			show(p, "dashboard-phone")
		}
	}
}

// TestEditorRefusesFilesInBrowser chooses files that are none, one whose sending is cancelled, and one that arrives while the author has gone on.
func TestEditorRefusesFilesInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	p := e.author(browsertest.Laptop, quiz.Sample())
	p.Tolerate("status of 422")
	p.Click(quiz.Sample().Title)
	p.See("h2", "Question 1")
	folder := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const chooser = ".pane input[type=file]"
	p.Choose(chooser, write("page.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"))
	p.See(".field-problem", "Choose a picture (JPEG")
	p.Choose(chooser, write("broken.png", "\x89PNG\r\n\x1a\n and nothing more"))
	p.See(".field-problem", "may be damaged")
	show(p, "editor-file-refused")
	p.Miss(".media-field", "In words")

	p.Choose(chooser, photo(t))
	p.Click("An octopus has three hearts.") // the picture still goes where it belongs
	p.See("h2", "Question 2")
	p.Miss(".media-field", "In words")
	p.Click("Which of these birds")
	p.See(".media-field", "In words")
	p.Click("Remove the picture")
	p.Miss(".media-field", "In words")
	p.Chord("z", chromedp.ModifierCtrl)
	p.See(".media-field", "In words")
}
