package heapmap

import (
	"image"
	"image/color"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/palette"
)

// The image of the blocks, by equation (1) of the paper:
//
//	F = sum f_k^alpha,  B = (1 - sum f_k)^alpha,  colour = (F c + B c_B) / (F + B)
//
// with f_k the share of the pixel that block k covers and c the colour of the mean amount, weighted by f_k^alpha. Classes have
// no mean; their colours are mixed in linear light. Three or more of them in equal parts are grey, so that a line of one
// class between thick blocks of two others would lose its colour just where it is all there is to see of its block. Therefore a
// block has the less say in the mixture, the more it shows elsewhere: with s its smaller side in pixels, colours weigh
//
//	f_k^alpha (1 + s^2)^(-2 (1 - alpha))
//
// and thin blocks take turns, see turns.go. At alpha = 1 that is the classical mean again, as in the paper. F and B are the equation's in any case. The share is a
// product of a horizontal and a vertical part, and so is its power.
//
// Rows of pixels are made in bands. In each row a block is a few runs of columns with equal contributions; a run adds its
// contribution to the column where it begins and takes it off again behind its end, and one pass of running sums makes
// pixels of that: a long thin block costs as little as a short one.

// cell is the sums of one pixel: weights f^alpha, shares f, and four weighted components: of classes the weight in the
// mixture and linear colour; of amounts the amount, the relief and what dimming leaves.
type cell [6]float32

const bandRows = 8

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
}

const amountSteps = 256

// paint fills the image with so many goroutines: bands are independent of one another, so that any number of them gives the
// same pixels.
func (c *canvas) paint(workers int) {
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
	var next atomic.Int64
	work := func() {
		p := &painter{canvas: c, cells: make([]cell, bandRows*(c.w+1)), words: c.w/64 + 1}
		p.marks = make([]uint64, bandRows*p.words)
		if c.plain {
			p.tops = make([]top, bandRows*c.w)
		}
		for {
			i := int(next.Add(1)) - 1
			if i >= len(bands) {
				return
			}
			g := &c.segments[bands[i].segment]
			p.band(g, bands[i].row, min(bands[i].row+bandRows, g.rows[1]))
		}
	}
	if workers = min(workers, len(bands)); workers <= 1 {
		work()
		return
	}
	var wait sync.WaitGroup
	for range workers {
		wait.Go(work)
	}
	wait.Wait()
}

func (c *canvas) fill(y int, col color.NRGBA) {
	row := c.out.Pix[y*c.out.Stride : y*c.out.Stride+4*c.w]
	for i := 0; i < len(row); i += 4 {
		row[i], row[i+1], row[i+2], row[i+3] = col.R, col.G, col.B, 255
	}
}

// painter makes bands, one after the other.
type painter struct {
	*canvas
	cells []cell   // by row and column, all zero between bands
	marks []uint64 // by row, a bit for each column whose cell may not be zero
	words int      // of marks in a row
	runs  []run
	tops  []top // by row and column, where blocks are drawn plainly
}

// run is columns [a, b) of a block with equal horizontal parts: of the share, of its power and of the relief.
type run struct {
	a, b      int
	f, w, bow float32
}

