package heapmap

import (
	"math"
	"unsafe"

	"orrery/analysis/heap"
	"orrery/traceio"
)

// stroke is what a block covers of one row of pixels, or a part of that which is equally light: columns a to b, the
// first and the last of them in part. It is all that equation (1) asks of the block but alpha.
type stroke struct {
	a, b   uint16
	f0, f1 float32 // shares that are covered of columns a and b; of a single column f0, and f1 is 1
	fy     float32 // share of the row
	light  float32 // of the relief, 1 is brightest
	value  float32 // of amounts the amount; of classes 1 / (1 + side^2), which tells how much the block shows elsewhere
	row    uint8   // in the band
	class  uint8   // and dimStroke; of amounts dimStroke alone
	dither uint8   // of 255, how much of the row's dither weight applies
}

// dimStroke marks blocks that are dimmed because something else is chosen.
const dimStroke = 0x80

// strokeBytes is the room that a stroke takes.
const strokeBytes = int(unsafe.Sizeof(stroke{}))

// widest is the most columns an image has strokes for.
const widest = math.MaxUint16 - 1

// run is columns [a, b) of a block with equal horizontal parts: of the share and of the relief.
type run struct {
	a, b   int
	f, bow float32
}

// tone is a block's class, or its amount with class 0, and whether it is dimmed; false when it is not drawn. at is its
// place in the index.
func (p *painter) tone(at int) (class uint8, amount float32, ok bool) {
	if p.bins != nil && int(p.bins[at]) != p.bin {
		return 0, 0, false
	}
	if p.marks != nil {
		class = p.marks[at]
	}
	if p.class == nil {
		amount = p.colors.amount[at]
	}
	return class, amount, class != absent
}

// leafAt is a leaf of the index in a segment: its corner in pixels, and the addresses that are wanted. Blocks that do
// not lie in those are of other rows, or of another pool.
type leafAt struct {
	*heap.Leaf
	g         *segment
	x, y      float64
	low, high traceio.Addr
	apart     bool // some may be of another pool
}

// leaf leaves the strokes of a leaf's blocks in addresses [low, high).
func (p *painter) leaf(g *segment, l *heap.Leaf, low, high traceio.Addr) {
	if p.n > flushed {
		p.flush(p.strokes[:p.n])
		p.n = 0
	}
	at := leafAt{l, g, float64(l.Box.From)*p.perTime - p.left, p.bottom - float64(int64(l.Box.Low-g.base))*g.perAddr, low,
		high, l.Box.Low < g.base || l.Box.High > g.roof}
	n := len(l.Offsets)
	if !vectors || p.plain || at.apart || l.Box.To-l.Box.From >= heap.Far/2 || l.Box.High-l.Box.Low >= heap.Far/2 {
		p.blocks(&at, 0, n)
		return
	}
	mask, any := p.mask(l)
	if !any {
		return
	}
	first := 0
	if p.flat {
		switch row, ok := p.rowOf(&at); {
		case !ok:
		case p.waits > 0:
			p.waits--
		default:
			if first = p.row(&at, mask, row); first == n {
				return
			}
		}
	}
	p.strokeArgs.x, p.strokeArgs.y = at.x, at.y
	for i := first + p.byFour(l, mask, first); i < n; i += p.byFour(l, mask, i) {
		next := min(i+4, n)
		p.blocks(&at, i, next)
		if i = next; i == n {
			break
		}
	}
}

// blocks leaves the strokes of blocks [first, last) of a leaf.
func (p *painter) blocks(l *leafAt, first, last int) {
	roof, floor := float64(p.r0), float64(p.r1)
	perTime, perAddr, wide := p.perTime, l.g.perAddr, p.wide
	cornerX, cornerY := l.x, l.y
	for i := first; i < last; i++ {
		o := &l.Offsets[i]
		x0, y1 := cornerX+float64(o.From)*perTime, cornerY-float64(o.Low)*perAddr
		width, height := float64(o.Span)*perTime, float64(o.Size)*perAddr
		if l.apart || o.Low == heap.Far {
			r := l.Rect(i)
			if r.Low >= l.high || r.High <= l.low {
				continue
			}
			x0, y1 = float64(r.From)*perTime-p.left, p.bottom-float64(int64(r.Low-l.g.base))*perAddr
			width, height = float64(r.To-r.From)*perTime, float64(r.High-r.Low)*perAddr
		}
		x1, y0 := x0+width, y1-height
		// Comparisons, not min and max, which mind what is no number and take twice the time.
		top, bottom, left, right := y0, y1, x0, x1
		if top < roof {
			top = roof
		}
		if bottom > floor {
			bottom = floor
		}
		if left < 0 {
			left = 0
		}
		if right > wide {
			right = wide
		}
		if bottom <= top || right <= left {
			continue
		}
		if p.plain {
			p.stamp(l.g, l.First+i, l.IDs[i], l.Rect(i))
			continue
		}
		class, value, ok := p.tone(l.First + i)
		if !ok {
			continue
		}
		side := width
		if height < side {
			side = height
		}
		dither := uint8(255)
		if p.class != nil {
			value = 1
			if side > narrow {
				value, dither = share(side)
			}
		}
		// A relief needs room in both directions; where there is none, its mean stands for it.
		if side >= thin && p.cushion != Flat {
			p.relieved(stroke{value: value, class: class, dither: dither}, x0, x1, y0, y1)
			continue
		}
		a, b, f0, f1 := ends(left, right)
		light := p.edge + (1-p.edge)*p.mean(width)*p.mean(height)
		for r := int(top); ; r++ {
			end := float64(r + 1)
			if end > bottom {
				end = bottom
			}
			s := &p.strokes[p.n]
			p.n++
			s.a, s.b, s.f0, s.f1 = a, b, f0, f1
			s.fy, s.light, s.value, s.row, s.class, s.dither = float32(end-top), light, value, uint8(r-p.r0), class, dither
			if top = end; top >= bottom {
				break
			}
		}
	}
}

