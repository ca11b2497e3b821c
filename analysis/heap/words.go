package heap

// words is a map from keys to 64-bit words that forgets none: open addressing.
type words struct {
	slots []wordSlot
	n     int
}

type wordSlot struct {
	key  uint64 // plus 1
	word uint64
}

// get is the word of a key, 0 where it has none.
func (m *words) get(key uint64) uint64 {
	if len(m.slots) == 0 {
		return 0
	}
	mask := uint64(len(m.slots) - 1)
	for at := mix(key) & mask; ; at = (at + 1) & mask {
		switch s := &m.slots[at]; s.key {
		case key + 1:
			return s.word
		case 0:
			return 0
		}
	}
}

// make is the place of a word, a new one of 0 if need be. It is valid until the next call.
func (m *words) make(key uint64) *uint64 {
	if 2*m.n >= len(m.slots) {
		old := m.slots
		m.slots = make([]wordSlot, max(16, 2*len(old)))
		for _, s := range old {
			if s.key != 0 {
				*m.slot(s.key - 1) = s
			}
		}
	}
	s := m.slot(key)
	if s.key == 0 {
		s.key = key + 1
		m.n++
	}
	return &s.word
}

// slot is where a key is, or would be.
func (m *words) slot(key uint64) *wordSlot {
	mask := uint64(len(m.slots) - 1)
	at := mix(key) & mask
	for m.slots[at].key != 0 && m.slots[at].key != key+1 {
		at = (at + 1) & mask
	}
	return &m.slots[at]
}
