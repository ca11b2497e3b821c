package topology

import "math"

// shorten finds, for each own class, the multiples of the classes that make its smoothed cocycle shortest: a class is
// determined only up to classes that live whenever it does, and which of them a reduction happens to mix in is an
// accident. The shortest choice is the simplest motion: without it the class of a loop may come out as that loop minus
// another, which runs back and forth. This is the size reduction of lattices, on inner products alone. Every step
// shortens by a whole multiple, so it ends; the bound on rounds is for rounding. Class i becomes the sum of times[i][j] class j.
func shorten(list []ranked, smooth []*harmonic, own []int, weight []float64) (times [][]int32) {
	g := gram(smooth, weight)
	times = make([][]int32, len(list))
	for i := range times {
		times[i] = make([]int32, len(list))
		times[i][i] = 1
	}
	for changed, round := true, 0; changed && round < 100; round++ {
		changed = false
		for _, i := range own {
			for j := range list {
				if j == i || g[j][j] == 0 || !outlives(list[j].bar, list[i].bar) || math.Abs(g[i][j]) <= 0.5*g[j][j]*(1+1e-9) {
					continue // a tie stays as it is
				}
				k := math.Round(g[i][j] / g[j][j])
				for m := range list {
					times[i][m] -= int32(k) * times[j][m]
				}
				own := g[i][i] - 2*k*g[i][j] + k*k*g[j][j]
				for m := range list {
					g[i][m] -= k * g[j][m]
					g[m][i] = g[i][m]
				}
				g[i][i] = own
				changed = true
			}
		}
	}
	return times
}
