package cachesim

import "math/bits"

// Of a narrow set, comparing the stamps of all blocks to find the oldest takes longer than all else about a miss, and
// what the miss writes, and where, is known only then. So the order of the blocks is kept as a ring, which tells the
// oldest at once:
//
//	ring   2 0 3 1        the block at 2 leaves and the new one takes its place: it is the youngest
//	ring   0 3 1 2
//
// A hit changes no ring. Instead, the stamp of a block that came by a miss has a mark, which the stamp of a hit does
// not have. A marked block was not asked for since, and all behind it came later or were found later; so if it is the
// first, it is the oldest. If the first one is not marked, then the ring is made anew from the stamps, and all are
// marked: that is seldom where misses are many.

// marked is the bit of such a stamp; a tick of the clock leaves room for it.
const marked = 1

// ringed tells whether the sets of a level have rings: for each way how many bytes its cell is behind the first one,
// again and again, in the eight bytes of a word, the first in the lowest byte. 0 is a ring that nobody made. Of two
// blocks the older one is told faster.
func (l *level) ringed() bool { return l.find == plainLRU && (l.ways == 4 || l.ways == 8) }

// inTurn is the index of the oldest cell of a set, which is then the last of the ring.
func inTurn(ring *uint64, set []cell) (at uint64) {
	r := *ring
	if set[r/cellBytes%tick].stamp&marked == 0 {
		r = ringOf(set)
	}
	*ring = bits.RotateLeft64(r, -8)
	return r / cellBytes % tick
}

// ringOf makes the ring of a set and marks all in it. Places without a block, whose stamps are 0, come first, in order.
func ringOf(set []cell) (ring uint64) {
	var order [8]uint64 // stamps with their indices
	n := 0
	for i := range set {
		set[i].stamp |= marked
		stamp := set[i].stamp - marked + uint64(i)
		k := n
		for ; k > 0 && order[k-1] > stamp; k-- {
			order[k] = order[k-1]
		}
		order[k] = stamp
		n++
	}
	for i := range 8 {
		ring |= order[i%n] % tick * cellBytes << (8 * i)
	}
	return ring
}

// rings4 are the rings of sets of four by which stamps are less than one before them in the set: a bit for each two,
// those with the first cell the highest.
var rings4 = func() (rings [64]uint64) {
	for a := range uint64(256) { // stamps of up to 4, and all that differ are among them
		set := []cell{{stamp: a % 4 * tick}, {stamp: a / 4 % 4 * tick}, {stamp: a / 16 % 4 * tick}, {stamp: a / 64 * tick}}
		key := uint64(0)
		for i := range set {
			for j := i + 1; j < len(set); j++ {
				key = key<<1 | (set[j].stamp-set[i].stamp)>>63
			}
		}
		rings[key] = ringOf(set)
	}
	return rings
}()
