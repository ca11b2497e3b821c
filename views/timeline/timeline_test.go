package timeline

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

var room = scene.Size{W: 1280, H: 140, Scale: 1}

func sample(n int, step traceio.Seq) State {
	values := make([]float64, n)
	for i := range values {
		values[i] = float64((i*7919)%101) / 10
	}
	return State{Theme: palette.Dark(), Len: traceio.Seq(n) * step, Cursor: traceio.Seq(n) * step / 2,
		Lanes: []Lane{{Name: "L1 misses", Unit: "per 64 references", Step: step, Values: values, Color: palette.Dark().Miss}}}
}

// slowColumn is what reduce promises for a pixel that covers several values, found by asking every value whether its
// first reference lies there.
func slowColumn(l *Lane, g *geometry, px int) (low, mean, top float64, n int) {
	a, b := g.seq(g.plot.Min.X+float64(px)), g.seq(g.plot.Min.X+float64(px)+1)
	low, top = math.Inf(1), math.Inf(-1)
	for i, v := range l.Values {
		first := float64(l.First) + float64(i)*float64(l.Step)
		// The value whose stretch the pixel's left edge cuts belongs to it, the one that its right edge cuts does not.
		if first+float64(l.Step) <= a || first+float64(l.Step) > b || math.IsNaN(v) {
			continue
		}
		low, top, mean, n = min(low, v), max(top, v), mean+v, n+1
	}
	return low, mean / float64(n), top, n
}

func TestReduceAgreesWithAskingEveryValue(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5 {
		s := sample(3000+r.IntN(2000), traceio.Seq(1+r.IntN(90)))
		l := &s.Lanes[0]
		for range 40 {
			l.Values[r.IntN(len(l.Values))] = math.NaN()
		}
		g := place(&s, room)
		seen := 0
		for _, run := range reduce(l, &g) {
			for _, c := range run {
				px := int(c.x - g.plot.Min.X)
				low, mean, top, n := slowColumn(l, &g, px)
				if n == 0 || low != c.low || top != c.top || math.Abs(mean-c.mean) > 1e-9 {
					t.Fatalf("pixel %d of %d values at step %d: got %v %v %v, want %v %v %v (%d values)", px, len(l.Values), l.Step,
						c.low, c.mean, c.top, low, mean, top, n)
				}
				seen++
			}
		}
		if seen < int(g.plot.W())/2 {
			t.Fatalf("only %d columns for %v pixels", seen, g.plot.W())
		}
	}
}

func TestReduceKeepsEveryPeak(t *testing.T) {
	s := sample(500_000, 64)
	l := &s.Lanes[0]
	for i := range l.Values {
		l.Values[i] = 1
	}
	l.Values[123_456], l.Values[123_999] = 50, 0
	g := place(&s, room)
	top, low := 0.0, math.Inf(1)
	for _, run := range reduce(l, &g) {
		for _, c := range run {
			top, low = max(top, c.top), min(low, c.low)
		}
	}
	if top != 50 || low != 0 {
		t.Fatalf("peak %v and trough %v survive, want 50 and 0", top, low)
	}
}

func TestZoomedInEveryValueIsOnePoint(t *testing.T) {
	s := sample(5000, 10)
	s.View = link.Range{From: 20_000, To: 20_400}
	g := place(&s, room)
	runs := reduce(&s.Lanes[0], &g)
	if len(runs) != 1 || len(runs[0]) < 40 || len(runs[0]) > 44 {
		t.Fatalf("%d runs, first with %d columns; want 1 with 40 and a neighbour at each end", len(runs), len(runs[0]))
	}
	for _, c := range runs[0] {
		if v, ok := s.Lanes[0].value(g.seq(c.x)); !ok || v != c.mean {
			t.Fatalf("at x %v: column %v, value %v", c.x, c.mean, v)
		}
	}
}

func TestPositionsRoundTrip(t *testing.T) {
	s := sample(840, 1)
	for _, view := range []link.Range{{}, {From: 100, To: 300}, {From: 824, To: 840}} {
		s.View = view
		v := View(s)
		for at := v.From; at < v.To; at += 7 {
			if got := SeqAt(s, room, xAt(s, room, at)+0.01); got != at {
				t.Fatalf("view %v: reference %d is drawn at %v, where %d is", view, at, xAt(s, room, at), got)
			}
		}
	}
	if SeqAt(s, room, -1e6) != 0 || SeqAt(s, room, 1e6) != 839 {
		t.Fatal("positions outside the strip must be held inside the recording")
	}
}

func TestZoomKeepsTheReferenceUnderThePointer(t *testing.T) {
	s := sample(100_000, 10)
	r := rand.New(rand.NewPCG(1, 9))
	for range 300 {
		about := SeqAt(s, room, 92+r.Float64()*1100)
		before := xAt(s, room, about)
		wide := s
		wide.View = Zoom(s, about, []float64{2, 1.25, 0.8, 0.5}[r.IntN(4)])
		v := View(wide)
		if v.To > s.Len || v.Empty() {
			t.Fatalf("zoom left the recording: %v", v)
		}
		atEnd := v.From == 0 || v.To == s.Len
		if after := xAt(wide, room, about); !atEnd && math.Abs(after-before) > 1200/float64(v.To-v.From)+0.5 {
			t.Fatalf("reference %d went from x %v to %v when %v became %v", about, before, after, View(s), v)
		}
		s = wide
	}
	if v := Zoom(s, 50, 1e9); v.To-v.From != shortest {
		t.Fatalf("the closest view is %v, want %d references", v, shortest)
	}
	if v := Zoom(s, 50, 1e-9); v != (link.Range{From: 0, To: s.Len}) {
		t.Fatalf("the widest view is %v", v)
	}
}

