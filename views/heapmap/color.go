package heapmap

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strconv"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
)

// Entry is one class of blocks in the legend. Thing is what a click on it selects.
type Entry struct {
	Name   string
	Color  color.NRGBA
	Blocks uint64
	Bytes  uint64
	Thing  link.Thing
}

// coloring gives every block its class or amount.
type coloring struct {
	entries []Entry
	class   []uint8   // in the heap's Order, index of entries; nil for amounts
	amount  []float32 // in the heap's Order, 0..1; nil for classes
	low     float64   // what amount 0 and 1 stand for
	high    float64
}

// maxClasses is the number of classes that have an entry of their own; the rest share the last one.
const maxClasses = palette.Distinct

// Legend is the classes of the state's attribute in the order of their entries; nil for amounts.
func Legend(s State) []Entry {
	if s.Heap == nil || s.Color >= Size {
		return nil
	}
	return newColoring(&s).entries
}

func newColoring(s *State) *coloring {
	c := &coloring{}
	if s.Color >= Size {
		c.amounts(s)
		return c
	}
	h := s.Heap
	var groups []Entry             // all classes
	var of func(b *heap.Block) int // the class of a block
	names := map[string]int{}      // of functions
	group := func(name string, t link.Thing) int {
		g, ok := names[name]
		if !ok {
			g = len(groups)
			names[name] = g
			groups = append(groups, Entry{Name: name, Thing: t})
		}
		return g
	}
	switch s.Color {
	case Site:
		for i := range h.Sites {
			name := h.Sites[i].Name()
			groups = append(groups, Entry{Name: name, Thing: siteThing(&h.Sites[i])})
		}
		of = func(b *heap.Block) int { return int(b.Site) }
	case Function:
		by := make([]int, len(h.Sites))
		for i := range h.Sites {
			f := functionName(&h.Sites[i])
			by[i] = group(f, link.Thing{What: link.Function, Name: h.Sites[i].Function})
		}
		of = func(b *heap.Block) int { return by[b.Site] }
	case Freed:
		for i := range h.FreeSites {
			groups = append(groups, Entry{Name: h.FreeSites[i].Name(), Thing: lineThing(&h.FreeSites[i])})
		}
		groups = append(groups, Entry{Name: "never freed"})
		never := len(groups) - 1
		of = func(b *heap.Block) int {
			if h.FreeSite(b) < 0 {
				return never
			}
			return h.FreeSite(b)
		}
	default:
		for t := range h.Threads {
			groups = append(groups, Entry{Name: "thread " + strconv.Itoa(t)})
		}
		of = func(b *heap.Block) int { return int(b.Thread) }
	}
	c.classes(s, groups, of)
	return c
}

// classes ranks groups by bytes and gives the first their own colours.
func (c *coloring) classes(s *State, groups []Entry, of func(*heap.Block) int) {
	h := s.Heap
	for i := range h.Blocks {
		g := &groups[of(&h.Blocks[i])]
		g.Blocks++
		g.Bytes += h.Blocks[i].Size
	}
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	if s.Color != Thread && s.Color != Site { // sites are ranked already, threads keep their order
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(groups[b].Bytes, groups[a].Bytes) })
	}
	number := make([]uint8, len(groups))
	var others Entry
	for rank, g := range order {
		e := groups[g]
		if rank < maxClasses {
			e.Color = palette.Qualitative(s.Theme, rank)
			if s.Color == Site && g < len(s.Sites) {
				e.Color = s.Sites[g]
			}
			if s.Color == Freed && e.Name == "never freed" && e.Thing == (link.Thing{}) {
				e.Color = palette.Others(s.Theme)
			}
			number[g] = uint8(len(c.entries))
			c.entries = append(c.entries, e)
			continue
		}
		number[g] = uint8(maxClasses)
		others.Blocks += e.Blocks
		others.Bytes += e.Bytes
	}
	if len(order) > maxClasses {
		others.Name = strconv.Itoa(len(order)-maxClasses) + " others"
		others.Color = palette.Others(s.Theme)
		c.entries = append(c.entries, others)
	}
	c.class = make([]uint8, len(h.Blocks))
	for i, id := range h.Order() {
		c.class[i] = number[of(&h.Blocks[id])]
	}
}

// amounts scales the attribute to 0..1 between its least and greatest value.
func (c *coloring) amounts(s *State) {
	h := s.Heap
	c.amount = make([]float32, len(h.Blocks))
	value := func(b *heap.Block) float64 {
		switch s.Color {
		case Size:
			return math.Log2(float64(max(b.Size, 1)))
		case Lifetime:
			return math.Log2(float64(max(b.To-b.From, 1)))
		}
		return float64(b.Waste()) / float64(max(b.Usable(), 1))
	}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range h.Blocks {
		v := value(&h.Blocks[i])
		low, high = min(low, v), max(high, v)
	}
	if s.Color == Waste {
		low = 0
	}
	for i, id := range h.Order() {
		if high > low {
			c.amount[i] = float32((value(&h.Blocks[id]) - low) / (high - low))
		}
	}
	c.low, c.high = low, high
	if s.Color != Waste {
		c.low, c.high = math.Exp2(low), math.Exp2(high)
	}
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

// siteThing is a site's identity in the other views: the region of its blocks.
func siteThing(s *heap.Site) link.Thing {
	name := "heap"
	if n := s.Name(); n != "unknown code" {
		name += "@" + n
	}
	return link.Thing{What: link.Region, Name: name}
}

func lineThing(s *heap.Site) link.Thing {
	switch {
	case s.File != "" && s.Line > 0:
		return link.Thing{What: link.Line, File: s.File, Line: s.Line}
	case s.Function != "":
		return link.Thing{What: link.Function, Name: s.Function}
	}
	return link.Thing{}
}

// chosen tells which sites belong to the selected region, function or line; nil when nothing of that kind is selected, or
// none of it allocates here.
func chosen(s *State) []bool {
	t := s.Selected
	if t.What != link.Region && t.What != link.Function && t.What != link.Line {
		return nil
	}
	var out []bool
	for i := range s.Heap.Sites {
		x := &s.Heap.Sites[i]
		if siteThing(x).Name == t.Name && t.What == link.Region || t.What == link.Function && x.Function == t.Name && t.Name != "" ||
			t.What == link.Line && x.File == t.File && x.Line == t.Line && t.Line > 0 {
			if out == nil {
				out = make([]bool, len(s.Heap.Sites))
			}
			out[i] = true
		}
	}
	return out
}
