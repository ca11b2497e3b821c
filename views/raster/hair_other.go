//go:build !amd64

package raster

import "math"

// byFour paints the strip, a flat one four columns at a time where the processor can.
func (s *strip) byFour(pix []uint8, stride int, flat bool) {
	major, minorStep := 4, stride
	if !flat {
		major, minorStep = stride, 4
	}
	s.each(pix, major, minorStep, math.MinInt32, math.MaxInt32)
}
