package heap

import (
	"math"
	"math/bits"

	"orrery/traceio"
)

// Heap ends the log and gives the heap. prog names the stacks and may be nil. The Builder is of no use after it.
func (a *Builder) Heap(prog *traceio.Program) *Heap {
	h := a.h
	h.Program = prog
	h.Threads = len(a.threads)
	h.blocks.trim()
	h.Allocations = uint64(h.Count())
	h.Estimated = h.blocks.waste == nil
	h.shift = alignment(a.all)
	a.endAxis()
	h.PeakTime = h.Axis.Seq(h.PeakAt)
	if h.history.n > 0 {
		a.close()
		h.pyramid(a.lows, a.highs)
	}
	a.live, a.threads, a.ahead, a.before = nil, nil, ahead{}, words{}
	h.closeBlocks(&a.classes)
	h.index = &lazyIndex{}
	h.measureFragmentation()
	return h
}

// endAxis settles where the axis ends: behind the last event, whatever the recording says of its references.
func (a *Builder) endAxis() {
	y, x := &a.h.history, &a.h.Axis
	x.end = a.end
	if y.seqs == nil {
		x.end = traceio.Seq(y.n)
	} else if y.n > 0 {
		x.end = max(x.end, traceio.Seq(y.seqs.at(y.n-1)))
	}
	x.End = Time(y.n)
	if x.Ordinal {
		x.seqs = y.seqs
		return
	}
	x.End = Time(min(uint64(x.end), math.MaxInt64-1))
}

// closeBlocks ends what was never freed and makes the summaries by bin, stack, site and address.
func (h *Heap) closeBlocks(all *[classes]class) {
	h.number = h.makeBins(all)
	h.stacks = make([]Cost, h.knownStacks())
	var pools pools
	t, peak := &h.blocks, h.moment(h.PeakAt)
	for id := range int32(h.Count()) {
		size := t.size(id)
		c := &h.stacks[h.knownStack(t.births[id].stack)]
		c.Blocks++
		c.Bytes += size
		c.WasteBytes += t.wasted(id)
		if t.leaked(id) {
			h.leaked = append(h.leaked, id)
			c.LiveBytes += size
			c.LeakedBlocks++
		} else if h.crossed(id) {
			c.Crossed++
		}
		if t.temporary(id) {
			c.Temporary++
		}
		if peak.lives(t, id) {
			c.PeakBytes += size
		}
		pools.add(t.low[id], t.low[id]+traceio.Addr(max(size, 1)))
	}
	for i := range h.stacks {
		h.LiveBytes += h.stacks[i].LiveBytes
		h.Temporary += h.stacks[i].Temporary
	}
	h.LeakedBlocks = uint64(len(h.leaked))
	h.Spans = pools.spans()
	h.makeSites()
}

// knownStacks is how many stacks the program has, at least the unknown one.
func (h *Heap) knownStacks() int {
	if h.Program == nil {
		return 1
	}
	return max(1, len(h.Program.Stacks))
}

// knownStack is a stack's number; one that the program does not know is as good as none.
func (h *Heap) knownStack(id traceio.StackID) traceio.StackID {
	if int(id) >= len(h.stacks) {
		return 0
	}
	return id
}

// pools finds the ranges of addresses that are in use: the lowest and the highest address of each MiB.
type pools struct {
	of   words // by MiB: index of list plus 1
	list []Span
	near [nearPools]nearPool
}

// nearPool is where a MiB that was used lately is in the list.
type nearPool struct {
	mib uint64 // plus 1
	at  int
}

const nearPools = 256

func (p *pools) add(low, high traceio.Addr) {
	mib := uint64(low) >> bits.TrailingZeros64(MaxGap)
	near := &p.near[mib%nearPools]
	if near.mib != mib+1 {
		w := p.of.make(mib)
		if *w == 0 {
			p.list = append(p.list, Span{Low: low, High: high})
			*w = uint64(len(p.list))
		}
		*near = nearPool{mib + 1, int(*w - 1)}
	}
	s := &p.list[near.at]
	s.Low, s.High = min(s.Low, low), max(s.High, high)
	s.Blocks++
}

// spans joins what is not more than MaxGap apart.
func (p *pools) spans() []Span { return join(p.list, MaxGap) }
