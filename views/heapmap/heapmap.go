// Package heapmap draws a heap over time: every block a rectangle, time to the right, addresses upward, with an
// occupancy bar below and the whole address range at the right. It follows S. Moreta and A. Telea, "Visualizing Dynamic
// Memory Allocations" (2007): dense pixels, cushions, and antialiasing by importance, equation (1), so that a small
// block alone in its pixel stays visible.
//
// In: a State. Out: a display list, in which the map is one image that this package computes; and for a point, what
// lies there. A frame is a function of its State alone; a Renderer remembers the images of the last one.
package heapmap

import (
	"image/color"

	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// ColorBy says which attribute of a block gives it its colour.
type ColorBy uint8

// The attributes. Those before Size are classes with a colour each; the others are amounts on one map.
const (
	Site      ColorBy = iota // where it was allocated
	Function                 // the allocating function
	Freed                    // where it was freed
	Freer                    // the freeing function
	Process                  // that allocated it
	Thread                   // that allocated it
	BinOf                    // its bin
	Size                     // bytes asked for, logarithmic
	Lifetime                 // logarithmic
	Waste                    // share of the block that nobody asked for
	Heat                     // references a byte, logarithmic
	Lag                      // references from the allocation to the first use, logarithmic
	Drag                     // references from the last use to the free, logarithmic
	Untouched                // share of the bytes asked for that no reference touched
	Latency                  // of the allocation, logarithmic
	attributes
)

var colorNames = [attributes]string{"allocation site", "allocating function", "freeing site", "freeing function",
	"process", "thread", "bin", "size", "lifetime", "waste",
	"touch heat", "lag", "drag", "bytes never touched", "latency"}

// String names the attribute for people: "allocation site".
func (c ColorBy) String() string { return colorNames[min(c, attributes-1)] }

// Colors lists the attributes that a state's blocks have: lag and what else is of use needs references, processes and
// threads need several of them, latency a clock.
func Colors(s State) []ColorBy {
	var out []ColorBy
	for c := range attributes {
		switch {
		case s.Heap == nil:
		case c == Process && s.Heap.Processes() == nil, c == Thread && s.Heap.Threads <= 1, c == BinOf &&
			len(s.Heap.Bins) <= 1, c >= Heat && c <= Untouched && len(s.Use) == 0, c == Latency && s.Heap.Latency() == nil:
			continue
		}
		out = append(out, c)
	}
	return out
}

// Cushion is the relief of a block.
type Cushion uint8

// The reliefs. The zero value is the one that the pictures of the product use.
const (
	Plateau   Cushion = iota // dark only along the border
	Parabolic                // brightest in the middle
	Flat                     // none
)

// String names the relief for people: "plateau cushions".
func (c Cushion) String() string {
	return [...]string{"plateau cushions", "parabolic cushions", "no cushions"}[min(c, Flat)]
}

// Bounds of State.Alpha, and what the zero value stands for. At 1 coverage is opacity; the smaller, the more a small
// share of a pixel shows. With 0.35 a block that covers 4 % of a pixel gets 25 % of its colour.
const (
	DefaultAlpha = 0.35
	MinAlpha     = 0.05
	MaxAlpha     = 2.0
)

// State is everything that one frame shows. Heap may be nil (nothing loaded yet) or without blocks.
type State struct {
	Theme palette.Theme
	Heap  *heap.Heap
	Use   []region.BlockUse // by block; may be nil
	Usage *heap.Usage       // of the blocks, for bytes never touched; nil while they are not known
	Why   string            // what the legend says where a colour needs Use or Usage that is not there; "" is "not known"

	From, To  heap.Time    // the stretch of the heap's axis that is shown; all of it when To <= From
	Low, High traceio.Addr // the addresses that are shown; all when High <= Low

	Bin int // only the blocks of bin Bin-1; 0 shows all
	// the axis goes on up to here beyond the heap's own end: the longer one of two runs that are compared
	Until heap.Time
	Spans []heap.Span // the addresses that the map has room for, at least the heap's own; nil for just these
	Peak  uint64      // bytes at the hot end of the occupancy bar; 0 is the own peak of what is shown, the heap or the bin

	Color   ColorBy
	Cushion Cushion
	Bar     BarStyle
	Alpha   float64       // 0 is DefaultAlpha
	Plain   bool          // without equation (1): a pixel shows the block over its middle
	Sites   []color.NRGBA // by site, the colours that sites have in the other views; nil takes the qualitative set by rank
	Like    Like          // the colours of a run beside, for what is the same in both; the zero value is none
	Regions []string      // by site, the names of their regions where these are not named after the site
	Hidden  []bool        // by entry of Legend, for attributes that are classes; nil hides nothing

	Page   Page
	Row    int     // of bins, the first that a page of bins shows where they have not all room
	Curves bool    // of the heap's metrics under the map
	Links  bool    // all reallocations in the window, not only those of the selected block
	Tools  float64 // units at the right of the legend that are another's

	Inside *Inside // of the selected block; may be nil, or of another block

	Cursors  []heap.Time // further cushion cursors
	Levels   []float64   // horizontal ones: shares of the height of each map, from below
	Cursor   heap.Time   // now, on the heap's axis
	NoCursor bool
	Softness float64 // half the width of the cursor's band in pixels; 0 is 24
	Hover    link.Thing
	Selected link.Thing // a block is outlined; of a region, function or line everything else is dimmed
}

// Scene draws the state into the room given.
func Scene(s State, size scene.Size) scene.Drawing { return new(Renderer).Scene(s, size) }

// Renderer draws states and keeps the images of the last frame, which stay the same while only the cursor, the pointer
// or the selected block change. It belongs to one goroutine but for Work. With Later set, a frame shows what there is
// and Work makes the rest.
type Renderer struct {
	Later bool

	store  resultStore
	want   []task
	look   *look
	sites  []color.NRGBA
	number int // of sites
}

// Scene draws the state into the room given.
func (r *Renderer) Scene(s State, size scene.Size) scene.Drawing {
	r.want = nil
	d := r.scene(&s, size)
	r.store.mu.Lock()
	r.store.wanted = r.want
	r.store.idle.Broadcast()
	r.store.mu.Unlock()
	return d
}

func (r *Renderer) scene(s *State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	if s.Heap == nil || s.Heap.Count() == 0 {
		drawEmpty(&d, s, size)
		return d
	}
	if s.Bin > len(s.Heap.Bins) {
		s.Bin = 0
	}
	l := newLayout(s, size)
	if l.plot.W() < 8 || l.plot.H() < 8 {
		return d
	}
	colors := r.colors(s)
	if colors == nil { // on its way, and there is none of before
		d.Add(scene.Fill{Path: scene.Box(l.plot), Color: ground(s.Theme)},
			scene.Text{At: l.plot.Center(), Size: 11.5, Color: s.Theme.Dim, Align: 0.5, Max: l.plot.W() - 8, S: "Drawing " +
				words.Plural(uint64(s.Heap.Count()), "block") + " …"})
		return d
	}
	r.look = newLook(s, colors, r.look)
	if s.Page != MapPage {
		r.drawGrid(&d, s, size, r.look)
		if s.Page != BarsPage {
			r.drawLegend(&d, s, &l, colors)
		} else {
			drawBarLegend(&d, s, &l)
		}
		return d
	}
	r.drawBlocks(&d, s, &l, r.look)
	drawGaps(&d, s, &l)
	drawAddresses(&d, s, &l)
	r.drawBar(&d, s, &l)
	drawEnded(&d, s, &l)
	drawTimes(&d, s, &l)
	r.drawContext(&d, s, &l, r.look)
	drawInside(&d, s, &l)
	drawLinks(&d, s, &l)
	drawMarks(&d, s, &l)
	r.drawAbsent(&d, s, &l)
	r.drawCurves(&d, s, &l)
	drawCursor(&d, s, &l)
	r.drawLegend(&d, s, &l, colors)
	drawSample(&d, s, &l, r.look)
	r.drawFooter(&d, s, &l)
	return d
}

// alpha is the exponent of equation (1) within its bounds.
func (s *State) alpha() float64 {
	if s.Alpha == 0 {
		return DefaultAlpha
	}
	return min(MaxAlpha, max(MinAlpha, s.Alpha))
}

// window is the stretch of time that is shown.
func (s *State) window() (from, to heap.Time) {
	end := s.horizon()
	from, to = max(s.From, 0), min(s.To, end)
	if to <= from {
		return 0, end
	}
	return from, to
}

// horizon is where the axis ends.
func (s *State) horizon() heap.Time { return max(s.Heap.Axis.End, s.Until, 1) }

// spans are the ranges of addresses that the map has room for.
func (s *State) spans() []heap.Span {
	if len(s.Spans) > 0 {
		return s.Spans
	}
	return s.Heap.Spans
}

// extent reaches from the lowest to the highest of them.
func (s *State) extent() (low, high traceio.Addr) {
	x := s.spans()
	if len(x) == 0 {
		return 0, 0
	}
	return x[0].Low, x[len(x)-1].High
}
