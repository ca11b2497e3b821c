package store

import (
	"io"
	"slices"
	"sort"

	"orrery/traceio"
)

// Extent is the end of logical time: Len where there are data references. A recording without any, such as a log of
// allocations, counts its allocator events instead: event i has Seq i, and Extent is their number.
func (r *Recording) Extent() traceio.Seq {
	if n := r.Len(); n > 0 {
		return n
	}
	return traceio.Seq(r.allocs.n)
}

// numberEvents gives the events of a recording without data references their Seq: allocator events are numbered, a mark
// comes before the first event that is not older. It changes copies where earlier prefixes share the marks. It also
// counts the threads that have only events.
func (r *Recording) numberEvents(shared bool) *Recording {
	r.counts.Threads = max(r.counts.Threads, r.allocs.threads())
	if r.Len() > 0 || r.allocs.n == 0 {
		return r
	}
	if shared {
		r.marks = slices.Clone(r.marks)
	}
	r.allocs.numbered = true
	at := 0
	for i := range r.marks {
		for at < r.allocs.n && r.allocs.at(at).Ticks < r.marks[i].Ticks {
			at++
		}
		r.marks[i].Seq = traceio.Seq(at)
	}
	return r
}

// eventSource yields the events [at, to) of a recording without references in blocks of at most MaxBlock.
type eventSource struct {
	r      *Recording
	at, to traceio.Seq
	marks  []traceio.Mark
}

func newEventSource(r *Recording, from, to traceio.Seq) *eventSource {
	end := r.Extent()
	s := &eventSource{r: r, at: min(from, end), to: min(to, end)}
	low := sort.Search(len(r.marks), func(i int) bool { return r.marks[i].Seq >= from })
	high := sort.Search(len(r.marks), func(i int) bool { return r.marks[i].Seq >= s.to && to < end })
	s.marks = r.marks[low:max(low, high)]
	return s
}

// Next is traceio.Source's. The events keep their numbers, though no block has references.
func (s *eventSource) Next(b *traceio.Block) error {
	b.Reset(0)
	if s.at >= s.to && len(s.marks) == 0 {
		return io.EOF
	}
	next := max(s.at, min(s.at+traceio.MaxBlock, s.to))
	b.Allocs = s.r.allocs.read(b.Allocs, int(s.at), int(next))
	n := len(s.marks)
	if next < s.to {
		n = sort.Search(n, func(i int) bool { return s.marks[i].Seq >= next })
	}
	b.Marks = append(b.Marks, s.marks[:n]...)
	s.at, s.marks = next, s.marks[n:]
	if n := len(b.Allocs); n > 0 {
		b.Start, b.End = b.Allocs[0].Ticks, b.Allocs[n-1].Ticks
	}
	return nil
}

// Loss is traceio.Source's.
func (s *eventSource) Loss() []traceio.Loss { return s.r.Loss() }

// Program is traceio.Source's.
func (s *eventSource) Program() *traceio.Program { return s.r.prog }