func TestPanStopsAtTheEnds(t *testing.T) {
	s := sample(1000, 1)
	s.View = link.Range{From: 100, To: 300}
	for _, row := range []struct {
		by   float64
		want link.Range
	}{{50, link.Range{From: 150, To: 350}}, {-500, link.Range{From: 0, To: 200}},
		{5000, link.Range{From: 800, To: 1000}}} {
		if got := Pan(s, row.by); got != row.want {
			t.Errorf("pan by %v gives %v, want %v", row.by, got, row.want)
		}
	}
	if d := Drag(s, room, 600, 400); d.From >= d.To || d.From != SeqAt(s, room, 400) || d.To != SeqAt(s, room, 600)+1 {
		t.Errorf("drag from right to left gives %v", d)
	}
}

func TestNumbers(t *testing.T) {
	for _, row := range []struct {
		n, step traceio.Seq
		want    string
	}{{0, 100, "0"}, {840, 20, "840"}, {1000, 500, "1 000"}, {9000, 1000, "9 000"}, {20000, 10000, "20 K"},
		{12500, 500, "12.5 K"}, {1_200_000, 200_000, "1.2 M"},
		{2_000_000, 1_000_000, "2 M"}, {12_345, 5, "12 345"}, {25_600_000, 100, "25 600 000"},
		{25_610_000, 10_000, "25.61 M"}, {3_000_000_000, 1_000_000_000, "3 G"}} {
		got := tick(row.n, row.step)
		if got != row.want {
			t.Errorf("tick(%d, %d) = %q, want %q", row.n, row.step, got, row.want)
		}
	}
	for _, row := range []struct {
		v     float64
		bytes bool
		want  string
	}{{0, false, "0"}, {12, false, "12"}, {0.613, false, "0.61"}, {1234, false, "1.2 K"}, {999.9, false, "1.0 K"},
		{512, true, "512 B"}, {1536, true, "1.5 KiB"}, {3 << 20, true, "3 MiB"}} {
		if got := Amount(row.v, row.bytes); got != row.want {
			t.Errorf("Amount(%v, %v) = %q, want %q", row.v, row.bytes, got, row.want)
		}
	}
}

func TestTicksAreDistinctAndApart(t *testing.T) {
	for _, n := range []int{1, 16, 840, 12_345, 999_999, 25_600_000} {
		s := State{Theme: palette.Dark(), Len: traceio.Seq(n)}
		g := place(&s, room)
		step := ticks(&g, 84)
		seen := map[string]bool{}
		for at := traceio.Seq(0); at <= s.Len; at += step {
			if text := tick(at, step); seen[text] {
				t.Fatalf("%d references: tick %q stands twice", n, text)
			} else {
				seen[text] = true
			}
		}
		if px := g.x(float64(step)) - g.x(0); px < 84 && n > 1 {
			t.Fatalf("%d references: ticks %v pixels apart", n, px)
		}
	}
}

func TestHit(t *testing.T) {
	s := sample(840, 1)
	s.Cursor, s.Window = 529, link.Range{From: 300, To: 410}
	s.Lanes = append(s.Lanes, Lane{Name: "phases", Bands: []Band{{link.Range{From: 0, To: 400}, "fill", s.Theme.Accent}}})
	s.Marks = []Mark{{Seq: 200, Text: "begin"}}
	g := place(&s, room)
	lane := g.lanes[0]
	y := middle(lane)
	for _, row := range []struct {
		name string
		p    scene.Point
		grip Grip
		lane int
		line string
	}{
		{"cursor", scene.Point{X: xAt(s, room, 529) + 2, Y: y}, Cursor, 0, "L1 misses"},
		{"left edge", scene.Point{X: xAt(s, room, 300), Y: y}, WindowFrom, 0, "L1 misses"},
		{"right edge", scene.Point{X: xAt(s, room, 410) - 1, Y: y}, WindowTo, 0, "L1 misses"},
		{"lane", scene.Point{X: xAt(s, room, 100) + 0.1, Y: y}, Plot, 0, "L1 misses " + Amount(s.Lanes[0].Values[100],
			false) + " per 64 references at t 100"},
		{"phase", scene.Point{X: xAt(s, room, 100), Y: middle(g.lanes[1])}, Plot, 1, "fill"},
		{"ruler", scene.Point{X: xAt(s, room, 101) + 0.1, Y: room.H - 4}, Plot, -1, "t 101"},
		{"mark", scene.Point{X: xAt(s, room, 200), Y: g.plot.Min.Y - 6}, Plot, -1, "begin"},
		{"gutter", scene.Point{X: 10, Y: y}, None, -1, ""},
		{"far right", scene.Point{X: 1279, Y: y}, None, -1, ""},
	} {
		got := Hit(s, room, row.p)
		first := ""
		if len(got.Lines) > 0 {
			first = got.Lines[0]
		}
		if got.Grip != row.grip || got.Lane != row.lane || !strings.HasPrefix(first, row.line) {
			t.Errorf("%s: got grip %d lane %d %q, want %d %d %q", row.name, got.Grip, got.Lane, first, row.grip,
				row.lane, row.line)
		}
	}
}

