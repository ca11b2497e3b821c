package raster

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"testing"

	"orrery/views/scene"
)

var update = flag.Bool("update", false, "write the golden files anew")

// every is a picture with each kind of shape.
func every() scene.Drawing {
	d := scene.Drawing{Size: scene.Size{W: 160, H: 100}, Background: color.NRGBA{25, 29, 36, 255}}
	blue, amber := color.NRGBA{75, 184, 254, 255}, color.NRGBA{244, 185, 66, 180}
	im := image.NewRGBA(image.Rect(0, 0, 20, 12))
	for i := range im.Pix {
		im.Pix[i] = uint8(i*7%200) | 255*uint8(i%4/3)
	}
	d.Add(scene.Glow{Center: scene.Point{X: 120, Y: 30}, Outer: 28, Color: amber},
		scene.Glow{Center: scene.Point{X: 40, Y: 50}, Inner: 10, Outer: 30, Color: blue},
		scene.Fill{Path: scene.RoundBox(scene.R(6, 6, 50, 24), 5), Color: blue}, scene.Stroke{Path: scene.Circle(120, 30, 20),
			Width: 1.5, Color: amber, Dash: []float64{5, 3}},
		scene.Curves{Points: []scene.Point{{X: 10, Y: 90}, {X: 40, Y: 50}, {X: 60, Y: 88}, {X: 90, Y: 40}}, Starts: []int{0},
			Colors: []color.NRGBA{amber}, Width: 4},
		scene.Discs{Centers: []scene.Point{{X: 100.3, Y: 80}, {X: 108, Y: 80.5}, {X: 118, Y: 80}},
			Radii: []float64{0.6, 2, 5}, Colors: []color.NRGBA{blue}},
		scene.Image{At: scene.R(130, 70, 20, 12), Pixels: im}, scene.Text{At: scene.Point{X: 10, Y: 22}, Face: scene.Bold,
			Size: 12, Color: color.NRGBA{A: 255}, S: "turns 6.0"},
		scene.Group{Clip: scene.R(70, 4, 26, 14), Shapes: []scene.Shape{scene.Text{At: scene.Point{X: 66, Y: 15},
			Face: scene.Mono, Size: 11, Color: blue, S: "a[j + 1]"}}})
	return d
}

// Compared are size, colour and alpha, each channel within 2: architectures that fuse multiplication and addition round
// differently.
func TestGoldenPictures(t *testing.T) {
	clear := every()
	clear.Background = color.NRGBA{}
	for name, got := range map[string]*image.RGBA{"every": Render(every(), 1, nil), "every-2x": Render(every(), 2, nil),
		"transparent": Render(clear, 1, nil)} {
		file := "testdata/" + name
		if *update {
			save(t, file+".png", got)
			continue
		}
		want := load(t, file+".png")
		diff := image.NewGray(got.Rect)
		worst := 0
		if want != nil && want.Rect == got.Rect {
			for i := range got.Pix {
				d := max(int(got.Pix[i]), int(want.Pix[i])) - min(int(got.Pix[i]), int(want.Pix[i]))
				worst = max(worst, d)
				diff.Pix[i/4] = max(diff.Pix[i/4], uint8(min(255, 8*d)))
			}
			if worst <= 2 {
				continue
			}
		}
		save(t, file+".got.png", got)
		save(t, file+".diff.png", diff)
		t.Errorf("%s.png differs by up to %d (or in size: got %v); look at %s.got.png and .diff.png, then: go test "+
			"./views/raster -run Golden -update", file, worst, got.Rect.Size(), file)
	}
}

func save(t *testing.T, file string, im image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, im); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// load reads a picture; a missing or unreadable one is nil, which equals nothing.
func load(t *testing.T, file string) *image.RGBA {
	t.Helper()
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
