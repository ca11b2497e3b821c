package heap

import (
	"context"

	"orrery/traceio"
)

// Analyze builds the heap from a log in order of time. end is the number of data references in the recording, 0 for one
// that has none and counts its events instead; prog names the stacks and may be nil. Errors in the log are counted and
// listed (Heap.Errors), never fatal; the only error is ctx's. report is told events and may be nil.
func Analyze(ctx context.Context, allocs []traceio.Alloc, end traceio.Seq, prog *traceio.Program, report func(done, total int64)) (*Heap, error) {
	a := &analyzer{h: &Heap{Axis: chooseAxis(allocs, end)}, sites: newSiter(prog), frees: newSiter(prog), last: make([]int32, 1<<16)}
	var all traceio.Addr
	known := false
	blocks := 0
	for i := range allocs {
		all |= allocs[i].Addr
		known = known || allocs[i].Usable > 0
		if allocs[i].Op != traceio.Free {
			blocks++
		}
	}
	a.h.Blocks = make([]Block, 0, blocks)
	for i := range a.last {
		a.last[i] = -1
	}
	a.live = newLive(all)
	a.h.shift = alignment(all)
	a.h.Estimated = !known
	a.h.occupancy.at = make([]Time, 0, len(allocs))
	a.h.occupancy.bytes = make([]uint64, 0, len(allocs))
	a.h.occupancy.waste = make([]uint64, 0, len(allocs))
	a.h.occupancy.count = make([]int32, 0, len(allocs))
	for i := range allocs {
		if i&0xfff == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if report != nil {
				report(int64(i), int64(len(allocs)))
			}
		}
		a.event(i, &allocs[i])
	}
	a.finish()
	if report != nil {
		report(int64(len(allocs)), int64(len(allocs)))
	}
	return a.h, ctx.Err()
}

type analyzer struct {
	h     *Heap
	live  *live
	sites *siter
	frees *siter
	last  []int32 // by thread: the block of its last event if that was an allocation, or -1
	bytes uint64
	waste uint64

	classes [classes]class
}

func (a *analyzer) event(i int, e *traceio.Alloc) {
	a.h.Threads = max(a.h.Threads, int(e.Thread)+1)
	if e.Addr == 0 || e.Addr == ^traceio.Addr(0) {
		return // free(NULL), or an allocation that failed (mmap tells so by -1)
	}
	at := Time(e.Seq)
	if a.h.Axis.Ordinal {
		at = Time(i)
	}
	if e.Op == traceio.Free {
		a.free(i, at, e)
	} else {
		a.alloc(i, at, e)
	}
	o := &a.h.occupancy
	o.at = append(o.at, at)
	o.bytes = append(o.bytes, a.bytes)
	o.waste = append(o.waste, a.waste)
	o.count = append(o.count, int32(a.live.n))
	if a.bytes > a.h.PeakBytes {
		a.h.PeakBytes, a.h.PeakTime, a.h.PeakAt = a.bytes, e.Seq, at
	}
}

func (a *analyzer) alloc(i int, at Time, e *traceio.Alloc) {
	id := int32(len(a.h.Blocks))
	size := min(e.Size, 1<<47) // more than there are addresses: the log is damaged
	if uint64(e.Addr)+max(size, 1) < uint64(e.Addr) {
		size = -uint64(e.Addr) - 1
	}
	usable := e.Usable
	if usable == 0 || usable < size {
		usable = usableOf(size)
	}
	b := Block{Low: e.Addr, Size: size, Usable: max(usable, size), Alloc: e.Seq, From: at, Born: e.Ticks, AllocStack: e.Stack, Thread: e.Thread, FreeSite: -1, Leaked: true,
		Site: a.sites.of(e.Stack)}
	if old, ok := a.live.at(b.Low); ok { // its free is missing from the log
		a.fault(Overlap, i, at, e, int(old))
		a.end(old, at, e)
	}
	if old, ok := a.live.below(b.High() - 1); ok && a.h.Blocks[old].High() > b.Low {
		a.fault(Overlap, i, at, e, int(old))
	}
	a.h.Blocks = append(a.h.Blocks, b)
	a.live.insert(b.Low, id)
	a.last[e.Thread] = id
	a.bytes += size
	a.waste += b.Waste()
	a.h.Allocations++
	a.h.TotalBytes += size
	s := &a.sites.sites[b.Site]
	s.Blocks++
	s.Bytes += size
	a.classes[binOf(b.Usable)].add(&b)
}

