package findings

import (
	"fmt"

	"orrery/analysis/heap"
	"orrery/traceio"
)

// site gives a finding about the heap its place.
func site(h *heap.Heap, id int, d Finding) Finding {
	s := &h.Sites[id]
	d.Site, d.Regions = id, []string{s.Name()}
	d.File, d.Line, d.Function = s.File, s.Line, s.Function
	return d
}

// overTime is the whole that memory held for some time is a part of: bytes times references.
const overTime = "what the heap holds over time"

// held is the sum over time of what the heap holds.
func held(u *heap.Usage) float64 { return max(1, u.Total.WeightedLife) }

// leaks finds places whose blocks are never freed and become more and more.
func leaks(h *heap.Heap) (list []Finding) {
	for _, l := range h.Leaks() {
		c := Cost{Bytes: l.Bytes, Share: float64(l.Bytes) / float64(max(1, h.PeakBytes)), Of: "the heap's peak"}
		if !l.Growing() || l.Bytes < LeastBytes || c.Share < LeastShare {
			continue
		}
		steps := l.Steps()
		s := &h.Sites[l.Site]
		list = append(list, site(h, l.Site, Finding{Kind: Leak, Cost: c,
			Title: fmt.Sprintf("blocks from %s are never freed", s.Name()),
			Advice: fmt.Sprintf("%s asks for memory that nobody gives back, in %d of %d parts of the run: free it where its "+
				"last user is done, or keep it in an arena that is freed as a whole.",
				s.Name(), steps, heap.GrowthSteps),
			Evidence: []Evidence{{"blocks never freed", float64(l.Blocks), ""}, {"bytes in them", float64(l.Bytes), "bytes"},
				{"parts of the run in which they grew, of 16", float64(steps), ""}},
			Range: Range{h.Axis.Seq(l.First), h.Axis.Seq(l.Last) + 1}}))
	}
	return list
}

// untouched finds places that ask for bytes which nobody ever loads or stores.
func untouched(h *heap.Heap, u *heap.Usage) (list []Finding) {
	for id := range u.Sites {
		s := &u.Sites[id]
		c := Cost{Bytes: s.MostUntouched, Share: s.WeightedUntouched / held(u), Of: overTime}
		span, never := life(h, id), s.Bytes-s.Touched
		if span.From == span.To || c.Bytes < LeastBytes || 4*never < s.Bytes || c.Share < LeastShare {
			continue
		}
		advice := "ask for as much as is used, or grow it step by step"
		if s.Unused == s.Blocks {
			advice = "leave it out, or ask for it when it is needed"
		}
		list = append(list, site(h, id, Finding{Kind: Untouched, Cost: c,
			Title: fmt.Sprintf("%d %% of the bytes from %s have no recorded reference", 100*never/max(1, s.Bytes),
				h.Sites[id].Name()),
			Advice: fmt.Sprintf("%s: of %d bytes in %s, %d have no recorded load or store: %s. %s", h.Sites[id].Name(), s.Bytes,
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

// fewestLeaked is how many blocks of a place are a leak: a few that stay to the end may be meant to.
const fewestLeaked = 16

// drag finds places whose memory is kept long after its last use: at least half of its life, and so much of it that it
// counts against all that the heap holds over the run, which is so many references long. Where most blocks are never
// freed it is a leak, however short the part of the run in which they are made; what leaks finds is not said again.
func drag(h *heap.Heap, u *heap.Usage, length traceio.Seq) (list []Finding) {
	lost := map[int]heap.Leak{}
	for _, l := range h.Leaks() {
		lost[l.Site] = l
	}
	for id := range u.Sites {
		s := &u.Sites[id]
		c := Cost{Bytes: uint64(s.WeightedDrag / float64(max(1, length))), Share: s.WeightedDrag / held(u), Of: overTime}
		if s.Touched == 0 || s.DragShare() < 0.5 || c.Share < LeastShare || s.Bytes < LeastBytes {
			continue
		}
		name, kind, leak := h.Sites[id].Name(), Drag, lost[id]
		title := fmt.Sprintf("blocks from %s are kept long after their last use", name)
		advice := fmt.Sprintf("Blocks from %s spend %.0f %% of their life after their last use: free them right after it, "+
			"or reuse them for what comes next.",
			name, 100*s.DragShare())
		if 2*leak.Blocks > s.Blocks {
			if leak.Growing() {
				continue
			}
			if title = fmt.Sprintf("blocks from %s are never freed, though they are not used any more",
				name); leak.Blocks >= fewestLeaked {
				kind, c.Bytes = Leak, leak.Bytes
			}
			advice = fmt.Sprintf("%d of %d blocks from %s, with %d bytes, are never freed, and %.0f %% of the time that they "+
				"are held is after their last use: free them where their last user is done.",
				leak.Blocks, s.Blocks, name, leak.Bytes, 100*s.DragShare())
		}
		list = append(list, site(h, id, Finding{Kind: kind, Cost: c, Title: title, Advice: advice,
			Evidence: []Evidence{{"of their life after the last use", 100 * s.DragShare(), "%"},
				{"bytes in them", float64(s.Bytes), "bytes"},
				{"references from last use to free, or to the end, on average", float64(s.Drag) / float64(max(1, s.Blocks)), ""}},
			Range: life(h, id)}))
	}
	return list
}
