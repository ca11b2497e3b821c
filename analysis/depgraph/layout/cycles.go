package layout

import "math"

// breakCycles makes arcs of the part's edges and reverses some of them so that no cycle is left. A depth-first search
// starts at nodes without predecessors and follows edges in the order of the input; an edge to a node on the search's
// stack is a back edge and is reversed. In a compiler's graph those are the edges that close a loop.
func (p *part) breakCycles(g Graph) {
	n := len(p.node)
	p.arcs = raw[arc](p.scratch, len(p.edge))
	defer p.release(p.arena)
	start, in := take[int32](p.scratch, n+1), take[int32](p.scratch, n)
	p.pointDown(g, start, in)
	prefixSums(start)
	out := raw[outArc](p.scratch, len(p.arcs))
	// start holds the ends of rows, which are filled backwards.
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

// pointDown makes arcs that run as their edges do, counts them at both ends, and finds whether any vertex has several
// slots.
func (p *part) pointDown(g Graph, out, in []int32) {
	// Bits of the slots of each vertex's latest edges.
	leave, enter := raw[uint64](p.scratch, len(in)), raw[uint64](p.scratch, len(in))
	manyOut, manyIn := uint64(0), uint64(0)
	for i, e := range p.edge {
		x, a := &g.Edges[e], &p.arcs[i]
		v, w := p.own[x.From], p.own[x.To]
		a.edge, a.lo, a.hi, a.loX, a.hiX = e, v, w, x.FromX, x.ToX
		a.weight, a.times, a.back, a.chain = max(x.Weight, 1), max(x.times, 1), false, direct
		// A vertex's first edge differs from none: masked with its count instead of a branch.
		from, to := math.Float64bits(x.FromX), math.Float64bits(x.ToX)
		manyOut |= (leave[v] ^ from) & -uint64(min(out[v], 1))
		manyIn |= (enter[w] ^ to) & -uint64(min(in[w], 1))
		leave[v], enter[w] = from, to
		out[v]++
		in[w]++
	}
	p.manyOut, p.manyIn = manyOut != 0, manyIn != 0
}

// depthFirst is the search for back edges.
type depthFirst struct {
	arcs    []arc
	outArcs []outArc
	visit   []visit
	stack   []int32
}

// outArc is an arc seen from its start.
type outArc struct{ to, arc int32 }

// visit is how far the search is with a vertex: the next of its arcs to follow, where they end, and its state.
type visit struct {
	next, end int32
	state     int32
}

const (
	fresh int32 = iota
	open
	done
)

// from visits what can be reached from root and reverses the arcs that lead back.
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
