package layout

import (
	"context"
	"math/bits"
	"slices"
)

// savedOrder is the best order found so far.
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

// barycenterSweeps orders the layers after Gansner and others (1993, section 3): down and up through the layers, each
// sorted by the barycenters of its vertices in the one before, with neighbours exchanged where that saves crossings. It
// ends when a round saves less than one crossing in two hundred or the work is spent, with the best order seen.
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

// sweep sorts layer after layer. With reverse, of vertices with equal barycenters the later goes first.
func (l *layering) sweep(down, reverse bool) {
	for i := 1; i < len(l.order); i++ {
		if down {
			l.sortLayer(i, true, reverse)
		} else {
			l.sortLayer(len(l.order)-1-i, false, reverse)
		}
	}
}

// sortLayer sorts the vertices of a layer by the mean slot number of their neighbours on one side, in fixed point;
// vertices without neighbours there stay in their places.
func (l *layering) sortLayer(r int, down, reverse bool) {
	near, far := &l.up, &l.down
	if !down {
		near, far = far, near
	}
	row, flip := l.order[r], uint64(0)
	if reverse {
		flip = placeMask
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
			keyed = append(keyed, mean<<24|uint64(i)^flip)
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
			row[i] = l.oldRow[(keyed[next]^flip)&placeMask]
			next++
		}
	}
	l.renumber(r)
}

// sortKeys sorts numbers that are spread nearly evenly: each goes to the bucket it would be in if they were, and
// insertion puts the rest in order. With more than 64 in a bucket it falls back on slices.Sort.
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
	placeMask = 1<<24 - 1 // bits of a place in a layer
	fraction  = 6         // bits after the point of a barycenter
)

// insertionSort sorts numbers that are nearly in order. The first comparison is a min and a max: most end there, which
// a branch could not predict.
func insertionSort(a []uint64) {
	if len(a) == 0 {
		return
	}
	last := a[0] // the largest so far
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

// transpose exchanges neighbours as long as that saves crossings (Gansner and others, 1993, section 3). With level,
// exchanges that neither save nor cost are made in the first pass, to leave plateaus.
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
