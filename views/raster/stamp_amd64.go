package raster

// lay is layAny for rows of whole fours: four pixels at a time. It writes all of them, also those that are not covered.
func lay(pix []uint8, stride int, coverage []uint16, across int, word, opacity uint32) {
	if rows := len(coverage) / across; rows > 0 {
		_ = pix[(rows-1)*stride+4*across-1]
		layFours(&pix[0], stride, &coverage[0], across/4, rows, word, opacity)
	}
}

// layFours has in each row so many fours of pixels.
//
//go:noescape
func layFours(pix *uint8, stride int, coverage *uint16, fours, rows int, word, opacity uint32)
