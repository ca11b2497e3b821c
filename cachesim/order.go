package cachesim

import (
	"slices"

	"orrery/traceio"
)

// A hit where rows enter leaves no note, for what most rows do must cost next to nothing. Its rank follows from the
// order of the set, and that from the order before the first row and from all rows since: a log keeps the one, and its
// reader makes up the other. So it is with levels below that are small.

// earlier is the sets of a level as they were before a log's first row: all of them, or of a large level those that
// rows come to.
type earlier struct {
	level *level
	cells []cell
	some  bool
	at    []uint64 // of some, by set: which log it was kept for, and below that, in 32 bits, where its cells are
	log   uint64
}

// remember keeps the sets that the block's rows [from, to) come to.
func (l *Log) remember(b *traceio.Block, from, to int) {
	kept := 0
	for _, at := range l.h.levels {
		cells := l.h.cells[at.base:][:(at.mask+1)*at.ways]
		door := slices.Contains(l.h.doorways, at)
		if at.ordered = door || 4*len(cells) <= to-from; !at.ordered {
			continue // it would take longer than telling ranks
		}
		large := len(cells) > 2*(to-from)                   // it takes less to look which sets rows come to
		l.before = slices.Grow(l.before[:kept], 1)[:kept+1] // with the memory of an earlier log
		e := &l.before[kept]
		kept++
		if e.level, e.some = at, large; !large {
			e.cells = append(e.cells[:0], cells...)
			continue
		}
		if len(e.at) != int(at.mask+1) {
			e.at, e.log = make([]uint64, at.mask+1), 0
		}
		e.cells = e.cells[:0]
		e.log++
		for row := from; row < to; row++ {
			if l.h.entries[b.Kind[row]&3].level == at {
				e.touched(cells, uint64(b.Addr[row]), b.Size[row])
			}
		}
	}
	l.before = l.before[:kept]
}

// touched keeps the sets of a reference's blocks, unless they are kept.
func (e *earlier) touched(cells []cell, addr uint64, size uint16) {
	low, high := extent(traceio.Addr(addr), size)
	for line := low >> e.level.bits; ; line++ {
		set := line & e.level.mask
		if at := &e.at[set]; *at>>32 != e.log {
			*at = e.log<<32 | uint64(len(e.cells))
			e.cells = append(e.cells, cells[set*e.level.ways:][:e.level.ways]...)
		}
		if line == high>>e.level.bits {
			return
		}
	}
}

// order is the order of the blocks in the sets of a level, while a log is read: set after set, the words by rank. A set
// that begins with 0 was not looked at yet, or is empty.
type order struct {
	*earlier
	words []uint64
	lru   bool
}

func newOrder(e *earlier) *order {
	return &order{earlier: e, words: make([]uint64, len(e.cells)), lru: e.level.find == plainLRU}
}

// set is the order of the set that a block belongs to.
func (o *order) set(line uint64) []uint64 {
	set := line & o.level.mask
	at := set * o.level.ways
	if o.some {
		at = o.at[set] & (1<<32 - 1)
	}
	words := o.words[at:][:o.level.ways]
	if words[0] == 0 {
		ranked(o.cells[at:][:o.level.ways], words)
	}
	return words
}

// hit tells the rank where a block that is there was, and the one where it then is.
func (o *order) hit(line uint64) (from, to int32) {
	words := o.set(line)
	word := words[0]
	if word>>lineBits == line {
		return 0, 0
	}
	// All before the block go back by one, on the way to it.
	for i := 1; i < len(words); i++ {
		if words[i]>>lineBits == line && words[i] != 0 {
			from = int32(i)
			break
		}
	}
	if !o.lru {
		return from, from
	}
	word = words[from]
	copy(words[1:from+1], words[:from])
	words[0] = word
	return from, 0
}

// enter is a block that was not there.
func (o *order) enter(line uint64) {
	words := o.set(line)
	copy(words[1:], words)
	words[0] = line<<lineBits | validBit
}

// ranked puts the words of a set's cells in order of rank, the empty ones last.
func ranked(cells []cell, words []uint64) {
	var few [32]cell
	order := few[:0]
	for _, c := range cells {
		if c.word != 0 {
			order = append(order, c)
		}
	}
	slices.SortFunc(order, func(a, b cell) int { return int(b.stamp - a.stamp) })
	clear(words)
	for i, c := range order {
		words[i] = c.word
	}
}
