package spiral

import (
	"math"
	"math/rand/v2"
	"testing"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// shaped are states of the other shapes for goldens and tests.
func shaped(shape Shape) State {
	s := example(160, 4)
	s.Shape, s.Describe = shape, nil
	if shape == Plane {
		for i := range s.Seq {
			sin, cos := math.Sincos(2 * math.Pi * float64(i%40) / 40)
			s.Place = append(s.Place, scene.Point{X: 6*cos + float64(i)/80, Y: 4*sin + float64(i%7)/10})
		}
	}
	return s
}

func keyed(s State) State {
	s.Mode = ByKey
	s.Keys = []Key{{Label: "sort", Color: palette.Qualitative(s.Theme, 0),
		Thing: link.Thing{What: link.Function, Name: "sort"}},
		{Label: "swap", Color: palette.Qualitative(s.Theme, 1), Thing: link.Thing{What: link.Function, Name: "swap"}},
		{Label: "main", Color: palette.Qualitative(s.Theme, 2), Hidden: true}}
	for i := range s.Seq {
		s.Key = append(s.Key, int32(i/5%4)-1)
	}
	return s
}

func spliced(amount float64) State {
	s := example(400, 4)
	b := Angles{Turns: make([]float64, 400), Members: make([]bool, 400)}
	for i := range b.Turns {
		b.Turns[i], b.Members[i] = 0.3+float64(i)/14, i >= 100 && i < 300
	}
	s.Loops = []Loop{{Angles: b, Amount: amount}}
	return s
}

// Members lie on one circle; what leads in and out moves monotonically outward.
func TestC5CircleHoldsMembersAndAmblesLeaveIt(t *testing.T) {
	s := shaped(Circle)
	l := newLayout(&s, pane)
	p := newPlot(&s, &l)
	first, last := p.ends()
	if first != 4 || last != 155 {
		t.Fatalf("members from %d to %d", first, last)
	}
	for i := range s.Seq {
		q := p.pos(i)
		r := math.Hypot(q.X-l.c.X, q.Y-l.c.Y)
		switch {
		case i >= first && i <= last && math.Abs(r-(l.r0+ring*(l.r1-l.r0))) > 1e-9:
			t.Errorf("member %d is at radius %g", i, r)
		case i > 0 && p.r[i] < p.r[i-1]:
			t.Errorf("window %d lies further in than the one before", i)
		case (i < first || i > last) && i > 0 && p.r[i] == p.r[i-1]:
			t.Errorf("window %d does not leave the circle", i)
		}
	}
	if in, on := p.opacity(1), p.opacity(first+1); in != 1 || on >= 1 {
		t.Errorf("the way in has opacity %g, turns that lie on each other %g", in, on)
	}
	for i := first + 1; i <= last; i++ { // arcs bend around the centre
		if q := p.mid(i, 0.5); math.Abs(math.Hypot(q.X-l.c.X, q.Y-l.c.Y)-p.r[first]) > 1e-9 {
			t.Fatalf("the arc to window %d leaves the circle", i)
		}
	}
}

// The contours' field is as high as arcs pass there: turns on the circle, one on the ways in and out, nothing
// elsewhere.
func TestC5SummaryCountsPasses(t *testing.T) {
	s := State{Theme: palette.Dark(), Shape: Circle}
	const n = 4000
	for i := range n {
		s.Seq = append(s.Seq, traceio.Seq(i))
		s.From.Turns = append(s.From.Turns, math.Min(5.5, math.Max(0, float64(i-200)*5.5/float64(n-400))))
		s.From.Members = append(s.From.Members, i >= 200 && i < n-200)
	}
	l := newLayout(&s, pane)
	p := newPlot(&s, &l)
	f := p.passes()
	f.blur(soft / cell)
	at := func(turn, r float64) float64 {
		q := p.at(turn, r)
		i, j := (q.X-f.origin.X)/cell, (q.Y-f.origin.Y)/cell
		return f.v[int(math.Round(j))*f.w+int(math.Round(i))]
	}
	r := p.r[2000]
	for _, c := range []struct{ turn, r, want float64 }{{0.25, r, 6}, {0.75, r, 5}, {0.25, r - 60, 0}, {0, r * 0.6, 1}} {
		if got := at(c.turn, c.r); math.Abs(got-c.want) > 0.12*c.want+0.05 {
			t.Errorf("%g turns, radius %g: height %.2f, want %g", c.turn, c.r, got, c.want)
		}
	}
}

// Every contour is closed and separates what is higher from what is lower, checked against the field cell by cell.
func TestC5ContoursSeparateHigherFromLower(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 9))
		f := &field{w: 14, h: 11, v: make([]float64, 14*11)}
		for j := 1; j < f.h-1; j++ {
			for i := 1; i < f.w-1; i++ {
				f.v[j*f.w+i] = rng.Float64() * 2
			}
		}
		path := outline(f.contour(0.9), seed%2 > 0)
		for j := range f.h {
			for i := range f.w {
				inside := winding(path, scene.Point{X: cell*float64(i) + 1e-7, Y: cell*float64(j) + 1e-7}) != 0
				// Simplified lines may pass a grid point at a distance of slack, where the field is as high as the line
				// but for this.
				near := math.Abs(f.v[j*f.w+i]-0.9) < 2*2*slack/cell
				if high := f.v[j*f.w+i] > 0.9; inside != high && !near {
					t.Fatalf("seed %d: grid point %d, %d of height %.2f is inside: %v", seed, i, j, f.v[j*f.w+i], inside)
				}
			}
		}
	}
}

