package raster

import (
	"image"
	"math"

	"orrery/views/scene"
)

// slices is into how many thin slabs the part of a disc in one row of pixels is cut. Each slab's extent is exact in x,
// so this bounds the error of a pixel's coverage (see the twin test).
const slices = 4

func (c *canvas) discs(d scene.Discs) {
	if len(d.Radii) == 0 || len(d.Colors) == 0 {
		return
	}
	work := 0
	for i := range d.Centers {
		if r := pick(d.Radii, i) * c.scale; r > 0 && r < maxSide {
			work += int(r*r) + 4
		}
	}
	c.bands(work, func(rows image.Rectangle) {
		b := discBand{im: c.im, rows: rows, steps: make([]float32, rows.Dx()+3)}
		for i, p := range d.Centers {
			b.disc(p.X*c.scale, p.Y*c.scale, pick(d.Radii, i)*c.scale, inkOf(pick(d.Colors, i)))
		}
	})
}

type discBand struct {
	im    *image.RGBA
	rows  image.Rectangle
	steps []float32 // coverage of one row as differences between neighbours; zero between uses
}

// disc adds coverage slab by slab: a slab from x0 to x1 raises coverage at x0 and lowers it at x1, each step shared
// between two pixels by where it falls; the running sum is the exact share of each pixel that the slab covers.
func (b *discBand) disc(cx, cy, r float64, k ink) {
	if !(r > 0) || !finite(cx, cy, r) || k.a == 0 {
		return
	}
	left, right := float64(b.rows.Min.X), float64(b.rows.Max.X)
	if cx+r <= left || cx-r >= right || cy+r <= float64(b.rows.Min.Y) || cy-r >= float64(b.rows.Max.Y) {
		return
	}
	y0 := int(max(math.Floor(cy-r), float64(b.rows.Min.Y)))
	y1 := int(min(math.Ceil(cy+r), float64(b.rows.Max.Y)))
	for y := y0; y < y1; y++ {
		top, bottom := max(float64(y), cy-r), min(float64(y+1), cy+r)
		height := (bottom - top) / slices
		if height <= 0 {
			continue
		}
		first, last := len(b.steps), 0
		for i := range slices {
			dy := top + (float64(i)+0.5)*height - cy
			half := math.Sqrt(max(0, r*r-dy*dy))
			x0, x1 := max(cx-half, left)-left, min(cx+half, right)-left
			if x1 <= x0 {
				continue
			}
			i0, i1 := int(x0), int(x1)
			f0, f1 := float32((x0-float64(i0))*height), float32((x1-float64(i1))*height)
			h := float32(height)
			b.steps[i0] += h - f0
			b.steps[i0+1] += f0
			b.steps[i1] -= h - f1
			b.steps[i1+1] -= f1
			first, last = min(first, i0), max(last, i1)
		}
		if first <= last {
			b.row(y, first, last, k)
		}
	}
}

func (b *discBand) row(y, first, last int, k ink) {
	at := b.im.PixOffset(b.rows.Min.X+first, y)
	sum := float32(0)
	width := b.rows.Dx()
	for x := first; x <= last; x++ {
		sum += b.steps[x]
		b.steps[x] = 0
		if x < width {
			if sum > 1.0/512 {
				k.blend(b.im.Pix[at:at+4:at+4], min(sum, 1))
			}
			at += 4
		}
	}
	b.steps[last+1] = 0
}
