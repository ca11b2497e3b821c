package session

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"orrery/analysis/attribution"
	"orrery/analysis/region"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/rings"
	"orrery/views/timeline"
)

// Simulate runs the whole recording through a hierarchy, from cold; classes asks for the kinds of misses.
func (r *Recording) Simulate(ctx context.Context, c cachesim.Config, classes bool, report func(done, total int64)) (cachesim.Totals, error) {
	h, err := cachesim.New(c)
	if err != nil {
		return cachesim.Totals{}, err
	}
	if classes {
		h.Classify()
	}
	for i := range r.Blocks() {
		if err := ctx.Err(); err != nil {
			return cachesim.Totals{}, err
		}
		b, err := r.Block(i)
		if err != nil {
			return cachesim.Totals{}, err
		}
		h.Run(b)
		if report != nil {
			report(int64(i+1), int64(r.Blocks()))
		}
	}
	return h.Totals(), nil
}

// Keys are what misses can be counted by.
var keys = []string{"line", "function", "region", "set"}

// MissesBy counts references and misses by "line", "function", "region" or "set".
func (r *Recording) MissesBy(ctx context.Context, c cachesim.Config, by string, report func(done, total int64)) ([]attribution.Row, error) {
	switch by {
	case "line":
		return attribution.Misses(ctx, r, c, r.Lines.Len(), r.Lines.Lookup().Classify, func(id int32) string { return r.Lines.At(id).Name() }, report)
	case "function":
		functions, of := r.functions()
		look := r.Lines.Lookup()
		classify := func(b *traceio.Block, ids []int32) {
			look.Classify(b, ids)
			for i, id := range ids {
				if id >= 0 {
					ids[i] = of[id]
				}
			}
		}
		return attribution.Misses(ctx, r, c, len(functions), classify, func(id int32) string { return functions[id] }, report)
	case "region":
		regions := r.Regions.Regions()
		return attribution.Misses(ctx, r, c, len(regions), r.classifyRegions(), func(id int32) string { return regions[id].Name }, report)
	case "set":
		return attribution.Sets(ctx, r, c, report)
	}
	return nil, fmt.Errorf("misses cannot be counted by %q; choose one of %v", by, keys)
}

func (r *Recording) classifyRegions() attribution.Classify {
	look := r.Regions.Lookup()
	return func(b *traceio.Block, ids []int32) { look.Classify(b, ids, nil) }
}

// LineMisses counts the misses of the first level that data references reach, by number of the source line.
func (r *Recording) LineMisses(ctx context.Context, c cachesim.Config, report func(done, total int64)) ([]uint64, error) {
	out := make([]uint64, r.Lines.Len())
	first := c.Entry(traceio.Load)
	if first < 0 {
		return out, nil
	}
	rows, err := attribution.Misses(ctx, r, c, r.Lines.Len(), r.Lines.Lookup().Classify, func(id int32) string { return strconv.Itoa(int(id)) }, report)
	for _, row := range rows {
		if id, err := strconv.Atoi(row.Key); err == nil { // not attribution.Other
			out[id] = row.Misses[first]
		}
	}
	return out, err
}

// functions lists the functions of the recording's lines, those of libraries with their library, and tells which one each line belongs to.
func (r *Recording) functions() (names []string, of []int32) {
	ids := map[string]int32{}
	of = make([]int32, r.Lines.Len())
	for i := range of {
		f := r.Lines.At(int32(i)).Code()
		if f == "" {
			of[i] = attribution.Unknown
			continue
		}
		id, ok := ids[f]
		if !ok {
			id = int32(len(names))
			ids[f] = id
			names = append(names, f)
		}
		of[i] = id
	}
	return names, of
}

// fewBytes is what a recording may touch to count as tiny: the first level of the default hierarchy holds all of it, and
// nothing would ever miss twice.
const fewBytes = 1 << 10

