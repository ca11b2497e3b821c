package vector

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"orrery/views/scene"
)

var hostile = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, 1e9, -1e9, 0, -1, 5, 33.3, 1e-300}

// Nothing may panic, and both files stay sound, whatever the coordinates.
func TestHostileCoordinates(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	v := func() float64 { return hostile[rng.IntN(len(hostile))] }
	at := func() scene.Point { return scene.Point{X: v(), Y: v()} }
	one := color.NRGBA{255, 255, 255, 200}
	im := image.NewRGBA(image.Rect(0, 0, 9, 7))
	for i := range 120 {
		var p scene.Path
		p.Ops = append(p.Ops, scene.Op(rng.IntN(4)))
		p.Move(v(), v())
		p.Line(v(), v())
		p.Cubic(v(), v(), v(), v(), v(), v())
		if i%2 == 0 {
			p.Close()
			p.Line(v(), v())
		}
		d := scene.Drawing{Size: scene.Size{W: 32, H: 24}, Background: color.NRGBA{A: uint8(i)}}
		d.Add(scene.Fill{Path: p, Color: one}, scene.Fill{Path: scene.Box(scene.Rect{Min: at(), Max: at()}), Color: one},
			scene.Stroke{Path: p, Width: v(), Color: one}, scene.Stroke{Path: p, Width: 2, Color: one,
				Dash: []float64{v(), v()}},
			scene.Curves{Points: []scene.Point{at(), at(), at(), at()}, Starts: []int{0, 2},
				Colors: []color.NRGBA{one, {}, {1, 2, 3, 255}, {4, 5, 6, 7}}, Width: 1.5},
			scene.Curves{Points: []scene.Point{at(), at()}, Starts: []int{0, 7, -2},
				Colors: []color.NRGBA{one, one}, Width: v()},
			scene.Discs{Centers: []scene.Point{at(), at()}, Radii: []float64{v()}, Colors: []color.NRGBA{one}},
			scene.Discs{Centers: []scene.Point{at()}},
			scene.Boxes{Rects: []scene.Rect{{Min: at(), Max: at()}, {Min: at(), Max: at()}}, Colors: []color.NRGBA{one}},
			scene.Boxes{Rects: []scene.Rect{{Min: at(), Max: at()}}},
			scene.Glow{Center: at(), Inner: v(), Outer: v(), Color: one}, scene.Image{At: scene.Rect{Min: at(), Max: at()},
				Pixels: im}, scene.Image{},
			scene.Text{At: at(), Face: scene.Face(rng.IntN(5)), Size: v(), Align: v(), Color: one, Max: v(),
				S: fmt.Sprint(i, "\x00\xff\n")},
			scene.Group{Clip: scene.Rect{Min: at(), Max: at()}, Shapes: []scene.Shape{scene.Fill{Path: p, Color: one}}})
		doc := SVG(d)
		parse(t, doc)
		if bytes.Contains(doc, []byte("NaN")) || bytes.Contains(doc, []byte("Inf")) {
			t.Fatalf("a number that is none:\n%s", doc)
		}
		file, err := PDF(d)
		if err != nil {
			t.Fatal(err)
		}
		open(t, file).walk(t, func(string, []float64) {})
	}
	for _, s := range hostile {
		d := scene.Drawing{Size: scene.Size{W: s, H: 3}}
		parse(t, SVG(d))
		if _, err := PDF(d); err != nil && s < largest {
			t.Errorf("width %v: %v", s, err)
		}
	}
}
