package raster

// over is overAny, four pixels at a time.
func over(below, above []uint8) {
	below = below[:len(above)]
	fours := len(above) / 16
	if fours > 0 {
		overFours(&below[0], &above[0], fours)
	}
	overAny(below[16*fours:], above[16*fours:])
}

// overFours takes so many fours of pixels, at least one.
//
//go:noescape
func overFours(below, above *uint8, fours int)
