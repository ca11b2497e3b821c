package findings

import (
	"fmt"

	"orrery/analysis/heap"
)

// untouched finds allocation sites that ask for bytes without any recorded load or store: at least a quarter of what
// they ask for, and LeastShare of what the heap holds over time.
func untouched(h *heap.Heap, u *heap.Usage) (list []Finding) {
	for id := range u.Sites {
		s := &u.Sites[id]
		c := Cost{Bytes: s.MostUntouched, Share: s.WeightedUntouched / heldOverTime(u), Of: heapOverTime}
		span, never := lifeOfSite(h, id), s.Bytes-s.Touched
		if span.From == span.To || c.Bytes < LeastBytes || 4*never < s.Bytes || c.Share < LeastShare {
			continue
		}
		advice := untouchedSome
		if s.Unused == s.Blocks {
			advice = untouchedAll
		}
		list = append(list, atSite(h, id, Finding{Kind: Untouched, Cost: c,
			Title: fmt.Sprintf(untouchedTitle, 100*never/max(1, s.Bytes),
				h.Sites[id].Name()),
			Advice: fmt.Sprintf(untouchedAdvice, h.Sites[id].Name(), s.Bytes,
				blockCount(s.Blocks), never, advice, u.Caveat(h)),
			Evidence: []Evidence{{"bytes asked for", float64(s.Bytes), "bytes"}, {"bytes touched", float64(s.Touched), "bytes"},
				{"untouched at most at once", float64(s.MostUntouched), "bytes"},
				{"blocks never touched at all", float64(s.Unused), ""}},
			Range: span}))
	}
	return list
}

// blockCount is a number of blocks in words.
func blockCount(n uint64) string {
	if n == 1 {
		return "1 block"
	}
	return fmt.Sprintf("%d blocks", n)
}
