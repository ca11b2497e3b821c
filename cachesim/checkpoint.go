package cachesim

import (
	"slices"
	"sort"

	"orrery/traceio"
)

// Checkpoints are copies of the arena at equal distances, in pages; a page that did not change since the checkpoint
// before is shared with it. When all of them exceed the budget every other one goes and the interval doubles, so that
// memory is bounded and a seek runs at most one interval.
const pageWords = 512 // 4 KiB

// limits bound what a Replay keeps.
type limits struct {
	budget   int         // bytes of all checkpoints
	interval int         // rows between two checkpoints at first
	bins     traceio.Seq // of the lanes
	short    traceio.Seq // a span of fewer references is looked at one by one: that takes less time than finding both its ends
}

// Running 2^14 rows again takes from a tenth of a millisecond to one, depending on how much the hierarchy misses. With four levels 2^19 bins take 18 MB: recordings of up to
// 2^19 data references have one bin for each, one of 20 million has bins of 64.
var usual = limits{budget: 128 << 20, interval: 1 << 14, bins: 1 << 19, short: 1 << 12}

type page [pageWords]uint64

// blank is the page of an empty hierarchy.
var blank = new(page)

type checkpoint struct {
	at    position // of the first row not yet run
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
	for interval*32 < words {
		interval *= 2
	}
	return &checkpoints{interval: interval, budget: lim.budget}
}

// position is a row of a block, or row 0 behind the last block.
type position struct{ block, row int }

func (p position) less(q position) bool {
	return p.block < q.block || p.block == q.block && p.row < q.row
}

// next is the number of rows, at most n, to run until the next checkpoint is due; it takes the one that is due now.
func (c *checkpoints) next(h *Hierarchy, at position, n int) int {
	if c.rows >= c.interval {
		c.take(h, at)
		c.rows = 0
	}
	n = min(n, c.interval-c.rows)
	c.rows += n
	return n
}

func (c *checkpoints) take(h *Hierarchy, at position) {
	cp := checkpoint{at: at, tally: h.counts()}
	var before []*page
	if n := len(c.list); n > 0 {
		before = c.list[n-1].pages
	}
	for i := 0; i*pageWords < len(h.arena); i++ {
		words := h.arena[i*pageWords : min((i+1)*pageWords, len(h.arena))]
		p := pageBefore(before, i)
		if !slices.Equal(p[:len(words)], words) {
			p = new(page)
			copy(p[:], words)
		}
		cp.pages = append(cp.pages, p)
	}
	c.list = append(c.list, cp)
	c.bytes += cp.cost(before)
	for c.bytes > c.budget && len(c.list) > 1 {
		c.thin()
	}
}

// pageBefore is page i of the checkpoint before, which for the first one is the empty hierarchy.
func pageBefore(before []*page, i int) *page {
	if before == nil {
		return blank
	}
	return before[i]
}

// countsBytes is about what a tally takes for each level.
const countsBytes = 160

// cost is the memory of a checkpoint beyond that of the one before it.
func (cp checkpoint) cost(before []*page) int {
	bytes := 8*len(cp.pages) + 256 + countsBytes*len(cp.tally.levels)
	if cp.tally.pages != nil {
		bytes += 256 + countsBytes*len(cp.tally.pages.levels)
	}
	for i, p := range cp.pages {
		if pageBefore(before, i) != p {
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

// before is the last checkpoint at or before p.
func (c *checkpoints) before(p position) checkpoint {
	i := sort.Search(len(c.list), func(i int) bool { return p.less(c.list[i].at) })
	return c.list[i-1]
}

// restore puts the hierarchy into the state of the checkpoint.
func (h *Hierarchy) restore(cp checkpoint) {
	for i, p := range cp.pages {
		copy(h.arena[i*pageWords:], p[:])
	}
	h.forget()
	h.setCounts(cp.tally)
}
