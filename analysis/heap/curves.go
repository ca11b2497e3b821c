package heap

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sort"

	"orrery/traceio"
)

// Point is one column of a curve: what happened from its time on until the next column's, and the state at its end.
type Point struct {
	At        Time
	Low, High uint64 // least and most bytes asked for that were live
	Bytes     uint64 // live at the end
	Waste     uint64 // set aside beyond that
	Blocks    int
	Events    int    // allocations and frees
	Free      uint64 // within the addresses that the live blocks span, without gaps over MaxGap
	Largest   uint64 // run of these free bytes

	// the greatest fragmentation that was measured: at the end, and at the peaks of the heap and of its bins
	Worst    float64
	WorstAt  Time          // where that was, the first time
	Answered int           // events whose latency was measured
	Latency  traceio.Ticks // of all of these
	Slowest  traceio.Ticks
}

// Fragmentation is 1 - largest free run / total free; 0 without free space.
func (p *Point) Fragmentation() float64 { return scattered(p.Free, p.Largest) }

// Curves is how the heap and each of its bins went over a stretch of time, in columns of equal width. What is free for
// a bin is whatever no block at all uses between its lowest and its highest block.
type Curves struct {
	From, To Time
	Total    []Point
	Bins     [][]Point // by bin
}

// Curves measures n columns from time from up to to. It goes through the log up to there once and visits the live
// blocks at the end of each column and at each peak. A column that has no unit of time of its own is as wide as 0. The
// only error is ctx's.
func (h *Heap) Curves(ctx context.Context, from, to Time, n int) (*Curves, error) {
	n, to = max(1, n), max(to, from+1)
	c := &Curves{From: from, To: to, Total: make([]Point, n), Bins: make([][]Point, len(h.Bins))}
	for i := range c.Bins {
		c.Bins[i] = make([]Point, n)
	}
	w := newWalk(h)
	s := state{}
	for s.event < h.history.n && h.time(s.event) < from {
		if s.event&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		w.step(&s)
	}
	peaks := h.peaks()
	for len(peaks) > 0 && peaks[0] < from {
		peaks = peaks[1:]
	}
	for i := range n {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		at, next := from+partway(to-from, i, n), from+partway(to-from, i+1, n)
		w.begin(at)
		for ; len(peaks) > 0 && peaks[0] < next-1; peaks = peaks[1:] {
			for s.event < h.history.n && h.time(s.event) <= peaks[0] {
				w.count(&s)
			}
			w.measure(peaks[0])
		}
		for s.event < h.history.n && h.time(s.event) < next {
			w.count(&s)
		}
		w.measure(next - 1)
		w.finish(c, i)
		if len(peaks) > 0 && peaks[0] < next { // it was the end
			peaks = peaks[1:]
		}
	}
	return c, nil
}

// partway is where part i of n of a stretch of time begins, rounded up to a unit of time: what happens at a time is of
// the part that the time lies in, however short the parts are.
func partway(whole Time, i, n int) Time {
	high, low := bits.Mul64(uint64(whole), uint64(i))
	part, rest := bits.Div64(high, low, uint64(n))
	if rest > 0 {
		part++
	}
	return Time(part)
}

