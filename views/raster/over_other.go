//go:build !amd64

package raster

// over is overAny.
func over(below, above []uint8) { overAny(below, above) }
