package cachesim

import (
	"slices"
	"unsafe"

	"orrery/traceio"
)

// front is the rows on their way into the levels where they enter.
type front struct {
	h      *Hierarchy
	served []Served
	marks  []uint8

	kinds []traceio.Kind
	addrs []traceio.Addr
	sizes []uint16
	bits  uint
	clock uint64 // the time of row 0; a row of several parts moves it
	doors [4]doorway
}

// doorway is what front needs to know of one kind of reference.
type doorway struct {
	mask, base uint64 // of hints, which are every other one
	dirty      uint64
	level      *level // nil: nobody takes this kind
	lru        bool
}

// pass brings the rows to their levels under LRU. What is most of every trace it decides by itself: the reference lies
// in one block, and that block is where its hint tells. All else is done elsewhere, so that nothing but this is in the
// loop's registers.
func (f *front) pass() {
	kinds := f.kinds
	addrs, sizes := f.addrs[:len(kinds)], f.sizes[:len(kinds)]
	ground, bits := f.h.bare(), f.bits&63
	for i, kind := range kinds {
		d := &f.doors[kind&3]
		addr := uint64(addrs[i])
		line := addr >> bits
		x := uint64(unclear)
		if (addr+uint64(sizes[i])-1)>>bits == line {
			c := ground.hinted(line<<1&d.mask + d.base)
			if x = (line<<lineBits | validBit) ^ c.word; x <= dirtyBit {
				if x < d.dirty {
					c.word |= dirtyBit
				}
				c.stamp = f.clock + uint64(i)*tick
				continue
			}
		}
		f.miss(i, x) // which has little more than the row: whatever it were given would have to be kept at hand for it
	}
}

// passNoted is pass for a log: a block that is found needs no note.
func (f *front) passNoted() {
	kinds := f.kinds
	addrs, sizes, marks := f.addrs[:len(kinds)], f.sizes[:len(kinds)], f.marks[:len(kinds)]
	ground, bits := f.h.bare(), f.bits&63
	for i, kind := range kinds {
		d := &f.doors[kind&3]
		addr := uint64(addrs[i])
		line := addr >> bits
		marks[i] = asked
		x := uint64(unclear)
		if (addr+uint64(sizes[i])-1)>>bits == line {
			c := ground.hinted(line<<1&d.mask + d.base)
			if x = (line<<lineBits | validBit) ^ c.word; x <= dirtyBit {
				c.word |= d.dirty
				c.stamp = f.clock + uint64(i)*tick
				marks[i] = uint8(x | d.dirty)
				continue
			}
		}
		f.miss(i, x)
	}
}

// passFIFO is both for hierarchies where rows enter levels under FIFO.
func (f *front) passFIFO() {
	kinds := f.kinds
	addrs, sizes, marks := f.addrs[:len(kinds)], f.sizes[:len(kinds)], f.marks[:len(kinds)]
	ground, bits := f.h.bare(), f.bits&63
	for i, kind := range kinds {
		d := &f.doors[kind&3]
		addr := uint64(addrs[i])
		line := addr >> bits
		x := uint64(unclear)
		if (addr+uint64(sizes[i])-1)>>bits == line {
			c := ground.hinted(line<<1&d.mask + d.base)
			if x = (line<<lineBits | validBit) ^ c.word; x <= dirtyBit {
				c.word |= d.dirty
				if d.lru {
					c.stamp = f.clock + uint64(i)*tick
				}
				marks[i] = uint8(x | d.dirty)
				continue
			}
		}
		marks[i] = asked
		f.turn(i, x)
	}
}