// winding counts how often a path of lines runs around a point.
func winding(p scene.Path, at scene.Point) int {
	n, k := 0, 0
	var start, last scene.Point
	edge := func(a, b scene.Point) {
		if side := (b.X-a.X)*(at.Y-a.Y) - (b.Y-a.Y)*(at.X-a.X); a.Y <= at.Y && b.Y > at.Y && side > 0 {
			n++
		} else if a.Y > at.Y && b.Y <= at.Y && side < 0 {
			n--
		}
	}
	for _, op := range p.Ops {
		switch op {
		case scene.MoveTo:
			start, last = p.Points[k], p.Points[k]
			k++
		case scene.LineTo:
			edge(last, p.Points[k])
			last = p.Points[k]
			k++
		case scene.Close:
			edge(last, start)
		}
	}
	return n
}

// A projection keeps proportions: distances on the picture are those of the places, times one number.
func TestC10PlaneKeepsProportions(t *testing.T) {
	s := shaped(Plane)
	l := newLayout(&s, pane)
	p := newPlot(&s, &l)
	for i := range s.Place {
		for j := range i {
			want := p.unit * math.Hypot(s.Place[i].X-s.Place[j].X, s.Place[i].Y-s.Place[j].Y)
			if got := math.Hypot(p.pos(i).X-p.pos(j).X, p.pos(i).Y-p.pos(j).Y); math.Abs(got-want) > 1e-6 {
				t.Fatalf("windows %d and %d are %g apart, want %g", i, j, got, want)
			}
		}
		if q := p.pos(i); q.X < 0 || q.Y < 0 || q.X > pane.W || q.Y > pane.H {
			t.Errorf("window %d lies outside the pane", i)
		}
	}
}

