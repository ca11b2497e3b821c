package fast

import (
	"slices"

	"orrery/cachesim"
	"orrery/traceio"
)

// Log is what happened in the levels while rows were run, in short: which rows the access path did not decide, and for
// each request of theirs at each level a note of one word. Everything else about an event follows from the rows and the
// shapes of the levels. A Log is valid until it is used again, and as long as its block is.
type Log struct {
	h        *Hierarchy // for the shapes of its levels, which stay
	block    *traceio.Block
	from, to int // rows
	seq      traceio.Seq
	ranks    bool
	rows     []int32
	notes    [][]uint64 // by level
	before   []earlier  // of levels whose order is kept
}

// A note is the victim's word, or absent where a set was not full, or what was found: its rank and whether it is dirty,
// and no valid bit. The rank is left out where the order of the set is kept, or ranks are not wanted.
const absent = ^uint64(0) &^ validBit

func (l *level) noteMiss(victim uint64) {
	if victim == 0 {
		victim = absent
	}
	l.notes = append(l.notes, victim)
}

func (h *Hierarchy) noteHit(l *level, line, word, stamp uint64) {
	note := word & dirtyBit
	if !l.ordered {
		note |= h.rank(l, line, stamp) << lineBits
	}
	l.notes = append(l.notes, note)
}

// Record is Run and keeps what happened, in the memory of an old Log or of none. seq is that of the first data
// reference at or after row from.
func (h *Hierarchy) Record(b *traceio.Block, from, to int, seq traceio.Seq, ranks bool,
	old cachesim.Stream) cachesim.Stream {
	log, _ := old.(*Log)
	if log == nil {
		log = new(Log)
	}
	log.h, log.block, log.from, log.to, log.seq, log.ranks = h, b, from, to, seq, ranks
	for len(log.notes) < len(h.levels) {
		log.notes = append(log.notes, nil)
	}
	for i, l := range h.levels {
		l.notes, l.ordered = log.notes[i][:0], !ranks
	}
	if log.before = log.before[:0]; ranks {
		log.keepOrder()
	}
	h.rows, h.noting = log.rows[:0], true
	h.Run(b, from, to)
	log.rows, h.noting = h.rows, false
	for i, l := range h.levels {
		log.notes[i], l.notes = l.notes, nil
	}
	return log
}

// Events appends what happened, in order of cause and effect. Without ranks there are no
// events of rows that hit where they enter.
func (log *Log) Events(events []cachesim.Event) []cachesim.Event {
	n := len(log.rows)
	if log.ranks {
		n = log.to - log.from
	}
	for _, notes := range log.notes {
		n += 2 * len(notes) // an event for the request and one for the victim
	}
	r := &reader{log: log, self: true, events: slices.Grow(events, n), seq: log.seq}
	copy(r.notes[:], log.notes)
	for i := range log.before {
		r.orders[log.before[i].level.index] = newOrder(&log.before[i])
	}
	if !log.ranks {
		for _, row := range log.rows {
			r.reference(int(row))
		}
		return r.events
	}
	undecided := log.rows
	for row := log.from; row < log.to; row++ {
		kind := log.block.Kind[row]
		switch l := log.h.entry[kind&3]; {
		case len(undecided) > 0 && int(undecided[0]) == row:
			undecided = undecided[1:]
			r.reference(row)
		case l != nil:
			r.hit(l, row, kind)
		}
		if kind != traceio.Fetch {
			r.seq++
		}
	}
	return r.events
}

// reader goes the way of the requests once more, by the notes.
type reader struct {
	log    *Log
	events []cachesim.Event
	notes  [cachesim.MaxLevels][]uint64 // by level, those not yet read
	orders [cachesim.MaxLevels]*order   // of the levels whose order is kept
	seq    traceio.Seq
	row    int32
	self   bool
}

// next is a new event in its place. (A composite would be built elsewhere and copied, which takes as long as everything
// else about an event.)
func (r *reader) next(l *level, line uint64) *cachesim.Event {
	n := len(r.events)
	if n == cap(r.events) {
		r.events = slices.Grow(r.events, batchRows)
	}
	r.events = r.events[:n+1]
	e := &r.events[n]
	e.Seq, e.Line, e.Row, e.Set = r.seq, traceio.Addr(line<<(l.bits&63)), r.row, int32(line&l.mask)
	e.Level, e.Self, e.Class = uint8(l.index), r.self, cachesim.Unclassed
	return e
}

// hit is a row that the access path decided.
func (r *reader) hit(l *level, row int, kind traceio.Kind) {
	r.row = int32(row)
	line := uint64(r.log.block.Addr[row]) >> (l.bits & 63)
	e := r.next(l, line)
	e.Op, e.Kind = cachesim.Hit, kind
	e.From, e.To, e.Dirty = r.orders[l.index].hit(line, kind == traceio.Store)
}

// reference is a row of which there are notes.
func (r *reader) reference(row int) {
	r.row = int32(row)
	b := r.log.block
	kind := b.Kind[row]
	l := r.log.h.entry[kind&3]
	low, high := cachesim.Extent(b.Addr[row], b.Size[row])
	for line := low >> l.bits; ; line++ {
		r.request(l, line, kind, kind == traceio.Store && l.covered(line, low, high))
		if line == high>>l.bits {
			return
		}
	}
}

// request is a request to a level.
func (r *reader) request(l *level, line uint64, kind traceio.Kind, whole bool) {
	notes := &r.notes[l.index]
	note := (*notes)[0]
	*notes = (*notes)[1:]
	store, o := kind == traceio.Store, r.orders[l.index]
	e := r.next(l, line)
	e.Kind = kind
	if note&validBit == 0 && note != absent {
		e.Op, e.Dirty, e.From, e.To = cachesim.Hit, note&dirtyBit != 0, int32(note>>lineBits), 0
		if o != nil {
			e.From, _, _ = o.hit(line, store)
		}
		if l.fifo {
			e.To = e.From
		}
		return
	}
	if o != nil {
		o.enter(line, store)
	}
	e.Op, e.Dirty, e.From, e.To = cachesim.Miss, store, -1, 0
	if whole {
		e.Op = cachesim.Allocate
	} else if l.next != nil {
		r.request(l.next, line>>(l.shift&63), kind&traceio.Fetch, false)
	}
	if note == absent {
		return
	}
	victim := note >> lineBits
	e = r.next(l, victim)
	e.Op, e.Kind, e.Dirty, e.From, e.To = cachesim.Evict, traceio.Store, note&dirtyBit != 0, int32(l.ways-1), -1
	if !e.Dirty {
		return
	}
	if e.Op = cachesim.WriteBack; l.next != nil {
		self := r.self
		r.self = false
		r.request(l.next, victim>>(l.shift&63), traceio.Store, l.shift == 0)
		r.self = self
	}
}
