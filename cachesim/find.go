package cachesim

import "math/bits"

// How a plain level finds a block. The first block of each set stands apart, in heads: it is what most references ask for, and
// only there is its dirty bit up to date. The words of the others are in lines, in one of two ways:
//
// In order: the words of a set stand in the order of eviction, index ways-1 leaves next. Finding shifts what it passes.
//
// Packed, for LRU with a multiple of eight ways: a block keeps its place, and beside the places each set has two lists in
// order of eviction, eight entries of a byte to a word: a hash of the block number (tags) and the place (order, kept as its difference
// from 0, 1, 2, ... so that an empty set is all zeros). A miss is told from the tags eight at a time, and nothing but the
// lists has to move.
//
//	head     tags              order             lines
//	  D      D A F B ........  3 0 5 1 ........  A B . D' . F
//
// All give the rank where the block was and its word as it is now, or -1 and the word that had to leave (0: the set was not
// full). key is the block's word with both state bits set, dirty the bit to add.
func (l *level) look(key, dirty uint64) (rank int, word uint64) {
	set := key >> lineBits & l.mask
	head := &l.heads[set]
	if *head|dirtyBit == key {
		*head |= dirty
		return 0, *head
	}
	switch l.find {
	case packed8:
		s, tag := &l.sets8[set], tagOf(key)
		if found := s.seek(tag); found != 0 {
			return s.look(head, key, dirty, tag, found)
		}
		return -1, s.enter(head, key&^dirtyBit|dirty, tag)
	case packed:
		return l.lookPacked(head, set, key, dirty)
	}
	words := l.lines[set*l.ways:][:l.ways]
	if l.find == fifoAny {
		return lookFIFO(head, words, key, dirty)
	}
	return lookLRU(head, words, key, dirty)
}

const (
	eachByte = 0x0101010101010101
	topBits  = 0x8080808080808080
	places   = 0x0706050403020100 // order's zero
	spread   = 0x9E3779B97F4A7C15 // 2^64 over the golden ratio: neighbours get different tags
)

// equalBytes has the top bit of each byte that is equal in both words, and may have it of one that follows such a byte.
func equalBytes(a, b uint64) uint64 {
	x := a ^ b
	return (x - eachByte) & ^x & topBits
}

// set8 is a packed set of eight ways, the most common number.
type set8 struct {
	tags, order uint64
	lines       [8]uint64
}

// tagOf is the tag of a block, and seek the entries that may have it.
func tagOf(key uint64) uint64 { return key >> lineBits * spread >> 56 }

func (s *set8) seek(tag uint64) (found uint64) { return equalBytes(s.tags, tag*eachByte) }

// look is look of the level, when the head is another block and seek found entries.
func (s *set8) look(head *uint64, key, dirty, tag, found uint64) (rank int, word uint64) {
	order := s.order ^ places
	s.lines[order&7] = *head
	for ; found != 0; found &= found - 1 {
		at := bits.TrailingZeros64(found) & 56
		place := order >> at & 7
		if w := s.lines[place]; w|dirtyBit == key {
			w |= dirty
			*head = w
			kept := uint64(1)<<at<<8 - 1 // of the byte at at and those below
			s.tags = s.tags&^kept | s.tags<<8&kept | tag
			s.order = (order&^kept | order<<8&kept | place) ^ places
			return at >> 3, w
		}
	}
	return -1, s.enter(head, key&^dirtyBit|dirty, tag)
}

// enter puts a word into the place of the last one, which it gives.
func (s *set8) enter(head *uint64, word, tag uint64) (victim uint64) {
	order := s.order ^ places
	s.lines[order&7] = *head
	place := order >> 56
	victim = s.lines[place&7]
	*head, s.lines[place&7] = word, word
	s.tags = s.tags<<8 | tag
	s.order = (order<<8 | place) ^ places
	return victim
}

