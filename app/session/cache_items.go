package session

import (
	"context"
	"math/bits"
	"slices"

	"orrery/analysis/region"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/rings"
)

// Grain says how much memory one glyph of the caches' picture stands for.
type Grain int

// The grains. AutoGrain is an element where that gives few glyphs, and as much more as keeps them few.
const (
	AutoGrain Grain = iota
	ElementGrain
	BlockGrain
	PageGrain
)

// GrainNames are the grains' names, for menus and options, in their order.
var GrainNames = []string{"auto", "element", "block", "page"}

const (
	fewItems  = 4096    // glyphs that AutoGrain gives at most
	mostItems = 1 << 17 // and the others: beyond, they are drawn in larger units
	pageBytes = 4096
)

// unit is the size of a glyph at a grain and the largest number of glyphs.
func (r *Recording) unit(c cachesim.Config, g Grain) (unit uint64, most int) {
	block := uint64(pageBytes)
	for i := c.Entry(traceio.Load); i >= 0 && i < len(c.Levels); i = c.Next(i) {
		block = min(block, uint64(c.Levels[i].Block))
	}
	switch g {
	case ElementGrain:
		return r.commonSize(), mostItems
	case BlockGrain:
		return block, mostItems
	case PageGrain:
		return pageBytes, mostItems
	}
	unit = r.commonSize()
	if r.Len() > 1<<20 { // which bounds the work
		unit = max(unit, block)
	}
	return unit, fewItems
}

// CacheItems collects the data items that the recording touches, in the units of a grain. An item's home is the region
// that its first reference found there; the variables of a stack stand on the stack's arc.
func (r *Recording) CacheItems(ctx context.Context, c cachesim.Config, g Grain) (*rings.Items, error) {
	base, most := r.unit(c, g)
	touched := rings.NewTouched(base)
	homes := map[traceio.Addr]int32{}
	look := r.Regions.Lookup()
	err := r.eachBlock(ctx, nil, func(b *traceio.Block) {
		seq, at := b.First, 0 // of the row
		touched.Add(b, false, func(row int, unit traceio.Addr) {
			for ; at < row; at++ {
				if b.Kind[at] != traceio.Fetch {
					seq++
				}
			}
			homes[unit], _ = look.Locate(b.Addr[row], seq)
		})
	})
	if err != nil {
		return nil, err
	}
	unit, addrs := base, touched.Addrs()
	lowest := slices.Clone(addrs)
	for len(addrs) > most {
		unit *= 2
		addrs = coarser(addrs, unit)
	}
	// A large item is at home where the lowest of its parts is. Items can be far larger than what is touched in them,
	// so the parts are looked up, not searched.
	home := func(a traceio.Addr) int {
		i, _ := slices.BinarySearch(lowest, a)
		if i == len(lowest) || lowest[i]-a >= traceio.Addr(unit) {
			return -1
		}
		if id, ok := homes[lowest[i]]; ok {
			return int(id)
		}
		return -1
	}
	return rings.NewItems(unit, addrs, home, r.arcOwner), nil
}

// arcOwner is the region on whose arc of the memory ring an address of a region stands: a variable on a stack, unless
// it is large, stands with its stack.
func (r *Recording) arcOwner(id int, a traceio.Addr) int {
	regions := r.Regions.Regions()
	if !onStack(regions[id]) {
		return id
	}
	for i := range regions {
		if g := &regions[i]; g.Kind == region.Stack && a >= g.Low && a < g.High {
			return i
		}
	}
	return id
}

// wide is the size in bytes beyond which a variable on the stack counts as data of its own.
const wide = 64

// onStack tells whether a region is a variable that is told together with its stack.
func onStack(g region.Region) bool { return g.Kind == region.Local && g.Size <= wide }

// coarser merges ascending addresses into units of the given size.
func coarser(addrs []traceio.Addr, unit uint64) []traceio.Addr {
	out := addrs[:0]
	for _, a := range addrs {
		if a &^= traceio.Addr(unit - 1); len(out) == 0 || out[len(out)-1] != a {
			out = append(out, a)
		}
	}
	return out
}

// commonSize is the most frequent size of a reference to variables and heap blocks in the recording's first block, as a
// power of two from 4 to 16; of any reference where there is none: the stack's spills say little about the data.
func (r *Recording) commonSize() uint64 {
	const smallest, largest = 4, 16
	if r.Blocks() == 0 {
		return smallest
	}
	b, err := r.Block(0)
	if err != nil {
		return smallest
	}
	ids := make([]int32, b.Len())
	r.Regions.Lookup().Classify(b, ids, nil)
	regions := r.Regions.Regions()
	var data, all [largest + 1]int
	for i, s := range b.Size {
		if b.Kind[i] == traceio.Fetch || s == 0 {
			continue
		}
		size := min(largest, max(smallest, 1<<bits.Len(uint(s-1))))
		all[size]++
		if k := regions[ids[i]].Kind; k == region.Global || k == region.Heap {
			data[size]++
		}
	}
	counts := data
	if slices.Max(data[:]) == 0 {
		counts = all
	}
	best := smallest
	for size, n := range counts {
		if n > counts[best] {
			best = size
		}
	}
	return uint64(best)
}
