package simulator

import "math/bits"

// map64 is a map from block numbers to numbers, open addressing, for inner loops; nothing is ever deleted.
type map64 struct {
	slots []slot
	shift uint // of what home multiplies, to a slot
	n     int
}

type slot struct {
	key   uint64 // block number
	value uint32
	used  bool
}

// init makes room for about n keys; n is a power of two.
func (m *map64) init(n int) {
	m.slots, m.n = make([]slot, 2*n), 0
	m.shift = uint(64 - bits.TrailingZeros(uint(2*n)))
}

// home is the slot where a key belongs: the high bits of its multiple with 2^64 over the golden ratio, which
// lead the keys of a dense range to slots of their own.
func (m *map64) home(key uint64) uint64 { return key * golden >> (m.shift & 63) }

// at is the slot of a key, its own or the free one where it belongs.
func (m *map64) at(key uint64) *slot {
	mask := uint64(len(m.slots) - 1)
	for i := m.home(key); ; i = (i + 1) & mask {
		if s := &m.slots[i]; !s.used || s.key == key {
			return s
		}
	}
}

// swap stores a value and gives the one before.
func (m *map64) swap(key uint64, value uint32) (before uint32, known bool) {
	s := m.at(key)
	before, known = s.value, s.used
	s.value = value
	if !known {
		s.key, s.used = key, true
		if m.n++; m.n*2 > len(m.slots) {
			m.grow()
		}
	}
	return before, known
}

func (m *map64) grow() {
	old := m.slots
	m.slots = make([]slot, 2*len(old))
	m.shift--
	for _, s := range old {
		if s.used {
			*m.at(s.key) = s
		}
	}
}
