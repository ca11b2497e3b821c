package dsetree

import (
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
	for y := py0; y < py1; y++ {
		row := p.img.Pix[y*p.img.Stride+4*px0 : y*p.img.Stride+4*px1]
		for i := 0; i < len(row); i += 4 {
			over(row[i:i+4:i+4], c, uint32(c.A))
		}
	}
}

// line draws a line one unit wide from above to below, softened over the two pixels that it passes between.
func (p *painter) line(x0, y0, x1, y1 float64, c color.NRGBA) {
	p.begin()
	x0, x1 = (x0-p.at.Min.X)*p.scale, (x1-p.at.Min.X)*p.scale
	y0, y1 = (y0-p.at.Min.Y)*p.scale, (y1-p.at.Min.Y)*p.scale
	slope := (x1 - x0) / max(y1-y0, 1e-9)
	if math.Abs(slope) > 1 {
		p.flat(x0, y0, x1, y1, c)
		return
	}
	for y := max(0, int(y0)); y < min(p.high, int(y1)); y++ {
		x := x0 + (float64(y)+0.5-y0)*slope - 0.5
		k := math.Floor(x)
		part := uint32(float64(c.A) * (x - k))
		p.dot(int(k), y, c, uint32(c.A)-part)
		p.dot(int(k)+1, y, c, part)
	}
}

// flat draws a line that is wider than tall.
func (p *painter) flat(x0, y0, x1, y1 float64, c color.NRGBA) {
	if x0 > x1 {
		x0, x1, y0, y1 = x1, x0, y1, y0
	}
	slope := (y1 - y0) / (x1 - x0)
	for x := max(0, int(x0)); x < min(p.wide, int(x1)); x++ {
		y := y0 + (float64(x)+0.5-x0)*slope - 0.5
		k := math.Floor(y)
		part := uint32(float64(c.A) * (y - k))
		p.dot(x, int(k), c, uint32(c.A)-part)
		p.dot(x, int(k)+1, c, part)
	}
}

func (p *painter) dot(x, y int, c color.NRGBA, a uint32) {
	if x >= 0 && x < p.wide && y >= 0 && y < p.high {
		i := y*p.img.Stride + 4*x
		over(p.img.Pix[i:i+4:i+4], c, a)
	}
}

// over lays a colour of opacity a (0 to 255) over a pixel, which is premultiplied.
func over(pix []uint8, c color.NRGBA, a uint32) {
	if a >= 255 {
		pix[0], pix[1], pix[2], pix[3] = c.R, c.G, c.B, 255
		return
	}
	rest := 255 - a
	pix[0] = uint8((uint32(c.R)*a + uint32(pix[0])*rest + 127) / 255)
	pix[1] = uint8((uint32(c.G)*a + uint32(pix[1])*rest + 127) / 255)
	pix[2] = uint8((uint32(c.B)*a + uint32(pix[2])*rest + 127) / 255)
	pix[3] = uint8((255*a + uint32(pix[3])*rest + 127) / 255)
}
