package main

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

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

// TestEditorShowsEveryKind looks at the form of each kind of question, at a laptop.
func TestEditorShowsEveryKind(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	p := e.author(browsertest.Laptop, quiz.Sample())
	p.Click(quiz.Sample().Title)
	p.See("h2", "Question 1")
	for _, kind := range []string{"Multiple choice", "True or false", "Typed answer", "Number", "Put in order", "Poll", "Slide", "Single choice"} {
		p.Click(kind)
		show(p, "editor-"+kind)
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
	p.Click(quiz.Sample().Title)
	show(p, "editor-quiz")
}

// TestEditorByKeyboard writes a question of every kind without a mouse, and looks at what is stored.
func TestEditorByKeyboard(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	p := e.author(browsertest.Laptop, quiz.Sample())
	p.Click(quiz.Sample().Title)
	p.See("h2", "Question 1")
	p.Chord("d", chromedp.ModifierCtrl)
	p.See("h2", "Question 2")
	p.See(".save-line", "Saved")
	p.Chord("z", chromedp.ModifierCtrl)
	p.See("h2", "Question 1")
}
