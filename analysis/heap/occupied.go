package heap

import (
	"cmp"
	"math/bits"
	"slices"

	"orrery/traceio"
)

// standing is the blocks that are live at a heap's peak, as what they occupy. Those that stand side by side as glibc's
// do, which begin at multiples of 16 and end 8 bytes below one, need no sorting: each marks its pieces of 16 bytes, and
// what they occupy is runs of marks. Large ones are kept aside.
type standing struct {
	bins  []Span         // by bin: the addresses that its blocks span
	marks []markRow      // by number of the MiB: for what begins there,
	bases []traceio.Addr // and where it begins; 1 while nothing is known
	at    int            // the MiB that had marks last, plus 1, and its marks
	row   *markRow
	large []Span
	most  int  // MiBs that may have marks
	odd   bool // there are blocks that do not stand so, or blocks lie too far apart: the marks are of no use
}

// markWords is for the marks of a MiB and of what a block reaches beyond it.
const markWords = (1<<mibBits + largeBlock) / chunkAlign / 64

type markRow [markWords]uint64

func newStanding(h *Heap) *standing {
	s := &standing{bins: make([]Span, len(h.Bins)), most: 64 + h.Count()/32}
	for i := range s.bins {
		s.bins[i].Low = ^traceio.Addr(0)
	}
	return s
}

// atPeak is what stands at the heap's peak.
func (h *Heap) atPeak() *standing {
	s, peak := newStanding(h), h.moment(h.PeakAt)
	s.odd = h.shift < 4
	var mibs mibs
	for id := range int32(h.Count()) {
		if peak.lives(&h.blocks, id) {
			s.add(mibs.number(h.blocks.low[id]), h.bin(id), h.blocks.low[id], h.blocks.high(id), h.blocks.usable(id))
		}
	}
	return s
}

// add takes in a block of a bin that begins in the MiB with a number.
func (s *standing) add(at int, bin int16, low, high traceio.Addr, usable uint64) {
	b := &s.bins[bin]
	b.Blocks++
	b.Low, b.High = min(b.Low, low), max(b.High, high)
	switch {
	case s.odd:
	case (usable+chunkHead)%chunkAlign != 0:
		s.odd = true
	case usable >= largeBlock-chunkHead:
		s.large = append(s.large, Span{Low: low, High: reach(low, usable)})
	default:
		if at+1 == s.at || s.selectMib(at, low) {
			s.mark(low, (usable+chunkHead)/chunkAlign)
		}
	}
}

// selectMib makes the MiB with a number, in which an address is, the one that is marked; it is false where there are
// too many.
func (s *standing) selectMib(at int, low traceio.Addr) bool {
	if at >= len(s.bases) {
		if s.odd = at >= s.most; s.odd {
			return false
		}
		s.marks = more(s.marks, at+1-len(s.bases))
		for len(s.bases) <= at {
			s.bases = append(s.bases, 1)
		}
	}
	s.bases[at] = low &^ (1<<mibBits - 1)
	s.at, s.row = at+1, &s.marks[at]
	return true
}

// mark marks n pieces from an address on.
func (s *standing) mark(low traceio.Addr, n uint64) {
	first := uint64(low) % (1 << mibBits) / chunkAlign
	if first%64+n <= 64 {
		s.row[first/64] |= (^uint64(0) >> (64 - n)) << (first % 64)
		return
	}
	for n > 0 {
		some := min(64-first%64, n)
		s.row[first/64] |= (^uint64(0) >> (64 - some)) << (first % 64)
		first += some
		n -= some
	}
}

// occupied is what the blocks occupy in order of address, joined where they touch or overlap; what the allocator needs
// between two of them is no gap. ok is false for those whose marks are of no use.
func (s *standing) occupied() (used []Span, ok bool) {
	if s.odd {
		return nil, false
	}
	var order []int
	for i, base := range s.bases {
		if base != 1 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(s.bases[a], s.bases[b]) })
	for _, at := range order {
		used = runs(used, s.marks[at][:], s.bases[at])
	}
	if len(s.large) > 0 {
		used = merge(used, join(s.large, chunkHead))
	}
	return used, true
}

// runs adds the runs of marks behind an address to used.
func runs(used []Span, marks []uint64, from traceio.Addr) []Span {
	var low traceio.Addr
	open := false
	for k, word := range marks {
		for at := 0; at < 64; {
			rest := word >> at
			if open {
				rest = ^rest
			}
			if at += bits.TrailingZeros64(rest); at >= 64 {
				break
			}
			edge := from + traceio.Addr(64*k+at)*chunkAlign
			if open {
				used = extend(used, Span{Low: low, High: edge - chunkHead}, chunkHead)
			}
			low, open = edge, !open
		}
	}
	if open {
		used = extend(used, Span{Low: low, High: from + traceio.Addr(64*len(marks))*chunkAlign - chunkHead}, chunkHead)
	}
	return used
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

// occupied is standing.occupied for all blocks.
func (h *Heap) occupied(s *standing) []Span {
	if used, ok := s.occupied(); ok {
		return used
	}
	var ids []int32
	peak := h.moment(h.PeakAt)
	for id := range int32(h.Count()) {
		if peak.lives(&h.blocks, id) {
			ids = append(ids, id)
		}
	}
	h.sortByAddress(ids)
	var used []Span
	for _, id := range ids {
		used = extend(used, Span{Low: h.blocks.low[id], High: h.blocks.reach(id)}, chunkHead)
	}
	return used
}

// measureFragmentation fills Bin.Fragmentation from what stands at the heap's peak.
func (h *Heap) measureFragmentation(s *standing) {
	used := h.occupied(s)
	h.PeakFragmentation = scatter(used, nil)
	for i := range s.bins {
		if s.bins[i].Blocks > 0 {
			h.Bins[i].Fragmentation = scatter(used, &s.bins[i])
		}
	}
}
