package cachesim

import (
	"slices"
	"unsafe"

	"orrery/traceio"
)

// march is what the loops in assembly (march_amd64.s) know, which do what front.pass and passQuiet do, misses in narrow
// sets included, and leave to Go what is rare: a row that lies in more than four blocks, an order of a wide set that
// has to be found, a miss in a set of 3, 5, 6 or 7 ways. They stop there, Go does that one, and they go on behind it.
type march struct {
	addrs, sizes, kinds unsafe.Pointer // of rows; addrs may be questions
	row, rows           int
	cells               unsafe.Pointer
	bits                uint64
	clock               uint64 // as in front
	// where the next question goes, or how many there are then; of the last level, how many blocks it wrote back
	out    uintptr
	marks  unsafe.Pointer
	misses [4]uint64 // of questions, by what they are for
	rings4 *[64]uint64
	inner  uint64         // a mask: where in a block
	hints  unsafe.Pointer // of rows: the first pair
	pairs  uint64         // of rows, a mask: which one a block has, in fours, and which of both, in twos
	gates  [4]gate        // by kind of row; of questions only the first
}

// gate is what they need to know of a level where rows of one kind enter. Its counters are added to the level's at the
// end of a march. Questions are block numbers above two bits, so that what says where a set or a hint is counts in
// fours there.
type gate struct {
	hintMask     uint64
	hints        unsafe.Pointer // the first of the level
	dirty        uint64
	sets         uint64 // a mask
	cells        uint64 // the first of the level, in bytes from the first of all
	setBytes     uint64
	shape        uint64 // ways, 0 for those that Go takes
	known        uint64 // in fours: hintMask while a hint to another block tells that nothing is there, else 0
	shift, backs uint64
	fetching     uint64
	misses       uint64
	whole        uint64          // of them, those of stores that cover the block
	absent       uint64          // of them, those without a victim
	more         uint64          // requests beyond one for each row
	notes        *unsafe.Pointer // where the next one goes
	// of the sweeps: the end of that of a set that begins at the first cell of all, as if there were one
	orders   uintptr
	swept    unsafe.Pointer
	rings    unsafe.Pointer
	fetched  uint64     // what fetches have in pairs
	further  uint64     // blocks of a row beyond the first that they take
	allBytes uint64     // setBytes, of questions too
	_        [10]uint64 // to a power of two
}

// gate is a gate to a plain level under LRU for rows that are stores, or fetches, or loads.
func (h *Hierarchy) gate(l *level, dirty, fetch uint64) gate {
	g := gate{
		hintMask: l.hintMask, hints: unsafe.Pointer(&h.hints[l.hintBase]), dirty: dirty,
		sets: l.mask, cells: l.base * cellBytes, setBytes: l.ways * cellBytes, allBytes: l.ways * cellBytes,
		shift: uint64(l.shift), backs: l.backs, fetching: fetch, notes: &l.cursor,
	}
	switch {
	case l.rings != nil:
		g.shape, g.further, g.rings = l.ways, 3, unsafe.Pointer(&l.rings[0])
	case l.ways <= 2:
		g.shape, g.further = l.ways, 3
	case l.sweeps.sets != nil:
		const index = unsafe.Sizeof(l.sweeps.order[0])
		g.shape, g.swept = l.ways, unsafe.Pointer(&l.sweeps.sets[0])
		g.orders = uintptr(unsafe.Pointer(&l.sweeps.order[0])) + uintptr(l.ways)*index - uintptr(l.base)*index
	}
	return g
}

// inner is a gate to a level below others.
func (h *Hierarchy) inner(l *level) gate {
	g := h.gate(l, 0, 0)
	g.hintMask, g.sets, g.setBytes = g.hintMask<<lineBits, g.sets<<lineBits, g.setBytes>>lineBits
	return g
}

// openMarches prepares the loops for all levels that they can serve.
func (h *Hierarchy) openMarches() {
	h.marching = marches() && h.passes && !h.fifo && len(h.cells) > 1
	if !h.marching {
		return
	}
	cells := unsafe.Pointer(&h.cells[0])
	door := h.doorways[0]
	h.march = march{cells: cells, rings4: &rings4, bits: uint64(h.front.bits), inner: 1<<h.front.bits - 1,
		hints: unsafe.Pointer(&h.hints[door.hintBase&^1]), pairs: door.hintMask << lineBits}
	if h.entries[traceio.Load].level != h.entries[traceio.Fetch].level {
		h.march.pairs |= fetching
	}
	for k := range h.march.gates {
		if e := h.entries[k]; e.level != nil {
			h.march.gates[k] = h.gate(e.level, e.dirty, uint64(k)&fetching)
			h.march.gates[k].fetched = uint64(k) & fetching & h.march.pairs
		}
	}
	for _, l := range h.levels {
		if l.find == plainLRU && !slices.Contains(h.doorways, l) {
			l.march = &march{cells: cells, rings4: &rings4, gates: [4]gate{h.inner(l)}}
		}
	}
	h.trust()
}

