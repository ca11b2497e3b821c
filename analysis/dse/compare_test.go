package dse

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestComparisonAgreesWithTheEquations computes (12), (14), the distances of 7.1 and the distributions of 7.4 as they
// are written.
func TestComparisonAgreesWithTheEquations(t *testing.T) {
	for seed := range uint64(6) {
		s := grown(t, seed, 160)
		chosen := []int32{0, 3, 5, 7, 2, int32(len(s.Combos) - 1), 9, 11}
		c := s.Compare(chosen)
		sets := make([][]int32, len(chosen))
		for i, k := range chosen {
			sets[i] = append([]int32{}, slowFront(s.F, s.Points(int(k)))...)
			if !slices.Equal(c.Sets[i], sets[i]) {
				t.Fatalf("LP of %d is %v, want %v", k, c.Sets[i], sets[i])
			}
			in, sum := 0, 0.0
			for _, p := range sets[i] {
				near := math.Inf(1)
				for q := range int32(s.N) {
					if s.Global[q] {
						near = min(near, distance(row(s.Norm, p), row(s.Norm, q)))
					}
				}
				if sum += near; near == 0 && s.Global[p] {
					in++
				}
			}
			if c.InGlobal[i] != in || len(sets[i]) > 0 && math.Abs(c.Mean[i]-sum/float64(len(sets[i]))) > 1e-12 ||
				len(sets[i]) == 0 && !math.IsNaN(c.Mean[i]) {
				t.Fatalf("subspace %d: %d global, mean %g; want %d, sum %g", k, c.InGlobal[i], c.Mean[i], in, sum)
			}
			if got := Hypervolume(s.Norm, sets[i], ones(3)); c.Volume[i] != got {
				t.Fatalf("volume %g, want %g", c.Volume[i], got)
			}
		}
		cover := func(i, j int) float64 {
			n := 0
			for _, q := range sets[j] {
				if slices.ContainsFunc(sets[i], func(p int32) bool { return WeaklyDominates(row(s.F, p), row(s.F, q)) }) {
					n++
				}
			}
			if n == 0 {
				return 0
			}
			return float64(n) / float64(len(sets[j]))
		}
		for i := range chosen {
			total := 0.0
			for j := range chosen {
				if j == i {
					continue
				}
				if got, want := c.C[i][j], cover(i, j); got != want {
					t.Fatalf("C(%d, %d) = %g, want %g", i, j, got, want)
				}
				total += cover(i, j) - cover(j, i)
			}
			if math.Abs(c.TC[i]-total) > 1e-12 {
				t.Fatalf("TC(%d) = %g, want %g", i, c.TC[i], total)
			}
		}
		checkPairs(t, s, sets[0], sets[1])
		checkFrequency(t, s, int(chosen[1]))
	}
}

func checkPairs(t *testing.T, s *Space, a, b []int32) {
	t.Helper()
	pairs := s.Dominance(a, b)
	for _, p := range a {
		for _, q := range b {
			if slices.Contains(pairs, Pair{p, q}) != (p != q && WeaklyDominates(row(s.F, p), row(s.F, q))) {
				t.Fatalf("the arrow from %d to %d is wrong", p, q)
			}
		}
	}
}

func checkFrequency(t *testing.T, s *Space, k int) {
	t.Helper()
	for j := range s.Objectives {
		for bar, n := range s.Frequency(k, j, 8) {
			want := 0
			for _, p := range s.Points(k) {
				if x := s.Norm[j][p] * 8; x >= float64(bar) && (x < float64(bar+1) || bar == 7) {
					want++
				}
			}
			if n != want {
				t.Fatalf("bar %d of objective %d has %d points, want %d", bar, j, n, want)
			}
		}
	}
}

func TestVolumeByGenerationIsThatOfThePointsUntilThen(t *testing.T) {
	s := grown(t, 8, 90)
	for g, got := range s.VolumeByGeneration() {
		if want := slowVolume3(s, s.Until(int32(g))); math.Abs(got-want) > 1e-12 {
			t.Errorf("generation %d: %g, want %g", g, got, want)
		}
	}
	if got, want := s.Volume(), s.VolumeByGeneration()[8]; math.Abs(got-want) > 1e-12 {
		t.Errorf("in the end %g, the whole %g", want, got)
	}
}

func slowVolume3(s *Space, points []int32) float64 {
	f := make([][]float64, len(s.Norm))
	for j := range f {
		for _, p := range points {
			f[j] = append(f[j], s.Norm[j][p])
		}
	}
	return slowVolume(f, ones(len(f)))
}

// TestUnevenObjectivesAreNamed gives one point of a subspace another value of an objective that depends on the
// architecture.
func TestUnevenObjectivesAreNamed(t *testing.T) {
	set := setOf(rand.New(rand.NewPCG(41, 42)), cloud(rand.New(rand.NewPCG(43, 44)), 60, 2, 0), 2)
	set.Objectives[0].Architecture = true
	for p := range set.Objectives[0].Values {
		set.Objectives[0].Values[p] = float64(set.Parameters[0].At[p])
	}
	odd := int32(slices.Index(set.Parameters[0].At[40:], 1) + 40)
	set.Objectives[0].Values[odd] = 5
	s, err := New(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	want := Uneven{0, 1, int32(slices.Index(set.Parameters[0].At, 1)), odd}
	if !slices.Equal(s.Uneven, []Uneven{want}) {
		t.Errorf("got %v, want %v", s.Uneven, want)
	}
}

func TestNormalisationOfUnusualRanges(t *testing.T) {
	for _, c := range []struct {
		e       Extent
		x, want float64
	}{
		{Extent{2, 4}, 3, 0.5}, {Extent{2, 2}, 2, 0}, {Extent{-math.MaxFloat64, math.MaxFloat64}, 0, 0.5},
		{Extent{-math.MaxFloat64, math.MaxFloat64}, math.MaxFloat64, 1},
		{Extent{0, 5e-324}, 5e-324, 1},
	} {
		if got := c.e.Norm(c.x); got != c.want {
			t.Errorf("%g in %v is %g, want %g", c.x, c.e, got, c.want)
		}
	}
}
