package dse

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio/designs"
)

// cloud makes n random points of m objectives. Grids of few values give ties and duplicates; kind 2 is a front of
// nothing but non-dominated points on a plane, kind 3 has one objective that never varies.
func cloud(r *rand.Rand, n, m, kind int) [][]float64 {
	f := empty(n, m)
	for i := range n {
		var sum float64
		for j := range f {
			switch {
			case kind == 0:
				f[j][i] = r.Float64()
			case kind == 2 && j == m-1:
				f[j][i] = 1 - sum
			case kind == 3 && j == 0:
				f[j][i] = 7
			default:
				f[j][i] = float64(r.IntN(5)) / 4
			}
			sum += f[j][i]
		}
	}
	return f
}

// empty are m columns of n numbers.
func empty(n, m int) [][]float64 {
	f := make([][]float64, m)
	for j := range f {
		f[j] = make([]float64, n)
	}
	return f
}

func row(f [][]float64, i int32) []float64 {
	x := make([]float64, len(f))
	for j := range x {
		x[j] = f[j][i]
	}
	return x
}

// slowFront compares each with all.
func slowFront(f [][]float64, points []int32) (out []int32) {
	for _, p := range points {
		if !slices.ContainsFunc(points, func(q int32) bool { return Dominates(row(f, q), row(f, p)) }) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

func TestFrontAgreesWithComparingAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for m := 1; m <= 6; m++ {
		for kind := range 4 {
			for _, n := range []int{0, 1, 2, 7, 60, 420} {
				f := cloud(r, n, m, kind)
				var points []int32
				for i := range int32(n) {
					if r.IntN(5) > 0 {
						points = append(points, i)
					}
				}
				points = append([]int32{}, points...)
				if got, want := Front(f, points), slowFront(f, points); !slices.Equal(got, want) {
					t.Fatalf("m=%d kind=%d n=%d: got %v, want %v", m, kind, n, got, want)
				}
			}
		}
	}
}

// setOf makes a set of random points in a few subspaces.
func setOf(r *rand.Rand, f [][]float64, values ...int) *designs.Set {
	s := &designs.Set{N: len(f[0])}
	for j, n := range values {
		p := designs.Parameter{Name: fmt.Sprint("p", j)}
		for v := range n {
			p.Values = append(p.Values, fmt.Sprint(v))
		}
		for range s.N {
			p.At = append(p.At, int32(r.IntN(n)))
		}
		s.Parameters = append(s.Parameters, p)
	}
	for j, x := range f {
		s.Objectives = append(s.Objectives, designs.Objective{Name: fmt.Sprint("f", j), Values: x, Maximise: j%2 == 1})
	}
	return s
}

func TestSpaceAgreesWithItsDefinitions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for m := 1; m <= 6; m++ {
		for kind := range 4 {
			s, err := New(context.Background(), setOf(r, cloud(r, 300, m, kind), 2, 3))
			if err != nil {
				t.Fatal(err)
			}
			checkSpace(t, s, fmt.Sprintf("m=%d kind=%d", m, kind))
		}
	}
}

func checkSpace(t *testing.T, s *Space, name string) {
	t.Helper()
	all := slices.Sorted(slices.Values(s.Order))
	gp := slowFront(s.F, all)
	for k := range s.Combos {
		lp := slowFront(s.F, s.Points(k))
		for _, p := range s.Points(k) {
			if slices.Contains(gp, p) != s.Global[p] || slices.Contains(lp, p) != s.Local[p] {
				t.Fatalf("%s: point %d: global %v, local %v", name, p, s.Global[p], s.Local[p])
			}
			parent, near := None, math.Inf(1)
			for _, q := range lp {
				if d := distance(row(s.Norm, q), row(s.Norm, p)); Dominates(row(s.F, q), row(s.F, p)) && d < near {
					parent, near = q, d
				}
			}
			if parent == None {
				near = 0
			}
			if s.Parent[p] != parent || s.ToParent[p] != near {
				t.Fatalf("%s: point %d: parent %d at %g, want %d at %g", name, p, s.Parent[p], s.ToParent[p], parent, near)
			}
			front := math.Inf(1)
			for _, q := range gp {
				front = min(front, distance(row(s.Norm, p), row(s.Norm, q)))
			}
			if s.ToFront[p] != front {
				t.Fatalf("%s: point %d: %g from the front, want %g", name, p, s.ToFront[p], front)
			}
		}
	}
}

func BenchmarkSpace(b *testing.B) {
	for _, kind := range []int{0, 2} {
		r := rand.New(rand.NewPCG(5, 6))
		n := 1000000
		f := cloud(r, n, 3, 0)
		if kind == 2 {
			for i := range n { // nothing but front, on a plane
				f[2][i] = 3 - f[0][i] - f[1][i]
			}
		}
		set := setOf(r, f, 3, 33)
		set.Objectives[1].Maximise = false
		b.Run(fmt.Sprintf("kind=%d", kind), func(b *testing.B) {
			b.ReportAllocs()
			from, n := processor(), 0
			for b.Loop() {
				if _, err := New(context.Background(), set); err != nil {
					b.Fatal(err)
				}
				n++
			}
			b.ReportMetric(float64(processor()-from)/float64(n), "cpu-ns/op")
		})
	}
}

// distance is the Euclidean distance of two solutions (Def. 5).
func distance(a, b []float64) float64 {
	var sum float64
	for i, x := range a {
		sum += (x - b[i]) * (x - b[i])
	}
	return math.Sqrt(sum)
}
