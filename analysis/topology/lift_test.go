package topology

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// cycleSpace is n points on a circle, neighbours at distance 1, next neighbours too, all others at 2.
func cycleSpace(n int) *space {
	s := &space{n: n, window: 1, value: []float64{1, 2}}
	for i := range n {
		s.point = append(s.point, int32(i))
		for j := range i {
			level := uint8(1)
			if d := min(i-j, n-i+j); d <= 2 {
				level = 0
			}
			s.level = append(s.level, level)
		}
	}
	return s
}

// onlyClass gives the complex of level 0 and its only class over Z/p.
func onlyClass(t *testing.T, s *space, p int) (*filtration, class) {
	t.Helper()
	f := s.filtration(1)
	classes, err := reduce(context.Background(), f, p, DefaultMemory)
	if err != nil {
		t.Fatal(err)
	}
	if len(classes) != 1 {
		t.Fatalf("%d classes, want one", len(classes))
	}
	return f, classes[0]
}

// edgeOf gives the edge that joins i and j.
func edgeOf(f *filtration, i, j int32) int32 {
	for e := range f.hi {
		if f.hi[e] == max(i, j) && f.lo[e] == min(i, j) {
			return int32(e)
		}
	}
	return -1
}

// around sums a cochain along the circle 0, 1, ..., n-1, 0.
func around(f *filtration, value []int32) int {
	sum := 0
	for i := range f.n {
		j := (i + 1) % f.n
		v := int(value[edgeOf(f, int32(i), int32(j))])
		if j < i {
			v = -v
		}
		sum += v
	}
	return sum
}

func TestLiftOfACircleWindsOnce(t *testing.T) {
	f, c := onlyClass(t, cycleSpace(14), 47)
	value, err := f.cut(0).lift(c, 47)
	if err != nil {
		t.Fatal(err)
	}
	if n := around(f, value); n != 1 && n != -1 {
		t.Errorf("the lifted cocycle sums to %d around the circle, want 1 or -1", n)
	}
}

// scaled multiplies a class by m modulo p.
func scaled(c class, m uint32, p uint32) class {
	c.cochain = slices.Clone(c.cochain)
	for i, t := range c.cochain {
		c.cochain[i] = edgeTerm(t.edge(), t.coef()*m%p)
	}
	return c
}

// shifted adds the coboundary of a function on the vertices: the same class, with coefficients all over Z/p.
func shifted(f *filtration, c class, r *rand.Rand, p int) class {
	value := make([]int, len(f.hi))
	for _, t := range c.cochain {
		value[t.edge()] = int(t.coef())
	}
	at := make([]int, f.n)
	for i := range at {
		at[i] = r.IntN(p)
	}
	c.cochain = nil
	for e := range value {
		if v := (value[e] + at[f.hi[e]] - at[f.lo[e]] + p) % p; v != 0 {
			c.cochain = append(c.cochain, edgeTerm(int32(e), uint32(v)))
		}
	}
	return c
}

func TestLiftRepairsWhatDoesNotClose(t *testing.T) {
	f, c := onlyClass(t, cycleSpace(14), 47)
	for _, row := range []struct {
		name string
		c    class
		odd  bool // the lift may wind any number of times that is right modulo 47
	}{
		{"a third of the class", scaled(c, 16, 47), false},
		{"coefficients spread", shifted(f, c, rand.New(rand.NewPCG(1, 1)), 47), true},
	} {
		value, err := f.cut(0).lift(row.c, 47)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if bad := f.cut(0).defect(value); bad != nil {
			t.Errorf("%s: the result does not close: %+v", row.name, bad)
		}
		if n := around(f, value); n == 0 || !row.odd && n != 1 && n != -1 {
			t.Errorf("%s: winds %d times", row.name, n)
		}
	}
	value, err := f.cut(0).lift(shifted(f, c, rand.New(rand.NewPCG(1, 1)), 47), 47)
	if err != nil {
		t.Fatal(err)
	}
	if m := ((around(f, value)%47)+47)%47 == 0; m {
		t.Error("the repaired cocycle is trivial modulo 47")
	}
}

