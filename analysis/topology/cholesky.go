package topology

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// solver finds potentials on one network. It factors the Laplacian once for all classes where that is cheaper than to
// iterate for each: traces visit their points in time, so that a point's neighbours have near numbers and the matrix is
// a narrow band.
type solver struct {
	g      *network
	weight []float64
	l      *envelope // nil: iterate
}

// What the two ways cost, in multiplications: a factorization half the square of each row's width, an iteration of
// conjugate gradients about two for each edge, and some 30 iterations are usual for a first look (9 to 133 were seen on
// traces, many more on long chains).
const (
	usualIterations = 30
	mostEnvelope    = 8 << 20 // entries, 64 MiB
)

// solver prepares for so many classes.
func (g *network) solver(ctx context.Context, weight []float64, classes int) (*solver, error) {
	s := &solver{g: g, weight: weight}
	iterating := float64(classes) * usualIterations * 2 * float64(len(g.lo))
	e := newEnvelope(g, nil)
	if e.cost > iterating && len(g.lo) < 64*g.n {
		if f := newEnvelope(g, g.narrowing()); f.cost < e.cost {
			e = f
		}
	}
	if e.cost > iterating || e.start[g.n] > mostEnvelope {
		return s, nil
	}
	ok, err := e.factor(ctx, g, weight)
	if ok {
		s.l = e
	}
	return s, err
}

// potential is network.potential, by the cheaper way.
func (s *solver) potential(ctx context.Context, c []int32, digits int) ([]float64, error) {
	if s.l == nil {
		return s.g.potential(ctx, c, s.weight, digits)
	}
	rest := make([]float64, s.g.n)
	for e, w := range s.weight {
		if c[e] != 0 {
			rest[s.g.lo[e]] += w * float64(c[e])
			rest[s.g.hi[e]] -= w * float64(c[e])
		}
	}
	return s.l.solve(rest), nil
}

// envelope is a symmetric positive matrix by rows of its lower triangle, each from its first entry other than 0 to the
// diagonal; the factors of L L^T fill the same places (A. George, J. Liu, "Computer solution of large sparse positive
// definite systems", 1981, chapter 4).
type envelope struct {
	place []int32 // vertex -> row
	first []int32 // row -> its first column
	start []int   // row -> where it begins in value; one more at the end
	value []float64
	cost  float64 // multiplications to factor it
}

// newEnvelope finds the places of a network's Laplacian; a nil order is that of the vertices.
func newEnvelope(g *network, order []int32) *envelope {
	e := &envelope{place: make([]int32, g.n), first: make([]int32, g.n), start: make([]int, g.n+1)}
	for i := range g.n {
		e.place[i], e.first[i] = int32(i), int32(i)
	}
	for i, v := range order {
		e.place[v] = int32(i)
	}
	for k := range g.lo {
		a, b := e.place[g.lo[k]], e.place[g.hi[k]]
		e.first[max(a, b)] = min(e.first[max(a, b)], min(a, b))
	}
	for i, f := range e.first {
		width := i - int(f) + 1
		e.start[i+1] = e.start[i] + width
		e.cost += float64(width) * float64(width) / 2
	}
	return e
}

// row is the entries of a row.
func (e *envelope) row(i int) []float64 { return e.value[e.start[i]:e.start[i+1]] }

// factor fills in the Laplacian and factors it. The lowest vertex of each component is held at 0 by a spring as stiff
// as its edges, which the right sides never stretch: they sum to 0. ok is false where rounding makes the matrix
// singular.
func (e *envelope) factor(ctx context.Context, g *network, weight []float64) (ok bool, err error) {
	e.value = make([]float64, e.start[g.n])
	add := func(i, j int32, w float64) { e.value[e.start[i]+int(j-e.first[i])] += w }
	for k, w := range weight {
		a, b := e.place[g.lo[k]], e.place[g.hi[k]]
		add(max(a, b), min(a, b), -w)
		add(a, a, w)
		add(b, b, w)
	}
	for v, part := range g.part {
		if int(part) != v {
			continue
		}
		i := e.place[v]
		d := e.row(int(i))
		if d[len(d)-1] *= 2; d[len(d)-1] == 0 {
			d[len(d)-1] = 1
		}
	}
	for i := range g.n {
		if i&63 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		row := e.row(i)
		from := int(e.first[i])
		sum := 0.0
		for j := from; j < i; j++ {
			other := e.row(j)
			begin := max(from, int(e.first[j]))
			x := (row[j-from] - dot4(row[begin-from:j-from], other[begin-int(e.first[j]):])) / other[len(other)-1]
			row[j-from] = x
			sum += x * x
		}
		d := row[i-from] - sum
		if d <= 1e-12*row[i-from] {
			return false, nil
		}
		row[i-from] = math.Sqrt(d)
	}
	return true, nil
}

// dot4 is dot in four sums, which do not wait for each other; b may be longer.
func dot4(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i, x := range a {
		s0 += x * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// solve gives the x of L L^T x = right, by vertex.
func (e *envelope) solve(right []float64) []float64 {
	n := len(right)
	x := make([]float64, n)
	for v, i := range e.place {
		x[i] = right[v]
	}
	for i := range n {
		row, from := e.row(i), int(e.first[i])
		x[i] = (x[i] - dot4(row[:i-from], x[from:])) / row[i-from]
	}
	for i := n - 1; i >= 0; i-- {
		row, from := e.row(i), int(e.first[i])
		x[i] /= row[i-from]
		for j, l := range row[:i-from] {
			x[from+j] -= l * x[i]
		}
	}
	out := make([]float64, n)
	for v, i := range e.place {
		out[v] = x[i]
	}
	return out
}

// narrowing is an order of the vertices in which neighbours are near each other: breadth first from a vertex of least
// degree, neighbours by degree, turned around (E. Cuthill, J. McKee, "Reducing the bandwidth of sparse symmetric
// matrices", 1969).
func (g *network) narrowing() []int32 {
	next := make([][]int32, g.n)
	for e := range g.lo {
		next[g.lo[e]] = append(next[g.lo[e]], g.hi[e])
		next[g.hi[e]] = append(next[g.hi[e]], g.lo[e])
	}
	byDegree := func(a, b int32) int { return cmp.Or(cmp.Compare(len(next[a]), len(next[b])), cmp.Compare(a, b)) }
	all := make([]int32, g.n)
	for i := range all {
		all[i] = int32(i)
	}
	slices.SortFunc(all, byDegree)
	seen := make([]bool, g.n)
	order := make([]int32, 0, g.n)
	for _, root := range all {
		if seen[root] {
			continue
		}
		seen[root] = true
		order = append(order, root)
		for at := len(order) - 1; at < len(order); at++ {
			fresh := len(order)
			for _, w := range next[order[at]] {
				if !seen[w] {
					seen[w] = true
					order = append(order, w)
				}
			}
			slices.SortFunc(order[fresh:], byDegree)
		}
	}
	slices.Reverse(order)
	return order
}
