package raster

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"testing"

	"orrery/views/scene"
)

const sub = 16 // the square root of the number of samples a pixel, for the slow twins

// coverage is the slow twin: the share of each pixel's 256 samples that lie inside. The samples are Hammersley's set: a
// grid would see an edge along its rows jump by a sixteenth.
func coverage(w, h int, inside func(x, y float64) bool) []float64 {
	out := make([]float64, w*h)
	for i := range out {
		n := 0
		for j := range sub * sub {
			x := float64(i%w) + (float64(j)+0.5)/(sub*sub)
			y := float64(i/w) + (float64(bits.Reverse8(uint8(j)))+0.5)/(sub*sub)
			if inside(x, y) {
				n++
			}
		}
		out[i] = float64(n) / (sub * sub)
	}
	return out
}

// white draws one shape white on black and gives the coverage that the pixels show.
func white(w, h int, s ...scene.Shape) []float64 {
	d := scene.Drawing{Size: scene.Size{W: float64(w), H: float64(h)}, Background: color.NRGBA{A: 255}, Shapes: s}
	im := Render(d, 1, nil)
	out := make([]float64, w*h)
	for i := range out {
		out[i] = float64(im.Pix[4*i]) / 255
	}
	return out
}

// apart is the largest and the mean difference, the mean over the pixels where either has something.
func apart(a, b []float64) (worst, mean float64) {
	n := 0
	for i := range a {
		if a[i] == 0 && b[i] == 0 {
			continue
		}
		d := math.Abs(a[i] - b[i])
		worst, mean, n = max(worst, d), mean+d, n+1
	}
	return worst, mean / float64(max(1, n))
}

var one = color.NRGBA{255, 255, 255, 255}

// Tolerance: 16x16 samples are themselves off by up to about 1/32 at an edge; four slabs a row add up to 0.06 in
// the row below a pole.
func TestDiscCoverageAgreesWithSampling(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, r := range []float64{0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4.5, 8, 15} {
		for range 12 {
			cx, cy := 20+rng.Float64(), 20+rng.Float64()
			got := white(40, 40, scene.Discs{Centers: []scene.Point{{X: cx, Y: cy}}, Radii: []float64{r},
				Colors: []color.NRGBA{one}})
			want := coverage(40, 40, func(x, y float64) bool { return math.Hypot(x-cx, y-cy) <= r })
			if worst, mean := apart(got, want); worst > 0.07 || mean > 0.012 {
				t.Errorf("disc of radius %v at %.3f,%.3f: pixels differ by %.3f at most and %.4f on average", r,
					cx, cy, worst, mean)
			}
			sum := 0.0
			for _, v := range got {
				sum += v
			}
			if area := math.Pi * r * r; math.Abs(sum-area) > 0.02*area+0.02 {
				t.Errorf("disc of radius %v at %.3f,%.3f: covers %.3f pixels, its area is %.3f", r, cx, cy, sum, area)
			}
		}
	}
}

func distance(x, y, ax, ay, bx, by float64) float64 {
	dx, dy := bx-ax, by-ay
	t := ((x-ax)*dx + (y-ay)*dy) / (dx*dx + dy*dy)
	t = max(0, min(1, t))
	return math.Hypot(x-ax-t*dx, y-ay-t*dy)
}

