package raster

// span is spanAny, four pixels at a time.
func (b *brush) span(pix []uint8, a uint32) {
	fours := len(pix) / 16
	if fours > 0 {
		spanFours(&pix[0], fours, b.word(), a)
	}
	b.spanAny(pix[16*fours:], a)
}

//go:noescape
func spanFours(pix *uint8, fours int, word, a uint32)
