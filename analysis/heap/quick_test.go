package heap

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"orrery/traceio"
)

// plainLog is a log of one thread whose frees tell nothing but addresses, or seldom a stack: blocks of all sizes, some
// in place of others, most of them freed once.
func plainLog(r *rand.Rand, n int) []traceio.Alloc {
	var log []traceio.Alloc
	var live []traceio.Addr
	ticks, seldom := traceio.Ticks(0), r.IntN(2) == 0
	for range n {
		if r.IntN(500) == 0 {
			ticks += 1e6
		}
		e := traceio.Alloc{Ticks: ticks, Op: traceio.Free}
		switch k := r.IntN(len(live) + 1); {
		case r.IntN(2) == 0 && k < len(live):
			e.Addr = live[k]
			if seldom && r.IntN(60) == 0 {
				e.Stack = traceio.StackID(1 + r.IntN(3))
			}
			if r.IntN(20) > 0 {
				live[k] = live[len(live)-1]
				live = live[:len(live)-1]
			}
		default:
			e = traceio.Alloc{Ticks: ticks, Addr: 0x5000_0000 + traceio.Addr(r.IntN(1<<14))*256, Size: uint64(r.IntN(240)),
				Stack: traceio.StackID(r.IntN(6))}
			switch r.IntN(60) {
			case 0:
				e.Size = r.Uint64N(1 << 18)
			case 1:
				e.Addr += 16
			case 2:
				e.Size = r.Uint64() >> r.IntN(64)
			case 3:
				e.Addr = traceio.Addr(r.Uint64() >> r.IntN(64))
			}
			live = append(live, e.Addr)
		}
		log = append(log, e)
	}
	return log
}

// The quick way for plain events comes to what the other one does, in whatever pieces the log comes.
func TestQuickAgainstEvents(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 18))
		log := plainLog(r, 1+r.IntN(8000))
		slow, quick := NewBuilder(0, 0), NewBuilder(0, 0)
		slow.h.blocks.freeThreads = []traceio.Thread{} // as if another thread had freed something
		slow.Add(log)
		for rest := log; len(rest) > 0; {
			n := min(1+r.IntN(1000), len(rest))
			quick.Add(rest[:n])
			rest = rest[n:]
		}
		want, got := slow.Heap(calls()), quick.Heap(calls()) // which do not know all stacks
		want.blocks.freeThreads = nil
		for id := range want.Count() {
			if w, g := want.Block(id), got.Block(id); g != w {
				t.Fatalf("seed %d: block %d is %+v, want %+v", seed, id, g, w)
			}
		}
		for name, pair := range map[string][2]any{"bins": {got.Bins, want.Bins}, "errors": {got.Errors, want.Errors},
			"counts": {got.errors, want.errors}, "sites": {got.Sites, want.Sites},
			"links": {got.Links, want.Links}, "marks": {got.history.marks, want.history.marks},
			"ends": {got.ends(), want.ends()}, "lows": {got.history.low, want.history.low},
			"highs": {got.history.high, want.history.high}, "summary": {got.Summary(5), want.Summary(5)},
			"peak": {got.PeakAt, want.PeakAt}, "crossed": {got.Crossed, want.Crossed},
			"spans": {got.Spans, want.Spans}, "places that free": {got.FreeSites, want.FreeSites},
			"fragmentation": {got.PeakFragmentation, want.PeakFragmentation}, "stacks": {got.stacks, want.stacks},
			"leaked":    {got.leaked, want.leaked},
			"temporary": {got.Temporary, want.Temporary}, "total": {got.TotalBytes, want.TotalBytes}} {
			if !reflect.DeepEqual(pair[0], pair[1]) {
				t.Errorf("seed %d: %s\n%+v, want\n%+v", seed, name, pair[0], pair[1])
			}
		}
	}
}