// lookPacked is look for any number of eights, when the head is another block.
func (l *level) lookPacked(head *uint64, set, key, dirty uint64) (rank int, word uint64) {
	n := l.ways / 8
	lists := l.lists[set*2*n:][:2*n]
	lines := l.lines[set*l.ways:][:l.ways]
	tags, order := lists[:n], lists[n:][:n]
	tag := tagOf(key)
	lines[(order[0]^places)&0xff] = *head
	zero := uint64(places)
	for i, t := range tags {
		for z := equalBytes(t, tag*eachByte); z != 0; z &= z - 1 {
			at := uint(bits.TrailingZeros64(z)) &^ 7
			place := (order[i] ^ zero) >> (at & 63) & 0xff
			if w := lines[place]; w|dirtyBit == key {
				w |= dirty
				*head = w
				moveToFront(tags, order, i, at, tag, place)
				return i*8 + int(at>>3), w
			}
		}
		zero += 8 * eachByte
	}
	place := (order[n-1] ^ (zero - 8*eachByte)) >> 56
	word = lines[place]
	w := key&^dirtyBit | dirty
	*head, lines[place] = w, w
	moveToFront(tags, order, int(n-1), 56, tag, place)
	return -1, word
}

// moveToFront puts a tag and a place first in their lists, in which the entry at bit at of word i falls out.
func moveToFront(tags, order []uint64, i int, at uint, tag, place uint64) {
	order = order[:len(tags)]
	zero := uint64(places)
	for k := range i {
		t, o := tags[k], order[k]^zero
		tags[k], order[k] = t<<8|tag, (o<<8|place)^zero
		tag, place = t>>56, o>>56
		zero += 8 * eachByte
	}
	below := uint64(0xff)<<(at&63) | (uint64(1)<<(at&63) - 1)
	t, o := tags[i], order[i]^zero
	tags[i] = t&^below | t<<8&below | tag
	order[i] = (o&^below | o<<8&below | place) ^ zero
}

// ranked appends the words of a plain level's set in order of rank, the empty ones last.
func (l *level) ranked(set uint64, to []uint64) []uint64 {
	to = append(to, l.heads[set])
	if l.find == packed8 {
		s := &l.sets8[set]
		for rank := 1; rank < 8; rank++ {
			to = append(to, s.lines[(s.order^places)>>(rank*8)&7])
		}
		return to
	}
	lines := l.lines[set*l.ways:][:l.ways]
	if l.find != packed {
		return append(to, lines[1:]...)
	}
	n := l.ways / 8
	order := l.lists[set*2*n+n:][:n]
	for rank := uint64(1); rank < l.ways; rank++ {
		zero := places + rank/8*8*eachByte
		to = append(to, lines[(order[rank/8]^zero)>>(rank%8*8)&0xff])
	}
	return to
}

// lookLRU searches while it shifts: whatever it passes is one rank older either way. What stands first in the set does not matter.
func lookLRU(head *uint64, set []uint64, key, dirty uint64) (rank int, word uint64) {
	carried := *head
	for i := 1; i < len(set); i++ {
		w := set[i]
		set[i] = carried
		if w|dirtyBit == key {
			*head = w | dirty
			return i, w | dirty
		}
		carried = w
	}
	*head = key&^dirtyBit | dirty
	return -1, carried
}

// findLRU is lookLRU for sets whose head is in its place and may be what is looked for.
func findLRU(set []uint64, key, dirty uint64) (rank int, word uint64) {
	if set[0]|dirtyBit == key {
		set[0] |= dirty
		return 0, set[0]
	}
	return lookLRU(&set[0], set, key, dirty)
}

// lookFIFO leaves what it finds where it is.
func lookFIFO(head *uint64, set []uint64, key, dirty uint64) (rank int, word uint64) {
	for i := 1; i < len(set); i++ {
		if w := set[i]; w|dirtyBit == key {
			set[i] = w | dirty
			return i, w | dirty
		}
	}
	set[0] = *head
	word = set[len(set)-1]
	copy(set[1:], set)
	*head = key&^dirtyBit | dirty
	return -1, word
}
