package heap

import (
	"math"
	"unsafe"

	"orrery/traceio"
)

// Builder makes a heap of a log that comes piece by piece and of which nobody keeps the whole: a log without
// references. A Builder belongs to one goroutine.
type Builder struct {
	h       *Heap
	live    *live
	threads []recent
	now     mark // births and deaths as of the beginning of the run
	end     traceio.Seq
	latest  traceio.Ticks
	low     uint64
	high    uint64 // of the bytes live in this run of 64 events,
	highAt  int    // first after that one
	lows    []uint64
	highs   []uint64
	classes [classes]class
	ahead   ahead
	before  words // by address: the last block that began there plus 1,
	known   int   // of as many blocks
	frees   int   // expected
}

// recent is the last event of a thread.
type recent struct {
	made  int32 // the block that it made, -1 for none
	freed int32 // the block that it freed, -1 for none, and then
	fault int32 // which of Heap.Errors it was, -1 for none
	stack traceio.StackID
	seq   traceio.Seq
}

// NewBuilder begins a heap. mallocs and frees is how many events of either kind are expected; it only saves memory.
func NewBuilder(mallocs, frees int) *Builder {
	n := mallocs + frees
	h := &Heap{Rule: glibc, Axis: Axis{Ordinal: true}, blocks: newBlocks(mallocs)}
	words := (n + run - 1) / run
	h.history = history{born: make([]uint64, 0, words), died: make([]uint64, 0, words), marks: make([]mark, 0, words)}
	return &Builder{h: h, live: newLive(4, mallocs), lows: make([]uint64, 0, words),
		highs: make([]uint64, 0, words), frees: frees}
}

// references tells that the log stands among end data references, and has n events.
func (a *Builder) references(end traceio.Seq, n int) {
	if end == 0 {
		return
	}
	a.end = end
	a.h.history.seqs = newColumn((n + run - 1) / run)
	a.h.Axis.Ordinal = uint64(end) < uint64(n)
}

// Add takes in the next events.
func (a *Builder) Add(events []traceio.Alloc) {
	if n := min(-a.h.history.n&(group-1), len(events)); n > 0 { // so that no group is of two runs
		a.add(events[:n])
		events = events[n:]
	}
	for ; len(events) > mostAhead; events = events[mostAhead:] {
		a.add(events[:mostAhead])
	}
	a.add(events)
}

// add takes in events from the beginning of a group on, at most mostAhead.
func (a *Builder) add(events []traceio.Alloc) {
	a.h.blocks.reserve(len(events))
	fates := unsafe.Pointer(unsafe.SliceData(a.h.blocks.fates))
	a.ahead.begin(a.live, events, fates)
	for k := 0; k*group < len(events); k++ {
		spots := a.ahead.next(k, fates)
		if a.h.history.n%run == 0 {
			a.turn()
		}
		these := a.ahead.group(k)
		if a.plain(these) {
			a.quick(these, spots, k)
			continue
		}
		still := a.still(these)
		for i := range these {
			a.event(&these[i], spots[i%group], still)
			a.ahead.renew(k)
		}
	}
}

// event takes in an event, whose time has been noted if the clock stands still.
func (a *Builder) event(e *traceio.Alloc, spot spot, still bool) {
	i := a.h.history.n
	a.h.history.n++
	at := Time(i)
	if !still {
		at = a.clock(i, e)
	}
	for int(e.Thread) >= len(a.threads) {
		a.threads = append(a.threads, recent{-1, -1, -1, 0, 0})
	}
	switch {
	case e.Addr == 0 || e.Addr == ^traceio.Addr(0): // free(NULL), or an allocation that failed (mmap tells so by -1)
	case e.Op == traceio.Free:
		a.free(i, at, e, spot)
	default:
		a.alloc(i, at, e, spot)
	}
	if a.low = min(a.low, a.now.bytes); a.now.bytes > a.high {
		a.high, a.highAt = a.now.bytes, i
	}
}

// turn begins a run of events.
func (a *Builder) turn() {
	y := &a.h.history
	a.close()
	y.born = append(y.born, 0)
	y.died = append(y.died, 0)
	a.now.births, a.now.deaths = uint32(a.h.blocks.n), uint32(y.deaths)
	y.marks = append(y.marks, a.now)
}

