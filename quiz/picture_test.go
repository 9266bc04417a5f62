package quiz

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"
)

// corners is a picture with a different colour in each quarter: red, green, blue, white as one reads.
func corners(w, h int) *image.RGBA {
	drawn := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			drawn.Set(x, y, []color.Color{red, green, blue, white}[x*2/w+y*2/h*2])
		}
	}
	return drawn
}

var (
	red   = color.RGBA{255, 0, 0, 255}
	green = color.RGBA{0, 255, 0, 255}
	blue  = color.RGBA{0, 0, 255, 255}
	white = color.RGBA{255, 255, 255, 255}
)

// quarters reads the colours of corners back: "rgbw" when it is upright.
func quarters(drawn image.Image) string {
	b := drawn.Bounds()
	var seen strings.Builder
	for _, at := range [][2]int{{1, 1}, {3, 1}, {1, 3}, {3, 3}} {
		r, g, b, _ := drawn.At(b.Min.X+b.Dx()*at[0]/4, b.Min.Y+b.Dy()*at[1]/4).RGBA()
		switch most := max(r, g, b); {
		case min(r, g, b) > 0xc000:
			seen.WriteString("w")
		case most == r:
			seen.WriteString("r")
		case most == g:
			seen.WriteString("g")
		default:
			seen.WriteString("b")
		}
	}
	return seen.String()
}

func encoded(t *testing.T, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := encode(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func jpegOf(t *testing.T, drawn image.Image) []byte {
	return encoded(t, func(out *bytes.Buffer) error { return jpeg.Encode(out, drawn, nil) })
}

func pngOf(t *testing.T, drawn image.Image) []byte {
	return encoded(t, func(out *bytes.Buffer) error { return png.Encode(out, drawn) })
}

// photographed is a JPEG as a camera writes it: with Exif that says how it was held, and where.
func photographed(t *testing.T, drawn image.Image, orientation uint16) []byte {
	const entries, secret = 2, "51.5007 N 0.1246 W"
	var exif bytes.Buffer
	exif.WriteString("Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08")
	binary.Write(&exif, binary.BigEndian, uint16(entries))
	binary.Write(&exif, binary.BigEndian, []uint16{0x010e, 2, 0, uint16(len(secret) + 1), 0, 8 + 2 + 12*entries + 4}) // ImageDescription
	binary.Write(&exif, binary.BigEndian, []uint16{0x0112, 3, 0, 1, orientation, 0})
	exif.WriteString("\x00\x00\x00\x00" + secret + "\x00")
	plain := jpegOf(t, drawn)
	var out bytes.Buffer
	out.Write(plain[:2])
	out.WriteString("\xff\xe1")
	binary.Write(&out, binary.BigEndian, uint16(exif.Len()+2))
	out.Write(exif.Bytes())
	out.Write(plain[2:])
	return out.Bytes()
}

func TestPicturesAreTurnedUpright(t *testing.T) {
	// What is seen of a picture whose file holds "rgbw", by orientation: Exif 2.32 names the side of the scene that the file's first row and
	// column are.
	for orientation, want := range []string{1: "rgbw", 2: "grwb", 3: "wbgr", 4: "bwrg", 5: "rbgw", 6: "brwg", 7: "wgbr", 8: "gwrb", 9: "rgbw"} {
		if orientation == 0 {
			continue
		}
		p, err := redraw(photographed(t, corners(64, 32), uint16(orientation)), formats["image/jpeg"])
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := jpeg.Decode(bytes.NewReader(p.bytes))
		if err != nil {
			t.Fatal(err)
		}
		if got := quarters(drawn); got != want {
			t.Errorf("orientation %d is shown as %s, want %s", orientation, got, want)
		}
	}
}

func TestPicturesAreRedrawn(t *testing.T) {
	glass := corners(64, 32)
	glass.Set(0, 0, color.RGBA{})
	noise := image.NewRGBA(image.Rect(0, 0, 800, 600))
	random := rand.NewChaCha8([32]byte{})
	random.Read(noise.Pix)
	for i := 3; i < len(noise.Pix); i += 4 {
		noise.Pix[i] = 255
	}
	animated := &gif.GIF{Delay: []int{1, 1}}
	for range 2 {
		frame := image.NewPaletted(image.Rect(0, 0, 64, 32), color.Palette{red, green})
		animated.Image = append(animated.Image, frame)
	}
	webp, err := base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name          string
		format        string
		original      []byte
		contentType   string
		width, height int
	}{
		{"a photograph", "image/jpeg", jpegOf(t, corners(64, 32)), "image/jpeg", 64, 32},
		{"one held sideways", "image/jpeg", photographed(t, corners(64, 32), 6), "image/jpeg", 32, 64},
		{"a large one", "image/jpeg", jpegOf(t, corners(2000, 1500)), "image/jpeg", 1920, 1440},
		{"a large one held sideways", "image/jpeg", photographed(t, corners(2000, 1500), 8), "image/jpeg", 1440, 1920},
		{"a banner", "image/png", pngOf(t, corners(6000, 2)), "image/png", 1920, 1},
		{"a drawing", "image/png", pngOf(t, corners(64, 32)), "image/png", 64, 32},
		{"one with glass", "image/png", pngOf(t, glass), "image/png", 64, 32},
		{"a photograph saved as a drawing", "image/png", pngOf(t, noise), "image/jpeg", 800, 600},
		{"the first of a moving picture", "image/gif", encoded(t, func(out *bytes.Buffer) error { return gif.EncodeAll(out, animated) }), "image/png", 64, 32},
		{"WebP", "image/webp", webp, "image/png", 1, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := redraw(test.original, formats[test.format])
			if err != nil {
				t.Fatal(err)
			}
			if p.contentType != test.contentType || p.width != test.width || p.height != test.height {
				t.Errorf("became %s of %d × %d, want %s of %d × %d", p.contentType, p.width, p.height, test.contentType, test.width, test.height)
			}
			size, name, err := image.DecodeConfig(bytes.NewReader(p.bytes))
			if err != nil || "image/"+name != p.contentType || size.Width != p.width || size.Height != p.height {
				t.Errorf("the bytes are %s of %d × %d, %v", name, size.Width, size.Height, err)
			}
			for _, left := range []string{"Exif", "51.5007"} {
				if bytes.Contains(p.bytes, []byte(left)) {
					t.Errorf("%q is left of the original", left)
				}
			}
		})
	}
}

