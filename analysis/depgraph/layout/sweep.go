package layout

import (
	"context"
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

// improve goes down and up through the layers, sorts each by its neighbours in the one before, exchanges neighbours where that
// saves crossings, and stops when that has not helped for a round or the work is spent; the order it leaves is the best it saw.
func (l *levels) improve(ctx context.Context, limit int64) error {
	var best kept
	l.keep(&best)
	for round, better := 0, true; better && best.crossings > 0 && (round < 2 || l.spent < limit); round++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.sweep(round%2 == 0, round%4 >= 2)
		l.transpose(round%4 < 2)
		better = false
		if c := l.crossings(); c < best.crossings {
			better = float64(c) < 0.995*float64(best.crossings)
			l.keep(&best)
		}
	}
	l.restore(&best)
	return nil
}

// sweep sorts layer after layer; reverse says that of vertices with equal means the later goes first.
func (l *levels) sweep(down, reverse bool) {
	for i := 1; i < len(l.order); i++ {
		if down {
			l.sort(i, &l.up, &l.down, reverse)
		} else {
			l.sort(len(l.order)-1-i, &l.down, &l.up, reverse)
		}
	}
}

// sort brings the vertices of a layer into the order of the mean places of what they are joined to on one side; those joined to
// nothing there stay in their places.
func (l *levels) sort(r int, s, other *side, reverse bool) {
	row := l.order[r]
	keyed, turn := l.keyed[:0], uint64(0)
	if reverse {
		turn = placeMask
	}
	for i, v := range row {
		halves := s.of(v)
		if len(halves) == 0 {
			continue
		}
		h := &halves[0]
		mean := uint64(other.base[h.to]+h.port) << fraction
		if len(halves) > 1 {
			sum, weight := uint64(0), uint64(0)
			for j := range halves {
				h := &halves[j]
				sum += uint64(other.base[h.to]+h.port) * uint64(h.weight)
				weight += uint64(h.weight)
			}
			mean = sum << fraction / weight
		}
		keyed = append(keyed, mean<<24|uint64(i)^turn)
	}
	l.keyed = keyed
	if !inOrder(keyed) {
		return
	}
	l.old = append(l.old[:0], row...)
	next := 0
	for i, v := range l.old {
		if s.start[v] != s.start[v+1] {
			row[i] = l.old[(keyed[next]^turn)&placeMask]
			next++
		}
	}
	l.settle(r)
}

const (
	placeMask = 1<<24 - 1 // of the place in a layer
	fraction  = 6         // bits
)

// inOrder sorts numbers that are all different and says whether that changed anything. Few, or such as are nearly in order, are put in one by one.
func inOrder(a []uint64) bool {
	if len(a) > 64 {
		if slices.IsSorted(a) {
			return false
		}
		slices.Sort(a)
		return true
	}
	changed := false
	for i := 1; i < len(a); i++ {
		k, j := a[i], i
		for ; j > 0 && a[j-1] > k; j-- {
			a[j] = a[j-1]
		}
		a[j] = k
		changed = changed || j < i
	}
	return changed
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
