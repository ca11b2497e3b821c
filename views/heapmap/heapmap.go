// Package heapmap draws a heap over time: every block a rectangle, time to the right, addresses upward, with an occupancy
// bar below and the whole address range at the right. It follows S. Moreta and A. Telea, "Visualizing Dynamic Memory
// Allocations" (2007): dense pixels, cushions, and antialiasing by importance, equation (1), so that a small block alone
// in its pixel stays visible.
//
// In: a State. Out: a display list, in which the map is one image that this package computes; and for a point, what lies
// there. A frame is a function of its State alone; a Renderer remembers the images of the last one.
package heapmap

import (
	"image/color"

	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// ColorBy says which attribute of a block gives it its colour.
type ColorBy uint8

// The attributes. Site, Function, Freed and Thread are classes with a colour each; the others are amounts on one map.
const (
	Site     ColorBy = iota // where it was allocated
	Function                // the allocating function
	Freed                   // where it was freed
	Thread                  // that allocated it
	Size                    // bytes asked for, logarithmic
	Lifetime                // logarithmic
	Waste                   // share of the block that nobody asked for
	attributes
)

var colorNames = [attributes]string{"allocation site", "allocating function", "freeing site", "thread", "size", "lifetime", "waste"}

// String names the attribute for people: "allocation site".
func (c ColorBy) String() string { return colorNames[min(c, attributes-1)] }

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

// Bounds of State.Alpha, and what the zero value stands for. At 1 coverage is opacity; the smaller, the more a small share
// of a pixel shows. With 0.35 a block that covers 4 % of a pixel gets 25 % of its colour.
const (
	DefaultAlpha = 0.35
	MinAlpha     = 0.05
	MaxAlpha     = 2
)

// State is everything that one frame shows. Heap may be nil (nothing loaded yet) or without blocks.
type State struct {
	Theme palette.Theme
	Heap  *heap.Heap
	Use   []region.BlockUse // by block, for tooltips; may be nil

	From, To  heap.Time    // the stretch of the heap's axis that is shown; all of it when To <= From
	Low, High traceio.Addr // the addresses that are shown; all when High <= Low

	Color   ColorBy
	Cushion Cushion
	Alpha   float64       // 0 is DefaultAlpha
	Sites   []color.NRGBA // by site, the colours that sites have in the other views; nil takes the qualitative set by rank
	Hidden  []bool        // by entry of Legend, for attributes that are classes; nil hides nothing

	Cursor   heap.Time // now, on the heap's axis
	NoCursor bool
	Softness float64 // half the width of the cursor's band in pixels; 0 is 24
	Hover    link.Thing
	Selected link.Thing // a block is outlined; of a region, function or line everything else is dimmed
}

// Scene draws the state into the room given.
func Scene(s State, size scene.Size) scene.Drawing { return new(Renderer).Scene(s, size) }

// Renderer draws states and keeps the images of the last frame, which stay the same while only the cursor, the pointer or
// the selected block change. It belongs to one goroutine.
type Renderer struct {
	main, context kept
	bar           barImage
}

// kept is an image with all that it depends on.
type kept struct {
	key    key
	hidden []bool
	sites  []color.NRGBA
	colors *coloring
	pix    *picture
}

// Scene draws the state into the room given.
func (r *Renderer) Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	if s.Heap == nil || len(s.Heap.Blocks) == 0 {
		drawEmpty(&d, &s, size)
		return d
	}
	l := newLayout(&s, size)
	if l.plot.W() < 8 || l.plot.H() < 8 {
		return d
	}
	main := r.main.get(&s, &l, l.plot, l.axis, l.from, l.to)
	d.Add(scene.Image{At: l.plot, Pixels: main.image, Name: "heap blocks over time and address"})
	drawGaps(&d, &s, &l)
	drawAddresses(&d, &s, &l)
	d.Add(scene.Image{At: l.bar, Pixels: r.bar.get(&s, &l), Name: "occupancy over time"})
	drawTimes(&d, &s, &l)
	if l.context.W() > 0 {
		whole := r.context.get(&s, &l, l.context, l.wholeAxis(&s), 0, max(s.Heap.Axis.End, 1))
		d.Add(scene.Image{At: l.context, Pixels: whole.image, Name: "all blocks"})
		drawFrame(&d, &s, &l)
	}
	drawMarks(&d, &s, &l)
	drawCursor(&d, &s, &l)
	drawLegend(&d, &s, &l, main.colors)
	drawFooter(&d, &s, &l)
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
	end := max(s.Heap.Axis.End, 1)
	from, to = max(s.From, 0), min(s.To, end)
	if to <= from {
		return 0, end
	}
	return from, to
}
