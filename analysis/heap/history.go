package heap

import (
	"math"
	"math/bits"
	"sort"

	"orrery/traceio"
)

// history is what happened, event by event, in a few bytes each: two bits tell whether the event made a block and
// whether it ended one. Blocks are numbered as they are made, and ends lists those that ended, so counting bits finds
// the block. Every 64 events the state is noted, and minima and maxima over ever longer runs of events answer for any
// stretch.
type history struct {
	n     int      // events
	born  []uint64 // a bit for each event
	died  []uint64
	marks []mark   // marks[k] is the state before event 64*k
	made  []uint32 // made[k] is which 64 events block 64*k was made in
	seqs  *column  // of each event; nil where events are numbered themselves
	ticks *column  // of each event; nil without a clock

	latency []uint32 // of each event in nanoseconds; nil when nobody measured

	low, high [][]uint64 // bytes live after an event, over runs of 64, 64*64, ...

	now    mark          // behind the last event
	latest traceio.Ticks // of all events so far
	peak   uint64        // most bytes that were live after an event,
	peakAt int           // and the first event after which they were
}

// mark is the state of the heap between two events.
type mark struct {
	bytes, waste   uint64
	births, deaths uint32
}

const fan = run

// newHistory has room for as many events.
func newHistory(n int) history {
	runs := (n + run - 1) / run
	return history{born: make([]uint64, 0, runs), died: make([]uint64, 0, runs), marks: make([]mark, 0, runs),
		low: [][]uint64{make([]uint64, 0, runs)}, high: [][]uint64{make([]uint64, 0, runs)}}
}

// clock notes the times of the next events, which are of one run, and tells which of them are older than the one
// before: a bit for each.
func (y *history) clock(events []traceio.Alloc) (back uint64) {
	first := y.n
	y.n += len(events)
	if y.seqs != nil {
		back |= y.clockSeqs(events, first)
	}
	at, mixed, latency := events[0].Ticks, traceio.Ticks(0), traceio.Ticks(0)
	for i := range events {
		mixed |= events[i].Ticks ^ at
		latency |= events[i].Latency
	}
	if y.latency != nil || latency > 0 {
		if y.latency == nil {
			y.latency = make([]uint32, first, cap(y.marks)*run)
		}
		for i := range events {
			y.latency = append(y.latency, uint32(min(events[i].Latency, math.MaxUint32)))
		}
	}
	if y.ticks == nil && at|mixed == 0 {
		return back
	}
	if y.ticks == nil {
		y.ticks = newColumn(cap(y.marks))
		for range first {
			y.ticks.append(0)
		}
	}
	if mixed == 0 && at >= y.latest { // as most are of a clock that stands still for a while
		y.latest = at
		y.ticks.repeat(uint64(at), len(events))
		return back
	}
	for i := range events {
		if events[i].Ticks < y.latest {
			back |= 1 << i
		}
		y.latest = max(y.latest, events[i].Ticks)
		y.ticks.append(uint64(y.latest))
	}
	return back
}

// clockSeqs is clock for the references that events stand at; first is the number of the first event.
func (y *history) clockSeqs(events []traceio.Alloc, first int) (back uint64) {
	for i := range events {
		seq := uint64(events[i].Seq)
		if first+i > 0 {
			last := y.seqs.at(first + i - 1)
			if seq < last {
				back |= 1 << i
			}
			seq = max(seq, last)
		}
		y.seqs.append(seq)
	}
	return back
}

// take notes which events allocated and ended blocks, and the least and the most bytes that are live after an event.
func (y *history) take(changes []change, from, to int) {
	k := from / run
	if from%run == 0 {
		y.born, y.died, y.marks = append(y.born, 0), append(y.died, 0), append(y.marks, y.now)
		y.low[0], y.high[0] = append(y.low[0], math.MaxUint64), append(y.high[0], 0)
	}
	now, born, died := y.now, uint64(0), uint64(0)
	low, high, highAt := y.low[0][k], uint64(0), 0
	if len(changes) == 0 || int(changes[0].event) > from%run { // the first event changed nothing
		low, high, highAt = min(low, now.bytes), now.bytes, from%run
	}
	for i := range changes {
		c := &changes[i]
		if bit := uint64(1) << (c.event % run); c.ended {
			died |= bit
			now.bytes -= c.size
			now.waste -= uint64(c.waste)
		} else {
			born |= bit
			now.bytes += c.size
			now.waste += uint64(c.waste)
		}
		if i+1 < len(changes) && changes[i+1].event == c.event { // what stood in the new block's place is only the first part
			continue
		}
		low = min(low, now.bytes)
		if now.bytes > high {
			high, highAt = now.bytes, int(c.event)
		}
	}
	now.births += uint32(bits.OnesCount64(born))
	now.deaths += uint32(bits.OnesCount64(died))
	y.now, y.born[k], y.died[k] = now, y.born[k]|born, y.died[k]|died
	y.low[0][k], y.high[0][k] = low, max(y.high[0][k], high)
	if high > y.peak {
		y.peak, y.peakAt = high, k*run+highAt
	}
}

