package raster

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"math/rand/v2"

	"testing"

	"orrery/views/scene"
)

// ringOf is a closed circle of n chords, and as many more chords far outside the picture as make the rasteriser use its
// table.
func ringOf(n int, r, width float64, more int) scene.Curves {
	c := scene.Curves{Starts: []int{0}, Width: width, Colors: []color.NRGBA{{200, 120, 40, 150}}}
	for i := range n + 1 {
		sin, cos := math.Sincos(2*math.Pi*float64(i%n)/float64(n) + 0.3)
		c.Points = append(c.Points, scene.Point{X: 150 + r*cos, Y: 150 + r*sin})
	}
	if more > 0 {
		c.Starts = append(c.Starts, len(c.Points))
		for i := range more {
			c.Points = append(c.Points, scene.Point{X: 5000 + 3*float64(i), Y: 5000})
		}
	}
	return c
}

// TestHairIsTheExactLine compares thin lines drawn by the table with the same lines drawn pixel by pixel.
func TestHairIsTheExactLine(t *testing.T) {
	for _, width := range []float64{0.75, 1, 1.25, 1.9, 2.5} {
		for _, r := range []float64{61.3, 140} {
			d := scene.Drawing{Size: scene.Size{W: 300, H: 300}, Background: color.NRGBA{20, 24, 30, 255}}
			d.Shapes = []scene.Shape{ringOf(60, r, width, 0)}
			want := Render(d, 1, nil)
			d.Shapes = []scene.Shape{ringOf(60, r, width, 200)}
			got := Render(d, 1, nil)
			sum, inked := 0.0, 0
			for i := range want.Pix {
				diff := math.Abs(float64(want.Pix[i]) - float64(got.Pix[i]))
				if diff > 30 { // within a joint, a few pixels differ in what belongs to it
					t.Fatalf("width %g, radius %g: pixel %d, %d: channel %d is %d, want %d", width, r, i/4%300, i/1200, i%4,
						got.Pix[i], want.Pix[i])
				}
				if i%4 == 0 && want.Pix[i] != 20 {
					inked++
					sum += diff
				}
			}
			if mean := sum / float64(inked); mean > 1.2 {
				t.Errorf("width %g, radius %g: pixels are off by %.2f on average", width, r, mean)
			}
		}
	}
}

// TestHairHasNoJoints: along a half-transparent circle no joint is darker or lighter: the ink in each sixth of the
// circle is that of the line's area.
func TestHairHasNoJoints(t *testing.T) {
	const r, width = 140.0, 1.5
	d := scene.Drawing{Size: scene.Size{W: 300, H: 300}, Background: color.NRGBA{0, 0, 0, 255}}
	c := ringOf(240, r, width, 0)
	c.Colors = []color.NRGBA{{255, 255, 255, 128}}
	d.Shapes = []scene.Shape{c}
	im := Render(d, 1, nil)
	const slices = 24
	var sum [slices]float64
	for y := range 300 {
		for x := range 300 {
			a := math.Atan2(float64(y)+0.5-150, float64(x)+0.5-150)/(2*math.Pi) + 1
			sum[int(a*slices)%slices] += float64(im.Pix[im.PixOffset(x, y)]) / 128
		}
	}
	want := 2 * math.Pi * r * width / slices
	for k, s := range sum {
		if math.Abs(s-want) > 0.02*want {
			t.Errorf("slice %d has %.1f pixels of ink, want %.1f", k, s, want)
		}
	}
}

// TestLongPiecesAreTheExactLine does the same for long pieces that bend sharply where they meet, in all directions.
func TestLongPiecesAreTheExactLine(t *testing.T) {
	c := scene.Curves{Starts: []int{0}, Width: 1.5, Colors: []color.NRGBA{{200, 120, 40, 150}}}
	for i := range 24 {
		sin, cos := math.Sincos(float64(i) * 2.61)
		c.Points = append(c.Points, scene.Point{X: 150.3 + 130*cos, Y: 149.8 + 130*sin})
	}
	d := scene.Drawing{Size: scene.Size{W: 300, H: 300}, Background: color.NRGBA{20, 24, 30, 255},
		Shapes: []scene.Shape{c}}
	want := Render(d, 1, nil)
	far := ringOf(1, 0, 1.5, 200)
	c.Starts = append(c.Starts, len(c.Points))
	c.Points = append(c.Points, far.Points[2:]...)
	d.Shapes = []scene.Shape{c}
	got := Render(d, 1, nil)
	sum, inked := 0.0, 0
	for i := range want.Pix {
		diff := math.Abs(float64(want.Pix[i]) - float64(got.Pix[i]))
		if diff > 12 {
			t.Fatalf("pixel %d, %d: channel %d is %d, want %d", i/4%300, i/1200, i%4, got.Pix[i], want.Pix[i])
		}
		if i%4 == 0 && want.Pix[i] != 20 {
			inked++
			sum += diff
		}
	}
	if mean := sum / float64(inked); mean > 1.2 {
		t.Errorf("pixels are off by %.2f on average", mean)
	}
}

// TestFoursPaintAsEach holds the kernel that paints several columns at a time against painting pixel by pixel.
func TestFoursPaintAsEach(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 21))
	const side = 90
	one, other := image.NewRGBA(image.Rect(0, 0, side, side)), image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range one.Pix {
		one.Pix[i] = uint8(rng.IntN(256)) | uint8(255*(i%4/3))
	}
	copy(other.Pix, one.Pix)
	painted := 0
	for range 4000 {
		table := profilesOf([]float64{0.2, 0.5, 0.95, 1.3, 2}[rng.IntN(5)])
		k := rng.IntN(directions)
		slope := math.Tan(math.Pi/4*(float64(k)+rng.Float64())/directions) * float64(1-2*rng.IntN(2))
		ink := inkOf(color.NRGBA{uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)),
			[]uint8{255, 254, 90, 1, 0}[rng.IntN(5)]})
		s := strip{
			brush: newBrush(ink), across: &table[k], count: 1 + rng.IntN(30),
			middle: int64(rng.Float64() * side * (1 << 32)), step: int64(slope * (1 << 32)),
		}
		flat := rng.IntN(2) == 0
		major, minorStep := 4, one.Stride
		if !flat {
			major, minorStep = one.Stride, 4
		}
		s.at = rng.IntN(side-s.count)*major + s.across.first*minorStep
		if !s.within(0, side, flat) {
			continue
		}
		painted++
		again := s
		s.byFour(one.Pix, one.Stride, flat)
		again.each(other.Pix, major, minorStep, 0, side)
		if !bytes.Equal(one.Pix, other.Pix) {
			t.Fatalf("strip %+v, flat %v: the pictures differ", s, flat)
		}
	}
	if painted < 1500 {
		t.Errorf("only %d strips fit", painted)
	}
}