// Collapsed, a spliced class leaves no trace; expanded, its whole turns touch the base's curve and its half turns stand
// off it outward by the loop's height; loops stay clear of the next turn.
func TestC18LoopsHangOnTheBase(t *testing.T) {
	base, flat, full := example(400, 4), spliced(0), spliced(1)
	place := func(s State) (*plot, []scene.Point) {
		l := newLayout(&s, pane)
		p := newPlot(&s, &l)
		out := make([]scene.Point, len(s.Seq))
		for i := range out {
			out[i] = p.pos(i)
		}
		return p, out
	}
	p0, at0 := place(base)
	_, at1 := place(flat)
	p2, at2 := place(full)
	rho, pitch := p2.loops[0].rho, (p0.r[395]-p0.r[4])/(p0.turn[395]-p0.turn[4])
	if rho <= 0 || 2*rho > 0.5*pitch {
		t.Errorf("loops are %.1f high where turns are %.1f apart", 2*rho, pitch)
	}
	for i := range at0 {
		if at0[i] != at1[i] {
			t.Fatalf("window %d moves though the cycle is collapsed", i)
		}
		turns := 0.0
		if i >= 100 { // 199/14 = 14.2 turns, made 14 whole ones
			turns = float64(min(i, 299)-100) / 199 * 14
		}
		want := 2 * rho * math.Abs(math.Sin(math.Pi*turns)) // a chord of the small circle
		if d := math.Hypot(at2[i].X-at0[i].X, at2[i].Y-at0[i].Y); math.Abs(d-want) > 1e-6 {
			t.Fatalf("window %d stands %.3f off the curve, want %.3f", i, d, want)
		}
		if math.Hypot(at2[i].X-p2.l.c.X, at2[i].Y-p2.l.c.Y) < p0.r[i]-rho-1e-9 {
			t.Fatalf("window %d hangs inward", i)
		}
	}
}

func TestC14BrushChoosesArcsAndRings(t *testing.T) {
	s := example(120, 3)
	from, to := place(s, 50), place(s, 90)
	if got := Brush(s, pane, from, to); got != (link.Range{From: 50, To: 91}) {
		t.Errorf("the arc from window 50 to 90 is %+v", got)
	}
	if got := Brush(s, pane, to, from); got != (link.Range{From: 50, To: 91}) {
		t.Errorf("backwards it is %+v", got)
	}
	l := newLayout(&s, pane)
	at := func(i float64) scene.Point { // on the ray opposite to where window i lies
		r, turn := l.radius(i), 3*i/119+0.5
		return scene.Point{X: l.c.X + r*math.Cos(2*math.Pi*turn), Y: l.c.Y + r*math.Sin(2*math.Pi*turn)}
	}
	if got := Brush(s, pane, at(60.5), at(99.5)); got != (link.Range{From: 61, To: 100}) {
		t.Errorf("the ring of the times 60.5 to 99.5 is %+v", got)
	}
	for i := range 40 { // brushed and hit agree for the other shapes
		c := shaped(Plane)
		l := newLayout(&c, pane)
		q := newPlot(&c, &l).pos(3 * i)
		hit := Hit(c, pane, q)
		if got := Brush(c, pane, q, q); hit.Index >= 0 && got != hit.Span {
			t.Errorf("window %d: brush %+v, hit %+v", 3*i, got, hit.Span)
		}
	}
	if got := Brush(State{}, pane, from, to); !got.Empty() {
		t.Errorf("an empty picture gives %+v", got)
	}
}

func TestC8KeysColourAndHide(t *testing.T) {
	s := keyed(example(120, 3))
	l := newLayout(&s, pane)
	p := newPlot(&s, &l)
	for i := range s.Seq {
		if p.member[i] < 0.5 {
			continue
		}
		k := p.keyOf(i)
		if got, want := p.layer(i) == quiet, k == 2; got != want {
			t.Errorf("window %d of key %d is quiet: %v", i, k, got)
		}
		want := palette.Others(s.Theme)
		if k >= 0 {
			want = s.Keys[k].Color
		}
		if got := p.color(i, bright); k != 2 && (got.R != want.R || got.G != want.G || got.B != want.B) {
			t.Errorf("window %d of key %d has colour %v, want %v", i, k, got, want)
		}
	}
	for i := range s.Keys {
		got := Hit(s, pane, scene.Point{X: l.legend.Min.X + 20, Y: l.legend.Min.Y + 4 + (float64(i)+0.5)*legendRow})
		if got.Legend != i || got.Thing != s.Keys[i].Thing {
			t.Errorf("row %d of the legend is %d, %+v", i, got.Legend, got.Thing)
		}
	}
}
