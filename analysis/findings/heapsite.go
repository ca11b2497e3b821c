package findings

import (
	"orrery/analysis/heap"
)

// atSite gives a finding about the heap its allocation site.
func atSite(h *heap.Heap, id int, d Finding) Finding {
	s := &h.Sites[id]
	d.Site, d.Regions = id, []string{s.Name()}
	d.File, d.Line, d.Function = s.File, s.Line, s.Function
	return d
}

// heapOverTime names the whole that memory held for some time is a part of: bytes times references.
const heapOverTime = "what the heap holds over time"

// heldOverTime is that whole.
func heldOverTime(u *heap.Usage) float64 { return max(1, u.Total.WeightedLife) }

// lifeOfSite is when the blocks of a site lived.
func lifeOfSite(h *heap.Heap, id int) (r Range) {
	for i := range h.Count() {
		if b := h.Block(i); int(b.Site) == id {
			from, to := h.Alloc(b), h.Free(b)
			if r.To == 0 {
				r = Range{from, to}
			}
			r = Range{min(r.From, from), max(r.To, to)}
		}
	}
	return r
}
