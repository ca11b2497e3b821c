package findings

import (
	"fmt"

	"orrery/analysis/heap"
	"orrery/traceio"
)

// fewestLeaked is how many blocks of a site make a leak: a few that stay to the end may be meant to.
const fewestLeaked = 16

// drag finds allocation sites whose memory is kept long after its last use (N. Röjemo and C. Runciman, "Lag, drag, void
// and use", 1996): for at least half of its life, and LeastShare of what the heap holds over the run, which has length
// references. Where most blocks are never freed it is a leak, even one made in a short part of the run; what leaks
// reports is left to it.
func drag(h *heap.Heap, u *heap.Usage, length traceio.Seq) (list []Finding) {
	lost := map[int]heap.Leak{}
	for _, l := range h.Leaks() {
		lost[l.Site] = l
	}
	for id := range u.Sites {
		s := &u.Sites[id]
		c := Cost{Bytes: uint64(s.WeightedDrag / float64(max(1, length))), Share: s.WeightedDrag / heldOverTime(u),
			Of: heapOverTime}
		if s.Touched == 0 || s.DragShare() < 0.5 || c.Share < LeastShare || s.Bytes < LeastBytes {
			continue
		}
		name, kind, leak := h.Sites[id].Name(), Drag, lost[id]
		title := fmt.Sprintf(dragTitle, name)
		advice := fmt.Sprintf(dragAdvice, name, 100*s.DragShare())
		if 2*leak.Blocks > s.Blocks {
			if leak.Growing() {
				continue
			}
			title = fmt.Sprintf(dragLeakTitle, name)
			if leak.Blocks >= fewestLeaked {
				kind, c.Bytes = Leak, leak.Bytes
			}
			advice = fmt.Sprintf(dragLeakAdvice, leak.Blocks, s.Blocks, name, leak.Bytes, 100*s.DragShare())
		}
		list = append(list, atSite(h, id, Finding{Kind: kind, Cost: c, Title: title, Advice: advice,
			Evidence: []Evidence{{"of their life after the last use", 100 * s.DragShare(), "%"},
				{"bytes in them", float64(s.Bytes), "bytes"},
				{"references from last use to free, or to the end, on average", float64(s.Drag) / float64(max(1, s.Blocks)), ""}},
			Range: lifeOfSite(h, id)}))
	}
	return list
}
