package cachesim

import (
	"slices"
	"unsafe"

	"orrery/traceio"
)

// In a hierarchy of plain levels, no level changes one above it. So a few thousand rows can pass the first levels
// together, then what these ask of the next one passes that, and so on: requests come to each level in the same order
// as if every row went down by itself, so that all counts, states and events are the same. Each loop has one level to
// deal with. It takes hierarchies in which data and fetches meet in the second level at the latest, so that what one
// queue holds is in order.

// queue is what is asked of one level, in order.
type queue struct {
	questions []uint64 // room for them
	n         int      // of them asked
	rows      []int32  // that wait for the answers, or waitless; only when somebody wants to know
}

func (q *queue) reset() { q.n, q.rows = 0, q.rows[:0] }

func (q *queue) asked() []uint64 { return q.questions[:q.n] }

// A question is the block number and below it, in two bits, what for: the Kind, and 3 is a store of all of the block.
const (
	allOf    = 3
	fetching = uint64(traceio.Fetch)
	waitless = -1 // the row of a write-back
)

// together tells whether the levels can be passed one after the other: by all rows, so none of them may be one core's.
func (h *Hierarchy) together() bool {
	var first *level
	if slices.ContainsFunc(h.levels, func(l *level) bool { return l.core > 0 }) {
		return false
	}
	for _, e := range h.entries {
		switch {
		case e.level == nil:
		case first == nil:
			first = e.level
		case first.next != e.level.next || first.bits != e.level.bits:
			return false
		}
	}
	return h.plain && !h.each && first != nil
}

// runPasses is run, chunk by chunk.
func (h *Hierarchy) runPasses(b *traceio.Block, from, to int, served []Served) {
	for at := from; at < to; at += chunk {
		n := min(chunk, to-at)
		var told []Served
		if served != nil {
			told = served[at-from:][:n]
		}
		if told != nil && h.marching {
			h.startNotes(n)
			h.passAll(b, at, at+n, h.marks, nil)
			h.serve(b, at, told)
			continue
		}
		h.passAll(b, at, at+n, nil, told)
	}
	h.noting = false
	h.rows += uint64(to - from)
}

// passAll is run for hierarchies whose levels go together. marks, unless it is nil, is told what became of each row;
// served, unless it is nil, which level had the data.
func (h *Hierarchy) passAll(b *traceio.Block, from, to int, marks []uint8, served []Served) {
	h.queue.reset()
	if served != nil {
		h.presume(b.Kind[from:to], served)
	}
	before := flowOf(h.doorways...)
	h.passFirst(b, from, to, marks, served)
	if h.classed {
		h.classifyRows(b, from, to, marks)
	}
	if h.queue.n == 0 {
		return // which is most of the time for a few rows
	}
	asked := flowOf(h.doorways...).since(before)
	for l := h.doorways[0].next; l != nil; l = l.next {
		h.queue, h.answered = h.answered, h.queue
		l.requests[traceio.Load] += asked.reads
		l.requests[traceio.Store] += asked.writes
		l.requests[traceio.Fetch] += asked.fetches
		before := flowOf(l)
		h.passLevel(l, served)
		asked = flowOf(l).since(before)
		if h.classed {
			l.classifyQuestions(h.answered.asked())
		}
	}
	h.memory.Writes += asked.writes
	h.memory.Reads += asked.reads + asked.fetches
	h.tellServed(h.queue.rows, served, Served(len(h.levels))*2)
}

// flow is what levels ask of the one below.
type flow struct{ reads, fetches, writes uint64 }

// flowOf is all that levels have asked so far.
func flowOf(levels ...*level) (f flow) {
	for _, l := range levels {
		f.reads += l.misses[traceio.Load] + l.misses[traceio.Store]
		f.fetches += l.misses[traceio.Fetch]
		f.writes += l.writeBacks
	}
	return f
}

func (f flow) since(before flow) flow {
	return flow{f.reads - before.reads, f.fetches - before.fetches, f.writes - before.writes}
}

func (h *Hierarchy) tellServed(rows []int32, served []Served, s Served) {
	for _, row := range rows {
		if row != waitless {
			served[row] = max(served[row], s)
		}
	}
}

