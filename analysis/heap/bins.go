package heap

import (
	"slices"
	"strconv"

	"orrery/traceio"
)

// Bin is one size class: blocks that the allocator serves with equally large pieces.
type Bin struct {
	Name   string // "24 B", "large"
	Usable uint64 // bytes usable in a block of the bin, 0 for large ones
	Blocks uint64
	Bytes  uint64 // asked for, of all its blocks

	PeakBytes     uint64 // most bytes asked for that were live at one time
	PeakAt        Time
	WasteBytes    uint64  // live at PeakAt and not asked for
	Fragmentation float64 // at the heap's PeakAt: see Heap.Fragmentation, within the addresses that the bin's live blocks span
}

// glibc serves a request from a chunk of request + 8 bytes rounded up to 16, at least 32, of which all but the 8 are
// usable; the largest class that its fast lists hold is a chunk of 1040 bytes.
const (
	chunkHead  = 8
	chunkAlign = 16
	chunkMin   = 32
	chunkFast  = 1040
)

// usableOf is the bytes that glibc sets aside for a request.
func usableOf(size uint64) uint64 {
	if size > 1<<62 {
		return size
	}
	return max((size+chunkHead+chunkAlign-1)/chunkAlign*chunkAlign, chunkMin) - chunkHead
}

// binOf is the class of a block by its usable bytes: 0, 1, ... for chunks of 32, 48, ... bytes, and one for large blocks.
func binOf(usable uint64) int {
	chunk := max((usable+chunkHead+chunkAlign-1)/chunkAlign*chunkAlign, chunkMin)
	if usable > chunkFast || chunk > chunkFast {
		return classes - 1
	}
	return int(chunk-chunkMin) / chunkAlign
}

const classes = (chunkFast-chunkMin)/chunkAlign + 2

// class is the running sums of one bin while the log is read.
type class struct {
	Bin
	bytes, waste uint64
}

func (c *class) add(b *Block) {
	c.Blocks++
	c.Bytes += b.Size
	c.bytes += b.Size
	c.waste += b.Waste()
	if c.bytes > c.PeakBytes || c.Blocks == 1 {
		c.PeakBytes, c.PeakAt, c.WasteBytes = c.bytes, b.From, c.waste
	}
}

// makeBins numbers the classes that occur.
func (h *Heap) makeBins(all *[classes]class) {
	var number [classes]int16
	for i := range all {
		c := &all[i]
		if c.Blocks == 0 {
			continue
		}
		number[i] = int16(len(h.Bins))
		c.Name = "large"
		if i < classes-1 {
			c.Usable = uint64(i*chunkAlign + chunkMin - chunkHead)
			c.Name = strconv.FormatUint(c.Usable, 10) + " B"
		}
		h.Bins = append(h.Bins, c.Bin)
	}
	for i := range h.Blocks {
		b := &h.Blocks[i]
		b.Bin = number[binOf(b.Usable)]
	}
}

// Fragmentation is scattered free space at time t: 1 - largest free run / total free, within the addresses that live
// blocks span, without gaps over MaxGap. 0 when there is no free space, and then nothing is scattered.
func (h *Heap) Fragmentation(t Time) float64 { return scatter(h.liveSpans(t), nil) }

// liveSpans is the live blocks at t in order of address, joined where they touch or overlap.
func (h *Heap) liveSpans(t Time) []Span {
	var out []Span
	h.index.each(t, t, 0, ^traceio.Addr(0), func(b *Block, _ int32) {
		// Space that the allocator set aside is not free.
		out = append(out, Span{Low: b.Low, High: b.Low + traceio.Addr(max(b.Usable, 1))})
	}, h.Blocks)
	return join(out, chunkHead)
}

// join orders spans and joins those with at most slack bytes between them, which is where the allocator keeps its own data.
func join(s []Span, slack traceio.Addr) []Span {
	slices.SortFunc(s, func(a, b Span) int {
		switch {
		case a.Low < b.Low:
			return -1
		case a.Low > b.Low:
			return 1
		}
		return 0
	})
	out := s[:0]
	for _, x := range s {
		if n := len(out); n > 0 && (x.Low <= out[n-1].High || x.Low-out[n-1].High <= slack) {
			out[n-1].High = max(out[n-1].High, x.High)
			continue
		}
		out = append(out, x)
	}
	return out
}

// scatter is the fragmentation of the holes between ordered, disjoint spans; within, if not nil, restricts it to the holes
// that lie in that range.
func scatter(used []Span, within *Span) float64 {
	total, largest := uint64(0), uint64(0)
	for i := 1; i < len(used); i++ {
		hole := uint64(used[i].Low - used[i-1].High)
		if hole > MaxGap || within != nil && (used[i-1].High < within.Low || used[i].Low > within.High) {
			continue
		}
		total += hole
		largest = max(largest, hole)
	}
	if total == 0 {
		return 0
	}
	return 1 - float64(largest)/float64(total)
}

// Moment is the heap at one moment.
type Moment struct {
	Blocks        int
	Bytes         uint64 // asked for
	Waste         uint64 // set aside beyond that
	Fragmentation float64
}

// Now is the heap's state at time t. It costs time in proportion to the live blocks, for the fragmentation; Live tells the
// rest at once.
func (h *Heap) Now(t Time) Moment {
	var m Moment
	m.Blocks, m.Bytes, m.Waste = h.Live(t)
	m.Fragmentation = h.Fragmentation(t)
	return m
}

// binFragmentation fills Bin.Fragmentation from the state at the heap's peak.
func (h *Heap) binFragmentation() {
	used := h.liveSpans(h.PeakAt)
	h.PeakFragmentation = scatter(used, nil)
	spans := make([]*Span, len(h.Bins))
	h.index.each(h.PeakAt, h.PeakAt, 0, ^traceio.Addr(0), func(b *Block, _ int32) {
		s := spans[b.Bin]
		if s == nil {
			s = &Span{Low: b.Low, High: b.High()}
			spans[b.Bin] = s
		}
		s.Low, s.High = min(s.Low, b.Low), max(s.High, b.High())
	}, h.Blocks)
	for i, s := range spans {
		if s != nil {
			h.Bins[i].Fragmentation = scatter(used, s)
		}
	}
}