// Tolerance: the body is exact but for the samples' own error; at round ends a pixel counts as an interval along the
// radius, which can be off by a tenth or so in the few pixels around an end.
func TestSegmentCoverageAgreesWithSampling(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, width := range []float64{0.5, 0.75, 1, 1.5, 2, 3, 4} {
		for i := range 24 {
			a := float64(i)/24*2*math.Pi + rng.Float64()*0.01
			length := 3 + rng.Float64()*14
			ax, ay := 20+rng.Float64(), 20+rng.Float64()
			bx, by := ax+length*math.Cos(a), ay+length*math.Sin(a)
			got := white(40, 40, scene.Curves{Points: []scene.Point{{X: ax, Y: ay}, {X: bx, Y: by}}, Starts: []int{0},
				Colors: []color.NRGBA{one}, Width: width})
			want := coverage(40, 40, func(x, y float64) bool { return distance(x, y, ax, ay, bx, by) <= width/2 })
			if worst, mean := apart(got, want); worst > 0.15 || mean > 0.025 {
				t.Errorf("line of width %v, length %.1f at %.0f degrees: pixels differ by %.3f at most and %.4f on average", width,
					length, a*180/math.Pi, worst, mean)
			}
			// Along the body alone, away from the ends.
			for p := range got {
				x, y := float64(p%40)+0.5, float64(p/40)+0.5
				s := (x-ax)*math.Cos(a) + (y-ay)*math.Sin(a)
				if s > 1 && s < length-1 && math.Abs(got[p]-want[p]) > 0.05 {
					t.Errorf("line of width %v at %.0f degrees: pixel %d,%d of its body is %.3f, want %.3f", width, a*180/math.Pi,
						p%40, p/40, got[p], want[p])
				}
			}
		}
	}
}

// A half-transparent polyline must look like one line: the union of its segments, painted once.
func TestPolylineJointsAreNotBlendedTwice(t *testing.T) {
	const w, h, width = 80, 80, 3.0
	var points []scene.Point
	for i := range 60 {
		a, r := float64(i)*0.15, 10+float64(i)*0.4
		points = append(points, scene.Point{X: 40 + r*math.Cos(a), Y: 40 + r*math.Sin(a)})
	}
	zigzag := []scene.Point{{X: 5, Y: 20}, {X: 25, Y: 30}, {X: 30, Y: 60}, {X: 60, Y: 50}, {X: 72, Y: 20}, {X: 50, Y: 8}}
	for name, line := range map[string][]scene.Point{"spiral": points, "corners": zigzag} {
		half := scene.Curves{Points: line, Starts: []int{0}, Colors: []color.NRGBA{{255, 255, 255, 128}}, Width: width}
		got := white(w, h, half)
		want := coverage(w, h, func(x, y float64) bool {
			for i := 1; i < len(line); i++ {
				if distance(x, y, line[i-1].X, line[i-1].Y, line[i].X, line[i].Y) <= width/2 {
					return true
				}
			}
			return false
		})
		for i := range want {
			want[i] *= 128.0 / 255
		}
		worst, mean := apart(got, want)
		if worst > 0.12 || mean > 0.015 {
			t.Errorf("%s: pixels differ by %.3f at most and %.4f on average", name, worst, mean)
		}
		brightest := 0.0
		for _, v := range got {
			brightest = max(brightest, v)
		}
		if brightest > 129.0/255 {
			t.Errorf("%s: a joint is blended twice: brightest pixel %.3f, want 0.502", name, brightest)
		}
	}
}

func TestClosedPolylineHasNoSeam(t *testing.T) {
	var ring []scene.Point
	for i := range 41 {
		a := float64(i%40) * math.Pi / 20
		ring = append(ring, scene.Point{X: 20 + 12*math.Cos(a), Y: 20 + 12*math.Sin(a)})
	}
	for i, v := range white(40, 40, scene.Curves{Points: ring, Starts: []int{0},
		Colors: []color.NRGBA{{255, 255, 255, 100}}, Width: 4}) {
		if v > 101.0/255 {
			t.Fatalf("pixel %d,%d is %.3f, the line's opacity is 0.392", i%40, i/40, v)
		}
	}
}

