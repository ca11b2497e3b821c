package golden

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// Picture fails the test when a picture is not the one that was kept under this name: another size, or a channel, alpha
// included, that is off by more than tolerance. It prints how many pixels differ and the box that they lie in, and
// leaves the new picture and the difference beside the golden file.
func Picture(t *testing.T, name string, got *image.RGBA, tolerance int) {
	t.Helper()
	file := filepath.Join("testdata", name+".png")
	if *update {
		write(t, file, encode(t, got))
		return
	}
	difference, diff := pixels(read(file), got, tolerance)
	if difference == "" {
		return
	}
	write(t, filepath.Join("testdata", name+".diff.png"), encode(t, diff))
	differs(t, file, ".png", encode(t, got), difference)
}

func encode(t *testing.T, im image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, im); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// read reads a picture; a missing or unreadable one is nil.
func read(file string) *image.RGBA {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	im, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	out := image.NewRGBA(im.Bounds())
	draw.Draw(out, out.Rect, im, im.Bounds().Min, draw.Src)
	return out
}
