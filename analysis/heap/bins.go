package heap

import (
	"context"
	"slices"
	"strconv"

	"orrery/traceio"
)

// Bin is one class of blocks: for glibc, those that the allocator serves with equally large pieces.
type Bin struct {
	Name   string // "24 B", "large"
	Usable uint64 // bytes usable in a block of the bin, 0 where they differ
	Blocks uint64
	Bytes  uint64 // asked for, of all its blocks

	PeakBytes  uint64 // most bytes asked for that were live at one time
	PeakAt     Time
	WasteBytes uint64 // live at PeakAt and not asked for
	// at the heap's PeakAt: see Heap.Fragmentation, within the addresses that the bin's live blocks span
	Fragmentation float64
	Low, High     traceio.Addr
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
	return max((size+chunkHead+chunkAlign-1)&^(chunkAlign-1), chunkMin) - chunkHead
}

// binOf is the class of a block by its usable bytes: 0, 1, ... for chunks of 32, 48, ... bytes, and one for large
// blocks.
func binOf(usable uint64) int {
	if usable > chunkFast-chunkHead {
		return classes - 1
	}
	return int(max((usable+chunkHead+chunkAlign-1)/chunkAlign, chunkMin/chunkAlign) - chunkMin/chunkAlign)
}

const classes = (chunkFast-chunkMin)/chunkAlign + 2

// class is the running sums of one bin while the log is read.
type class struct {
	Bin
	bytes, waste uint64
}

func (c *class) add(low traceio.Addr, from Time, size, waste uint64) {
	if c.Blocks == 0 {
		c.Low = low
	}
	c.Blocks++
	c.Bytes += size
	c.bytes += size
	c.waste += waste
	c.Low, c.High = min(c.Low, low), max(c.High, low+traceio.Addr(max(size, 1)))
	if c.bytes > c.PeakBytes || c.Blocks == 1 {
		c.PeakBytes, c.PeakAt, c.WasteBytes = c.bytes, from, c.waste
	}
}

func (c *class) remove(size, waste uint64) {
	c.bytes -= size
	c.waste -= waste
}

// binSums is the running sums of all of glibc's size classes.
type binSums [classes]class

// take adds and takes away blocks. The peaks are at events for now.
func (s *binSums) take(changes []change, from, _ int) {
	for i := range changes {
		c := &changes[i]
		bin := &s[binOf(c.size+uint64(c.waste))]
		if c.ended {
			bin.remove(c.size, uint64(c.waste))
		} else {
			bin.add(c.low, Time(from&^(run-1)+int(c.event)), c.size, uint64(c.waste))
		}
	}
}

// makeBins numbers the size classes that occur.
func (h *Heap) makeBins(all *binSums) (number [classes]int16) {
	for i := range all {
		all[i].Name, all[i].Usable = sizeClass(i)
		if all[i].Blocks > 0 {
			all[i].PeakAt = h.time(int(all[i].PeakAt))
		}
	}
	copy(number[:], h.keepBins(all[:]))
	return number
}

// sizeClass is the name of one of glibc's classes and the bytes usable in its blocks.
func sizeClass(i int) (name string, usable uint64) {
	if i == classes-1 {
		return "large", 0
	}
	usable = uint64(i*chunkAlign + chunkMin - chunkHead)
	return strconv.FormatUint(usable, 10) + " B", usable
}

// keepBins makes bins of the classes that occur and numbers them.
func (h *Heap) keepBins(all []class) []int16 {
	number := make([]int16, len(all))
	for i := range all {
		if all[i].Blocks > 0 {
			number[i] = int16(len(h.Bins))
			h.Bins = append(h.Bins, all[i].Bin)
		}
	}
	return number
}

// Rebin is the same heap in the bins of another rule. It shares everything else. The only error is ctx's.
func (h *Heap) Rebin(ctx context.Context, r *Rule) (*Heap, error) {
	names, of := r.classes(h)
	all := make([]class, len(names))
	for i := range all {
		all[i].Name = names[i]
		if r == glibc {
			all[i].Name, all[i].Usable = sizeClass(i)
		}
	}
	class := make([]int16, h.Count())
	var b Block
	for s := (state{}); s.event < h.history.n; {
		if s.event&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		died, born := s.step(h)
		if died >= 0 {
			all[class[died]].remove(h.blocks.size(died), h.blocks.wasted(died))
		}
		if born >= 0 {
			b = h.Block(int(born))
			class[born] = int16(of(int(born), &b))
			all[class[born]].add(b.Low, b.From, b.Size, b.Waste())
		}
	}
	g := *h
	g.Rule, g.Bins = r, nil
	number := g.keepBins(all)
	for i := range class {
		class[i] = number[class[i]]
	}
	g.bins = class
	g.measureFragmentation(g.atPeak())
	return &g, nil
}

// Fragmentation is scattered free space at time t: 1 - largest free run / total free, within the addresses that live
// blocks span, without gaps over MaxGap. 0 when there is no free space, and then nothing is scattered.
func (h *Heap) Fragmentation(t Time) float64 { return scatter(h.liveSpans(t), nil) }

// liveSpans is the live blocks at t in order of address, joined where they touch or overlap.
func (h *Heap) liveSpans(t Time) []Span {
	var out []Span
	h.Within(t, t, 0, ^traceio.Addr(0), func(id int) {
		// Space that the allocator set aside is not free.
		out = append(out, Span{Low: h.blocks.low[id], High: h.blocks.reach(int32(id))})
	})
	return join(out, chunkHead)
}

// join orders spans and joins those with at most slack bytes between them, which is where the allocator keeps its own
// data.
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
		out = extend(out, x, slack)
	}
	return out
}

// extend adds a span that does not begin before the last.
func extend(out []Span, x Span, slack traceio.Addr) []Span {
	if n := len(out); n > 0 && (x.Low <= out[n-1].High || x.Low-out[n-1].High <= slack) {
		out[n-1].High = max(out[n-1].High, x.High)
		out[n-1].Blocks += x.Blocks
		return out
	}
	return append(out, x)
}

// scatter is the fragmentation of the holes between ordered, disjoint spans; within, if not nil, restricts it to the
// holes that lie in that range.
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
	return scattered(total, largest)
}

// scattered is 1 - largest free run / total free.
func scattered(total, largest uint64) float64 {
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

// Now is the heap's state at time t. It costs time in proportion to the live blocks, for the fragmentation; Live tells
// the rest at once.
func (h *Heap) Now(t Time) Moment {
	var m Moment
	m.Blocks, m.Bytes, m.Waste = h.Live(t)
	m.Fragmentation = h.Fragmentation(t)
	return m
}
