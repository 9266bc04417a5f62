package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// logo is a file with a mark that leaves most of the ground free, as logos do.
func logo(t *testing.T) string {
	t.Helper()
	drawn := image.NewNRGBA(image.Rect(0, 0, 240, 90))
	for y := range 90 {
		for x := range 240 {
			if dx, dy := x-45, y-45; dx*dx+dy*dy < 40*40 || x > 100 && y > 30 && y < 60 {
				drawn.Set(x, y, color.NRGBA{0xc8, 0x32, 0x50, 0xff})
			}
		}
	}
	var file bytes.Buffer
	if err := png.Encode(&file, drawn); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "logo.png")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPubLookInBrowsers gives the pub a logo, a colour and pictures for the breaks, and looks at them on its television: in the lobby, and when a round's
// introduction stays on for a while, until the host goes on.
func TestPubLookInBrowsers(t *testing.T) {
	t.Parallel()
	hills, mark := photo(t), logo(t)
	e := newEvening(t)
	e.begin(quiz.Sample())
	e.othersJoin("The Quizzards", "Owls", "Table 4")
	desk := e.host.Tab("the host, choosing the look")
	desk.Open(e.base + "/host")
	desk.Click("Your pub’s look")
	desk.See("h1", "Your pub’s look")
	show(desk, "look-usual")
	desk.Choose(".look-form section:nth-of-type(1) input[type=file]", mark)
	desk.See(`.picture-tools [aria-label="Remove the logo"]`, "")
	desk.Choose(".look-form section:nth-of-type(3) input[type=file]", mark)
	desk.See(`.pictures [aria-label="Remove picture 1"]`, "")
	desk.Choose(".look-form section:nth-of-type(3) input[type=file]", hills)
	desk.See(".pictures li:nth-child(2)", "Earlier")
	desk.Ask(`(() => {
		const field = document.querySelector("input[type=color]");
		field.value = "#c83250";
		return field.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, new(bool))
	desk.See(".accent label", "#c83250")
	desk.See(".save-line", "Saved")
	desk.Click("Earlier")
	desk.See(".save-line", "Saved")
	show(desk, "look-chosen")
	desk.Click("Break")
	show(desk, "look-break")
	desk.Click("Podium")
	show(desk, "look-podium")
	desk.MustShowFocus()
	desk.Resize(browsertest.Phone.Width, browsertest.Phone.Height)
	show(desk, "look-phone")
	desk.Reload()
	desk.See(`.pictures [aria-label="Remove picture 2"]`, "")
	desk.See(".accent label", "#c83250")

	e.tv.Reload()
	e.tv.Await("the logo in the lobby", `(() => { const logo = document.querySelector(".crowd .logo"); return logo?.complete && logo.naturalWidth > 0; })()`, nil)
	var accent string
	e.tv.Ask(`getComputedStyle(document.querySelector(".way-in .code")).color`, &accent)
	if accent == "" || accent == "rgb(115, 69, 0)" || accent == "rgb(255, 200, 98)" {
		t.Errorf("the code is still in the usual amber, %s", accent)
	}
	onEverySize(e.tv, func(size string) { show(e.tv, size+"-look-lobby") })
	e.step("Round introduction")
	e.tv.See("h1", "Warming up")
	show(e.tv, "tv-look-round")
	e.tv.Await("the first of the pictures", `(() => { const img = document.querySelector(".break img"); return img?.complete && img.naturalWidth > 0; })()`, nil)
	onEverySize(e.tv, func(size string) { show(e.tv, size+"-look-break") })
	var reachable bool
	e.tv.Ask(`(() => { const { x, y, width } = document.querySelector(".corner .qr").getBoundingClientRect();
		return document.elementFromPoint(x + width / 2, y + width / 2)?.closest(".corner") !== null; })()`, &reachable)
	if !reachable {
		t.Error("the picture lies over the way to join")
	}
	e.step("Question open")
	e.tv.See(".question", "Which of these birds")
	e.tv.Miss(".break", "")
	show(e.tv, "tv-look-open")
	e.step("Question closed")
	e.step("Answer revealed")
	e.host.PressUntil("s", ".state", "Standings")
	e.tv.See(".standings", "Owls")
	show(e.tv, "tv-look-standings")
}
