package heap

import (
	"math/bits"

	"orrery/traceio"
)

// brief is what a builder keeps that is asked for sites only: what each stack did. Blocks are forgotten when they end, and
// their numbers are given again, so that what is touched at every event is as small as the live heap.
type brief struct {
	tallies []tally
	of      words   // by StackID: index of tallies plus 1
	order   []int32 // the tally of each allocation
	spare   []int32 // numbers of blocks that have ended
	peak    uint64  // how often there has been a new peak
}

// tally is what one stack did so far. The cost's PeakBytes are those of the peak that is numbered so; what is live changes
// only after they have been noted.
type tally struct {
	Cost
	stack traceio.StackID
	peak  uint64
	live  uint64
}

// NewBriefBuilder begins a builder that ends with Summary instead of Heap. mallocs is how many allocations are expected. The
// log has no references.
func NewBriefBuilder(mallocs int) *Builder {
	h := &Heap{Rule: glibc, Axis: Axis{Ordinal: true}, Blocks: make([]Block, 0, mallocs)}
	return &Builder{h: h, live: newLive(4), brief: &brief{order: make([]int32, 0, mallocs)}}
}

// reuse takes the number of a block that has ended.
func (f *brief) reuse() (id int32, ok bool) {
	n := len(f.spare)
	if n == 0 {
		return 0, false
	}
	id = f.spare[n-1]
	f.spare = f.spare[:n-1]
	return id, true
}

// tally is that of a block, before what is live changes.
func (f *brief) tally(b *Block) *tally {
	t := &f.tallies[b.Site]
	if t.peak != f.peak {
		t.PeakBytes, t.peak = t.live, f.peak
	}
	return t
}

func (f *brief) made(b *Block) {
	w := f.of.make(uint64(b.AllocStack))
	if *w == 0 {
		f.tallies = append(f.tallies, tally{stack: b.AllocStack, peak: f.peak})
		*w = uint64(len(f.tallies))
	}
	b.Site = int32(*w - 1)
	f.order = append(f.order, b.Site)
	t := f.tally(b)
	t.Blocks++
	t.Bytes += b.Size
	t.WasteBytes += b.Waste()
	t.live += b.Size
}

func (f *brief) ended(b *Block, id int32) {
	f.tally(b).live -= b.Size
	f.spare = append(f.spare, id)
}

func (f *brief) freed(b *Block) {
	t := &f.tallies[b.Site]
	if b.Temporary {
		t.Temporary++
	}
	if b.Thread != b.FreeThread {
		t.Crossed++
	}
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

// Summary ends the log of a brief builder and gives what it says of sites, with their activity in so many parts of the time.
// prog names the stacks and may be nil. The Builder is of no use after it.
func (a *Builder) Summary(prog *traceio.Program, parts int) *Summary {
	h, f := a.h, a.brief
	a.live, a.threads = nil, nil
	h.Program = prog
	a.endAxis()
	h.stacks = make([]Cost, h.knownStacks())
	for i := range h.Blocks {
		if b := &h.Blocks[i]; b.Leaked {
			t := &f.tallies[b.Site]
			t.LeakedBlocks++
			t.LiveBytes += b.Size
		}
	}
	for i := range f.tallies {
		t := &f.tallies[i]
		if t.peak != f.peak {
			t.PeakBytes = t.live
		}
		h.stacks[h.knownStack(t.stack)].plus(&t.Cost)
	}
	sites, of := sitesOf(prog, h.stacks)
	h.Sites = sites
	for i := range h.Blocks {
		b := &h.Blocks[i]
		b.Site = of[h.knownStack(f.tallies[b.Site].stack)]
	}
	s := &Summary{Sites: sites, Leaks: h.Leaks(), Axis: h.Axis, Allocations: uint64(a.now.births), Frees: h.Frees, PeakBytes: h.PeakBytes, Errors: h.errorCount()}
	s.Activity = f.activity(h, of, parts)
	return s
}

// activity is Heap.Activity of what is kept of each allocation.
func (f *brief) activity(h *Heap, of []int32, parts int) [][]uint64 {
	out := make([][]uint64, len(h.Sites))
	for i := range out {
		out[i] = make([]uint64, parts)
	}
	sites := make([][]uint64, len(f.tallies))
	for i := range sites {
		sites[i] = out[of[h.knownStack(f.tallies[i].stack)]]
	}
	next := 0
	for k, word := range h.history.born {
		first, last := h.part(Time(k*run), parts), h.part(Time(k*run+run-1), parts)
		for ; word != 0; word &= word - 1 {
			part := first
			if first != last {
				part = h.part(Time(k*run+bits.TrailingZeros64(word)), parts)
			}
			sites[f.order[next]][part]++
			next++
		}
	}
	return out
}
