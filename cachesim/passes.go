package cachesim

import "orrery/traceio"

// In a hierarchy of plain levels, no level changes one above it. So a few thousand rows can pass the first levels together,
// then what these ask of the next one passes that, and so on: requests come to each level in the same order as if every row went
// down by itself, so that all counts, states and events are the same. Each loop has one level to deal with. It takes
// hierarchies in which data and fetches meet in the second level at the latest, so that what one queue holds is in order.

// queue is what is asked of one level, in order.
type queue struct {
	questions []uint64
	rows      []int32 // that wait for the answers, or waitless; only when somebody wants to know
}

// A question is the block number and below it, in two bits, what for: the Kind, and 3 is a store of all of the block.
const (
	allOf    = 3
	fetching = uint64(traceio.Fetch)
	waitless = -1 // the row of a write-back
)

func kindOf(question uint64) traceio.Kind {
	if question&3 == allOf {
		return traceio.Store
	}
	return traceio.Kind(question & 3)
}

// together tells whether the levels can be passed one after the other.
func (h *Hierarchy) together() bool {
	var first *level
	for _, e := range h.entries {
		switch {
		case e.level == nil:
		case first == nil:
			first = e.level
		case first.next != e.level.next || first.bits != e.level.bits:
			return false
		}
	}
	return h.plain && h.cores == nil && !h.each && first != nil
}

// runPasses is run, chunk by chunk.
func (h *Hierarchy) runPasses(b *traceio.Block, from, to int, served []Served) {
	if h.marks == nil {
		h.marks = make([]uint8, chunk)
	}
	for at := from; at < to; at += chunk {
		n := min(chunk, to-at)
		var told []Served
		if served != nil {
			told = served[at-from:][:n]
		}
		h.passAll(b, at, h.marks[:n], told)
	}
	h.rows += uint64(to - from)
}

// passAll is run for hierarchies whose levels go together. marks, as long as the rows, is told what became of each; served, unless it
// is nil, which level had the data.
func (h *Hierarchy) passAll(b *traceio.Block, from int, marks []uint8, served []Served) {
	h.queue.questions, h.queue.rows = h.queue.questions[:0], h.queue.rows[:0]
	if served != nil {
		h.presume(b.Kind[from:][:len(marks)], served)
	}
	for l := h.passFirst(b, from, marks, served).next; l != nil; l = l.next {
		h.queue, h.answered = h.answered, h.queue
		h.passLevel(l, served)
	}
	for _, q := range h.queue.questions {
		h.memory.Writes += q & 1
		h.memory.Reads += q&1 ^ 1
	}
	h.tellServed(h.queue.rows, served, Served(len(h.levels))*2)
}

func (h *Hierarchy) tellServed(rows []int32, served []Served, s Served) {
	for _, row := range rows {
		if row != waitless {
			served[row] = max(served[row], s)
		}
	}
}

// front is the rows on their way into the levels where they enter.
type front struct {
	h      *Hierarchy
	b      *traceio.Block
	from   int
	served []Served

	kinds []traceio.Kind
	addrs []traceio.Addr
	sizes []uint16
	marks []uint8
	heads []uint64
	bits  uint
	doors [4]doorway
}

// doorway is what front needs to know of one kind of reference.
type doorway struct {
	mask, base, dirty uint64
	level             *level // where single blocks go by the short way, or nil
}

// pass brings the rows to their levels. What is most of every trace it decides by itself: the reference lies in one block, and
// that block is the first of its set. All else is done elsewhere, so that nothing but this is in the loop's registers.
func (f *front) pass() {
	kinds := f.kinds
	addrs, sizes, marks := f.addrs[:len(kinds)], f.sizes[:len(kinds)], f.marks[:len(kinds)]
	heads, bits := f.heads, f.bits&63
	for i, kind := range kinds {
		d := &f.doors[kind&3]
		addr := uint64(addrs[i])
		line := addr >> bits
		at := line&d.mask + d.base
		if (addr+uint64(sizes[i])-1)>>bits == line && at < uint64(len(heads)) {
			w := heads[at]
			marked := w | d.dirty
			if marked|dirtyBit == line<<lineBits|validBit|dirtyBit {
				if marked != w {
					heads[at] = marked
				}
				marks[i] = uint8(marked & dirtyBit)
				continue
			}
		}
		f.turn(i) // which has the row alone: whatever it were given would have to be kept at hand for it
	}
}

// turn is a row that pass does not decide.
func (f *front) turn(i int) {
	kind := f.kinds[i] & 3
	d, addr, last, bits := &f.doors[kind], uint64(f.addrs[i]), uint64(f.sizes[i])-1, f.bits&63
	line := addr >> bits
	f.marks[i] = asked
	switch {
	case d.level == nil || (addr+last)>>bits != line || (last+1)>>bits != 0:
		f.h.enterRow(f.b, f.from, i, f.served)
	case d.level.find == packed8:
		f.turn8(d, line, kind)
	default:
		f.turnAny(d, line, kind)
	}
}

// turnAny is a block that is not the first of its set.
func (f *front) turnAny(d *doorway, line uint64, kind traceio.Kind) {
	l := d.level
	rank, word := l.look(line<<lineBits|validBit|dirtyBit, d.dirty)
	if f.h.noting {
		l.note(rank, word)
	}
	if rank < 0 {
		f.h.queue.miss(l, line<<lineBits|uint64(kind), word)
	}
}

