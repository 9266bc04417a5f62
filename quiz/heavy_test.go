package quiz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/image/draw"
)

// grey is a JPEG of nothing but zeros: as large as it says, in as few bytes as can be. Each of the components, given by their sampling factors
// ("22 11 11"), comes in a scan of its own.
type grey struct {
	sof     byte
	w, h    int
	factors []byte
	adobe   []byte // colours, as APP14 gives them; empty: not said
	filled  int    // bytes of 0xff before each marker
	again   int    // scans of the first component, on top
}

func jpegSegment(marker byte, content ...byte) []byte {
	return append([]byte{0xff, marker, byte((len(content) + 2) >> 8), byte(len(content) + 2)}, content...)
}

func (g grey) file() []byte {
	fill := bytes.Repeat([]byte{0xff}, g.filled)
	out := []byte("\xff\xd8")
	write := func(marker byte, content ...byte) {
		out = append(append(out, fill...), jpegSegment(marker, content...)...)
	}
	if len(g.adobe) > 0 {
		write(jpegAPP14, append([]byte("Adobe\x00\x64\x00\x00\x00\x00"), g.adobe...)...)
	}
	write(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	frame := []byte{8, byte(g.h >> 8), byte(g.h), byte(g.w >> 8), byte(g.w), byte(len(g.factors))}
	for i, factors := range g.factors {
		frame = append(frame, byte(i+1), factors, 0)
	}
	write(g.sof, frame...)
	for class := range byte(2) { // one code: nothing differs, the block ends
		write(0xc4, append([]byte{class << 4, 1}, make([]byte, 16)...)...)
	}
	across, down := int(g.factors[0]>>4), int(g.factors[0]&15)
	scan := func(i int) {
		h, v := int(g.factors[i]>>4), int(g.factors[i]&15)
		blocks := ((g.w*h+across-1)/across + 7) / 8 * (((g.h*v+down-1)/down + 7) / 8)
		spectrum, bits := byte(63), 2*blocks
		if g.sof == jpegSOF2 {
			spectrum, bits = 0, blocks
		}
		write(jpegSOS, 1, byte(i+1), 0, 0, spectrum, 0)
		out = append(out, make([]byte, (bits+7)/8)...)
	}
	for i := range g.factors {
		scan(i)
	}
	for range g.again {
		scan(0)
	}
	return append(append(out, fill...), 0xff, jpegEOI)
}

var (
	mono  = []byte{0x11}
	full  = []byte{0x11, 0x11, 0x11}
	phone = []byte{0x22, 0x11, 0x11} // one colour for four pixels
	inks  = []byte{0x11, 0x11, 0x11, 0x11}
)

// inserted is a JPEG with something right after its beginning.
func inserted(file []byte, what ...byte) []byte { return slices.Insert(slices.Clone(file), 2, what...) }

// drawing16 is a PNG of 16 bits a channel, and passes one whose rows come in passes: both only as far as that is said.
func drawing16(w, h uint32) []byte { return bombOf(w, h, 16, 0) }
func passes(w, h uint32) []byte    { return bombOf(w, h, 8, 1) }

func TestHeavyPictures(t *testing.T) {
	scans := bytes.Repeat(jpegSegment(jpegSOS, 1, 1, 0, 0, 0, 0), 100)
	for _, test := range []struct {
		name, format string
		original     []byte
		heavy        bool
	}{
		{"progressive inks", "jpeg", grey{sof: jpegSOF2, w: 4000, h: 4000, factors: inks, adobe: []byte{2}}.file(), true},
		{"few progressive inks", "jpeg", grey{sof: jpegSOF2, w: 80, h: 80, factors: inks, adobe: []byte{2}}.file(), true},
		{"progressive, full colours", "jpeg", grey{sof: jpegSOF2, w: 4000, h: 4000, factors: full}.file(), true},
		{"progressive, of a telephone", "jpeg", grey{sof: jpegSOF2, w: 4000, h: 4000, factors: phone}.file(), true},
		{"progressive, in narrow blocks", "jpeg", grey{sof: jpegSOF2, w: 65535, h: 1, factors: []byte{0x42, 0x42, 0x42}}.file(), false},
		{"behind fill bytes", "jpeg", grey{sof: jpegSOF2, w: 4000, h: 4000, factors: full, filled: 3}.file(), true},
		{"behind a comment with a small one", "jpeg", inserted(grey{sof: jpegSOF2, w: 4000, h: 4000, factors: full}.file(),
			jpegSegment(0xfe, grey{sof: jpegSOF0, w: 8, h: 8, factors: full}.file()...)...), true},
		{"followed by a small frame", "jpeg", append(bytes.TrimSuffix(grey{sof: jpegSOF2, w: 4000, h: 4000, factors: full}.file(), []byte("\xff\xd9")),
			jpegSegment(jpegSOF0, 8, 0, 8, 0, 8, 1, 1, 0x11, 0)...), true},
		{"inks", "jpeg", grey{sof: jpegSOF0, w: 4000, h: 4000, factors: inks, adobe: []byte{2}}.file(), true},
		{"red, green and blue", "jpeg", grey{sof: jpegSOF0, w: 4000, h: 4000, factors: full, adobe: []byte{0}}.file(), true},
		{"ordinary", "jpeg", grey{sof: jpegSOF0, w: 4000, h: 4000, factors: full}.file(), false},
		{"ordinary, of Adobe", "jpeg", grey{sof: jpegSOF1, w: 4000, h: 4000, factors: full, adobe: []byte{1}}.file(), false},
		{"progressive, of 12 megapixels", "jpeg", grey{sof: jpegSOF2, w: 4032, h: 3024, factors: phone}.file(), false},
		{"progressive without colours", "jpeg", grey{sof: jpegSOF2, w: 4000, h: 4000, factors: mono}.file(), false},
		{"a scan too many", "jpeg", grey{sof: jpegSOF2, w: 8, h: 8, factors: full, again: maxScans - 2}.file(), true},
		{"as many scans as there may be", "jpeg", grey{sof: jpegSOF2, w: 8, h: 8, factors: mono, again: maxScans - 1}.file(), false},
		{"many scans behind fill bytes", "jpeg", grey{sof: jpegSOF2, w: 8, h: 8, factors: full, again: 100, filled: 5}.file(), true},
		{"an ordinary one twice over", "jpeg", grey{sof: jpegSOF0, w: 8, h: 8, factors: full, again: 1}.file(), true},
		{"scans behind its end", "jpeg", append(grey{sof: jpegSOF2, w: 8, h: 8, factors: full}.file(), scans...), false},
		{"scans in its thumbnail", "jpeg", inserted(grey{sof: jpegSOF2, w: 8, h: 8, factors: full}.file(), jpegSegment(0xe1, scans...)...), false},
		{"scans that are none", "jpeg", inserted(grey{sof: jpegSOF0, w: 8, h: 8, factors: full}.file(), bytes.Repeat([]byte("\xff\xd0\xff\x00\xda\x00\x02"), 100)...), false},
		{"an ordinary drawing", "png", bomb(4000, 4000), false},
		{"one of 16 bits", "png", drawing16(4000, 4000), true},
		{"a small one of 16 bits", "png", drawing16(1920, 1080), false},
		{"one in passes", "png", passes(4000, 4000), true},
		{"a small one in passes", "png", passes(1920, 1080), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := formats["image/"+test.format]
			size, err := f.size(bytes.NewReader(test.original))
			if err != nil {
				t.Fatal(err)
			}
			if got := f.heavy(test.original, size.Width*size.Height); got != test.heavy {
				t.Fatalf("heavy: %v, want %v", got, test.heavy)
			}
			if !test.heavy {
				return
			}
			if _, err := redraw(test.original, f); !errors.Is(err, errTooHeavy) {
				t.Errorf("redrawn: %v", err)
			}
		})
	}
}

