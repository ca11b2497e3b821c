//go:build !amd64

package raster

// shine lays the light over the row.
func shine(l *light) { shineAny(l) }
