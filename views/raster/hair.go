package raster

import (
	"encoding/binary"
	"image"
	"math"
	"sync"
)

// Thin curves of many short pieces, as the spirals of long recordings are, have a kernel of their own. A piece whose
// neighbours go on in nearly the same direction, along the same axis, owns the columns of pixels (or rows, where it is
// steep) whose centres lie between its ends: neighbours never touch the same pixel and leave none out, without a look
// at the joint.
//
//	|   |   |   |   |
//	|  _|-o-|   |   |    o joint: columns to its left are the one piece's,
//	|-- |   |--_|   |    those to its right the other's
//	|   |   |   |---|
//
// In each column the three or four pixels across the line are all there is to do.

// hairHalf is the half width in pixels up to which a line is thin.
const hairHalf = 2.0

// along reports whether q goes on in nearly the direction of p, along the same axis. The more a line bends and the
// wider it is, the more do its edges jump where columns change hands: this keeps them within about 0.2 sqrt 2 pixels.
func along(p, q *segment, half float64) bool {
	steep := math.Abs(p.uy) > math.Abs(p.ux)
	return p.ux*q.ux+p.uy*q.uy > straightOn(half) && steep == (math.Abs(q.uy) > math.Abs(q.ux))
}

// straightOn is the cosine of the angle by which a line of a half width may bend, see along.
func straightOn(half float64) float64 { return 1 - 0.02/(half*half) }

// profiles are the pixels that a thin line of one width covers in a column: by its direction, from along an axis to the
// diagonal, and by where between two centres of pixels its middle passes. A step of either is far below what shows.
type profiles [directions]direction

// direction is what lines of one direction cover: n pixels of a column, from so many beside the one in which the middle
// is on.
type direction struct {
	first, n int
	passage  [passages]column
}

// column is the share in 1/256 that a line covers of each pixel, between pixels that it does not reach.
type column [before + tallest + before]uint16

const (
	directions = 16
	passages   = 1 << passageBits
	tallest    = 8 // pixels: a diagonal line of half width 2 reaches 2 sqrt 2 + 1 < 4 pixels up and down
	before     = 4

	passageBits = 5
)

// tables remembers the last few tables: from frame to frame the widths stay. A table depends on nothing but the half
// width.
var tables struct {
	sync.Mutex
	last []table
}

type table struct {
	half     float64
	profiles *profiles
}

// widths is in how many widths pictures that are on screen at once are drawn, about.
const widths = 12

// profilesOf is the table for a half width up to hairHalf.
func profilesOf(half float64) *profiles {
	tables.Lock()
	defer tables.Unlock()
	for _, t := range tables.last {
		if t.half == half {
			return t.profiles
		}
	}
	t := table{half, newProfiles(half)}
	if len(tables.last) == widths {
		tables.last = append(tables.last[:0], tables.last[1:]...)
	}
	tables.last = append(tables.last, t)
	return t.profiles
}

func newProfiles(half float64) *profiles {
	t := new(profiles)
	for k := range t {
		b := math.Sin(math.Pi / 4 * (float64(k) + 0.5) / directions)
		g := newEdge(math.Sqrt(1-b*b), b)
		far := min(tallest/2, int(math.Ceil((half+g.full)*g.overA))) // along the column, to where nothing is covered any more
		d := &t[k]
		d.first, d.n = 1-far, 2*far
		for i := range d.passage {
			middle := (float64(i) + 0.5) / passages
			for row := range d.n {
				away := (float64(row+d.first) - middle) * g.a
				d.passage[i][before+row] = uint16(256*max(0, g.profile(half-away)+g.profile(half+away)-1) + 0.5)
			}
		}
	}
	return t
}

// sines are the directions by their sine, in steps so fine that an arcsine for each piece would say no more.
var sines = func() (by [1024]uint8) {
	for i := range by {
		by[i] = uint8(min(directions-1, math.Asin((float64(i)+0.5)/float64(len(by)))*(directions*4/math.Pi)))
	}
	return by
}()

// hair paints the segment into the rows.
func (g *segment) hair(im *image.RGBA, rows image.Rectangle, t *profiles) {
	begin, minor, by, across := g.x, g.y, g.ux, g.uy
	major, minorStep := 4, im.Stride
	low, high, first, last := rows.Min.X, rows.Max.X, rows.Min.Y, rows.Max.Y
	if math.Abs(g.uy) > math.Abs(g.ux) {
		begin, minor, by, across = g.y, g.x, g.uy, g.ux
		major, minorStep = im.Stride, 4
		low, high, first, last = first, last, low, high
	}
	end := begin + by*g.length
	c0 := max(low, int(math.Ceil(min(begin, end)-0.5)))
	c1 := min(high, int(math.Ceil(max(begin, end)-0.5)))
	if c0 >= c1 {
		return
	}
	const one = 1 << 32 // a pixel, in steps of the line's middle
	slope := across / by
	s := strip{
		brush: newBrush(g.ink), count: c1 - c0,
		across: &t[sines[min(len(sines)-1, int(min(math.Abs(g.ux), math.Abs(g.uy))*float64(len(sines))))]],
		middle: int64((minor + (float64(c0)+0.5-begin)*slope - 0.5) * one), // counted in centres of pixels
		step:   int64(slope * one),
	}
	s.at = im.PixOffset(0, 0) + c0*major + s.across.first*minorStep
	if s.within(first, last, major < minorStep) {
		s.byFour(im.Pix, im.Stride, major < minorStep)
		return
	}
	s.each(im.Pix, major, minorStep, first, last)
}

