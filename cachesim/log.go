package cachesim

import (
	"slices"

	"orrery/traceio"
)

// Log is what happened in the levels while a block's rows were run, in short: a byte for each row, for each request
// that found nothing where rows enter or came to a level below eight bytes more, and as they were before the sets where
// rows enter and those of all levels that are small. Everything else about an event follows from the rows and the
// shapes of the levels, so that Events can give all of them in full, as often as asked. A Log is to be reused; it is
// valid as long as its block is.
//
// In full are only the events of hierarchies with structured levels, several cores or miss classes.
type Log struct {
	h      *Hierarchy // for the shapes of its levels, which stay
	block  *traceio.Block
	from   int // row
	seq    traceio.Seq
	rows   []uint8    // what became of each row
	notes  [][]uint64 // by level: one for each request of an asked row, and for those that it caused
	before []earlier  // of levels whose order is kept
	full   bool
	events []Event // when full
}

// What became of a row: found in its place, clean or dirty (a store may leave it to its kind to tell that the block is
// dirty now), or the levels were asked.
const (
	foundClean = iota
	foundDirty = dirtyBit
	asked      = 2
)

// A note is the victim's word, or absent where a set was not full, or the rank of what was found, whose valid bit is 0
// (and the rank, too, where the order is kept).
const absent = ^uint64(0) &^ validBit

func (l *level) note(rank int, word uint64) {
	switch {
	case rank >= 0:
		word = uint64(rank)<<lineBits | word&dirtyBit
	case word == 0:
		word = absent
	}
	l.notes = append(l.notes, word)
}

// RunLog is Run and keeps in log what happened, in the place of what was there.
func (h *Hierarchy) RunLog(b *traceio.Block, log *Log) { h.runLog(b, 0, b.Len(), b.First, log) }

// runEvents is run with events; seq is that of the first data reference at or after row from.
func (h *Hierarchy) runEvents(b *traceio.Block, from, to int, seq traceio.Seq, events []Event) []Event {
	if !h.brief() {
		return h.runFull(b, from, to, seq, events)
	}
	for ; from < to; from += chunk {
		h.runLog(b, from, min(from+chunk, to), seq, &h.ownLog)
		events, seq = h.ownLog.appendTo(events)
	}
	return events
}

// brief tells whether notes suffice to tell what the levels do.
func (h *Hierarchy) brief() bool {
	return h.passes && !h.classed && !h.thorough && !h.config.pages
}

// runLog is run with a log.
func (h *Hierarchy) runLog(b *traceio.Block, from, to int, seq traceio.Seq, log *Log) {
	log.h, log.block, log.from, log.seq, log.full = h, b, from, seq, !h.brief()
	if log.full {
		log.events = h.runFull(b, from, to, seq, log.events[:0])
		return
	}
	if h.pages != nil {
		h.pages.run(b, from, to, nil)
	}
	log.rows = slices.Grow(log.rows[:0], to-from)[:to-from]
	for len(log.notes) < len(h.levels) {
		log.notes = append(log.notes, nil)
	}
	for i, l := range h.levels {
		l.notes = log.notes[i][:0]
	}
	log.remember(b, from, to)
	h.noting = true
	for at := from; at < to; at += chunk {
		n := min(chunk, to-at)
		h.passAll(b, at, at+n, log.rows[at-from:][:n], nil)
	}
	h.noting = false
	for i, l := range h.levels {
		log.notes[i], l.notes = l.notes, nil
	}
	h.rows += uint64(to - from)
}

// Events appends every event, in order of cause and effect, to events.
func (l *Log) Events(events []Event) []Event {
	events, _ = l.appendTo(events)
	return events
}

