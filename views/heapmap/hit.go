package heapmap

import (
	"fmt"
	"math"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/scene"
	"orrery/views/words"
)

// Part is a part of the picture.
type Part uint8

// The parts.
const (
	Nowhere Part = iota
	Map
	Bar
	Context
	LegendPart
	LegendRest // what tells of the entries that have no room
	CurvePart
	Cell     // a bin's map or bar on a page of bins
	BinTitle // a bin's name there
	Rows     // the bar that scrolls through the rows of bins
)

// Target is what lies under the pointer: the thing to select or hover (its zero value is none) and the lines of its
// tooltip, the first one brightest. Time and Addr are where the pointer is on the axes of the part it is in, Time and
// Seq the error's own on the mark of one. Entry is the legend's entry, -1 outside of the legend.
type Target struct {
	Part  Part
	Thing link.Thing
	Lines []string
	Time  heap.Time
	Seq   traceio.Seq
	Addr  traceio.Addr
	Entry int
	Bin   int // on a page of bins the bin plus 1, else 0
}

// reach is how far, in units, the pointer may miss a block.
const reach = 3.0

// Hit returns what lies at p, as far as it is drawn already.
func (r *Renderer) Hit(s State, size scene.Size, p scene.Point) Target {
	t := Target{Entry: -1}
	if s.Heap == nil || s.Heap.Count() == 0 {
		return t
	}
	l := newLayout(&s, size)
	colors := r.colors(&s)
	if colors == nil {
		return t
	}
	if s.Page != MapPage && !l.legend.Contains(p) {
		return r.hitGrid(&s, size, colors, p)
	}
	switch {
	case l.curves.Contains(p):
		t.Part = CurvePart
		t.setTime(&s, l.time(p.X))
		t.Lines = r.hitCurves(&s, &l, p)
	case l.plot.Contains(p) && s.Page == MapPage:
		t.Part = Map
		t.setTime(&s, l.time(p.X))
		t.Addr = l.axis.addr(p.Y - l.plot.Min.Y)
		if i := l.errorAt(&s, p); i >= 0 {
			e := &s.Heap.Errors[i]
			t.Thing, t.Time, t.Seq = ErrorThing(s.Heap, i), e.At, e.Seq
			t.Lines = DescribeError(s, i)
		} else if id := l.blockAt(&s, colors, p); id >= 0 {
			t.Thing = BlockThing(s.Heap, id)
			t.Lines = Describe(s, id)
		}
	case l.bar.Contains(p):
		t.Part = Bar
		t.setTime(&s, l.time(p.X))
		per := float64(l.to-l.from) / l.plot.W()
		of := r.totals(&s)
		if of == nil {
			break
		}
		low, high := of.Occupancy(t.Time, max(t.Time+1, t.Time+heap.Time(per)))
		peak, _ := s.peak()
		t.Lines = []string{words.Bytes(high) + " live", fmt.Sprintf("%d %% of the peak, %s", percent(high, peak),
			words.Bytes(peak)), "at " + words.Count(uint64(t.Time)) + " " + s.Heap.Axis.Unit()}
		if low != high {
			t.Lines[0] = words.Bytes(low) + " to " + words.Bytes(high) + " live"
		}
	case l.sampleBox().Contains(p):
		t.Lines = []string{s.Cushion.String(), s.Cushion.tells()}
	case l.context.Contains(p):
		t.Part = Context
		whole := l.wholeAxis(&s)
		t.setTime(&s, (p.X-l.context.Min.X)/l.context.W()*float64(s.horizon()))
		t.Addr = whole.addr(p.Y - l.context.Min.Y)
		t.Lines = r.describeAll(&s)
	case l.legend.Contains(p) && colors.by < Size && s.Page != BarsPage:
		entries, counted := r.entries(&s, colors)
		t.legend(&l, entries, counted, p)
	}
	return t
}

