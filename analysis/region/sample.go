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

// Sample is a look at some of a recording's blocks, for stacks and thread pointers. Nothing in a recording says where a
// stack is, so the rule is: of the addresses that lie in no module and in no part of the heap, cut into areas wherever
// more than a megabyte is not used, the area that a thread uses most is its stack, if no thread before has it. It holds
// because compiled code spills, passes and returns through the stack all the time, while what else is left unexplained
// (thread-local storage, the allocator's maps) is used rarely. The stack then reaches from the end of the area's
// highest page down to its lowest, at most 8 MiB (the usual limit), so that pages which a long recording's sample
// missed belong to it too.
//
// Where not all modules and allocations are known (traces of other tools) variables and heap are left unexplained too,
// and busy. There an area is a stack only if something proves it: marks of calls that stored their return addresses in
// it, or its place, right below the top of the addresses that Linux or valgrind gives a program (see area.placed). What
// has no proof is other memory. Code with hooks tells its modules, and allocations if there are any: without, a
// thread's stack is the highest of its areas that has at least a sixty-fourth of its references.
//
// In a program that makes code while it runs, what that code uses most is its own heap. There a thread's stack is the
// area where calls stored their return addresses, as marks tell, or else the area that it stores to most: a stack's
// words are written again and again, those of a heap once and then read. What remains is the heap of that code (Made).
//
// Thread pointers are certain: instructions with an address at a fixed distance from the pointer tell it; so it is with
// the variables that a library has for a thread.
type Sample struct {
	prog     *traceio.Program
	pages    map[pageOf]pageUse
	pointers *pointers
	made     madeCode
}

// NewSample has seen nothing yet.
func NewSample(prog *traceio.Program) *Sample {
	return &Sample{prog: prog, pages: map[pageOf]pageUse{}, pointers: newPointers(prog), made: newMadeCode(prog)}
}

// Add looks at one block.
func (s *Sample) Add(b *traceio.Block) {
	scanBlock(b, s.pages)
	s.pointers.scan(b)
	s.made.scan(b)
}

// Hints is what the sample tells: the stacks, the thread pointers, and the memory of code that was made while the
// program ran.
func (s *Sample) Hints(h *heap.Heap) Hints {
	areas, threads := areasOf(s.pages, s.prog, h)
	stacks := findStacks(areas, threads, s.made.some(), s.prog, h)
	made := s.made.memory(areas, stacks, func(low, high traceio.Addr) bool { return clear(low, high, s.prog, h) })
	return Hints{Stacks: stacks, Pointers: s.pointers.found(), Made: made}
}
