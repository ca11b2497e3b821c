package session

import (
	"fmt"
	"image/color"
	"math"
	"path"
	"slices"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/table"
	"orrery/views/words"
)

// AllocationTables are the keys of the tables of a heap, in the order in which they are offered, with what they list.
var AllocationTables = []struct{ Key, Title, What string }{
	{"sites", "Hot sites: what each place allocates", "allocated at"},
	{"leaks", "Leaks: what was never freed, and how it grew", "never freed, allocated at"},
	{"temporary", "Temporaries: blocks that are freed at once", "freed at once, allocated at"},
	{"threads", "Blocks that another thread frees", "allocated → freed at"},
	{"moves", "Reallocations: buffers that grow and move", "buffer, first allocated at"},
	{"errors", "Errors of the log", "error"},
	{"use", "Use by references: untouched bytes, lag and drag", "used, allocated at"},
	{"order", "Order check: bursts of allocations, and whether addresses went up", "burst"},
	{"regions", "Largest compact regions at the peak", "region"},
	{"holes", "Largest holes between live blocks at the peak", "hole"},
	{"pins", "Survivors that pin the heap at the end", "block, allocated at"},
	{"latency", "Response times of the allocator, by bin", "answers"},
	{"against", "Against another run, site by site", "allocated at"},
}

// Allocating is what the tables of a heap are made from.
type Allocating struct {
	Heap     *heap.Heap
	Usage    *heap.Usage      // for "use"; nil without
	Baseline *heap.Comparison // for "against": Old is the other run; nil without
	Than     string           // what the other run is called
	Unit     string           // of time: "references"
}

// mostRows bounds the tables of single buffers and errors; the sentence tells when there are more.
const mostRows = 10_000

// cells is a column with where its number comes from.
type cells[T any] struct {
	table.Column
	of func(x T) float64
}

func count(n uint64) float64 { return float64(n) }

// fill makes the rows of a table. row gives the name and the thing of one.
func fill[T any](s *table.State, list []T, columns []cells[T], row func(x T) table.Row) {
	for _, c := range columns {
		s.Columns = append(s.Columns, c.Column)
	}
	for _, x := range list {
		r := row(x)
		for _, c := range columns {
			r.Values = append(r.Values, c.of(x))
		}
		s.Rows = append(s.Rows, r)
	}
}

// AllocationTable is one of AllocationTables as a view, sorted by what it is about.
func (r *Recording) AllocationTable(theme palette.Theme, a Allocating, key string) table.State {
	s := table.State{Theme: theme, Over: -1}
	for _, t := range AllocationTables {
		if t.Key == key {
			s.Title = t.What
		}
	}
	t := allocationTable{r: r, a: &a, s: &s, colors: r.siteColors(theme), regions: r.siteRegions()}
	switch key {
	case "leaks":
		t.leaks()
	case "temporary":
		t.temporaries()
	case "threads":
		t.crossings()
	case "moves":
		t.chains()
	case "errors":
		t.errors()
	case "use":
		t.use()
	case "order":
		t.bursts()
	case "regions":
		t.compact()
	case "holes":
		t.holes()
	case "pins":
		t.pins()
	case "latency":
		t.latencies()
	case "against":
		t.changes()
	default:
		t.sites()
	}
	return s
}

// allocationTable is a table that is being made.
type allocationTable struct {
	r       *Recording
	a       *Allocating
	s       *table.State
	colors  []color.NRGBA
	regions []string // by site
}

// site is the row of a site, without numbers.
func (t *allocationTable) site(i int) table.Row {
	x := &t.a.Heap.Sites[i]
	row := table.Row{Name: x.Name(), Thing: link.OfRegion(t.regions[i])}
	if t.regions[i] == "" { // it is of another heap than the recording's
		row.Thing = heapmap.SiteThing(x)
	}
	if i < len(t.colors) {
		row.Color = t.colors[i]
	}
	if x.File != "" && x.Line > 0 {
		row.Name, row.Short = fmt.Sprintf("%s:%d", x.File, x.Line), x.Name()
		row.Note = t.r.LineText(x.File, x.Line)
	}
	if row.Note == "" {
		row.Note = traceio.ShortFunction(x.Function)
	}
	if row.Note == row.Name {
		row.Note = ""
	}
	return row
}

