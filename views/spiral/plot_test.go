package spiral

import (
	"image/color"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// bare is a state without what moves the circle aside or lies over it.
func bare(s State) State {
	s.Legend, s.Cursor = false, s.Seq[0]-1
	return s
}

// TestC6RadiusIsTimeAndAngleIsTheta measures every window in the picture from the middle of the pane.
func TestC6RadiusIsTimeAndAngleIsTheta(t *testing.T) {
	for _, size := range []scene.Size{{W: 480, H: 400, Scale: 1}, {W: 300, H: 700, Scale: 2},
		{W: 1280, H: 900, Scale: 1}} {
		s := bare(loop(90, 4, 7, palette.Dark()))
		s.Seq[80] += 3 // time, not the number of the window
		at := dots(Scene(s, size), 90)
		if at == nil {
			t.Fatalf("%v: the windows have no dots", size)
		}
		r0, _ := polar(at[0], size)
		r1, _ := polar(at[89], size)
		if r0 > 0.1*r1 || r1 > min(size.W, size.H)/2 || r1 < 0.4*min(size.W, size.H) {
			t.Errorf("%v: the first window lies at %.1f, the last at %.1f", size, r0, r1)
		}
		for i, p := range at {
			r, turn := polar(p, size)
			want := r0 + (r1-r0)*float64(s.Seq[i]-s.Seq[0])/float64(s.Seq[89]-s.Seq[0])
			if math.Abs(r-want) > 1e-6 || apart(turn, s.From.Turns[i]) > 1e-9 {
				t.Fatalf("%v: window %d at radius %.4f, angle %.4f; want %.4f, %.4f", size, i, r, turn, want, s.From.Turns[i])
			}
		}
	}
}

// TestC9MorphGoesEvenly: the ends are the two pictures, and between them every window keeps its radius while its angle
// goes evenly along the unwrapped way.
func TestC9MorphGoesEvenly(t *testing.T) {
	s := bare(loop(90, 2, 1, palette.Dark()))
	s.To = even(90, 5)
	from, to := s, s
	from.To = Angles{}
	to.From, to.To = s.To, Angles{}
	at := func(s State) []scene.Point { return dots(Scene(s, pane), 90) }
	same := func(name string, got, want []scene.Point) {
		for i := range want {
			if math.Hypot(got[i].X-want[i].X, got[i].Y-want[i].Y) > 1e-9 {
				t.Fatalf("%s: window %d at %v, want %v", name, i, got[i], want[i])
			}
		}
	}
	same("0", at(s), at(from))
	last := at(from)
	const steps = 40
	for k := 1; k <= steps; k++ {
		s.Morph = float64(k) / steps
		now := at(s)
		for i := range now {
			r0, t0 := polar(last[i], pane)
			r1, t1 := polar(now[i], pane)
			step := t1 - t0
			step -= math.Round(step)
			if want := (s.To.Turns[i] - s.From.Turns[i]) / steps; math.Abs(r1-r0) > 1e-9 || math.Abs(step-want) > 1e-9 {
				t.Fatalf("morph %.3f: window %d moved from radius %.3f by %.4f turns to %.3f, want %.4f turns", s.Morph, i,
					r0, step, r1, want)
			}
		}
		last = now
	}
	same("1", last, at(to))
	for _, beyond := range []float64{1.5, math.Inf(1)} {
		s.Morph = beyond
		same("beyond 1", at(s), at(to))
	}
	for _, below := range []float64{-1, math.NaN()} {
		s.Morph = below
		same("below 0", at(s), at(from))
	}
}

// TestHitIsTheNearestWindow compares with going through all windows of the picture.
func TestHitIsTheNearestWindow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	found := 0
	for seed := range uint64(12) {
		s := bare(random(seed, 60))
		s.Zoom, s.Pan = 1+float64(seed%3), scene.Point{X: 10 * float64(seed), Y: -5}
		l := newLayout(&s, pane)
		p := newPlot(&s, &l)
		at := make([]scene.Point, len(s.Seq))
		for i := range at {
			at[i] = p.at(p.turn[i], p.r[i])
		}
		for try := range 300 {
			q := scene.Point{X: rng.Float64() * pane.W, Y: rng.Float64() * pane.H}
			if try%2 == 0 { // near the curve
				near := at[rng.IntN(len(at))]
				q = scene.Point{X: near.X + rng.NormFloat64()*4, Y: near.Y + rng.NormFloat64()*4}
			}
			best, want := math.Inf(1), -1
			for i, c := range at {
				d := math.Hypot(c.X-q.X, c.Y-q.Y)
				if d > 8 {
					continue
				}
				if d *= d; p.member[i] < 0.5 {
					d += 9
				}
				if d <= best {
					best, want = d, i
				}
			}
			got := Hit(s, pane, q)
			if got.Index != want {
				t.Fatalf("seed %d: at %v hit %d, want %d", seed, q, got.Index, want)
			}
			if want < 0 {
				continue
			}
			found++
			if got.Span.From != s.Seq[want] || got.Span.To <= got.Span.From {
				t.Errorf("window %d at reference %d spans %v", want, s.Seq[want], got.Span)
			}
			line := s.Line[want]
			if line < 0 && got.Thing != (link.Thing{What: link.Time, Span: got.Span}) || line >= 0 &&
				got.Thing != s.Lines[line].thing() {
				t.Errorf("window %d of line %d is %+v", want, line, got.Thing)
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d of the points hit a window", found)
	}
}

// TestLegendHitsWhatIsWritten takes the places of the legend's rows from the picture.
func TestLegendHitsWhatIsWritten(t *testing.T) {
	s := loop(200, 3, 1, palette.Light())
	s.Legend = true
	seen := map[int]bool{}
	for _, shape := range Scene(s, pane).Shapes {
		text, ok := shape.(scene.Text)
		if !ok || text.Face != scene.Mono || text.Align != 1 {
			continue
		}
		number, err := strconv.Atoi(text.S)
		if err != nil {
			t.Fatal(err)
		}
		got := Hit(s, pane, scene.Point{X: text.At.X, Y: text.At.Y - 4})
		if got.Legend < 0 || s.Lines[got.Legend].Number != number || got.Thing.Line != number || got.Index >= 0 {
			t.Errorf("the row of line %d gives entry %d, %+v", number, got.Legend, got.Thing)
		}
		seen[number] = true
	}
	if len(seen) != len(s.Lines) {
		t.Errorf("the legend has rows for %v", seen)
	}
}

// TestWindowsWithoutAngleLieOnTheWay: what the class says nothing about is drawn in grey between its neighbours.
func TestWindowsWithoutAngleLieOnTheWay(t *testing.T) {
	s := bare(loop(90, 2, 1, palette.Dark()))
	for _, i := range []int{0, 1, 40, 41, 42, 89} {
		s.From.Turns[i] = math.NaN()
	}
	s.From.Turns[60] = math.Inf(1)
	s.From.Members = nil
	for i, p := range dots(Scene(s, pane), 90) {
		want := s.From.Turns[i]
		switch {
		case i < 2:
			want = s.From.Turns[2]
		case i >= 40 && i <= 42:
			want = s.From.Turns[39] + (s.From.Turns[43]-s.From.Turns[39])*float64(i-39)/4
		case i == 60:
			want = (s.From.Turns[59] + s.From.Turns[61]) / 2
		case i == 89:
			want = s.From.Turns[88]
		}
		if _, turn := polar(p, pane); apart(turn, want) > 1e-9 {
			t.Errorf("window %d lies at %.4f turns, want %.4f", i, turn, want)
		}
	}
	l := newLayout(&s, pane)
	p := newPlot(&s, &l)
	for i := range s.Seq {
		known := !math.IsNaN(s.From.Turns[i]) && !math.IsInf(s.From.Turns[i], 0)
		if got := p.layer(i); got == quiet == known {
			t.Errorf("window %d with angle %v is in layer %d", i, s.From.Turns[i], got)
		}
	}
}

// TestWindowsBesideThoseUnderThePointerStepBack: of instructions under the pointer, each window is bright or not by
// itself, whatever gives it its colour; of a line, all of its windows.
func TestWindowsBesideThoseUnderThePointerStepBack(t *testing.T) {
	for _, mode := range []Mode{Single, ByLine, ByAngle} {
		s := bare(loop(100, 3, 1, palette.Dark()))
		s.Mode = mode
		l := newLayout(&s, pane)
		layers := newPlot(&s, &l)
		draw := func(under []bool) []color.NRGBA {
			s.Under = under
			p := newPlot(&s, &l)
			b, alike := newBuilder(p), p.alike()
			out := make([]color.NRGBA, len(s.Seq))
			for i := 1; i < len(s.Seq); i++ {
				out[i] = b.color(i, p.layer(i))
				if under != nil && alike(i) {
					t.Fatalf("mode %d: window %d is taken for the one before", mode, i)
				}
			}
			return out
		}
		under := make([]bool, 100)
		for i := range under {
			under[i] = i%3 == 0
		}
		before, now := draw(nil), draw(under)
		for i := 1; i < 100; i++ {
			if (now[i] == before[i]) != (under[i] || layers.layer(i) == quiet) {
				t.Errorf("mode %d: window %d, under the pointer %v, is %v, was %v", mode, i, under[i], now[i], before[i])
			}
		}
	}
}

// TestLitWindowsStayBright: a region, block or range of addresses dims what it does not mean, nothing else does.
func TestLitWindowsStayBright(t *testing.T) {
	s := bare(loop(100, 3, 1, palette.Dark()))
	s.Lit = make([]bool, 100)
	for i := range s.Lit {
		s.Lit[i] = i%4 == 0
	}
	for _, what := range []link.What{link.Nothing, link.Region, link.Block, link.Address, link.Set} {
		s.Selected = link.Thing{What: what}
		l := newLayout(&s, pane)
		p := newPlot(&s, &l)
		for i := range s.Seq {
			want := quiet
			switch {
			case s.From.Members[i] && s.Lit[i]:
				want = bright
			case s.From.Members[i]:
				want = faded
			}
			if got := p.layer(i); got != want {
				t.Errorf("kind %d: window %d, lit %v, is in layer %d, want %d", what, i, s.Lit[i], got, want)
			}
		}
	}
	s.Lit = s.Lit[:50]
	l := newLayout(&s, pane)
	if p := newPlot(&s, &l); p.layer(51) != bright {
		t.Error("an answer for other windows dims these")
	}
}
