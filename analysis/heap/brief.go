package heap

import (
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"orrery/traceio"
)

// Brief reads a log for what it says of the places that allocate, and keeps eight bytes of each allocation: a tenth of
// what a Builder takes. The log comes piece by piece and has no references. A Brief belongs to one goroutine.
type Brief struct {
	live    *live
	blocks  []briefBlock     // in order of allocation
	large   map[int32]uint64 // sizes of those that are too large for a briefBlock
	owners  []traceio.Thread // who allocated each; nil while thread 0 is the only one
	born    []uint64         // of each event whether it made a block, with room for more
	n       int              // events
	last    []int32          // by thread: the block that its last event made, -1 for none
	tallies []tally
	of      words    // by StackID: index of tallies plus 1,
	few     []uint32 // and for the first of them without a search
	bytes   uint64   // live
	peak    uint64   // the most of them
	peaks   uint64   // how often there has been a new peak
	frees   uint64
	errors  uint64
	latest  traceio.Ticks
	ahead   ahead
}

// briefBlock is one allocation.
type briefBlock struct {
	bytes uint32 // asked for; MaxUint32 for more than that
	tally uint32 // index of the tally; with the bit ended once the block has been freed, or cut by another in its place
}

const ended = 1 << 31

// tally is what one stack did so far. The cost's PeakBytes are those of the peak that is numbered so; what is live
// changes only after they have been noted.
type tally struct {
	Cost
	stack traceio.StackID
	peak  uint64
	live  uint64
}

// NewBrief begins to read a log. mallocs is how many allocations are expected; it only saves memory.
func NewBrief(mallocs int) *Brief {
	return &Brief{live: newLive(4, mallocs), blocks: make([]briefBlock, 0, mallocs)}
}

// Add takes in the next events.
func (f *Brief) Add(events []traceio.Alloc) {
	for ; len(events) > mostAhead; events = events[mostAhead:] {
		f.add(events[:mostAhead])
	}
	f.add(events)
}

func (f *Brief) add(events []traceio.Alloc) {
	f.blocks = slices.Grow(f.blocks, len(events)) // so that they stay where they are
	f.born = roomy(f.born, (f.n+len(events))/run+1)
	blocks := unsafe.Pointer(unsafe.SliceData(f.blocks))
	f.ahead.begin(f.live, events, blocks)
	for k := 0; k*group < len(events); k++ {
		spots := f.ahead.next(k, blocks)
		these := f.ahead.group(k)
		if f.plain(these) {
			f.quick(these, spots, k)
			continue
		}
		for i := range these {
			f.event(&these[i], spots[i%group])
			f.ahead.renew(k)
		}
	}
}

func (f *Brief) event(e *traceio.Alloc, at spot) {
	if e.Ticks < f.latest {
		f.errors++
	}
	f.latest = max(f.latest, e.Ticks)
	for int(e.Thread) >= len(f.last) {
		f.last = append(f.last, -1)
	}
	switch {
	case e.Addr == 0 || e.Addr == ^traceio.Addr(0): // see Builder.event
	case e.Op == traceio.Free:
		f.free(e, at)
	default:
		f.born[f.n/run] |= 1 << (f.n % run)
		f.alloc(e, at)
	}
	f.n++
	if f.bytes > f.peak {
		f.peak = f.bytes
		f.peaks++
	}
}

func (f *Brief) alloc(e *traceio.Alloc, at spot) {
	id := int32(len(f.blocks))
	size, wrong := askedFor(e)
	if wrong != noError {
		f.errors++
	}
	of := f.tallyOf(e.Stack)
	b := briefBlock{uint32(size), uint32(of)}
	if size >= math.MaxUint32 {
		if f.large == nil {
			f.large = map[int32]uint64{}
		}
		f.large[id] = size
		b.bytes = math.MaxUint32
	}
	f.blocks = append(f.blocks, b)
	if e.Thread != 0 || f.owners != nil {
		f.owners = append(f.owners, make([]traceio.Thread, int(id)-len(f.owners))...)
		f.owners = append(f.owners, e.Thread)
	}
	high := e.Addr + traceio.Addr(max(size, 1))
	if !f.live.place(e.Addr, high, id, at) {
		f.settle(e, high, id)
	}
	t := f.tally(of)
	t.Blocks++
	t.Bytes += size
	t.WasteBytes += uint64(setAside(e, size))
	t.live += size
	f.bytes += size
	f.last[e.Thread] = id
}

// fewStacks is how many stacks are found without a search.
const fewStacks = 1 << 16

// tallyOf is the index of a stack's tally.
func (f *Brief) tallyOf(id traceio.StackID) uint64 {
	if int(id) < len(f.few) && f.few[id] > 0 {
		return uint64(f.few[id] - 1)
	}
	w := f.of.make(uint64(id))
	if *w == 0 {
		f.tallies = append(f.tallies, tally{stack: id, peak: f.peaks})
		*w = uint64(len(f.tallies))
		if id < fewStacks {
			f.few = roomy(f.few, int(id)+1)
			f.few[id] = uint32(*w)
		}
	}
	return *w - 1
}

