package raster

import "unsafe"

// shine lays the light over the row, four pixels at a time.
func shine(l *light) {
	fours := l.n &^ 3
	if fours > 0 {
		rest := *l
		l.n = fours
		shineFours(l)
		if rest.n -= fours; rest.n == 0 {
			return
		}
		*l = rest
		l.pix, l.dx = (*uint8)(unsafe.Add(unsafe.Pointer(l.pix), 4*fours)), l.dx+float32(fours)
	}
	shineAny(l)
}

// shineFours is shineAny for whole fours.
//
//go:noescape
func shineFours(l *light)