func TestLiftTellsWhyTorsionFails(t *testing.T) {
	s := &space{window: 1}
	lower := twisted(2)
	s.setDistances(lower)
	s.n = sizeOf(lower)
	f, c := onlyClass(t, s, 2)
	value, err := f.cut(0).lift(c, 2)
	if value != nil || err == nil || !strings.Contains(err.Error(), "0 modulo 2 only") {
		t.Errorf("got %v, %v", value, err)
	}
}

func TestReductionWatchesItsMemory(t *testing.T) {
	points, _ := noisyCircle(rand.New(rand.NewPCG(2, 2)), 60, 0.4)
	s := &space{n: 60}
	s.setDistances(euclid(points))
	_, err := reduce(context.Background(), s.filtration(int32(len(s.value))), 47, 50*termBytes)
	var e *Error
	if !errors.As(err, &e) || e.Reason != TooLarge {
		t.Errorf("got error %v", err)
	}
}

func TestSolveUnits(t *testing.T) {
	eq := func(right int, factors ...int) equation {
		e := equation{right: right}
		for u, c := range factors {
			if c != 0 {
				e.term = append(e.term, coefficient{int32(u), c})
			}
		}
		return e
	}
	for _, row := range []struct {
		name string
		rows []equation
		ok   bool
	}{
		{"triangular", []equation{eq(3, 1, 1, 0), eq(-2, 0, 1, -1), eq(4, 0, 0, 1)}, true},
		{"dependent", []equation{eq(1, 1, -1, 0), eq(2, 0, 1, -1), eq(3, 1, 0, -1)}, true},
		{"contradiction", []equation{eq(1, 1, -1, 0), eq(2, 0, 1, -1), eq(4, 1, 0, -1)}, false},
		{"no unit", []equation{eq(2, 2, 0, 0)}, false},
		{"unit after elimination", []equation{eq(5, 1, 2, 0), eq(7, 1, 1, 3)}, true},
	} {
		got := solveUnits(slices.Clone(row.rows), 3)
		if (got != nil) != row.ok {
			t.Errorf("%s: got %v", row.name, got)
			continue
		}
		for i, r := range row.rows {
			sum := 0
			for _, t := range r.term {
				if got != nil {
					sum += t.factor * got[t.unknown]
				}
			}
			if got != nil && sum != r.right {
				t.Errorf("%s: equation %d gives %d with %v, want %d", row.name, i, sum, got, r.right)
			}
		}
	}
}

// TestPotentialSolvesTheNormalEquations checks conjugate gradients against elimination on the dense system.
func TestPotentialSolvesTheNormalEquations(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	s := cycleSpace(30)
	for e := range s.level { // a few chords, so that the cocycle below is nobody's coboundary
		if r.IntN(40) == 0 {
			s.level[e] = 0
		}
	}
	g := s.network(0, nil)
	weight, c := make([]float64, len(g.lo)), make([]int32, len(g.lo))
	for e := range weight {
		weight[e], c[e] = 0.1+r.Float64(), int32(r.IntN(7)-3)
	}
	f, err := g.potential(context.Background(), c, weight, fullDigits)
	if err != nil {
		t.Fatal(err)
	}
	a := make([][]float64, g.n) // Laplacian and right side; vertex 0 is pinned to f[0]
	for i := range a {
		a[i] = make([]float64, g.n+1)
	}
	for e, w := range weight {
		lo, hi := g.lo[e], g.hi[e]
		a[lo][lo] += w
		a[hi][hi] += w
		a[lo][hi] -= w
		a[hi][lo] -= w
		a[lo][g.n] += w * float64(c[e])
		a[hi][g.n] -= w * float64(c[e])
	}
	clear(a[0])
	a[0][0], a[0][g.n] = 1, f[0]
	want := eliminate(a)
	for i := range f {
		if math.Abs(f[i]-want[i]) > 1e-7 {
			t.Errorf("vertex %d: got %g, want %g", i, f[i], want[i])
		}
	}
}