// state is the running state while events are gone through.
type state struct {
	mark
	event int // the next one
	ends  []int32
}

// stateAt is the state before event i.
func (h *Heap) stateAt(i int) state {
	y := &h.history
	if len(y.marks) == 0 {
		return state{}
	}
	k := min(i/run, len(y.marks)-1)
	s := state{mark: y.marks[k], event: k * run}
	for s.event < i {
		s.step(h)
	}
	return s
}

// step takes in the next event and tells which block it ended and which it made, -1 for none.
func (s *state) step(h *Heap) (died, born int32) {
	y := &h.history
	died, born = -1, -1
	word, bit := s.event/run, uint64(1)<<(s.event%run)
	if y.died[word]&bit != 0 {
		if s.ends == nil {
			s.ends = h.ends()
		}
		died = s.ends[s.deaths]
		s.bytes -= h.blocks.size(died)
		s.waste -= h.blocks.wasted(died)
		s.deaths++
	}
	if y.born[word]&bit != 0 {
		born = int32(s.births)
		s.bytes += h.blocks.size(born)
		s.waste += h.blocks.wasted(born)
		s.births++
	}
	s.event++
	return died, born
}

// time is the position of event i on the axis.
func (h *Heap) time(i int) Time {
	if h.Axis.Ordinal {
		return Time(i)
	}
	return Time(min(h.history.seqs.at(i), math.MaxInt64-1))
}

// eventAfter is the first event that stands behind time t.
func (h *Heap) eventAfter(t Time) int {
	if t < 0 {
		return 0
	}
	if h.Axis.Ordinal {
		return int(min(t+1, Time(h.history.n)))
	}
	return h.history.seqs.above(uint64(t))
}

// birth is the event that made block id.
func (h *Heap) birth(id int) int {
	y := &h.history
	k, last := int(y.made[id/run]), len(y.marks)-1
	if id/run+1 < len(y.made) {
		last = int(y.made[id/run+1])
	}
	k += sort.Search(last-k, func(i int) bool { return y.marks[k+i+1].births > uint32(id) })
	word := y.born[k]
	for n := uint32(id) - y.marks[k].births; n > 0; n-- {
		word &= word - 1
	}
	return k*run + bits.TrailingZeros64(word)
}

// number notes in which events n blocks were made.
func (y *history) number(n int) {
	y.made = make([]uint32, 0, (n+run-1)/run)
	for k := range y.born {
		for births := int(y.marks[k].births) + bits.OnesCount64(y.born[k]); len(y.made)*run < births; {
			y.made = append(y.made, uint32(k))
		}
	}
}

// births goes through the events that made blocks, one block after the other.
type births struct {
	born []uint64
	k    int
	word uint64 // what is left of born[k]
}

// birthsFrom begins with block id; where there is none, nothing may be asked for.
func (h *Heap) birthsFrom(id int) births {
	b := births{born: h.history.born}
	if id < h.Count() {
		event := h.birth(id)
		b.k, b.word = event/run, b.born[event/run]&^(1<<(event%run)-1)
	}
	return b
}

func (b *births) next() (event int) {
	for b.word == 0 {
		b.k++
		b.word = b.born[b.k]
	}
	event = b.k*run + bits.TrailingZeros64(b.word)
	b.word &= b.word - 1
	return event
}

// ends is the blocks in the order in which they ended.
func (h *Heap) ends() []int32 {
	if h.index == nil {
		return nil
	}
	h.index.endsOnce.Do(func() {
		y := &h.history
		h.index.ends = make([]int32, y.now.deaths)
		for id := range h.blocks.ends {
			if died := h.blocks.ends[id].died; died != alive {
				h.index.ends[y.deathsBefore(int(died))] = int32(id)
			}
		}
	})
	return h.index.ends
}

// birthsBefore is how many blocks had been made before an event, or behind the last one.
func (y *history) birthsBefore(event int) int {
	if event == 0 {
		return 0
	}
	k := (event - 1) / run
	return int(y.marks[k].births) + bits.OnesCount64(y.born[k]&(2<<((event-1)%run)-1))
}

// deathsBefore is how many blocks had ended before an event.
func (y *history) deathsBefore(event int) int {
	return int(y.marks[event/run].deaths) + bits.OnesCount64(y.died[event/run]&(1<<(event%run)-1))
}

