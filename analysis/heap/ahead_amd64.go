package heap

import (
	"unsafe"

	"orrery/traceio"
)

// findKnown is findKnownAny, and has the pages and what stands there fetched.
//
//go:noescape
func findKnown(l *live, events []traceio.Alloc, spots []spot) (found int)

// fetchBlocks fetches the blocks that stand at spots, of each of which eight bytes are at its number times 8 from
// blocks on. Nothing waits for them.
//
//go:noescape
func fetchBlocks(l *live, spots []spot, blocks unsafe.Pointer)

// What the assembly has to know of an event.
const (
	allocAddr  = unsafe.Offsetof(traceio.Alloc{}.Addr)
	allocBytes = unsafe.Sizeof(traceio.Alloc{})
)

// What it multiplies by, and a word that it reads two fields from at once.
var (
	_ [16]struct{} = [unsafe.Sizeof(nearChunk{})]struct{}{}
	_ [8]struct{}  = [unsafe.Sizeof(place{})]struct{}{}
	_ [0]struct{}  = [unsafe.Offsetof(place{}.page)]struct{}{}
	_ [4]struct{}  = [unsafe.Offsetof(place{}.ids)]struct{}{}
	_ [4]struct{}  = [unsafe.Sizeof(live{}.ids[0])]struct{}{}
)