// passLevel brings the requests in answered to a level; what it asks for in turn is then in queue.
func (h *Hierarchy) passLevel(l *level, served []Served) {
	h.queue.reset()
	if h.answered.n == 0 {
		return
	}
	h.queue.ready(2 * h.answered.n)
	if served == nil && l.find == plainLRU && (!h.noting || l.ordered) {
		if l.march != nil {
			h.marchLevel(l)
			return
		}
		h.passQuiet(l)
		return
	}
	for i, q := range h.answered.asked() {
		if *h.clock += tick; served != nil {
			h.answer(l, q, *h.clock, h.answered.rows[i], served)
		} else {
			h.request(l, q, *h.clock)
		}
	}
}

// passQuiet is passLevel under LRU when nobody waits for answers.
func (h *Hierarchy) passQuiet(l *level) {
	ground, mask, base, now, noting := h.bare(), l.hintMask, l.hintBase, *h.clock, h.noting
	for _, q := range h.answered.asked() {
		now += tick
		c := ground.hinted(q>>lineBits&mask + base)
		x := (q&^3 | validBit) ^ c.word
		if x <= dirtyBit {
			c.word |= q & dirtyBit
			c.stamp = now
			if noting {
				l.notes = append(l.notes, c.word&dirtyBit)
			}
			continue
		}
		h.ask(l, q, now, x)
	}
	*h.clock = now
}

// request is answer when nobody waits for it.
func (h *Hierarchy) request(l *level, q, now uint64) {
	place := uint64(h.hints[l.hint(q>>lineBits)] / cellBytes)
	c := &h.cells[place]
	x := (q&^3 | validBit) ^ c.word
	if x > dirtyBit {
		h.ask(l, q, now, x)
		return
	}
	c.word |= q & dirtyBit
	switch {
	case !h.noting:
	case l.ordered:
		l.notes = append(l.notes, c.word&dirtyBit)
	default:
		l.notes = append(l.notes, uint64(h.rank(l, q>>lineBits, place))<<lineBits|c.word&dirtyBit)
	}
	if l.find == plainLRU {
		c.stamp = now
	}
}

// ask is request for a block that is not where its hint tells: look and miss, in one.
func (h *Hierarchy) ask(l *level, q, now, x uint64) {
	line := q >> lineBits
	if !l.hinted || x>>lineBits&l.hintMask == 0 {
		if place := h.search(l, q|validBit|dirtyBit); place != 0 {
			h.hints[l.hint(line)] = uint32(cellBytes * place)
			h.request(l, q, now)
			return
		}
	}
	ground := h.bare()
	first := l.base + (line&l.mask)*l.ways
	at := first + l.oldest(line, unsafe.Slice(ground.at(first), l.ways))
	*ground.hint(l.hint(line)) = uint32(cellBytes * at)
	c := ground.at(at)
	victim := c.word
	c.word, c.stamp = q&^3|validBit|q&dirtyBit, now|l.mark
	if h.noting {
		l.note(-1, victim)
	}
	h.queue.miss(l, q, victim)
}

// answer is one request to a level for which somebody waits: what it has to ask the next one goes into queue.
func (h *Hierarchy) answer(l *level, q, now uint64, row int32, served []Served) {
	rank, word := h.look(l, q|validBit|dirtyBit, q&1, now)
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

// ready makes room for n questions and one that does not count. A request makes two at most.
func (q *queue) ready(n int) {
	if len(q.questions) <= n {
		q.questions = append(q.questions, make([]uint64, n+1-len(q.questions))...)
	}
}

// two is where the next two questions go; what does not come is written over.
func (q *queue) two() *[2]uint64 {
	return (*[2]uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(q.questions)), q.n*8))
}

// miss counts a miss and asks for the block, and then to take the victim. There is room for both: see ready.
func (q *queue) miss(l *level, question, victim uint64) {
	l.misses[question&3]++
	l.evictions += victim / validBit & 1
	l.writeBacks += victim & dirtyBit
	shift := l.shift & 63
	two := q.two()
	asks := uint64(0)
	if question&3 != allOf {
		two[0], asks = question>>lineBits>>shift<<lineBits|question&fetching, 1
	}
	two[asks] = victim>>lineBits>>shift<<lineBits | l.backs
	q.n += int(asks + victim&dirtyBit)
}