func TestRectanglesAndOutlinesCoverAsSampled(t *testing.T) {
	star := scene.Path{}
	for i := range 5 {
		a := float64(i) * 4 * math.Pi / 5
		if x, y := 20.3+15*math.Cos(a), 20.1+15*math.Sin(a); i == 0 {
			star.Move(x, y)
		} else {
			star.Line(x, y)
		}
	}
	star.Close()
	var far scene.Path // a triangle that reaches far beyond the picture
	far.Move(20, -1e7)
	far.Line(1e7, 1e7)
	far.Line(-1e7, 1e7)
	far.Close()
	for _, c := range []struct {
		name string
		path scene.Path
		in   func(x, y float64) bool
	}{
		{"box", scene.Box(scene.R(3.3, 4.6, 20.25, 9.8)), func(x, y float64) bool {
			return x >= 3.3 && x < 23.55 && y >= 4.6 && y < 14.4
		}},
		{"thin box", scene.Box(scene.R(3.3, 4.6, 0.2, 9.8)), func(x, y float64) bool {
			return x >= 3.3 && x < 3.5 && y >= 4.6 && y < 14.4
		}},
		{"circle", scene.Circle(20.4, 19.7, 13.2), func(x, y float64) bool { return math.Hypot(x-20.4, y-19.7) <= 13.2 }},
		{"far triangle", far, func(x, y float64) bool { return true }},
	} {
		got := white(40, 40, scene.Fill{Path: c.path, Color: one})
		if worst, mean := apart(got, coverage(40, 40, c.in)); worst > 0.07 || mean > 0.02 {
			t.Errorf("%s: pixels differ by %.3f at most and %.4f on average", c.name, worst, mean)
		}
	}
	got := white(40, 40, scene.Fill{Path: star, Color: one}) // non-zero: the middle of a pentagram is full
	if got[20*40+20] != 1 {
		t.Errorf("the middle of a pentagram is %.3f, non-zero winding makes it 1", got[20*40+20])
	}
}

// The result must not depend on how many goroutines draw it.
func TestBandsAgreeWithOneGoroutine(t *testing.T) {
	d := crowd(20000)
	many := Render(d, 1.25, nil)
	before := runtime.GOMAXPROCS(1)
	single := Render(d, 1.25, nil)
	runtime.GOMAXPROCS(8)
	eight := Render(d, 1.25, nil)
	runtime.GOMAXPROCS(before)
	for i := range many.Pix {
		if many.Pix[i] != single.Pix[i] || many.Pix[i] != eight.Pix[i] {
			t.Fatalf("byte %d: %d with %d processors, %d with one, %d with eight", i, many.Pix[i], before,
				single.Pix[i], eight.Pix[i])
		}
	}
}

// crowd is n discs, n segments, a glow and an image, over and beyond the edges.
func crowd(n int) scene.Drawing {
	rng := rand.New(rand.NewPCG(7, 8))
	d := scene.Drawing{Size: scene.Size{W: 640, H: 400, Scale: 1}, Background: color.NRGBA{18, 21, 26, 255}}
	var discs scene.Discs
	var curves scene.Curves
	for range n {
		c := color.NRGBA{uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(64 + rng.IntN(192))}
		p := scene.Point{X: rng.Float64()*700 - 30, Y: rng.Float64()*460 - 30}
		discs.Centers, discs.Radii, discs.Colors = append(discs.Centers, p), append(discs.Radii, 0.3+rng.Float64()*4),
			append(discs.Colors, c)
		if rng.IntN(5) == 0 || len(curves.Points) == 0 {
			curves.Starts = append(curves.Starts, len(curves.Points))
		} else {
			q := curves.Points[len(curves.Points)-1]
			p = scene.Point{X: q.X + rng.Float64()*24 - 12, Y: q.Y + rng.Float64()*24 - 12}
		}
		curves.Points, curves.Colors = append(curves.Points, p), append(curves.Colors, c)
	}
	curves.Width = 1.5
	im := image.NewRGBA(image.Rect(0, 0, 100, 80))
	for i := range im.Pix {
		im.Pix[i] = uint8(i)
	}
	d.Add(scene.Glow{Center: scene.Point{X: 200, Y: 200}, Outer: 300, Color: color.NRGBA{250, 90, 40, 200}}, curves, discs,
		scene.Image{At: scene.R(560, 340, 100, 80), Pixels: im})
	return d
}

