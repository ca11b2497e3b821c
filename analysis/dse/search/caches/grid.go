package caches

import (
	"math"
	"slices"

	"orrery/cachesim"
)

// grid is the logarithms of values over size and ways.
type grid struct {
	sizes, ways []float64
	logs        [][][fields]float64 // [size][ways]
	known       [][]bool
}

// newGrid has the runs of one block size.
func newGrid(runs []run, block cachesim.Size) grid {
	var g grid
	for _, r := range runs {
		if r.block == block {
			g.sizes, g.ways = append(g.sizes, float64(r.size)), append(g.ways, float64(r.ways))
		}
	}
	slices.Sort(g.sizes)
	slices.Sort(g.ways)
	g.sizes, g.ways = slices.Compact(g.sizes), slices.Compact(g.ways)
	for range g.sizes {
		g.logs = append(g.logs, make([][fields]float64, len(g.ways)))
		g.known = append(g.known, make([]bool, len(g.ways)))
	}
	for _, r := range runs {
		if r.block != block || !r.feasible {
			continue
		}
		i, _ := slices.BinarySearch(g.sizes, float64(r.size))
		j, _ := slices.BinarySearch(g.ways, float64(r.ways))
		g.known[i][j] = true
		for k, x := range r.cost.values() {
			g.logs[i][j][k] = math.Log(x)
		}
	}
	return g
}

// complete gives a corner that no run has the value on the plane through the three others, from few ways and large
// sizes on, where all runs are. Nobody is told a cost there; it is what interpolation close to it needs.
func (g *grid) complete() {
	for j := 1; j < len(g.ways); j++ {
		for i := len(g.sizes) - 2; i >= 0; i-- {
			if g.known[i][j] || !g.known[i][j-1] || !g.known[i+1][j] || !g.known[i+1][j-1] {
				continue
			}
			g.known[i][j] = true
			for k := range fields {
				g.logs[i][j][k] = g.logs[i][j-1][k] + g.logs[i+1][j][k] - g.logs[i+1][j-1][k]
			}
		}
	}
}

// at interpolates; beyond the grid it is what it is at its edge.
func (g *grid) at(size, ways float64) (logs [fields]float64, ok bool) {
	i, u := between(g.sizes, size)
	j, v := between(g.ways, ways)
	for _, corner := range []struct {
		i, j   int
		weight float64
	}{{i, j, (1 - u) * (1 - v)}, {i + 1, j, u * (1 - v)}, {i, j + 1, (1 - u) * v}, {i + 1, j + 1, u * v}} {
		if corner.weight == 0 {
			continue
		}
		if !g.known[corner.i][corner.j] {
			return logs, false
		}
		for k := range fields {
			logs[k] += corner.weight * g.logs[corner.i][corner.j][k]
		}
	}
	return logs, true
}

// between is the place of x on a growing axis: axis[i] is not above it, and t is how much of the way to axis[i+1] it
// has gone, logarithmically.
func between(axis []float64, x float64) (i int, t float64) {
	switch last := len(axis) - 1; {
	case x <= axis[0]:
		return 0, 0
	case x >= axis[last]:
		return last, 0
	}
	i, exact := slices.BinarySearch(axis, x)
	if exact {
		return i, 0
	}
	i--
	return i, math.Log(x/axis[i]) / math.Log(axis[i+1]/axis[i])
}
