package layout

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// Each vertex has, on either side, the segments that end there in their order, from as many slots as there are
// different ones, and between two bends a segment weighs as much as the edges that share them.
func TestLevelsJoinWhatEdgesJoin(t *testing.T) {
	r, shared, many := rand.New(rand.NewPCG(5, 9)), 0, 0
	for round := range 200 {
		g := randomGraph(r, 2+r.IntN(40))
		for i := range g.Edges {
			g.Edges[i].times = r.Int32N(3)
			if round%2 == 0 {
				g.Edges[i].FromX, g.Edges[i].ToX = 1, 2
			}
		}
		for range r.IntN(20) {
			e := g.Edges[r.IntN(len(g.Edges))]
			g.Edges = append(g.Edges, e)
		}
		p := new(scratch).split(g)[0]
		p.breakCycles(g)
		rank, err := p.assignLayers(context.Background(), p.constraints())
		if err != nil {
			t.Fatal(err)
		}
		l := newLayering(p, g, Options{Long: r.IntN(9)}.defaults(), rank)
		through := make([]int32, len(l.chains))
		for i := range p.arcs {
			if c := p.arcs[i].chain; c >= 0 {
				through[c] += p.arcs[i].times
				if l.chains[c].weight != p.arcs[i].times {
					shared++
				}
			}
		}
		for i := range l.segments {
			s := &l.segments[i]
			if l.rank[s.bottom]-l.rank[s.top] != 1 {
				t.Fatalf("round %d: segment %d leads from layer %d to %d", round, i, l.rank[s.top], l.rank[s.bottom])
			}
			if bend := min(s.top, s.bottom); int(bend) >= l.nodes && s.weight != through[l.chainOf[int(bend)-l.nodes]] {
				t.Fatalf("round %d: segment %d weighs %d, want %d", round, i, s.weight, through[l.chainOf[int(bend)-l.nodes]])
			}
		}
		for v := range int32(len(l.rank)) {
			for _, s := range [2]*side{&l.up, &l.down} {
				seg, slots := l.slowRow(s, v)
				many += max(0, slots-1)
				var got []int32
				for _, h := range s.of(v) {
					if x := l.segments[h.seg]; h.to != x.top+x.bottom-v || h.weight != x.weight {
						t.Fatalf("round %d: vertex %d has %+v for segment %+v", round, v, h, x)
					}
					got = append(got, h.seg)
				}
				if !slices.Equal(got, seg) || int(s.ports[v]) != slots {
					t.Fatalf("round %d: vertex %d has segments %v at %d slots, want %v at %d", round, v, got, s.ports[v], seg, slots)
				}
			}
		}
	}
	if shared < 100 || many < 100 {
		t.Errorf("%d edges share bends and there are %d slots more than one: the test tests nothing", shared, many)
	}
}

// slowRow looks through all segments for those of a vertex on one side, and says at how many slots they are.
func (l *layering) slowRow(s *side, v int32) (seg []int32, slots int) {
	var at []float64
	for i, x := range l.segments {
		switch {
		case s == &l.up && x.bottom == v:
			seg, at = append(seg, int32(i)), append(at, x.bottomX)
		case s == &l.down && x.top == v:
			seg, at = append(seg, int32(i)), append(at, x.topX)
		}
	}
	slices.Sort(at)
	return seg, len(slices.Compact(at))
}
