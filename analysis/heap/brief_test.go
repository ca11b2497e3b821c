package heap

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"orrery/traceio"
)

// A Brief says of sites what the whole heap says, in logs that are legal and in logs that are not, of one thread and
// of several, with blocks of no bytes, stacks that nobody knows and reallocations.
func TestBriefAgainstHeap(t *testing.T) {
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 84))
		log, _ := randomLog(r, 10+r.IntN(4000), seed%2 == 1)
		for i := range log {
			e := &log[i]
			e.Seq, e.Ticks = traceio.Seq(i), traceio.Ticks(i)
			switch {
			case r.IntN(50) == 0:
				e.Stack = traceio.StackID(r.Uint32())
			case r.IntN(90) == 0:
				e.Ticks = 0
			case r.IntN(90) == 0 && seed%3 == 0:
				e.Addr |= 4
			case r.IntN(300) == 0:
				e.Size = r.Uint64()
			case seed%4 == 2:
				e.Size = 0
			}
			if seed%4 < 2 {
				e.Thread = 0
			}
		}
		checkBrief(t, log, calls())
	}
	for seed := range uint64(6) {
		checkBrief(t, plainLog(rand.New(rand.NewPCG(seed, 85)), 5000), calls())
	}
	checkBrief(t, nil, nil)
}

// checkBrief compares the two ways to a summary.
func checkBrief(t *testing.T, log []traceio.Alloc, prog *traceio.Program) {
	t.Helper()
	whole, brief := NewBuilder(0, 0), NewBrief(0)
	whole.Add(log)
	brief.Add(log)
	want, got := whole.Heap(prog).Summary(7), brief.Summary(prog, 7)
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("in brief %+v\nof the whole heap %+v", got, want)
	}
}

// A thread's block is temporary if the thread itself frees it next; blocks of two threads in one place, and blocks too
// large for 32 bits, are told apart.
func TestBriefTellsBlocksApart(t *testing.T) {
	free := traceio.Free
	log := []traceio.Alloc{{Addr: 0x1000, Size: 8}, {Addr: 0x1000, Op: free, Thread: 1},
		{Addr: 0x1000, Size: 8, Thread: 1}, {Addr: 0x1000, Op: free}}
	b := NewBrief(0)
	b.Add(log)
	if s := b.Summary(nil, 1); s.Sites[0].Temporary != 0 || s.Sites[0].Crossed != 2 {
		t.Errorf("%+v", s.Sites)
	}
	checkBrief(t, log, nil)
	for _, size := range []uint64{1<<32 - 2, 1<<32 - 1, 1 << 32, 1 << 40} {
		log := []traceio.Alloc{{Addr: 0x1000, Size: size}, {Addr: 0x2000, Size: 8}, {Addr: 0x1000, Op: free},
			{Addr: 1 << 45, Size: size}, {Addr: 0x1000, Size: 8}}
		checkBrief(t, log, nil)
	}
}

func BenchmarkBrief(b *testing.B) {
	log, _ := randomLog(rand.New(rand.NewPCG(1, 2)), 100000, false)
	b.ReportAllocs()
	for b.Loop() {
		a := NewBrief(len(log) / 2)
		a.Add(log)
		a.Summary(nil, 32)
	}
}
