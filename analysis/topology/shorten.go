package topology

import (
	"math"
	"slices"
)

// shorten finds, for each own class, the multiples of the classes that make its smoothed cocycle shortest: a class is
// determined only up to classes that live whenever it does, and which of them a reduction happens to mix in is an
// accident. The shortest choice is the simplest motion: without it the class of a loop may come out as that loop minus
// another, which runs back and forth. This is the size reduction of lattices, on inner products alone. Every step
// shortens by a whole multiple, so it ends; the bound on rounds is for rounding. Class i becomes the sum of times[i][j]
// class j.
func shorten(list []ranked, g [][]float64, own []int) (times [][]int32) {
	g = slices.Clone(g)
	for i := range g {
		g[i] = slices.Clone(g[i])
	}
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
				square := g[i][i] - 2*k*g[i][j] + k*k*g[j][j]
				for m := range list {
					g[i][m] -= k * g[j][m]
					g[m][i] = g[i][m]
				}
				g[i][i] = square
				changed = true
			}
		}
	}
	return times
}

// almostShortest is how much longer (as a square) than the shortest choice another may be to count as equally simple.
const almostShortest = 1.1

// steady prefers, among nearly shortest choices, the one that runs most steadily through time: an inner loop with or
// without the turns of the loop around it differs little in length. steps are the classes' motions, by time index, and
// g their inner products; both are as before the shortening.
func steady(list []ranked, g, steps [][]float64, own []int, times [][]int32) {
	before := map[int][]int32{} // decided on the shortest ones, whatever the order
	for _, i := range own {
		before[i] = slices.Clone(times[i])
	}
	for _, i := range own {
		limit := almostShortest * length(g, times[i])
		best := score(steps, times[i])
		for j := range list {
			add, ok := before[j]
			if j == i || g[j][j] == 0 || !outlives(list[j].bar, list[i].bar) {
				continue
			}
			if !ok {
				add = make([]int32, len(list))
				add[j] = 1
			}
			for _, k := range []int32{1, -1} {
				try := slices.Clone(times[i])
				for m := range try {
					try[m] += k * add[m]
				}
				if length(g, try) > limit {
					continue
				}
				if s := score(steps, try); s > best*(1+1e-6) {
					times[i], best = try, s
				}
			}
		}
	}
}

// length is the square of a combination's length.
func length(g [][]float64, times []int32) float64 {
	sum := 0.0
	for i, a := range times {
		for j, b := range times {
			if a != 0 && b != 0 {
				sum += float64(a) * float64(b) * g[i][j]
			}
		}
	}
	return sum
}

// score is the net motion of a combination over its travel.
func score(steps [][]float64, times []int32) float64 {
	var net, travel float64
	for t := range steps[slices.IndexFunc(times, func(k int32) bool { return k != 0 })] {
		step := 0.0
		for i, k := range times {
			if k != 0 {
				step += float64(k) * steps[i][t]
			}
		}
		net, travel = net+step, travel+math.Abs(step)
	}
	if travel == 0 {
		return 0
	}
	return math.Abs(net) / travel
}
