package region

import (
	"orrery/analysis/heap"
	"orrery/traceio"
)

// mostSampled is how many blocks a sample has at most.
const mostSampled = 256

// Sampled lists the blocks, of n, that a Sample is made of: all of them, or evenly spread ones, always the same.
func Sampled(n int) []int {
	step := max(1, (n+mostSampled-1)/mostSampled)
	out := make([]int, 0, min(n, mostSampled))
	for i := 0; i < n; i += step {
		out = append(out, i)
	}
	return out
}

// Sample is a look at some of a recording's blocks, for the hints that need no more; see Scan for the rules.
type Sample struct {
	prog     *traceio.Program
	pages    map[pageOf]uint64
	pointers *pointers
}

// NewSample has seen nothing yet.
func NewSample(prog *traceio.Program) *Sample {
	return &Sample{prog: prog, pages: map[pageOf]uint64{}, pointers: newPointers(prog)}
}

// Add looks at one block.
func (s *Sample) Add(b *traceio.Block) {
	scanBlock(b, s.pages)
	s.pointers.scan(b)
}

// Hints is what the sample tells: the stacks and the thread pointers.
func (s *Sample) Hints(h *heap.Heap) Hints {
	return Hints{Stacks: findStacks(s.pages, s.prog, h), Pointers: s.pointers.found()}
}
