package raster

import "encoding/binary"

// row lays the ink over a row of pixels that are all covered to the same share, in 1/65535.
func (b *brush) row(pix []uint8, cover uint32) {
	a := uint32((uint64(b.opacity)*uint64(cover) + 1<<23) >> 24)
	b.span(pix, a)
}

// span lays the ink over a row of pixels, to a share of a/256: channels are lanes of 16 bits, which
// channel (256-a) + ink a + 128 never leaves, so that two pixels are mixed by two multiplications.
func (b *brush) span(pix []uint8, a uint32) {
	const lanes, half = 0x00ff00ff_00ff00ff, 0x00800080_00800080
	if a >= 256 {
		fill(pix, b.word())
		return
	}
	twice := func(v uint32) uint64 { return uint64(v) | uint64(v)<<32 }
	rest, even, odd := uint64(256-a), twice(b.even*a)+half, twice(b.odd*a)+half
	for ; len(pix) >= 8; pix = pix[8:] {
		was := binary.LittleEndian.Uint64(pix)
		was = ((was&lanes)*rest+even)>>8&lanes | ((was>>8&lanes)*rest+odd)&(lanes<<8)
		binary.LittleEndian.PutUint64(pix, was)
	}
	if len(pix) >= 4 {
		was := uint64(binary.LittleEndian.Uint32(pix))
		was = ((was&lanes)*rest+even)>>8&lanes | ((was>>8&lanes)*rest+odd)&(lanes<<8)
		binary.LittleEndian.PutUint32(pix, uint32(was))
	}
}

// fill makes all pixels of a row one word.
func fill(pix []uint8, word uint32) {
	if len(pix) < 4 {
		return
	}
	binary.LittleEndian.PutUint32(pix, word)
	for n := 4; n < len(pix); n *= 2 {
		copy(pix[n:], pix[:n])
	}
}

// word is the ink as a pixel has it in memory.
func (b *brush) word() uint32 { return b.even | b.odd<<8 }
