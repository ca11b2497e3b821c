package fast

import (
	"slices"
	"unsafe"
)

// How a level finds a block. All tags of all levels are in one array, the state of a hierarchy: of each block its word
// (number, valid, dirty, see cachesim.WordBits) and beside it a stamp, which is what the clock showed when the block
// was asked for last (LRU) or entered (FIFO), 0 for an empty way. A block keeps its way as long as it stays. So a hit
// changes nothing but its stamp, whatever its rank; the order of eviction is that of the stamps, and the victim is the
// block with the least.
//
// The way predictor tells where a block may be. Blocks with the same lower bits of their numbers (at least those that
// name the set) share an entry, which has the place of that one of them that was asked for last.
//
//	block number ──lower bits──▶ way predictor ──place──▶ block  A C . B     is it that block?
//	                                                      stamp  5 9 0 7     B's rank is 1, A leaves next
//
// Under LRU an entry that leads to a block it does not stand for tells that no block that it stands for is there,
// because the one asked for last would have left last. The set has to be searched only where two blocks share an entry,
// under FIFO, and after a state came from elsewhere, since the predictor is no part of the state.
//
// Tag 0 belongs to no level: its block is never valid, empty entries of the predictor lead to it, and its stamp is the
// clock.

// tag is one way of a set.
type tag struct{ block, stamp uint64 }

const tagBytes = uint64(unsafe.Sizeof(tag{}))

// unchecked is where tags and entries of the predictor begin. It reads them without a check of bounds, which takes a
// third of the kernel's time: the places of tags come from the levels' layout and from the predictor, those of entries
// from the levels' layout, and from nowhere else.
type unchecked struct{ tags, predict unsafe.Pointer }

func (h *Hierarchy) unchecked() unchecked {
	return unchecked{unsafe.Pointer(unsafe.SliceData(h.tags)), unsafe.Pointer(unsafe.SliceData(h.predict))}
}

// entry is an entry of the predictor: how many bytes a tag is behind the first one.
func (u unchecked) entry(i uint64) *uint32 {
	return (*uint32)(unsafe.Add(u.predict, i*uint64(unsafe.Sizeof(uint32(0)))))
}

// tag is the tag at a place in bytes.
func (u unchecked) tag(bytes uint32) *tag { return (*tag)(unsafe.Add(u.tags, bytes)) }

// A tick of the clock leaves room in a stamp for the index of a way among eight; see leastOf8.
const tick = 8

const (
	dirtyBit = 1
	validBit = 2
	lineBits = 2 // a block's number is above them
)

// set is where the tags of a block's set begin and end.
func (l *level) set(line uint64) (from, to uint64) {
	from = l.base + line&l.mask*l.ways
	return from, from + l.ways
}

// predictor is the entry of a block.
func (l *level) predictor(line uint64) uint64 { return line&l.predictMask + l.predictBase }

// search is the place of a block, 0 if it has none.
func (h *Hierarchy) search(l *level, line uint64) (at uint64) {
	from, to := l.set(line)
	for i := range h.tags[from:to] {
		if h.tags[from:to][i].block|dirtyBit == line<<lineBits|validBit|dirtyBit {
			return from + uint64(i)
		}
	}
	return 0
}

// rank is how many blocks of a set leave after the one with a stamp.
func (h *Hierarchy) rank(l *level, line, stamp uint64) (rank uint64) {
	from, to := l.set(line)
	for _, t := range h.tags[from:to] {
		rank += (stamp - t.stamp) >> 63 // 1 where the other is higher; no stamp has that bit
	}
	return rank
}

// oldest is the place of the tag with the least stamp in the set of a block, the first of them.
func (h *Hierarchy) oldest(l *level, line uint64) (at uint64) {
	from, to := l.set(line)
	switch set := h.tags[from:to]; l.ways {
	case 8:
		return from + leastOf8((*[8]tag)(set))%tick
	case 4:
		return from + leastOf4((*[4]tag)(set))%tick
	case 2:
		return from + (set[1].stamp-set[0].stamp)>>63
	default:
		if l.wide.sets != nil {
			return from + l.wide.oldest(line&l.mask, set)
		}
		return from + leastOf(set)
	}
}

// leastOf8 is the least of eight stamps, with its index in the lowest bits. It is branch-free: which way is the
// oldest cannot be predicted.
//
//go:noinline
func leastOf8(s *[8]tag) uint64 {
	a, b := min(s[0].stamp, s[1].stamp|1), min(s[2].stamp|2, s[3].stamp|3)
	c, d := min(s[4].stamp|4, s[5].stamp|5), min(s[6].stamp|6, s[7].stamp|7)
	return min(min(a, b), min(c, d))
}

// leastOf4 is leastOf8 of four.
//
//go:noinline
func leastOf4(s *[4]tag) uint64 {
	return min(min(s[0].stamp, s[1].stamp|1), min(s[2].stamp|2, s[3].stamp|3))
}

// leastOf is the place of the least stamp in a set.
func leastOf(set []tag) (at uint64) {
	least, i := ^uint64(0), 0
	for ; i+8 <= len(set); i += 8 {
		if s := leastOf8((*[8]tag)(set[i:])); s < least {
			least, at = s, uint64(i)+s%tick
		}
	}
	for ; i < len(set); i++ {
		if s := set[i].stamp; s < least {
			least, at = s, uint64(i)
		}
	}
	return at
}

// rankedWords puts the blocks of a set's tags in order of rank, the empty ways last.
func rankedWords(tags []tag, words []uint64) {
	var few [32]tag
	order := few[:0]
	for _, t := range tags {
		if t.block != 0 {
			order = append(order, t)
		}
	}
	slices.SortFunc(order, func(a, b tag) int { return int(b.stamp - a.stamp) })
	clear(words)
	for i, t := range order {
		words[i] = t.block
	}
}
