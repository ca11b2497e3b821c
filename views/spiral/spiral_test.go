package spiral

import (
	"math"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/views/golden"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// example is n windows that make the given turns at an even pace, with a lead in, a lead out and a stretch without
// angle.
func example(n int, turns float64) State {
	s := State{Theme: palette.Dark(), Legend: true, Caption: "window 10 · address", Cursor: traceio.Seq(n / 2)}
	for i := range n {
		t := turns * float64(i) / float64(n-1)
		if i >= n/4 && i < n/4+3 {
			t = math.NaN()
		}
		s.Seq = append(s.Seq, traceio.Seq(i))
		s.From.Turns = append(s.From.Turns, t)
		s.From.Members = append(s.From.Members, i >= 4 && i < n-4 && !math.IsNaN(t))
		s.To.Turns = append(s.To.Turns, 2*turns*float64(i)/float64(n-1))
		s.Line = append(s.Line, int32(i*12/n%3))
	}
	for i, text := range []string{"for (int j = 0; j < last; j++)", "    if (a[j] > a[j + 1])", "        swap(a, j);"} {
		s.Lines = append(s.Lines, Line{File: "src/bubble.c", Number: 12 + i, Function: "sort", Text: text,
			Color: palette.Qualitative(s.Theme, i)})
	}
	s.Describe = func(i int) string { return "load a[2]" }
	return s
}

var pane = scene.Size{W: 620, H: 430, Scale: 1}

// place is where window i must be: the definition of the spiral, computed apart from the product's code except for the
// centre and the radii of the first and last window.
func place(s State, i int) scene.Point {
	l := newLayout(&s, pane)
	turn := s.From.Turns[i]*(1-s.Morph) + s.To.Turns[i]*s.Morph
	r := l.r0 + (l.r1-l.r0)*float64(s.Seq[i]-s.Seq[0])/float64(s.Seq[len(s.Seq)-1]-s.Seq[0])
	return scene.Point{X: l.c.X + r*math.Cos(2*math.Pi*turn), Y: l.c.Y + r*math.Sin(2*math.Pi*turn)}
}

// TestC6HitFindsEveryWindowWhereTheDefinitionPutsIt also holds morphing (C9) and zooming to the definition.
func TestC6HitFindsEveryWindowWhereTheDefinitionPutsIt(t *testing.T) {
	for _, morph := range []float64{0, 0.4, 1} {
		for _, zoom := range []float64{1, 3} {
			s := example(120, 3)
			s.Morph, s.Zoom = morph, zoom
			for i := range s.Seq {
				if math.IsNaN(s.From.Turns[i]) || !s.From.Members[i] {
					continue
				}
				at := place(s, i)
				l := newLayout(&s, pane)
				if l.legend.Contains(at) {
					continue
				}
				got := Hit(s, pane, at)
				if got.Index < 0 {
					t.Fatalf("morph %v zoom %v: nothing at window %d, %v", morph, zoom, i, at)
				}
				if q := place(s, got.Index); math.Hypot(q.X-at.X, q.Y-at.Y) > 1e-6 {
					t.Errorf("morph %v zoom %v: window %d at %v: hit %d at %v", morph, zoom, i, at, got.Index, q)
				}
			}
		}
	}
}

// Every vertex of the curve must lie on the spiral itself: for an even pace, radius and angle determine each other.
func TestC6CurveFollowsTheSpiral(t *testing.T) {
	const n, turns = 90, 2.0
	s := example(n, turns)
	l := newLayout(&s, pane)
	vertices := 0
	for _, shape := range Scene(s, pane).Shapes {
		c, ok := shape.(scene.Curves)
		if !ok {
			continue
		}
		for _, p := range c.Points {
			r, a := math.Hypot(p.X-l.c.X, p.Y-l.c.Y), math.Atan2(p.Y-l.c.Y, p.X-l.c.X)/(2*math.Pi)
			want := turns * (r - l.r0) / (l.r1 - l.r0)
			if d := want - a; math.Abs(d-math.Round(d)) > 1e-6 {
				t.Fatalf("vertex at radius %.2f has angle %.4f turns, want %.4f", r, a, want)
			}
			vertices++
		}
	}
	if vertices < n {
		t.Errorf("%d vertices for %d windows", vertices, n)
	}
}

func TestC6TooltipSaysWhenAndWhere(t *testing.T) {
	s := example(120, 3)
	got := Hit(s, pane, place(s, 80))
	want := "t 80   turn 1.9 of 2.8, angle 330°\nbubble.c:14   load a[2]"
	if text := strings.Join(got.Lines, "\n"); text != want {
		t.Errorf("got %q, want %q", text, want)
	}
	if (got.Thing != link.Thing{What: link.Line, File: "src/bubble.c", Line: 14}) ||
		got.Span != (link.Range{From: 80, To: 81}) {
		t.Errorf("got %+v, want line 14 at [80, 81)", got)
	}
	if lead := Hit(s, pane, place(s, 1)); lead.Index >= 0 && !strings.Contains(lead.Lines[0], "not part") {
		t.Errorf("a window that leads in is called %q", lead.Lines[0])
	}
}

func TestC7LegendChoosesLines(t *testing.T) {
	s := example(120, 3)
	l := newLayout(&s, pane)
	for i := range s.Lines {
		p := scene.Point{X: l.legend.Min.X + 20, Y: l.legend.Min.Y + 4 + (float64(i)+0.5)*legendRow}
		if got := Hit(s, pane, p); got.Legend != i || got.Thing.Line != 12+i {
			t.Errorf("row %d: got entry %d, %+v", i, got.Legend, got.Thing)
		}
	}
}

func TestOnlyWhatIsSelectedStaysBright(t *testing.T) {
	s := example(120, 3)
	s.Selected = link.Thing{What: link.Line, File: "src/bubble.c", Line: 13}
	l := newLayout(&s, pane)
	p := newPlot(&s, &l)
	for i := range s.Seq {
		want := quiet
		switch {
		case s.From.Members[i] && s.Line[i] == 1:
			want = bright
		case s.From.Members[i]:
			want = faded
		}
		if got := p.layer(i); got != want {
			t.Errorf("window %d of line %d: layer %d, want %d", i, s.Line[i], got, want)
		}
	}
}

func TestGoldenPictures(t *testing.T) {
	states := map[string]func() (State, scene.Size){
		"dark":  func() (State, scene.Size) { return example(120, 3), pane },
		"light": func() (State, scene.Size) { s := example(120, 3); s.Theme = palette.Light(); return s, pane },
		"morph": func() (State, scene.Size) { s := example(120, 3); s.Morph = 0.5; return s, pane },
		"angle": func() (State, scene.Size) { s := example(120, 3); s.Mode = ByAngle; return s, pane },
		"selected": func() (State, scene.Size) {
			s := example(120, 3)
			s.Selected = link.Thing{What: link.Line, File: "src/bubble.c", Line: 13}
			return s, pane
		},
		"span": func() (State, scene.Size) {
			s := example(120, 3)
			s.Selected = link.Thing{What: link.Time, Span: link.Range{From: 30, To: 60}}
			return s, pane
		},
		"zoom": func() (State, scene.Size) {
			s := example(120, 3)
			s.Zoom, s.Pan = 4, scene.Point{X: 300}
			return s, pane
		},
		"lit": func() (State, scene.Size) { // a region is selected
			s := example(120, 3)
			s.Theme, s.Selected, s.Lit = palette.Light(), link.Thing{What: link.Region, Name: "a"}, make([]bool, 120)
			for i := range s.Lit {
				s.Lit[i] = i%30 < 11
			}
			return s, pane
		},
		"thumb":   func() (State, scene.Size) { return example(120, 3), scene.Size{W: 120, H: 120, Scale: 1} },
		"circle":  func() (State, scene.Size) { return shaped(Circle), pane },
		"plane":   func() (State, scene.Size) { s := shaped(Plane); s.Theme = palette.Light(); return s, pane },
		"keys":    func() (State, scene.Size) { return keyed(example(120, 3)), pane },
		"spliced": func() (State, scene.Size) { return spliced(1), pane },
		"bare":    func() (State, scene.Size) { s := example(120, 3); s.Bare = true; return s, pane },
		"empty":   func() (State, scene.Size) { return State{Theme: palette.Dark()}, pane },
	}
	for name, make := range states {
		s, size := make()
		golden.Check(t, name, Scene(s, size))
	}
}

// However many windows, the picture has no more pieces than pixels can show.
func TestManyWindowsAreReduced(t *testing.T) {
	s := example(100000, 12)
	points := 0
	for _, shape := range Scene(s, pane).Shapes {
		if c, ok := shape.(scene.Curves); ok {
			points += len(c.Points)
		}
	}
	if points > 40000 {
		t.Errorf("%d vertices for 100 000 windows on a small pane", points)
	}
}

func TestBadStatesDoNotPanic(t *testing.T) {
	s := example(40, 2)
	nan := math.NaN()
	for i := range s.From.Turns {
		s.From.Turns[i] = nan
	}
	s.Line, s.To.Turns, s.Pan = s.Line[:3], s.To.Turns[:5], scene.Point{X: nan}
	for _, size := range []scene.Size{{}, {W: 1, H: 1}, {W: 120, H: 120}, {W: 3840, H: 2160}, {W: nan, H: 5}} {
		for _, zoom := range []float64{0, -1, nan, 1e6} {
			s.Zoom = zoom
			Scene(s, size)
			Hit(s, size, scene.Point{X: 10, Y: 10})
		}
	}
	one := State{Theme: palette.Dark(), Seq: []traceio.Seq{7}, From: Angles{Turns: []float64{0}}, Cursor: 7}
	Scene(one, pane)
	Hit(one, pane, scene.Point{X: 310, Y: 215})
}

func BenchmarkScene100000(b *testing.B) {
	s := example(100000, 12)
	b.ReportAllocs()
	for b.Loop() {
		Scene(s, scene.Size{W: 1280, H: 800, Scale: 1})
	}
}
