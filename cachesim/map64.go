package cachesim

// map64 is a map from block numbers to numbers, open addressing, for inner loops; nothing is ever deleted.
type map64 struct {
	slots []slot
	n     int
}

type slot struct {
	key   uint64 // block number
	value uint32
	used  bool
}

// init makes room for about n keys; n is a power of two.
func (m *map64) init(n int) { m.slots, m.n = make([]slot, 2*n), 0 }

// at is the slot of a key, its own or the free one where it belongs.
func (m *map64) at(key uint64) *slot {
	mask := uint64(len(m.slots) - 1)
	for i := hash(key) & mask; ; i = (i + 1) & mask {
		if s := &m.slots[i]; !s.used || s.key == key {
			return s
		}
	}
}

// slot is the index of a key's slot, made with a value of fresh if the key is new. When that makes the map grow, all slots
// move.
func (m *map64) slot(key uint64, fresh uint32) (i uint32, known, grown bool) {
	mask := uint64(len(m.slots) - 1)
	for at := hash(key) & mask; ; at = (at + 1) & mask {
		s := &m.slots[at]
		if s.used && s.key == key {
			return uint32(at), true, false
		}
		if s.used {
			continue
		}
		*s = slot{key, fresh, true}
		if m.n++; m.n*2 <= len(m.slots) {
			return uint32(at), false, false
		}
		m.grow()
		i, _, _ = m.slot(key, fresh)
		return i, false, true
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
	for _, s := range old {
		if s.used {
			*m.at(s.key) = s
		}
	}
}
