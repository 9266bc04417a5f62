package gallery

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/image/draw"
)

const (
	narrow = 216 // what the picture of a phone is scaled to,
	wide   = 480 // and any other
	gap    = 12
)

// Pair puts a picture in light and the same in dark beside each other, scaled to what a page has room for.
func Pair(light, dark image.Image) image.Image {
	size := scaled(light.Bounds())
	pair := image.NewNRGBA(image.Rect(0, 0, 2*size.X+gap, size.Y)) // what is between them is transparent
	for i, picture := range []image.Image{light, dark} {
		at := image.Rectangle{Max: size}.Add(image.Pt(i*(size.X+gap), 0))
		draw.CatmullRom.Scale(pair, at, picture, picture.Bounds(), draw.Src, nil)
	}
	return pair
}

// scaled is the size of one of the two. Phones have two dots for each pixel, and are held upright.
func scaled(picture image.Rectangle) image.Point {
	width := wide
	if picture.Dx() <= 2*400 && picture.Dy() > picture.Dx() {
		width = narrow
	}
	return image.Pt(width, (picture.Dy()*width+picture.Dx()/2)/picture.Dx())
}

// Write writes the pair of a name as WebP.
func Write(from, to, name string) error {
	var both [2]image.Image
	for i, scheme := range []string{"light", "dark"} {
		file, err := os.Open(filepath.Join(from, name+"-"+scheme+".png"))
		if err != nil {
			return err
		}
		both[i], err = png.Decode(file)
		file.Close()
		if err != nil {
			return fmt.Errorf("%s in %s: %w", name, scheme, err)
		}
	}
	var pair bytes.Buffer
	if err := png.Encode(&pair, Pair(both[0], both[1])); err != nil {
		return err
	}
	encode := exec.Command("cwebp", "-quiet", "-preset", "text", "-q", "15", "-m", "6", "-o", filepath.Join(to, name+".webp"), "--", "-")
	encode.Stdin, encode.Stderr = &pair, os.Stderr
	return encode.Run()
}