// peaks is when the heap and its bins have most bytes, in order.
func (h *Heap) peaks() []Time {
	out := []Time{h.PeakAt}
	for i := range h.Bins {
		out = append(out, h.Bins[i].PeakAt)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// walk goes through the log with the set of live blocks in order of address, and what each bin has.
type walk struct {
	h     *Heap
	rank  []int32 // of a block in order of address
	lots  []lot   // of the blocks in that order
	live  []uint64
	total Point
	bins  []Point
	far   []farLot // blocks too large for a lot, in order of address
	holes []uint64 // at the end of a column, in order of address
	ends  [][2]int // by bin: holes before its lowest and before its highest block
}

// lot is what the search for free space needs of a block, where neighbours in memory are neighbours in the list.
type lot struct {
	low  traceio.Addr
	size uint32 // that is set aside; MaxUint32 for more than that
	bin  int16
}

// farLot is the end of the block whose lot is at a place of the list.
type farLot struct {
	at  int
	end traceio.Addr
}

func newWalk(h *Heap) *walk {
	w := &walk{h: h, rank: make([]int32, h.Count()), lots: make([]lot, h.Count()), live: make([]uint64, (h.Count()+63)/64),
		bins: make([]Point, len(h.Bins)), ends: make([][2]int, len(h.Bins))}
	for i, id := range h.byAddress() {
		w.rank[id] = int32(i)
		low, end := h.blocks.low[id], h.blocks.reach(id)
		w.lots[i] = lot{low, uint32(min(uint64(end-low), math.MaxUint32)), h.bin(id)}
		if w.lots[i].size == math.MaxUint32 {
			w.far = append(w.far, farLot{i, end})
		}
	}
	return w
}

func (w *walk) step(s *state) (died, born int32) {
	died, born = s.step(w.h)
	if died >= 0 {
		r := w.rank[died]
		w.live[r/64] &^= 1 << (r % 64)
		size, waste := w.h.blocks.size(died), w.h.blocks.wasted(died)
		for _, p := range []*Point{&w.total, &w.bins[w.h.bin(died)]} {
			p.Bytes -= size
			p.Waste -= waste
			p.Blocks--
		}
	}
	if born >= 0 {
		r := w.rank[born]
		w.live[r/64] |= 1 << (r % 64)
		size, waste := w.h.blocks.size(born), w.h.blocks.wasted(born)
		for _, p := range []*Point{&w.total, &w.bins[w.h.bin(born)]} {
			p.Bytes += size
			p.Waste += waste
			p.Blocks++
		}
	}
	return died, born
}

// begin starts a column.
func (w *walk) begin(at Time) {
	reset := func(p *Point) {
		*p = Point{At: at, Low: p.Bytes, High: p.Bytes, Bytes: p.Bytes, Waste: p.Waste, Blocks: p.Blocks}
	}
	reset(&w.total)
	for i := range w.bins {
		reset(&w.bins[i])
	}
}

// count is step that counts for the column.
func (w *walk) count(s *state) {
	latency := traceio.Ticks(0)
	if l := w.h.history.latency; s.event < len(l) {
		latency = traceio.Ticks(l[s.event])
	}
	died, born := w.step(s)
	note := func(p *Point, id int32) {
		if id < 0 {
			return
		}
		p.Low, p.High = min(p.Low, p.Bytes), max(p.High, p.Bytes)
		p.Events++
		if latency > 0 {
			p.Answered++
			p.Latency += latency
			p.Slowest = max(p.Slowest, latency)
		}
	}
	note(&w.total, max(died, born))
	if died >= 0 {
		note(&w.bins[w.h.bin(died)], died)
	}
	if born >= 0 {
		note(&w.bins[w.h.bin(born)], born)
	}
}

// measure looks for the free space as it is at a time of the column.
func (w *walk) measure(at Time) {
	w.gaps()
	look := func(p *Point, from, to int) {
		p.Free, p.Largest = freeIn(w.holes, from, to)
		if x := p.Fragmentation(); x > p.Worst {
			p.Worst, p.WorstAt = x, at
		}
	}
	look(&w.total, 0, len(w.holes))
	for k := range w.bins {
		look(&w.bins[k], w.ends[k][0], w.ends[k][1])
	}
}

// finish notes column i.
func (w *walk) finish(c *Curves, i int) {
	c.Total[i] = w.total
	for k := range w.bins {
		c.Bins[k][i] = w.bins[k]
	}
}

// gaps lists the holes between the live blocks, and between which of them each bin lies.
func (w *walk) gaps() {
	w.holes = w.holes[:0]
	for k := range w.ends {
		w.ends[k] = [2]int{-1, -1}
	}
	reach := traceio.Addr(0)
	for k, word := range w.live {
		for ; word != 0; word &= word - 1 {
			i := k*64 + bits.TrailingZeros64(word)
			l := &w.lots[i]
			if gap := uint64(l.low - reach); reach > 0 && l.low > reach && gap > chunkHead && gap <= MaxGap {
				w.holes = append(w.holes, gap)
			}
			end := l.low + traceio.Addr(l.size)
			if l.size == math.MaxUint32 {
				end = w.far[sort.Search(len(w.far), func(k int) bool { return w.far[k].at >= i })].end
			}
			reach = max(reach, end)
			e := &w.ends[l.bin]
			if e[1] = len(w.holes); e[0] < 0 {
				e[0] = e[1]
			}
		}
	}
}

// freeIn is the sum and the largest of holes[a:b].
func freeIn(holes []uint64, a, b int) (total, largest uint64) {
	for _, x := range holes[max(a, 0):max(b, 0)] {
		total += x
		largest = max(largest, x)
	}
	return total, largest
}
