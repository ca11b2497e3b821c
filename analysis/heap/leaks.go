package heap

import (
	"cmp"
	"slices"

	"orrery/traceio"
)

// GrowthSteps is into how many parts of equal length the run is divided to see a leak grow.
const GrowthSteps = 16

// Leak is the blocks of a site that were never freed.
type Leak struct {
	Site        int
	Blocks      uint64
	Bytes       uint64
	First, Last Time
	Growth      [GrowthSteps]uint64 // bytes of them that were allocated in each part of the run
}

// Steps is in how many parts of the run the leak grew.
func (l *Leak) Steps() (n int) {
	for _, bytes := range l.Growth {
		if bytes > 0 {
			n++
		}
	}
	return n
}

// Growing tells whether the leak went on through the run, rather than being made once: in three parts of four or more.
func (l *Leak) Growing() bool { return l.Steps() >= GrowthSteps*3/4 }

// Leaks is the sites with blocks that were never freed, the most bytes first.
func (h *Heap) Leaks() []Leak {
	all := make([]Leak, len(h.Sites))
	for _, id := range h.leaked {
		all[h.SiteOf(int(id))].add(h.from(id), h.blocks.size(id), &h.Axis)
	}
	return rankLeaks(all)
}

// add counts a block that was made at a time.
func (l *Leak) add(from Time, size uint64, axis *Axis) {
	if l.Blocks == 0 {
		l.First, l.Last = from, from
	}
	l.First, l.Last = min(l.First, from), max(l.Last, from)
	l.Blocks++
	l.Bytes += size
	l.Growth[axis.part(from, GrowthSteps)] += size
}

// rankLeaks orders those leaks that have blocks; all is by site.
func rankLeaks(all []Leak) (out []Leak) {
	for i := range all {
		if all[i].Site = i; all[i].Blocks > 0 {
			out = append(out, all[i])
		}
	}
	slices.SortStableFunc(out, func(a, b Leak) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(b.Blocks, a.Blocks))
	})
	return out
}

// Crossing is blocks that one thread allocates and another frees.
type Crossing struct {
	Site, FreeSite int
	From, To       traceio.Thread
	Blocks, Bytes  uint64
}

// Crossings is the frees by other threads, by place and thread, the most blocks first.
func (h *Heap) Crossings() []Crossing {
	type key struct {
		site, free int
		from, to   traceio.Thread
	}
	all := map[key]*Crossing{}
	if h.Crossed == 0 {
		return nil
	}
	for id := range h.Count() {
		b := h.Block(id)
		if !b.Crossed() {
			continue
		}
		k := key{int(b.Site), h.FreeSite(b), b.Thread, b.FreeThread}
		c := all[k]
		if c == nil {
			c = &Crossing{Site: k.site, FreeSite: k.free, From: k.from, To: k.to}
			all[k] = c
		}
		c.Blocks++
		c.Bytes += b.Size
	}
	var out []Crossing
	for _, c := range all {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b Crossing) int {
		return cmp.Or(cmp.Compare(b.Blocks, a.Blocks), cmp.Compare(a.Site, b.Site), cmp.Compare(a.FreeSite, b.FreeSite),
			cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return out
}
