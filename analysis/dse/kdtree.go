package dse

import (
	"math"
	"slices"
)

// nearest finds the nearest of a set of points, dominating ones only or any. It is a flat k-d tree: node i has children
// 2i+1 and 2i+2, the leaves hold up to leafSize points next to each other in memory.
type nearest struct {
	m      int
	ids    []int32   // in leaf order
	norm   []float64 // m a point, in leaf order
	f      []float64 // the same before normalisation, for exact comparison; empty when only distances count
	low    []float64 // of each node's box, m a node
	high   []float64
	from   []int32 // points of each node
	to     []int32
	leaves int // nodes from here on are leaves
	stack  []waiting
}

// waiting is a node still to be looked at and its bound.
type waiting struct {
	bound float64
	node  int32
}

const leafSize = 24

// build makes the tree over some points of columns norm and f (f may be nil). It reuses its memory.
func (t *nearest) build(norm, f [][]float64, points []int32) {
	t.m = len(norm)
	t.ids = append(t.ids[:0], points...)
	levels := 0
	for len(points) > leafSize<<levels {
		levels++
	}
	nodes := 2<<levels - 1
	t.leaves = 1<<levels - 1
	t.from = slices.Grow(t.from[:0], nodes)[:nodes]
	t.to = slices.Grow(t.to[:0], nodes)[:nodes]
	t.low = slices.Grow(t.low[:0], nodes*t.m)[:nodes*t.m]
	t.high = slices.Grow(t.high[:0], nodes*t.m)[:nodes*t.m]
	t.split(norm, 0, 0, int32(len(points)))
	t.norm = t.gather(t.norm, norm)
	t.f = t.f[:0]
	if f != nil {
		t.f = t.gather(t.f, f)
	}
}

func (t *nearest) gather(to []float64, columns [][]float64) []float64 {
	to = slices.Grow(to[:0], len(t.ids)*t.m)[:len(t.ids)*t.m]
	for j, column := range columns {
		at := j
		for _, p := range t.ids {
			to[at] = column[p]
			at += t.m
		}
	}
	return to
}

// split sets the box of a node and parts its points in the middle of the widest side.
func (t *nearest) split(norm [][]float64, node int, from, to int32) {
	t.from[node], t.to[node] = from, to
	wide, width := 0, -1.0
	for j := range t.m {
		low, high := math.Inf(1), math.Inf(-1)
		for _, p := range t.ids[from:to] {
			low, high = min(low, norm[j][p]), max(high, norm[j][p])
		}
		t.low[node*t.m+j], t.high[node*t.m+j] = low, high
		if high-low > width {
			wide, width = j, high-low
		}
	}
	if node >= t.leaves {
		return
	}
	middle := (from + to) / 2
	choose(t.ids[from:to], norm[wide], int(middle-from))
	t.split(norm, 2*node+1, from, middle)
	t.split(norm, 2*node+2, middle, to)
}

// choose reorders ids so that the k-th by value stands at k, none larger before it and none smaller behind (Hoare's
// selection, with the middle of three as pivot).
func choose(ids []int32, value []float64, k int) {
	low, high := 0, len(ids)-1
	for low < high {
		a, b, c := value[ids[low]], value[ids[(low+high)/2]], value[ids[high]]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := low, high
		for i <= j {
			for value[ids[i]] < pivot {
				i++
			}
			for value[ids[j]] > pivot {
				j--
			}
			if i <= j {
				ids[i], ids[j] = ids[j], ids[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return
		}
	}
}

// bound is the squared distance of x from a node's box. It is not larger than that of any point inside, rounding
// included, for each step rounds the same way.
func (t *nearest) bound(node int32, x []float64) float64 {
	var sum float64
	at := int(node) * t.m
	low, high := t.low[at:at+len(x)], t.high[at:at+len(x)]
	for j, v := range x {
		if d := max(low[j]-v, v-high[j]); d > 0 {
			sum += d * d
		}
	}
	return sum
}

// push puts those children of a node on the stack whose bound is within limit, the nearer one on top.
func (t *nearest) push(node int32, x []float64, limit float64) {
	a := waiting{t.bound(2*node+1, x), 2*node + 1}
	b := waiting{t.bound(2*node+2, x), 2*node + 2}
	if a.bound < b.bound {
		a, b = b, a
	}
	if a.bound <= limit {
		t.stack = append(t.stack, a)
	}
	if b.bound <= limit {
		t.stack = append(t.stack, b)
	}
}

func (t *nearest) pop() waiting {
	top := t.stack[len(t.stack)-1]
	t.stack = t.stack[:len(t.stack)-1]
	return top
}

// any finds the squared distance from x to the nearest point, of those nearer than limit; limit when there is none.
func (t *nearest) any(x []float64, limit float64) float64 {
	best := limit
	if len(t.ids) == 0 {
		return best
	}
	t.stack = append(t.stack[:0], waiting{0, 0})
	for len(t.stack) > 0 {
		top := t.pop()
		switch {
		case top.bound >= best:
		case int(top.node) < t.leaves:
			t.push(top.node, x, best)
		default:
			rows := t.norm[int(t.from[top.node])*t.m : int(t.to[top.node])*t.m]
			for ; len(rows) > 0; rows = rows[t.m:] {
				best = min(best, squared(rows, x))
			}
		}
	}
	return best
}

// dominating finds the point nearest to x, the lowest number among equals, of those that dominate point p, which x is
// after and f before normalisation. None when there is none.
func (t *nearest) dominating(x []float64, f [][]float64, p int32) (id int32, square float64) {
	id, square = None, math.MaxFloat64
	if len(t.ids) == 0 {
		return id, square
	}
	t.stack = append(t.stack[:0], waiting{0, 0})
	for len(t.stack) > 0 {
		top := t.pop()
		if node := int(top.node); top.bound > square || !WeaklyDominates(t.low[node*t.m:node*t.m+t.m], x) {
			continue
		}
		if int(top.node) < t.leaves {
			t.push(top.node, x, square)
			continue
		}
		from, to := int(t.from[top.node]), int(t.to[top.node])
		rows := t.norm[from*t.m : to*t.m]
		for i := from; i < to; i++ {
			d := squaredAbove(rows[(i-from)*t.m:], x)
			if d > square || d == square && t.ids[i] > id || !t.dominates(i, f, p) {
				continue
			}
			id, square = t.ids[i], d
		}
	}
	return id, square
}

// dominates tells whether the i-th point dominates point p of the columns f.
func (t *nearest) dominates(i int, f [][]float64, p int32) bool {
	better := false
	for j, x := range t.f[i*t.m : i*t.m+t.m] {
		y := f[j][p]
		if x > y {
			return false
		}
		better = better || x < y
	}
	return better
}

// squaredAbove is squared where x is nowhere less than row, +Inf elsewhere.
func squaredAbove(row, x []float64) float64 {
	var sum float64
	row = row[:len(x)]
	for j, v := range x {
		d := v - row[j]
		if d < 0 {
			return math.Inf(1)
		}
		sum += d * d
	}
	return sum
}

// squared is the square of the distance of row's first entries from x, in Distance's order of adding.
func squared(row, x []float64) float64 {
	var sum float64
	row = row[:len(x)]
	for j, v := range x {
		sum += (v - row[j]) * (v - row[j])
	}
	return sum
}
