package layout

import (
	"context"
	"math/bits"
	"slices"
)

// kept is the best order found so far.
type savedOrder struct {
	order     [][]int32
	crossings int64
}

func (l *layering) keep(k *savedOrder) {
	k.order = k.order[:0]
	for _, row := range l.order {
		k.order = append(k.order, append([]int32(nil), row...))
	}
	k.crossings = l.crossings()
}

func (l *layering) restore(k *savedOrder) {
	for r, row := range k.order {
		copy(l.order[r], row)
	}
	for r := range l.order {
		l.renumber(r)
	}
}

// improve goes down and up through the layers, sorts each by its neighbours in the one before, exchanges neighbours
// where that saves crossings, and stops when that has not helped for a round or the work is spent; the order it leaves
// is the best it saw.
func (l *layering) barycenterSweeps(ctx context.Context, limit int64) error {
	var best savedOrder
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
func (l *layering) sweep(down, reverse bool) {
	for i := 1; i < len(l.order); i++ {
		if down {
			l.sortLayer(i, true, reverse)
		} else {
			l.sortLayer(len(l.order)-1-i, false, reverse)
		}
	}
}

// sort brings the vertices of a layer into the order of the mean places of what they are joined to on one side; those
// joined to nothing there stay in their places.
func (l *layering) sortLayer(r int, down, reverse bool) {
	near, far := &l.up, &l.down
	if !down {
		near, far = far, near
	}
	row, turn := l.order[r], uint64(0)
	if reverse {
		turn = placeMask
	}
	keyed := l.keyed[:0]
	for i, v := range row {
		sum, weight := uint64(0), uint64(0)
		halves := near.of(v)
		for j := range halves {
			h := &halves[j]
			sum += uint64(far.base[h.to]+h.port) * uint64(h.weight)
			weight += uint64(h.weight)
		}
		l.spent += int64(len(halves))
		if weight > 0 {
			mean := sum * ((1<<32 + weight - 1) / weight) >> (32 - fraction)
			keyed = append(keyed, mean<<24|uint64(i)^turn)
		}
	}
	if slices.IsSorted(keyed) {
		return
	}
	keyed = sortKeys(keyed, l.spare, l.counts)
	l.oldRow = append(l.oldRow[:0], row...)
	next := 0
	for i, v := range l.oldRow {
		if len(near.of(v)) > 0 {
			row[i] = l.oldRow[(keyed[next]^turn)&placeMask]
			next++
		}
	}
	l.renumber(r)
}

// spread sorts numbers that lie all but even: each goes to where it would belong if they did, or near it, and what is
// out of order then is put in.
func sortKeys(a, spare []uint64, counts []int32) []uint64 {
	least, most := a[0], a[0]
	for _, k := range a {
		least, most = min(least, k), max(most, k)
	}
	n := len(a)
	shift := max(0, bits.Len64(most-least)-32)
	scale := uint64(n) << 32 / ((most-least)>>shift + 1)
	at := counts[:n+1]
	clear(at)
	for _, k := range a {
		at[(k-least)>>shift*scale>>32+1]++
	}
	crowded := int32(0)
	for i := range n {
		crowded = max(crowded, at[i+1])
		at[i+1] += at[i]
	}
	sorted := spare[:n]
	for _, k := range a {
		p := &at[(k-least)>>shift*scale>>32]
		sorted[*p] = k
		*p++
	}
	if crowded > 64 {
		slices.Sort(sorted)
	}
	insertionSort(sorted)
	return sorted
}

const (
	placeMask = 1<<24 - 1 // of the place in a layer
	fraction  = 6         // bits
)

func insertionSort(a []uint64) {
	if len(a) == 0 {
		return
	}
	last := a[0] // of those in order
	for i := 1; i < len(a); i++ {
		k := min(last, a[i])
		last = max(last, a[i])
		a[i] = last
		j := i - 1
		for ; j > 0 && a[j-1] > k; j-- {
			a[j] = a[j-1]
		}
		a[j] = k
	}
}

// transpose exchanges neighbours as long as that saves crossings; level exchanges, which cost nothing, are made in the
// first pass when asked for, to leave plateaus.
func (l *layering) transpose(level bool) {
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
			l.sortHalfEdges(r, &l.up, &l.down)
			l.sortHalfEdges(r, &l.down, &l.up)
			moved, gained := false, int64(0)
			for i := 0; i+1 < len(row); i++ {
				g := l.gainOfSwap(row[i], row[i+1])
				if g > 0 || g == 0 && level && pass == 0 {
					row[i], row[i+1] = row[i+1], row[i]
					moved = true
					gained += g
				}
			}
			if !moved {
				continue
			}
			l.renumber(r)
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
