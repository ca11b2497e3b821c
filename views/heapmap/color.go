package heapmap

import (
	"cmp"
	"context"
	"image/color"
	"math"
	"slices"
	"strconv"

	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
)

// Entry is one class of blocks in the legend. Thing is what a click on it selects. The last one may stand for several
// that share the grey of the rest, Others by name.
type Entry struct {
	Name   string
	Others []string
	Color  color.NRGBA
	Blocks uint64
	Bytes  uint64
	Thing  link.Thing
}

// coloring gives every block its class or amount. It is immutable once made.
type coloring struct {
	by      ColorBy
	h       *heap.Heap
	entries []Entry
	class   []uint8   // in the heap's Order, index of entries; nil for amounts
	rest    bool      // the last entry stands for several classes
	amount  []float32 // in the heap's Order, 0..1; nil for classes
	low     float64   // what amount 0 and 1 stand for
	high    float64
	ends    [2]float64 // these as amountOf gives them
	under   bool       // some amounts are below the low end, which is another run's,
	over    bool       // or above the high one
}

// maxClasses is the number of classes that have an entry of their own; the rest share the last one.
const maxClasses = palette.Distinct

// Legend is the classes of the attribute of the state whose frame was drawn last, in the order of their entries; nil
// for amounts.
func (r *Renderer) Legend(s State) []Entry {
	if s.Heap == nil || s.Color >= Size {
		return nil
	}
	if c := r.colors(&s); c != nil {
		list, _ := r.entries(&s, c)
		return list
	}
	return nil
}

// colorKey is what a coloring depends on. Colours of sites are compared by content; number tells which they are.
type colorKey struct {
	h      *heap.Heap
	theme  palette.Theme
	by     ColorBy
	use    *region.BlockUse // the first
	usage  *heap.Usage      // where it counts
	number int
	like   Like
	why    string // where it counts
}

// colors is the coloring of a state; while it is still being made the last one of the same blocks, or nil.
func (r *Renderer) colors(s *State) *coloring {
	if !slices.Equal(r.sites, s.Sites) {
		r.sites = slices.Clone(s.Sites)
		r.number++
	}
	k := colorKey{h: s.Heap, theme: s.Theme, by: s.Color, number: r.number, like: s.Like}
	if len(s.Use) > 0 {
		k.use = &s.Use[0]
	}
	if s.Color == Untouched {
		k.usage = s.Usage
	}
	if s.Color >= Heat && s.Color <= Untouched {
		k.why = s.Why
	}
	it, current := r.store.find("colors", k)
	if !current { // the state is copied only where it is kept
		now := *s
		now.Sites = r.sites
		it = r.get("colors", k, func(context.Context) any { return newColoring(&now) })
	}
	c, _ := it.(*coloring)
	if c != nil && c.h != s.Heap {
		return nil
	}
	return c
}

func newColoring(s *State) *coloring {
	c := &coloring{by: s.Color, h: s.Heap}
	if s.Color >= Size {
		c.amounts(s)
		return c
	}
	h := s.Heap
	g := grouping{names: map[string]int{}}
	var of func(id int) int // the class of a block
	switch s.Color {
	case Site:
		for i := range h.Sites {
			x := &h.Sites[i]
			g.all = append(g.all, Entry{Name: x.Name(), Blocks: x.Blocks, Bytes: x.Bytes, Thing: s.siteThing(i)})
		}
		of = func(id int) int { return int(h.SiteOf(id)) }
	case Function:
		by := make([]int, len(h.Sites))
		for i := range h.Sites {
			by[i] = g.function(&h.Sites[i])
		}
		of = func(id int) int { return by[h.SiteOf(id)] }
	case Freed, Freer:
		of = g.freed(h, s.Color == Freer)
	case Process:
		for i := range h.Processes() {
			g.all = append(g.all, Entry{Name: processName(h, i)})
		}
		if g.all == nil {
			g.all = []Entry{{Name: "the process"}}
		}
		of = func(id int) int { k, _ := h.Process(h.Block(id).Low); return k }
	case BinOf:
		for i := range h.Bins {
			g.all = append(g.all, Entry{Name: h.Bins[i].Name})
		}
		of = h.Bin
	default:
		for t := range h.Threads {
			g.all = append(g.all, Entry{Name: "thread " + strconv.Itoa(t)})
		}
		of = func(id int) int { return int(h.Block(id).Thread) }
	}
	c.classes(s, g.all, of)
	return c
}

// grouping is all classes of a coloring, before they are ranked.
type grouping struct {
	all   []Entry
	names map[string]int // of functions
}

// function is the class of a site's function.
func (g *grouping) function(x *heap.Site) int {
	name := functionName(x)
	k, ok := g.names[name]
	if !ok {
		k = len(g.all)
		g.names[name] = k
		g.all = append(g.all, Entry{Name: name, Thing: link.OfFunction(x.Function)})
	}
	return k
}

