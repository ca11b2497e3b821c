package layout

import "math"

// turn makes arcs of the part's edges so that they have no cycle. A depth-first search that begins at nodes nothing
// leads to, and goes on in the order of the input, meets an edge that leads back to a node it is still below: those run
// upwards. In a compiler's graph they are the edges that close a loop.
func (p *part) breakCycles(g Graph) {
	n := len(p.node)
	p.arcs = raw[arc](p.scratch, len(p.edge))
	defer p.release(p.arena)
	start, in := take[int32](p.scratch, n+1), take[int32](p.scratch, n)
	p.pointDown(g, start, in)
	prefixSums(start)
	out := raw[outArc](p.scratch, len(p.arcs))
	// Rows are filled from their ends.
	for i := len(p.arcs) - 1; i >= 0; i-- {
		a := &p.arcs[i]
		start[a.lo]--
		out[start[a.lo]] = outArc{a.hi, int32(i)}
	}
	s := depthFirst{arcs: p.arcs, outArcs: out, visit: raw[visit](p.scratch, n), stack: spare[int32](p.scratch, n)}
	for v := range s.visit {
		s.visit[v] = visit{start[v], start[v+1], fresh}
	}
	for v, edges := range in {
		if edges == 0 {
			s.from(int32(v))
		}
	}
	for v := range int32(n) {
		s.from(v)
	}
}

// point makes arcs that all run as their edges do, counts those that leave and enter each vertex, and sees whether that
// is at different slots.
func (p *part) pointDown(g Graph, out, in []int32) {
	leave, enter := raw[uint64](p.scratch, len(in)), raw[uint64](p.scratch, len(in)) // slots of the latest
	manyOut, manyIn := uint64(0), uint64(0)
	for i, e := range p.edge {
		x, a := &g.Edges[e], &p.arcs[i]
		v, w := p.own[x.From], p.own[x.To]
		a.edge, a.lo, a.hi, a.loX, a.hiX = e, v, w, x.FromX, x.ToX
		a.weight, a.times, a.back, a.chain = max(x.Weight, 1), max(x.times, 1), false, direct
		// The first of a vertex differs from nothing: no processor could foresee which that is.
		from, to := math.Float64bits(x.FromX), math.Float64bits(x.ToX)
		manyOut |= (leave[v] ^ from) & -uint64(min(out[v], 1))
		manyIn |= (enter[w] ^ to) & -uint64(min(in[w], 1))
		leave[v], enter[w] = from, to
		out[v]++
		in[w]++
	}
	p.manyOut, p.manyIn = manyOut != 0, manyIn != 0
}

// descent is a search in depth for arcs that lead back.
type depthFirst struct {
	arcs    []arc
	outArcs []outArc
	visit   []visit
	stack   []int32
}

// way is an arc out of a vertex.
type outArc struct{ to, arc int32 }

// visit is how far a descent is with a vertex: the next of the ways out of it that it will take, and where these end.
type visit struct {
	next, end int32
	state     int32
}

const (
	fresh int32 = iota
	open
	done
)

// from visits what has not been visited and can be reached, and turns each arc round that leads back.
func (s *depthFirst) from(root int32) {
	if s.visit[root].state != fresh {
		return
	}
	s.visit[root].state = open
	stack := append(s.stack[:0], root)
	for len(stack) > 0 {
		x := &s.visit[stack[len(stack)-1]]
		if x.next == x.end {
			x.state = done
			stack = stack[:len(stack)-1]
			continue
		}
		w := s.outArcs[x.next]
		x.next++
		switch y := &s.visit[w.to]; y.state {
		case fresh:
			y.state = open
			stack = append(stack, w.to)
		case open:
			a := &s.arcs[w.arc]
			a.lo, a.hi, a.loX, a.hiX, a.back = a.hi, a.lo, a.hiX, a.loX, true
		}
	}
}
