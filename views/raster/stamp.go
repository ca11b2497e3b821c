package raster

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"sync/atomic"

	"orrery/views/scene"
)

// Small discs of few different sizes come by the ten thousand: glyphs and the dots of a curve. Such a disc is drawn as
// a stamp, the coverage of its pixels, which is computed once for each size and each position within a pixel.
const (
	phases   = 16              // positions within a pixel, along x and along y: a disc moves by 1/32 of a pixel at most
	sizes    = 64              // radii in a pixel; a radius changes by 1/128 of a pixel at most
	largest  = 6               // radius in pixels; the stamps of larger ones would not stay in the processor's cache
	repeated = phases * phases // so many discs of a size are worth stamps, which the next frame needs, too
)

// stamp is the coverage, 0..256, of the box of pixels that a disc touches, row by row. Rows are made up to whole fours
// with pixels that are not covered.
type stamp struct {
	left, top  int // of the box, from the pixel that the disc's centre lies in
	wide, rows int
	across     int // wide, made up
	coverage   []uint16
}

// stamps are those that one shape's discs use, by size and then by position.
type stamps [largest*sizes + 1]*positions

// positions are the stamps of one size. Bands that need the same stamp at the same time both make it, and make the
// same.
type positions [phases * phases]atomic.Pointer[stamp]

// stampCache keeps every stamp that was ever needed, since they depend on nothing: frames follow each other, and the
// sizes of their discs are the same. All together would be some 15 MB.
var stampCache [largest*sizes + 1]atomic.Pointer[positions]

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
		stampCache[size].CompareAndSwap(nil, new(positions))
		out[size] = stampCache[size].Load()
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
	side := 2*half + 1
	im := image.NewRGBA(image.Rect(0, 0, side, side))
	b := newDiscBand(im, im.Rect)
	b.disc(float64(half)+float64(phase%phases)/phases, float64(half)+float64(phase/phases)/phases, r,
		inkOf(color.NRGBA{255, 255, 255, 255}))
	out := newStamp(im, half)
	at.Store(out)
	return out
}

// newStamp is the stamp of a white disc whose centre lies in the pixel at middle, middle.
func newStamp(im *image.RGBA, middle int) *stamp {
	var box image.Rectangle
	for y := range im.Rect.Dy() {
		for x := range im.Rect.Dx() {
			if im.Pix[im.PixOffset(x, y)+3] > 0 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	s := &stamp{left: box.Min.X - middle, top: box.Min.Y - middle, wide: box.Dx(), rows: box.Dy(),
		across: (box.Dx() + 3) &^ 3}
	s.coverage = make([]uint16, s.across*s.rows)
	for y := range s.rows {
		for x := range s.wide {
			c := uint16(im.Pix[im.PixOffset(box.Min.X+x, box.Min.Y+y)+3])
			s.coverage[y*s.across+x] = c + c>>7
		}
	}
	return s
}

// stamp draws a disc by its stamp, false if it has none.
func (b *discBand) stamp(cx, cy, r float64, k ink) bool {
	size := sizeOf(r)
	if b.stamps == nil || b.stamps[size] == nil || !(math.Abs(cx) < maxSide) || !(math.Abs(cy) < maxSide) {
		return false
	}
	const far = maxSide * phases // makes them positive, so that cutting off rounds down
	x, y := int(cx*phases+(far+0.5))-far, int(cy*phases+(far+0.5))-far
	s := b.stamps.get(size, (y&(phases-1))*phases+x&(phases-1))
	left, top := x>>4+s.left, y>>4+s.top
	y0, y1 := max(top, b.rows.Min.Y), min(top+s.rows, b.rows.Max.Y)
	if y0 >= y1 {
		return true
	}
	coverage := s.coverage[(y0-top)*s.across : (y1-top)*s.across]
	if left >= b.rows.Min.X && left+s.across <= b.rows.Max.X {
		lay(b.im.Pix[b.im.PixOffset(left, y0):], b.im.Stride, coverage, s.across, k.word(), k.opacity())
		return true
	}
	from, to := max(0, b.rows.Min.X-left), min(s.wide, b.rows.Max.X-left)
	for row := y0; row < y1 && from < to; row++ {
		layAny(b.im.Pix[b.im.PixOffset(left+from, row):], b.im.Stride, coverage[from:to], to-from, k.word(), k.opacity())
		coverage = coverage[min(s.across, len(coverage)):]
	}
	return true
}

// word is the ink's channels as a pixel has them in memory.
func (k ink) word() uint32 { return k.r | k.g<<8 | k.b<<16 | 255<<24 }

// opacity is the ink's, 0..opaque.
func (k ink) opacity() uint32 { return uint32(k.a/2 + 0.5) }

// opaque is an opacity. Its halves are numbers of 16 bits with a sign, which is what lay multiplies.
const opaque = 1 << 15

// layAny lays ink over rows of pixels, as many across as there are in a row of the coverage. The first row begins with
// pix, the next ones stride bytes after the one before. The four channels of a pixel are blended at once, each in 16
// bits of a word; what is left of opacity and coverage together are 8 bits.
func layAny(pix []uint8, stride int, coverage []uint16, across int, word, opacity uint32) {
	const low, half = 0x00ff00ff00ff00ff, 0x0080008000800080
	lanes := spread(word)
	for y := 0; len(coverage) > 0; y++ {
		row := pix[y*stride:][:4*across]
		for x, c := range coverage[:across] {
			a := uint64(opacity*uint32(c)+opaque/2) / opaque
			if a == 0 {
				continue
			}
			p := row[4*x : 4*x+4 : 4*x+4]
			v := (spread(binary.LittleEndian.Uint32(p))*(256-a) + lanes*a + half) >> 8 & low
			v |= v >> 8
			binary.LittleEndian.PutUint32(p, uint32(v&0xffff|v>>16&0xffff0000))
		}
		coverage = coverage[across:]
	}
}

// spread moves the four bytes of a word apart, 16 bits from one to the next.
func spread(word uint32) uint64 {
	x := uint64(word)
	x = (x | x<<16) & 0x0000ffff0000ffff
	return (x | x<<8) & 0x00ff00ff00ff00ff
}
