package session

import (
	"cmp"
	"context"
	"slices"

	"orrery/analysis/topology"
	"orrery/traceio"
	"orrery/views/link"
)

// Nearest is the analysis of the stretch nearest to the one that q asks for in which something recurs; nil where
// nothing does in those that are looked at. Stretches are as long as q's and lie within a range, hops apart; beyond the
// nearest four each that is looked at is half as far away again as the one before, so that a recording of any length
// takes some dozens at most.
func (r *Recording) Nearest(ctx context.Context, q CyclesRequest, within link.Range, hop traceio.Seq,
	report func(done, total int64)) (*Cycles, error) {
	room := max(int64(within.To)-int64(q.From)-int64(q.Count), int64(q.From)-int64(within.From)) / int64(hop)
	for far := int64(1); far <= room; far += max(1, far/2) {
		if report != nil {
			report(far, room)
		}
		for _, at := range []int64{int64(q.From) + far*int64(hop), int64(q.From) - far*int64(hop)} {
			if at < int64(within.From) || at+int64(q.Count) > int64(within.To) {
				continue
			}
			there := q
			there.From = traceio.Seq(at)
			if c, err := r.recurring(ctx, there); c != nil || err != nil {
				return c, err
			}
		}
	}
	return nil, nil
}

// MostWhole is how many references are analysed as one at most, and mostWindows how many of their windows may differ:
// those are what an analysis takes time and memory for.
const (
	MostWhole   = 1 << 16
	mostWindows = 3000
)

// Whole is the analysis of a long range as one, by q's alphabet, where something recurs in it: rounds that are longer
// than q's stretch. Nil where nothing does, or where that would take long.
func (r *Recording) Whole(ctx context.Context, q CyclesRequest, within link.Range) (*Cycles, error) {
	if within.To-within.From > MostWhole*traceio.Seq(max(1, q.Every)) {
		return nil, nil
	}
	q.From, q.Count = within.From, int(within.To-within.From)
	symbols, _, _, err := r.symbols(ctx, q)
	if err != nil {
		return nil, err
	}
	if differ(symbols, cmp.Or(q.Options.Window, topology.DefaultWindow)) > mostWindows {
		return nil, nil
	}
	return r.recurring(ctx, q)
}

// differ counts the windows that differ, about: by hash.
func differ(symbols []uint32, window int) int {
	seen := map[uint64]struct{}{}
	for i := window; i <= len(symbols); i++ {
		h := uint64(14695981039346656037) // FNV-1a, a symbol at a time
		for _, s := range symbols[i-window : i] {
			h = (h ^ uint64(s)) * 1099511628211
		}
		seen[h] = struct{}{}
	}
	return len(seen)
}

// Otherwise is the analysis of what q asks for by another alphabet in which something recurs: by source line where
// lines are known, else by instruction. Nil where nothing does.
func (r *Recording) Otherwise(ctx context.Context, q CyclesRequest) (*Cycles, error) {
	for _, kind := range []topology.AlphabetKind{topology.ByLine, topology.ByPC} {
		if kind == topology.ByLine && !r.knowsLines() || kind == q.Alphabet.Kind {
			continue
		}
		other := q
		other.Alphabet = topology.Alphabet{Kind: kind}
		if c, err := r.recurring(ctx, other); c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

func (r *Recording) knowsLines() bool {
	for i := range r.Lines.Len() {
		if r.Lines.At(int32(i)).Line > 0 {
			return true
		}
	}
	return false
}

// round is how many turns something has that is worth to be shown unasked.
const round = 3

// recurring is an analysis in which something recurs; nil when nothing does, or there are too few references.
func (r *Recording) recurring(ctx context.Context, q CyclesRequest) (*Cycles, error) {
	if symbols, _, _, err := r.symbols(ctx, q); err == nil && 10*differ(symbols, 1) > 9*len(symbols) {
		// of what comes for the first and last time nothing recurs, and it takes an analysis longest to find that out
		return nil, nil
	}
	c, err := r.FindCycles(ctx, q, nil)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, nil // of a stretch that cannot be analysed nothing is said: it is not the one that was asked for
	}
	if c.Recurring() < 0 {
		return nil, nil
	}
	return c, nil
}

// Recurring is the index of the first parameterization that recurs more than once or twice, -1 for none.
func (c *Cycles) Recurring() int {
	return slices.IndexFunc(c.Parameterizations, func(p topology.Parameterization) bool {
		return Recurs(&p) && p.Turns >= round
	})
}
