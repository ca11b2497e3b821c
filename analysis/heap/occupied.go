package heap

import (
	"math/bits"

	"orrery/traceio"
)

// atPeak is the blocks that are live at the heap's peak.
func (h *Heap) atPeak() []int32 {
	live, _, _ := h.Live(h.PeakAt)
	standing := make([]int32, 0, live)
	peak := h.moment(h.PeakAt)
	for id := range int32(h.Born(h.PeakAt + 1)) {
		if peak.lives(&h.blocks, id) {
			standing = append(standing, id)
		}
	}
	return standing
}

// occupied is what the blocks that are live at the heap's peak occupy, in order of address, joined where they touch or
// overlap; what the allocator needs between two of them is no gap.
func (h *Heap) occupied() []Span {
	if used, ok := h.marked(); ok {
		return used
	}
	standing := h.atPeak()
	h.sortByAddress(standing)
	var used []Span
	for _, id := range standing {
		used = extend(used, Span{Low: h.blocks.low[id], High: h.blocks.reach(id)}, chunkHead)
	}
	return used
}

// marksPerBlock bounds the marks of a heap whose blocks lie far apart.
const marksPerBlock = 1 << 8

// marked is occupied for blocks that stand side by side as glibc's do: all begin at multiples of 16 and end 8 bytes below
// one. They need no sorting: each marks its pieces of 16 bytes, and what they occupy is runs of marks. Large blocks are kept
// aside. ok is false for other blocks.
func (h *Heap) marked() (used []Span, ok bool) {
	t, peak := &h.blocks, h.moment(h.PeakAt)
	base := make([]uint64, len(h.Spans)+1) // the first mark of each span; a free one and the rest of a word lie between two
	for i := range h.Spans {
		base[i+1] = base[i] + (h.Spans[i].Size()/chunkAlign/64+2)*64
	}
	if h.shift < 4 || base[len(h.Spans)] > 1<<16+marksPerBlock*uint64(t.n) {
		return nil, false
	}
	marks := make([]uint64, base[len(h.Spans)]/64)
	var large []Span
	span := 0
	for id := range int32(t.n) {
		if !peak.lives(t, id) {
			continue
		}
		low, usable := t.low[id], t.usable(id)
		if (usable+chunkHead)%chunkAlign != 0 {
			return nil, false
		}
		if usable >= largeBlock {
			large = append(large, Span{Low: low, High: t.reach(id)})
			continue
		}
		if s := &h.Spans[span]; low < s.Low || low >= s.High {
			span = h.pool(low)
		}
		first := base[span] + uint64(low-h.Spans[span].Low)/chunkAlign
		fill(marks, first, first+(usable+chunkHead)/chunkAlign)
	}
	for i := range h.Spans {
		used = runs(used, marks[base[i]/64:base[i+1]/64], h.Spans[i].Low)
	}
	if len(large) > 0 {
		used = merge(used, join(large, chunkHead))
	}
	return used, true
}

// merge joins two lists of ordered spans.
func merge(a, b []Span) []Span {
	out := make([]Span, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		next := &a
		if len(a) == 0 || len(b) > 0 && b[0].Low < a[0].Low {
			next = &b
		}
		out = extend(out, (*next)[0], chunkHead)
		*next = (*next)[1:]
	}
	return out
}

// fill sets bits [first, end).
func fill(marks []uint64, first, end uint64) {
	for first < end {
		n := min(64-first%64, end-first)
		marks[first/64] |= (^uint64(0) >> (64 - n)) << (first % 64)
		first += n
	}
}

// runs adds the runs of marks behind an address to used.
func runs(used []Span, marks []uint64, from traceio.Addr) []Span {
	open := false
	for k, word := range marks {
		for at := 0; at < 64; {
			rest := word >> at
			if open {
				rest = ^rest
			}
			n := bits.TrailingZeros64(rest)
			if at += n; n == 64 || at >= 64 {
				break
			}
			edge := from + traceio.Addr(64*k+at)*chunkAlign
			if open {
				used[len(used)-1].High = edge - chunkHead
			} else {
				used = append(used, Span{Low: edge})
			}
			open = !open
		}
	}
	return used
}

// measureFragmentation fills Bin.Fragmentation from the blocks that are live at the heap's peak.
func (h *Heap) measureFragmentation() {
	spans := make([]Span, len(h.Bins))
	t, peak := &h.blocks, h.moment(h.PeakAt)
	for id := range int32(t.n) {
		if !peak.lives(t, id) {
			continue
		}
		s, low, high := &spans[h.bin(id)], t.low[id], t.high(id)
		if s.Blocks++; s.Blocks == 1 {
			s.Low = low
		}
		s.Low, s.High = min(s.Low, low), max(s.High, high)
	}
	used := h.occupied()
	h.PeakFragmentation = scatter(used, nil)
	for i := range spans {
		if spans[i].Blocks > 0 {
			h.Bins[i].Fragmentation = scatter(used, &spans[i])
		}
	}
}