func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func (t *allocationTable) sites() {
	at := t.a.Heap.Sites
	fill(t.s, numbers(len(at)), []cells[int]{
		{table.Column{Title: "bytes", Tip: "bytes asked for"}, func(i int) float64 { return count(at[i].Bytes) }},
		{table.Column{Title: "calls", Tip: "allocations"}, func(i int) float64 { return count(at[i].Blocks) }},
		{table.Column{Title: "a call", Tip: "bytes asked for by a call"}, func(i int) float64 {
			return count(at[i].Bytes) / float64(max(at[i].Blocks, 1))
		}},
		{table.Column{Title: "at the peak", Tip: "bytes live when most were"}, func(i int) float64 {
			return count(at[i].PeakBytes)
		}},
		{table.Column{Title: "never freed", Tip: "bytes never freed", Red: true}, func(i int) float64 {
			return count(at[i].LiveBytes)
		}},
		{table.Column{Title: "temporary", Tip: "blocks freed by the next event of their thread"}, func(i int) float64 {
			return count(at[i].Temporary)
		}},
		{table.Column{Title: "other thread", Tip: "blocks freed by another thread"}, func(i int) float64 {
			return count(at[i].Crossed)
		}},
		{table.Column{Title: "waste", Tip: "bytes set aside that nobody asked for"}, func(i int) float64 {
			return count(at[i].WasteBytes)
		}},
	}, t.site)
}

func (t *allocationTable) leaks() {
	h := t.a.Heap
	fill(t.s, h.Leaks(), []cells[heap.Leak]{
		{table.Column{Title: "bytes", Tip: "bytes never freed", Red: true}, func(l heap.Leak) float64 {
			return count(l.Bytes)
		}},
		{table.Column{Title: "blocks", Tip: "blocks never freed"}, func(l heap.Leak) float64 { return count(l.Blocks) }},
		{table.Column{Title: "of its blocks", Tip: "share of the site's blocks that were never freed", Format: table.Share},
			func(l heap.Leak) float64 {
				return count(l.Blocks) / float64(max(h.Sites[l.Site].Blocks, 1))
			}},
		{table.Column{Title: "grew in", Tip: fmt.Sprintf("parts of the run, of %d, in which the leak grew",
			heap.GrowthSteps)}, func(l heap.Leak) float64 { return float64(l.Steps()) }},
		{table.Column{Title: "first", Tip: "when the first was allocated, in " + t.a.Unit}, func(l heap.Leak) float64 {
			return float64(h.Axis.Seq(l.First))
		}},
		{table.Column{Title: "last", Tip: "when the last was allocated, in " + t.a.Unit}, func(l heap.Leak) float64 {
			return float64(h.Axis.Seq(l.Last))
		}},
	}, func(l heap.Leak) table.Row {
		row := t.site(l.Site)
		row.Note = Growth(l)
		return row
	})
}

// Growth draws how a leak grew, a bar for each part of the run, and says it: "▂··▄█ grows through the run".
func Growth(l heap.Leak) string {
	drawn := steps(l.Growth[:], slices.Max(l.Growth[:]))
	word := "grew in some parts"
	switch {
	case l.Growing():
		word = "grows through the run"
	case l.Steps() == 1:
		word = "was made once"
	}
	return drawn + " " + word
}

// steps draws amounts as bars, of which the highest stands for most: "▂··▄█".
func steps(amounts []uint64, most uint64) string {
	out := make([]rune, 0, len(amounts))
	for _, v := range amounts {
		if v == 0 {
			out = append(out, '·')
		} else {
			out = append(out, []rune("▁▂▃▄▅▆▇█")[7*v/most])
		}
	}
	return string(out)
}

func (t *allocationTable) temporaries() {
	at := t.a.Heap.Sites
	var list []int
	for i := range at {
		if at[i].Temporary > 0 {
			list = append(list, i)
		}
	}
	fill(t.s, list, []cells[int]{
		{table.Column{Title: "temporary", Tip: "blocks freed by the next event of their thread", Red: true},
			func(i int) float64 { return count(at[i].Temporary) }},
		{table.Column{Title: "of its calls", Tip: "share of the site's allocations", Format: table.Share},
			func(i int) float64 { return count(at[i].Temporary) / float64(max(at[i].Blocks, 1)) }},
		{table.Column{Title: "calls", Tip: "allocations"}, func(i int) float64 { return count(at[i].Blocks) }},
		{table.Column{Title: "a call", Tip: "bytes asked for by a call"}, func(i int) float64 {
			return count(at[i].Bytes) / float64(max(at[i].Blocks, 1))
		}},
	}, t.site)
}