// miss is turn for a row that its level most likely does not have, in a set with a ring; it does what Hierarchy.ask and
// queue.miss do, in one.
func (f *front) miss(i int, x uint64) {
	h := f.h
	kind := uint64(f.kinds[i] & 3)
	l, bits := f.doors[kind].level, f.bits&63
	if l == nil || f.served != nil || x == unclear || l.rings == nil || !l.hinted || x>>lineBits&l.hintMask == 0 ||
		uint64(f.sizes[i])>>bits != 0 {
		f.turn(i, x)
		return
	}
	line := uint64(f.addrs[i]) >> bits
	ground := h.bare()
	first := l.base + line&l.mask*l.ways
	set := unsafe.Slice(ground.at(first), l.ways)
	at := inTurn(&l.rings[line&l.mask], set)
	*ground.hint(l.hint(line)) = uint32(cellBytes * (first + at))
	victim := set[at].word
	set[at] = cell{line<<lineBits | validBit | kind&dirtyBit, f.clock + uint64(i)*tick | marked}
	if h.noting {
		l.note(-1, victim)
	}
	l.misses[kind]++
	l.evictions += victim / validBit & 1
	l.writeBacks += victim & dirtyBit
	two, shift := h.queue.two(), l.shift&63
	two[0] = line>>shift<<lineBits | kind&fetching
	two[1] = victim>>lineBits>>shift<<lineBits | l.backs
	h.queue.n += int(1 + victim&dirtyBit)
}

// turn is a row that pass does not decide. x is how the word at its hint differs from its own, or unclear.
func (f *front) turn(i int, x uint64) {
	kind := f.kinds[i] & 3
	d := &f.doors[kind]
	l := d.level
	switch {
	case l == nil:
		if f.served != nil {
			f.served[i] = Unserved
		}
	case f.served != nil || x == unclear || uint64(f.sizes[i])>>(f.bits&63) != 0:
		f.parts(l, i)
	default:
		q, now := uint64(f.addrs[i])>>(f.bits&63)<<lineBits|uint64(kind), f.clock+uint64(i)*tick
		if x > dirtyBit {
			f.h.ask(l, q, now, x)
		} else {
			f.h.request(l, q, now)
		}
	}
}

// unclear is a difference that no row of one block has at its hint.
const unclear = ^uint64(0)

// parts is a row that may cross blocks or cover some.
func (f *front) parts(l *level, i int) {
	kind := f.kinds[i] & 3
	low, high := extent(f.addrs[i], f.sizes[i])
	f.h.queue.ready(f.h.queue.n + 2*int(high>>l.bits-low>>l.bits) + 8*(len(f.kinds)-i) + 8)
	l.requests[kind]--
	f.clock -= tick
	for line := low >> (l.bits & 63); ; line++ {
		q := line<<lineBits | uint64(kind)
		if kind == traceio.Store && l.covered(line, low, high) {
			q |= allOf
		}
		l.requests[kind]++
		f.clock += tick
		if now := f.clock + uint64(i)*tick; f.served != nil {
			f.h.answer(l, q, now, int32(i), f.served)
		} else {
			f.h.request(l, q, now)
		}
		if line == high>>(l.bits&63) {
			return
		}
	}
}

// passFirst brings the rows to the levels where they enter.
func (h *Hierarchy) passFirst(b *traceio.Block, from, to int, marks []uint8, served []Served) {
	f := &h.front
	f.served, f.marks, f.clock = served, marks, *h.clock+tick
	f.kinds, f.addrs, f.sizes = b.Kind[from:to], b.Addr[from:to], b.Size[from:to]
	h.count(f.kinds)
	h.queue.ready(2 * len(f.kinds))
	switch {
	case h.marching && served == nil:
		h.queue.ready(8*len(f.kinds) + 8)
		f.march()
	case h.fifo:
		if f.marks == nil {
			h.marks = slices.Grow(h.marks[:0], len(f.kinds))
			f.marks = h.marks[:len(f.kinds)]
		}
		f.passFIFO()
	case h.noting:
		f.passNoted()
	default:
		f.pass()
	}
	*h.clock = f.clock + uint64(len(f.kinds))*tick
}

// openFront makes the doorways of every kind.
func (h *Hierarchy) openFront() {
	h.front = front{h: h}
	for k, e := range h.entries {
		l := e.level
		if l == nil {
			continue // to place 0, which nothing is at
		}
		h.front.bits = l.bits
		h.front.doors[k] = doorway{mask: l.hintMask << 1, base: l.hintBase, dirty: e.dirty, level: l, lru: l.find == plainLRU}
	}
}
