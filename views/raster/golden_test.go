package raster

import (
	"image"
	"image/color"
	"testing"

	"orrery/views/golden"
	"orrery/views/scene"
)

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

// Channels may be off by 2: architectures that fuse multiplication and addition round differently.
func TestGoldenPictures(t *testing.T) {
	clear := every()
	clear.Background = color.NRGBA{}
	golden.Picture(t, "every", Render(every(), 1, nil), 2)
	golden.Picture(t, "every-2x", Render(every(), 2, nil), 2)
	golden.Picture(t, "transparent", Render(clear, 1, nil), 2)
}
