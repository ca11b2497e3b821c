package heap

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// byAddress gives the numbers of all blocks in order of address, and of number where addresses are equal.
func (h *Heap) byAddress() []int32 {
	ids := make([]int32, h.Count())
	for i := range ids {
		ids[i] = int32(i)
	}
	h.sortByAddress(ids)
	return ids
}

// sortByAddress puts blocks in order of address; those at one address stay in theirs.
func (h *Heap) sortByAddress(ids []int32) {
	n := len(ids)
	base := make([]uint64, len(h.Spans)+1) // where a span begins if there is nothing between them
	for i := range h.Spans {
		base[i+1] = base[i] + h.Spans[i].Size()
	}
	if n < 1<<12 || base[len(h.Spans)]>>h.shift > math.MaxUint32 {
		slices.SortStableFunc(ids, func(a, b int32) int { return cmp.Compare(h.blocks.low[a], h.blocks.low[b]) })
		return
	}
	from, to := make([]entry, n), make([]entry, n)
	span := 0
	for i, id := range ids {
		low := h.blocks.low[id]
		if s := &h.Spans[span]; low < s.Low || low >= s.High {
			span = h.pool(low)
		}
		from[i] = entry{uint32((base[span] + uint64(low-h.Spans[span].Low)) >> h.shift), id}
	}
	from = radix(from, to, bits.Len64(base[len(h.Spans)]>>h.shift))
	for i := range from {
		ids[i] = from[i].id
	}
}

// entry is a block by its place among the addresses in use.
type entry struct {
	place uint32
	id    int32
}

// radix sorts by the lowest bits of the places, eleven at a time; it gives one of the two slices.
func radix(from, to []entry, width int) []entry {
	const digit = 11
	for shift := 0; shift < width; shift += digit {
		var count [1<<digit + 1]int
		for i := range from {
			count[from[i].place>>shift&(1<<digit-1)+1]++
		}
		for d := 1; d < len(count); d++ {
			count[d] += count[d-1]
		}
		for _, e := range from {
			d := e.place >> shift & (1<<digit - 1)
			to[count[d]] = e
			count[d]++
		}
		from, to = to, from
	}
	return from
}
