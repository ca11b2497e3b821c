package findings

import (
	"fmt"

	"orrery/analysis/heap"
)

// leaks finds allocation sites whose blocks are never freed and grow in number through the run: heap.Leak.Growing looks
// at 16 parts of it. They must hold at least LeastShare of the heap's peak.
func leaks(h *heap.Heap) (list []Finding) {
	for _, l := range h.Leaks() {
		c := Cost{Bytes: l.Bytes, Share: float64(l.Bytes) / float64(max(1, h.PeakBytes)), Of: "the heap's peak"}
		if !l.Growing() || l.Bytes < LeastBytes || c.Share < LeastShare {
			continue
		}
		steps := l.Steps()
		s := &h.Sites[l.Site]
		list = append(list, atSite(h, l.Site, Finding{Kind: Leak, Cost: c,
			Title:  fmt.Sprintf(leakTitle, s.Name()),
			Advice: fmt.Sprintf(leakAdvice, s.Name(), steps, heap.GrowthSteps),
			Evidence: []Evidence{{"blocks never freed", float64(l.Blocks), ""}, {"bytes in them", float64(l.Bytes), "bytes"},
				{"parts of the run in which they grew, of 16", float64(steps), ""}},
			Range: Range{h.Axis.Seq(l.First), h.Axis.Seq(l.Last) + 1}}))
	}
	return list
}