func (t *allocationTable) crossings() {
	h := t.a.Heap
	fill(t.s, h.Crossings(), []cells[heap.Crossing]{
		{table.Column{Title: "blocks", Tip: "blocks that another thread frees", Red: true}, func(c heap.Crossing) float64 {
			return count(c.Blocks)
		}},
		{table.Column{Title: "bytes", Tip: "bytes of them"}, func(c heap.Crossing) float64 { return count(c.Bytes) }},
		{table.Column{Title: "from thread", Tip: "is the thread that allocates"}, func(c heap.Crossing) float64 {
			return float64(c.From)
		}},
		{table.Column{Title: "to thread", Tip: "is the thread that frees"}, func(c heap.Crossing) float64 {
			return float64(c.To)
		}},
	}, func(c heap.Crossing) table.Row {
		row := t.site(c.Site)
		row.Name, row.Short, row.Note = h.Sites[c.Site].Name()+" → "+h.FreeSites[c.FreeSite].Name(), "", ""
		return row
	})
}

func (t *allocationTable) chains() {
	h := t.a.Heap
	all := h.Chains()
	fill(t.s, all[:min(len(all), mostRows)], []cells[heap.Chain]{
		{table.Column{Title: "copied", Tip: "bytes that moved with it", Red: true}, func(c heap.Chain) float64 {
			return count(c.Copied)
		}},
		{table.Column{Title: "moves", Tip: "changes of its address"}, func(c heap.Chain) float64 { return float64(c.Moves) }},
		{table.Column{Title: "reallocations", Tip: "reallocations, in place ones among them"}, func(c heap.Chain) float64 {
			return float64(len(c.Blocks) - 1)
		}},
		{table.Column{Title: "at first", Tip: "bytes of its first block"}, func(c heap.Chain) float64 {
			return count(h.Block(int(c.Blocks[0])).Size)
		}},
		{table.Column{Title: "largest", Tip: "bytes when it was largest"}, func(c heap.Chain) float64 {
			return count(c.Most)
		}},
		{table.Column{Title: "from", Tip: "when it was allocated, in " + t.a.Unit}, func(c heap.Chain) float64 {
			return float64(h.Alloc(h.Block(int(c.Blocks[0]))))
		}},
	}, func(c heap.Chain) table.Row {
		last := int(c.Blocks[len(c.Blocks)-1])
		row := t.site(int(h.Block(int(c.Blocks[0])).Site))
		row.Short = fmt.Sprintf("%s, #%d", h.Sites[h.Block(int(c.Blocks[0])).Site].Name(), c.Blocks[0])
		row.Name += fmt.Sprintf(", #%d to #%d", c.Blocks[0], last)
		row.Thing = blockThing(h, last)
		return row
	})
}

func blockThing(h *heap.Heap, id int) link.Thing {
	return link.OfBlock(id, h.Block(id).Low, h.Block(id).High())
}

func (t *allocationTable) errors() {
	h := t.a.Heap
	list := h.Errors[:min(len(h.Errors), mostRows)]
	fill(t.s, numbers(len(list)), []cells[int]{
		{table.Column{Title: "event", Tip: "is its number in the log"}, func(i int) float64 {
			return float64(list[i].Event)
		}},
		{table.Column{Title: "at", Tip: "is when, in " + t.a.Unit}, func(i int) float64 { return float64(list[i].Seq) }},
		{table.Column{Title: "bytes", Tip: "bytes, as the log has it, of an event that asks for some"}, func(i int) float64 {
			e := &list[i]
			if e.Kind == heap.DoubleFree || e.Kind == heap.UnknownFree || e.Kind == heap.InnerFree ||
				e.Kind == heap.DeadRealloc {
				return math.NaN()
			}
			if e.Kind == heap.NegativeSize {
				return float64(int64(e.Size))
			}
			return count(e.Size)
		}},
		{table.Column{Title: "thread", Tip: "is its thread"}, func(i int) float64 { return float64(list[i].Thread) }},
		{table.Column{Title: "of block", Tip: "is the block concerned"}, func(i int) float64 {
			if list[i].Block < 0 {
				return math.NaN()
			}
			return float64(list[i].Block)
		}},
	}, func(i int) table.Row {
		e := &list[i]
		_, own := h.Process(e.Addr)
		row := table.Row{Name: fmt.Sprintf("%s of %v", e.Kind, own), Note: e.What(), Thing: heapmap.ErrorThing(h, i)}
		if caller := h.Caller(e.Stack); caller.Where() != "" {
			row.Name += " in " + caller.Where()
		}
		if e.Doubt() != "" {
			row.Note = heapmap.Asked(e.Size) + ", " + e.Doubt()
		}
		return row
	})
	t.s.Sort, t.s.Upward = 0, true
}

