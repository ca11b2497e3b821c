package heapmap

import (
	"context"
	"slices"

	"orrery/analysis/heap"
	"orrery/views/words"
)

// A map may show one bin alone. Then all numbers in and around it are the bin's: what is live, its peak and
// fragmentation, the classes of its legend, when its blocks begin.

// totals answers for the blocks that a map shows: for all of a heap, or for those of one bin.
type totals interface {
	Count() int
	Block(i int) heap.Block
	Born(t heap.Time) int
	Live(t heap.Time) (blocks int, bytes, waste uint64)
	Occupancy(from, to heap.Time) (low, high uint64)
	Fragmentation(t heap.Time) float64
}

// totals is that of a state; nil while it is being made.
func (r *Renderer) totals(s *State) totals {
	if s.Bin == 0 {
		return s.Heap
	}
	if b := r.History(*s); b != nil {
		return b
	}
	return nil
}

// binKey is a bin of a heap, plus 1.
type binKey struct {
	h   *heap.Heap
	bin int
}

// History is what the bin does that a state shows alone; nil where it shows all, and while that is being made.
func (r *Renderer) History(s State) *heap.BinHistory {
	if s.Heap == nil || s.Bin <= 0 || s.Bin > len(s.Heap.Bins) {
		return nil
	}
	k := binKey{s.Heap, s.Bin}
	b, _ := r.get("bin", k, func(ctx context.Context) any {
		b, err := k.h.BinHistory(ctx, k.bin-1)
		if err != nil { // cancelled
			return nil
		}
		return b
	}).(*heap.BinHistory)
	if !b.Of(s.Heap, s.Bin-1) {
		return nil
	}
	return b
}

// peak is the most bytes that were live at one time, of all or of the bin that is shown, and when.
func (s *State) peak() (bytes uint64, at heap.Time) {
	if s.Bin > 0 {
		b := &s.Heap.Bins[s.Bin-1]
		return b.PeakBytes, b.PeakAt
	}
	return s.Heap.PeakBytes, s.Heap.PeakAt
}

// most is the bytes at the hot end of the occupancy bar and at the top of the curve of bytes.
func (s *State) most() uint64 {
	peak, _ := s.peak()
	return max(peak, s.Peak, 1)
}

// block is what one of the blocks is called that are shown: "block of bin 24 B".
func (s *State) block() string {
	if s.Bin > 0 {
		return "block of bin " + s.Heap.Bins[s.Bin-1].Name
	}
	return "block"
}

// blocks is a number of them: "21 blocks of bin 24 B".
func (s *State) blocks(n int) string {
	if s.Bin > 0 {
		return words.Plural(uint64(n), "block") + " of bin " + s.Heap.Bins[s.Bin-1].Name
	}
	return words.Plural(uint64(n), "block")
}

// entries is the classes of a legend with what is shown of them. Of a bin alone they keep their places and colours, and
// have the bin's blocks; counted is false while these are being counted.
func (r *Renderer) entries(s *State, c *coloring) (list []Entry, counted bool) {
	if s.Bin == 0 || c.class == nil {
		return c.entries, true
	}
	k := struct {
		of  *coloring
		bin int
	}{c, s.Bin}
	r.get("bin classes", k, func(context.Context) any { return c.inBin(k.bin - 1) })
	if it, current := r.store.find("bin classes", k); current {
		return it.([]Entry), true
	}
	return c.entries, false
}

// inBin is the entries with the blocks and bytes of one bin.
func (c *coloring) inBin(bin int) []Entry {
	out := slices.Clone(c.entries)
	for i := range out {
		out[i].Blocks, out[i].Bytes = 0, 0
	}
	if c.rest { // not all of these are in the bin
		out[len(out)-1].Name, out[len(out)-1].Others = "others", nil
	}
	for at, id := range c.h.Order() {
		if c.h.Bin(int(id)) == bin {
			e := &out[c.class[at]]
			e.Blocks++
			e.Bytes += c.h.Size(int(id))
		}
	}
	return out
}

// describeAll is the tooltip of the strip that shows the whole map.
func (r *Renderer) describeAll(s *State) []string {
	if s.Bin == 0 {
		return []string{"all blocks", s.blocks(s.Heap.Count()) + " at " + words.Plural(uint64(len(s.Heap.Sites)), "site")}
	}
	lines := []string{"all blocks of bin " + s.Heap.Bins[s.Bin-1].Name}
	if b := r.History(*s); b != nil {
		sites := 0
		for i := range b.Costs {
			if b.Costs[i].Blocks > 0 {
				sites++
			}
		}
		lines = append(lines, words.Plural(uint64(b.Count()), "block")+" at "+words.Plural(uint64(sites), "site"))
	}
	return lines
}
