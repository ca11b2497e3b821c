package simulator

import (
	"slices"
	"sort"

	"orrery/traceio"
)

// Checkpoints are copies of the words of a hierarchy at equal distances, in pages that lie on shelves; a page that did
// not change since the checkpoint before is shared with it, and so is a shelf. (References are spread over the sets of
// a large level: small pages spare memory, and without shelves the collector would spend more time on pointers to them
// than a seek takes.) When all of them exceed the budget every other one goes and the interval doubles, so that memory
// is bounded and a seek runs at most one interval.
const (
	pageWords  = 128 // 1 KiB
	shelfPages = 64
)

// limits bound what a Replay keeps.
type limits struct {
	budget   int         // bytes of all checkpoints
	interval int         // rows between two checkpoints at first
	bins     traceio.Seq // of the lanes
	// a span of fewer references is looked at one by one: that takes less time than finding both its ends
	short traceio.Seq
}

// Running 2^14 rows again takes from a tenth of a millisecond to two, depending on how much the hierarchy misses and on
// its policies. With four levels 2^19 bins take 18 MB: recordings of up to 2^19 data references have one bin for each,
// one of 20 million has bins of 64.
var usual = limits{budget: 128 << 20, interval: 1 << 14, bins: 1 << 19, short: 1 << 12}

type (
	page  [pageWords]uint64
	shelf [shelfPages]*page
)

// blank is a shelf of an empty hierarchy.
var blank = func() *shelf {
	s, p := new(shelf), new(page)
	for i := range s {
		s[i] = p
	}
	return s
}()

type checkpoint struct {
	at      position // of the first row not yet run
	shelves []*shelf
	tally   tally
}

type checkpoints struct {
	list     []checkpoint
	interval int // rows
	rows     int // since the last one
	bytes    int
	budget   int
}

// newCheckpoints starts with an interval that is long enough for comparing the pages to cost less than running the
// rows.
func newCheckpoints(words int, lim limits) *checkpoints {
	interval := lim.interval
	for interval*64 < words {
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
	cp := checkpoint{at: at, tally: h.tally()}
	var before []*shelf
	if n := len(c.list); n > 0 {
		before = c.list[n-1].shelves
	}
	for _, words := range h.words() {
		for len(words) > 0 {
			n := min(len(words), shelfPages*pageWords)
			cp.shelves = append(cp.shelves, shelfOf(words[:n], shelfBefore(before, len(cp.shelves))))
			words = words[n:]
		}
	}
	c.list = append(c.list, cp)
	c.bytes += cp.cost(before)
	for c.bytes > c.budget && len(c.list) > 1 {
		c.thin()
	}
}

// shelfBefore is shelf i of the checkpoint before the first one, too, which is empty.
func shelfBefore(before []*shelf, i int) *shelf {
	if before == nil {
		return blank
	}
	return before[i]
}

// shelfOf is the shelf with these words: old, if it has the same.
func shelfOf(words []uint64, old *shelf) *shelf {
	s := old
	for i := 0; len(words) > 0; i++ {
		n := min(len(words), pageWords)
		if !slices.Equal(s[i][:n], words[:n]) {
			if s == old {
				changed := *old
				s = &changed
			}
			s[i] = new(page)
			copy(s[i][:], words[:n])
		}
		words = words[n:]
	}
	return s
}

// countsBytes is about what a tally takes for each level.
const countsBytes = 160

// cost is the memory of a checkpoint beyond that of the one before it.
func (cp checkpoint) cost(before []*shelf) int {
	bytes := 8*len(cp.shelves) + 256 + countsBytes*len(cp.tally.caches.Levels)
	if cp.tally.pages != nil {
		bytes += 256 + countsBytes*len(cp.tally.pages.Levels)
	}
	for i, s := range cp.shelves {
		old := shelfBefore(before, i)
		if s == old {
			continue
		}
		bytes += 8 * shelfPages
		for k, p := range s {
			if p != old[k] {
				bytes += 8 * pageWords
			}
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
	var before []*shelf
	for _, cp := range c.list {
		c.bytes += cp.cost(before)
		before = cp.shelves
	}
}

// before is the last checkpoint at or before p.
func (c *checkpoints) before(p position) checkpoint {
	i := sort.Search(len(c.list), func(i int) bool { return p.less(c.list[i].at) })
	return c.list[i-1]
}

// restore puts the hierarchy into the state of the checkpoint.
func (h *Hierarchy) restore(cp checkpoint) {
	shelves := cp.shelves
	for _, words := range h.words() {
		for ; len(words) > 0; shelves = shelves[1:] {
			for i := 0; i < shelfPages && len(words) > 0; i++ {
				words = words[copy(words, shelves[0][i][:]):]
			}
		}
	}
	h.restored()
	h.setTally(cp.tally)
}
