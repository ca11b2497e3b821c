package dsetree

import (
	"math"
	"sort"

	"orrery/analysis/dse"
	"orrery/views/scene"
)

// Measures in pixels.
const (
	merge    = 1.5  // nodes closer than this are one
	bundle   = 3.0  // edges closer than this at both ends are one
	glyph    = 5.0  // nodes larger than this are shapes, smaller ones pixels
	roomy    = 12.0 // of the width for each collapsed node, that small ones have a triangle
	largest  = 20.0 // of a node
	widest   = 120  // between neighbours
	legend   = 40.0 // tall
	lensing  = 3.0  // how much larger the middle of the lens is: 1 + lensing
	lifting  = 0.8  // and how much taller
	margin   = 18.0 // half of a node with its third dimension
	bare     = 17.0 // tall, of a level without nodes
	least    = 12.0 // of a node that has room
	reach    = 4.0  // how near the pointer must be to an edge
	perTone  = 6    // widths of edges that are told apart
	thinnest = 0.6
	thickest = 3.6
)

// frame is where everything lies in one picture.
type frame struct {
	s     *State
	shade *Shade
	l     *dse.Layout
	t     *dse.Tree
	size  scene.Size
	names float64    // width of the column of level names
	area  scene.Rect // of the tree
	scale float64    // pixels a unit, without the lens
	left  float64    // pixel of the tree's coordinate 0, without the lens
	rows  []float64  // y of each level
	tall  float64    // between levels, without the lens

	labels   []scene.Shape // of the nodes, which go on top
	detailed bool          // a point is large enough for all channels
}

func newFrame(s *State, size scene.Size) *frame {
	f := &frame{s: s, shade: s.Shade, l: s.Shade.Layout, size: size}
	f.t = f.l.Tree
	f.names = min(104, max(40, size.W*0.2))
	f.area = scene.Rect{Min: scene.Point{X: f.names, Y: s.Top + 2}, Max: scene.Point{X: size.W - 4,
		Y: max(s.Top+40, size.H-legend)}}
	f.scale = fit(f.l, f.area.W()) * max(1, s.Zoom)
	f.left = f.area.Min.X + margin - s.Origin*f.scale
	if wide := f.l.Width * f.scale; wide < f.area.W()-2*margin {
		f.left = f.area.Min.X + (f.area.W()-wide)/2
	}
	f.tall = f.share()
	top := f.area.Min.Y
	for level := range f.t.Levels {
		y := top + 0.42*f.tall
		if f.shade.levels[level].shown == 0 {
			y = top + f.bare()/2
			top += f.bare()
		} else {
			top += f.tall
		}
		if s.Bird {
			y = warp(y, s.Pointer.Y, f.area.Min.Y, f.area.Max.Y, lifting)
		}
		f.rows = append(f.rows, y)
	}
	return f
}

// share is what each level gets of the height; those without nodes need room for their name only.
func (f *frame) share() float64 {
	full := 0
	for _, l := range f.shade.levels {
		if l.shown > 0 {
			full++
		}
	}
	room := f.area.H() - f.bare()*float64(len(f.shade.levels)-full)
	return room / float64(max(1, full))
}

// bare is how tall a level without nodes is.
func (f *frame) bare() float64 { return min(bare, f.area.H()/float64(len(f.shade.levels))) }

// fit are the pixels a unit that show the whole width.
func fit(l *dse.Layout, wide float64) float64 {
	return min(widest, max(1e-9, wide-2*margin)/max(1, l.Width))
}

// Room gives the tree's width, and how much of it a picture of this zoom shows, both in the tree's coordinate.
func Room(s *State, size scene.Size) (width, shown float64) {
	if s.Shade == nil {
		return 1, 1
	}
	f := newFrame(s, size)
	return f.l.Width, (f.area.W() - 2*margin) / f.scale
}

// MostZoom is the zoom beyond which nothing more is to be seen.
func MostZoom(s *State, size scene.Size) float64 {
	f := newFrame(s, size)
	return max(1, 80/fit(f.l, f.area.W()))
}

// Place is the tree's coordinate at a pixel.
func Place(s *State, size scene.Size, x float64) float64 { return newFrame(s, size).place(x) }

// warp moves a coordinate away from the middle of the lens, within its bounds; the middle is 1 + power times as large
// (the fisheye of M. Sarkar, M. H. Brown, Graphical fisheye views of graphs, CHI 1992).
func warp(x, at, low, high, power float64) float64 {
	at = min(high, max(low, at))
	room := high - at
	if x < at {
		room = at - low
	}
	d := (x - at) / max(room, 1e-9)
	if a := math.Abs(d); a < 1 {
		d = d * (1 + power) / (1 + power*a)
	}
	return at + d*room
}

// unwarp is where warp takes a coordinate from.
func unwarp(x, at, low, high, power float64) float64 {
	at = min(high, max(low, at))
	room := high - at
	if x < at {
		room = at - low
	}
	d := (x - at) / max(room, 1e-9)
	if a := math.Abs(d); a < 1 {
		d = d / (1 + power - power*a)
	}
	return at + d*room
}

// x is the pixel of a coordinate of the tree.
func (f *frame) x(tree float64) float64 {
	x := f.left + tree*f.scale
	if f.s.Bird {
		x = warp(x, f.s.Pointer.X, f.area.Min.X, f.area.Max.X, lensing)
	}
	return x
}

// place is the coordinate of a pixel.
func (f *frame) place(x float64) float64 {
	if f.s.Bird {
		x = unwarp(x, f.s.Pointer.X, f.area.Min.X, f.area.Max.X, lensing)
	}
	return (x - f.left) / f.scale
}

// from is the first visible node of [low, high) at or right of a pixel.
func (f *frame) from(low, high int, x float64) int {
	tree := f.place(x)
	// Gallop: neighbours on the screen are near each other in the list.
	step := 1
	for low+step < high && f.l.X[low+step] < tree {
		low += step
		step *= 2
	}
	end := min(high, low+step+1)
	return low + sort.Search(end-low, func(k int) bool { return f.l.X[low+k] >= tree })
}

// most is how large a node of a level can be: as there is room for most of them, so that they look alike.
func (f *frame) most(level int) float64 {
	most := min(largest, f.tall*0.4)
	if usual := f.shade.levels[level].gap * f.scale * 0.8; !f.s.Bird && usual > merge*2 {
		most = min(most, max(usual, least))
	}
	return most
}

// item is one node of a row as it is drawn, or several that cannot be told apart.
type item struct {
	low, high int // indexes into the layout's nodes
	x         float64
	size      float64 // room for it: the side of its box
}

// row visits what is drawn of a level, from left to right.
func (f *frame) row(level int, visit func(item)) {
	start, end := int(f.l.Start[level]), int(f.l.Start[level+1])
	i := max(start, f.from(start, end, f.area.Min.X-largest)-1)
	most := f.most(level)
	for i < end {
		x := f.x(f.l.X[i])
		if x > f.area.Max.X+largest {
			return
		}
		next := i + 1
		gap := math.Inf(1)
		if next < end {
			gap = f.x(f.l.X[next]) - x
		}
		if i > start {
			gap = min(gap, x-f.x(f.l.X[i-1]))
		}
		if gap < merge {
			next = max(next, f.from(i, end, x+merge))
			visit(item{i, next, x, merge})
		} else {
			visit(item{i, next, x, min(most, gap*0.62)})
		}
		i = next
	}
}
