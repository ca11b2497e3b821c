package dsetree

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"

	"orrery/views/scene"
)

// Paper keeps the pixels of a picture for the next one, so that a frame takes no new memory: a drawing made with it is
// good until the next Scene with it. It belongs to one goroutine; the zero value is empty.
type Paper struct{ img *image.RGBA }

// sheet is an empty picture of a size, on new memory when there is no paper.
func (p *Paper) sheet(r image.Rectangle) *image.RGBA {
	if p == nil {
		return image.NewRGBA(r)
	}
	if p.img == nil || p.img.Rect != r {
		p.img = image.NewRGBA(r)
	} else {
		clear(p.img.Pix)
	}
	return p.img
}

// painter fills boxes and draws lines one pixel wide straight into pixels: what is too small and too much for shapes.
type painter struct {
	at    scene.Rect
	scale float64
	paper *Paper
	img   *image.RGBA
	used  bool
	wide  int
	high  int
	steps []streak // steep lines that are not drawn yet
}

func newPainter(f *frame) *painter {
	return &painter{at: f.area, scale: max(f.size.Scale, 0.1)}
}

// begin makes the pixels when the first of them is needed.
func (p *painter) begin() {
	if p.used {
		return
	}
	p.used = true
	p.wide, p.high = int(math.Ceil(p.at.W()*p.scale)), int(math.Ceil(p.at.H()*p.scale))
	p.at.Max = scene.Point{X: p.at.Min.X + float64(p.wide)/p.scale, Y: p.at.Min.Y + float64(p.high)/p.scale}
	p.img = p.paper.sheet(image.Rect(0, 0, p.wide, p.high))
}

func (p *painter) image() scene.Image {
	p.flush()
	return scene.Image{At: p.at, Pixels: p.img, Name: "nodes and edges that are merged"}
}

// box fills whole pixels.
func (p *painter) box(x0, y0, x1, y1 float64, c color.NRGBA) {
	p.begin()
	p.flush()
	px0, py0 := int(math.Round((x0-p.at.Min.X)*p.scale)), int(math.Round((y0-p.at.Min.Y)*p.scale))
	px1, py1 := int(math.Round((x1-p.at.Min.X)*p.scale)), int(math.Round((y1-p.at.Min.Y)*p.scale))
	px0, py0, px1, py1 = max(0, px0), max(0, py0), min(p.wide, max(px1, px0+1)), min(p.high, max(py1, py0+1))
	if px0 >= px1 {
		return
	}
	k := inkOf(c)
	for y := py0; y < py1; y++ {
		row := p.img.Pix[y*p.img.Stride+4*px0 : y*p.img.Stride+4*px1]
		for ; len(row) >= 4; row = row[4:] {
			k.blend(row[:4:4], k.alpha)
		}
	}
}

// line draws a line one pixel wide from above to below, softened over the two pixels that it passes between.
func (p *painter) line(x0, y0, x1, y1 float64, c color.NRGBA) {
	p.begin()
	x0, x1 = (x0-p.at.Min.X)*p.scale-0.5, (x1-p.at.Min.X)*p.scale-0.5
	y0, y1 = (y0-p.at.Min.Y)*p.scale, (y1-p.at.Min.Y)*p.scale
	k := inkOf(c)
	if dx, dy := math.Abs(x1-x0), y1-y0; dx <= dy {
		p.steep(x0, y0, (x1-x0)/max(dy, 1e-9), int(y1), k)
		return
	}
	if x0 > x1 {
		x0, x1, y0, y1 = x1, x0, y1, y0
	}
	p.flush()
	p.flat(x0, y0-0.5, (y1-y0)/(x1-x0), int(x1), k)
}

// one is a pixel in the fixed-point numbers that lines are stepped in.
const one = 1 << 16

// streak is a line that is taller than wide, from one row down to another: where it is in the next row, and how far it
// moves.
type streak struct {
	x, by     int64
	from, end int
	ink       ink
}

// steep takes a line that is taller than wide, down to a row.
func (p *painter) steep(x0, y0, slope float64, end int, k ink) {
	from := max(0, int(y0))
	if end = min(end, p.high); from < end {
		p.steps = append(p.steps, streak{int64((x0 + (float64(from)+0.5-y0)*slope) * one), int64(slope * one), from, end, k})
	}
}

// flush draws the steep lines, all of them row by row: so they move along memory, which a line by itself crosses at
// great steps. Each pixel gets them in the order in which they came.
func (p *painter) flush() {
	if len(p.steps) == 0 {
		return
	}
	from, end := p.high, 0
	for i := range p.steps {
		from, end = min(from, p.steps[i].from), max(end, p.steps[i].end)
	}
	last := uint(p.wide - 1)
	for y := from; y < end; y++ {
		row := p.img.Pix[y*p.img.Stride:][:4*p.wide]
		for i := range p.steps {
			s := &p.steps[i]
			if y < s.from || y >= s.end {
				continue
			}
			at, part := uint(s.x>>16), uint64(s.x>>8)&255
			s.x += s.by
			if at < last {
				s.ink.pair(row[4*at:4*at+8:4*at+8], part)
			}
		}
	}
	p.steps = p.steps[:0]
}

// flat draws a line that is wider than tall, column by column up to end.
func (p *painter) flat(x0, y0, slope float64, end int, k ink) {
	from := max(0, int(x0))
	y := int64((y0 + (float64(from)+0.5-x0)*slope) * one)
	by := int64(slope * one)
	stride, last := p.img.Stride, p.high-1
	pix := p.img.Pix
	for x := from; x < min(p.wide, end); x++ {
		at := int(y >> 16)
		part := uint64(y>>8) & 255
		y += by
		if at < 0 || at >= last {
			continue
		}
		i := at*stride + 4*x
		k.blend(pix[i:i+4:i+4], k.alpha*(256-part)>>8)
		k.blend(pix[i+stride:i+stride+4:i+stride+4], k.alpha*part>>8)
	}
}

// ink is a colour that is laid over pixels, all four channels at once: each has 16 bits, room for a product.
type ink struct {
	channels uint64
	alpha    uint64 // 0 to 256
}

// Of each channel, the 8 bits that stay.
const channelMask = 0x00ff00ff00ff00ff

func inkOf(c color.NRGBA) ink {
	return ink{spread(uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | 255<<24), uint64(c.A) + uint64(c.A)>>7}
}

// spread gives each channel of a pixel 16 bits, the first and third ones first.
func spread(pixel uint32) uint64 {
	return (uint64(pixel) | uint64(pixel)<<24) & channelMask
}

// gather is the pixel of spread channels.
func gather(c uint64) uint32 { return uint32(c | c>>24) }

// blend lays the colour over a premultiplied pixel with an opacity from 0 to 256.
func (k ink) blend(pix []uint8, a uint64) {
	old := spread(binary.LittleEndian.Uint32(pix))
	binary.LittleEndian.PutUint32(pix, gather((k.channels*a+old*(256-a))>>8&channelMask))
}

// pair lays the colour over two neighbours; the right one gets part of 256.
func (k ink) pair(pix []uint8, part uint64) {
	old := binary.LittleEndian.Uint64(pix)
	a, b := k.alpha*(256-part)>>8, k.alpha*part>>8
	left := (k.channels*a + spread(uint32(old))*(256-a)) >> 8 & channelMask
	right := (k.channels*b + spread(uint32(old>>32))*(256-b)) >> 8 & channelMask
	binary.LittleEndian.PutUint64(pix, uint64(gather(left))|uint64(gather(right))<<32)
}
