package spiral

import (
	"image"
	"math"
	"testing"

	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/raster"
	"orrery/views/scene"
)

// length is how much curve a picture has.
func length(d scene.Drawing) float64 {
	sum := 0.0
	for _, shape := range d.Shapes {
		c, ok := shape.(scene.Curves)
		if !ok {
			continue
		}
		begins := map[int]bool{}
		for _, i := range c.Starts {
			begins[i] = true
		}
		for i := 1; i < len(c.Points); i++ {
			if !begins[i] {
				sum += math.Hypot(c.Points[i].X-c.Points[i-1].X, c.Points[i].Y-c.Points[i-1].Y)
			}
		}
	}
	return sum
}

// TestWorkIsBoundedByPixels: however many turns, the curve covers the disc a few times, no more, where lines are drawn;
// elsewhere it is not made of lines.
func TestWorkIsBoundedByPixels(t *testing.T) {
	for _, turns := range []float64{50, 500, 5000, 20_000} {
		s := bare(loop(100_000, turns, 3, palette.Dark()))
		l := newLayout(&s, pane)
		p := newPlot(&s, &l)
		disc := math.Pi * l.r1 * l.r1 / p.width()
		if cover := length(Scene(s, pane)) / disc; cover > 3.5 || turns > 500 && cover > 0.01 {
			t.Errorf("%g turns: the curve would cover the disc %.1f times", turns, cover)
		}
		p.every, p.dense = p.dense, nil
		var d scene.Drawing
		p.draw(&d)
		if cover := length(d) / disc; cover > 3.5 {
			t.Errorf("%g turns, some left out: the curve would cover the disc %.1f times", turns, cover)
		}
	}
}

// patches compares two pictures of a spiral by the mean of a channel in squares, away from the rim and from the middle,
// where an arc is shorter than a square. It gives the mean difference and the largest.
func patches(a, b *image.RGBA, l *layout, side int) (mean, worst float64) {
	n := 0.0
	c, r0, r1 := scene.Point{X: l.c.X * l.scale, Y: l.c.Y * l.scale}, l.r0*l.scale, l.r1*l.scale
	for y := 0; y+side <= a.Rect.Dy(); y += side {
		for x := 0; x+side <= a.Rect.Dx(); x += side {
			mid := math.Hypot(float64(x+side/2)-c.X, float64(y+side/2)-c.Y)
			if mid > r1-float64(side) || mid < r0+2*float64(side) {
				continue
			}
			sum := 0.0
			for j := range side * side {
				at := a.PixOffset(x+j%side, y+j/side) + 1
				sum += float64(a.Pix[at]) - float64(b.Pix[at])
			}
			sum /= float64(side * side)
			mean, n, worst = mean+sum, n+1, max(worst, math.Abs(sum))
		}
	}
	return mean / max(1, n), worst
}

// paint draws the curve of a plot alone.
func paint(p *plot, size scene.Size) *image.RGBA {
	d := scene.Drawing{Size: size, Background: p.s.Theme.Panel}
	p.draw(&d)
	return raster.Render(d, size.Scale, nil)
}

// TestToneLooksLikeAllTurns holds the tone of turns that lie closer than pixels against drawing them all, line over
// line. A difference of 5 in 255 between neighbouring squares is about what can be seen; what is drawn over itself a
// hundred times has rounded away 4.
func TestToneLooksLikeAllTurns(t *testing.T) {
	back := func(s *State) { // each fourth window
		turns, at := make([]float64, len(s.From.Turns)), 0.0
		for i := 1; i < len(turns); i++ {
			step := s.From.Turns[i] - s.From.Turns[i-1]
			if i%4 == 0 {
				step = -step
			}
			at += step
			turns[i] = at
		}
		s.From.Turns = turns
	}
	little := scene.Size{W: 260, H: 240, Scale: 1}
	dark, light := palette.Dark(), palette.Light()
	for _, row := range []struct {
		name  string
		theme palette.Theme
		n     int
		turns float64
		size  scene.Size
		with  func(*State)
	}{
		{"turns a little closer than lines are wide", dark, 3000, 120, little, nil},
		{"several turns in a pixel", dark, 4000, 400, little, nil},
		{"many turns in a pixel", light, 4000, 1200, little, nil},
		{"a turn in a window", dark, 1200, 1200, little, nil},
		{"windows many pixels apart", dark, 40, 600, little, nil},
		{"turns that go back", dark, 4000, 500, little, back},
		{"dense screen", dark, 3000, 200, scene.Size{W: little.W, H: little.H, Scale: 2}, nil},
		{"a line selected", dark, 4000, 400, little, func(s *State) {
			s.Selected = link.Thing{What: link.Line, File: "src/bubble.c", Line: 10}
		}},
		{"zoomed", dark, 3000, 250, little, func(s *State) { s.Zoom, s.Pan = 2, scene.Point{X: 80, Y: -60} }},
		{"by angle", dark, 4000, 400, little, func(s *State) { s.Mode = ByAngle }},
	} {
		s := bare(loop(row.n, row.turns, 3, row.theme))
		if row.with != nil {
			row.with(&s)
		}
		l := newLayout(&s, row.size)
		p := newPlot(&s, &l)
		if p.dense == nil {
			t.Errorf("%s: no turn is drawn as tone", row.name)
			continue
		}
		tone := paint(p, row.size)
		p.dense = nil
		lines := paint(p, row.size)
		mean, worst := patches(tone, lines, &l, 12)
		if math.Abs(mean) > 4 || worst > 10 {
			t.Errorf("%s: squares differ from those of all turns drawn by %.2f on average, %.1f at most", row.name, mean, worst)
		}
	}
}

// TestThinnedTurnsLookLikeAll does the same for turns of which some are left out, where rings would have too many
// cells.
func TestThinnedTurnsLookLikeAll(t *testing.T) {
	s := bare(loop(20_000, 1200, 3, palette.Dark()))
	s.Mode = Single
	l := newLayout(&s, pane)
	p := newPlot(&s, &l)
	if p.dense == nil {
		t.Fatal("1200 turns within 200 units are not too close")
	}
	p.every, p.dense = p.dense, nil
	thinned := paint(p, pane)
	p.every = nil
	if _, worst := patches(thinned, paint(p, pane), &l, 12); worst > 14 {
		t.Fatalf("a square is on average %.1f off", worst)
	}
}

// TestPixelsLieInTheirCells looks up the cell of each pixel of a view and finds the pixel's centre there.
func TestPixelsLieInTheirCells(t *testing.T) {
	d := newDisc(90)
	v := view{rings: 90, x: 61.3, y: 70.8, width: 150, height: 140}
	for i, cell := range d.find(v) {
		x, y := float64(i%v.width)+0.5-v.x, float64(i/v.width)+0.5-v.y
		r, turn := math.Hypot(x, y), math.Atan2(y, x)/(2*math.Pi)
		if turn -= math.Floor(turn); int(r) >= d.rings {
			if cell != 0 {
				t.Fatalf("pixel at %g, %g lies outside and has cell %d", x, y, cell)
			}
			continue
		}
		n := cellsOf(int(r))
		at := float64((cell-d.start[int(r)])/pack) + 0.5
		if off := math.Abs(at - turn*float64(n)); off > 0.501 && off < float64(n)-0.501 {
			t.Fatalf("pixel at %g, %g, %.4f turns: cell %g of %d", x, y, turn, at, n)
		}
	}
}
