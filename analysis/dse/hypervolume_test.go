package dse

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// slowVolume counts the cells of the grid that all coordinates make.
func slowVolume(f [][]float64, ref []float64) float64 {
	m, n := len(f), len(f[0])
	grid := make([][]float64, m)
	for j := range f {
		grid[j] = append(slices.Clone(f[j]), ref[j])
		slices.Sort(grid[j])
		grid[j] = slices.Compact(grid[j])
		at, _ := slices.BinarySearch(grid[j], ref[j])
		grid[j] = grid[j][:at+1]
	}
	var sum func(j int, low []float64, size float64) float64
	sum = func(j int, low []float64, size float64) float64 {
		if j == m {
			for i := range n {
				if WeaklyDominates(row(f, int32(i)), low) {
					return size
				}
			}
			return 0
		}
		total := 0.0
		for k := 0; k+1 < len(grid[j]); k++ {
			total += sum(j+1, append(low, grid[j][k]), size*(grid[j][k+1]-grid[j][k]))
		}
		return total
	}
	return sum(0, nil, 1)
}

func TestHypervolumeAgreesWithCountingCells(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for m := 1; m <= 6; m++ {
		for kind := range 4 {
			for _, n := range []int{1, 2, 3, 5, 8, 13, 40} {
				if n > 6 && m > 4 && kind == 0 {
					n = 6 // the grid is n^m cells
				}
				if n > 13 && m == 4 && kind == 0 {
					n = 12
				}
				f := cloud(r, n, m, kind)
				if kind == 3 {
					clear(f[0])
				}
				got, want := Hypervolume(f, nil, ones(m)), slowVolume(f, ones(m))
				if math.Abs(got-want) > 1e-12*max(1, want) {
					t.Fatalf("m=%d kind=%d n=%d: got %v, want %v", m, kind, n, got, want)
				}
			}
		}
	}
}

// TestHypervolumesAgreeBetweenDimensions gives larger sets one more objective that is always 0: the volume stays, but
// another kernel finds it.
func TestHypervolumesAgreeBetweenDimensions(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for m := 2; m <= 5; m++ {
		n := 3000
		if m == 5 {
			n = 60
		} else if m == 4 {
			n = 150
		}
		f := sphere(r, n, m)
		want := Hypervolume(f, nil, ones(m))
		for at := range m + 1 {
			g := slices.Insert(slices.Clone(f), at, make([]float64, n))
			if m >= 3 && n > 500 {
				for j := range g {
					g[j] = g[j][:300]
				}
				want = Hypervolume([][]float64{f[0][:300], f[1][:300], f[2][:300]}, nil, ones(m))
			}
			if got := Hypervolume(g, nil, ones(m+1)); math.Abs(got-want) > 1e-11*want {
				t.Errorf("m=%d with a zero at %d: %v, want %v", m, at, got, want)
			}
		}
	}
}

// sphere makes points that do not dominate each other: on the part of a sphere around (1, .., 1) that is nearest to 0.
func sphere(r *rand.Rand, n, m int) [][]float64 {
	f := empty(n, m)
	for i := range n {
		var sum float64
		for j := range f {
			x := math.Abs(r.NormFloat64())
			f[j][i] = x
			sum += x * x
		}
		for j := range f {
			f[j][i] = 1 - f[j][i]/math.Sqrt(sum)
		}
	}
	return f
}
