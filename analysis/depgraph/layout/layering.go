package layout

import "math/bits"

// layering is a part as a proper hierarchy: vertices in layers, the nodes first and then dummy vertices where edges
// pass a layer, and segments between neighbouring layers only. Order and coordinates are found for it.
type layering struct {
	*scratch
	nodes    int // vertices below this are nodes, others are dummies
	allNodes int // nodes of all parts of the graph
	rank     []int32
	width    []float64
	x        []float64 // left sides, once place has found them
	order    [][]int32 // layer -> vertices from left to right
	pos      []int32   // vertex -> its place in its layer
	up       side
	down     side
	segments []segment
	chains   []chain
	// dummy vertex, counted from the first -> its chain
	chainOf []int32
	cross   []int64 // layer -> crossings between it and the next; -1 when unknown
	// For counting.
	sums   []int64
	sorted []ownedSegment
	plain  []bool  // layer -> its segments downwards all weigh 1, and no vertex has two slots for them
	next   []int32 // vertex -> the mark of its next segment upwards
	marks  []uint64
	edges  int64 // that are drawn
	spent  int64 // work done so far, in segments looked at

	share float64 // of the usual work for a whole graph
	// For blockOrder.
	filled []int32 // layer -> vertices placed in it
	// For sorting.
	keyed  []uint64
	spare  []uint64
	counts []int32
	oldRow []int32
}

// chain is the run of dummy vertices that edges between the same two nodes share. A back edge enters its lower node
// from above and leaves its upper node at the bottom like any other: its chain has a hook, a dummy in the layer beyond,
// at either end.
//
//	.--o      hook above the upper node
//	|  |
//	|  A      A is in the layer above B; the edge leads from B to A
//	|  :
//	|  B
//	|  |
//	'--o      hook below the lower node
type chain struct {
	first, count int32
	inner        int32 // the first of the segments between its vertices
	weight       int32 // edges that share it
	lo, hi       int32 // ends of the first edge
	loX, hiX     float64
	back         bool
}

// segment joins a vertex of one layer to one of the next, at slots given as distances from their left sides.
type segment struct {
	top, bottom   int32
	topX, bottomX float64
	weight        int32
}

// newLayering puts dummy vertices into long edges and marks edges to be cut. Hooks may need a layer more above or
// below.
func newLayering(p *part, g Graph, o Options, rank []int32) *layering {
	l := &layering{scratch: p.scratch, nodes: len(p.node), allNodes: len(g.Nodes)}
	most := p.measure(o, rank)
	l.edges = most.edges
	l.rank, l.width = raw[int32](p.scratch, most.vertices)[:l.nodes], raw[float64](p.scratch, most.vertices)[:l.nodes]
	for v, node := range p.node {
		l.rank[v], l.width[v] = rank[v]+most.raise, g.Nodes[node].Width
	}
	l.segments, l.chains, l.chainOf = spare[segment](p.scratch, most.segs), spare[chain](p.scratch, most.chains),
		spare[int32](p.scratch, most.vertices-l.nodes)
	of := p.newChainTable(most.chains)
	for i := range p.arcs {
		a := &p.arcs[i]
		if a.chain == cut {
			continue
		}
		if !a.back && l.rank[a.hi]-l.rank[a.lo] == 1 {
			l.segments = append(l.segments, segment{a.lo, a.hi, a.loX, a.hiX, a.times})
			continue
		}
		c, known := of.chain(l, a)
		if a.chain = c; known {
			l.widenChain(a)
		} else {
			l.addChain(a)
		}
		l.joinEnds(a)
	}
	l.buildLayers(p, int(most.deep)+1)
	return l
}

// layeringSize bounds a layering: fewer vertices and segments when edges share chains. Edges and the deepest layer are
// exact; raise is 1 if all ranks move down by a layer for a hook above.
type layeringSize struct {
	vertices, segs, chains int
	edges                  int64
	raise, deep            int32
}

// measure decides which edges are cut and bounds the layering of the others.
func (p *part) measure(o Options, rank []int32) layeringSize {
	x := layeringSize{vertices: len(p.node)}
	for _, r := range rank[:len(p.node)] {
		x.deep = max(x.deep, r)
	}
	for i := range p.arcs {
		a := &p.arcs[i]
		top, bottom := rank[a.lo], rank[a.hi]
		if o.Long > 0 && int(bottom-top) > o.Long && !p.endsAtPin(a) {
			a.chain = cut
			continue
		}
		bends := int(bottom-top) - 1
		if a.back {
			bends += 4
			x.deep = max(x.deep, bottom+1)
			if top == 0 {
				x.raise = 1
			}
		}
		x.edges++
		x.vertices += bends
		x.segs += bends + 1
		x.chains += min(bends, 1)
	}
	x.deep += x.raise
	return x
}

