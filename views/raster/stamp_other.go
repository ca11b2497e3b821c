//go:build !amd64

package raster

// lay is layAny for rows of whole fours.
func lay(pix []uint8, stride int, coverage []uint16, across int, word, opacity uint32) {
	layAny(pix, stride, coverage, across, word, opacity)
}
