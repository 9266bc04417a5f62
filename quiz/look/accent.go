package look

import (
	"fmt"
	"math"
	"strconv"
)

// Palette is what an accent becomes in one scheme, as CSS colours "#rrggbb".
type Palette struct {
	Accent string `json:"accent"` // as it was chosen: for areas
	On     string `json:"on"`     // text on the accent
	Text   string `json:"text"`   // text in the accent's hue, on every ground
	Edge   string `json:"edge"`   // lines that must stand out from the ground
	Ground string `json:"ground"` // a ground with a touch of the accent
}

// The least contrasts of WCAG 2.2, AA: of text (1.4.3), and of lines that mean something (1.4.11).
const (
	textContrast = 4.5
	edgeContrast = 3
)

// touch is the accent's share of its ground.
const touch = 0.16

// scheme holds the grounds on which an accent is seen: --ground and --surface of the design's tokens.
type scheme struct {
	ground, surface colour
	towards         float64 // the lightness in which an accent is found readable in the end: black on paper, white on ink
}

var (
	paper = scheme{ground: must("#f8f3e9"), surface: must("#fffdf8"), towards: 0}
	ink   = scheme{ground: must("#0b1719"), surface: must("#122326"), towards: 1}
)

func palette(accent colour, on scheme) *Palette {
	ground := mixed(on.ground, accent, touch)
	return &Palette{
		Accent: accent.String(),
		On:     readable(accent).String(),
		Text:   apart(accent, textContrast, on, on.ground, on.surface, ground).String(),
		Edge:   apart(accent, edgeContrast, on, on.ground, on.surface).String(),
		Ground: ground.String(),
	}
}

// readable is black or white, whichever is easier to read on a colour. One of them always has a contrast above 4.5.
func readable(on colour) colour {
	black, white := colour{}, colour{0xff, 0xff, 0xff}
	if contrast(black, on) > contrast(white, on) {
		return black
	}
	return white
}

// apart is the colour, made only as much darker or lighter as it takes to have the contrast to all grounds. Its hue stays.
func apart(c colour, least float64, in scheme, grounds ...colour) colour {
	const steps = 256
	lightness, a, b := c.oklab()
	for step := range steps {
		part := float64(step) / steps
		// What nears black or white has ever less room for colour.
		found := fromOklab(lightness+(in.towards-lightness)*part, a*(1-part), b*(1-part))
		if step == 0 {
			found = c
		}
		if enough(found, least, grounds) {
			return found
		}
	}
	return fromOklab(in.towards, 0, 0)
}

func enough(c colour, least float64, grounds []colour) bool {
	for _, ground := range grounds {
		if contrast(c, ground) < least {
			return false
		}
	}
	return true
}

// colour is in sRGB.
type colour struct{ r, g, b uint8 }

// parse reads "#rrggbb" with small letters.
func parse(s string) (c colour, ok bool) {
	if len(s) != len("#rrggbb") || s[0] != '#' {
		return c, false
	}
	for _, digit := range s[1:] {
		if !(digit >= '0' && digit <= '9' || digit >= 'a' && digit <= 'f') {
			return c, false
		}
	}
	n, err := strconv.ParseUint(s[1:], 16, 24)
	return colour{uint8(n >> 16), uint8(n >> 8), uint8(n)}, err == nil
}

// must is parse for what is written here.
func must(s string) colour {
	c, ok := parse(s)
	if !ok {
		panic(s + " is no colour")
	}
	return c
}

func (c colour) String() string { return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b) }

// contrast is WCAG 2.2's contrast ratio, 1 to 21.
func contrast(a, b colour) float64 {
	la, lb := a.luminance(), b.luminance()
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// luminance is WCAG 2.2's relative luminance, 0 to 1.
func (c colour) luminance() float64 {
	return 0.2126*linear(c.r) + 0.7152*linear(c.g) + 0.0722*linear(c.b)
}

// mixed is a with a share of b, as color-mix(in srgb) has it.
func mixed(a, b colour, share float64) colour {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-share) + float64(b)*share)) }
	return colour{mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)}
}

// linear is a channel's light, 0 to 1, by IEC 61966-2-1.
func linear(channel uint8) float64 {
	v := float64(channel) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// gamma is linear's inverse. Light beyond what can be shown is cut off.
func gamma(light float64) uint8 {
	v := light * 12.92
	if light > 0.0031308 {
		v = 1.055*math.Pow(light, 1/2.4) - 0.055
	}
	return uint8(math.Round(255 * min(max(v, 0), 1)))
}

// oklab is the colour in Björn Ottosson's Oklab (2020), in which lightness is as people see it.
func (c colour) oklab() (lightness, a, b float64) {
	red, green, blue := linear(c.r), linear(c.g), linear(c.b)
	l := math.Cbrt(0.4122214708*red + 0.5363325363*green + 0.0514459929*blue)
	m := math.Cbrt(0.2119034982*red + 0.6806995451*green + 0.1073969566*blue)
	s := math.Cbrt(0.0883024619*red + 0.2817188376*green + 0.6299787005*blue)
	return 0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s
}

func fromOklab(lightness, a, b float64) colour {
	cubed := func(v float64) float64 { return v * v * v }
	l := cubed(lightness + 0.3963377774*a + 0.2158037573*b)
	m := cubed(lightness - 0.1055613458*a - 0.0638541728*b)
	s := cubed(lightness - 0.0894841775*a - 1.2914855480*b)
	return colour{
		gamma(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		gamma(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		gamma(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s),
	}
}
