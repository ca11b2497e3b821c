package heap

import (
	"context"

	"orrery/traceio"
)

// Analyze builds the heap from a log in order of time. end is the number of data references in the recording, 0 for one
// that has none and counts its events instead; prog names the stacks and may be nil. Errors in the log are counted and
// listed (Heap.Errors), never fatal; the only error is ctx's. report is told events and may be nil.
func Analyze(ctx context.Context, allocs []traceio.Alloc, end traceio.Seq, prog *traceio.Program, report func(done, total int64)) (*Heap, error) {
	blocks := 0
	for i := range allocs {
		if allocs[i].Op != traceio.Free {
			blocks++
		}
	}
	b := NewBuilder(blocks, len(allocs)-blocks)
	b.references(end, len(allocs))
	for i := 0; i < len(allocs); i += 1 << 12 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if report != nil {
			report(int64(i), int64(len(allocs)))
		}
		b.Add(allocs[i:min(i+1<<12, len(allocs))])
	}
	h := b.Heap(prog)
	if report != nil {
		report(int64(len(allocs)), int64(len(allocs)))
	}
	return h, ctx.Err()
}
