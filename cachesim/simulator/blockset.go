package simulator

import "math/bits"

// blockSet is a set of block numbers, of which many are next to each other.
type blockSet struct {
	index map64    // block number without its lowest bits -> which word
	words []uint64 // a bit for each of 64 blocks
}

func newBlockSet() *blockSet {
	s := new(blockSet)
	s.index.init(1 << 10)
	return s
}

func (s *blockSet) add(line uint64) {
	b := s.index.at(line / 64)
	if !b.used {
		s.index.swap(line/64, uint32(len(s.words)))
		b = s.index.at(line / 64)
		s.words = append(s.words, 0)
	}
	s.words[b.value] |= 1 << (line % 64)
}

// each gives every block once, in no order that means anything.
func (s *blockSet) each(do func(line uint64)) {
	for _, b := range s.index.slots {
		if !b.used {
			continue
		}
		for word := s.words[b.value]; word != 0; word &= word - 1 {
			do(b.key*64 + uint64(bits.TrailingZeros64(word)))
		}
	}
}
