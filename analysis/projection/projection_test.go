package projection

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"sort"
	"testing"
)

type table [][]float64

func (t table) N() int              { return len(t) }
func (t table) At(i, j int) float64 { return t[i][j] }

func euclid(points [][]float64) table {
	t := make(table, len(points))
	for i, p := range points {
		t[i] = make([]float64, len(points))
		for j, q := range points {
			for c := range p {
				t[i][j] += (p[c] - q[c]) * (p[c] - q[c])
			}
			t[i][j] = math.Sqrt(t[i][j])
		}
	}
	return t
}

// twin is Isomap as its authors define it, in the slowest way: a matrix of links, Floyd and Warshall's paths, and power
// iteration with deflation for the two eigenvectors. It gives the squared distances in the plane, which have no gauge.
func twin(d table, k int) (geodesic, plane table) {
	n := len(d)
	inf := math.Inf(1)
	g := make(table, n)
	for i := range g {
		g[i] = make([]float64, n)
		for j := range g[i] {
			if i != j {
				g[i][j] = inf
			}
		}
	}
	for i := range n {
		order := make([]int, 0, n)
		for j := range n {
			if j != i {
				order = append(order, j)
			}
		}
		away := func(j int) float64 { return math.Abs(float64(i - j)) }
		sort.SliceStable(order, func(a, b int) bool {
			p, q := order[a], order[b]
			if d[i][p] != d[i][q] {
				return d[i][p] < d[i][q]
			}
			if away(p) != away(q) {
				return away(p) < away(q)
			}
			return p < q
		})
		for _, j := range order[:min(k, n-1)] {
			g[i][j], g[j][i] = d[i][j], d[i][j]
		}
	}
	paths := func() {
		for m := range n {
			for i := range n {
				for j := range n {
					g[i][j] = min(g[i][j], g[i][m]+g[m][j])
				}
			}
		}
	}
	paths()
	for { // the shortest distance between two points that no path joins becomes a link
		a, b, best := 0, 0, inf
		for i := range n {
			for j := range n {
				if math.IsInf(g[i][j], 1) && d[i][j] < best {
					a, b, best = i, j, d[i][j]
				}
			}
		}
		if math.IsInf(best, 1) {
			break
		}
		g[a][b], g[b][a] = best, best
		paths()
	}
	m := make(table, n)
	for i := range m {
		m[i] = make([]float64, n)
		for j := range m[i] {
			m[i][j] = -0.5 * g[i][j] * g[i][j]
		}
	}
	centre := func() {
		for i := range m {
			mean := 0.0
			for _, v := range m[i] {
				mean += v / float64(n)
			}
			for j := range m[i] {
				m[i][j] -= mean
			}
		}
		for i := range m {
			for j := range i {
				m[i][j], m[j][i] = m[j][i], m[i][j]
			}
		}
	}
	centre()
	centre()
	plane = make(table, n)
	for i := range plane {
		plane[i] = make([]float64, n)
	}
	for range 2 {
		v := make([]float64, n)
		for i := range v {
			v[i] = math.Sin(float64(i)*1.7 + 0.3)
		}
		value := 0.0
		for range 1500 {
			next := make([]float64, n)
			for i := range next {
				for j, a := range m[i] {
					next[i] += (a + 0) * v[j]
				}
				next[i] += 40 * v[i] // shifted, so that the largest is the largest in size too
			}
			length := 0.0
			for _, a := range next {
				length += a * a
			}
			length = math.Sqrt(length)
			for i := range next {
				v[i] = next[i] / length
			}
			value = length - 40
		}
		for i := range m {
			for j := range m {
				plane[i][j] += value * (v[i] - v[j]) * (v[i] - v[j])
				m[i][j] -= value * v[i] * v[j]
			}
		}
	}
	return g, plane
}

func TestC10AgreesWithTheSlowDefinition(t *testing.T) {
	for _, c := range []struct {
		name string
		n, k int
		make func(i int, rng *rand.Rand) []float64
	}{
		{"ellipse", 40, 3, func(i int, _ *rand.Rand) []float64 {
			s, c := math.Sincos(float64(i) * 2 * math.Pi / 40)
			return []float64{2 * c, s, 0.3 * c}
		}},
		{"cloud", 30, 4, func(_ int, rng *rand.Rand) []float64 {
			return []float64{3 * rng.Float64(), 2 * rng.Float64(), 0.3 * rng.Float64()}
		}},
		{"three parts", 30, 3, func(i int, rng *rand.Rand) []float64 {
			return []float64{float64(i%3) * 9, rng.Float64() * 5, float64(i%3*i%2) + rng.Float64()}
		}},
		{"integers with ties", 24, 4, func(i int, rng *rand.Rand) []float64 {
			return []float64{float64(i % 6), float64(i / 6)}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 4))
			var points [][]float64
			for i := range c.n {
				points = append(points, c.make(i, rng))
			}
			d := euclid(points)
			got, err := Isomap(context.Background(), d, Options{Neighbours: c.k}, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, want := twin(d, c.k)
			size := 0.0
			for i := range want {
				for j := range want {
					size = max(size, want[i][j])
				}
			}
			for i := range c.n {
				for j := range i {
					dx, dy := got.X[i]-got.X[j], got.Y[i]-got.Y[j]
					if a := dx*dx + dy*dy; math.Abs(a-want[i][j]) > 1e-5*size {
						t.Fatalf("points %d and %d: squared distance %g in the plane, want %g", i, j, a, want[i][j])
					}
				}
			}
		})
	}
}

