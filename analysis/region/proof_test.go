package region

import (
	"slices"
	"testing"

	"orrery/analysis/heap"
	"orrery/traceio"
)

// The traces of other tools tell neither all modules nor all allocations: there a stack needs a proof.
func TestProofOfStacks(t *testing.T) {
	type use struct {
		thread traceio.Thread
		at     traceio.Addr
		times  int
	}
	known := program()
	known.Recorder = "drmemtrace"
	for _, row := range []struct {
		name    string
		by      string
		prog    *traceio.Program // nil: nothing but by
		heap    *heap.Heap
		uses    []use
		entered []use // marks of calls
		want    []StackRange
	}{
		{name: "an array alone", by: "din", uses: []use{{0, 0x600000, 500}}},
		{name: "an array and a heap", by: "csv", uses: []use{{0, 0x600000, 500}, {0, 0x4a2d000, 5}, {0, 0x7f0000000000, 10}}},
		{name: "of nobody", uses: []use{{0, 0x600000, 500}}},
		{name: "Linux's stack", by: "csv", uses: []use{{0, 0x600000, 500}, {0, 0x7ffe00000000, 5}},
			want: []StackRange{{0, 0x7ffdff801000, 0x7ffe00001000}}},
		{name: "its lowest", by: "csv", uses: []use{{0, 0x7ffc00000000, 5}},
			want: []StackRange{{0, 0x7ffbff801000, 0x7ffc00001000}}},
		{name: "below its lowest", by: "csv", uses: []use{{0, 0x7ffbffff0000, 5}}},
		{name: "the kernel's page behind it", by: "pinatrace", uses: []use{{0, 0x7ffe00000000, 50}, {0, 0x7ffe00200000, 2}},
			want: []StackRange{{0, 0x7ffdff801000, 0x7ffe00001000}}},
		{name: "addresses that are not random", by: "champsim", uses: []use{{0, 0x7fffffffe000, 5}, {0, 0x7ffff7fb0000, 50},
			{0, 0x7ffdb7fff000, 900}},
			want: []StackRange{{0, 0x7fffff7ff000, 0x7ffffffff000}}},
		{name: "libraries where a stack might be", by: "champsim", uses: []use{{0, 0x7ffff7fb0000, 50},
			{0, 0x7ffdb7fff000, 900}}},
		{name: "more than a stack holds", by: "csv", uses: []use{{0, 0x7ffe00000000, 5}, {0, 0x7ffe00100000, 5},
			{0, 0x7ffe00200000, 5}, {0, 0x7ffe00300000, 5}, {0, 0x7ffe00400000, 5},
			{0, 0x7ffe00500000, 5}, {0, 0x7ffe00600000, 5}, {0, 0x7ffe00700000, 5}, {0, 0x7ffe00800000, 5}}},
		{name: "the kernel's half", by: "din", uses: []use{{0, 0xffff888000000000, 5}, {0, 0xfffffffffffff000, 5}}},
		{name: "another thread looks into it", by: "drmemtrace", uses: []use{{0, 0x7ffe00000000, 5}, {1, 0x7ffe00000000, 50},
			{0, 0x7f0000000000, 70}},
			want: []StackRange{{1, 0x7ffdff801000, 0x7ffe00001000}}},
		{name: "valgrind's", by: "lackey", uses: []use{{0, 0x109000, 500}, {0, 0x4a2d000, 5000}, {0, 0x1ffefff000, 300},
			{0, 0x7ffff0000000, 3}}, want: []StackRange{{0, 0x1ffe800000, 0x1fff000000}}},
		{name: "older valgrind's", by: "lackey", uses: []use{{0, 0x600000, 500}, {0, 0x7ff000000, 3}},
			want: []StackRange{{0, 0x7fe801000, 0x7ff001000}}},
		{name: "above valgrind's", by: "lackey", uses: []use{{0, 0x1fff001000, 300}}},
		{name: "valgrind's place in a trace of another", by: "gem5", uses: []use{{0, 0x7ff000000, 3}}},
		{name: "marks", by: "csv", uses: []use{{0, 0x600000, 500}, {0, 0x7f0000000000, 20}, {1, 0x7f0001000000, 20},
			{0, 0x7ffe00000000, 30}}, entered: []use{{0, 0x7f0000000010, 1}, {1, 0x7f0001000010, 1}},
			want: []StackRange{{0, 0x7f0000001000 - stackSize, 0x7f0000001000},
				{1, 0x7f0001001000 - stackSize, 0x7f0001001000}}},
		{name: "code with hooks tells its modules", by: "hooks", uses: []use{{0, 0x4a2d000, 5000}, {0, 0x7ff7ff000000, 300},
			{0, 0x7ff800000000, 3}}, want: []StackRange{{0, 0x7ff7fe801000, 0x7ff7ff001000}}},
		{name: "allocations without modules", by: "drmemtrace", heap: testHeap(t, known), uses: []use{{0, 0x600000, 500}}},
		{name: "allocations with modules", prog: known, heap: testHeap(t, known), uses: []use{{0, 0x404000, 500},
			{0, 0x7f1100000000, 5}}, want: []StackRange{{0, 0x7f1100001000 - stackSize, 0x7f1100001000}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := &traceio.Block{}
			for _, u := range row.uses {
				for range u.times {
					b.Append(traceio.Access{Addr: u.at, Thread: u.thread})
				}
			}
			for _, u := range row.entered {
				b.Marks = append(b.Marks, traceio.Mark{Kind: traceio.Enter, Thread: u.thread, Value: uint64(u.at)})
			}
			prog := row.prog
			if prog == nil {
				prog = &traceio.Program{Recorder: row.by}
			}
			if got := sampled(t, blocks{b}, prog, row.heap).Stacks; !slices.Equal(got, row.want) {
				t.Errorf("stacks %v, want %v", got, row.want)
			}
		})
	}
}