// TestWhatRedrawingTakes: beside what decoding takes, which heavy.go bounds, redrawing takes little, however large a picture is.
func TestWhatRedrawingTakes(t *testing.T) {
	const w, h, beside = 4000, 600, 32 << 20
	for _, test := range []struct {
		name, format string
		original     []byte
		each         float64 // bytes of a pixel that is decoded
	}{
		{"ordinary", "jpeg", grey{sof: jpegSOF0, w: w, h: h, factors: full}.file(), 3},
		{"inks", "jpeg", grey{sof: jpegSOF0, w: w, h: h, factors: inks, adobe: []byte{2}}.file(), 8},
		{"progressive", "jpeg", grey{sof: jpegSOF2, w: w, h: h, factors: phone}.file(), 7.6},
		{"progressive, full colours", "jpeg", grey{sof: jpegSOF2, w: w, h: h, factors: full}.file(), 15},
		{"a drawing", "png", encoded(t, func(out *bytes.Buffer) error { return png.Encode(out, image.NewNRGBA(image.Rect(0, 0, w, h))) }), 4},
		{"a drawing of 16 bits", "png", encoded(t, func(out *bytes.Buffer) error { return png.Encode(out, image.NewNRGBA64(image.Rect(0, 0, w, h))) }), 8},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := redraw(test.original, formats["image/"+test.format]); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			if took, most := after.TotalAlloc-before.TotalAlloc, uint64(test.each*w*h+beside); took > most {
				t.Errorf("%d kB took %d MB, want %d at most", len(test.original)>>10, took>>20, most>>20)
			}
		})
	}
}

