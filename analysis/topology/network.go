package topology

import "math/bits"

// network is the whole graph of one level, nothing collapsed: the vertices and edges on which cocycles are smoothed.
// Edges are numbered by row of the lower triangle; a value on an edge is meant from its lower to its higher end.
type network struct {
	n, words int
	level    int32
	bits     []uint64 // lower triangle of the adjacency matrix
	before   []int32  // number of edges before each word of bits
	lo, hi   []int32
	part     []int32  // vertex -> its connected component, named by its lowest vertex
	replay   []detour // how to carry a cocycle from the thinned graph to this one, in order
}

// detour says that edge value [at] = sign1*[via1] + sign2*[via2]; all are edge numbers.
type detour struct {
	at, via1, via2 int32
	sign1, sign2   int8
}

// network builds the graph of one level.
func (s *space) network(level int32, log collapses) *network {
	g := &network{n: s.n, words: (s.n + 63) / 64, level: level}
	g.bits = make([]uint64, g.n*g.words)
	g.before = make([]int32, len(g.bits))
	e := 0
	for i := range s.n {
		for j := range i {
			if s.at(e) <= level {
				g.bits[i*g.words+j>>6] |= 1 << (j & 63)
				g.lo, g.hi = append(g.lo, int32(j)), append(g.hi, int32(i))
			}
			e++
		}
	}
	count := 0
	for w, b := range g.bits {
		g.before[w] = int32(count)
		count += bits.OnesCount64(b)
	}
	g.components()
	log.backward(level, func(x collapse) {
		u, v, c := int32(x.u), int32(x.v), int32(x.c) // u > v
		d := detour{at: g.find(v, u), via1: g.find(v, c), via2: g.find(c, u), sign1: 1, sign2: 1}
		if c < v {
			d.sign1 = -1
		}
		if c > u {
			d.sign2 = -1
		}
		g.replay = append(g.replay, d)
	})
	return g
}

// find gives the number of the edge that joins i and j, or -1.
func (g *network) find(i, j int32) int32 {
	if i < j {
		i, j = j, i
	}
	w := int(i)*g.words + int(j>>6)
	if g.bits[w]>>(j&63)&1 == 0 {
		return -1
	}
	return g.before[w] + int32(bits.OnesCount64(g.bits[w]&(1<<(j&63)-1)))
}

// components labels the vertices.
func (g *network) components() {
	g.part = make([]int32, g.n)
	for i := range g.part {
		g.part[i] = int32(i)
	}
	find := func(i int32) int32 {
		for g.part[i] != i {
			g.part[i] = g.part[g.part[i]]
			i = g.part[i]
		}
		return i
	}
	for e := range g.lo {
		a, b := find(g.lo[e]), find(g.hi[e])
		g.part[max(a, b)] = min(a, b)
	}
	for i := range g.part {
		g.part[i] = find(int32(i))
	}
}

// extend carries an integer cocycle of the thinned graph, as values by edge number, to the whole graph. The collapses
// are undone last one first: where edge v-u left because of c, the triangle v c u is there again when the edge comes
// back, and every other triangle on it follows, since c is next to the third vertex.
func (g *network) extend(value []int32) {
	for _, d := range g.replay {
		value[d.at] = int32(d.sign1)*value[d.via1] + int32(d.sign2)*value[d.via2]
	}
}

// maxTriangles bounds the triangles that verify looks at. Beyond it the verified triangles of the thinned complex vouch
// for the rest, by the argument of extend.
const maxTriangles = 2_000_000

// verify sums integer cochains around the triangles of the network, each seen once, from its two higher vertices. It
// gives how many it saw, and which cochain does not close around which points, if any.
func (g *network) verify(cochains ...[]int32) (triangles, which int, bad *[3]int32) {
	m := len(cochains)
	value := make([]int32, len(g.lo)*m) // side by side: one triangle looks at three places for all cochains
	for i, c := range cochains {
		for e, v := range c {
			value[e*m+i] = v
		}
	}
	for e := range g.lo {
		i, j := int(g.hi[e]), int(g.lo[e])
		ce := value[e*m : e*m+m]
		for w := 0; w <= j>>6; w++ {
			ri, rj := i*g.words+w, j*g.words+w
			for both := g.bits[ri] & g.bits[rj]; both != 0; both &= both - 1 {
				below := both&-both - 1
				ki := int(g.before[ri]) + bits.OnesCount64(g.bits[ri]&below)
				kj := int(g.before[rj]) + bits.OnesCount64(g.bits[rj]&below)
				triangles++
				ci, cj := value[ki*m:ki*m+m], value[kj*m:kj*m+m]
				for k, v := range ce {
					if cj[k]+v != ci[k] {
						return triangles, k, &[3]int32{int32(w<<6 + bits.TrailingZeros64(both)), int32(j), int32(i)}
					}
				}
			}
		}
		if triangles > maxTriangles {
			break
		}
	}
	return triangles, 0, nil
}
