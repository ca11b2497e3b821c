package projection

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// link is an edge of the graph, seen from one of its ends.
type link struct {
	to     int32
	length float64
}

// graph is an undirected graph by adjacency, links in ascending order of their ends.
type graph [][]link

// neighbours links every point with its k nearest ones. Of those equally near, those nearer in the points' order go
// first, earlier before later.
func neighbours(ctx context.Context, d Distances, k int) (graph, error) {
	n := d.N()
	k = min(k, n-1)
	g := make(graph, n)
	nearest := make([]link, 0, n)
	for i := range n {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		nearest = nearest[:0]
		worst := math.Inf(1) // of the k nearest so far; those beyond need not be kept
		for step := 1; step < n; step++ {
			for _, j := range [2]int{i - step, i + step} {
				if j < 0 || j >= n {
					continue
				}
				if a := d.At(i, j); a < worst {
					if nearest = insert(nearest, link{int32(j), a}, k); len(nearest) == k {
						worst = nearest[k-1].length
					}
				}
			}
		}
		for _, l := range nearest {
			g.link(int32(i), l.to, l.length)
		}
	}
	for i := range g {
		slices.SortFunc(g[i], func(a, b link) int { return cmp.Compare(a.to, b.to) })
		g[i] = slices.Compact(g[i])
	}
	return g, nil
}

// insert adds a link to the k shortest behind those of the same length.
func insert(list []link, l link, k int) []link {
	at := len(list)
	for at > 0 && list[at-1].length > l.length {
		at--
	}
	list = slices.Insert(list, at, l)
	return list[:min(k, len(list))]
}

func (g graph) link(a, b int32, length float64) {
	g[a] = append(g[a], link{b, length})
	g[b] = append(g[b], link{a, length})
}

// join links the components of the graph by their shortest distances until there is one, and returns the number of
// links. Each round links every component with the nearest other one, so that a few rounds are enough (Boruvka's
// minimum spanning tree).
func (g graph) join(d Distances) int {
	joined := 0
	for {
		part, parts := g.parts()
		if parts == 1 {
			return joined
		}
		type pair struct {
			a, b   int32
			length float64
		}
		best := slices.Repeat([]pair{{-1, -1, math.Inf(1)}}, parts)
		for i := range g {
			for j := range i {
				p, q := part[i], part[j]
				if p == q {
					continue
				}
				a := d.At(i, j)
				for _, of := range [2]int32{p, q} {
					if a < best[of].length {
						best[of] = pair{int32(i), int32(j), a}
					}
				}
			}
		}
		// Two components may choose the same link: it is made once, and only while they are still separate, because
		// equal lengths could close a cycle.
		owner := make([]int32, parts)
		for i := range owner {
			owner[i] = int32(i)
		}
		find := func(p int32) int32 {
			for owner[p] != p {
				p = owner[p]
			}
			return p
		}
		for _, b := range best {
			if p, q := find(part[b.a]), find(part[b.b]); p != q {
				owner[p] = q
				g.link(b.a, b.b, b.length)
				joined++
			}
		}
	}
}

// parts numbers the connected parts.
func (g graph) parts() (part []int32, parts int) {
	part = slices.Repeat([]int32{-1}, len(g))
	var stack []int32
	for i := range g {
		if part[i] >= 0 {
			continue
		}
		part[i] = int32(parts)
		stack = append(stack[:0], int32(i))
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, l := range g[v] {
				if part[l.to] < 0 {
					part[l.to] = int32(parts)
					stack = append(stack, l.to)
				}
			}
		}
		parts++
	}
	return part, parts
}

// landmarks chooses k points, always the one farthest from those so far, and gives their distances along the graph to
// all.
func (g graph) landmarks(ctx context.Context, k int,
	report func(done, total int64)) (marks []int32, rows [][]float64, err error) {
	near := slices.Repeat([]float64{math.Inf(1)}, len(g))
	next := int32(0)
	for len(marks) < k {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		row := g.paths(next)
		marks, rows = append(marks, next), append(rows, row)
		far := -1.0
		for i, a := range row {
			near[i] = min(near[i], a)
			if near[i] > far {
				next, far = int32(i), near[i]
			}
		}
		if report != nil {
			report(int64(len(marks)), int64(k))
		}
		if far == 0 {
			break // what is left lies on a landmark
		}
	}
	return marks, rows, nil
}

// paths is the length of the shortest path from one point to each (Dijkstra's algorithm with a binary heap).
func (g graph) paths(from int32) []float64 {
	dist := slices.Repeat([]float64{math.Inf(1)}, len(g))
	dist[from] = 0
	h := heap{{from, 0}}
	for len(h) > 0 {
		top := h.pop()
		if top.length > dist[top.to] {
			continue
		}
		for _, l := range g[top.to] {
			if a := top.length + l.length; a < dist[l.to] {
				dist[l.to] = a
				h.push(link{l.to, a})
			}
		}
	}
	return dist
}

// heap has the shortest link on top.
type heap []link

func (h *heap) push(l link) {
	s := append(*h, l)
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 2
		if s[up].length <= s[i].length {
			break
		}
		s[up], s[i] = s[i], s[up]
		i = up
	}
	*h = s
}

func (h *heap) pop() link {
	s := *h
	top, n := s[0], len(s)-1
	s[0] = s[n]
	s = s[:n]
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < n; c++ {
			if s[c].length < s[least].length {
				least = c
			}
		}
		if least == i {
			break
		}
		s[i], s[least] = s[least], s[i]
		i = least
	}
	*h = s
	return top
}