// band makes the rows [r0, r1) of a segment.
func (p *painter) band(g *segment, r0, r1 int) {
	bottom := float64(g.rows[1]) + g.under
	// Addresses of the rows, widened by one for rounding; blocks are cut to the rows below.
	low := g.base + traceio.Addr(max(0, (bottom-float64(r1))/g.perAddr-1))
	high := min(g.roof, g.base+traceio.Addr(max(0, (bottom-float64(r0))/g.perAddr+1)))
	p.h.Leaves(p.first, p.to-1, low, high, func(first int, rects []heap.Rect, ids []int32) {
		for i := range rects {
			r := &rects[i]
			if r.From >= p.to || r.To <= p.first || r.Low >= high || r.High <= low || p.bin >= 0 && p.h.Bin(int(ids[i])) != p.bin {
				continue
			}
			y0 := bottom - float64(int64(r.High-g.base))*g.perAddr
			y1 := bottom - float64(int64(r.Low-g.base))*g.perAddr
			x0, x1 := float64(r.From)*p.perTime-p.left, float64(r.To)*p.perTime-p.left
			if p.plain {
				p.stamp(first+i, ids[i], x0, x1, y0, y1, r0, r1)
			} else {
				p.block(g, first+i, ids[i], x0, x1, y0, y1, r0, r1)
			}
		}
	})
	for r := r0; r < r1; r++ {
		if p.plain {
			p.resolveTops(r, p.tops[(r-r0)*p.w:(r-r0+1)*p.w])
			continue
		}
		p.resolve(r, p.cells[(r-r0)*(p.w+1):(r-r0+1)*(p.w+1)], p.marks[(r-r0)*p.words:(r-r0+1)*p.words])
	}
}

// shade is a block's class or amount as the components of a cell, before weights; false when it is not drawn. at is its
// place in the index.
func (p *painter) shade(at int, id int32) (col [3]float32, ok bool) {
	lit := true
	if p.through != nil {
		lit = p.through[p.h.Blocks[id].AllocStack]
	} else if p.dim != nil {
		lit = p.dim[p.h.Blocks[id].Site]
	}
	if p.colors.class == nil {
		col[0], col[2] = p.colors.amount[at], 1
		if !lit {
			col[2] = dimmed
		}
		return col, true
	}
	k := p.colors.class[at]
	if p.skip[k] {
		return col, false
	}
	if !lit {
		return p.faded[k], true
	}
	return p.linear[k], true
}

// block adds one block, x0 < x1 and y0 < y1 in pixels, to rows [r0, r1). at is its place in the index.
func (p *painter) block(g *segment, at int, id int32, x0, x1, y0, y1 float64, r0, r1 int) {
	a, b := max(r0, int(math.Floor(y0))), min(r1, int(math.Ceil(y1)))
	if a >= b {
		return
	}
	col, ok := p.shade(at, id)
	if !ok {
		return
	}
	// A relief needs room in both directions; where there is none, its mean stands for it.
	side := min(x1-x0, y1-y0)
	level := side < thin
	say := float32(1)
	if side > 1.0/64 { // else what is left out is less than a level of a channel
		say = float32(max(leastSay, p.say.at(1/(1+side*side))))
	}
	row0 := int64(g.under) + int64(g.rows[1]) - 1 // the number of row 0, counted upward from the pool's beginning
	class := uint8(0)
	if p.colors.class != nil {
		class = p.colors.class[at]
	}
	if level || p.cushion == Flat {
		p.even(x0, x1, y0, y1, a, b, r0, row0, class, say, col)
		return
	}
	p.columns(x0, x1, level)
	for r := a; r < b; r++ {
		fy := float32(min(y1, float64(r+1)) - max(y0, float64(r)))
		if fy <= 0 {
			continue
		}
		wy, bow := float32(p.pow.at(float64(fy))), p.relief(float64(r)+0.5, y0, y1, level)
		turn := p.turn(row0-int64(r), class, side)
		row, marks := p.cells[(r-r0)*(p.w+1):(r-r0+1)*(p.w+1)], p.marks[(r-r0)*p.words:(r-r0+1)*p.words]
		for i := range p.runs {
			u := &p.runs[i]
			w := u.w * wy
			f := u.f * fy
			light := p.edge + (1-p.edge)*u.bow*bow
			var v cell
			if p.colors.class != nil {
				m := w * say * turn
				light *= m
				v = cell{w, f, m, light * col[0], light * col[1], light * col[2]}
			} else {
				v = cell{w, f, w, w * col[0], w * light, w * col[2]}
			}
			from, to := &row[u.a], &row[u.b]
			marks[u.a>>6] |= 1 << (u.a & 63)
			marks[u.b>>6] |= 1 << (u.b & 63)
			for k := range v {
				from[k] += v[k]
				to[k] -= v[k]
			}
		}
	}
}

