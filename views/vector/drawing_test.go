package vector

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"

	"orrery/views/scene"
)

// every is a small drawing with each type of shape and each way to draw it.
func every() scene.Drawing {
	d := scene.Drawing{Size: scene.Size{W: 240, H: 160, Scale: 1}, Background: color.NRGBA{18, 21, 26, 255}}
	red, blue, pale := color.NRGBA{220, 60, 50, 255}, color.NRGBA{60, 90, 230, 255}, color.NRGBA{250, 240, 200, 128}
	var open scene.Path
	open.Move(10, 10)
	open.Cubic(20, 5, 30.125, 15, 40, 10)
	open.Line(45, 20)
	pixels := image.NewRGBA(image.Rect(0, 0, 3, 2))
	for i := range pixels.Pix {
		pixels.Pix[i] = uint8(20 * (i % 4))
		if i%4 == 3 {
			pixels.Pix[i] = uint8(60 + 30*(i/4))
		}
	}
	p := func(v ...float64) (out []scene.Point) {
		for i := 0; i < len(v); i += 2 {
			out = append(out, scene.Point{X: v[i], Y: v[i+1]})
		}
		return out
	}
	d.Add(
		scene.Fill{Path: scene.RoundBox(scene.R(4, 4, 60, 30), 4), Color: color.NRGBA{40, 44, 52, 255}},
		scene.Stroke{Path: open, Width: 1.5, Color: pale},
		scene.Stroke{Path: scene.Segment(4, 40, 64, 40), Width: 0.75, Color: blue, Dash: []float64{4, 2.5}},
		scene.Curves{Points: p(70, 10, 80, 20, 90, 10, 100, 20, 70, 30, 80, 30), Starts: []int{0, 4},
			Colors: []color.NRGBA{red, red, blue, blue, blue, blue}, Width: 2},
		scene.Curves{Points: p(70, 40, 80, 50, 90, 40), Starts: []int{0}, Colors: []color.NRGBA{pale}, Width: 3},
		scene.Curves{Points: p(100, 40, 110, 50, 120, 40), Starts: []int{0}, Colors: []color.NRGBA{pale, pale,
			{250, 0, 0, 128}}, Width: 3},
		scene.Curves{Points: p(130, 40, 140, 50, 150, 40), Starts: []int{0}, Colors: []color.NRGBA{pale, pale,
			{250, 0, 0, 40}}, Width: 3},
		scene.Discs{Centers: p(20, 60, 30, 60, 40, 60), Radii: []float64{3, 4, 5}, Colors: []color.NRGBA{red, red, pale}},
		scene.Glow{Center: scene.Point{X: 180, Y: 40}, Outer: 30, Color: color.NRGBA{255, 170, 60, 140}},
		scene.Glow{Center: scene.Point{X: 180, Y: 110}, Inner: 20, Outer: 40, Color: color.NRGBA{90, 200, 255, 200}},
		scene.Glow{Center: scene.Point{X: 220, Y: 40}, Outer: 10, Color: color.NRGBA{255, 170, 60, 140}},
		scene.Image{At: scene.R(10, 80, 30, 20), Pixels: pixels, Name: "three <by> two"},
		scene.Text{At: scene.Point{X: 10, Y: 120}, Size: 11, Color: pale, S: "a < b && \"c\"\x00\tend"},
		scene.Text{At: scene.Point{X: 110, Y: 120}, Face: scene.Bold, Size: 12, Color: red, Align: 0.5, S: "Middle"},
		scene.Text{At: scene.Point{X: 110, Y: 134}, Face: scene.Mono, Size: 10, Color: red, Align: 1, S: "  for (;;)"},
		scene.Text{At: scene.Point{X: 110, Y: 148}, Size: 10, Color: red, Align: 0.25, Max: 40,
			S: "far too long for its room"},
		scene.Group{Clip: scene.R(50, 70, 40, 30), Shapes: []scene.Shape{
			scene.Fill{Path: scene.Circle(50, 70, 20), Color: blue},
			scene.Group{Clip: scene.R(60, 80, 10, 10),
				Shapes: []scene.Shape{scene.Fill{Path: scene.Box(scene.R(0, 0, 240, 160)), Color: pale}}},
		}},
	)
	return d
}

// crowd is a random drawing of n points of curves and a quarter as many discs, with a few of all other shapes.
func crowd(seed uint64, n int) scene.Drawing {
	rng := rand.New(rand.NewPCG(seed, 8))
	d := scene.Drawing{Size: scene.Size{W: 640, H: 400, Scale: 1}, Background: color.NRGBA{18, 21, 26, 255}}
	ink := func() color.NRGBA {
		c := color.NRGBA{uint8(rng.IntN(4) * 80), uint8(rng.IntN(4) * 80), 90, 255}
		if rng.IntN(4) == 0 {
			c.A = uint8(rng.IntN(256))
		}
		return c
	}
	point := func() scene.Point { return scene.Point{X: rng.Float64()*700 - 30, Y: rng.Float64()*460 - 30} }
	curves, discs := scene.Curves{Width: 1.5}, scene.Discs{}
	c := ink()
	for i := range n {
		p := point()
		if rng.IntN(9) == 0 || i == 0 {
			curves.Starts = append(curves.Starts, i)
			c = ink()
		} else {
			q := curves.Points[i-1]
			p = scene.Point{X: q.X + rng.Float64()*24 - 12, Y: q.Y + rng.Float64()*24 - 12}
		}
		if rng.IntN(3) == 0 {
			c.R = uint8(rng.IntN(256))
		}
		curves.Points, curves.Colors = append(curves.Points, p), append(curves.Colors, c)
	}
	for range n / 4 {
		discs.Centers, discs.Radii, discs.Colors = append(discs.Centers, point()), append(discs.Radii, 0.3+rng.Float64()*4),
			append(discs.Colors, ink())
	}
	d.Add(curves, discs)
	for range 20 {
		var path scene.Path
		a, b := point(), point()
		path.Move(a.X, a.Y)
		path.Line(b.X, b.Y)
		path.Cubic(point().X, a.Y, b.X, point().Y, a.X+9, a.Y)
		if rng.IntN(2) == 0 {
			path.Close()
		}
		d.Add(scene.Fill{Path: path, Color: ink()}, scene.Stroke{Path: path, Width: rng.Float64() * 3, Color: ink()},
			scene.Text{At: point(), Face: scene.Face(rng.IntN(3)), Size: 11, Color: ink(), Align: rng.Float64(), S: "reference"})
	}
	return d
}

// at2 is v as the files keep it, with two decimals.
func at2(v float64) float64 { return math.Round(v*100) / 100 }