// close ends a run of events.
func (a *Builder) close() {
	if a.h.history.n > 0 {
		a.lows, a.highs = append(a.lows, a.low), append(a.highs, a.high)
	}
	if h := a.h; a.high > h.PeakBytes {
		h.PeakBytes, h.PeakAt = a.high, h.time(a.highAt)
	}
	a.low, a.high = ^uint64(0), 0
}

// still tells whether events are numbered themselves, all have one time and nobody measured; then it notes that time.
func (a *Builder) still(events []traceio.Alloc) bool {
	at := events[0].Ticks
	if !a.bare(at) {
		return false
	}
	for i := range events {
		if events[i].Ticks != at || events[i].Latency > 0 {
			return false
		}
	}
	a.stay(at, len(events))
	return true
}

// bare tells whether nothing was noted of events so far but times, up to this one.
func (a *Builder) bare(at traceio.Ticks) bool {
	y := &a.h.history
	return y.seqs == nil && y.latency == nil && at >= a.latest && (y.ticks != nil || at == 0)
}

// stay notes the time of n events.
func (a *Builder) stay(at traceio.Ticks, n int) {
	if a.latest = at; a.h.history.ticks != nil {
		a.h.history.ticks.repeat(uint64(at), n)
	}
}

// clock notes the event's time and gives its place on the axis.
func (a *Builder) clock(i int, e *traceio.Alloc) Time {
	y := &a.h.history
	at, back := Time(i), false
	if y.seqs != nil {
		seq := uint64(e.Seq)
		if i > 0 {
			last := y.seqs.at(i - 1)
			back = seq < last
			seq = max(seq, last)
		}
		y.seqs.append(seq)
		if !a.h.Axis.Ordinal {
			at = Time(min(seq, math.MaxInt64-1))
		}
	}
	if y.ticks != nil || e.Ticks > 0 {
		if y.ticks == nil {
			y.ticks = newColumn(cap(y.marks))
			for range i {
				y.ticks.append(0)
			}
		}
		back = back || e.Ticks < a.latest
		a.latest = max(a.latest, e.Ticks)
		y.ticks.append(uint64(a.latest))
	}
	if y.latency != nil || e.Latency > 0 {
		if y.latency == nil {
			y.latency = make([]uint32, i, cap(y.marks)*run)
		}
		y.latency = append(y.latency, uint32(min(e.Latency, math.MaxUint32)))
	}
	if back {
		a.fault(BackInTime, i, at, e, -1)
	}
	return at
}

// alloc takes in an allocation.
func (a *Builder) alloc(i int, at Time, e *traceio.Alloc, spot spot) {
	h := a.h
	size, wrong := askedFor(e)
	id := h.blocks.add(e, size)
	if wrong != noError {
		a.fault(wrong, i, at, e, int(id))
	}
	high := e.Addr + traceio.Addr(max(size, 1))
	if !a.live.place(e.Addr, high, id, spot) {
		a.settle(i, at, e, high, id)
	}
	waste := setAside(e, size)
	if e.Usable > 0 || h.blocks.waste != nil {
		h.blocks.tell(waste)
	}
	h.history.born[i/run] |= 1 << (i % run)
	a.now.bytes += size
	a.now.waste += uint64(waste)
	a.classes[binOf(size+uint64(waste))].add(e.Addr, at, size, uint64(waste))
	t := &a.threads[e.Thread]
	if sameCall(t, e) {
		if t.freed >= 0 {
			h.Links = append(h.Links, Link{t.freed, id})
		} else {
			a.rename(t.fault)
		}
	}
	t.made, t.freed, t.fault, t.stack, t.seq = id, -1, -1, e.Stack, e.Seq
}

// settle makes room for block id, which is new, and puts it there.
func (a *Builder) settle(i int, at Time, e *traceio.Alloc, high traceio.Addr, id int32) {
	spot := a.live.spot(e.Addr)
	if old := a.live.at(e.Addr, spot); old >= 0 { // its free is missing from the log
		a.fault(Overlap, i, at, e, int(old))
		a.stop(old, e.Addr, i, spot)
		b := &a.h.blocks
		b.cuts = roomy(b.cuts, len(b.passing))
		b.cuts[old/64] |= 1 << (old % 64)
	}
	old := a.live.clash(e.Addr, high, &a.h.blocks)
	if old >= 0 {
		a.fault(Overlap, i, at, e, int(old))
	}
	a.live.insert(e.Addr, high, id, old >= 0, &a.h.blocks)
}