// strip is a piece of a thin line, ready to be painted column by column (or, where it is steep, row by row).
type strip struct {
	brush  brush
	across *direction
	middle int64 // of the line in the first column, in 1/2^32 pixels
	step   int64 // from a column to the next
	count  int   // columns
	at     int   // the byte in the picture at which the first column's pixels would begin were the middle at 0
}

// within reports whether fours may paint the strip: whether all pixels that it takes into its hands lie between two
// rows (or columns).
func (s *strip) within(first, last int, flat bool) bool {
	from, to := int(s.middle>>32)+s.across.first, int((s.middle+int64(s.count-1)*s.step)>>32)+s.across.first
	n := s.across.n
	if !flat {
		n = (n + 3) &^ 3
	}
	return min(from, to) >= first && max(from, to)+n <= last && (s.count >= 4 || !flat)
}

// each paints pixel by pixel what lies between two rows (or columns).
func (s *strip) each(pix []uint8, major, minorStep, first, last int) {
	d := s.across
	first, last = first-d.first, last-d.first
	for range s.count {
		cover := d.passage[uint64(s.middle)>>(32-passageBits)&(passages-1)][before : before+d.n]
		row := int(s.middle >> 32)
		if row < first {
			cover = cover[min(len(cover), first-row):]
			row = first
		}
		if over := row + len(cover) - last; over > 0 {
			cover = cover[:max(0, len(cover)-over)]
		}
		s.brush.paint(pix, s.at+row*minorStep, minorStep, cover)
		s.at += major
		s.middle += s.step
	}
}

// ends is how much of a piece that does not go on smoothly needs a look at the joint, at either end: 6 pixels, less
// where the line is thin. Where it bends by 150 degrees, a joint reaches tan 75 times as far along the line as the line
// reaches across.
func ends(half float64) float64 { return min(6, 3.75*(half+reach)) }

// between is how long what is left without the ends must be to be worth a cut.
const between = 4

// joints is how much of the segment needs a look at the joints.
func (g *segment) joints(half float64) float64 {
	n := 0.0
	if !g.on0 {
		n += ends(half)
	}
	if !g.on1 {
		n += ends(half)
	}
	return n
}

// middle paints the ends of the segment one way and what is between the other.
func (g *segment) middle(im *image.RGBA, rows image.Rectangle, half float64, t *profiles) {
	mx, my := math.Copysign(1, g.ux), 0.0
	if math.Abs(g.uy) > math.Abs(g.ux) {
		mx, my = 0, math.Copysign(1, g.uy)
	}
	from, to := 0.0, g.length
	if !g.on0 {
		from = ends(half)
	}
	if !g.on1 {
		to -= ends(half)
	}
	for _, part := range [3]struct {
		from, to float64
		own      [2]bool // begins, ends as the segment does
	}{{0, from, [2]bool{true, false}}, {from, to, [2]bool{g.on0, g.on1}}, {to, g.length, [2]bool{false, true}}} {
		if part.from == part.to {
			continue
		}
		p := *g
		p.x, p.y, p.length = g.x+g.ux*part.from, g.y+g.uy*part.from, part.to-part.from
		y := p.y + p.uy*p.length
		p.top, p.bottom = min(p.y, y)-half-reach, max(p.y, y)+half+reach
		if !part.own[0] {
			p.m0x, p.m0y, p.cut0, p.on0 = mx, my, true, true
		}
		if !part.own[1] {
			p.m1x, p.m1y, p.cut1, p.on1 = mx, my, true, true
		}
		switch {
		case p.top >= float64(rows.Max.Y) || p.bottom <= float64(rows.Min.Y):
		case p.on0 && p.on1:
			p.hair(im, rows, t)
		default:
			p.exact(im, rows, half)
		}
	}
}

// brush is ink of one colour, made ready for pixels whose four channels are blended two at a time, each in 16 bits of a
// word; what is left of opacity and coverage together are 8 bits.
type brush struct {
	even, odd uint32 // red and blue, green and alpha
	opacity   uint32 // in 1/65536
}

func newBrush(k ink) brush {
	return brush{even: k.r | k.b<<16, odd: k.g | 255<<16, opacity: uint32(k.a + 0.5)}
}

// paint lays the ink over pixels, step bytes from one to the next, with coverage in 1/256.
func (b *brush) paint(pix []uint8, at, step int, cover []uint16) {
	const lanes, half = 0x00ff00ff, 0x00800080
	for _, c := range cover {
		if c == 0 {
			at += step
			continue
		}
		a := (b.opacity*uint32(c) + 32768) >> 16
		p := pix[at : at+4 : at+4]
		at += step
		was, rest := binary.LittleEndian.Uint32(p), 256-a
		even := ((was&lanes)*rest + b.even*a + half) >> 8 & lanes
		odd := ((was>>8&lanes)*rest + b.odd*a + half) & (lanes << 8)
		binary.LittleEndian.PutUint32(p, even|odd)
	}
}
