package store

import (
	"io"
	"sort"

	"orrery/traceio"
)

// Source yields the part [from, to) of the recording; to beyond the end means the end. A fetch, an allocation or a mark
// belongs to the data reference that follows it; what follows the last one belongs to the part that ends at Len. In a
// recording without references and fetches the part is one of its events (see Extent).
func (r *Recording) Source(from, to traceio.Seq) traceio.Source {
	if r.Len() == 0 && r.counts.Fetches == 0 {
		return newEventSource(r, from, to)
	}
	s := &part{r: r, from: from, to: to}
	if to >= r.Len() {
		s.to = ^traceio.Seq(0)
	}
	if from == 0 {
		return s
	}
	// Fetches that belong to from may stand at the end of the block before.
	s.block = r.Find(from)
	for s.block > 0 && r.summaries[s.block-1].Fetches > 0 {
		first, end := r.Span(s.block - 1)
		if end != from {
			break
		}
		s.block--
		if first < end {
			break
		}
	}
	return s
}

// part is a Source over a range of a Recording.
type part struct {
	r        *Recording
	from, to traceio.Seq
	block    int // next
}

func (s *part) Next(b *traceio.Block) error {
	for s.block < s.r.Blocks() {
		i := s.block
		first, end := s.r.Span(i)
		if first >= s.to {
			break
		}
		s.block++
		if cached := s.r.cache.peek(i); cached != nil {
			copyBlock(b, cached)
		} else if err := s.r.decode(i, b); err != nil {
			return err
		}
		if s.from > first || s.to <= end {
			trim(b, s.from, s.to)
		}
		upper := min(end, s.to)
		if i == s.r.Blocks()-1 {
			upper = s.to
		}
		s.events(b, max(first, s.from), upper)
		if b.Len() > 0 || len(b.Allocs)+len(b.Marks) > 0 {
			return nil
		}
	}
	b.Reset(min(s.to, s.r.Len()))
	return io.EOF
}

// Loss is traceio.Source's.
func (s *part) Loss() []traceio.Loss { return s.r.Loss() }

// Program is traceio.Source's.
func (s *part) Program() *traceio.Program { return s.r.prog }

// events gives b the events with Seq in [from, to), wherever the blocks of the file keep them.
func (s *part) events(b *traceio.Block, from, to traceio.Seq) {
	b.Allocs, b.Marks = b.Allocs[:0], b.Marks[:0]
	all := &s.r.allocs
	first := sort.Search(all.n, func(i int) bool { return all.at(i).Seq >= from })
	end := first + sort.Search(all.n-first, func(i int) bool { return all.at(first+i).Seq >= to })
	b.Allocs = all.read(b.Allocs, first, end)
	marks := s.r.marks
	for i := sort.Search(len(marks), func(i int) bool { return marks[i].Seq >= from }); i < len(marks) &&
		marks[i].Seq < to; i++ {
		b.Marks = append(b.Marks, marks[i])
	}
}

func copyBlock(dst, src *traceio.Block) {
	dst.Reset(src.First)
	dst.Addr, dst.PC = append(dst.Addr, src.Addr...), append(dst.PC, src.PC...)
	dst.Size, dst.Kind = append(dst.Size, src.Size...), append(dst.Kind, src.Kind...)
	dst.Thread = append(dst.Thread, src.Thread...)
	dst.Fetches, dst.Start, dst.End = src.Fetches, src.Start, src.End
}

// trim keeps the rows of b whose Seq lies in [from, to). Columns move to the front, so that b keeps its memory.
func trim(b *traceio.Block, from, to traceio.Seq) {
	lo, hi := -1, len(b.Kind)
	seq, fetches := b.First, 0
	for row, k := range b.Kind {
		if seq >= to {
			hi = row
			break
		}
		if lo < 0 && seq >= from {
			lo = row
		}
		if k != traceio.Fetch {
			seq++
		} else if lo >= 0 {
			fetches++
		}
	}
	if lo < 0 {
		lo = hi
	}
	b.Addr, b.PC = keep(b.Addr, lo, hi), keep(b.PC, lo, hi)
	b.Size, b.Kind, b.Thread = keep(b.Size, lo, hi), keep(b.Kind, lo, hi), keep(b.Thread, lo, hi)
	b.Fetches = fetches
	b.First = max(b.First, from)
}

func keep[T any](s []T, lo, hi int) []T { return s[:copy(s, s[lo:hi])] }