// even is block for those that are equally light all over, most of a large heap: at most four columns are where anything
// changes.
func (p *painter) even(x0, x1, y0, y1 float64, a, b, r0 int, row0 int64, class uint8, say float32, col [3]float32) {
	left, right := max(x0, 0), min(x1, float64(p.w))
	if right <= left {
		return
	}
	type edge struct {
		x    int
		w, f float32 // what the weight and the share change by
	}
	var edges [4]edge
	n := 0
	first, last := int(left), int(math.Ceil(right))-1 // columns
	if first == last {
		f := float32(right - left)
		w := float32(p.pow.at(float64(f)))
		edges[0], edges[1], n = edge{first, w, f}, edge{first + 1, -w, -f}, 2
	} else {
		f0, f1 := float32(float64(first+1)-left), float32(right-float64(last))
		w0, w1 := float32(p.pow.at(float64(f0))), float32(p.pow.at(float64(f1)))
		edges[0] = edge{first, w0, f0}
		if first+1 == last {
			edges[1], edges[2], n = edge{last, w1 - w0, f1 - f0}, edge{last + 1, -w1, -f1}, 3
		} else {
			edges[1], edges[2], edges[3], n = edge{first + 1, 1 - w0, 1 - f0}, edge{last, w1 - 1, f1 - 1}, edge{last + 1, -w1, -f1}, 4
		}
	}
	light := p.edge + (1-p.edge)*p.relief(0, x0, x1, true)*p.relief(0, y0, y1, true)
	u3, u4, u5 := col[0], light, col[2]
	if p.colors.class != nil {
		u3, u4, u5 = light*col[0], light*col[1], light*col[2]
	}
	side := min(x1-x0, y1-y0)
	for r := a; r < b; r++ {
		fy := float32(min(y1, float64(r+1)) - max(y0, float64(r)))
		if fy <= 0 {
			continue
		}
		wy := float32(p.pow.at(float64(fy)))
		m := wy
		if p.colors.class != nil {
			m *= say * p.turn(row0-int64(r), class, side)
		}
		row, marks := p.cells[(r-r0)*(p.w+1):(r-r0+1)*(p.w+1)], p.marks[(r-r0)*p.words:(r-r0+1)*p.words]
		for i := range edges[:n] {
			e := &edges[i]
			marks[e.x>>6] |= 1 << (e.x & 63)
			w := e.w * m
			c := &row[e.x]
			c[0] += e.w * wy
			c[1] += e.f * fy
			c[2] += w
			c[3] += w * u3
			c[4] += w * u4
			c[5] += w * u5
		}
	}
}

// columns cuts the block's horizontal extent into runs.
func (p *painter) columns(x0, x1 float64, level bool) {
	p.runs = p.runs[:0]
	left, right := max(x0, 0), min(x1, float64(p.w))
	if right <= left {
		return
	}
	a, b := int(left), int(math.Ceil(right))
	single := func(x int) {
		f := min(right, float64(x+1)) - max(left, float64(x))
		if f > 0 {
			p.runs = append(p.runs, run{x, x + 1, float32(f), float32(p.pow.at(f)), p.relief(float64(x)+0.5, x0, x1, level)})
		}
	}
	// The border's columns go one by one, what lies between them is one run where the relief is level.
	inA, inB := a+1, b-1
	switch {
	case level || p.cushion == Flat:
	case p.cushion == Plateau:
		border := plateau(x1 - x0)
		inA, inB = max(inA, int(math.Ceil(x0+border))+1), min(inB, int(x1-border)-1)
	default:
		inA, inB = b, b
	}
	if inB-inA < 2 {
		inA, inB = b, b
	}
	for x := a; x < min(inA, b); x++ {
		single(x)
	}
	if inA < inB {
		p.runs = append(p.runs, run{inA, inB, 1, 1, p.relief(float64(inA)+0.5, x0, x1, level)})
		for x := inB; x < b; x++ {
			single(x)
		}
	}
}