// freed makes classes of the lines that free blocks, or of their functions, and one of blocks that are not freed.
func (g *grouping) freed(h *heap.Heap, functions bool) (of func(id int) int) {
	by := make([]int, len(h.FreeSites))
	for i := range h.FreeSites {
		x := &h.FreeSites[i]
		if functions {
			by[i] = g.function(x)
			continue
		}
		by[i] = len(g.all)
		g.all = append(g.all, Entry{Name: x.Name(), Thing: lineThing(x)})
	}
	never := len(g.all)
	g.all = append(g.all, Entry{Name: neverFreed})
	return func(id int) int {
		if site := h.FreeSite(h.Block(id)); site >= 0 {
			return by[site]
		}
		return never
	}
}

// classes ranks groups by bytes and gives the first their own colours.
func (c *coloring) classes(s *State, groups []Entry, of func(id int) int) {
	h := s.Heap
	if s.Color != Site { // these know their sums
		for i := range h.Count() {
			g := &groups[of(i)]
			g.Blocks++
			g.Bytes += h.Size(i)
		}
	}
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	// sites are ranked already, processes and threads keep their order
	if s.Color != Thread && s.Color != Process && s.Color != Site {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(groups[b].Bytes, groups[a].Bytes) })
	}
	number := make([]uint8, len(groups))
	like := s.Like.order(c.by, groups, order)
	own := min(maxClasses, len(order))
	if like != nil {
		own = min(own, len(like))
	}
	var rest []int
	for rank, g := range order {
		e := groups[g]
		switch {
		case like != nil && rank < own:
			e.Color = like[rank]
		case rank < own:
			e.Color = s.classColor(g, rank, &e)
		}
		if rank >= own || c.by == Site && e.Color == palette.Others(s.Theme) { // its region has no colour of its own
			rest = append(rest, g)
			continue
		}
		number[g] = uint8(len(c.entries))
		c.entries = append(c.entries, e)
	}
	for _, g := range rest {
		number[g] = uint8(len(c.entries))
	}
	c.addRest(s, groups, rest)
	if s.Color == Site {
		c.class = h.BySite(number)
		return
	}
	// In the order of the blocks first: each is read in its turn, and what is then read in the order of the index is
	// small.
	class := make([]uint8, h.Count())
	for i := range h.Count() {
		class[i] = number[of(i)]
	}
	c.class = make([]uint8, h.Count())
	for i, id := range h.Order() {
		c.class[i] = class[id]
	}
}

// classColor is the colour of group g, which is the rank-th.
func (s *State) classColor(g, rank int, e *Entry) color.NRGBA {
	switch {
	case s.Color == Site && g < len(s.Sites):
		return s.Sites[g]
	case (s.Color == Freed || s.Color == Freer) && e.Name == neverFreed && e.Thing == (link.Thing{}):
		return palette.Others(s.Theme)
	}
	return palette.Qualitative(s.Theme, rank)
}

// addRest makes one entry of the groups that share the grey of the rest, which says how many they are; one alone keeps
// its name.
func (c *coloring) addRest(s *State, groups []Entry, rest []int) {
	if len(rest) == 0 {
		return
	}
	c.rest = len(rest) > 1
	e := groups[rest[0]]
	if c.rest {
		e = Entry{Name: strconv.Itoa(len(rest)) + " others"}
		for _, g := range rest {
			e.Blocks += groups[g].Blocks
			e.Bytes += groups[g].Bytes
			e.Others = append(e.Others, groups[g].Name)
		}
	}
	e.Color = palette.Others(s.Theme)
	c.entries = append(c.entries, e)
}

const neverFreed = "never freed"

