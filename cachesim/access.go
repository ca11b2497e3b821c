package cachesim

import (
	"slices"

	"orrery/traceio"
)

// Served says which level had the data of one reference: 2i when level i did (i = number of levels: memory), 2i+1 when
// level i missed and was written whole, so that nobody below was asked. Of a reference that crosses blocks it is the
// slower part. The order of values is the order of slowness.
type Served uint8

// Unserved is the Served of a row that no level takes: a fetch in a hierarchy without instruction caches.
const Unserved Served = 255

// Level is the index of the level that had the data or was written whole; the number of levels means main memory.
func (s Served) Level() int { return int(s >> 1) }

// Whole tells whether the level missed and was written whole.
func (s Served) Whole() bool { return s&1 != 0 }

// sink collects the events of the reference in progress.
type sink struct {
	events []Event
	seq    traceio.Seq
	row    int32
	self   bool
	ranked bool // ranks and Moves are wanted
	below  bool // events of blocks that only move are not: nothing goes below for them
}

// access is one request to level l for block number line: a load, a store or a fetch. whole tells that a store covers
// the block.
func (h *Hierarchy) access(l *level, line uint64, kind traceio.Kind, whole bool) Served {
	l.requests[kind&3]++
	return h.counted(l, line, kind&3, whole)
}

// counted is access for a request that l has counted already. It goes down the levels in one loop as long as what
// leaves them is clean. (That a victim is counted before the fetch below can be seen by a sink only; a Log tells it
// with its miss.)
func (h *Hierarchy) counted(l *level, line uint64, kind traceio.Kind, whole bool) Served {
	for l.find != structured {
		kind &= 3
		*h.clock += tick
		rank, word := h.look(l, line<<lineBits|validBit|dirtyBit, uint64(kind&1), *h.clock) // only Store is odd
		if h.watched {
			h.watch(l, line, kind, whole, rank, word)
		}
		if rank >= 0 {
			l.remember(line&l.mask, word)
			return l.served
		}
		l.remember(line&l.mask, line<<lineBits|validBit|uint64(kind&1))
		l.misses[kind]++
		if whole || h.sink != nil || word&dirtyBit != 0 {
			return h.missed(l, line, kind, whole, word)
		}
		l.evictions += word / validBit & 1
		if h.ahead {
			h.countAhead(l)
		}
		if l.next == nil {
			h.memory.Reads++
			return Served(len(h.levels)) * 2
		}
		line >>= l.shift & 63
		kind &= traceio.Fetch
		l = l.next
		l.requests[kind]++
	}
	return h.structured(l, line, kind, whole)
}

// missed is what counted leaves to do about a miss: the fetch, and then the victim, 0 for none.
func (h *Hierarchy) missed(l *level, line uint64, kind traceio.Kind, whole bool, victim uint64) Served {
	served := l.served + 1
	if !whole {
		served = h.fetch(l, line, kind)
	}
	if victim != 0 {
		h.evict(l, victim)
	}
	return served
}

// fetch asks the level below l for the block; the fetch for a store is a read there.
func (h *Hierarchy) fetch(l *level, line uint64, kind traceio.Kind) Served {
	if h.ahead {
		h.countAhead(l)
	}
	if l.next == nil {
		h.memory.Reads++
		return Served(len(h.levels)) * 2
	}
	return h.access(l.next, line>>(l.shift&63), kind&traceio.Fetch, false)
}

// countAhead keeps apart what nobody waits for.
func (h *Hierarchy) countAhead(l *level) {
	if l.next == nil {
		h.memoryAhead++
	} else {
		l.next.ahead++
	}
}

// evict counts the victim out and writes it to the level below when it is dirty. It covers a block there only if the
// blocks are of equal size.
func (h *Hierarchy) evict(l *level, victim uint64) {
	l.evictions++
	if h.sink != nil {
		h.leave(l, victim)
	}
	if victim&dirtyBit == 0 {
		return
	}
	l.writeBacks++
	switch {
	case l.next == nil:
		h.memory.Writes++
	case h.sink == nil:
		h.access(l.next, victim>>lineBits>>(l.shift&63), traceio.Store, l.shift == 0)
	default:
		self := h.sink.self
		h.sink.self = false
		h.access(l.next, victim>>lineBits>>(l.shift&63), traceio.Store, l.shift == 0)
		h.sink.self = self
	}
}

// watch is what is done about a request beyond simulating it: miss classes and events. rank is where
// the block was and word its own; when it was not there, rank is -1 and word that of the victim.
func (h *Hierarchy) watch(l *level, line uint64, kind traceio.Kind, whole bool, rank int, word uint64) {
	if l.classes != nil {
		l.classes.touch(line, rank < 0)
	}
	if h.sink == nil {
		return
	}
	e := h.sink.next(l, line, line&l.mask)
	e.From, e.Kind = int32(rank), kind
	l.asked(e, whole, word)
	if rank < 0 && l.classes != nil {
		e.Class = l.classes.class
	}
}

// asked completes the event of a request that found its block at rank From, or did not find it.
func (l *level) asked(e *Event, whole bool, word uint64) {
	e.To = 0
	switch {
	case e.From >= 0:
		if l.find == plainFIFO {
			e.To = e.From
		}
		e.Op, e.Dirty = Hit, word&dirtyBit != 0
	case whole:
		e.Op, e.Dirty = Allocate, true
	default:
		e.Op, e.Dirty = Miss, e.Kind == traceio.Store
	}
}

// left completes the event of a victim.
func (l *level) left(e *Event, victim uint64) {
	e.From, e.To, e.Op, e.Kind, e.Dirty = int32(l.ways-1), -1, Evict, traceio.Store, victim&dirtyBit != 0
	if e.Dirty {
		e.Op = WriteBack
	}
}

func (h *Hierarchy) leave(l *level, victim uint64) {
	line := victim >> lineBits
	e := h.sink.next(l, line, line&l.mask)
	l.left(e, victim)
}

// next is a new event in its place, for the caller to set From, To, Op, Kind and Dirty. (A composite would be built
// elsewhere and copied, which takes as long as everything else about an event.)
func (s *sink) next(l *level, line, set uint64) *Event {
	n := len(s.events)
	if n == cap(s.events) {
		s.events = slices.Grow(s.events, chunk)
	}
	s.events = s.events[:n+1]
	e := &s.events[n]
	e.Seq, e.Line, e.Row, e.Set = s.seq, traceio.Addr(line<<(l.bits&63)), s.row, int32(set)
	e.Level, e.Self, e.Class = uint8(l.served>>1), s.self, Unclassed
	return e
}

// tell adds an event, if anybody listens.
func (h *Hierarchy) tell(l *level, line uint64, e Event) {
	if h.sink == nil {
		return
	}
	e.Seq, e.Row, e.Self = h.sink.seq, h.sink.row, h.sink.self
	e.Line, e.Level = traceio.Addr(line<<l.bits), uint8(l.served>>1)
	if l.classes != nil && (e.Op == Miss || e.Op == Allocate) {
		e.Class = l.classes.class
	}
	h.sink.events = append(h.sink.events, e)
}
