package layout

import (
	"math"
	"math/bits"
	"slices"
)

// Index finds what lies at a place of a drawing. It is made once and may be asked from several goroutines at once.
type Index struct {
	l    *Layout
	cell float64
	w, h int
	node grid
	edge grid
}

// grid lists, for each cell from left to right and from top to bottom, numbers of things in it.
type grid struct {
	start []int32
	thing []int32
}

// NewIndex makes the index of a drawing: a grid with some two cells for each node.
func NewIndex(l *Layout) *Index {
	size := Point{l.Bounds.Max.X - l.Bounds.Min.X + 1, l.Bounds.Max.Y - l.Bounds.Min.Y + 1}
	x := &Index{l: l, cell: math.Sqrt(size.X * size.Y / float64(2*len(l.Nodes)+1))}
	x.cell = max(x.cell, size.X/4096, size.Y/4096)
	x.w, x.h = int(size.X/x.cell)+1, int(size.Y/x.cell)+1
	x.node.fill(x.w*x.h, len(l.Nodes), func(v int, put func(int)) { x.cells(l.Nodes[v], put) })
	x.edge.fill(x.w*x.h, len(l.Routes), func(e int, put func(int)) {
		for _, line := range [2][]Point{l.Routes[e].Points, l.Routes[e].End} {
			for i := 1; i < len(line); i++ {
				x.along(line[i-1], line[i], put)
			}
		}
	})
	return x
}

// fill lists n things in so many cells; each puts itself into the cells it covers, into some of them perhaps more than
// once.
func (g *grid) fill(cells, n int, each func(i int, put func(cell int))) {
	g.start = make([]int32, cells+1)
	seen := make([]int32, cells)
	round := func(do func(i, cell int)) {
		clear(seen)
		for i := range n {
			each(i, func(c int) {
				if seen[c] != int32(i)+1 {
					seen[c] = int32(i) + 1
					do(i, c)
				}
			})
		}
	}
	round(func(_, c int) { g.start[c+1]++ })
	for c := range cells {
		g.start[c+1] += g.start[c]
	}
	g.thing = make([]int32, g.start[cells])
	next := slices.Clone(g.start)
	round(func(i, c int) {
		g.thing[next[c]] = int32(i)
		next[c]++
	})
}

// column and row give the cell of a coordinate, those outside the one at the border.
func (x *Index) column(v float64) int { return within((v-x.l.Bounds.Min.X)/x.cell, x.w) }
func (x *Index) row(v float64) int    { return within((v-x.l.Bounds.Min.Y)/x.cell, x.h) }

func within(v float64, n int) int { return int(max(0, min(v, float64(n-1)))) }

// cells calls put for those that a rectangle touches.
func (x *Index) cells(r Rect, put func(cell int)) {
	for j, last := x.row(r.Min.Y), x.row(r.Max.Y); j <= last; j++ {
		for i, end := x.column(r.Min.X), x.column(r.Max.X); i <= end; i++ {
			put(j*x.w + i)
		}
	}
}

// along calls put for the cells that a straight line touches, row by row.
func (x *Index) along(a, b Point, put func(cell int)) {
	if a.Y > b.Y {
		a, b = b, a
	}
	for j, last := x.row(a.Y), x.row(b.Y); j <= last; j++ {
		p, q := a, b
		if b.Y > a.Y {
			slope := (b.X - a.X) / (b.Y - a.Y)
			if top := x.l.Bounds.Min.Y + float64(j)*x.cell; top > a.Y {
				p.X = a.X + (top-a.Y)*slope
			}
			if low := x.l.Bounds.Min.Y + float64(j+1)*x.cell; low < b.Y {
				q.X = a.X + (low-a.Y)*slope
			}
		}
		for i, end := x.column(min(p.X, q.X)), x.column(max(p.X, q.X)); i <= end; i++ {
			put(j*x.w + i)
		}
	}
}

// NodeAt is the node at a place, -1 when there is none. Where nodes of the drawing overlap it is the last.
func (x *Index) NodeAt(p Point) int {
	found := -1
	x.cells(Rect{p, p}, func(c int) {
		for _, v := range x.node.thing[x.node.start[c]:x.node.start[c+1]] {
			if r := x.l.Nodes[v]; p.X >= r.Min.X && p.X <= r.Max.X && p.Y >= r.Min.Y && p.Y <= r.Max.Y {
				found = max(found, int(v))
			}
		}
	})
	return found
}

// EdgeAt is the edge whose line passes nearest to a place, at most reach away; -1 when there is none.
func (x *Index) EdgeAt(p Point, reach float64) int {
	found, best := -1, reach
	x.cells(Rect{Point{p.X - reach, p.Y - reach}, Point{p.X + reach, p.Y + reach}}, func(c int) {
		for _, e := range x.edge.thing[x.edge.start[c]:x.edge.start[c+1]] {
			for _, line := range [2][]Point{x.l.Routes[e].Points, x.l.Routes[e].End} {
				for i := 1; i < len(line); i++ {
					if d := away(p, line[i-1], line[i]); d < best || d == best && (found < 0 || int(e) < found) {
						found, best = int(e), d
					}
				}
			}
		}
	})
	return found
}

// away is the distance of p from the straight line between a and b.
func away(p, a, b Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	t := 0.0
	if d := dx*dx + dy*dy; d > 0 {
		t = max(0, min(1, ((p.X-a.X)*dx+(p.Y-a.Y)*dy)/d))
	}
	return math.Hypot(p.X-a.X-t*dx, p.Y-a.Y-t*dy)
}

// Within appends the nodes and the edges that may show in an area, each once and in order: nothing that does is
// missing, and little that does not is among them.
func (x *Index) Within(area Rect, nodes, edges []int32) ([]int32, []int32) {
	node, edge := newMarks(len(x.l.Nodes)), newMarks(len(x.l.Routes))
	x.cells(area, func(c int) {
		node.set(x.node.thing[x.node.start[c]:x.node.start[c+1]])
		edge.set(x.edge.thing[x.edge.start[c]:x.edge.start[c+1]])
	})
	return node.list(nodes), edge.list(edges)
}

// marks is a set of numbers, a bit for each.
type marks []uint64

func newMarks(n int) marks { return make(marks, (n+63)/64) }

func (m marks) set(numbers []int32) {
	for _, i := range numbers {
		m[i>>6] |= 1 << (i & 63)
	}
}

// list appends the numbers of the set in order.
func (m marks) list(to []int32) []int32 {
	count := 0
	for _, word := range m {
		count += bits.OnesCount64(word)
	}
	to = slices.Grow(to, count)
	for i, word := range m {
		for ; word != 0; word &= word - 1 {
			to = append(to, int32(i<<6+bits.TrailingZeros64(word)))
		}
	}
	return to
}
