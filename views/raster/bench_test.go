package raster

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fogleman/gg"

	"orrery/views/scene"
)

func manyDiscs(n int, r float64) scene.Drawing {
	rng := rand.New(rand.NewPCG(1, 1))
	s := scene.Discs{Radii: []float64{r}}
	for range n {
		s.Centers = append(s.Centers, scene.Point{X: rng.Float64() * 1280, Y: rng.Float64() * 800})
		s.Colors = append(s.Colors, color.NRGBA{uint8(rng.IntN(256)), 200, 90, 255})
	}
	return scene.Drawing{Size: scene.Size{W: 1280, H: 800, Scale: 1}, Background: color.NRGBA{18, 21, 26, 255},
		Shapes: []scene.Shape{s}}
}

func manySegments(n int, length, width float64) scene.Drawing {
	rng := rand.New(rand.NewPCG(1, 1))
	s := scene.Curves{Width: width}
	x, y, a := 640.0, 400.0, 0.0
	for i := range n {
		if i%500 == 0 {
			s.Starts = append(s.Starts, len(s.Points))
			x, y = rng.Float64()*1280, rng.Float64()*800
		}
		a += rng.Float64() - 0.5
		x, y = x+length*math.Cos(a), y+length*math.Sin(a)
		s.Points = append(s.Points, scene.Point{X: x, Y: y})
		s.Colors = append(s.Colors, color.NRGBA{uint8(rng.IntN(256)), 200, 90, 255})
	}
	return scene.Drawing{Size: scene.Size{W: 1280, H: 800, Scale: 1}, Background: color.NRGBA{18, 21, 26, 255},
		Shapes: []scene.Shape{s}}
}

func benchmark(b *testing.B, d scene.Drawing) {
	im := Render(d, 1, nil)
	b.ReportAllocs()
	for b.Loop() {
		im = Render(d, 1, im)
	}
}

func BenchmarkEmpty(b *testing.B) {
	benchmark(b, scene.Drawing{Size: scene.Size{W: 1280, H: 800}, Background: one})
}
func BenchmarkDiscs10000(b *testing.B)          { benchmark(b, manyDiscs(10000, 3)) }
func BenchmarkDiscs100000(b *testing.B)         { benchmark(b, manyDiscs(100000, 2)) }
func BenchmarkDiscs500Large(b *testing.B)       { benchmark(b, manyDiscs(500, 20)) }
func BenchmarkGlyphs20000(b *testing.B)         { benchmark(b, manyDiscs(20000, 1.4)) }
func BenchmarkSegments10000(b *testing.B)       { benchmark(b, manySegments(10000, 10, 1.5)) }
func BenchmarkSegments10000Wide(b *testing.B)   { benchmark(b, manySegments(10000, 10, 4)) }
func BenchmarkSegments100000Short(b *testing.B) { benchmark(b, manySegments(100000, 3, 1.2)) }
func BenchmarkGlow(b *testing.B) {
	d := manyDiscs(0, 0)
	d.Add(scene.Glow{Center: scene.Point{X: 640, Y: 400}, Outer: 400, Color: color.NRGBA{200, 80, 60, 90}})
	benchmark(b, d)
}
func BenchmarkText1000(b *testing.B) {
	d := manyDiscs(0, 0)
	for i := range 1000 {
		d.Add(scene.Text{At: scene.Point{X: float64(i%5) * 250, Y: float64(i/5) * 4}, Face: scene.Mono, Size: 11, Color: one,
			S: "for (size_t i = 0; i < n; i++)"})
	}
	benchmark(b, d)
}
func BenchmarkBoxes1000(b *testing.B) {
	d := manyDiscs(0, 0)
	for i := range 1000 {
		d.Add(scene.Fill{Path: scene.Box(scene.R(float64(i%50)*25, float64(i/50)*38, 20, 30)), Color: one})
	}
	benchmark(b, d)
}
func BenchmarkRoundBoxes1000(b *testing.B) {
	d := manyDiscs(0, 0)
	for i := range 1000 {
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(float64(i%50)*25, float64(i/50)*38, 20, 30), 4), Color: one})
	}
	benchmark(b, d)
}

// The peer draws what BenchmarkDiscs10000 and BenchmarkSegments10000 draw.
func BenchmarkPeerGGDiscs10000(b *testing.B) {
	s := manyDiscs(10000, 3).Shapes[0].(scene.Discs)
	dc := gg.NewContext(1280, 800)
	b.ReportAllocs()
	for b.Loop() {
		dc.SetColor(color.Black)
		dc.Clear()
		for i, p := range s.Centers {
			dc.DrawCircle(p.X, p.Y, 3)
			dc.SetColor(s.Colors[i])
			dc.Fill()
		}
	}
}

func BenchmarkPeerGGSegments10000(b *testing.B) {
	s := manySegments(10000, 10, 1.5).Shapes[0].(scene.Curves)
	dc := gg.NewContext(1280, 800)
	dc.SetLineWidth(1.5)
	b.ReportAllocs()
	for b.Loop() {
		dc.SetColor(color.Black)
		dc.Clear()
		for i := 1; i < len(s.Points); i++ {
			if i%500 == 0 {
				continue
			}
			dc.DrawLine(s.Points[i-1].X, s.Points[i-1].Y, s.Points[i].X, s.Points[i].Y)
			dc.SetColor(s.Colors[i])
			dc.Stroke()
		}
	}
}

// BenchmarkImage lays a picture of 1280x800 pixels, a third of them translucent, over another one.
func BenchmarkImage(b *testing.B) {
	d, im := manyDiscs(0, 0), image.NewRGBA(image.Rect(0, 0, 1280, 800))
	for i := 0; i < len(im.Pix); i += 4 {
		a := [3]uint8{0, 128, 255}[i/4%3]
		im.Pix[i], im.Pix[i+1], im.Pix[i+2], im.Pix[i+3] = a/2, a/3, a/4, a
	}
	d.Add(scene.Image{At: scene.R(0, 0, 1280, 800), Pixels: im})
	benchmark(b, d)
}

// BenchmarkAreas fills round boxes of 600x400 pixels.
func BenchmarkAreas(b *testing.B) {
	d := manyDiscs(0, 0)
	for i := range 20 {
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(float64(i*30), float64(i*20), 600, 400), 8), Color: one})
	}
	benchmark(b, d)
}
