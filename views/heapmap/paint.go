package heapmap

import (
	"image"
	"image/color"
	"slices"
	"sync/atomic"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/palette"
)

// The image of the blocks, by equation (1) of the paper:
//
//	F = sum f_k^alpha,  B = (1 - sum f_k)^alpha,  colour = (F c + B c_B) / (F + B)
//
// with f_k the share of the pixel that block k covers and c the colour of the mean amount, weighted by f_k^alpha.
// Classes have no mean; their colours are mixed in linear light. Three or more of them in equal parts are grey, so that
// a line of one class between thick blocks of two others would lose its colour just where it is all there is to see of
// its block. Therefore a block's colour weighs the less in the mixture, the more it shows elsewhere: with s its smaller
// side in pixels, colours weigh
//
//	f_k^alpha (1 + s^2)^(-2 (1 - alpha))
//
// and thin blocks are dithered, see dither.go. At alpha = 1 that is the mean of the paper. F and B are
// the equation's in any case. The share is a product of a horizontal and a vertical part, and so is its power.
//
// Rows of pixels are made in bands. In each row a block is a few runs of columns with equal contributions; a run adds
// its contribution to the column where it begins and takes it off again behind its end, and one pass of running sums
// makes pixels of that: a long thin block costs as little as a short one.
//
// This goes in two steps: blocks leave strokes (stroke.go), which do not depend on alpha, and strokes are weighed
// (weigh.go). Where alpha changes, strokes are kept and only weighed anew (kept.go).

const bandRows = 8

// flushed is after how many strokes they are weighed: as many as stay in the processor's first caches. Level blocks of
// a leaf leave at most leafStrokes.
const (
	flushed     = 1024
	leafStrokes = 64*bandRows + 3 // these are for halves of strokes that are written beyond the last one
)

// canvas is one image in the making.
type canvas struct {
	*look
	w, rows  int
	left     float64 // of the image, in pixels from time 0
	perTime  float64 // pixels in one unit of time
	first    heap.Time
	to       heap.Time // times that the image shows begin and end here, or further inside
	segments []segment
	bin      int // the only one whose blocks are drawn, -1 for all
	out      *image.RGBA
	kept     *strokes // of an image in the same place, or to be filled; nil where they are not kept
}

const amountSteps = 256

// paint fills the image on the goroutines of together: bands are independent of one another, so that any number of them
// gives the same pixels. Low addresses are used most in most heaps and take longest: they go first, so
// that no goroutine is left with them at the end.
func (c *canvas) paint(together workers) {
	for y, i := 0, len(c.segments)-1; y < c.rows; y++ {
		for i >= 0 && y >= c.segments[i].rows[1] {
			i--
		}
		if i < 0 || y < c.segments[i].rows[0] {
			c.fill(y, c.gap)
		}
	}
	type band struct{ segment, row int }
	var bands []band
	for i := range c.segments {
		for r := c.segments[i].rows[0]; r < c.segments[i].rows[1]; r += bandRows {
			bands = append(bands, band{i, r})
		}
	}
	slices.Reverse(bands)
	known := c.kept.ready(len(bands))
	var next atomic.Int64
	together(func() {
		p := c.painter()
		defer p.done()
		for {
			i := int(next.Add(1)) - 1
			if i >= len(bands) {
				return
			}
			g := &c.segments[bands[i].segment]
			r0 := bands[i].row
			r1 := min(r0+bandRows, g.rows[1])
			switch {
			case known:
				for _, list := range c.kept.bands[i] {
					p.weigh(g, r0, list)
				}
			default:
				p.flush = func(list []stroke) {
					p.weigh(g, r0, list)
					c.kept.keep(i, list)
				}
				p.collect(g, r0, r1)
				p.flush(p.strokes[:p.n])
				p.n = 0
			}
			p.finish(r0, r1)
		}
	})
}