func TestNothingIsLeftBehindAPicture(t *testing.T) {
	script := "<script>alert(1)</script>"
	p, err := redraw(append(pngOf(t, corners(8, 8)), script...), formats["image/png"])
	if err != nil || bytes.Contains(p.bytes, []byte(script)) {
		t.Errorf("%v; what stood behind the picture is still there", err)
	}
}

func TestPicturesThatAreNone(t *testing.T) {
	whole := jpegOf(t, corners(64, 32))
	for name, test := range map[string]struct {
		original []byte
		want     error // nil: any
	}{
		"a bomb":        {bomb(30_000, 30_000), errTooManyPixels},
		"a long bomb":   {bomb(1<<31-1, 1), errTooManyPixels},
		"just too many": {bomb(4001, 4000), errTooManyPixels},
		"only a header": {bomb(4000, 4000), nil},
		"cut off":       {whole[:len(whole)/2], nil},
		"nothing":       {nil, nil},
	} {
		_, err := redraw(test.original, map[bool]format{true: formats["image/jpeg"], false: formats["image/png"]}[name == "cut off"])
		if err == nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// bomb is a PNG of a few bytes that says it has w × h pixels.
func bomb(w, h uint32) []byte { return bombOf(w, h, 8, 0) }

func bombOf(w, h uint32, depth, interlaced byte) []byte {
	header := binary.BigEndian.AppendUint32([]byte("IHDR"), w)
	header = binary.BigEndian.AppendUint32(header, h)
	header = append(header, depth, 6, 0, 0, interlaced)
	file := binary.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), uint32(len(header)-4))
	file = append(file, header...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(header))
}

func FuzzRedraw(f *testing.F) {
	f.Add("image/png", bomb(8, 8))
	f.Add("image/jpeg", []byte("\xff\xd8\xff\xe1\x00\x08Exif\x00\x00"))
	f.Add("image/gif", []byte("GIF89a"))
	f.Add("image/webp", []byte("RIFF\x1a\x00\x00\x00WEBPVP8L"))
	f.Fuzz(func(t *testing.T, name string, original []byte) {
		if known, ok := formats[name]; ok {
			if p, err := redraw(original, known); err == nil && (p.width < 1 || p.width > maxSide || p.height < 1 || p.height > maxSide) {
				t.Errorf("a picture of %d × %d", p.width, p.height)
			}
		}
	})
}
