package layout

import (
	"context"
	"slices"
	"sort"
)

// uncross removes crossings that no drawing needs: two long edges that cross twice, or once although they leave or
// enter the same slot, exchange their dummies between the two places. All other lines stay, so these two have one or
// two crossings fewer and no other edge has more. Moves within single layers do not find these.
//
//	a   b        a   b
//	 \ /         |   |
//	 / \         |   |
//	b   a   ->   a   b
//	 \ /         |   |
//	 / \         |   |
//	a   b        a   b
func (l *layering) uncross(ctx context.Context) error {
	for len(l.chains) > 1 && l.crossings() < mostUncrossed {
		found, err := l.uncrossOnce(ctx)
		if err != nil || !found {
			return err
		}
	}
	return nil
}

// mostUncrossed bounds the crossings that are remembered, at about 50 MB.
const mostUncrossed = 1 << 20

// innerSegment is a segment of a chain between two layers.
type innerSegment struct{ top, bottom, chain int32 }

// innerSegments are those below each layer. Of back edges only those between the hooks count.
func (l *layering) innerSegments() [][]innerSegment {
	all := make([][]innerSegment, len(l.order))
	for i := range l.segments {
		s := &l.segments[i]
		bend := max(s.top, s.bottom)
		if int(bend) < l.nodes {
			continue
		}
		c := l.chainOf[int(bend)-l.nodes]
		if !l.chains[c].back || int(min(s.top, s.bottom)) >= l.nodes {
			r := l.rank[s.top]
			all[r] = append(all[r], innerSegment{s.top, s.bottom, c})
		}
	}
	return all
}

// uncrossOnce goes through the layers once and reports whether it exchanged anything. The sorted lists grow stale as
// dummies are exchanged, so it may miss some crossings, but checks those it finds.
func (l *layering) uncrossOnce(ctx context.Context) (bool, error) {
	last := map[uint64]int32{}
	found := false
	var open []innerSegment // those seen, sorted by their lower ends
	for r, row := range l.innerSegments() {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		slices.SortFunc(row, func(a, b innerSegment) int {
			if d := l.pos[a.top] - l.pos[b.top]; d != 0 {
				return int(d)
			}
			return int(l.pos[a.bottom] - l.pos[b.bottom])
		})
		open = open[:0]
		for _, s := range row {
			at := sort.Search(len(open), func(i int) bool { return l.pos[open[i].bottom] > l.pos[s.bottom] })
			l.spent += int64(len(open) - at)
			for _, t := range open[at:] {
				if l.crossing(t.chain, s.chain, int32(r)) && l.untangle(t.chain, s.chain, int32(r), last) {
					found = true
				}
			}
			open = slices.Insert(open, at, s)
		}
	}
	for r := range l.order {
		l.renumber(r)
	}
	return found, nil
}

// untangle exchanges two chains that cross below layer r if they need not.
func (l *layering) untangle(a, b, r int32, last map[uint64]int32) bool {
	p, q := &l.chains[a], &l.chains[b]
	if p.weight != q.weight {
		return false
	}
	key := uint64(min(a, b))<<32 | uint64(max(a, b))
	before, twice := last[key]
	switch {
	case twice && before < r && l.crossing(a, b, before):
		l.swap(a, b, before+1, r)
	case p.meetsAbove(q):
		l.swap(a, b, l.rank[p.first], r)
	case p.meetsBelow(q):
		l.swap(a, b, r+1, l.rank[p.first]+p.count-1)
	default:
		last[key] = r
		return false
	}
	delete(last, key)
	return true
}

// meetsAbove and meetsBelow say whether two chains of one edge each, both downwards, start or end at the same slot.
func (p *chain) meetsAbove(q *chain) bool {
	return p.weight == 1 && !p.back && !q.back && p.lo == q.lo && p.loX == q.loX
}

func (p *chain) meetsBelow(q *chain) bool {
	return p.weight == 1 && !p.back && !q.back && p.hi == q.hi && p.hiX == q.hiX
}

// at is the position of a chain, or of the node at its end, in layer r.
func (l *layering) at(p *chain, r int32) int32 {
	switch i := r - l.rank[p.first]; {
	case i < 0:
		return l.pos[p.lo]
	case i >= p.count:
		return l.pos[p.hi]
	default:
		return l.pos[p.first+i]
	}
}

// crossing reports whether two chains that both run from layer r to the next cross there.
func (l *layering) crossing(a, b, r int32) bool {
	p, q := &l.chains[a], &l.chains[b]
	return int64(l.at(p, r)-l.at(q, r))*int64(l.at(p, r+1)-l.at(q, r+1)) < 0
}

// swap exchanges the dummies of two chains in some layers.
func (l *layering) swap(a, b, from, to int32) {
	p, q := &l.chains[a], &l.chains[b]
	for r := from; r <= to; r++ {
		v, w := p.first+r-l.rank[p.first], q.first+r-l.rank[q.first]
		i, j := l.pos[v], l.pos[w]
		l.pos[v], l.pos[w] = j, i
		l.order[r][i], l.order[r][j] = w, v
	}
}