// askedFor is the bytes that an event asked for; one that cannot be right is 0, and wrong is its kind of error, noError
// otherwise.
func askedFor(e *traceio.Alloc) (size uint64, wrong ErrorKind) {
	switch {
	case e.Size >= 1<<63:
		return 0, NegativeSize
	case e.Size > maxSize || uint64(e.Addr)+e.Size < e.Size:
		return 0, HugeBlock
	}
	return e.Size, noError
}

// setAside is the bytes that were set aside beyond the size; estimated when the event does not tell.
func setAside(e *traceio.Alloc, size uint64) uint32 {
	if e.Usable > size && e.Usable-size < math.MaxUint32 && size == e.Size {
		return uint32(e.Usable - size)
	} else if e.Usable != size || size == 0 {
		return uint32(usableOf(size) - size)
	}
	return 0
}

// sameCall tells whether an allocation belongs with the free that its thread made before: they are the halves of a
// reallocation.
func sameCall(t *recent, e *traceio.Alloc) bool {
	if t.freed < 0 && t.fault < 0 || t.stack != e.Stack {
		return false
	}
	return e.Stack != 0 || e.Seq > 0 && t.seq == e.Seq
}

func (a *Builder) free(i int, at Time, e *traceio.Alloc, spot spot) {
	if spot.id < 0 { // it may have been made since
		spot = a.live.spot(e.Addr)
	}
	h := a.h
	t := &a.threads[e.Thread]
	last := t.made
	t.made, t.freed, t.fault, t.stack, t.seq = -1, -1, -1, e.Stack, e.Seq
	id := a.live.at(e.Addr, spot)
	if id < 0 {
		t.fault = int32(len(h.Errors))
		if old, _, ok := a.live.below(e.Addr); ok && h.blocks.low[old] < e.Addr && h.blocks.high(old) > e.Addr {
			a.fault(InnerFree, i, at, e, int(old))
		} else if last := a.lastAt(e.Addr); last >= 0 {
			a.fault(DoubleFree, i, at, e, last)
		} else {
			a.fault(UnknownFree, i, at, e, -1)
		}
		if int(t.fault) == len(h.Errors) { // no longer listed
			t.fault = -1
		}
		return
	}
	a.stop(id, e.Addr, i, spot)
	h.blocks.freed(h.history.deaths-1, e.Stack, e.Thread, a.frees)
	t.freed = id
	if last == id {
		h.blocks.passing[id/64] |= 1 << (id % 64)
	}
	if h.blocks.thread(id) != e.Thread {
		h.Crossed++
	}
}

// lastAt is the last block that began at an address, -1 if none ever did. Only logs with errors ask.
func (a *Builder) lastAt(at traceio.Addr) int {
	for b := &a.h.blocks; a.known < b.n; a.known++ {
		*a.before.make(uint64(b.low[a.known])) = uint64(a.known + 1)
	}
	return int(a.before.get(uint64(at))) - 1
}

// stop ends a live block, which begins at low, whose spot is given, at event i.
func (a *Builder) stop(id int32, low traceio.Addr, i int, spot spot) {
	y := &a.h.history
	b := &a.h.blocks
	b.fates[id].died = uint32(i)
	size, waste := b.size(id), b.wasted(id)
	a.live.remove(low, low+traceio.Addr(max(size, 1)), spot)
	a.now.bytes -= size
	a.now.waste -= waste
	y.deaths++
	y.died[i/run] |= 1 << (i % run)
	a.classes[binOf(size+waste)].remove(size, waste)
}

func (a *Builder) fault(k ErrorKind, i int, at Time, e *traceio.Alloc, block int) {
	h := a.h
	h.errors[k]++
	if len(h.Errors) < maxErrors {
		seq := e.Seq
		if h.history.seqs == nil {
			seq = traceio.Seq(i)
		}
		h.Errors = append(h.Errors, Error{Kind: k, Event: i, Seq: seq, At: at, Addr: e.Addr, Size: e.Size, Thread: e.Thread,
			Stack: e.Stack, Block: block})
	}
}

// rename makes a failed free that turns out to be half of a reallocation an error of that kind.
func (a *Builder) rename(fault int32) {
	e := &a.h.Errors[fault]
	if e.Kind == DoubleFree || e.Kind == UnknownFree {
		a.h.errors[e.Kind]--
		a.h.errors[DeadRealloc]++
		e.Kind = DeadRealloc
	}
}