func (a *analyzer) free(i int, at Time, e *traceio.Alloc) {
	last := a.last[e.Thread]
	a.last[e.Thread] = -1
	id, ok := a.live.at(e.Addr)
	if !ok {
		if old, was := a.live.before(e.Addr); was {
			a.fault(DoubleFree, i, at, e, int(old))
		} else {
			a.fault(UnknownFree, i, at, e, -1)
		}
		return
	}
	a.end(id, at, e)
	b := &a.h.Blocks[id]
	b.FreeStack, b.FreeThread = e.Stack, e.Thread
	b.FreeSite = a.frees.of(e.Stack)
	s := &a.frees.sites[b.FreeSite]
	s.Blocks++
	s.Bytes += b.Size
	a.h.Frees++
	if last == id {
		a.h.Temporary++
		a.sites.sites[b.Site].Temporary++
	}
}

// end closes a live block at event e.
func (a *analyzer) end(id int32, at Time, e *traceio.Alloc) {
	b := &a.h.Blocks[id]
	b.Free, b.To, b.Died, b.Leaked = e.Seq, at, e.Ticks, false
	a.live.remove(b.Low)
	a.h.ends = append(a.h.ends, id)
	a.bytes -= b.Size
	a.waste -= b.Waste()
	c := &a.classes[binOf(b.Usable)]
	c.bytes -= b.Size
	c.waste -= b.Waste()
}

func (a *analyzer) fault(k ErrorKind, i int, at Time, e *traceio.Alloc, block int) {
	a.h.errors[k]++
	if len(a.h.Errors) < maxErrors {
		a.h.Errors = append(a.h.Errors, Error{Kind: k, Event: i, Seq: e.Seq, At: at, Addr: e.Addr, Size: e.Size, Thread: e.Thread, Stack: e.Stack, Block: block})
	}
}

// finish closes what is left over and makes the summaries.
func (a *analyzer) finish() {
	h := a.h
	var spans []Span
	for i := range h.Blocks {
		b := &h.Blocks[i]
		if b.Leaked {
			b.Free, b.To = h.Axis.end, h.Axis.End
			h.LeakedBlocks++
			h.LiveBytes += b.Size
			s := &a.sites.sites[b.Site]
			s.LeakedBlocks++
			s.LiveBytes += b.Size
		}
	}
	h.Sites, h.FreeSites = a.sites.sites, a.frees.sites
	sites, frees := rank(h.Sites), rank(h.FreeSites)
	for i := range h.Blocks {
		b := &h.Blocks[i]
		b.Site = sites[b.Site]
		if b.FreeSite >= 0 {
			b.FreeSite = frees[b.FreeSite]
		}
	}
	h.makeBins(&a.classes)
	h.occupancy.summarize()
	order := byAddress(h.Blocks)
	for _, id := range order {
		b := &h.Blocks[id]
		if n := len(spans); n > 0 && (b.Low <= spans[n-1].High || b.Low-spans[n-1].High <= MaxGap) {
			spans[n-1].High = max(spans[n-1].High, b.High())
			spans[n-1].Blocks++
			continue
		}
		spans = append(spans, Span{b.Low, b.High(), 1})
	}
	h.Spans = spans
	h.index = newIndex(h.Blocks, order)
	h.binFragmentation()
}
