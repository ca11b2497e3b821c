package layout

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// looseGraph joins nodes by edges anywhere, some to themselves and some twice.
func looseGraph(r *rand.Rand, n, edges int) Graph {
	g := Graph{Nodes: make([]Node, n)}
	for range edges {
		e := Edge{From: r.Int32N(int32(n)), To: r.Int32N(int32(n)), FromX: float64(r.IntN(20) / 19),
			ToX: float64(r.IntN(20) / 19), Weight: r.Int32N(3)}
		g.Edges = append(g.Edges, e)
		if r.IntN(9) == 0 {
			g.Edges = append(g.Edges, e)
		}
	}
	return g
}

// Two nodes and an edge are drawn as they are on the long way.
func TestPair(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	size := func() float64 { return float64(r.IntN(50)) }
	for range 300 {
		g := Graph{Nodes: []Node{{Width: size(), Height: size()}, {Width: size(), Height: size()}}}
		from := r.Int32N(2)
		g.Edges = []Edge{{From: from, To: 1 - from, FromX: size(), ToX: size(), Weight: r.Int32N(3)}}
		var drawn [2]*Layout
		var box [2]Rect
		for i := range drawn {
			drawn[i] = &Layout{Nodes: make([]Rect, 2), Layer: make([]int32, 2), Routes: make([]Route, 1)}
			p := new(scratch).whole(g)
			if i == 0 {
				p.pair(g, Options{}.defaults(), drawn[i])
			} else if err := p.layered(t.Context(), g, Options{}.defaults(), drawn[i]); err != nil {
				t.Fatal(err)
			}
			box[i] = p.box
		}
		if !reflect.DeepEqual(drawn[0], drawn[1]) || box[0] != box[1] {
			t.Fatalf("%+v is drawn\n%+v in %v, and on the long way\n%+v in %v", g, drawn[0], box[0], drawn[1], box[1])
		}
	}
}

// Parts are the pieces that edges join, in the order of their first nodes, with nodes and edges in theirs.
func TestSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for round := range 300 {
		n := 1 + r.IntN(60)
		g := looseGraph(r, n, r.IntN(2*n))
		first := make([]int32, n) // the least node that can be reached, found by telling neighbours
		for v := range first {
			first[v] = int32(v)
		}
		for again := true; again; {
			again = false
			for _, e := range g.Edges {
				if a, b := first[e.From], first[e.To]; a != b {
					first[e.From], first[e.To], again = min(a, b), min(a, b), true
				}
			}
		}
		var node, edge [][]int32
		for v := range int32(n) {
			if first[v] != v {
				continue
			}
			var in, by []int32
			for w := range int32(n) {
				if first[w] == v {
					in = append(in, w)
				}
			}
			for i, e := range g.Edges {
				if first[e.From] == v {
					by = append(by, int32(i))
				}
			}
			node, edge = append(node, in), append(edge, by)
		}
		parts := new(scratch).split(g)
		if len(parts) != len(node) {
			t.Fatalf("round %d: %d parts, want %d", round, len(parts), len(node))
		}
		for i, p := range parts {
			if !slices.Equal(p.node, node[i]) || !slices.Equal(p.edge, edge[i]) {
				t.Fatalf("round %d: part %d has nodes %v and edges %v, want %v and %v", round, i, p.node, p.edge, node[i], edge[i])
			}
			for v, w := range p.node {
				if p.own[w] != int32(v) {
					t.Fatalf("round %d: node %d is vertex %d, want %d", round, w, p.own[w], v)
				}
			}
		}
	}
}

// Arcs form no cycle, those that were reversed would close one, and nodes with several slots are known; constraints are
// theirs in order, with the weight of all between the same two.
func TestTurnAndTies(t *testing.T) {
	r, turned, many := rand.New(rand.NewPCG(4, 3)), 0, 0
	for round := range 300 {
		n := 1 + r.IntN(30)
		g := looseGraph(r, n, r.IntN(2*n))
		p := new(scratch).whole(g)
		p.breakCycles(g)
		reach := make([][]bool, n) // by arcs that were not turned
		for v := range reach {
			reach[v] = make([]bool, n)
			reach[v][v] = true
		}
		for range n {
			for _, a := range p.arcs {
				for v := range reach {
					if !a.back && reach[v][a.lo] {
						reach[v][a.hi] = true
					}
				}
			}
		}
		var manyIn, manyOut bool
		weight := map[[2]int32]int32{}
		for i, a := range p.arcs {
			e := g.Edges[i]
			want := arc{edge: int32(i), lo: e.From, hi: e.To, loX: e.FromX, hiX: e.ToX, weight: max(1, e.Weight),
				times: 1, chain: direct}
			if a.back {
				want.back, want.lo, want.hi, want.loX, want.hiX = true, e.To, e.From, e.ToX, e.FromX
				turned++
			}
			if a != want || a.back && !reach[a.lo][a.hi] || !a.back && reach[a.hi][a.lo] {
				t.Fatalf("round %d: arc %d is %+v of edge %+v", round, i, a, e)
			}
			for _, f := range g.Edges[:i] {
				manyIn, manyOut = manyIn || f.To == e.To && f.ToX != e.ToX, manyOut || f.From == e.From && f.FromX != e.FromX
			}
			if a.lo != a.hi {
				weight[[2]int32{a.lo, a.hi}] += a.weight
			}
		}
		if p.manyIn != manyIn || p.manyOut != manyOut {
			t.Fatalf("round %d: several slots above %v and below %v, want %v and %v", round, p.manyIn,
				p.manyOut, manyIn, manyOut)
		}
		if manyIn != manyOut {
			many++
		}
		var want []constraint
		for at, w := range weight {
			want = append(want, constraint{at[0], at[1], 1, w})
		}
		slices.SortFunc(want, func(a, b constraint) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi)) })
		if got := p.constraints(); !slices.Equal(got, want) {
			t.Fatalf("round %d: constraints %v, want %v", round, got, want)
		}
	}
	if turned < 100 || many < 30 {
		t.Errorf("%d edges were turned and %d graphs have several slots on one side only: the test tests nothing", turned,
			many)
	}
}
