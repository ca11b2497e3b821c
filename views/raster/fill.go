package raster

import (
	"math"
	"math/bits"
	"sync"

	"orrery/views/scene"
)

// filler finds which share of each pixel lies inside outlines (nonzero winding). An edge that goes down a part d of a
// row of pixels changes by d how much of the pixels to its right is inside, up to the row's end; of the pixels that it
// crosses, by what lies to its right. So each row is a list of changes, whose running sum is the share:
//
//	| \ |   |   |           changes  1/4 3/4  0   0   for an edge that enters a pixel at a half
//	|  \|   |   |           shares   1/4  1   1   1   and leaves it at its right end
//
// Which pixels have a change is kept by bits: what lies between is painted in one go. Shares are whole numbers, so that
// the changes of a closed outline cancel exactly.
type filler struct {
	wide, high  int      // of the picture
	across      int      // changes in a row: beside is kept on either side for what lies beyond the picture's edges
	words       int      // of bits in a row
	change      []int32  // zero between uses
	some        []uint64 // the changes that are not zero, or were at least touched; zero between uses
	low, beyond int      // rows that have changes
}

const (
	whole  = 1 << 16 // the share of a whole pixel
	beside = 3
)

var fillers sync.Pool

// pooledFiller is one from the pool, if it has the right size, else a new one. release puts it back.
func pooledFiller(w, h int) *filler {
	if f, ok := fillers.Get().(*filler); ok && f.wide == w && f.high == h {
		return f
	}
	return newFiller(w, h)
}

func newFiller(w, h int) *filler {
	f := &filler{wide: w, high: h, across: w + 2*beside + 2, low: h}
	f.words = (f.across + 63) / 64
	f.change, f.some = make([]int32, f.across*h), make([]uint64, f.words*h)
	return f
}

// outline adds a closed polygon whose points lie no more than 2 pixels outside the picture.
func (f *filler) outline(points []scene.Point) {
	p := points[len(points)-1]
	for _, q := range points {
		f.edge(p, q)
		p = q
	}
}

// edge adds a straight piece of an outline.
func (f *filler) edge(p, q scene.Point) {
	down := int32(1)
	if p.Y > q.Y {
		p, q, down = q, p, -1
	}
	top, bottom := int(math.Floor(p.Y*whole+0.5)), int(math.Floor(q.Y*whole+0.5))
	if top == bottom {
		return
	}
	slope := (q.X - p.X) / float64(bottom-top)
	from, to := max(0, top>>16), min(f.high, (bottom+whole-1)>>16)
	f.low, f.beyond = min(f.low, from), max(f.beyond, to)
	for y := from; y < to; y++ {
		y0, y1 := max(top, y<<16), min(bottom, (y+1)<<16)
		f.row(y, p.X+float64(y0-top)*slope+beside, p.X+float64(y1-top)*slope+beside, down*int32(y1-y0))
	}
}

// row adds a part of an edge that goes from x0 to x1 while it goes down by d within a row.
func (f *filler) row(y int, x0, x1 float64, d int32) {
	if x0 > x1 {
		x0, x1 = x1, x0
	}
	first, last := int(x0), int(x1)
	change, some := f.change[y*f.across:(y+1)*f.across], f.some[y*f.words:(y+1)*f.words]
	put := func(x int, v int32) {
		change[x] += v
		some[x/64] |= 1 << (x % 64)
	}
	if first == last {
		right := int32(float64(d) * (0.5*(x0+x1) - float64(first)))
		put(first, d-right)
		put(first+1, right)
		return
	}
	// To the right of the edge lies, up to the end of pixel k, the integral of how far down the edge is: a triangle in
	// the first pixel, strips of even growth, and what is left.
	per := float64(d) / (x1 - x0)
	before, sum := int32(0), int32(0) // the share of the last pixel, and all changes so far
	for k := first; k < last; k++ {
		share := int32(per * (float64(k) + 0.5 - x0))
		if k == first {
			share = int32(per * 0.5 * (float64(k+1) - x0) * (float64(k+1) - x0))
		}
		put(k, share-before)
		sum += share - before
		before = share
	}
	over := x1 - float64(last)
	share := d - int32(per*0.5*over*over)
	put(last, share-before)
	sum += share - before
	put(last+1, d-sum)
}

// runs calls each with every run of pixels of a row that are inside to the same share, in 1/65536 and less than whole:
// more than whole, where outlines wind about pixels more than once, counts as whole, and the direction does not matter.
// The outlines are forgotten.
func (f *filler) runs(each func(y, from, to int, share uint32)) {
	for y := f.low; y < f.beyond; y++ {
		change, some := f.change[y*f.across:(y+1)*f.across], f.some[y*f.words:(y+1)*f.words]
		now, from := int32(0), 0
		for w, set := range some {
			for ; set != 0; set &= set - 1 {
				x := w*64 + bits.TrailingZeros64(set)
				if left, right := max(0, from-beside), min(f.wide, x-beside); now != 0 && left < right {
					each(y, left, right, uint32(min(whole-1, max(now, -now))))
				}
				now += change[x]
				change[x], from = 0, x
			}
			some[w] = 0
		}
	}
	f.low, f.beyond = f.high, 0
}

// paint lays ink over what is inside. pix gives the pixels of a row.
func (f *filler) paint(b *brush, pix func(y int) []uint8) {
	f.runs(func(y, from, to int, share uint32) { b.row(pix(y)[4*from:4*to], share) })
}

func (f *filler) release() { fillers.Put(f) }
