package heap

import (
	"math"

	"orrery/traceio"
)

// Builder makes a heap of a log that comes piece by piece and of which nobody keeps the whole: a log without
// references. A Builder belongs to one goroutine.
//
// It is one loop over the events, in runs of 64:
//
//	events --lookAhead--> where each address is in the live set
//	       --clock------> history: times, and which events are older than the one before
//	       --event------> table of blocks, errors, reallocations, and changes:
//	                      changes --> history: which events allocated and ended blocks, bytes live
//	                              --> bins:    sums and peaks by size class
//
// All that is counted by site, stack or address is summed from the table of blocks once the log has ended: summary.go.
type Builder struct {
	h       *Heap
	live    *live
	threads []threadState
	changes [2 * run]change // of the run that is taken in,
	changed int             // as many
	sinks   []sink
	bins    binSums
	ended   int // blocks
	frees   int // expected
	ahead   lookAhead

	before words // by address: the last block that began there plus 1,
	known  int   // of as many blocks
}

// threadState is the last event of a thread.
type threadState struct {
	allocated int32 // the block that it allocated, -1 for none
	freed     int32 // the block that it freed, -1 for none, and then
	failed    int32 // which of Heap.Errors it was, -1 for none
	stack     traceio.StackID
	seq       traceio.Seq
}

// change is a block that an event of a run allocated or ended. An event that allocates over a live block does both.
type change struct {
	low   traceio.Addr
	size  uint64 // bytes asked for
	waste uint32 // bytes set aside beyond that
	event uint8  // of the run
	ended bool   // rather than allocated
}

// sink takes in what the events did, run by run, in the order of the log: the changes of events [from, to), which are
// of one run of 64.
type sink interface {
	take(changes []change, from, to int)
}

// NewBuilder begins a heap. mallocs and frees is how many events of either kind are expected; it only saves memory.
func NewBuilder(mallocs, frees int) *Builder {
	h := &Heap{Rule: glibc, Axis: Axis{Ordinal: true}, blocks: newBlocks(mallocs), history: newHistory(mallocs + frees)}
	b := &Builder{h: h, live: newLive(4, mallocs), frees: frees}
	b.sinks = []sink{&h.history, &b.bins}
	return b
}

// references tells that the log stands among end data references, and has n events.
func (b *Builder) references(end traceio.Seq, n int) {
	if end == 0 {
		return
	}
	b.h.Axis.end = end
	b.h.history.seqs = newColumn((n + run - 1) / run)
	b.h.Axis.Ordinal = uint64(end) < uint64(n)
}

// Add takes in the next events.
func (b *Builder) Add(events []traceio.Alloc) {
	if n := min(-b.h.history.n&(run-1), len(events)); n > 0 { // the rest of a run that has begun
		b.add(events[:n])
		events = events[n:]
	}
	for ; len(events) > mostAhead; events = events[mostAhead:] {
		b.add(events[:mostAhead])
	}
	b.add(events)
}

// add takes in at most mostAhead events; all but the first begin no run or stand at the beginning of one.
func (b *Builder) add(events []traceio.Alloc) {
	t := &b.h.blocks
	t.reserve(len(events))
	b.ahead.begin(b.live, events, t.ends)
	for k := 0; k*run < len(events); k++ {
		spots := b.ahead.next(k, t.ends)
		b.run(b.ahead.run(k), spots)
	}
}

// run takes in events of one run. It is one function, and what is rare is in others: calls would cost as much as the
// rest.
func (b *Builder) run(events []traceio.Alloc, spots *[run]spot) {
	h, l, t := b.h, b.live, &b.h.blocks
	from := h.history.n
	back := h.history.clock(events)
	b.changed = 0
	estimated, ends := t.waste == nil, t.ends
	for i := range events {
		e, spot := &events[i], spots[i%run]
		if back>>i&1 != 0 {
			b.addError(BackInTime, from+i, e, -1)
		}
		if int(e.Thread) >= len(b.threads) {
			b.addThread(e.Thread)
		}
		if e.Addr+1 <= 1 { // free(NULL), or an allocation that failed: mmap answers -1
			continue
		}
		thread := &b.threads[e.Thread]
		if e.Op == traceio.Free {
			if spot.id < 0 { // the page may be newer than the look ahead
				spot = l.spot(e.Addr)
			}
			id := l.at(e.Addr, spot)
			if id < 0 {
				thread.set(-1, -1, b.badFree(from+i, e), e)
				continue
			}
			b.end(from+i, id, e.Addr, spot)
			if e.Stack != 0 || e.Thread != 0 || t.freeStacks != nil || t.freeThreads != nil {
				t.freed(b.ended-1, e.Stack, e.Thread, b.frees)
			}
			if thread.allocated == id {
				t.passing[id/64] |= 1 << (id % 64)
			}
			if t.thread(id) != e.Thread {
				h.Crossed++
			}
			thread.set(-1, id, -1, e)
			continue
		}
		size, wrong := askedFor(e)
		waste := setAside(e, size)
		id := int32(t.n)
		t.n++
		t.low[id], t.stacks[id] = e.Addr, e.Stack
		ends[id].bytes, ends[id].died = uint32(size), alive
		if size >= math.MaxUint32 || e.Thread != 0 || t.threads != nil || e.Usable > 0 || !estimated {
			t.addMore(int(id), e, size, waste)
			estimated = t.waste == nil
		}
		if wrong != noError {
			b.addError(wrong, from+i, e, int(id))
		}
		high := e.Addr + traceio.Addr(max(size, 1))
		if !l.tryInsert(e.Addr, high, id, spot) {
			b.insertSlow(from+i, e, high, id)
		}
		b.change(i+from, e.Addr, size, waste, false)
		if thread.sameCall(e) {
			b.link(thread, id)
		}
		thread.set(id, -1, -1, e)
	}
	for _, s := range b.sinks {
		s.take(b.changes[:b.changed], from, h.history.n)
	}
}

