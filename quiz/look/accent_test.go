package look

import (
	"os"
	"regexp"
	"testing"
)

// every calls do with colours from all over the cube.
func every(do func(colour)) {
	const step = 0x11
	for r := 0; r <= 0xff; r += step {
		for g := 0; g <= 0xff; g += step {
			for b := 0; b <= 0xff; b += step {
				do(colour{uint8(r), uint8(g), uint8(b)})
			}
		}
	}
}

// TestEveryAccentIsReadable: whatever a host chooses, everything in or on it can be read in both schemes.
func TestEveryAccentIsReadable(t *testing.T) {
	t.Parallel()
	schemes := []struct {
		name        string
		in          scheme
		text, muted colour // of the tokens, which also stand on the accent's ground
	}{
		{"paper", paper, must("#10211f"), must("#42514c")},
		{"ink", ink, must("#f4efe4"), must("#a8bbb8")},
	}
	for _, s := range schemes {
		every(func(accent colour) {
			p := palette(accent, s.in)
			text, edge, ground := must(p.Text), must(p.Edge), must(p.Ground)
			for _, pair := range []struct {
				what     string
				on, over colour
				least    float64
			}{
				{"text on the accent", must(p.On), accent, textContrast},
				{"the accent's text on the ground", text, s.in.ground, textContrast},
				{"the accent's text on a surface", text, s.in.surface, textContrast},
				{"the accent's text on its ground", text, ground, textContrast},
				{"text on the accent's ground", s.text, ground, textContrast},
				{"muted text on the accent's ground", s.muted, ground, textContrast},
				{"the accent's lines on the ground", edge, s.in.ground, edgeContrast},
				{"the accent's lines on a surface", edge, s.in.surface, edgeContrast},
			} {
				if got := contrast(pair.on, pair.over); got < pair.least {
					t.Errorf("%v on %s: %s has a contrast of %.2f, want %v", accent, s.name, pair.what, got, pair.least)
				}
			}
		})
	}
}

// TestAccentsStayThemselves: what can be read as it is, is left as it is, and what cannot keeps its hue.
func TestAccentsStayThemselves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		accent string
		on     scheme
		want   string
	}{
		{"#734500", paper, "#734500"}, // the product's own
		{"#ffc862", ink, "#ffc862"},
		{"#000000", paper, "#000000"},
		{"#ffffff", ink, "#ffffff"},
	} {
		if got := palette(must(c.accent), c.on).Text; got != c.want {
			t.Errorf("the text of %s is %s, want %s", c.accent, got, c.want)
		}
	}
	for accent, strongest := range map[string]func(colour) bool{
		"#e00000": func(c colour) bool { return c.r > c.g && c.r > c.b },
		"#00c000": func(c colour) bool { return c.g > c.r && c.g > c.b },
		"#0000e0": func(c colour) bool { return c.b > c.r && c.b > c.g },
	} {
		for _, on := range []scheme{paper, ink} {
			if text := palette(must(accent), on).Text; !strongest(must(text)) {
				t.Errorf("the text of %s is %s, which has another hue", accent, text)
			}
		}
	}
}

// TestContrast knows WCAG's own examples: black on white, and the lightest grey that can be read on it.
func TestContrast(t *testing.T) {
	t.Parallel()
	if got := contrast(must("#000000"), must("#ffffff")); got != 21 {
		t.Errorf("black on white has a contrast of %v, want 21", got)
	}
	if dark, light := contrast(must("#767676"), must("#ffffff")), contrast(must("#777777"), must("#ffffff")); dark < 4.5 || light >= 4.5 {
		t.Errorf("#767676 and #777777 on white have contrasts of %.3f and %.3f, want only the first to be enough", dark, light)
	}
}

// TestOklabComesBack: colours survive the way there and back.
func TestOklabComesBack(t *testing.T) {
	t.Parallel()
	every(func(c colour) {
		if got := fromOklab(c.oklab()); got != c {
			t.Errorf("%v comes back as %v", c, got)
		}
	})
}

// TestSchemesAreTheTokens keeps the grounds in step with the design's.
func TestSchemesAreTheTokens(t *testing.T) {
	t.Parallel()
	tokens, err := os.ReadFile("../../web/app/styles/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]colour{"ground": {paper.ground, ink.ground}, "surface": {paper.surface, ink.surface}} {
		found := regexp.MustCompile(`(?m)^\s*--`+name+`: (#[0-9a-f]{6});`).FindAllSubmatch(tokens, -1)
		if len(found) != len(want) {
			t.Fatalf("--%s is set %d times, want once in each scheme", name, len(found))
		}
		for i, match := range found {
			if string(match[1]) != want[i].String() {
				t.Errorf("--%s is %s in the tokens and %v here", name, match[1], want[i])
			}
		}
	}
}
