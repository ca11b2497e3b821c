package heap

import (
	"math/bits"

	"orrery/traceio"
)

// live is the set of blocks that are allocated at one moment of the log, by address. Beside a map from a block's beginning
// to its number it keeps the beginnings in a trie of 64-bit words (six bits of the address to a level), so that the nearest
// block at or below an address is found in a few steps, mostly in the first word.
type live struct {
	last   map[traceio.Addr]int32 // the block that stands, or stood last, at an address: n, or ^n once it is gone
	n      int                    // live ones
	shift  uint                   // bits that all addresses have as zero: alignment
	levels []map[uint64]uint64
}

// newLive makes a set for addresses whose bitwise or is given.
func newLive(all traceio.Addr) *live {
	l := &live{last: map[traceio.Addr]int32{}, shift: alignment(all)}
	for used := uint(0); used < 64-l.shift; used += 6 {
		l.levels = append(l.levels, map[uint64]uint64{})
	}
	return l
}

// at is the block that stands at a.
func (l *live) at(a traceio.Addr) (id int32, ok bool) {
	id, ok = l.last[a]
	return id, ok && id >= 0
}

// before is the block that stood at a last and is gone.
func (l *live) before(a traceio.Addr) (id int32, ok bool) {
	id, ok = l.last[a]
	return ^id, ok && id < 0
}

func (l *live) insert(a traceio.Addr, id int32) {
	l.last[a] = id
	l.n++
	key := uint64(a) >> l.shift
	for _, level := range l.levels {
		w := level[key>>6]
		level[key>>6] = w | 1<<(key&63)
		if w != 0 {
			return // the levels above know of this word already
		}
		key >>= 6
	}
}

func (l *live) remove(a traceio.Addr) {
	l.last[a] = ^l.last[a]
	l.n--
	key := uint64(a) >> l.shift
	for _, level := range l.levels {
		w := level[key>>6] &^ (1 << (key & 63))
		if w != 0 {
			level[key>>6] = w
			return
		}
		delete(level, key>>6)
		key >>= 6
	}
}

// below finds the block that begins nearest to a, at or below it.
func (l *live) below(a traceio.Addr) (id int32, ok bool) {
	key := uint64(a) >> l.shift
	for i, level := range l.levels {
		// At the first level a itself counts; above it, only words before a's, which have been searched.
		w := level[key>>6] & (1<<(key&63) - 1)
		if i == 0 {
			w |= level[key>>6] & (1 << (key & 63))
		}
		if w == 0 {
			key >>= 6
			continue
		}
		key = key&^63 | uint64(63-bits.LeadingZeros64(w))
		for i--; i >= 0; i-- {
			key = key<<6 | uint64(63-bits.LeadingZeros64(l.levels[i][key]))
		}
		return l.last[traceio.Addr(key<<l.shift)], true
	}
	return 0, false
}