// turn8 is turnAny for eight ways.
func (f *front) turn8(d *doorway, line uint64, kind traceio.Kind) {
	l, at, key := d.level, line&d.mask, line<<lineBits|validBit|dirtyBit
	s, head, tag := &l.sets8[at], &l.heads[at], tagOf(key)
	rank, word := -1, uint64(0)
	if found := s.seek(tag); found == 0 {
		word = s.enter(head, key&^dirtyBit|d.dirty, tag)
	} else if rank, word = s.look(head, key, d.dirty, tag, found); rank >= 0 && !f.h.noting {
		return
	}
	if f.h.noting {
		l.note(rank, word)
	}
	if rank < 0 {
		f.h.queue.miss(l, line<<lineBits|uint64(kind), word)
	}
}

// passFirst brings the rows to the levels where they enter, and gives one of these.
func (h *Hierarchy) passFirst(b *traceio.Block, from int, marks []uint8, served []Served) *level {
	f := &h.front
	*f = front{h: h, b: b, from: from, served: served,
		kinds: b.Kind[from:][:len(marks)], addrs: b.Addr[from:][:len(marks)], sizes: b.Size[from:][:len(marks)], marks: marks, heads: h.heads}
	first := h.doorways(&f.doors, served == nil)
	f.bits = first.bits
	h.count(f.kinds)
	f.pass()
	return first
}

// doorways makes the doorways of every kind and gives one of the levels behind them.
func (h *Hierarchy) doorways(doors *[4]doorway, short bool) (first *level) {
	for k, e := range h.entries {
		if e.level == nil {
			doors[k] = doorway{base: ^uint64(0)} // behind all heads
			continue
		}
		doors[k] = doorway{mask: e.mask, base: e.level.head, dirty: e.dirty}
		if first = e.level; short {
			doors[k].level = first
		}
	}
	return first
}

// enterRow is a row that front does not decide.
func (h *Hierarchy) enterRow(b *traceio.Block, from, i int, served []Served) {
	row := from + i
	kind, addr, size := b.Kind[row]&3, uint64(b.Addr[row]), uint64(b.Size[row])
	e := &h.entries[kind]
	l := e.level
	if l == nil {
		if served != nil {
			served[i] = Unserved
		}
		return
	}
	if addr&e.inner+size <= e.block {
		q := addr>>(e.bits&63)<<lineBits | uint64(kind)
		if kind == traceio.Store && size == e.block {
			q |= allOf
		}
		h.answer(l, q, int32(i), served)
		return
	}
	low, high := extent(traceio.Addr(addr), uint16(size))
	l.requests[kind]--
	for line := low >> l.bits; ; line++ {
		q := line<<lineBits | uint64(kind)
		if kind == traceio.Store && l.covered(line, low, high) {
			q |= allOf
		}
		l.requests[kind]++
		h.answer(l, q, int32(i), served)
		if line == high>>l.bits {
			return
		}
	}
}

// passLevel brings the requests in answered to a level; what it asks for in turn is then in queue.
func (h *Hierarchy) passLevel(l *level, served []Served) {
	h.queue.questions, h.queue.rows = h.queue.questions[:0], h.queue.rows[:0]
	if served == nil {
		h.passUnserved(l)
		return
	}
	row := int32(waitless)
	for i, q := range h.answered.questions {
		l.requests[kindOf(q)]++
		if served != nil {
			row = h.answered.rows[i]
		}
		h.answer(l, q, row, served)
	}
}

// passUnserved is passLevel when nobody waits for answers.
func (h *Hierarchy) passUnserved(l *level) {
	for _, q := range h.answered.questions {
		l.requests[kindOf(q)]++
		rank, word := l.look(q|validBit|dirtyBit, q&1)
		if h.noting {
			l.note(rank, word)
		}
		if rank < 0 {
			h.queue.miss(l, q, word)
		}
	}
}

// answer is one request to a level: what it has to ask the next one goes into queue.
func (h *Hierarchy) answer(l *level, q uint64, row int32, served []Served) {
	rank, word := l.look(q|validBit|dirtyBit, q&1)
	if h.noting {
		l.note(rank, word)
	}
	answer := l.served
	if rank < 0 {
		h.queue.miss(l, q, word)
		answer++
	}
	if served == nil {
		return
	}
	if row != waitless && (rank >= 0 || q&3 == allOf) {
		served[row] = max(served[row], answer)
	}
	if rank < 0 && q&3 != allOf {
		h.queue.rows = append(h.queue.rows, row)
	}
	if rank < 0 && word&dirtyBit != 0 {
		h.queue.rows = append(h.queue.rows, waitless)
	}
}

// miss counts a miss and asks for the block, and then to take the victim.
func (q *queue) miss(l *level, question, victim uint64) {
	l.misses[kindOf(question)]++
	if question&3 != allOf {
		q.questions = append(q.questions, question>>lineBits>>(l.shift&63)<<lineBits|question&fetching)
	}
	l.evictions += victim / validBit & 1
	if victim&dirtyBit != 0 {
		l.writeBacks++
		back := victim >> lineBits >> (l.shift & 63) << lineBits
		if l.shift == 0 {
			back |= allOf
		}
		q.questions = append(q.questions, back|dirtyBit)
	}
}
