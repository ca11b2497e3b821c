package cachesim

import (
	"slices"
	"sort"

	"orrery/traceio"
)

// Checkpoints are copies of the arena at the starts of blocks, in pages; a page that did not change since the checkpoint
// before is shared with it. When all of them exceed the budget every other one goes and the interval doubles, so that
// memory is bounded and a seek runs at most one interval.
const pageWords = 512 // 4 KiB

// limits bound what a Replay keeps.
type limits struct {
	budget   int         // bytes of all checkpoints
	interval int         // rows between two checkpoints at first
	bins     traceio.Seq // of the lanes
}

// Running 2^16 rows again takes about a third of a millisecond. With four levels 2^19 bins take 18 MB: recordings of up to
// 2^19 data references have one bin for each, one of 20 million has bins of 64.
var usual = limits{budget: 128 << 20, interval: 1 << 16, bins: 1 << 19}

type page [pageWords]uint64

type checkpoint struct {
	block int // state before row 0 of this block
	pages []*page
	tally tally
}

type checkpoints struct {
	list     []checkpoint
	interval int // rows
	rows     int // since the last one
	bytes    int
	budget   int
}

// newCheckpoints starts with an interval that is long enough for comparing the pages to cost less than running the rows.
func newCheckpoints(words int, lim limits) *checkpoints {
	interval := lim.interval
	for interval < words {
		interval *= 2
	}
	return &checkpoints{interval: interval, budget: lim.budget}
}

// offer takes a checkpoint of h before the block if it is time for one; rows is the block's number of rows.
func (c *checkpoints) offer(h *Hierarchy, block, rows int) {
	if len(c.list) == 0 || c.rows >= c.interval {
		c.take(h, block)
		c.rows = 0
	}
	c.rows += rows
}

func (c *checkpoints) take(h *Hierarchy, block int) {
	cp := checkpoint{block: block, tally: h.counts()}
	var before []*page
	if n := len(c.list); n > 0 {
		before = c.list[n-1].pages
	}
	for at := 0; at < len(h.arena); at += pageWords {
		words := h.arena[at:min(at+pageWords, len(h.arena))]
		i := at / pageWords
		if before != nil && slices.Equal(before[i][:len(words)], words) {
			cp.pages = append(cp.pages, before[i])
			continue
		}
		p := new(page)
		copy(p[:], words)
		cp.pages = append(cp.pages, p)
	}
	c.list = append(c.list, cp)
	c.bytes += cp.cost(before)
	for c.bytes > c.budget && len(c.list) > 1 {
		c.thin()
	}
}

// cost is the memory of a checkpoint beyond that of the one before it.
func (cp checkpoint) cost(before []*page) int {
	bytes := 8*len(cp.pages) + 128 + 88*len(cp.tally.levels)
	for i, p := range cp.pages {
		if before == nil || before[i] != p {
			bytes += 8 * pageWords
		}
	}
	return bytes
}

func (c *checkpoints) thin() {
	kept := c.list[:0]
	for i, cp := range c.list {
		if i%2 == 0 {
			kept = append(kept, cp)
		}
	}
	clear(c.list[len(kept):])
	c.list = kept
	c.interval *= 2
	c.bytes = 0
	var before []*page
	for _, cp := range c.list {
		c.bytes += cp.cost(before)
		before = cp.pages
	}
}

// before is the last checkpoint at or before the start of the block.
func (c *checkpoints) before(block int) checkpoint {
	i := sort.Search(len(c.list), func(i int) bool { return c.list[i].block > block })
	return c.list[i-1]
}

// restore puts the hierarchy into the state of the checkpoint.
func (h *Hierarchy) restore(cp checkpoint) {
	for i, p := range cp.pages {
		copy(h.arena[i*pageWords:], p[:])
	}
	h.setCounts(cp.tally)
}
