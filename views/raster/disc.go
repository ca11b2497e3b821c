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
	stamps := newStamps(d, c.scale)
	c.bands(work, func(rows image.Rectangle) {
		b := newDiscBand(c.im, rows)
		b.stamps = stamps
		top, bottom := float64(rows.Min.Y), float64(rows.Max.Y)
		for i, p := range d.Centers {
			y, r := p.Y*c.scale, pick(d.Radii, i)*c.scale
			if y+r <= top-1 || y-r >= bottom+1 {
				continue
			}
			x, k := p.X*c.scale, inkOf(pick(d.Colors, i))
			if !b.stamp(x, y, r, k) {
				b.disc(x, y, r, k)
			}
		}
	})
}

// discBand draws discs on some rows of the picture.
type discBand struct {
	im     *image.RGBA
	rows   image.Rectangle
	steps  []float32 // coverage of one row as differences between neighbours; zero between uses
	stamps *stamps   // of the sizes that are frequent
}

func newDiscBand(im *image.RGBA, rows image.Rectangle) discBand {
	return discBand{im: im, rows: rows, steps: make([]float32, rows.Dx()+3)}
}

// disc adds coverage slab by slab: a slab from x0 to x1 raises coverage at x0 and lowers it at x1, each step shared
// between two pixels by where it falls; the running sum is the exact share of each pixel that the slab covers.
func (b *discBand) disc(cx, cy, r float64, k ink) {
	if !(r > 0) || !finite(cx, cy, r) || k.a == 0 {
		return
	}
	cx, cy, r = tame(cx), tame(cy), tame(r)
	left, right := float64(b.rows.Min.X), float64(b.rows.Max.X)
	if cx+r <= left || cx-r >= right || cy+r <= float64(b.rows.Min.Y) || cy-r >= float64(b.rows.Max.Y) {
		return
	}
	y0 := int(max(math.Floor(cy-r), float64(b.rows.Min.Y)))
	y1 := int(min(math.Ceil(cy+r), float64(b.rows.Max.Y)))
	var slabs [2 * slices]slab
	for y := y0; y < y1; y++ {
		n := cut(&slabs, float64(y), cy, r)
		first, last := len(b.steps), 0
		from, to := 0, len(b.steps) // the pixels between lie in every slab
		for _, slab := range slabs[:n] {
			dy, height := slab.dy, slab.height
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
			from, to = max(from, i0+2), min(to, i1)
		}
		if first <= last {
			if to-from < 4 {
				from, to = last+1, last+1
			}
			b.row(y, first, last, from, to, k)
		}
	}
}

// slab is a part of a row: where its width is taken, relative to the centre, and its height.
type slab struct{ dy, height float64 }

// cut divides the part of the disc in the row of pixels that begins at y and returns the number of slabs. Towards a
// pole the width falls as a square root, so slabs there grow with the square of the distance from the pole, which makes
// what is summed smooth; a row with both poles is cut at the centre.
func cut(out *[2 * slices]slab, y, cy, r float64) int {
	top, bottom := y-cy, y+1-cy
	north, south := top <= -r, bottom >= r
	switch {
	case north && south:
		pole(out[:slices], -r, r)
		pole(out[slices:], r, -r)
		return 2 * slices
	case north:
		pole(out[:slices], -r, bottom+r)
	case south:
		pole(out[:slices], r, top-r)
	default:
		for i := range slices {
			out[i] = slab{top + (float64(i)+0.5)/slices, 1.0 / slices}
		}
	}
	return slices
}

// pole cuts the stretch from the pole at dy on by length (negative: upward).
func pole(out []slab, dy, length float64) {
	for i := range out {
		s := (float64(i) + 0.5) / slices
		out[i] = slab{dy + length*s*s, max(0, math.Abs(length)*2*s/slices)}
	}
}

// row blends the pixels from first to last; those in [from, to) have all the same coverage.
func (b *discBand) row(y, first, last, from, to int, k ink) {
	pix := b.im.Pix[b.im.PixOffset(b.rows.Min.X, y):]
	sum := float32(0)
	width := b.rows.Dx()
	for x := first; x <= last; x++ {
		sum += b.steps[x]
		b.steps[x] = 0
		if x == from {
			k.span(pix[4*from:4*to], min(sum, 1))
			x = to - 1
			continue
		}
		if sum > 1.0/512 && x < width {
			k.blend(pix[4*x:4*x+4:4*x+4], min(sum, 1))
		}
	}
	b.steps[last+1] = 0
}

// span blends a row of pixels, all with the same coverage.
func (k ink) span(pix []uint8, coverage float32) {
	if coverage > 1-1.0/512 && k.a == 65536 {
		pix[0], pix[1], pix[2], pix[3] = uint8(k.r), uint8(k.g), uint8(k.b), 255
		for n := 4; n < len(pix); n *= 2 {
			copy(pix[n:], pix[:n])
		}
		return
	}
	for ; len(pix) > 0; pix = pix[4:] {
		k.blend(pix, coverage)
	}
}
