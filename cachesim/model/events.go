package model

import (
	"slices"

	"orrery/cachesim"
	"orrery/traceio"
)

// stream is the events of the rows in progress.
type stream struct {
	events []cachesim.Event
	wanted bool
	ranks  bool // ranks and Moves are wanted
	aside  bool // what is done now the processor does not wait for
	seq    traceio.Seq
	row    int32

	order, newOrder []uint64 // scratch of change
}

// Log is the events of some rows.
type Log struct{ events []cachesim.Event }

// Events appends them.
func (l *Log) Events(events []cachesim.Event) []cachesim.Event { return append(events, l.events...) }

// Record is Run and keeps the events; see cachesim.Engine.
func (h *Hierarchy) Record(b *traceio.Block, from, to int, seq traceio.Seq, ranks bool,
	old cachesim.Stream) cachesim.Stream {
	log, _ := old.(*Log)
	if log == nil {
		log = new(Log)
	}
	s := &h.stream
	s.events, s.wanted, s.ranks, s.seq = log.events[:0], true, ranks, seq
	h.rows += uint64(to - from)
	for row := from; row < to; row++ {
		h.row(b, row)
		if b.Kind[row] != traceio.Fetch {
			s.seq++
		}
	}
	log.events = s.events
	s.events, s.wanted, s.ranks = nil, false, false
	return log
}

// emit is where every event leaves the levels: it counts the event, and adds it to the stream where one is wanted.
func (h *Hierarchy) emit(l *level, line uint64, e cachesim.Event) {
	l.count(&e)
	s := &h.stream
	if !s.wanted {
		return
	}
	e.Seq, e.Row, e.Self = s.seq, s.row, !s.aside
	e.Line, e.Level = traceio.Addr(line<<l.bits), uint8(l.index)
	s.events = append(s.events, e)
}

// count counts an event. What is counted beside it has no event of its own.
func (l *level) count(e *cachesim.Event) {
	switch e.Op {
	case cachesim.VictimHit:
		l.counts.VictimHits++
		l.requests[e.Kind]++
	case cachesim.Hit, cachesim.Promote:
		l.requests[e.Kind]++
	case cachesim.Miss, cachesim.Allocate:
		l.requests[e.Kind]++
		l.misses[e.Kind]++
	case cachesim.Evict:
		if len(l.buffer.Blocks) == 0 || e.Set == l.buffer.number { // what goes to the victim buffer stays in the level
			l.counts.Evictions++
		}
	case cachesim.WriteBack:
		l.counts.Evictions++
		l.counts.WriteBacks++
	case cachesim.Prefetch:
		l.counts.Prefetches++
	case cachesim.Invalidate:
		l.counts.Invalidations++
	}
}

// aside does what the processor does not wait for.
func (h *Hierarchy) aside(do func()) {
	before := h.stream.aside
	h.stream.aside = true
	do()
	h.stream.aside = before
}

// change follows one change of a set for the events' ranks: it keeps the order before it, and afterwards emits the
// event and what else became of the order as Moves, so that a player who knows no policy has the order after it.
// Nothing is kept where ranks are not wanted.
type change struct {
	h *Hierarchy
	l *level
	s Set
}

func (h *Hierarchy) change(l *level, s Set) change {
	if h.stream.ranks {
		h.stream.order = s.policy.Order(s, h.stream.order[:0])
	}
	return change{h, l, s}
}

// moved is a block that was and is in the set.
func (c change) moved(line uint64, e cachesim.Event) {
	if c.unranked(line, e) {
		return
	}
	after, order := c.after(), c.h.stream.order
	from, to := c.rank(order, line), c.rank(after, line)
	c.put(from, to)
	order[to] = after[to] // with its new state
	e.From, e.To = int32(from), int32(to)
	c.emit(line, e)
	c.settle(after)
}

// entered is a block that is new and pushed the victim out, if there was one.
func (c change) entered(line, victim uint64, e cachesim.Event) {
	if c.unranked(line, e) {
		return
	}
	s := &c.h.stream
	if victim != 0 {
		last := len(s.order) - 1
		if at := slices.Index(s.order, victim); at != last {
			c.move(at, last)
		}
		s.order = s.order[:last]
	}
	after := c.after()
	to := c.rank(after, line)
	s.order = slices.Insert(s.order, to, after[to])
	e.From, e.To = -1, int32(to)
	c.emit(line, e)
	c.settle(after)
}

// left is a block that is no longer in the set.
func (c change) left(line uint64, e cachesim.Event) {
	if c.unranked(line, e) {
		return
	}
	s := &c.h.stream
	from := c.rank(s.order, line)
	s.order = slices.Delete(s.order, from, from+1)
	e.From, e.To = int32(from), -1
	c.emit(line, e)
	c.settle(c.after())
}

// unranked emits the event as it is where ranks are not wanted.
func (c change) unranked(line uint64, e cachesim.Event) bool {
	if !c.h.stream.ranks {
		c.emit(line, e)
	}
	return !c.h.stream.ranks
}

// after is the order of the set as it is now.
func (c change) after() []uint64 {
	s := &c.h.stream
	s.newOrder = c.s.policy.Order(c.s, s.newOrder[:0])
	return s.newOrder
}

// settle emits the moves that make the order what it is after the change.
func (c change) settle(after []uint64) {
	for to, w := range after {
		if c.h.stream.order[to] != w {
			c.move(c.rank(c.h.stream.order, c.l.lineOf(w)), to)
		}
	}
}

// move tells that the block at one rank is now at another.
func (c change) move(from, to int) {
	w := c.h.stream.order[from]
	c.put(from, to)
	c.emit(c.l.lineOf(w), cachesim.Event{Op: cachesim.Move, From: int32(from), To: int32(to), Dirty: w&dirtyBit != 0})
}

func (c change) put(from, to int) {
	s := &c.h.stream
	w := s.order[from]
	s.order = slices.Insert(slices.Delete(s.order, from, from+1), to, w)
}

func (c change) emit(line uint64, e cachesim.Event) {
	e.Set = c.s.number
	c.h.emit(c.l, line, e)
}

// rank is where a block is in an order.
func (c change) rank(words []uint64, line uint64) int {
	return slices.IndexFunc(words, func(w uint64) bool { return c.l.lineOf(w) == line })
}