// settle is Builder.settle.
func (f *Brief) settle(e *traceio.Alloc, high traceio.Addr, id int32) {
	at := f.live.spot(e.Addr)
	if old := f.live.at(e.Addr, at); old >= 0 {
		f.errors++
		f.end(e.Addr, old, at)
	}
	clash := f.live.clash(e.Addr, high, f) >= 0
	if clash {
		f.errors++
	}
	f.live.insert(e.Addr, high, id, clash, f)
}

func (f *Brief) free(e *traceio.Alloc, at spot) {
	if at.id < 0 { // see Builder.free
		at = f.live.spot(e.Addr)
	}
	last := f.last[e.Thread]
	f.last[e.Thread] = -1
	id := f.live.at(e.Addr, at)
	if id < 0 {
		f.errors++
		return
	}
	t := f.end(e.Addr, id, at)
	f.frees++
	if last == id {
		t.Temporary++
	}
	if f.owner(id) != e.Thread {
		t.Crossed++
	}
}

// end takes away a live block, which begins at low, whose spot is given, and gives the tally that it is of.
func (f *Brief) end(low traceio.Addr, id int32, at spot) *tally {
	b := &f.blocks[id]
	size := uint64(b.bytes)
	if size == math.MaxUint32 {
		size = f.large[id]
	}
	f.live.remove(low, low+traceio.Addr(max(size, 1)), at)
	t := f.tally(uint64(b.tally))
	b.tally |= ended
	t.live -= size
	f.bytes -= size
	return t
}

func (f *Brief) size(id int32) uint64 {
	if b := f.blocks[id].bytes; b < math.MaxUint32 {
		return uint64(b)
	}
	return f.large[id]
}

// owner is the thread that allocated a block.
func (f *Brief) owner(id int32) traceio.Thread {
	if int(id) < len(f.owners) {
		return f.owners[id]
	}
	return 0
}

// tally is one of the tallies, before what is live changes.
func (f *Brief) tally(i uint64) *tally {
	t := &f.tallies[i]
	if t.peak != f.peaks {
		t.PeakBytes, t.peak = t.live, f.peaks
	}
	return t
}

// Summary is what a log says of the places that allocate.
type Summary struct {
	Sites    []Site     // the most bytes first
	Leaks    []Leak     // see Heap.Leaks
	Activity [][]uint64 // by site: see Heap.Activity
	Axis     Axis

	Allocations uint64
	Frees       uint64
	PeakBytes   uint64
	Errors      uint64
}

// Summary tells of the heap's sites, with their activity in so many parts of the time.
func (h *Heap) Summary(parts int) *Summary {
	return &Summary{Sites: h.Sites, Leaks: h.Leaks(), Activity: h.Activity(parts), Axis: h.Axis,
		Allocations: h.Allocations, Frees: h.Frees, PeakBytes: h.PeakBytes, Errors: h.errorCount()}
}

// Summary ends the log and gives what it says of sites, with their activity in so many parts of the time. prog names
// the stacks and may be nil. The Brief is of no use after it.
func (f *Brief) Summary(prog *traceio.Program, parts int) *Summary {
	f.live, f.ahead = nil, ahead{}
	for id := range f.blocks {
		if b := &f.blocks[id]; b.tally&ended == 0 {
			t := &f.tallies[b.tally]
			t.LeakedBlocks++
			t.LiveBytes += f.size(int32(id))
		}
	}
	axis := Axis{Ordinal: true, End: Time(f.n), end: traceio.Seq(f.n)}
	h := &Heap{Program: prog, Axis: axis}
	h.stacks = make([]Cost, h.knownStacks())
	for i := range f.tallies {
		t := f.tally(uint64(i))
		h.stacks[h.knownStack(t.stack)].plus(&t.Cost)
	}
	sites, of := sitesOf(prog, h.stacks)
	s := &Summary{Sites: sites, Axis: axis, Allocations: uint64(len(f.blocks)), Frees: f.frees,
		PeakBytes: f.peak, Errors: f.errors}
	leaks := make([]Leak, len(sites))
	s.Activity = newActivity(len(sites), parts)
	next := 0
	for k, word := range f.born {
		first, last := axis.part(Time(k*run), parts), axis.part(Time(k*run+run-1), parts)
		for ; word != 0; word &= word - 1 {
			at := Time(k*run + bits.TrailingZeros64(word))
			part := first
			if first != last {
				part = axis.part(at, parts)
			}
			b := &f.blocks[next]
			site := of[h.knownStack(f.tallies[b.tally&^ended].stack)]
			s.Activity[site][part]++
			if b.tally&ended == 0 {
				leaks[site].add(at, f.size(int32(next)), &axis)
			}
			next++
		}
	}
	s.Leaks = rankLeaks(leaks)
	return s
}
