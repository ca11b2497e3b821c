package layout

// levels is the graph as order and places are found for it: vertices in layers, the nodes first and then the bends of edges over
// several layers, and segments between neighbouring layers only.
type levels struct {
	nodes int // vertices below are nodes
	whole int // nodes of all parts of the graph
	rank  []int32
	width []float64
	x     []float64 // left sides, once placed
	order [][]int32 // layer -> vertices from left to right
	pos   []int32   // vertex -> its place in its layer
	up    side
	down  side
	segs  []segment
	chain []chain
	// bend, counted from the first -> chain
	chainOf []int32
	cross   []int64 // layer -> crossings between it and the next; negative when unknown
	tree    []int64 // for counting
	strung  []strung
	edges   int64 // that are drawn
	spent   int64 // work done so far, in segments looked at

	share float64 // of the work for all that is left to these levels
	strip strip
	// For start.
	queue  []int32
	placed []bool
	// For sorting.
	keyed []uint64
	old   []int32
}

// chain is the run of consecutive bends that several edges between the same two nodes share. That of edges upwards begins with
// a turn above the higher node and ends with one below the lower node.
type chain struct {
	first, count int32
	weight       int32 // of the edges that share it
	lo, hi       int32 // of the first of them
	loX, hiX     float64
	back         bool
}

// segment joins a vertex of one layer to one of the next, at distances from their left sides.
type segment struct {
	top, bottom   int32
	topX, bottomX float64
	weight        int32
}

// newLevels puts bends into long edges and says which edges are cut. It changes rank: layers are added for the turns of edges
// upwards at either end.
func newLevels(p *part, g Graph, o Options, rank []int32) *levels {
	l := &levels{nodes: len(p.node), whole: len(g.Nodes)}
	raise := int32(0)
	for i := range p.arcs {
		a := &p.arcs[i]
		if o.Long > 0 && int(rank[a.hi]-rank[a.lo]) > o.Long && !p.pinnedTo(a) {
			a.chain = cut
		}
		if a.back && a.chain != cut && rank[a.lo] == 0 {
			raise = 1
		}
	}
	for v := range p.node {
		rank[v] += raise
	}
	vertices, segs, chains := l.nodes, 0, 0 // no more than there will be
	for i := range p.arcs {
		if a := &p.arcs[i]; a.chain != cut {
			bends := int(rank[a.hi]-rank[a.lo]) - 1
			if a.back {
				bends += 4
			}
			segs += bends + 1
			if bends > 0 {
				vertices += bends
				chains++
			}
		}
	}
	l.rank = append(make([]int32, 0, vertices), rank[:l.nodes]...)
	l.width = make([]float64, l.nodes, vertices)
	for v, node := range p.node {
		l.width[v] = g.Nodes[node].Width
	}
	l.segs, l.chain, l.chainOf = make([]segment, 0, segs), make([]chain, 0, chains), make([]int32, 0, vertices-l.nodes)
	type pair struct {
		lo, hi int32
		back   bool
	}
	shared := make(map[pair]int32, chains)
	for i := range p.arcs {
		a := &p.arcs[i]
		if a.chain == cut {
			continue
		}
		l.edges++
		if !a.back && l.rank[a.hi]-l.rank[a.lo] == 1 {
			l.segs = append(l.segs, segment{a.lo, a.hi, a.loX, a.hiX, a.times})
			continue
		}
		k := pair{a.lo, a.hi, a.back}
		c, ok := shared[k]
		if !ok {
			c = int32(len(l.chain))
			shared[k] = c
			l.bend(*a)
		}
		a.chain = c
		l.attach(*a)
	}
	l.fill()
	return l
}

// bend makes the chain of an arc.
func (l *levels) bend(a arc) {
	from, to := l.rank[a.lo]+1, l.rank[a.hi]-1
	if a.back {
		from, to = from-2, to+2
	}
	first := int32(len(l.rank))
	for r := from; r <= to; r++ {
		l.rank = append(l.rank, r)
		l.chainOf = append(l.chainOf, int32(len(l.chain)))
		l.width = append(l.width, 0)
		if r > from {
			v := int32(len(l.rank)) - 1
			l.segs = append(l.segs, segment{v - 1, v, 0, 0, 0})
		}
	}
	l.chain = append(l.chain, chain{first: first, count: to - from + 1, lo: a.lo, hi: a.hi, loX: a.loX, hiX: a.hiX, back: a.back})
}

// attach joins an arc to its chain's ends.
func (l *levels) attach(a arc) {
	c := &l.chain[a.chain]
	c.weight += a.times
	end := c.first + c.count - 1
	if a.back {
		l.segs = append(l.segs, segment{c.first, a.lo, 0, a.loX, a.times}, segment{a.hi, end, a.hiX, 0, a.times})
	} else {
		l.segs = append(l.segs, segment{a.lo, c.first, a.loX, 0, a.times}, segment{end, a.hi, 0, a.hiX, a.times})
	}
}

// fill makes the rows of both sides and an order in which vertices are made.
func (l *levels) fill() {
	n := len(l.rank)
	deep := int32(0)
	for _, r := range l.rank {
		deep = max(deep, r)
	}
	share := make([]int32, n) // vertex -> edges that pass through it
	for _, s := range l.segs {
		if int(s.top) < l.nodes && int(s.bottom) >= l.nodes {
			share[s.bottom] += s.weight
		}
	}
	for _, c := range l.chain {
		w := max(share[c.first], share[c.first+c.count-1])
		for v := c.first; v < c.first+c.count; v++ {
			share[v] = w
		}
	}
	for i := range l.segs {
		if s := &l.segs[i]; s.weight == 0 {
			s.weight = share[s.top]
		}
	}
	count := make([]int32, deep+1)
	for _, r := range l.rank {
		count[r]++
	}
	l.order, l.pos = make([][]int32, deep+1), make([]int32, n)
	room := make([]int32, n)
	for r, k := range count {
		l.order[r], room = room[:0:k], room[k:]
	}
	for v, r := range l.rank {
		l.order[r] = append(l.order[r], int32(v))
	}
	l.cross = make([]int64, deep+1)
	l.join()
	for r := range l.order {
		l.settle(r)
	}
}
