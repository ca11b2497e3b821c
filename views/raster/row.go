package raster

import "encoding/binary"

// row lays the ink over a row of pixels that are all covered to the same share, in 1/65535.
func (b *brush) row(pix []uint8, cover uint32) {
	a := uint32((uint64(b.opacity)*uint64(cover) + 1<<23) >> 24)
	b.span(pix, a)
}

// spanAny lays the ink over a row of pixels, to a share of a/256.
func (b *brush) spanAny(pix []uint8, a uint32) {
	const lanes, half = 0x00ff00ff, 0x00800080
	rest, even, odd := 256-a, b.even*a+half, b.odd*a+half
	for ; len(pix) >= 4; pix = pix[4:] {
		was := binary.LittleEndian.Uint32(pix)
		was = ((was&lanes)*rest+even)>>8&lanes | ((was>>8&lanes)*rest+odd)&(lanes<<8)
		binary.LittleEndian.PutUint32(pix, was)
	}
}

// word is the ink as a pixel has it in memory.
func (b *brush) word() uint32 { return b.even | b.odd<<8 }
