package spread

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/analysis/dse"
	"orrery/traceio/designs"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// made is a design space of n points with two parameters and three objectives, of which the last is maximised and has a
// few values far off.
func made(t testing.TB, n int) *dse.Space {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(n), 7))
	set := &designs.Set{Name: "made", N: n, Parameters: []designs.Parameter{{Name: "cores", Values: []string{"1", "2", "4",
		"8"}}, {Name: "memory", Values: []string{"SRAM", "DRAM"}}}}
	for _, o := range []designs.Objective{{Name: "time", Unit: "ms"}, {Name: "energy", Unit: "mJ"},
		{Name: "rate", Maximise: true}} {
		o.Values = make([]float64, n)
		set.Objectives = append(set.Objectives, o)
	}
	for j := range set.Parameters {
		set.Parameters[j].At = make([]int32, n)
	}
	for p := range n {
		cores, x := r.IntN(4), r.Float64()
		set.Parameters[0].At[p], set.Parameters[1].At[p] = int32(cores), int32(r.IntN(2))
		set.Objectives[0].Values[p] = 10*x + float64(3-cores) + 0.3*r.Float64()
		set.Objectives[1].Values[p] = 2/(0.2+x) + r.ExpFloat64()
		set.Objectives[2].Values[p] = r.NormFloat64()
		if p%500 == 499 {
			set.Objectives[2].Values[p] = 400
		}
	}
	s, err := dse.New(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func tableOf(t testing.TB, s *dse.Space) *Table {
	t.Helper()
	table, err := NewTable(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func example(t testing.TB, theme palette.Theme, n int) State {
	s := made(t, n)
	return State{Theme: theme, Table: tableOf(t, s), Carried: -1, Top: 24, Growth: []float64{0.42, 0.5, 0.5,
		0.61, 0.64, 0.66}, Now: 3}
}

var room = scene.Size{W: 720, H: 360, Scale: 1}

// TestScalesAreMonotone: a position is that of its value, greater values are never lower, and what lies far off takes
// the ends of the axis only.
func TestScalesAreMonotone(t *testing.T) {
	table := example(t, palette.Dark(), 2000).Table
	for _, a := range table.Axes {
		last := math.Inf(-1)
		for i := range 1001 {
			at := float64(i) / 1000
			v := a.Value(at)
			if v < last {
				t.Fatalf("%s: %g at %g after %g", a.Name, v, at, last)
			}
			last = v
			if back := a.Position(v); a.Values == nil && math.Abs(back-at) > 1e-9 {
				t.Fatalf("%s: %g is at %g, not at %g", a.Name, v, back, at)
			}
		}
	}
	rate := &table.Axes[4]
	if !rate.High || rate.Low {
		t.Fatalf("breaks at the ends of the rate: %v %v", rate.Low, rate.High)
	}
	if low, high := rate.Position(-2), rate.Position(2); high-low < 0.6 {
		t.Errorf("the values that most points have take %.2f of the axis", high-low)
	}
	for _, v := range [][]float64{nil, {7}, {3, 3, 3}} {
		a := Axis{}
		a.scale(v)
		if at := a.Position(3); math.IsNaN(at) || at < 0 || at > 1 {
			t.Errorf("%v: 3 is at %g", v, at)
		}
		a.ticks(5)
	}
}

// TestDensityIsThatOfTheLines: every column of pixels holds every point once, and about where its line passes.
func TestDensityIsThatOfTheLines(t *testing.T) {
	s := example(t, palette.Dark(), 900)
	const w, h = 90, 256
	a, b := &s.Table.Axes[2], &s.Table.Axes[3]
	g, f := newGrid(w, h), new(flow)
	norm := s.Table.Space.Norm[0]
	f.add(nil, norm, a, b)
	g.band(f, 0, w)
	g.settle()
	tall := float64(h) / bins
	for x := range w {
		sum, moment, want := 0.0, 0.0, 0.0
		for y := range h {
			c := float64(g.count[x*h+y])
			sum += c
			moment += c * (float64(y) + 0.5)
		}
		for p := range int32(s.Table.Space.N) {
			share := (float64(x) + 0.5) / w
			want += (1 - a.of(p)*(1-share) - b.of(p)*share) * h
		}
		n := float64(s.Table.Space.N)
		if math.Abs(sum/tall-n) > 0.01*n || math.Abs(moment/sum-want/n) > 1.5 {
			t.Fatalf("column %d holds %.1f of %g points around %.1f, the lines around %.1f", x, sum/tall, n, moment/sum, want/n)
		}
	}
	pass := dse.NewBits(s.Table.Space.N)
	for p := 0; p < s.Table.Space.N; p += 3 {
		pass.Add(p)
	}
	s.Pass = pass
	g = newGrid(60, 60)
	g.dots(s.list(), norm, a, b)
	sum := float32(0)
	for _, c := range g.count {
		sum += c
	}
	if int(sum) != pass.Count() {
		t.Errorf("%g dots of %d points", sum, pass.Count())
	}
}

// TestRankCorrelation is held against Spearman's by sorting.
func TestRankCorrelation(t *testing.T) {
	s := made(t, 400)
	table := tableOf(t, s)
	rank := func(values []float64) []float64 {
		out := make([]float64, len(values))
		for i, v := range values {
			for _, w := range values {
				switch {
				case w < v:
					out[i]++
				case w == v:
					out[i] += 0.5
				}
			}
		}
		return out
	}
	for i := range s.Objectives {
		for j := range s.Objectives {
			x, y := rank(s.Objectives[i].Values), rank(s.Objectives[j].Values)
			var mx, my, xx, xy, yy float64
			for k := range x {
				mx, my = mx+x[k]/400, my+y[k]/400
			}
			for k := range x {
				xx, xy, yy = xx+(x[k]-mx)*(x[k]-mx), xy+(x[k]-mx)*(y[k]-my), yy+(y[k]-my)*(y[k]-my)
			}
			if want := xy / math.Sqrt(xx*yy); math.Abs(table.Rank[i][j]-want) > 1e-3 {
				t.Errorf("objectives %d and %d: %.4f, want %.4f", i, j, table.Rank[i][j], want)
			}
		}
	}
}

// TestPointsAreWhereTheyAreDrawn: where a curve or a disc was drawn, its design is.
func TestPointsAreWhereTheyAreDrawn(t *testing.T) {
	s := example(t, palette.Dark(), 60)
	f := place(&s, room)
	a, b := &s.Table.Axes[f.order[2]], &s.Table.Axes[f.order[3]]
	c := placeMatrix(&s, room)
	plot := inset(c.cell(1, 0))
	for p := range int32(60) {
		at := scene.Point{X: (f.x[2] + f.x[3]) / 2, Y: f.y((a.of(p) + b.of(p)) / 2)}
		if got := Hit(s, room, at); got.Point < 0 || math.Abs((a.of(got.Point)+b.of(got.Point)-a.of(p)-b.of(p))/2) > 1e-4 ||
			got.Thing != (link.Thing{What: link.Design, ID: int(got.Point)}) {
			t.Errorf("design %d of the curves is %d, %v", p, got.Point, got.Thing)
		}
		m := s
		m.Picture = Matrix
		at = scene.Point{X: plot.Min.X + a.of(p)*plot.W(), Y: plot.Max.Y - b.of(p)*plot.H()}
		if got := Hit(m, room, at); got.Point != p {
			t.Errorf("design %d of the discs is %d", p, got.Point)
		}
	}
	for i := range f.order {
		got := Hit(s, room, scene.Point{X: f.x[i], Y: f.y(0.25)})
		if got.Axis != i || got.Name || math.Abs(got.At-0.25) > 1e-9 || len(got.Lines) == 0 {
			t.Errorf("axis %d: %+v", i, got)
		}
		if got = Hit(s, room, scene.Point{X: f.x[i], Y: s.Top + 10}); got.Axis != i || !got.Name {
			t.Errorf("name of axis %d: %+v", i, got)
		}
	}
	s.Picture = Volume
	g := placeGrowth(&s, room)
	for k := range s.Growth {
		if got := Hit(s, room, scene.Point{X: g.x(float64(k)), Y: g.plot.Center().Y}); got.Generation != k {
			t.Errorf("generation %d is %d", k, got.Generation)
		}
	}
}

// TestBrushesTakeWholeValues: on a parameter a brush holds those values that it touches, on an objective what was
// dragged.
func TestBrushesTakeWholeValues(t *testing.T) {
	s := example(t, palette.Dark(), 60)
	if b := Brushed(s, 0, 0.55, 0.3); b.Axis != 0 || b.Low != 0.25 || b.High != 0.75 {
		t.Errorf("brush of a parameter: %+v", b)
	}
	if b := Brushed(s, 0, 0.3, 0.3); b.Low != 0.25 || b.High != 0.5 {
		t.Errorf("a click on a parameter: %+v", b)
	}
	if b := Brushed(s, 2, 0.55, 0.3); b.Low != 0.3 || b.High != 0.55 {
		t.Errorf("brush of an objective: %+v", b)
	}
	f := place(&s, room)
	if got := Moved(s, room, 0, f.x[2]+3); !slices.Equal(got, []int{1, 2, 0, 3, 4}) {
		t.Errorf("order %v", got)
	}
	if got := Moved(s, room, 4, -100); !slices.Equal(got, []int{4, 0, 1, 2, 3}) {
		t.Errorf("order %v", got)
	}
}

// TestKeptImagesAreTheSame: a picture from the cache is the one drawn anew, and a change of what passes is seen.
func TestKeptImagesAreTheSame(t *testing.T) {
	s := example(t, palette.Dark(), Dots+500)
	for pic := range Volume {
		s.Picture, s.Cache = pic, nil
		want := fmt.Sprint(images(Scene(s, room)))
		s.Cache = new(Cache)
		for range 2 {
			if got := fmt.Sprint(images(Scene(s, room))); got != want {
				t.Errorf("%s differ from the cache", Pictures[pic])
			}
		}
		half := dse.NewBits(s.Table.Space.N)
		for p := 0; p < Dots+100; p++ {
			half.Add(p)
		}
		some := s
		some.Pass, some.Version = half, 1
		if got := fmt.Sprint(images(Scene(some, room))); got == want {
			t.Errorf("%s: a filter changes nothing", Pictures[pic])
		}
	}
}

// TestWorkMakesWhatAFrameLacked: with Later a frame shows what was there before; once the work is done, while the
// filter has gone on, it is the picture of what passed when the frame was drawn.
func TestWorkMakesWhatAFrameLacked(t *testing.T) {
	room := scene.Size{W: 300, H: 240, Scale: 1}
	s := example(t, palette.Dark(), Dots+500)
	draw := func(s State) string { return fmt.Sprint(images(Scene(s, room))) }
	for pic := range Volume {
		s.Picture, s.Pass, s.Version, s.Cache = pic, nil, 0, nil
		all := draw(s)
		c := &Cache{Later: true}
		s.Cache = c
		if draw(s) == all || !c.Lacks() {
			t.Errorf("%s: the first frame lacks nothing", Pictures[pic])
		}
		finish := func() {
			m, err := c.Work()(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			c.Take(m)
		}
		if finish(); draw(s) != all || c.Lacks() {
			t.Errorf("%s differ when the work is done", Pictures[pic])
		}
		pass := dse.NewBits(s.Table.Space.N)
		for p := 300; p < s.Table.Space.N; p++ {
			pass.Add(p)
		}
		s.Pass, s.Version = pass, 1
		before := images(Scene(s, room))
		if !c.Lacks() || len(before) == 0 {
			t.Errorf("%s: nothing stands in for what is filtered", Pictures[pic])
		}
		work := c.Work()
		anew := s
		anew.Cache = nil
		want := fmt.Sprint(images(Scene(anew, room)))
		pass.Add(7) // the filter goes on while the work is under way
		m, err := work(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		c.Take(m)
		if got := images(Scene(s, room)); fmt.Sprint(got) != want || fmt.Sprint(before) == want {
			t.Errorf("%s: the filtered picture differs when the work is done", Pictures[pic])
		}
		stopped, cancel := context.WithCancel(context.Background())
		cancel()
		s.Version++
		Scene(s, room)
		if _, err := c.Work()(stopped); err == nil {
			t.Errorf("%s: work that is cancelled has no error", Pictures[pic])
		}
	}
}

// images are sums of the pixels of a drawing's images.
func images(d scene.Drawing) (out []int) {
	for _, s := range d.Shapes {
		if i, ok := s.(scene.Image); ok {
			sum := 0
			for k, v := range i.Pixels.Pix {
				sum += (k%97 + 1) * int(v)
			}
			out = append(out, sum)
		}
	}
	return out
}

// TestEverySizeDraws: no room is too small, no table too odd.
func TestEverySizeDraws(t *testing.T) {
	one := &designs.Set{N: 1, Objectives: []designs.Objective{{Name: "f", Values: []float64{3}}}}
	space, err := dse.New(context.Background(), one)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []State{example(t, palette.Dark(), 100), {Theme: palette.Light(), Table: tableOf(t, space),
		Carried: -1}, {Theme: palette.Light(), Empty: "nothing"}} {
		for s.Picture = range Picture(3) {
			for _, w := range []float64{1, 70, 200, 900} {
				for _, h := range []float64{1, 70, 120, 500} {
					size := scene.Size{W: w, H: h, Scale: 1}
					for _, shape := range Scene(s, size).Shapes {
						if text, ok := shape.(scene.Text); ok && (math.IsNaN(text.At.X) || math.IsNaN(text.At.Y)) {
							t.Fatalf("%v: %q is nowhere", size, text.S)
						}
					}
					Hit(s, size, scene.Point{X: w / 2, Y: h / 2})
				}
			}
		}
	}
}
