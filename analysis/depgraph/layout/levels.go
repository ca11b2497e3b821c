package layout

import (
	"slices"
)

// levels is the graph as order and places are found for it: vertices in layers, the nodes first and then the bends of edges over
// several layers, and segments between neighbouring layers only.
type levels struct {
	nodes int // vertices below are nodes
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
	spent   int64   // work done so far, in segments looked at

	share float64  // of the work for all that is left to these levels
	keyed []uint64 // for sorting
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

// side holds what vertices are joined to on one side, upwards or downwards.
type side struct {
	start []int32
	half  []half  // of each vertex, by key when prepared
	ports []int32 // vertex -> different slots it has on this side
	base  []int32 // vertex -> number of its first slot among all of its layer on this side
}

// half is a segment seen from one end.
type half struct {
	to     int32 // vertex at the other end
	port   int32 // which of its slots, from 0
	own    int32 // which slot of this end
	key    int32 // place of the slot at the other end in its layer
	weight int32
	seg    int32
}

func (s *side) of(v int32) []half { return s.half[s.start[v]:s.start[v+1]] }

// newLevels puts bends into long edges and says which edges are cut. It changes rank: layers are added for the turns of edges
// upwards at either end.
func newLevels(p *part, g Graph, o Options, rank []int32) *levels {
	l := &levels{nodes: len(p.node)}
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
	for v, node := range p.node {
		rank[v] += raise
		l.width = append(l.width, g.Nodes[node].Width)
	}
	l.rank = append(l.rank, rank[:l.nodes]...)
	type pair struct {
		lo, hi int32
		back   bool
	}
	shared := map[pair]int32{}
	for i := range p.arcs {
		a := &p.arcs[i]
		if a.chain == cut {
			continue
		}
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
	l.order = make([][]int32, deep+1)
	l.pos = make([]int32, n)
	for v, r := range l.rank {
		l.pos[v] = int32(len(l.order[r]))
		l.order[r] = append(l.order[r], int32(v))
	}
	l.cross = make([]int64, deep+1)
	own, port := l.slots(func(s *segment) (int32, float64) { return s.top, s.topX }), l.slots(func(s *segment) (int32, float64) { return s.bottom, s.bottomX })
	l.down = l.rows(own, port, func(s *segment) (int32, int32) { return s.top, s.bottom })
	l.up = l.rows(port, own, func(s *segment) (int32, int32) { return s.bottom, s.top })
	for r := range l.order {
		l.settle(r)
	}
}

// slots numbers the different slots of each vertex on one side: segment -> number.
func (l *levels) slots(end func(*segment) (int32, float64)) []int32 {
	by := make([]int32, len(l.segs))
	for i := range by {
		by[i] = int32(i)
	}
	slices.SortFunc(by, func(i, j int32) int {
		v, x := end(&l.segs[i])
		w, y := end(&l.segs[j])
		switch {
		case v != w:
			return int(v - w)
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(i - j)
	})
	number := make([]int32, len(l.segs))
	last, at, k := int32(-1), 0.0, int32(0)
	for _, i := range by {
		v, x := end(&l.segs[i])
		if v != last {
			k = 0
		} else if x != at {
			k++
		}
		last, at = v, x
		number[i] = k
	}
	return number
}

// rows makes one side of slots at its own and the other end.
func (l *levels) rows(own, port []int32, ends func(*segment) (int32, int32)) side {
	n := len(l.rank)
	s := side{start: make([]int32, n+1), half: make([]half, len(l.segs)), ports: make([]int32, n), base: make([]int32, n)}
	for i := range l.segs {
		v, _ := ends(&l.segs[i])
		s.start[v+1]++
	}
	for v := range n {
		s.start[v+1] += s.start[v]
	}
	next := append([]int32(nil), s.start[:n]...)
	for i := range l.segs {
		v, w := ends(&l.segs[i])
		s.half[next[v]] = half{to: w, port: port[i], own: own[i], weight: l.segs[i].weight, seg: int32(i)}
		s.ports[v] = max(s.ports[v], own[i]+1)
		next[v]++
	}
	return s
}

// settle takes note of a layer's new order: places, numbers of slots, and that crossings beside it are unknown.
func (l *levels) settle(r int) {
	up, down := int32(0), int32(0)
	for i, v := range l.order[r] {
		l.pos[v] = int32(i)
		l.up.base[v], l.down.base[v] = up, down
		up += l.up.ports[v]
		down += l.down.ports[v]
	}
	l.cross[r] = -1
	if r > 0 {
		l.cross[r-1] = -1
	}
}

// prepare brings the rows of a layer's vertices on one side up to date with the layer there.
func (l *levels) prepare(r int, s, other *side) {
	for _, v := range l.order[r] {
		row := s.of(v)
		for i := range row {
			row[i].key = other.base[row[i].to] + row[i].port
		}
		byKey(row)
		l.spent += int64(len(row))
	}
}

// byKey sorts a row, which is nearly in order most of the time.
func byKey(row []half) {
	if len(row) > 24 {
		slices.SortStableFunc(row, func(a, b half) int { return int(a.key - b.key) })
		return
	}
	for i := 1; i < len(row); i++ {
		for j := i; j > 0 && row[j].key < row[j-1].key; j-- {
			row[j], row[j-1] = row[j-1], row[j]
		}
	}
}
