package cachesim

import (
	"slices"
	"unsafe"
)

// How a plain level finds a block. A block keeps its place as long as it stays. Beside the word at each place there is
// a stamp: what the clock showed when the block was asked for last (LRU) or entered (FIFO), 0 where there is none. So a
// hit changes nothing but its stamp, whatever its rank, and the order of eviction is that of the stamps.
//
// A hint tells where a block may be. Blocks with the same lower bits of their numbers (at least those that name the
// set) share one; it is the place of that one of them which was asked for last.
//
//	block number ──lower bits──▶ hints ──place──▶ word   A C . B      the word at the place tells if it is that block
//	                                              stamp  5 9 0 7      B's rank is 1, A leaves next
//
// Under LRU, a hint to a block that it does not stand for tells that no block that it stands for is there: the one
// asked for last would have left last. Only where two blocks share a hint does the set have to be searched, and after a
// state came from elsewhere, because hints are not part of it.

// ground is the state of all plain levels of a hierarchy, and the hints to it. Place 0 belongs to none of them, and
// hint 0 leads to it.
type ground struct {
	cells []cell
	hints []uint32 // places: how many bytes are before them
	clock *uint64  // no stamp is higher
}

// A tick of the clock leaves room in a stamp for the index of a cell among eight, or for marked.
const tick = 8

type cell struct{ word, stamp uint64 }

const cellBytes = 16

// cellsIn is the cells whose words and stamps these are.
func cellsIn(words []uint64) []cell {
	return unsafe.Slice((*cell)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*8/cellBytes)
}

// bare is where cells and hints begin. It reads them without asking whether there are so many: places and numbers of
// hints come from the levels' layout, and from hints, only.
type bare struct{ cells, hints unsafe.Pointer }

func (g *ground) bare() bare {
	return bare{unsafe.Pointer(unsafe.SliceData(g.cells)), unsafe.Pointer(unsafe.SliceData(g.hints))}
}

func (b bare) at(place uint64) *cell {
	return (*cell)(unsafe.Add(b.cells, place*cellBytes))
}

// hinted is the cell that hint i tells of.
func (b bare) hinted(i uint64) *cell {
	return (*cell)(unsafe.Add(b.cells, *b.hint(i)))
}

func (b bare) hint(i uint64) *uint32 {
	return (*uint32)(unsafe.Add(b.hints, i*uint64(unsafe.Sizeof(uint32(0)))))
}

// hint is where the hint for a block number is.
func (l *level) hint(line uint64) uint64 { return line&l.hintMask<<(l.pair&1) + l.hintBase }

// places are the first place of a block's set and the one behind its last.
func (l *level) places(line uint64) (from, to uint64) {
	from = l.base + (line&l.mask)*l.ways
	return from, from + l.ways
}

// look asks a plain level for a block at the time now. key is the block's word with both state bits set, dirty the bit
// to add. It gives the rank where the block was, or merely 0 unless h.ranking, and its word as it is now; or -1 and the
// word that had to leave, 0 when the set was not full.
func (h *Hierarchy) look(l *level, key, dirty, now uint64) (rank int, word uint64) {
	line := key >> lineBits
	hint := &h.hints[l.hint(line)]
	place := uint64(*hint / cellBytes)
	if word = h.cells[place].word; word|dirtyBit != key {
		place = 0
		if !l.hinted || (word^key)>>lineBits&l.hintMask == 0 {
			place = h.search(l, key)
		}
		if place == 0 {
			place, word = h.admit(l, key&^dirtyBit|dirty, now)
			*hint = uint32(cellBytes * place)
			return -1, word
		}
		*hint = uint32(cellBytes * place)
		word = h.cells[place].word
	}
	if h.ranking {
		rank = h.rank(l, line, place)
	}
	word |= dirty
	h.cells[place].word = word
	if l.find == plainLRU {
		h.cells[place].stamp = now
	}
	return rank, word
}

// search is the place of a block, 0 if it has none.
func (h *Hierarchy) search(l *level, key uint64) (place uint64) {
	from, to := l.places(key >> lineBits)
	for place := from; place < to; place++ {
		if h.cells[place].word|dirtyBit == key {
			return place
		}
	}
	return 0
}

// admit puts a word into the place of the one that leaves, which it gives.
func (h *Hierarchy) admit(l *level, word, now uint64) (place, victim uint64) {
	from, to := l.places(word >> lineBits)
	place = from + l.oldest(word>>lineBits, h.cells[from:to])
	c := &h.cells[place]
	victim = c.word
	c.word, c.stamp = word, now|l.mark
	return place, victim
}

// rank is how many blocks of the set leave after the one at a place.
func (h *Hierarchy) rank(l *level, line, place uint64) (rank int) {
	mine := h.cells[place].stamp
	from, to := l.places(line)
	if l.ways == 8 {
		return above8((*[8]cell)(h.cells[from:]), mine)
	}
	for _, c := range h.cells[from:to] {
		rank += int((mine - c.stamp) >> 63) // no stamp is so high
	}
	return rank
}

// above8 is how many of eight stamps are higher than one.
func above8(s *[8]cell, mine uint64) int {
	a, b := (mine-s[0].stamp)>>63+(mine-s[1].stamp)>>63, (mine-s[2].stamp)>>63+(mine-s[3].stamp)>>63
	c, d := (mine-s[4].stamp)>>63+(mine-s[5].stamp)>>63, (mine-s[6].stamp)>>63+(mine-s[7].stamp)>>63
	return int(a + b + c + d)
}

// oldest is the index of the cell with the least stamp in the set of a block.
func (l *level) oldest(line uint64, set []cell) (at uint64) {
	switch {
	case l.rings != nil:
		return inTurn(&l.rings[line&l.mask], set)
	case len(set) == 8:
		return least8((*[8]cell)(set)) % tick
	case l.sweeps.sets != nil:
		return l.sweeps.oldest(line&l.mask, set)
	case len(set) == 4:
		return least4((*[4]cell)(set)) % tick
	case len(set) == 2:
		return (set[1].stamp - set[0].stamp) >> 63
	}
	return leastOf(set)
}

// least8 is the least of eight stamps with its index. It does not branch; elsewhere than by itself it would.
//
//go:noinline
func least8(s *[8]cell) uint64 {
	a, b := min(s[0].stamp, s[1].stamp|1), min(s[2].stamp|2, s[3].stamp|3)
	c, d := min(s[4].stamp|4, s[5].stamp|5), min(s[6].stamp|6, s[7].stamp|7)
	return min(min(a, b), min(c, d))
}

// least4 is least8 of four.
//
//go:noinline
func least4(s *[4]cell) uint64 {
	return min(min(s[0].stamp, s[1].stamp|1), min(s[2].stamp|2, s[3].stamp|3))
}

// ranked appends the words of a plain level's set in order of rank, the empty ones last.
func (h *Hierarchy) ranked(l *level, set uint64, to []uint64) []uint64 {
	from, end := l.places(set)
	n := len(to)
	to = slices.Grow(to, int(l.ways))[:n+int(l.ways)]
	ranked(h.cells[from:end], to[n:])
	return to
}