// narrow is the side of a block of a class up to which its share counts as that of one without any extent: what is left
// out is less than a level of a channel.
const narrow = 1.0 / 64

// share is, of a block of a class with that smaller side in pixels, how much it shows elsewhere, and how much of
// the row's dither weight applies to it.
func share(side float64) (value float32, dither uint8) {
	return float32(1 / (1 + side*side)), uint8(255*max(0, min(1, (thin-side)/2)) + 0.5)
}

// ends is the first and the last column of what lies from left to right, and the shares of them that it covers. Whether
// that is one column or several is a toss-up: choices between integers do not branch.
func ends(left, right float64) (a, b uint16, f0, f1 float32) {
	x, y := int(left), int(right)
	first, last := math.Float32bits(float32(float64(x+1)-left)), math.Float32bits(float32(right-float64(y)))
	if one := math.Float32bits(float32(right - left)); x == y {
		first = one
	}
	if x == y {
		last = whole
	}
	return uint16(x), uint16(y), math.Float32frombits(first), math.Float32frombits(last)
}

// whole is the bits of 1.
const whole = 0x3f800000

// next is the place for one more stroke of a block with a relief, which may have many; those of the leaf's other blocks
// find room behind it.
func (p *painter) next() *stroke {
	if p.n >= flushed {
		p.flush(p.strokes[:p.n])
		p.n = 0
	}
	p.n++
	return &p.strokes[p.n-1]
}

// relieved leaves the strokes of a block with a relief: runs of columns, many near its border.
func (p *painter) relieved(s stroke, x0, x1, y0, y1 float64) {
	p.columns(x0, x1)
	for r := max(p.r0, int(math.Floor(y0))); r < min(p.r1, int(math.Ceil(y1))); r++ {
		s.row, s.fy = uint8(r-p.r0), float32(min(y1, float64(r+1))-max(y0, float64(r)))
		if s.fy <= 0 {
			continue
		}
		bow := p.cushion.relief(float64(r)+0.5, y0, y1)
		for i := range p.runs {
			u := &p.runs[i]
			s.a, s.b, s.f0, s.f1 = uint16(u.a), uint16(u.b-1), u.f, 1 // of more than one column all are covered
			s.light = p.edge + (1-p.edge)*u.bow*bow
			*p.next() = s
		}
	}
}

// columns cuts a block's horizontal extent into runs.
func (p *painter) columns(x0, x1 float64) {
	p.runs = p.runs[:0]
	left, right := max(x0, 0), min(x1, p.wide)
	a, b := int(left), int(math.Ceil(right))
	single := func(x int) {
		f := min(right, float64(x+1)) - max(left, float64(x))
		if f > 0 {
			p.runs = append(p.runs, run{x, x + 1, float32(f), p.cushion.relief(float64(x)+0.5, x0, x1)})
		}
	}
	// The border's columns go one by one, what lies between them is one run where the relief is level.
	inA, inB := b, b
	if p.cushion == Plateau {
		border := plateau(x1 - x0)
		inA, inB = max(a+1, int(math.Ceil(x0+border))+1), min(b-1, int(x1-border)-1)
	}
	if inB-inA < 2 {
		inA, inB = b, b
	}
	for x := a; x < min(inA, b); x++ {
		single(x)
	}
	if inA < inB {
		p.runs = append(p.runs, run{inA, inB, 1, p.cushion.relief(float64(inA)+0.5, x0, x1)})
		for x := inB; x < b; x++ {
			single(x)
		}
	}
}

// thin is the side in pixels below which a block shows the mean of its relief instead of the relief, so that brightness
// does not jump when one zooms.
const thin = 3.0

// plateau is the width of a plateau's border: at most widestBorder, and a quarter of the side, so that the mean of a
// small block does not depend on its size.
func plateau(side float64) float64 { return min(widestBorder, side/4) }

const widestBorder = 3.0 // pixels

// relief is the profile of a cushion between its borders a and b at position x, 0..1.
func (c Cushion) relief(x, a, b float64) float32 {
	side := b - a
	switch c {
	case Flat:
		return 1
	case Plateau:
		return float32(max(0, min(1, min(x-a, b-x)/plateau(side))))
	}
	u := (x - a) / side
	return float32(max(0, 4*u*(1-u)))
}

// mean is that of the profile of a side: of a plateau 1 - border/side.
func (p *painter) mean(side float64) float32 {
	// Positive numbers are in the order of their bits.
	return p.high - p.slope/float32(math.Float64frombits(max(math.Float64bits(side), math.Float64bits(4*widestBorder))))
}

// means gives high and slope of mean.
func (c Cushion) means() (high, slope float32) {
	switch c {
	case Flat:
		return 1, 0
	case Parabolic:
		return 2.0 / 3, 0
	}
	return 1, widestBorder
}
