//go:build !amd64

package raster

// span is spanAny.
func (b *brush) span(pix []uint8, a uint32) { b.spanAny(pix, a) }