// thin is the side in pixels below which a block shows the mean of its relief instead of the relief, so that brightness
// does not jump when one zooms.
const thin = 3.0

// plateau is the width of a plateau's border: at most 3 pixels, and a quarter of the side, so that the mean of a small
// block does not depend on its size.
func plateau(side float64) float64 { return min(3, side/4) }

// relief is the profile of a cushion between its borders a and b at position x, 0..1, or its mean where it is level.
func (p *painter) relief(x, a, b float64, level bool) float32 {
	side := b - a
	switch {
	case p.cushion == Flat:
		return 1
	case p.cushion == Plateau && level:
		return float32(1 - plateau(side)/side)
	case p.cushion == Plateau:
		return float32(max(0, min(1, min(x-a, b-x)/plateau(side))))
	case level:
		return 2.0 / 3
	}
	u := (x - a) / side
	return float32(max(0, 4*u*(1-u)))
}

// resolve turns the sums of one row into pixels and leaves its cells and marks zero. Between marks nothing changes, and
// the pixels repeat.
func (p *painter) resolve(y int, row []cell, marks []uint64) {
	var sum cell
	pix := p.out.Pix[y*p.out.Stride : y*p.out.Stride+4*p.w]
	now := [4]uint8{p.back.R, p.back.G, p.back.B, 255}
	done := 0
	for i, m := range marks {
		for ; m != 0; m &= m - 1 {
			x := 64*i + bits.TrailingZeros64(m)
			repeat(pix[4*done:4*min(x, p.w)], now)
			done = min(x, p.w)
			c := &row[x]
			for k := range sum {
				sum[k] += c[k]
			}
			*c = cell{}
			now = p.pixel(&sum)
		}
		marks[i] = 0
	}
	repeat(pix[4*done:], now)
}

// repeat fills pixels with one colour.
func repeat(pix []uint8, c [4]uint8) {
	if len(pix) == 0 {
		return
	}
	copy(pix, c[:])
	for n := 4; n < len(pix); n *= 2 {
		copy(pix[n:], pix[:n])
	}
}

// pixel is the colour of a pixel with the given sums.
func (p *painter) pixel(sum *cell) [4]uint8 {
	// Below the smallest weight a block can have, the sums hold rounding only.
	if sum[0] < 1e-5 || sum[1] < 1e-6 && sum[0] < 1e-3 || sum[2] <= 0 {
		return [4]uint8{p.back.R, p.back.G, p.back.B, 255}
	}
	rest := float32(0)
	if sum[1] <= 1-1e-5 {
		rest = float32(p.pow.at(float64(1 - sum[1])))
	}
	all := 1 / (sum[0] + rest)
	mean := 1 / sum[2]
	r, g, b := sum[3]*mean, sum[4]*mean, sum[5]*mean
	if p.colors.class == nil {
		m := p.amount(sum[3]*mean, sum[4]*mean, min(1, sum[5]*mean))
		r, g, b = m[0], m[1], m[2]
	}
	r, g, b = r*sum[0], g*sum[0], b*sum[0]
	return [4]uint8{toSRGB((r + rest*p.ground[0]) * all), toSRGB((g + rest*p.ground[1]) * all), toSRGB((b + rest*p.ground[2]) * all), 255}
}

// amount is the linear colour of an amount under the given light, less strong where blocks are dimmed.
func (p *painter) amount(v, light, strong float32) (out [3]float32) {
	m := &p.amounts[max(0, min(amountSteps, int(v*amountSteps+0.5)))]
	for k := range out {
		out[k] = (m[k]*strong + p.ground[k]*(1-strong)) * light
	}
	return out
}

// dimmed is how much of its colour a block keeps while something else is chosen.
const dimmed = 0.22

// ground is the colour behind the blocks: a step into the depth from the panel.
func ground(t palette.Theme) color.NRGBA {
	if t.Dark {
		return palette.Mix(t.Background, color.NRGBA{A: 255}, 0.35)
	}
	return palette.Mix(t.Background, t.Line, 0.45)
}
