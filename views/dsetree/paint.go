package dsetree

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"

	"orrery/views/scene"
)

// painter fills boxes and draws lines one pixel wide straight into pixels: what is too small and too much for shapes.
type painter struct {
	at    scene.Rect
	scale float64
	img   *image.RGBA
	used  bool
	wide  int
	high  int
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
	p.img = image.NewRGBA(image.Rect(0, 0, p.wide, p.high))
}

func (p *painter) image() scene.Image {
	return scene.Image{At: p.at, Pixels: p.img, Name: "nodes and edges that are merged"}
}

// box fills whole pixels.
func (p *painter) box(x0, y0, x1, y1 float64, c color.NRGBA) {
	p.begin()
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
	p.flat(x0, y0-0.5, (y1-y0)/(x1-x0), int(x1), k)
}

// one is a pixel in the fixed-point numbers that lines are stepped in.
const one = 1 << 16

// steep draws a line that is taller than wide, row by row down to end.
func (p *painter) steep(x0, y0, slope float64, end int, k ink) {
	from := max(0, int(y0))
	x := int64((x0 + (float64(from)+0.5-y0)*slope) * one)
	by := int64(slope * one)
	stride, last := p.img.Stride, p.wide-1
	pix := p.img.Pix
	for y, row := from, from*stride; y < min(p.high, end); y, row = y+1, row+stride {
		at := int(x >> 16)
		part := uint32(x>>8) & 255
		x += by
		if at < 0 || at >= last {
			continue
		}
		two := pix[row+4*at : row+4*at+8 : row+4*at+8]
		k.blend(two[:4:4], k.alpha*(256-part)>>8)
		k.blend(two[4:], k.alpha*part>>8)
	}
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
		part := uint32(y>>8) & 255
		y += by
		if at < 0 || at >= last {
			continue
		}
		i := at*stride + 4*x
		k.blend(pix[i:i+4:i+4], k.alpha*(256-part)>>8)
		k.blend(pix[i+stride:i+stride+4:i+stride+4], k.alpha*part>>8)
	}
}

// ink is a colour that is laid over pixels: two channels at a time, with room for a product between them.
type ink struct {
	redBlue, greenAlpha uint32
	alpha               uint32 // 0 to 256
}

func inkOf(c color.NRGBA) ink {
	return ink{uint32(c.R) | uint32(c.B)<<16, uint32(c.G) | 255<<16, uint32(c.A) + uint32(c.A)>>7}
}

// blend lays the colour over a premultiplied pixel with an opacity from 0 to 256.
func (k ink) blend(pix []uint8, a uint32) {
	const pair = 0x00ff00ff
	old := binary.LittleEndian.Uint32(pix)
	rest := 256 - a
	redBlue := (k.redBlue*a + (old&pair)*rest) >> 8 & pair
	greenAlpha := (k.greenAlpha*a + (old>>8&pair)*rest) & ^uint32(pair)
	binary.LittleEndian.PutUint32(pix, redBlue|greenAlpha)
}