// legend answers in the legend.
func (t *Target) legend(l *layout, entries []Entry, counted bool, p scene.Point) {
	placed, more := chips(l, entries)
	for _, c := range placed {
		if c.box.Contains(p) {
			e := &entries[c.entry]
			t.Part, t.Entry, t.Thing = LegendPart, c.entry, e.Thing
			t.Lines = append([]string{e.Name}, e.others()...)
			if counted {
				t.Lines = append(t.Lines, words.Plural(e.Blocks, "block")+", "+words.Bytes(e.Bytes))
			}
			t.Lines = append(t.Lines, "click: these alone; with Shift: hide them")
		}
	}
	if more > 0 && moreBox(l, placed).Contains(p) {
		t.Part = LegendRest
		for _, e := range entries[placed[len(placed)-1].entry+1:] {
			if e.Blocks > 0 {
				t.Lines = append(t.Lines, e.Name)
			}
		}
		t.Lines = append(t.Lines, "click: a list of all")
	}
}

func (t *Target) setTime(s *State, at float64) {
	t.Time = heap.Time(min(max(math.Floor(at), 0), float64(max(s.Heap.Axis.End-1, 0))))
	t.Seq = s.Heap.Axis.Seq(t.Time)
}

func percent(a, b uint64) uint64 {
	if b == 0 {
		return 0
	}
	return uint64(math.Round(100 * float64(a) / float64(b)))
}

// BlockThing is the identity of a heap block in every view.
func BlockThing(h *heap.Heap, id int) link.Thing {
	b := h.Block(id)
	return link.OfBlock(id, b.Low, b.High())
}

// ErrorThing is the identity of an error of the log in every view.
func ErrorThing(h *heap.Heap, i int) link.Thing {
	e := &h.Errors[i]
	if e.Block >= 0 {
		b := h.Block(e.Block)
		return link.OfError(e.Name(), e.Block, b.Low, b.High())
	}
	return link.OfError(e.Name(), -1, e.Addr, e.Addr+1)
}

// ErrorOf is the error of the log that a thing is: indexes its Errors; -1 for other things.
func ErrorOf(h *heap.Heap, t link.Thing) int {
	if t.What != link.Error {
		return -1
	}
	return h.FindError(t.Name, t.ID)
}

// blockAt is the block under the pointer, or else the nearest one within reach; -1 when there is none. Hidden classes
// are looked through. Where blocks lie close one is found close by, and what is further away is not looked at.
func (l *layout) blockAt(s *State, c *coloring, p scene.Point) int {
	for _, r := range [...]float64{0.5, reach} {
		if id := l.nearest(s, c, p, r); id >= 0 {
			return id
		}
	}
	return -1
}

// nearest is the block nearest to p, at most so many units away.
func (l *layout) nearest(s *State, c *coloring, p scene.Point, reach float64) int {
	best, least := -1, math.Inf(1)
	hides := len(s.Hidden) > 0 && c.class != nil
	y := p.Y - l.plot.Min.Y
	from, to := heap.Time(math.Floor(l.time(p.X-reach))), heap.Time(math.Ceil(l.time(p.X+reach)))
	low, high := l.axis.addr(y+reach), l.axis.addr(y-reach)
	s.Heap.Touching(from, to, low-min(low, 1), high+1, func(at int, id int32, r heap.Rect) {
		if hides && c.hidden(s, at) || !l.axis.shows(r.Low) && !l.axis.shows(r.High-1) || l.bin >= 0 &&
			s.Heap.Bin(int(id)) != l.bin {
			return
		}
		dx := max(l.x(float64(r.From))-p.X, p.X-l.x(float64(r.To)), 0)
		dy := max(l.axis.y(r.High)-y, y-l.axis.y(r.Low), 0)
		// Of blocks equally near (the pointer is in several thin ones) the youngest, as in the index.
		if away := dx*dx + dy*dy; away <= reach*reach && (away < least || away == least && int(id) > best) {
			best, least = int(id), away
		}
	})
	return best
}

// hidden reports whether the block at a place of the index belongs to a hidden class.
func (c *coloring) hidden(s *State, at int) bool {
	k := int(c.class[at])
	return k < len(s.Hidden) && s.Hidden[k]
}

// errorAt is the error in the log whose dot is nearest to p, -1 when none is within reach.
func (l *layout) errorAt(s *State, p scene.Point) int {
	best, least := -1, errorDot+reach
	for i := range s.Heap.Errors {
		if at, ok := l.errorPoint(s, &s.Heap.Errors[i]); ok {
			if away := math.Hypot(at.X-p.X, at.Y-p.Y); away < least {
				best, least = i, away
			}
		}
	}
	return best
}
