package layout

import (
	"context"
	"math/rand/v2"
	"slices"
)

// stretch looks for layers in which the edges of a small graph cross less often. The shortest edges are not always
// those that cross least: one layer further down a node may have no edge in its way. It lengthens some constraints at
// random, or shortens such as it lengthened, orders the layers roughly, and keeps what has fewer crossings, or as many
// with shorter edges. The best is then ordered as thoroughly as the layering it was given, which stays if it has no
// more crossings.
func (p *part) stretch(
	ctx context.Context, g Graph, o Options, constraints []constraint, given *layering,
) (*layering, error) {
	arcs := slices.Clone(p.arcs)
	random := rand.New(rand.NewPCG(3, 4))
	work := given.share * given.smallness() * min(stretching, stretchingEach*float64(given.nodes+len(given.chains)))
	before := p.arena
	now, err := p.draft(ctx, g, o, constraints, given.share*rough)
	if err != nil {
		return nil, err
	}
	deepest := len(now.order) + max(2, len(now.order)/4)
	least, span, spent := now.crossings(), len(now.segments), float64(now.spent)
	p.release(before)
	for left := work - spent; left > 0 && least > 0; {
		more := slices.Clone(constraints)
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
		left -= float64(l.spent) + 20*float64(len(l.segments))
		if c, s := l.crossings(), len(l.segments); len(l.order) <= deepest && (c < least || c == least && s <= span) {
			least, span, constraints = c, s, more
		}
		p.release(before)
	}
	best, err := p.draft(ctx, g, o, constraints, given.share)
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

// draft makes a layering of its own for these constraints and orders it with a share of the usual work.
func (p *part) draft(
	ctx context.Context, g Graph, o Options, constraints []constraint, share float64,
) (*layering, error) {
	rank, err := p.assignLayers(ctx, constraints)
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