// SuggestedPreset is the shipped hierarchy in which there is something to see: a tiny one for the algorithms of
// textbooks on a handful of numbers, else the default.
func (r *Recording) SuggestedPreset() string {
	if s := r.Summaries(); len(s) == 1 && s[0].Lines*64 <= fewBytes && slices.Contains(cachesim.Presets(), "tiny") {
		return "tiny"
	}
	return cachesim.DefaultPreset
}

// Caches is a recording run through a hierarchy, ready to be drawn at any moment.
type Caches struct {
	*cachesim.Replay
	Items *rings.Items
}

// maxItems is how many glyphs the memory ring shows one by one; recordings that touch more are drawn in larger units.
const maxItems = 4096

// RunCaches simulates the recording through a hierarchy and collects the data items that it touches.
func (r *Recording) RunCaches(ctx context.Context, c cachesim.Config, report func(done, total int64)) (*Caches, error) {
	replay, err := cachesim.NewReplay(ctx, r, c, report)
	if err != nil {
		return nil, err
	}
	items, err := r.items(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Caches{Replay: replay, Items: items}, nil
}

// items chooses the unit of a glyph: the size that most references have, or larger until there are at most maxItems.
// Long recordings begin at the first level's block, which bounds the work. An item's home is the region that its first
// reference found there.
func (r *Recording) items(ctx context.Context, c cachesim.Config) (*rings.Items, error) {
	base := r.commonSize()
	if first := c.Entry(traceio.Load); r.Len() > 1<<20 && first >= 0 {
		base = max(base, uint64(c.Levels[first].Block))
	}
	touched := rings.NewTouched(base)
	homes := map[traceio.Addr]int32{}
	last := ^traceio.Addr(0)
	look := r.Regions.Lookup()
	regions := make([]int32, traceio.MaxBlock)
	for i := range r.Blocks() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b, err := r.Block(i)
		if err != nil {
			return nil, err
		}
		touched.Add(b, false)
		look.Classify(b, regions[:b.Len()], nil)
		for row, a := range b.Addr {
			if b.Kind[row] == traceio.Fetch {
				continue
			}
			end := a + traceio.Addr(max(1, b.Size[row])) - 1
			for u := a &^ traceio.Addr(base-1); u <= end; u += traceio.Addr(base) {
				if u != last {
					if _, ok := homes[u]; !ok {
						homes[u] = regions[row]
					}
				}
				if last = u; u+traceio.Addr(base) < u {
					break
				}
			}
		}
	}
	unit, addrs := base, touched.Addrs()
	lowest := slices.Clone(addrs)
	for len(addrs) > maxItems {
		unit *= 2
		addrs = coarser(addrs, unit)
	}
	// A large item is at home where the lowest of its parts is. Items can be far larger than what is touched in them, so
	// the parts are looked up, not searched.
	return rings.NewItems(unit, addrs, func(a traceio.Addr) int {
		i, _ := slices.BinarySearch(lowest, a)
		if i == len(lowest) || lowest[i]-a >= traceio.Addr(unit) {
			return -1
		}
		if id, ok := homes[lowest[i]]; ok {
			return int(id)
		}
		return -1
	}), nil
}

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

// lanes are the misses of every level on the way of data, in percent of the references that reach it, fastest first.
func (c *Caches) lanes(view link.Range, theme palette.Theme) []timeline.Lane {
	config := c.Config()
	step, n := grid(view, c.Resolution())
	first := view.From / step * step
	bars := make([]cachesim.Bar, n)
	var out []timeline.Lane
	for i := config.Entry(traceio.Load); i >= 0 && i < len(config.Levels); i = config.Next(i) {
		c.Lane(i, first, first+step*traceio.Seq(n), bars)
		l := timeline.Lane{Name: config.Levels[i].Name + " misses", Unit: "% of its references", First: first, Step: step, Values: make([]float64, n),
			Color: palette.Mix(theme.Miss, theme.Dim, float64(len(out))*0.45)}
		for k, b := range bars {
			if all := b.Hits + b.Misses; all > 0 {
				l.Values[k] = 100 * float64(b.Misses) / float64(all)
			}
		}
		out = append(out, l)
	}
	return out
}
