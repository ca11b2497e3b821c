package heap

import (
	"math/bits"

	"orrery/traceio"
)

// live is the set of blocks that are allocated at one moment of the log, by address. A cell is 16 granules, which are
// aligned pieces of memory small enough that no two blocks begin in one, and tells of each which block begins there, or
// began there last. The cells that have live blocks are the lowest level of a trie of 64-bit words (six bits of the cell's
// number to a level), so that the nearest block at or below an address is found in a few steps, mostly in its own cell.
type live struct {
	n     int  // live blocks
	shift uint // log2 of the granule
	cells []cell
	table []uint32 // open addressing: index of a cell plus 1
	trie  [(64 + 5) / 6]words
}

type cell struct {
	number uint64
	ids    [cellSize]int32 // n+1 while block n stands there, ^n once it is gone, 0 before any
	bits   uint16          // granules where a live block begins
}

const (
	cellBits = 4
	cellSize = 1 << cellBits
)

// newLive makes a set for addresses that are multiples of 1<<shift; others make it finer.
func newLive(shift uint) *live { return &live{shift: shift, table: make([]uint32, 1<<10)} }

func mix(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	return x ^ x>>29
}

// find is the cell with a number, nil when there is none.
func (l *live) find(number uint64) *cell {
	mask := uint64(len(l.table) - 1)
	for at := mix(number) & mask; ; at = (at + 1) & mask {
		k := l.table[at]
		if k == 0 {
			return nil
		}
		if c := &l.cells[k-1]; c.number == number {
			return c
		}
	}
}

// make is the cell with a number, a new one if need be.
func (l *live) make(number uint64) *cell {
	mask := uint64(len(l.table) - 1)
	at := mix(number) & mask
	for ; l.table[at] != 0; at = (at + 1) & mask {
		if c := &l.cells[l.table[at]-1]; c.number == number {
			return c
		}
	}
	if 4*len(l.cells) >= 3*len(l.table) {
		l.grow()
		return l.make(number)
	}
	l.cells = append(l.cells, cell{number: number})
	l.table[at] = uint32(len(l.cells))
	return &l.cells[len(l.cells)-1]
}

func (l *live) grow() {
	l.table = make([]uint32, 2*len(l.table))
	mask := uint64(len(l.table) - 1)
	for i := range l.cells {
		at := mix(l.cells[i].number) & mask
		for l.table[at] != 0 {
			at = (at + 1) & mask
		}
		l.table[at] = uint32(i + 1)
	}
}

// at is what stands at a: n+1 for a live block n, ^n for one that is gone, 0 for neither.
func (l *live) at(a traceio.Addr) int32 {
	if uint64(a)&(1<<l.shift-1) != 0 {
		return 0
	}
	key := uint64(a) >> l.shift
	if c := l.find(key >> cellBits); c != nil {
		return c.ids[key%cellSize]
	}
	return 0
}

// insert puts block id at a, where no live block is.
func (l *live) insert(a traceio.Addr, id int32) {
	if uint64(a)&(1<<l.shift-1) != 0 {
		l.refine(uint(bits.TrailingZeros64(uint64(a))))
	}
	l.n++
	key := uint64(a) >> l.shift
	c := l.make(key >> cellBits)
	c.ids[key%cellSize] = id + 1
	if c.bits == 0 {
		l.mark(c.number)
	}
	c.bits |= 1 << (key % cellSize)
}

// remove takes away the live block that stands at a.
func (l *live) remove(a traceio.Addr) {
	key := uint64(a) >> l.shift
	c := l.find(key >> cellBits)
	id := &c.ids[key%cellSize]
	*id = ^(*id - 1)
	l.n--
	if c.bits &^= 1 << (key % cellSize); c.bits == 0 {
		l.unmark(c.number)
	}
}

// mark tells the trie that a cell has blocks.
func (l *live) mark(key uint64) {
	for i := range l.trie {
		w := l.trie[i].make(key >> 6)
		old := *w
		if *w |= 1 << (key & 63); old != 0 {
			return // the levels above know of this word already
		}
		key >>= 6
	}
}

func (l *live) unmark(key uint64) {
	for i := range l.trie {
		w := l.trie[i].make(key >> 6)
		if *w &^= 1 << (key & 63); *w != 0 {
			return
		}
		key >>= 6
	}
}

// below finds the live block that begins nearest to a, at or below it.
func (l *live) below(a traceio.Addr) (id int32, ok bool) {
	key := uint64(a) >> l.shift
	number := key >> cellBits
	if c := l.find(number); c != nil {
		if w := c.bits & (1<<(key%cellSize+1) - 1); w != 0 {
			return c.ids[bits.Len16(w)-1] - 1, true
		}
	}
	key = number
	for i := range l.trie {
		w := l.trie[i].get(key>>6) & (1<<(key&63) - 1)
		if w == 0 {
			key >>= 6
			continue
		}
		key = key&^63 | uint64(bits.Len64(w)-1)
		for i--; i >= 0; i-- {
			key = key<<6 | uint64(bits.Len64(l.trie[i].get(key))-1)
		}
		c := l.find(key)
		return c.ids[bits.Len16(c.bits)-1] - 1, true
	}
	return 0, false
}

// refine makes granules smaller.
func (l *live) refine(shift uint) {
	fine := newLive(shift)
	for i := range l.cells {
		c := &l.cells[i]
		for k, id := range c.ids {
			if id == 0 {
				continue
			}
			a := traceio.Addr(c.number<<cellBits|uint64(k)) << l.shift
			if fine.insert(a, max(id-1, 0)); id < 0 {
				fine.remove(a)
				key := uint64(a) >> shift
				fine.find(key >> cellBits).ids[key%cellSize] = id
			}
		}
	}
	*l = *fine
}

// words is a map from keys to 64-bit words that forgets none: open addressing.
type words struct {
	keys  []uint64 // the key plus 1
	words []uint64
	n     int
}

func (m *words) get(key uint64) uint64 {
	if len(m.keys) == 0 {
		return 0
	}
	mask := uint64(len(m.keys) - 1)
	for at := mix(key) & mask; ; at = (at + 1) & mask {
		switch m.keys[at] {
		case key + 1:
			return m.words[at]
		case 0:
			return 0
		}
	}
}

func (m *words) make(key uint64) *uint64 {
	if 4*m.n >= 3*len(m.keys) {
		m.grow()
	}
	mask := uint64(len(m.keys) - 1)
	at := mix(key) & mask
	for ; m.keys[at] != 0; at = (at + 1) & mask {
		if m.keys[at] == key+1 {
			return &m.words[at]
		}
	}
	m.n++
	m.keys[at] = key + 1
	return &m.words[at]
}

func (m *words) grow() {
	old := *m
	n := max(16, 2*len(old.keys))
	m.keys, m.words = make([]uint64, n), make([]uint64, n)
	mask := uint64(n - 1)
	for i, k := range old.keys {
		if k == 0 {
			continue
		}
		at := mix(k-1) & mask
		for m.keys[at] != 0 {
			at = (at + 1) & mask
		}
		m.keys[at], m.words[at] = k, old.words[i]
	}
}

// alignment is the number of low bits that are zero in all of the given addresses' bitwise or, at most 4.
func alignment(all traceio.Addr) uint { return uint(bits.TrailingZeros64(uint64(all) | 1<<4)) }