// TestNamesOfStretchesAreWhole: in a low strip a lane of categories keeps the room that its names need, as long as the
// other lanes keep what they need, and nothing leaves the strip.
func TestNamesOfStretchesAreWhole(t *testing.T) {
	lanes := []Lane{{}, {Bands: []Band{{link.Range{To: 9}, "fill", palette.Light().Accent}}}, {}, {}, {}}
	for h := 40.0; h < 300; h++ {
		plot := scene.R(0, 0, 500, h)
		at := share(lanes, plot)
		if bands := at[1].H(); bands < bandNeed && at[0].H() > bandNeed-laneNeed {
			t.Errorf("%g high: the names have %g, the other lanes %g", h, bands, at[0].H())
		}
		if at[0].H() < laneNeed && at[1].H() > at[0].H()+0.001 {
			t.Errorf("%g high: the names have %g, the other lanes only %g", h, at[1].H(), at[0].H())
		}
		if last := at[len(at)-1].Max.Y; last > plot.Max.Y+0.001 {
			t.Errorf("%g high: the lanes end at %g", h, last)
		}
	}
}

func TestStrangeStatesDraw(t *testing.T) {
	nan := math.NaN()
	for name, s := range map[string]State{
		"nothing":       {Theme: palette.Light()},
		"one reference": {Theme: palette.Light(), Len: 1, Lanes: []Lane{{Name: "x", Step: 1, Values: []float64{3}}}},
		"empty lane":    {Theme: palette.Light(), Len: 10, Lanes: []Lane{{Name: "x"}}},
		"only gaps":     {Theme: palette.Light(), Len: 10, Lanes: []Lane{{Name: "x", Step: 1, Values: []float64{nan, nan}}}},
		"step zero":     {Theme: palette.Light(), Len: 10, Lanes: []Lane{{Name: "x", Values: []float64{1, 2}}}},
		"view far out": {Theme: palette.Light(), Len: 10, View: link.Range{From: 50, To: 90},
			Lanes: []Lane{{Name: "x", Step: 1, Values: []float64{1, 2}}}},
		"cursor far out": {Theme: palette.Light(), Len: 10, Cursor: 1 << 60},
		"no lanes":       {Theme: palette.Light(), Len: 10},
	} {
		for _, size := range []scene.Size{{W: 1280, H: 140}, {W: 40, H: 20}, {W: 0, H: 0}, {W: 300, H: 50}} {
			d := Scene(s, size)
			for _, sh := range d.Shapes {
				checkFinite(t, name, sh)
			}
			Hit(s, size, scene.Point{X: size.W / 2, Y: size.H / 2})
		}
	}
}

func checkFinite(t *testing.T, name string, sh scene.Shape) {
	t.Helper()
	var points []scene.Point
	switch v := sh.(type) {
	case scene.Fill:
		points = v.Path.Points
	case scene.Stroke:
		points = v.Path.Points
	case scene.Curves:
		points = v.Points
	case scene.Text:
		points = []scene.Point{v.At}
	case scene.Group:
		for _, inner := range v.Shapes {
			checkFinite(t, name, inner)
		}
	}
	for _, p := range points {
		if math.IsNaN(p.X+p.Y) || math.IsInf(p.X+p.Y, 0) {
			t.Fatalf("%s: %T has the point %v", name, sh, p)
		}
	}
}

func TestNothingIsDrawnOutside(t *testing.T) {
	s := sample(840, 1)
	s.Window = link.Range{From: 300, To: 410}
	s.View = link.Range{From: 320, To: 400}
	for _, sh := range Scene(s, room).Shapes {
		if txt, ok := sh.(scene.Text); ok {
			w := scene.Measure(txt.Face, txt.Size, txt.S)
			if txt.Max > 0 {
				w = min(w, txt.Max)
			}
			if x := txt.At.X - txt.Align*w; x < 0 || x+w > room.W {
				t.Errorf("%q reaches from %v to %v", txt.S, x, x+w)
			}
		}
	}
}

func BenchmarkScene(b *testing.B) {
	s := sample(400_000, 64)
	s.Lanes = append(s.Lanes, s.Lanes[0], s.Lanes[0])
	size := scene.Size{W: 1920, H: 140, Scale: 1}
	b.ReportAllocs()
	for b.Loop() {
		Scene(s, size)
	}
}

// xAt is the horizontal position of reference at; it lies outside the strip when the reference is out of view.
func xAt(s State, size scene.Size, at traceio.Seq) float64 {
	g := place(&s, size)
	return g.x(float64(at))
}