// eliminate is Gauss's elimination with pivoting.
func eliminate(a [][]float64) []float64 {
	n := len(a)
	for c := range n {
		best := c
		for r := c; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[best][c]) {
				best = r
			}
		}
		a[c], a[best] = a[best], a[c]
		for r := range n {
			if r == c {
				continue
			}
			k := a[r][c] / a[c][c]
			for j := c; j <= n; j++ {
				a[r][j] -= k * a[c][j]
			}
		}
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = a[i][n] / a[i][i]
	}
	return out
}

// TestCollapsesKeepEveryLevel: the thinned tower has the barcode of the whole one, and cocycles carried back close on
// every triangle.
func TestCollapsesKeepEveryLevel(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 21))
		s := &space{window: 1}
		lower := randomMatrix(r, 25, 4)
		if seed%2 == 0 {
			points, _ := noisyCircle(r, 40, 0.1)
			for _, d := range euclid(points) {
				lower = append(lower, math.Round(d*6))
			}
			lower = lower[25*24/2:]
		}
		s.setDistances(lower)
		s.n = sizeOf(lower)
		count := len(s.value)
		tower := newTower(s.n, s.level, count)
		if err := tower.thin(context.Background(), 2, func(int64) {}); err != nil {
			t.Fatal(err)
		}
		thin, whole := tower.filtration(), s.filtration(int32(count))
		bars := func(f *filtration) (out []Bar) {
			classes, err := reduce(context.Background(), f, 47, DefaultMemory)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range classes {
				out = append(out, Bar{Birth: float64(c.birth), Death: float64(c.death)})
			}
			sortBars(out)
			return out
		}
		if got, want := bars(thin), bars(whole); !slices.Equal(got, want) {
			t.Fatalf("seed %d: thinned %v, whole %v", seed, got, want)
		}
		classes, _ := reduce(context.Background(), thin, 47, DefaultMemory)
		for _, c := range classes {
			value, err := thin.cut(c.birth).lift(c, 47)
			if err != nil {
				continue
			}
			g := s.network(c.birth, tower.log)
			carried := make([]int32, len(g.lo))
			for e, v := range value {
				carried[g.find(thin.lo[e], thin.hi[e])] = v
			}
			g.extend(carried)
			n, _, bad := g.verify(carried)
			if bad != nil {
				t.Errorf("seed %d: class at level %d does not close around %v", seed, c.birth, *bad)
			}
			if e := r.IntN(len(carried)); inTriangle(s, c.birth, g.lo[e], g.hi[e]) {
				spoiled := slices.Clone(carried)
				spoiled[e]++
				if _, which, bad := g.verify(carried, spoiled); bad == nil || which != 1 {
					t.Errorf("seed %d: a wrong value on edge %d is not noticed: %d, %v", seed, e, which, bad)
				}
			}
			if want := countTriangles(s, c.birth); n != want {
				t.Errorf("seed %d: %d triangles verified, want %d", seed, n, want)
			}
		}
	}
}

func countTriangles(s *space, level int32) (n int) {
	at := func(i, j int) bool { return s.at(i*(i-1)/2+j) <= level }
	for i := range s.n {
		for j := range i {
			for k := range j {
				if at(i, j) && at(i, k) && at(j, k) {
					n++
				}
			}
		}
	}
	return n
}

func inTriangle(s *space, level, i, j int32) bool {
	at := func(i, j int32) bool { return i != j && s.at(int(max(i, j)*(max(i, j)-1)/2+min(i, j))) <= level }
	for k := range int32(s.n) {
		if at(i, k) && at(j, k) {
			return true
		}
	}
	return false
}
