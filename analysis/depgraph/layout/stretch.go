package layout

import (
	"context"
	"math/rand/v2"
	"slices"
)

// stretch looks for layers in which the edges of a small graph cross less often: the shortest edges are not always
// those that cross least, since a node one layer further down may have no edge in its way. It asks of some edges,
// chosen at random, to be longer or no longer so, draws that roughly, and keeps what has fewer crossings, or as many
// with shorter edges. The drawing it was given stays if the best of the others, drawn as thoroughly, does not have
// fewer.
func (p *part) stretch(ctx context.Context, g Graph, o Options, ties []constraint, given *layering) (*layering, error) {
	arcs := slices.Clone(p.arcs)
	random := rand.New(rand.NewPCG(3, 4))
	work := given.share * given.smallness() * min(stretching, stretchingEach*float64(given.nodes+len(given.chain)))
	before := p.arena
	now, err := p.draft(ctx, g, o, ties, given.share*rough)
	if err != nil {
		return nil, err
	}
	deepest := len(now.order) + max(2, len(now.order)/4)
	least, span, spent := now.crossings(), len(now.segs), float64(now.spent)
	p.release(before)
	for left := work - spent; left > 0 && least > 0; {
		more := slices.Clone(ties)
		for range 1 + random.IntN(3) {
			t := &more[random.IntN(len(more))]
			if t.length > 1 {
				t.length = 1
			} else {
				t.length += 1 + random.Int32N(2)
			}
		}
		l, err := p.draft(ctx, g, o, more, given.share*rough)
		if err != nil {
			return nil, err
		}
		left -= float64(l.spent) + 20*float64(len(l.segs))
		if c, s := l.crossings(), len(l.segs); len(l.order) <= deepest && (c < least || c == least && s <= span) {
			least, span, ties = c, s, more
		}
		p.release(before)
	}
	best, err := p.draft(ctx, g, o, ties, given.share)
	if err != nil {
		return nil, err
	}
	if best.crossings() < given.crossings() {
		return best, nil
	}
	p.arcs = arcs
	return given, nil
}

const (
	stretching     = 2_000_000 // work, as in arrange
	stretchingEach = 50_000    // for each node and long edge
	rough          = 0.02      // of the work for a drawing that is kept
)

// draft orders layers of its own.
func (p *part) draft(ctx context.Context, g Graph, o Options, ties []constraint, share float64) (*layering, error) {
	rank, err := p.assignLayers(ctx, ties)
	if err != nil {
		return nil, err
	}
	for i := range p.arcs {
		p.arcs[i].chain = direct
	}
	l := newLayering(p, g, o, rank)
	l.share = share
	return l, l.arrange(ctx, nil)
}