// death is the event that ended block id, the number of events when none did.
func (h *Heap) death(id int) int {
	if h.blocks.leaked(int32(id)) {
		return h.history.n
	}
	return int(h.blocks.ends[id].died)
}

// Ticks is when block id was made and when it ended, both 0 without a clock. A block that was never freed ends with the
// last event.
func (h *Heap) Ticks(id int) (born, died traceio.Ticks) {
	c := h.history.ticks
	if c == nil || c.len() == 0 {
		return 0, 0
	}
	return traceio.Ticks(c.at(h.birth(id))), traceio.Ticks(c.at(min(h.death(id), c.len()-1)))
}

// Latencies is how long the allocator took to make block id and to free it, 0 when nobody measured.
func (h *Heap) Latencies(id int) (alloc, free traceio.Ticks) {
	l := h.history.latency
	if i := h.birth(id); i < len(l) {
		alloc = traceio.Ticks(l[i])
	}
	if i := h.death(id); i < len(l) {
		free = traceio.Ticks(l[i])
	}
	return alloc, free
}

// pyramid adds the levels above the first.
func (y *history) pyramid() {
	low, high := y.low[0], y.high[0]
	for len(low) > fan {
		n := (len(low) + fan - 1) / fan
		l, g := make([]uint64, n), make([]uint64, n)
		for i := range n {
			a, b := i*fan, min((i+1)*fan, len(low))
			l[i], g[i] = low[a], high[a]
			for k := a + 1; k < b; k++ {
				l[i], g[i] = min(l[i], low[k]), max(g[i], high[k])
			}
		}
		y.low, y.high = append(y.low, l), append(y.high, g)
		low, high = l, g
	}
}

// Live is the number of blocks that are live at time t with the bytes asked for and the bytes set aside beyond that. It
// costs a binary search and at most 64 events.
func (h *Heap) Live(t Time) (blocks int, bytes, waste uint64) {
	s := h.stateAt(h.eventAfter(t))
	return int(s.births - s.deaths), s.bytes, s.waste
}

// within is the least and the most bytes after the events i with a <= i < b, which are of one run.
func (h *Heap) within(a, b int, ends []int32) (low, high uint64) {
	if a >= b {
		return ^uint64(0), 0
	}
	y, k := &h.history, a/run
	m := y.marks[k]
	died, born := y.died[k], y.born[k]
	changes := (died | born) & (1<<(b-1-k*run)<<1 - 1)
	from := uint64(1) << (a % run)
	low = ^uint64(0)
	for ; changes != 0; changes &= changes - 1 {
		bit := changes & -changes
		if bit > from && high < low { // nothing changed after the first event
			low, high = m.bytes, m.bytes
		}
		if died&bit != 0 {
			m.bytes -= h.blocks.size(ends[m.deaths])
			m.deaths++
		}
		if born&bit != 0 {
			m.bytes += h.blocks.size(int32(m.births))
			m.births++
		}
		if bit >= from {
			low, high = min(low, m.bytes), max(high, m.bytes)
		}
	}
	if high < low {
		return m.bytes, m.bytes
	}
	return low, high
}

// between is the least and the most bytes after the events i with a <= i < b.
func (h *Heap) between(a, b int) (low, high uint64) {
	y, ends := &h.history, h.ends()
	low, high = ^uint64(0), 0
	some := func(a, b int) {
		for a < b {
			end := min(b, (a/run+1)*run)
			l, g := h.within(a, end, ends)
			low, high, a = min(low, l), max(high, g), end
		}
	}
	if a/fan == b/fan || len(y.low) == 0 {
		some(a, b)
		return low, high
	}
	some(a, (a+fan-1)/fan*fan)
	some(b/fan*fan, b)
	a, b = (a+fan-1)/fan, b/fan
	for level := 0; a < b; level++ {
		l, g := y.low[level], y.high[level]
		last := level == len(y.low)-1
		for ; a < b && (a%fan != 0 || last); a++ {
			low, high = min(low, l[a]), max(high, g[a])
		}
		for ; a < b && b%fan != 0; b-- {
			low, high = min(low, l[b-1]), max(high, g[b-1])
		}
		a, b = a/fan, b/fan
	}
	return low, high
}

// Occupancy is the least and the most bytes that were live at any moment of [from, to), in bytes asked for.
func (h *Heap) Occupancy(from, to Time) (low, high uint64) {
	_, v, _ := h.Live(from)
	a, b := h.eventAfter(from), h.eventAfter(to-1)
	if a >= b {
		return v, v
	}
	low, high = h.between(a, b)
	return min(low, v), max(high, v)
}

// Events is the number of heap events in [from, to).
func (h *Heap) Events(from, to Time) int { return max(h.eventAfter(to-1)-h.eventAfter(from-1), 0) }