// appendTo is Events; it tells the Seq behind the rows, too, unless the log is full.
func (l *Log) appendTo(events []Event) ([]Event, traceio.Seq) {
	if l.full {
		return append(events, l.events...), 0
	}
	hits := l.h.hitsInPlace()
	n := len(l.rows) // a row found in its place gives one event, and a note gives two at most
	for _, notes := range l.notes {
		n += 2 * len(notes)
	}
	r := l.reader(slices.Grow(events, n))
	kinds := l.block.Kind[l.from:][:len(l.rows)]
	addrs := l.block.Addr[l.from:][:len(l.rows)]
	seq, out := l.seq, r.events
	for i, mark := range l.rows {
		kind := kinds[i]
		e := &l.h.entries[kind&3]
		if mark == asked {
			r.seq, r.row, r.events = seq, int32(l.from+i), out
			r.reference(e.level, addrs[i], l.block.Size[l.from+i], kind)
			out = r.events
		} else {
			n := len(out)
			out = out[:n+1]
			v := &out[n]
			*v = hits[kind&3<<1|traceio.Kind(mark&1)]
			line := uint64(addrs[i]) >> (e.bits & 63)
			v.Seq, v.Line, v.Row, v.Set = seq, traceio.Addr(line<<(e.bits&63)), int32(l.from+i), int32(line&e.mask)
			v.From, v.To = r.orders[e.level.served>>1].hit(line)
		}
		seq += traceio.Seq(1 - kind>>1)
	}
	return out, seq
}

// changes appends the events of rows that the levels were asked about, and tells of each other row which block it
// found. Ranks are not told.
func (l *Log) changes(events []Event, found func(in *level, kind traceio.Kind, line uint64)) []Event {
	if l.full {
		return append(events, l.events...)
	}
	r := l.reader(events)
	r.orders = [MaxLevels]*order{}
	for i, mark := range l.rows {
		row := l.from + i
		kind, addr := l.block.Kind[row], l.block.Addr[row]
		e := &l.h.entries[kind&3]
		if mark != asked {
			found(e.level, kind, uint64(addr)>>(e.bits&63))
			continue
		}
		r.row = int32(row)
		r.reference(e.level, addr, l.block.Size[row], kind)
	}
	return r.events
}

// hitsInPlace is what the hits of each kind on clean and on dirty blocks that do not move have in common.
func (h *Hierarchy) hitsInPlace() (hits [8]Event) {
	for k := traceio.Load; k <= traceio.Fetch; k++ {
		if l := h.entries[k].level; l != nil {
			hits[k<<1] = Event{Level: uint8(l.served >> 1), Op: Hit, Kind: k, Self: true, Dirty: k == traceio.Store}
			hits[k<<1|1] = hits[k<<1]
			hits[k<<1|1].Dirty = true
		}
	}
	return hits
}

// reader goes the way of the requests again, by the notes.
type reader struct {
	sink
	notes  [MaxLevels][]uint64 // by level, those not yet read
	orders [MaxLevels]*order   // of the levels whose order is kept
}

func (l *Log) reader(events []Event) *reader {
	r := &reader{sink: sink{events: events, self: true}}
	copy(r.notes[:], l.notes)
	for i := range l.before {
		r.orders[l.before[i].level.served>>1] = newOrder(&l.before[i])
	}
	return r
}

// reference is one of the processor's, as in Hierarchy.reference.
func (r *reader) reference(l *level, addr traceio.Addr, size uint16, kind traceio.Kind) {
	if l == nil {
		return
	}
	low, high := extent(addr, size)
	for line := low >> l.bits; ; line++ {
		r.request(l, line, kind, kind == traceio.Store && l.covered(line, low, high))
		if line == high>>l.bits {
			return
		}
	}
}

// request is a request to level l, as in Hierarchy.access.
func (r *reader) request(l *level, line uint64, kind traceio.Kind, whole bool) {
	notes := &r.notes[l.served>>1]
	w := (*notes)[0]
	*notes = (*notes)[1:]
	e := r.next(l, line, line&l.mask)
	e.From, e.Kind = -1, kind
	if w&validBit == 0 && w != absent {
		e.From = int32(w >> lineBits)
	}
	if o := r.orders[l.served>>1]; o != nil {
		if e.From >= 0 {
			e.From, _ = o.hit(line)
		} else {
			o.enter(line)
		}
	}
	if l.asked(e, whole, w); e.From >= 0 {
		return
	}
	if !whole && l.next != nil {
		r.request(l.next, line>>(l.shift&63), kind&traceio.Fetch, false)
	}
	if w == absent {
		return
	}
	victim := w >> lineBits
	l.left(r.next(l, victim, victim&l.mask), w)
	if w&dirtyBit != 0 && l.next != nil {
		self := r.self
		r.self = false
		r.request(l.next, victim>>(l.shift&63), traceio.Store, l.shift == 0)
		r.self = self
	}
}
