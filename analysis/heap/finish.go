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
	h.Allocations = uint64(len(h.Blocks))
	h.Estimated = !a.known
	h.shift = alignment(a.all)
	a.endAxis()
	h.PeakTime = h.Axis.Seq(h.PeakAt)
	if h.history.n > 0 {
		a.close()
		h.pyramid(a.lows, a.highs)
	}
	a.live, a.threads = nil, nil
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
	pools := newPools()
	for i := range h.Blocks {
		b := &h.Blocks[i]
		if b.Leaked {
			b.To = h.Axis.End
			h.leaked = append(h.leaked, int32(i))
			h.LiveBytes += b.Size
		}
		if b.Temporary {
			h.Temporary++
		}
		h.stacks[h.knownStack(b.AllocStack)].add(b, h.PeakAt)
		pools.add(b)
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
	of   words // by MiB: index of spans plus 1
	list []Span
}

func newPools() *pools { return &pools{} }

func (p *pools) add(b *Block) {
	w := p.of.make(uint64(b.Low) >> bits.TrailingZeros64(MaxGap))
	if *w == 0 {
		p.list = append(p.list, Span{Low: b.Low, High: b.High()})
		*w = uint64(len(p.list))
	}
	s := &p.list[*w-1]
	s.Low, s.High = min(s.Low, b.Low), max(s.High, b.High())
	s.Blocks++
}

// spans joins what is not more than MaxGap apart.
func (p *pools) spans() []Span { return join(p.list, MaxGap) }
