package raster

import (
	"image"
	"image/color"
	"math"
	"sync/atomic"

	"orrery/views/scene"
)

// Small discs of few different sizes come by the ten thousand: glyphs and the dots of a curve. Such a disc is drawn as a
// stamp, the coverage of its pixels, which is computed once for each size and each position within a pixel.
const (
	phases   = 16                  // positions within a pixel, along x and along y: a disc moves by 1/32 of a pixel at most
	sizes    = 64                  // radii in a pixel; a radius changes by 1/128 of a pixel at most
	largest  = 6                   // radius in pixels; the stamps of larger ones would not stay in the processor's cache
	repeated = 4 * phases * phases // so many discs of a size are worth stamps
)

// stamp is the coverage of side x side pixels, 0..255, row by row; the disc's centre lies in the middle one.
type stamp struct {
	side     int
	coverage []uint8
}

// stamps are those of one shape's discs, by size and then by position. Bands that need the same stamp at the same time
// both make it, and make the same.
type stamps [largest*sizes + 1]*[phases * phases]atomic.Pointer[stamp]

// sizeOf is the nearest of the sizes, 0 for those that have no stamps.
func sizeOf(r float64) int {
	if !(r > 0) || r > largest {
		return 0
	}
	return int(r*sizes + 0.5)
}

// newStamps prepares stamps for the sizes that are worth them; nil if none is.
func newStamps(d scene.Discs, scale float64) *stamps {
	if len(d.Centers) < repeated {
		return nil
	}
	var counts [largest*sizes + 1]int
	for i := range d.Centers {
		counts[sizeOf(pick(d.Radii, i)*scale)]++
	}
	var out *stamps
	for size, n := range counts {
		if size == 0 || n < repeated {
			continue
		}
		if out == nil {
			out = new(stamps)
		}
		out[size] = new([phases * phases]atomic.Pointer[stamp])
	}
	return out
}

// get is the stamp of a size at a position, made when first needed.
func (s *stamps) get(size, phase int) *stamp {
	at := &s[size][phase]
	if out := at.Load(); out != nil {
		return out
	}
	r := float64(size) / sizes
	half := int(math.Ceil(r))
	out := &stamp{side: 2*half + 1}
	im := image.NewRGBA(image.Rect(0, 0, out.side, out.side))
	b := newDiscBand(im, im.Rect)
	b.disc(float64(half)+float64(phase%phases)/phases, float64(half)+float64(phase/phases)/phases, r, inkOf(color.NRGBA{255, 255, 255, 255}))
	out.coverage = make([]uint8, out.side*out.side)
	for i := range out.coverage {
		out.coverage[i] = im.Pix[4*i+3]
	}
	at.Store(out)
	return out
}

// stamp draws a disc by its stamp, false if it has none.
func (b *discBand) stamp(cx, cy, r float64, k ink) bool {
	size := sizeOf(r)
	if b.stamps == nil || b.stamps[size] == nil || !(math.Abs(cx) < maxSide) || !(math.Abs(cy) < maxSide) {
		return false
	}
	x, y := int(math.Floor(cx*phases+0.5)), int(math.Floor(cy*phases+0.5))
	half := (size + sizes - 1) / sizes
	left, top := x>>4-half, y>>4-half
	side := 2*half + 1
	x0, x1 := max(left, b.rows.Min.X), min(left+side, b.rows.Max.X)
	y0, y1 := max(top, b.rows.Min.Y), min(top+side, b.rows.Max.Y)
	if x0 >= x1 || y0 >= y1 {
		return true
	}
	s := b.stamps.get(size, (y&(phases-1))*phases+x&(phases-1))
	opacity := uint32(k.a + 0.5)
	for row := y0; row < y1; row++ {
		coverage := s.coverage[(row-top)*side+x0-left : (row-top)*side+x1-left]
		at := b.im.PixOffset(x0, row)
		k.cover(b.im.Pix[at:at+4*len(coverage)], coverage, opacity)
	}
	return true
}

// cover lays the ink over a row of pixels, as blend does, with coverage in 1/255.
func (k ink) cover(pix, coverage []uint8, opacity uint32) {
	for i, c := range coverage {
		if c == 0 {
			continue
		}
		a := opacity * (uint32(c) + uint32(c)>>7) >> 8
		rest := 65536 - a
		p := pix[4*i : 4*i+4 : 4*i+4]
		p[0] = uint8((uint32(p[0])*rest + k.r*a + 32768) >> 16)
		p[1] = uint8((uint32(p[1])*rest + k.g*a + 32768) >> 16)
		p[2] = uint8((uint32(p[2])*rest + k.b*a + 32768) >> 16)
		if p[3] != 255 {
			p[3] = uint8((uint32(p[3])*rest + 255*a + 32768) >> 16)
		}
	}
}
