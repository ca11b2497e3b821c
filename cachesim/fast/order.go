package fast

import (
	"slices"

	"orrery/cachesim"
	"orrery/traceio"
)

// A row that the access path decides leaves no note, for what most rows do must cost next to nothing. Its rank follows
// from the order of the set, and that from the order before the first row and from all rows since: a Log keeps the one,
// and its reader works out the other. So it is with levels below that are small.

// earlier is the tags of a level as they were before a Log's first row: all of them, or of a large level those of the
// sets that rows come to.
type earlier struct {
	level *level
	tags  []tag
	some  bool
	at    []uint64 // of some, by set: which Log it was kept for, and below that, in 32 bits, where its tags are
	log   uint64
}

// keepOrder keeps the sets that the rows come to.
func (log *Log) keepOrder() {
	h, rows := log.h, log.to-log.from
	for _, l := range h.levels {
		tags := h.tags[l.base:][:(l.mask+1)*l.ways]
		enters := slices.Contains(h.first, l)
		if l.ordered = enters || 4*len(tags) <= rows; !l.ordered {
			continue // it would take longer than ranks in the notes
		}
		n := len(log.before)
		log.before = slices.Grow(log.before, 1)[:n+1] // with the memory of an earlier Log
		e := &log.before[n]
		// Where the level is large it takes less to look which sets rows come to.
		if e.level, e.some = l, enters && len(tags) > 2*rows; !e.some {
			e.tags = append(e.tags[:0], tags...)
			continue
		}
		if len(e.at) != int(l.mask+1) {
			e.at, e.log = make([]uint64, l.mask+1), 0
		}
		e.tags = e.tags[:0]
		e.log++
		for row := log.from; row < log.to; row++ {
			if h.entry[log.block.Kind[row]&3] == l {
				e.keep(tags, log.block.Addr[row], log.block.Size[row])
			}
		}
	}
}

// keep keeps the sets of a reference's blocks, unless they are kept.
func (e *earlier) keep(tags []tag, addr traceio.Addr, size uint16) {
	low, high := cachesim.Extent(addr, size)
	for line := low >> e.level.bits; ; line++ {
		set := line & e.level.mask
		if at := &e.at[set]; *at>>32 != e.log {
			*at = e.log<<32 | uint64(len(e.tags))
			n := e.level.ways
			e.tags = append(e.tags, tags[set*n:][:n]...)
		}
		if line == high>>e.level.bits {
			return
		}
	}
}

// order is the order of the blocks in the sets of a level, while a Log is read: set after set, the words by rank. A set
// that begins with 0 was not looked at yet, or is empty.
type order struct {
	*earlier
	words []uint64
}

func newOrder(e *earlier) *order {
	return &order{earlier: e, words: make([]uint64, len(e.tags))}
}

// set is the order of the set that a block belongs to.
func (o *order) set(line uint64) []uint64 {
	set, ways := line&o.level.mask, o.level.ways
	at := set * ways
	if o.some {
		at = o.at[set] & (1<<32 - 1)
	}
	words := o.words[at:][:ways]
	if words[0] == 0 {
		rankedWords(o.tags[at:][:ways], words)
	}
	return words
}

// hit tells the rank where a block that is there was, the one where it then is, and whether it is dirty now.
func (o *order) hit(line uint64, store bool) (from, to int32, dirty bool) {
	words := o.set(line)
	at := 0
	for words[at]>>lineBits != line {
		at++
	}
	if store {
		words[at] |= dirtyBit
	}
	word := words[at]
	if at == 0 || o.level.fifo {
		return int32(at), int32(at), word&dirtyBit != 0
	}
	copy(words[1:at+1], words[:at]) // all before the block go back by one
	words[0] = word
	return int32(at), 0, word&dirtyBit != 0
}

// enter is a block that was not there.
func (o *order) enter(line uint64, store bool) {
	words := o.set(line)
	copy(words[1:], words)
	if words[0] = line<<lineBits | validBit; store {
		words[0] |= dirtyBit
	}
}
