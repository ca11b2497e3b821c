package heapmap

import (
	"math"

	"orrery/analysis/heap"
)

// Without equation (1), for comparison (figure 3 of the paper): a pixel shows the block that covers its middle, the
// youngest where several do, and nothing of those that are thinner and miss it.

// top is the youngest block over the middle of a pixel so far: its number plus 1, with its shade under the cushion.
type top struct {
	id   int32
	tone [3]float32
}

// stamp puts one block on the pixels whose middle it covers. at is its place in the index.
func (p *painter) stamp(g *segment, at int, id int32, rect heap.Rect) {
	x0, x1 := float64(rect.From)*p.perTime-p.left, float64(rect.To)*p.perTime-p.left
	y0, y1 := p.bottom-float64(int64(rect.High-g.base))*g.perAddr, p.bottom-float64(int64(rect.Low-g.base))*g.perAddr
	a, b := max(0, int(math.Ceil(x0-0.5))), min(p.w, int(math.Ceil(x1-0.5)))
	ra, rb := max(p.r0, int(math.Ceil(y0-0.5))), min(p.r1, int(math.Ceil(y1-0.5)))
	if a >= b || ra >= rb {
		return
	}
	class, amount, ok := p.tone(at)
	if !ok {
		return
	}
	keep := float32(1)
	if class&dimStroke != 0 {
		keep = dimmed
	}
	level := min(x1-x0, y1-y0) < thin
	profile := func(x, a, b float64) float32 {
		if level {
			return p.mean(b - a)
		}
		return p.cushion.relief(x, a, b)
	}
	for r := ra; r < rb; r++ {
		bow := profile(float64(r)+0.5, y0, y1)
		row := p.tops[(r-p.r0)*p.w : (r-p.r0+1)*p.w]
		for x := a; x < b; x++ {
			if id+1 <= row[x].id {
				continue
			}
			light := p.edge + (1-p.edge)*profile(float64(x)+0.5, x0, x1)*bow
			if p.colors.class == nil {
				row[x] = top{id + 1, p.amount(amount, light, keep)}
				continue
			}
			col := &p.shades[class]
			row[x] = top{id + 1, [3]float32{col[3] * light, col[4] * light, col[5] * light}}
		}
	}
}

// resolveTops turns one row into pixels and leaves it empty.
func (p *painter) resolveTops(y int, row []top) {
	pix := p.out.Pix[y*p.out.Stride : y*p.out.Stride+4*p.w]
	for x := range row {
		now := [4]uint8{p.back.R, p.back.G, p.back.B, 255}
		if t := &row[x]; t.id > 0 {
			now = [4]uint8{toSRGB(t.tone[0]), toSRGB(t.tone[1]), toSRGB(t.tone[2]), 255}
			*t = top{}
		}
		copy(pix[4*x:], now[:])
	}
}