var hostile = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, 1e9, -1e9, 0, -1, 5, 33.3, 1e-300}

// Nothing may panic or hang, whatever the coordinates.
func TestHostileCoordinates(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	v := func() float64 { return hostile[rng.IntN(len(hostile))] }
	pt := func() scene.Point { return scene.Point{X: v(), Y: v()} }
	im := image.NewRGBA(image.Rect(0, 0, 9, 7))
	for i := range 3000 {
		var p scene.Path
		p.Move(v(), v())
		p.Line(v(), v())
		p.Cubic(v(), v(), v(), v(), v(), v())
		if i%2 == 0 {
			p.Close()
			p.Line(v(), v())
		}
		d := scene.Drawing{Size: scene.Size{W: 32, H: 24}, Background: color.NRGBA{A: uint8(i)}}
		d.Add(scene.Fill{Path: p, Color: one}, scene.Fill{Path: scene.Box(scene.Rect{Min: pt(), Max: pt()}), Color: one},
			scene.Stroke{Path: p, Width: v(), Color: one}, scene.Stroke{Path: p, Width: 2, Color: one,
				Dash: []float64{v(), v()}},
			scene.Curves{Points: []scene.Point{pt(), pt(), pt(), pt()}, Starts: []int{0, 2},
				Colors: []color.NRGBA{one}, Width: 1.5},
			scene.Curves{Points: []scene.Point{pt(), pt()}, Starts: []int{0, 7, -2},
				Colors: []color.NRGBA{one, one}, Width: v()},
			scene.Discs{Centers: []scene.Point{pt(), pt()}, Radii: []float64{v()}, Colors: []color.NRGBA{one}},
			scene.Discs{Centers: []scene.Point{pt()}},
			scene.Boxes{Rects: []scene.Rect{{Min: pt(), Max: pt()}, {Min: pt(), Max: pt()}}, Colors: []color.NRGBA{one}},
			scene.Boxes{Rects: []scene.Rect{{Min: pt(), Max: pt()}}},
			scene.Glow{Center: pt(), Inner: v(), Outer: v(), Color: one}, scene.Image{At: scene.Rect{Min: pt(), Max: pt()},
				Pixels: im}, scene.Image{},
			scene.Text{At: pt(), Size: v(), Align: v(), Color: one, Max: v(), S: fmt.Sprint(i, "\x00\xff\n")},
			scene.Group{Clip: scene.Rect{Min: pt(), Max: pt()}, Shapes: []scene.Shape{scene.Fill{Path: p, Color: one}}})
		Render(d, 1, nil)
	}
	for _, s := range hostile[:6] {
		if s < 1e8 || math.IsNaN(s) {
			Render(scene.Drawing{Size: scene.Size{W: s, H: 3}}, 1, nil)
		}
	}
}

// TestBoxesAreFills: many boxes in one shape are the pixels of as many fills.
func TestBoxesAreFills(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	many, one := scene.Drawing{Size: scene.Size{W: 60, H: 50}, Background: color.NRGBA{20, 30, 40, 255}},
		scene.Drawing{Size: scene.Size{W: 60, H: 50}, Background: color.NRGBA{20, 30, 40, 255}}
	var all scene.Boxes
	for i := range 80 {
		r := scene.R(rng.Float64()*70-5, rng.Float64()*60-5, rng.Float64()*12, rng.Float64()*9)
		ink := color.NRGBA{uint8(i * 3), uint8(200 - i), 90, uint8(40 * (i % 7))}
		all.Rects, all.Colors = append(all.Rects, r), append(all.Colors, ink)
		one.Add(scene.Fill{Path: scene.Box(r), Color: ink})
	}
	many.Add(all)
	if got, want := Render(many, 1.5, nil), Render(one, 1.5, nil); !bytes.Equal(got.Pix, want.Pix) {
		t.Error("boxes in one shape look otherwise than fills")
	}
}