// trust tells the loops what the levels' hints are worth now.
func (h *Hierarchy) trust() {
	if !h.marching {
		return
	}
	for k := range h.march.gates {
		if l := h.entries[k].level; l != nil {
			h.march.gates[k].trust(l)
		}
	}
	for _, l := range h.levels {
		if l.march != nil {
			l.march.gates[0].trust(l)
		}
	}
}

func (g *gate) trust(l *level) {
	g.known = 0
	if l.hinted && g.shape != 0 {
		g.known = l.hintMask << lineBits
	}
}

// pen makes room for n notes, and one that does not count, and a cursor for who writes them.
func (l *level) pen(n int) {
	l.notes = slices.Grow(l.notes, n+1)
	l.cursor = unsafe.Add(unsafe.Pointer(unsafe.SliceData(l.notes)), len(l.notes)*8)
}

// rest takes what was written.
func (l *level) rest() {
	first := unsafe.Pointer(unsafe.SliceData(l.notes))
	l.notes = l.notes[:(uintptr(l.cursor)-uintptr(first))/8]
}

// place is the address of the place of a question: of one that there is no room for, too.
func (q *queue) place(i int) uintptr {
	return uintptr(unsafe.Pointer(unsafe.SliceData(q.questions))) + 8*uintptr(i)
}

// next is where the next question goes, if there is room for it.
func (q *queue) next() uintptr { return q.place(q.n) }

// until takes the questions that were put in front of a place, and tells how many these are.
func (q *queue) until(place uintptr) (taken uint64) {
	taken = uint64(place-q.next()) / 8
	q.n += int(taken)
	return taken
}

// march is pass and passNoted in assembly.
func (f *front) march() {
	h := f.h
	m := &h.march
	m.addrs, m.sizes, m.kinds = unsafe.Pointer(unsafe.SliceData(f.addrs)), unsafe.Pointer(unsafe.SliceData(f.sizes)),
		unsafe.Pointer(unsafe.SliceData(f.kinds))
	m.row, m.rows, m.marks = 0, len(f.kinds), unsafe.Pointer(unsafe.SliceData(f.marks))
	written := uint64(0)
	for {
		m.clock, m.out = f.clock, h.queue.next()
		more := false
		if h.noting {
			for _, l := range h.doorways {
				l.pen(4 * (m.rows - m.row))
			}
			more = marchRowsNoted(m)
			for _, l := range h.doorways {
				l.rest()
			}
		} else {
			more = marchRows(m)
		}
		f.clock = m.clock
		written += h.queue.until(m.out)
		if !more {
			break
		}
		if f.marks != nil {
			f.marks[m.row] = asked
		}
		f.turn(m.row, f.differs(m.row))
		m.row++
	}
	for k := range h.entries {
		l, g := h.entries[k].level, &m.gates[k]
		if l == nil || g.misses|g.more == 0 {
			continue
		}
		l.requests[k] += g.more
		l.misses[k] += g.misses - g.whole
		l.misses[allOf] += g.whole
		l.evictions += g.misses - g.absent
		written -= g.misses - g.whole
		g.more, g.misses, g.whole, g.absent = 0, 0, 0, 0
	}
	if l := h.entries[traceio.Store].level; l != nil {
		l.writeBacks += written
	}
}

// differs is how the word at the hint of a row's block differs from its own, unclear if it lies in more than one.
func (f *front) differs(i int) uint64 {
	d := &f.doors[f.kinds[i]&3]
	addr, bits := uint64(f.addrs[i]), f.bits&63
	line := addr >> bits
	if (addr+uint64(f.sizes[i])-1)>>bits != line {
		return unclear
	}
	return (line<<lineBits | validBit) ^ f.h.cells[f.h.hints[line<<1&d.mask+d.base]/cellBytes].word
}

// marchLevel is passQuiet in assembly.
func (h *Hierarchy) marchLevel(l *level) {
	m, questions := l.march, h.answered.asked()
	m.addrs, m.row, m.rows, m.clock = unsafe.Pointer(unsafe.SliceData(questions)), 0, len(questions), *h.clock
	written := uint64(0)
	for {
		if h.noting {
			l.pen(m.rows - m.row)
		}
		m.out = h.queue.next()
		more := false
		switch {
		case l.next == nil && h.noting:
			more = marchFinalNoted(m)
		case l.next == nil:
			more = marchFinal(m)
		case h.noting:
			more = marchQuestionsNoted(m)
		default:
			more = marchQuestions(m)
		}
		if h.noting {
			l.rest()
		}
		written += uint64(m.out)
		if l.next != nil {
			h.queue.n += int(m.out)
		}
		if !more {
			break
		}
		q := questions[m.row]
		m.row++
		h.ask(l, q, m.clock+uint64(m.row)*tick, (q&^3|validBit)^h.cells[h.hints[l.hint(q>>lineBits)]/cellBytes].word)
	}
	misses := uint64(0)
	for k, n := range m.misses {
		l.misses[k] += n
		misses += n
	}
	if l.evictions += misses - m.gates[0].absent; l.next != nil {
		written -= misses - m.misses[allOf]
	}
	l.writeBacks += written
	m.misses, m.gates[0].absent = [4]uint64{}, 0
	*h.clock += uint64(len(questions)) * tick
}
