package quiz

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"github.com/bep/imagemeta"
	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"
	"golang.org/x/image/webp"
)

const (
	maxPixels    = 16_000_000 // of an uploaded picture. heavy.go says what else one may be, so that redrawing takes about 150 MB at most
	maxSide      = 1920       // pixels of a stored picture: a television shows no more
	jpegQuality  = 85
	losslessSize = 1 << 20 // a drawing stays without loss up to this size
)

// format is how a kind of picture file is read.
type format struct {
	size     func(io.Reader) (image.Config, error)
	decode   func(io.Reader) (image.Image, error)
	heavy    func(original []byte, pixels int) bool // tells what takes too much to decode, though it has no more than maxPixels; nil: nothing does
	lossless bool
	metadata imagemeta.ImageFormat // where cameras say which way is up; 0 where they write no such files
}

var formats = map[string]format{
	"image/jpeg": {size: jpeg.DecodeConfig, decode: jpeg.Decode, heavy: heavyJPEG, metadata: imagemeta.JPEG},
	"image/png":  {size: png.DecodeConfig, decode: png.Decode, heavy: heavyPNG, lossless: true, metadata: imagemeta.PNG},
	"image/gif":  {size: gif.DecodeConfig, decode: gif.Decode, lossless: true},
	"image/webp": {size: webp.DecodeConfig, decode: webp.Decode, metadata: imagemeta.WebP},
}

// picture is a picture as it is stored: redrawn by us, so that nothing is left of the file it came in but what it shows.
type picture struct {
	contentType   string
	bytes         []byte
	width, height int
}

var (
	errTooManyPixels = errors.New("too many pixels")
	errTooHeavy      = errors.New("too much to decode")
)

// redraw decodes a picture, turns it the right way up, makes it no larger than a television and encodes it again. What
// that takes is told before it is decoded: a few bytes can claim to be a picture that fills the memory.
func redraw(original []byte, f format) (picture, error) {
	size, err := f.size(bytes.NewReader(original))
	if err != nil {
		return picture{}, fmt.Errorf("reading the picture's size: %w", err)
	}
	if size.Width*size.Height > maxPixels {
		return picture{}, errTooManyPixels
	}
	if f.heavy != nil && f.heavy(original, size.Width*size.Height) {
		return picture{}, errTooHeavy
	}
	decoded, err := f.decode(bytes.NewReader(original))
	if err != nil {
		return picture{}, fmt.Errorf("decoding the picture: %w", err)
	}
	drawn := upright(shrunk(decoded), orientation(original, f.metadata))
	if !drawn.Opaque() {
		return encodePNG(drawn)
	}
	if f.lossless {
		if p, err := encodePNG(drawn); err != nil || len(p.bytes) <= losslessSize {
			return p, err
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, drawn, &jpeg.Options{Quality: jpegQuality}); err != nil {
		return picture{}, fmt.Errorf("encoding the picture: %w", err)
	}
	return picture{"image/jpeg", out.Bytes(), drawn.Rect.Dx(), drawn.Rect.Dy()}, nil
}

func encodePNG(drawn *image.RGBA) (picture, error) {
	var out bytes.Buffer
	if err := png.Encode(&out, drawn); err != nil {
		return picture{}, fmt.Errorf("encoding the picture: %w", err)
	}
	return picture{"image/png", out.Bytes(), drawn.Rect.Dx(), drawn.Rect.Dy()}, nil
}

// shrunk draws a picture with neither side longer than maxSide. It shrinks one way after the other, a strip at a time, since all at once takes 32
// bytes for each pixel in between. The result is the same: along a strip's other side nothing is shrunk, which leaves pixels as they are.
func shrunk(original image.Image) *image.RGBA {
	bounds := original.Bounds()
	w, h := bounds.Dx(), bounds.Dy()
	if longer := max(w, h); longer > maxSide {
		w, h = max(1, w*maxSide/longer), max(1, h*maxSide/longer)
	}
	drawn := image.NewRGBA(image.Rect(0, 0, w, h))
	if w == bounds.Dx() && h == bounds.Dy() {
		draw.Draw(drawn, drawn.Rect, original, bounds.Min, draw.Src)
		return drawn
	}
	narrow := image.NewRGBA(image.Rect(0, 0, w, bounds.Dy()))
	const most = 16
	strip := min(most, bounds.Dy())
	across := draw.CatmullRom.NewScaler(w, strip, bounds.Dx(), strip)
	for y := 0; y < bounds.Dy(); y += strip {
		top := min(y, bounds.Dy()-strip)
		from := image.Rect(0, top, bounds.Dx(), top+strip).Add(bounds.Min)
		across.Scale(narrow, image.Rect(0, top, w, top+strip), original, from, draw.Src, nil)
	}
	strip = min(most, w)
	down := draw.CatmullRom.NewScaler(strip, h, strip, bounds.Dy())
	for x := 0; x < w; x += strip {
		left := min(x, w-strip)
		down.Scale(drawn, image.Rect(left, 0, left+strip, h), narrow, image.Rect(left, 0, left+strip, bounds.Dy()), draw.Src, nil)
	}
	return drawn
}

// orientation reads how the camera was held, 1 to 8 as Exif 2.32 numbers it (4.6.4, tag 0x0112). Where nothing sensible
// is said, the picture is upright.
func orientation(original []byte, in imagemeta.ImageFormat) int {
	if in == 0 {
		return 1
	}
	const tag = "Orientation"
	found := 1
	_, err := imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(original), ImageFormat: in, Sources: imagemeta.EXIF,
		ShouldHandleTag: func(t imagemeta.TagInfo) bool { return t.Tag == tag && t.Namespace == "IFD0" },
		HandleTag: func(t imagemeta.TagInfo) error {
			if o, ok := t.Value.(uint16); ok && o >= 1 && o <= 8 {
				found = int(o)
			}
			return nil
		},
	})
	if err != nil {
		return 1 // broken metadata do not make a broken picture
	}
	return found
}

// upright turns and mirrors a picture that was stored in one of Exif's eight orientations.
func upright(stored *image.RGBA, orientation int) *image.RGBA {
	w, h := float64(stored.Rect.Dx()), float64(stored.Rect.Dy())
	turn := [...]f64.Aff3{ // where a stored point (x, y) belongs, by orientation
		2: {-1, 0, w, 0, 1, 0},
		3: {-1, 0, w, 0, -1, h},
		4: {1, 0, 0, 0, -1, h},
		5: {0, 1, 0, 1, 0, 0},
		6: {0, -1, h, 1, 0, 0},
		7: {0, -1, h, -1, 0, w},
		8: {0, 1, 0, -1, 0, w},
	}
	if orientation < 2 {
		return stored
	}
	size := stored.Rect
	if orientation >= 5 {
		size = image.Rect(0, 0, size.Dy(), size.Dx())
	}
	turned := image.NewRGBA(size)
	draw.NearestNeighbor.Transform(turned, turn[orientation], stored, stored.Rect, draw.Src, nil)
	return turned
}