// chainTable finds the chain between two vertices: open addressing with linear probing, 0 for an empty place.
type chainTable []int32

func (m *scratch) newChainTable(chains int) chainTable {
	return take[int32](m, 1<<bits.Len(uint(2*chains)))
}

// chain gives the chain between the ends of an arc, and whether it is there already; if not, it is to be the next.
func (t chainTable) chain(l *layering, a *arc) (c int32, known bool) {
	mask := uint32(len(t) - 1)
	at := uint32(a.lo)*0x9e3779b1 ^ uint32(a.hi)*0x85ebca6b
	for at ^= at >> 15; ; at++ {
		c := t[at&mask] - 1
		if c < 0 {
			t[at&mask] = int32(len(l.chains)) + 1
			return int32(len(l.chains)), false
		}
		if x := &l.chains[c]; x.lo == a.lo && x.hi == a.hi && x.back == a.back {
			return c, true
		}
	}
}

// addChain makes the chain of an arc.
func (l *layering) addChain(a *arc) {
	from, to := l.rank[a.lo]+1, l.rank[a.hi]-1
	if a.back {
		from, to = from-2, to+2
	}
	n, v, seg, count := len(l.chainOf), len(l.rank), len(l.segments), int(to-from)+1
	rank, width, of, inner := l.rank[v:v+count], l.width[v:v+count], l.chainOf[n:n+count], l.segments[seg:seg+count]
	l.rank, l.width, l.chainOf = l.rank[:v+count], l.width[:v+count], l.chainOf[:n+count]
	l.segments = l.segments[:seg+count-1]
	for i := range rank {
		rank[i], width[i], of[i] = from+int32(i), 0, a.chain
		inner[i] = segment{int32(v + i), int32(v+i) + 1, 0, 0, a.times} // the last one is one too many
	}
	l.chains = l.chains[:a.chain+1]
	c := &l.chains[a.chain]
	c.first, c.count, c.inner, c.weight = int32(v), int32(count), int32(seg), 0
	c.lo, c.hi, c.loX, c.hiX, c.back = a.lo, a.hi, a.loX, a.hiX, a.back
}

// widenChain adds an arc to the segments inside its chain.
func (l *layering) widenChain(a *arc) {
	c := &l.chains[a.chain]
	inner := l.segments[c.inner : c.inner+c.count-1]
	for i := range inner {
		inner[i].weight += a.times
	}
}

// joinEnds joins an arc to the ends of its chain.
func (l *layering) joinEnds(a *arc) {
	c := &l.chains[a.chain]
	c.weight += a.times
	end := c.first + c.count - 1
	if a.back {
		l.segments = append(l.segments, segment{c.first, a.lo, 0, a.loX, a.times}, segment{a.hi, end, a.hiX, 0, a.times})
	} else {
		l.segments = append(l.segments, segment{a.lo, c.first, a.loX, 0, a.times}, segment{end, a.hi, 0, a.hiX, a.times})
	}
}

// buildLayers lists the layers' vertices in the order in which they were made, and their half-edges.
func (l *layering) buildLayers(p *part, layers int) {
	n := len(l.rank)
	count, wide := take[int32](l.scratch, layers), int32(0)
	for _, r := range l.rank {
		count[r]++
	}
	l.order, l.pos = make([][]int32, layers), raw[int32](l.scratch, n)
	l.next = raw[int32](l.scratch, n)
	room := raw[int32](l.scratch, n)
	for r, k := range count {
		wide = max(wide, k)
		l.order[r], room = room[:0:k], room[k:]
	}
	for v, r := range l.rank {
		l.order[r] = append(l.order[r], int32(v))
	}
	l.keyed, l.spare = raw[uint64](l.scratch, int(wide)), raw[uint64](l.scratch, int(wide))
	l.counts, l.oldRow = raw[int32](l.scratch, int(wide)+1), spare[int32](l.scratch, int(wide))
	l.cross, l.filled = raw[int64](l.scratch, layers), raw[int32](l.scratch, layers)
	l.join(p.manyIn, p.manyOut)
	l.findPlain(p.manyIn || p.manyOut)
	for r := range l.order {
		l.renumber(r)
	}
}

// findPlain marks the layers whose crossings can be counted by bits.
func (l *layering) findPlain(many bool) {
	l.plain = raw[bool](l.scratch, len(l.order))
	for r := range l.plain {
		l.plain[r] = true
	}
	for i := range l.segments {
		if s := &l.segments[i]; s.weight != 1 {
			l.plain[l.rank[s.top]] = false
		}
	}
	if !many {
		return
	}
	for v, r := range l.rank {
		if l.down.ports[v] > 1 {
			l.plain[r] = false
		}
		if l.up.ports[v] > 1 {
			l.plain[r-1] = false
		}
	}
}
