package layout

import (
	"context"
	"math"
	"slices"
)

// kept is the best order found so far.
type kept struct {
	order     [][]int32
	crossings int64
}

func (l *levels) keep(k *kept) {
	k.order = k.order[:0]
	for _, row := range l.order {
		k.order = append(k.order, append([]int32(nil), row...))
	}
	k.crossings = l.crossings()
}

func (l *levels) restore(k *kept) {
	for r, row := range k.order {
		copy(l.order[r], row)
	}
	for r := range l.order {
		l.settle(r)
	}
}

// measure is what a vertex is sorted by: the median of its neighbours' places or their mean.
type measure uint8

const (
	median measure = iota
	mean
)

// improve goes down and up through the layers, sorts each by its neighbours in the one before, exchanges neighbours where that
// saves crossings, and stops when that has not helped for some rounds or the work is spent; the order it leaves is the best it saw.
func (l *levels) improve(ctx context.Context, by measure, quiet int, limit int64) error {
	var best kept
	l.keep(&best)
	for round, still := 0, 0; still < quiet && best.crossings > 0 && (round < 2 || l.spent < limit); round++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.sweep(round%2 == 0, by, round%4 >= 2)
		l.transpose(round%4 < 2)
		still++
		if c := l.crossings(); c < best.crossings {
			if float64(c) < 0.995*float64(best.crossings) {
				still = 0
			}
			l.keep(&best)
		}
	}
	l.restore(&best)
	return nil
}

// sweep sorts layer after layer; reverse says that of vertices with equal measures the later goes first.
func (l *levels) sweep(down bool, by measure, reverse bool) {
	for i := 1; i < len(l.order); i++ {
		if down {
			l.prepare(i, &l.up, &l.down)
			l.sort(i, &l.up, by, reverse)
		} else {
			r := len(l.order) - 1 - i
			l.prepare(r, &l.down, &l.up)
			l.sort(r, &l.down, by, reverse)
		}
	}
}

// sort brings the vertices of a layer into the order of their measures; those without neighbours on that side stay in their places.
func (l *levels) sort(r int, s *side, by measure, reverse bool) {
	row := l.order[r]
	l.keyed = l.keyed[:0]
	for i, v := range row {
		h := s.of(v)
		if len(h) == 0 {
			continue
		}
		m := middle(h)
		if by == mean {
			m = average(h)
		}
		tie := uint64(i)
		if reverse {
			tie = uint64(len(row) - 1 - i)
		}
		l.keyed = append(l.keyed, uint64(m*64)<<24|tie)
	}
	if slices.IsSorted(l.keyed) && !reverse {
		return
	}
	slices.Sort(l.keyed)
	old := slices.Clone(row)
	next := 0
	for i, v := range old {
		if s.start[v] == s.start[v+1] {
			continue
		}
		tie := int(l.keyed[next] & (1<<24 - 1))
		if reverse {
			tie = len(row) - 1 - tie
		}
		row[i] = old[tie]
		next++
	}
	l.settle(r)
}

// middle is the weighted median of a prepared row (Gansner and others, 1993, section 3): between two middle neighbours nearer to
// the side where the others lie closer together.
func middle(h []half) float64 {
	n := len(h)
	m := n / 2
	switch {
	case n%2 == 1:
		return float64(h[m].key)
	case n == 2:
		return float64(h[0].key+h[1].key) / 2
	}
	left, right := float64(h[m-1].key-h[0].key), float64(h[n-1].key-h[m].key)
	if left+right == 0 {
		return float64(h[m].key)
	}
	return (float64(h[m-1].key)*right + float64(h[m].key)*left) / (left + right)
}

// average is the mean place of a row.
func average(h []half) float64 {
	sum, weight := 0.0, 0.0
	for i := range h {
		sum += float64(h[i].key) * float64(h[i].weight)
		weight += float64(h[i].weight)
	}
	return sum / math.Max(weight, 1)
}

// transpose exchanges neighbours as long as that saves crossings; level exchanges, which cost nothing, are made in the first
// pass when asked for, to leave plateaus.
func (l *levels) transpose(level bool) {
	changed := make([]bool, len(l.order))
	for r := range changed {
		changed[r] = true
	}
	for pass, any := 0, true; any && pass < 40; pass++ {
		any = false
		for r, row := range l.order {
			if !changed[r] {
				continue
			}
			changed[r] = false
			l.prepare(r, &l.up, &l.down)
			l.prepare(r, &l.down, &l.up)
			moved, gained := false, int64(0)
			for i := 0; i+1 < len(row); i++ {
				g := l.exchange(row[i], row[i+1])
				if g > 0 || g == 0 && level && pass == 0 {
					row[i], row[i+1] = row[i+1], row[i]
					moved = true
					gained += g
				}
			}
			if !moved {
				continue
			}
			l.settle(r)
			if gained > 0 {
				any = true
				changed[r] = true
				if r > 0 {
					changed[r-1] = true
				}
				if r+1 < len(l.order) {
					changed[r+1] = true
				}
			}
		}
	}
}
