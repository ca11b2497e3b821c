package heap

import (
	"context"

	"orrery/traceio"
)

// Analyze builds the heap from a log in order of time. end is the number of data references in the recording, 0 for one
// that has none and counts its events instead; prog names the stacks and may be nil. Errors in the log are counted and
// listed (Heap.Errors), never fatal; the only error is ctx's. report is told events and may be nil.
func Analyze(ctx context.Context, allocs []traceio.Alloc, end traceio.Seq, prog *traceio.Program,
	report func(done, total int64)) (*Heap, error) {
	return AnalyzeLog(ctx, events(allocs), end, prog, report)
}

// Log is allocator events in order of time, of which not all need be in memory at once.
type Log interface {
	AllocCount() (mallocs, frees int)
	EachAlloc(f func([]traceio.Alloc) error) error // piece by piece, until f fails
}

// AnalyzeLog is Analyze for a log that comes piece by piece.
func AnalyzeLog(ctx context.Context, log Log, end traceio.Seq, prog *traceio.Program,
	report func(done, total int64)) (*Heap, error) {
	mallocs, frees := log.AllocCount()
	b := NewBuilder(mallocs, frees)
	b.references(end, mallocs+frees)
	err := log.EachAlloc(func(piece []traceio.Alloc) error {
		if report != nil {
			report(int64(b.h.Len()), int64(mallocs+frees))
		}
		b.Add(piece)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	h := b.Heap(prog)
	if report != nil {
		report(int64(h.Len()), int64(h.Len()))
	}
	return h, ctx.Err()
}

// events is a Log that is in memory.
type events []traceio.Alloc

func (l events) AllocCount() (mallocs, frees int) {
	for i := range l {
		if l[i].Op == traceio.Free {
			frees++
		}
	}
	return len(l) - frees, frees
}

func (l events) EachAlloc(f func([]traceio.Alloc) error) error {
	for len(l) > 0 {
		n := min(mostAhead, len(l))
		if err := f(l[:n]); err != nil {
			return err
		}
		l = l[n:]
	}
	return nil
}
