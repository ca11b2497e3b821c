package findings

import (
	"fmt"

	"orrery/analysis/heap"
)

// site gives a finding about the heap its place.
func site(h *heap.Heap, id int, d Finding) Finding {
	s := &h.Sites[id]
	d.Site, d.Regions = id, []string{s.Name()}
	d.File, d.Line, d.Function = s.File, s.Line, s.Function
	return d
}

func held(h *heap.Heap, bytes uint64) Cost {
	return Cost{Bytes: bytes, Share: float64(bytes) / float64(max(1, h.PeakBytes))}
}

// leaks finds places whose blocks are never freed and become more and more.
func leaks(h *heap.Heap) (list []Finding) {
	for _, l := range h.Leaks() {
		c := held(h, l.Bytes)
		if !l.Growing() || l.Bytes < LeastBytes || c.Share < LeastShare {
			continue
		}
		steps := l.Steps()
		s := &h.Sites[l.Site]
		list = append(list, site(h, l.Site, Finding{Kind: Leak, Cost: c,
			Title: fmt.Sprintf("blocks from %s are never freed", s.Name()),
			Advice: fmt.Sprintf("%s asks for memory that nobody gives back, in %d of %d parts of the run: free it where its last user is done, or keep it in an arena that is freed as a whole.",
				s.Name(), steps, heap.GrowthSteps),
			Evidence: []Evidence{{"blocks never freed", float64(l.Blocks), ""}, {"bytes in them", float64(l.Bytes), "bytes"}, {"parts of the run in which they grew, of 16", float64(steps), ""}},
			Range:    Range{h.Axis.Seq(l.First), h.Axis.Seq(l.Last) + 1}}))
	}
	return list
}

// untouched finds places that ask for bytes which nobody ever loads or stores.
func untouched(h *heap.Heap, u *heap.Usage) (list []Finding) {
	for id := range u.Sites {
		s := &u.Sites[id]
		c := held(h, s.Bytes-s.Touched)
		span := life(h, id)
		if span.From == span.To || c.Bytes < LeastBytes || 4*c.Bytes < s.Bytes || c.Share < LeastShare {
			continue
		}
		advice := "ask for as much as is used, or grow it step by step"
		if s.Unused == s.Blocks {
			advice = "leave it out, or ask for it when it is needed"
		}
		list = append(list, site(h, id, Finding{Kind: Untouched, Cost: c,
			Title:  fmt.Sprintf("%d %% of the bytes from %s have no recorded reference", 100*c.Bytes/max(1, s.Bytes), h.Sites[id].Name()),
			Advice: fmt.Sprintf("%s: of %d bytes in %d blocks, %d have no recorded load or store: %s. %s", h.Sites[id].Name(), s.Bytes, s.Blocks, c.Bytes, advice, u.Caveat(h)),
			Evidence: []Evidence{{"bytes asked for", float64(s.Bytes), "bytes"}, {"bytes touched", float64(s.Touched), "bytes"},
				{"blocks never touched at all", float64(s.Unused), ""}},
			Range: span}))
	}
	return list
}

// life is when the blocks of a place lived.
func life(h *heap.Heap, id int) (r Range) {
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

// drag finds places whose memory is kept long after its last use: at least half of its life, and so much of it that it
// counts against all that the heap holds over the run.
func drag(h *heap.Heap, u *heap.Usage) (list []Finding) {
	whole := 0.0
	for id := range u.Sites {
		whole += u.Sites[id].WeightedLife
	}
	for id := range u.Sites {
		s := &u.Sites[id]
		share := s.WeightedDrag / max(1, whole)
		if s.Touched == 0 || s.DragShare() < 0.5 || share < LeastShare || s.Bytes < LeastBytes {
			continue
		}
		name := h.Sites[id].Name()
		list = append(list, site(h, id, Finding{Kind: Drag, Cost: Cost{Bytes: uint64(float64(s.Bytes) * s.DragShare()), Share: share},
			Title: fmt.Sprintf("blocks from %s are kept long after their last use", name),
			Advice: fmt.Sprintf("Blocks from %s spend %.0f %% of their life after their last use: free them right after it, or reuse them for what comes next.",
				name, 100*s.DragShare()),
			Evidence: []Evidence{{"of their life after the last use", 100 * s.DragShare(), "%"}, {"bytes in them", float64(s.Bytes), "bytes"},
				{"references from last use to free, on average", float64(s.Drag) / float64(max(1, s.Blocks)), ""}},
			Range: life(h, id)}))
	}
	return list
}
