package phases

import (
	"fmt"
	"image/color"
	"testing"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// run is phases of the given lengths, whose kinds go round.
func run(kinds int, lengths ...traceio.Seq) State {
	s := State{Theme: palette.Dark(), Chosen: -1, Hover: Nowhere, Path: []string{"whole run"},
		Top: 26, Note: "approximate"}
	at := traceio.Seq(100)
	s.Span.From = at
	for i, n := range lengths {
		s.Phases = append(s.Phases, Phase{Span: link.Range{From: at, To: at + n}, Kind: i % kinds,
			Tip: []string{fmt.Sprint("phase ", i+1)}})
		at += n
	}
	s.Span.To = at
	for k := range kinds {
		s.Kinds = append(s.Kinds, Kind{Name: fmt.Sprintf("kind %d", k), Share: 1 / float64(kinds),
			Color: palette.Qualitative(s.Theme, k), Words: []string{"4.0 turns", "2.0 turns"}})
	}
	return s
}

var pane = scene.Size{W: 380, H: 300, Scale: 1}

// Of every phase that is wide enough to see, the strip has its colour where it is hit, and its kind's lane too; other
// kinds' lanes are about their kinds.
func TestPhasesAreHitWhereTheyAreDrawn(t *testing.T) {
	s := run(3, 500, 200, 900, 500, 200, 900, 1800)
	l := place(&s, pane)
	if len(l.lanes) != 3 {
		t.Fatalf("%d lanes of 3", len(l.lanes))
	}
	boxes := fills(Scene(s, pane))
	for i, p := range s.Phases {
		x := (l.x(p.Span.From) + l.x(p.Span.To)) / 2
		if got := Hit(s, pane, scene.Point{X: x, Y: l.strip.Center().Y}); got.Phase != i || got.Kind != -1 || got.Path != -1 {
			t.Errorf("the middle of phase %d hits %+v", i, got)
		}
		if ink := colorAt(boxes, scene.Point{X: x, Y: l.strip.Center().Y}); ink != s.Kinds[p.Kind].Color {
			t.Errorf("phase %d is drawn in %v, want that of its kind, %v", i, ink, s.Kinds[p.Kind].Color)
		}
		for k, lane := range l.lanes {
			at := scene.Point{X: x, Y: lane.Center().Y}
			want, ink := Target{Phase: -1, Kind: k, Path: -1}, color.NRGBA{}
			if k == p.Kind {
				want, ink = Target{Phase: i, Kind: -1, Path: -1}, s.Kinds[k].Color
			}
			if got := Hit(s, pane, at); got != want || colorAt(boxes, at) != ink {
				t.Errorf("lane %d at phase %d hits %+v in %v, want %+v in %v", k, i, got, colorAt(boxes, at), want, ink)
			}
		}
	}
	for k, r := range l.rows {
		if got := Hit(s, pane, r.Center()); got.Kind != k || got.Phase != -1 {
			t.Errorf("the row of kind %d hits %+v", k, got)
		}
	}
	s.Path = append(s.Path, "100 to 600")
	for i, r := range place(&s, pane).way {
		if got := Hit(s, pane, r.Center()); got.Path != i {
			t.Errorf("part %d of the way hits %+v", i, got)
		}
	}
}

// fills are the drawing's filled paths.
func fills(d scene.Drawing) []scene.Fill {
	var out []scene.Fill
	for _, s := range d.Shapes {
		if f, ok := s.(scene.Fill); ok {
			out = append(out, f)
		}
	}
	return out
}

// colorAt is the colour of the last box around a point.
func colorAt(boxes []scene.Fill, at scene.Point) color.NRGBA {
	out := color.NRGBA{}
	for _, f := range boxes {
		r := scene.Rect{Min: f.Path.Points[0], Max: f.Path.Points[0]}
		for _, p := range f.Path.Points {
			r.Min.X, r.Min.Y, r.Max.X, r.Max.Y = min(r.Min.X, p.X), min(r.Min.Y, p.Y), max(r.Max.X, p.X), max(r.Max.Y, p.Y)
		}
		if r.Contains(at) {
			out = f.Color
		}
	}
	return out
}

// A run of very many phases costs as many shapes as there are pixels, and the longest phases are those that are seen.
func TestManyPhasesAreReducedToPixels(t *testing.T) {
	lengths := make([]traceio.Seq, 60000)
	for i := range lengths {
		lengths[i] = 10
	}
	lengths[30000] = 3000
	s := run(2, lengths...)
	if n := len(fills(Scene(s, pane))); n > 3*int(pane.W) {
		t.Errorf("%d boxes for %g pixels", n, pane.W)
	}
	l := place(&s, pane)
	for _, c := range columns(&s, &l) {
		if l.x(s.Phases[30000].Span.From) >= c.x0 && l.x(s.Phases[30000].Span.To) <= c.x1 && c.phase != 30000 {
			t.Errorf("the pixels of the longest phase show phase %d", c.phase)
		}
	}
}

func TestEverySizeAndState(t *testing.T) {
	for _, size := range []scene.Size{{W: 120, H: 90, Scale: 1}, pane, {W: 1200, H: 800, Scale: 2}} {
		for _, theme := range []palette.Theme{palette.Dark(), palette.Light()} {
			for name, s := range map[string]State{"nothing": {Empty: "Finding …"}, "one phase": run(1, 5),
				"many kinds": run(12, make([]traceio.Seq, 40)...)} {
				s.Theme, s.Chosen, s.Hover.Phase, s.Rounds, s.Window = theme, 0, 0, []Round{{0, 2, 6}},
					link.Range{From: 101, To: 103}
				if d := Scene(s, size); len(d.Shapes) == 0 || d.Size != size || d.Background != theme.Panel {
					t.Errorf("%s at %v: %d shapes", name, size, len(d.Shapes))
				}
			}
		}
	}
}
