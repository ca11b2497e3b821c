package heap

import "unsafe"

// fetch brings what stands at each of the offsets from base close to the processor, and does not wait for it. What the
// offsets point to need not be there.
//
//go:noescape
func fetch(base unsafe.Pointer, offsets *[group]uint64)