// painter is a new painter for the canvas.
func (c *canvas) painter() *painter {
	p := &painter{canvas: c, wide: float64(min(c.w, widest)), scratch: c.scratchPool.take(c.w)}
	p.brush.pow, p.brush.colorWeight, p.brush.shades = c.pow, c.colorWeight, nil
	if c.colors.class != nil {
		p.brush.shades = c.shades
	}
	p.class = c.colors.class
	p.marks, p.some = c.marked()
	if c.bin >= 0 {
		p.bins, p.some = c.binning.bins(), true
	}
	p.high, p.slope = c.cushion.means()
	p.line = line{pow: c.pow, srgb: &srgb[0], back: [4]uint8{c.back.R, c.back.G, c.back.B, 255},
		ground: [4]float32{c.ground[0], c.ground[1], c.ground[2]}}
	if c.plain {
		p.tops = make([]top, bandRows*c.w)
	}
	return p
}

func (c *canvas) fill(y int, col color.NRGBA) {
	row := c.out.Pix[y*c.out.Stride : y*c.out.Stride+4*c.w]
	for i := 0; i < len(row); i += 4 {
		row[i], row[i+1], row[i+2], row[i+3] = col.R, col.G, col.B, 255
	}
}

// done puts the painter's buffers back.
func (p *painter) done() {
	p.brush.strokes = nil
	p.scratchPool.put(p.scratch)
	p.scratch = nil
}

// painter makes bands, one after the other. The first n strokes of its scratch are those of the band that are not
// weighed yet.
type painter struct {
	*canvas
	*scratch
	n          int
	wide       float64  // columns
	class      []uint8  // as in colors
	marks      []uint8  // as in look
	some       bool     // blocks are absent
	bins       []uint16 // where those of one bin alone are drawn
	flush      func(list []stroke)
	bottom     float64 // of the segment that is being gone through, in rows; rows [r0, r1) are wanted
	r0, r1     int
	high       float32 // see mean
	slope      float32
	strokeArgs strokeArgs
	level      level
	flat       bool // level leaves are added at once,
	waits      int  // but these first ones
	line       line

	leafMarks [64]uint8 // of a leaf's blocks, where they are no part of marks

	tops []top // by row and column, where blocks are drawn plainly
}

// collect goes through the blocks in rows [r0, r1) of a segment.
func (p *painter) collect(g *segment, r0, r1 int) {
	p.bottom, p.r0, p.r1 = float64(g.rows[1])+g.under, r0, r1
	p.setArgs(g)
	if p.flat, p.waits = p.levels(), 0; p.flat {
		p.flatten(g)
	}
	// Addresses of the rows, widened by one for rounding; blocks are cut to the rows below.
	low := g.base + traceio.Addr(max(0, (p.bottom-float64(r1))/g.perAddr-1))
	high := min(g.roof, g.base+traceio.Addr(max(0, (p.bottom-float64(r0))/g.perAddr+1)))
	p.h.Leaves(p.first, p.to-1, low, high, func(l *heap.Leaf) { p.leaf(g, l, low, high) })
}

// finish makes pixels of rows [r0, r1).
func (p *painter) finish(r0, r1 int) {
	b := &p.brush
	for r := r0; r < r1; r++ {
		if p.plain {
			p.resolveTops(r, p.tops[(r-r0)*p.w:(r-r0+1)*p.w])
			continue
		}
		cells, marks := b.row(r - r0)
		p.resolve(r, cells, marks)
	}
}

// dimmed is how much of its colour a block keeps while something else is chosen.
const dimmed = 0.22

// dimmedBits is dimmed as the processor has it.
const dimmedBits = 0x3e6147ae

// ground is the colour behind the blocks: a step into the depth from the panel.
func ground(t palette.Theme) color.NRGBA {
	if t.Dark {
		return palette.Mix(t.Background, color.NRGBA{A: 255}, 0.35)
	}
	return palette.Mix(t.Background, t.Line, 0.45)
}