// TestShrinkingInStrips: no seams are where strips meet.
func TestShrinkingInStrips(t *testing.T) {
	random := rand.NewChaCha8([32]byte{})
	for _, size := range []image.Point{{2500, 130}, {70, 2500}} {
		original := image.NewRGBA(image.Rectangle{Min: image.Pt(10, 20), Max: size.Add(image.Pt(10, 20))})
		random.Read(original.Pix)
		for i, v := range original.Pix {
			if original.Pix[i] = 255; i%4 != 3 {
				original.Pix[i] = 96 + v/4 // the kernel goes beyond black and white, where two steps do not end as one does
			}
		}
		got := shrunk(original)
		want := image.NewRGBA(got.Rect)
		draw.CatmullRom.Scale(want, want.Rect, original, original.Rect, draw.Src, nil)
		for i := range want.Pix {
			if off := int(got.Pix[i]) - int(want.Pix[i]); off < -2 || off > 2 {
				t.Fatalf("%v: at %d, %d is %d, want %d", size, i/4%got.Rect.Dx(), i/4/got.Rect.Dx(), got.Pix[i], want.Pix[i])
			}
		}
	}
}

// FuzzHeavy: whatever is no JPEG ends the walk, and what one claims is what decoding it takes.
func FuzzHeavy(f *testing.F) {
	f.Add(grey{sof: jpegSOF2, w: 9, h: 9, factors: phone, filled: 1}.file())
	f.Add(grey{sof: jpegSOF0, w: 9, h: 9, factors: inks, adobe: []byte{0}}.file())
	f.Add([]byte("\xff\xd8\xff\xff\xff"))
	f.Add(binary.BigEndian.AppendUint32(nil, 0xffd8ffc2))
	f.Fuzz(func(t *testing.T, original []byte) {
		size, err := jpeg.DecodeConfig(bytes.NewReader(original))
		if pixels := size.Width * size.Height; heavyJPEG(original, pixels) || err != nil || pixels > maxPixels {
			return
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = jpeg.Decode(bytes.NewReader(original))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > maxDecoded+1<<20 {
			t.Errorf("%d bytes took %d", len(original), took)
		}
	})
}
