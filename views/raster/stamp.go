package raster

import (
	"encoding/binary"
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
	rows     [2*largest + 1]struct{ from, to uint8 } // of each the pixels that are covered at all
}

// stamps are those that one shape's discs use, by size and then by position.
type stamps [largest*sizes + 1]*positions

// positions are the stamps of one size. Bands that need the same stamp at the same time both make it, and make the same.
type positions [phases * phases]atomic.Pointer[stamp]

// made remembers every stamp that was ever needed, for they depend on nothing: frames follow each other, and the sizes of
// their discs are the same. All together would be some 15 MB.
var made [largest*sizes + 1]atomic.Pointer[positions]

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
		made[size].CompareAndSwap(nil, new(positions))
		out[size] = made[size].Load()
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
		if out.coverage[i] = im.Pix[4*i+3]; out.coverage[i] > 0 {
			row, x := &out.rows[i/out.side], uint8(i%out.side)
			if row.to == 0 {
				row.from = x
			}
			row.to = x + 1
		}
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
		covered := &s.rows[row-top]
		from, to := max(int(covered.from), x0-left), min(int(covered.to), x1-left)
		if from >= to {
			continue
		}
		coverage := s.coverage[(row-top)*side+from : (row-top)*side+to]
		at := b.im.PixOffset(left+from, row)
		k.cover(b.im.Pix[at:at+4*len(coverage)], coverage, opacity)
	}
	return true
}

// cover lays the ink over a row of pixels, with coverage in 1/255 and opacity in 1/65536. The four channels of a pixel are
// blended at once, each in 16 bits of a word; what is left of opacity and coverage together are 8 bits.
func (k ink) cover(pix, coverage []uint8, opacity uint32) {
	const low, half = 0x00ff00ff00ff00ff, 0x0080008000800080
	word := k.r | k.g<<8 | k.b<<16 | 255<<24
	lanes := spread(word)
	for i, c := range coverage {
		a := uint64(opacity*(uint32(c)+uint32(c)>>7)+32768) >> 16
		if a == 0 {
			continue
		}
		p := pix[4*i : 4*i+4 : 4*i+4]
		if a == 256 {
			binary.LittleEndian.PutUint32(p, word)
			continue
		}
		x := (spread(binary.LittleEndian.Uint32(p))*(256-a) + lanes*a + half) >> 8 & low
		x |= x >> 8
		binary.LittleEndian.PutUint32(p, uint32(x&0xffff|x>>16&0xffff0000))
	}
}

// spread moves the four bytes of a word apart, 16 bits from one to the next.
func spread(word uint32) uint64 {
	x := uint64(word)
	x = (x | x<<16) & 0x0000ffff0000ffff
	return (x | x<<8) & 0x00ff00ff00ff00ff
}
