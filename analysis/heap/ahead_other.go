//go:build !amd64

package heap

import (
	"unsafe"

	"orrery/traceio"
)

func findKnown(l *live, events []traceio.Alloc, spots []spot) (found int) {
	return findKnownAny(l, events, spots)
}

// fetchBlocks could bring blocks close to the processor; nothing depends on it.
func fetchBlocks(*live, []spot, unsafe.Pointer) {}