// addThread makes room for a thread, and for those with lower numbers.
func (b *Builder) addThread(t traceio.Thread) {
	for int(t) >= len(b.threads) {
		b.threads = append(b.threads, threadState{allocated: -1, freed: -1, failed: -1})
	}
}

// set notes the thread's last event. Fields are set one by one: a literal would be put together elsewhere and copied,
// and waited for.
func (t *threadState) set(allocated, freed, failed int32, e *traceio.Alloc) {
	t.allocated, t.freed, t.failed, t.stack, t.seq = allocated, freed, failed, e.Stack, e.Seq
}

// link joins a new block with the free that its thread made before, as a reallocation.
func (b *Builder) link(t *threadState, id int32) {
	if t.freed >= 0 {
		b.h.Links = append(b.h.Links, Link{t.freed, id})
	} else {
		b.reclassify(t.failed)
	}
}

// insertSlow makes room for block id, which is new, and puts it there.
func (b *Builder) insertSlow(i int, e *traceio.Alloc, high traceio.Addr, id int32) {
	spot := b.live.spot(e.Addr)
	t := &b.h.blocks
	if old := b.live.at(e.Addr, spot); old >= 0 { // its free is missing from the log
		b.addError(Overlap, i, e, int(old))
		b.end(i, old, e.Addr, spot)
		t.cuts = roomy(t.cuts, len(t.passing))
		t.cuts[old/64] |= 1 << (old % 64)
	}
	old := b.live.clash(e.Addr, high, t)
	if old >= 0 {
		b.addError(Overlap, i, e, int(old))
	}
	if b.live.insert(e.Addr, high, id, old >= 0, t) {
		b.ahead.renew()
	}
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

// sameCall tells whether an allocation belongs with the free that its thread made before: the two are one reallocation.
func (t *threadState) sameCall(e *traceio.Alloc) bool {
	if t.freed < 0 && t.failed < 0 || t.stack != e.Stack {
		return false
	}
	return e.Stack != 0 || e.Seq > 0 && t.seq == e.Seq
}

// end ends a live block, which begins at low, whose spot is given, at event i.
func (b *Builder) end(i int, id int32, low traceio.Addr, spot spot) {
	t := &b.h.blocks
	t.ends[id].died = uint32(i)
	size, waste := t.size(id), uint32(0)
	if t.waste != nil {
		waste = t.waste[id]
	} else {
		waste = uint32(usableOf(size) - size)
	}
	b.live.remove(low, low+traceio.Addr(max(size, 1)), spot)
	b.ended++
	b.change(i, low, size, waste, true)
}

// change notes what event i did for the sinks. See threadState.set.
func (b *Builder) change(i int, low traceio.Addr, size uint64, waste uint32, ended bool) {
	c := &b.changes[b.changed%len(b.changes)]
	c.low, c.size, c.waste, c.event, c.ended = low, size, waste, uint8(i%run), ended
	b.changed++
}

// badFree is a free of what is no live block's address; it gives the place of the error in Heap.Errors, -1 if it is no
// longer listed.
func (b *Builder) badFree(i int, e *traceio.Alloc) int32 {
	h := b.h
	listed := len(h.Errors)
	if old, _, ok := b.live.below(e.Addr); ok && h.blocks.low[old] < e.Addr && h.blocks.high(old) > e.Addr {
		b.addError(InnerFree, i, e, int(old))
	} else if last := b.lastAt(e.Addr); last >= 0 {
		b.addError(DoubleFree, i, e, last)
	} else {
		b.addError(UnknownFree, i, e, -1)
	}
	if len(h.Errors) == listed {
		return -1
	}
	return int32(listed)
}

// lastAt is the last block that began at an address, -1 if none ever did. Only logs with errors ask.
func (b *Builder) lastAt(at traceio.Addr) int {
	for t := &b.h.blocks; b.known < t.n; b.known++ {
		*b.before.make(uint64(t.low[b.known])) = uint64(b.known + 1)
	}
	return int(b.before.get(uint64(at))) - 1
}

// addError counts an error at event i, and lists it while there is room.
func (b *Builder) addError(k ErrorKind, i int, e *traceio.Alloc, block int) {
	h := b.h
	h.errors[k]++
	if len(h.Errors) < maxErrors {
		seq := e.Seq
		if h.history.seqs == nil {
			seq = traceio.Seq(i)
		}
		h.Errors = append(h.Errors, Error{Kind: k, Event: i, Seq: seq, At: h.time(i), Addr: e.Addr, Size: e.Size,
			Thread: e.Thread, Stack: e.Stack, Block: block})
	}
}

// reclassify makes a failed free that turns out to be the first part of a reallocation an error of that kind.
func (b *Builder) reclassify(failed int32) {
	e := &b.h.Errors[failed]
	if e.Kind == DoubleFree || e.Kind == UnknownFree {
		b.h.errors[e.Kind]--
		b.h.errors[DeadRealloc]++
		e.Kind = DeadRealloc
	}
}