// A strip that is rolled up in space comes out flat, by all points and by few landmarks.
func TestC10UnrollsARoll(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var points [][]float64
	var along []float64
	for range 360 {
		u, v := rng.Float64(), rng.Float64()
		a := 1.5*math.Pi + 3*math.Pi*u
		points = append(points, []float64{a * math.Cos(a), 8 * v, a * math.Sin(a)})
		along = append(along, 0.5*(a*math.Sqrt(1+a*a)+math.Asinh(a)))
	}
	d := euclid(points)
	for _, landmarks := range []int{360, 60} {
		p, err := Isomap(context.Background(), d, Options{Neighbours: 7, Landmarks: landmarks}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.Landmarks != landmarks || p.Lost > 0.02 {
			t.Errorf("%d landmarks: %d used, %.3f of the variance lost", landmarks, p.Landmarks, p.Lost)
		}
		if r := correlation(p.X, along); math.Abs(r) < 0.995 {
			t.Errorf("%d landmarks: the first coordinate follows the strip with correlation %.4f", landmarks, r)
		}
	}
}

func correlation(a, b []float64) float64 {
	n := float64(len(a))
	var sa, sb, saa, sbb, sab float64
	for i := range a {
		sa, sb, saa, sbb, sab = sa+a[i], sb+b[i], saa+a[i]*a[i], sbb+b[i]*b[i], sab+a[i]*b[i]
	}
	return (sab - sa*sb/n) / math.Sqrt((saa-sa*sa/n)*(sbb-sb*sb/n))
}

func TestIsomapRefusesWhatSpansNoPlane(t *testing.T) {
	for _, c := range []struct {
		n   int
		opt Options
	}{{0, Options{}}, {2, Options{}}, {9, Options{Neighbours: -1}}, {9, Options{Landmarks: 2}}} {
		if _, err := Isomap(context.Background(), Triangle{c.n, make([]uint8, 99)}, c.opt, nil); err == nil {
			t.Errorf("%d points with %+v gave no error", c.n, c.opt)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Isomap(ctx, Triangle{9, make([]uint8, 99)}, Options{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestIsomapOfLinesTwinsAndCliques(t *testing.T) {
	line, same, clique := Triangle{5, nil}, Triangle{4, make([]uint8, 6)}, Triangle{5, nil}
	for i := range 5 {
		for j := range i {
			line.Lower, clique.Lower = append(line.Lower, uint8(i-j)), append(clique.Lower, 7)
		}
	}
	p, err := Isomap(context.Background(), line, Options{Neighbours: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if math.Abs(math.Abs(p.X[i]-p.X[0])-float64(i)) > 1e-9 || math.Abs(p.Y[i]) > 1e-9 {
			t.Errorf("point %d of a line is at %g, %g", i, p.X[i], p.Y[i])
		}
	}
	for name, d := range map[string]Triangle{"same": same, "clique": clique} {
		p, err := Isomap(context.Background(), d, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.X {
			if math.IsNaN(p.X[i]) || math.IsNaN(p.Y[i]) || math.IsNaN(p.Lost) {
				t.Errorf("%s: point %d is at %g, %g", name, i, p.X[i], p.Y[i])
			}
		}
		again, _ := Isomap(context.Background(), d, Options{}, nil)
		if !reflect.DeepEqual(p, again) {
			t.Errorf("%s: a second run differs", name)
		}
	}
}

func BenchmarkIsomap(b *testing.B) {
	for _, n := range []int{1000, 4000} {
		rng := rand.New(rand.NewPCG(1, 2))
		d := Triangle{Points: n, Lower: make([]uint8, n*(n-1)/2)}
		for i := range n {
			for j := range i {
				d.Lower[i*(i-1)/2+j] = uint8(min(10, (i-j)*2, 4+rng.IntN(7)))
			}
		}
		b.Run(fmt.Sprintf("%d points", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Isomap(context.Background(), d, Options{}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