// amounts scales the attribute to 0..1 between its least and greatest value. Where none is known all blocks are of one
// neutral class.
func (c *coloring) amounts(s *State) {
	h := s.Heap
	c.amount = make([]float32, h.Count())
	value := amountOf(s)
	low, high := math.Inf(1), math.Inf(-1)
	for i := range h.Count() {
		if v := value(i); v > unknown {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		c.amount, c.class = nil, make([]uint8, h.Count())
		c.entries = []Entry{{Name: cmp.Or(s.Why, "not known"), Color: palette.Others(s.Theme), Blocks: uint64(h.Count()),
			Bytes: h.TotalBytes}}
		return
	}
	if evenly(s.Color) || s.Color == Heat { // from nothing on
		if low = 0; s.Color == Heat {
			low = math.Log2(shift(Heat))
		}
		high = max(high, low)
	}
	if l := s.Like.c; l != nil && l.by == c.by && l.amount != nil {
		c.under, c.over = low < l.ends[0], high > l.ends[1]
		low, high = l.ends[0], l.ends[1]
	}
	for i, id := range h.Order() {
		if high > low {
			c.amount[i] = float32(min(1, (max(value(int(id)), low)-low)/(high-low)))
		}
	}
	c.low, c.high, c.ends = low, high, [2]float64{low, high}
	if !evenly(s.Color) {
		c.low, c.high = math.Exp2(low)-shift(s.Color), math.Exp2(high)-shift(s.Color)
	}
}

// shift is added before the logarithm is taken of what may be 0.
func shift(by ColorBy) float64 {
	switch by {
	case Size, Lifetime:
		return 0
	case Heat: // most blocks are touched less than once a byte
		return 1.0 / 64
	}
	return 1
}

// evenly reports whether equal steps of an amount are equally long on its map; else equal factors are.
func evenly(by ColorBy) bool { return by == Waste || by == Untouched }

// unknown is the amount of what is not known.
var unknown = math.Inf(-1)

// amountOf gives the attribute of a block, its logarithm to base 2 unless it is shown evenly; unknown where it is not
// known.
func amountOf(s *State) func(id int) float64 {
	h := s.Heap
	used := func(value func(b heap.Block, u *region.BlockUse) float64) func(id int) float64 {
		return func(id int) float64 {
			if id >= len(s.Use) {
				return unknown
			}
			return math.Log2(shift(s.Color) + max(0, value(h.Block(id), &s.Use[id])))
		}
	}
	switch s.Color {
	case Size:
		return func(id int) float64 { return math.Log2(float64(max(h.Size(id), 1))) }
	case Lifetime:
		return func(id int) float64 { b := h.Block(id); return math.Log2(float64(max(b.To-b.From, 1))) }
	case Heat:
		return used(func(b heap.Block, u *region.BlockUse) float64 {
			return float64(u.References()) / float64(max(b.Size, 1))
		})
	case Lag:
		return used(func(b heap.Block, u *region.BlockUse) float64 { lag, _ := idle(h, b, u); return float64(lag) })
	case Drag:
		return used(func(b heap.Block, u *region.BlockUse) float64 { _, drag := idle(h, b, u); return float64(drag) })
	case Untouched:
		return func(id int) float64 {
			if s.Usage == nil || id >= len(s.Usage.Blocks) {
				return unknown
			}
			b := h.Block(id)
			return float64(b.Size-min(b.Size, s.Usage.Blocks[id].Touched)) / float64(max(b.Size, 1))
		}
	case Latency:
		return func(id int) float64 {
			alloc, _ := h.Latencies(id)
			return math.Log2(1 + float64(alloc))
		}
	}
	return func(id int) float64 {
		b := h.Block(id)
		return float64(b.Waste()) / float64(max(b.Usable(), 1))
	}
}

// idle is for how many references a block waits for its first use, and after its last one for its end. A block that is
// never used only drags.
func idle(h *heap.Heap, b heap.Block, u *region.BlockUse) (lag, drag traceio.Seq) {
	from, to := h.Alloc(b), h.Free(b)
	if u.References() == 0 {
		return 0, to - min(from, to)
	}
	return u.First - min(from, u.First), to - min(to, u.Last+1)
}

// amountColor is the colour of an amount. The ends of the map that would vanish in the theme's background are left out.
func amountColor(t palette.Theme, v float64) color.NRGBA {
	if t.Dark {
		return palette.Sequential(0.32 + 0.68*v)
	}
	return palette.Sequential(0.88 * (1 - v))
}

func functionName(s *heap.Site) string {
	if s.Function == "" {
		return s.Name()
	}
	return traceio.ShortFunction(s.Function)
}

// siteThing is a site's identity in the other views: the region of its blocks, under its own name where it has one.
func (s *State) siteThing(i int) link.Thing {
	if i < len(s.Regions) && s.Regions[i] != "" {
		return link.OfRegion(s.Regions[i])
	}
	return SiteThing(&s.Heap.Sites[i])
}

// SiteThing is a site's identity where regions are named after the places that allocate.
func SiteThing(s *heap.Site) link.Thing {
	name := "heap"
	if n := s.Name(); n != "unknown code" {
		name += "@" + n
	}
	return link.OfRegion(name)
}

func lineThing(s *heap.Site) link.Thing {
	switch {
	case s.File != "" && s.Line > 0:
		return link.OfLine(s.File, s.Line)
	case s.Function != "":
		return link.OfFunction(s.Function)
	}
	return link.Thing{}
}

// chosen tells which sites belong to the selected region, function or line; nil when nothing of that kind is selected,
// or none of it allocates here.
func chosen(s *State) []bool {
	t := s.Selected
	if t.What != link.Region && t.What != link.Function && t.What != link.Line {
		return nil
	}
	var out []bool
	for i := range s.Heap.Sites {
		x := &s.Heap.Sites[i]
		if s.siteThing(i) == t || t.What == link.Function && x.Function == t.Name && t.Name != "" ||
			t.What == link.Line && x.File == t.File && x.Line == t.Line && t.Line > 0 {
			if out == nil {
				out = make([]bool, len(s.Heap.Sites))
			}
			out[i] = true
		}
	}
	return out
}