func (t *allocationTable) use() {
	if t.a.Usage == nil {
		return
	}
	u := t.a.Usage.Sites
	fill(t.s, numbers(len(u)), []cells[int]{
		{table.Column{Title: "held in vain", Tip: "of the memory held over time: before the first use or after the last",
			Format: table.Share, Red: true}, func(i int) float64 { return u[i].LagShare() + u[i].DragShare() }},
		{table.Column{Title: "lag", Tip: "of the memory held over time: before the first use", Format: table.Share},
			func(i int) float64 { return u[i].LagShare() }},
		{table.Column{Title: "drag", Tip: "of the memory held over time: after the last use", Format: table.Share},
			func(i int) float64 { return u[i].DragShare() }},
		{table.Column{Title: "never touched", Tip: "bytes that no recorded reference reached", Red: true},
			func(i int) float64 { return count(u[i].Bytes - min(u[i].Touched, u[i].Bytes)) }},
		{table.Column{Title: "of its bytes", Tip: "of the bytes asked for, never touched", Format: table.Share},
			func(i int) float64 {
				return 1 - count(min(u[i].Touched, u[i].Bytes))/float64(max(u[i].Bytes, 1))
			}},
		{table.Column{Title: "unused", Tip: "blocks that no recorded reference reached"}, func(i int) float64 {
			return count(u[i].Unused)
		}},
		{table.Column{Title: "references", Tip: "loads and stores"}, func(i int) float64 { return count(u[i].References) }},
		{table.Column{Title: "lag a block", Tip: "references from a block's allocation to its first use"},
			func(i int) float64 { return count(u[i].Lag / max(u[i].Blocks, 1)) }},
		{table.Column{Title: "drag a block", Tip: "references from a block's last use to its free"}, func(i int) float64 {
			return count(u[i].Drag / max(u[i].Blocks, 1))
		}},
	}, t.site)
	t.s.Sort = 3
}

// sides is the columns of one number before and after.
func sides(title, tip string, of func(c *heap.Cost) uint64) []cells[heap.SiteChange] {
	before := func(x heap.SiteChange) float64 { return count(of(&x.Before)) }
	after := func(x heap.SiteChange) float64 { return count(of(&x.After)) }
	return []cells[heap.SiteChange]{
		{table.Column{Title: title + " more", Tip: "more " + tip + " than the other run", Format: table.Change, Red: true},
			func(x heap.SiteChange) float64 { return after(x) - before(x) }},
		{table.Column{Title: title + " here", Tip: tip + " in this run"}, after},
		{table.Column{Title: title + " there", Tip: tip + " in the other run"}, before},
	}
}

func (t *allocationTable) changes() {
	c := t.a.Baseline
	if c == nil {
		return
	}
	var columns []cells[heap.SiteChange]
	columns = append(columns, sides("bytes", "bytes asked for", func(c *heap.Cost) uint64 { return c.Bytes })...)
	columns = append(columns, sides("calls", "allocations", func(c *heap.Cost) uint64 { return c.Blocks })...)
	columns = append(columns, sides("peak", "bytes at the peak", func(c *heap.Cost) uint64 { return c.PeakBytes })...)
	columns = append(columns, sides("leaked", "bytes never freed", func(c *heap.Cost) uint64 { return c.LiveBytes })...)
	fill(t.s, c.Sites, columns, func(x heap.SiteChange) table.Row {
		row := table.Row{Name: x.Name}
		if x.New >= 0 {
			row = t.site(x.New)
			row.Short = x.Name
		}
		switch {
		case x.New < 0:
			row.Note = "only in " + path.Base(t.a.Than)
		case x.Old < 0:
			row.Note = "not in " + path.Base(t.a.Than)
		}
		return row
	})
}

// siteWords names a site of the heap with an amount: "list.c:22 (1.2 KiB)".
func (a *Allocating) siteWords(i int, bytes uint64) string {
	return fmt.Sprintf("%s (%s)", a.Heap.Sites[i].Name(), words.Bytes(bytes))
}
