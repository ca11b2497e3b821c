package heap

import (
	"math"

	"orrery/traceio"
)

// Heap ends the log and gives the heap. prog names the stacks and may be nil. The Builder is of no use after it.
func (b *Builder) Heap(prog *traceio.Program) *Heap {
	h := b.h
	h.Program = prog
	h.Threads = len(b.threads)
	h.blocks.trim()
	h.Allocations = uint64(h.Count())
	h.Estimated = h.blocks.waste == nil
	h.endAxis()
	y := &h.history
	if y.pyramid(); y.peak > 0 {
		h.PeakBytes, h.PeakAt = y.peak, h.time(y.peakAt)
	}
	h.PeakTime = h.Axis.Seq(h.PeakAt)
	mibs := b.live.chunks.n>>(mibBits-b.live.shift-pageBits-chunkBits) + 2 // as a rule
	b.live, b.threads, b.ahead, b.before = nil, nil, lookAhead{}, words{}
	y.number(h.Count())
	h.index = &lazyIndex{}
	h.closeBlocks(&b.bins, mibs)
	return h
}

// endAxis settles where the axis ends: behind the last event, whatever the recording says of its references.
func (h *Heap) endAxis() {
	y, x := &h.history, &h.Axis
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

// closeBlocks ends what was never freed and makes the summaries by bin, stack, site and address. It goes through the
// blocks once. mibs is in how many MiBs blocks are expected; it only saves memory.
func (h *Heap) closeBlocks(all *binSums, mibs int) {
	h.number = h.makeBins(all)
	number := &h.number
	h.stacks = make([]Cost, h.knownStacks())
	t := &h.blocks
	x := summary{h: h, number: number, peak: h.moment(h.PeakAt), crossings: t.threads != nil || t.freeThreads != nil,
		standing: newStanding(h)}
	x.standing.marks = make([]markRow, 0, mibs)
	h.leaked = make([]int32, 0, t.n-int(h.history.now.deaths))
	x.blocks()
	for i := range h.stacks {
		h.TotalBytes += h.stacks[i].Bytes
		h.LiveBytes += h.stacks[i].LiveBytes
		h.Temporary += h.stacks[i].Temporary
	}
	h.LeakedBlocks = uint64(len(h.leaked))
	h.Frees = uint64(int(h.history.now.deaths) - t.cutCount())
	h.shift = alignment(x.lows)
	x.standing.odd = x.standing.odd || h.shift < 4
	h.Spans = x.pools.spans()
	h.measureFragmentation(x.standing)
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
