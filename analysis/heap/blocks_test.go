package heap

import (
	"math/rand/v2"
	"testing"

	"orrery/traceio"
)

// replay is the blocks of a log by a map from addresses to the block that lives there.
func replay(log []traceio.Alloc, at func(event int) Time, end Time) []Block {
	var blocks []Block
	live, made := map[traceio.Addr]int{}, map[traceio.Thread]int{}
	for i, e := range log {
		id, ok := live[e.Addr]
		if ok {
			b := &blocks[id]
			b.To, b.Leaked = at(i), false
			if b.cut = e.Op != traceio.Free; !b.cut {
				last, isMade := made[e.Thread]
				b.FreeStack, b.FreeThread, b.Temporary = e.Stack, e.Thread, isMade && last == id
			}
			delete(live, e.Addr)
		}
		delete(made, e.Thread)
		if e.Op == traceio.Free {
			continue
		}
		live[e.Addr], made[e.Thread] = len(blocks), len(blocks)
		waste := uint32(usableOf(e.Size) - e.Size)
		if e.Usable > 0 {
			waste = uint32(e.Usable - e.Size)
		}
		blocks = append(blocks, Block{Low: e.Addr, Size: e.Size, From: at(i), To: end, AllocStack: e.Stack, Thread: e.Thread,
			waste: waste, Leaked: true})
	}
	return blocks
}

// Blocks are put together from columns as the log tells of them, with and without references, sizes beyond 32 bits,
// frees that are missing, and usable bytes, stacks of frees and second threads that the log begins to tell somewhere.
func TestBlocksAgainstReplay(t *testing.T) {
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 85))
		all, end := randomLog(r, 10+r.IntN(3000), false)
		told, stacks, threads := r.IntN(2*len(all)), r.IntN(2*len(all)), r.IntN(2*len(all))
		var log []traceio.Alloc
		for i, e := range all {
			if e.Op == traceio.Free && r.IntN(20) == 0 {
				continue
			}
			if e.Op != traceio.Free && r.IntN(100) == 0 {
				e.Size += 4 << 30
			}
			if e.Usable = 0; e.Op != traceio.Free && i >= told {
				e.Usable = e.Size + uint64(r.IntN(50)) + 1
			}
			if e.Op == traceio.Free && i < stacks {
				e.Stack = 0
			}
			if i < threads {
				e.Thread = 0
			}
			log = append(log, e)
		}
		at, name := func(event int) Time { return Time(log[event].Seq) }, "references"
		if seed%2 == 0 {
			end, at, name = 0, func(event int) Time { return Time(event) }, "events"
		}
		h := analyze(t, log, end, calls())
		want := replay(log, at, h.Axis.End)
		if h.Count() != len(want) {
			t.Fatalf("seed %d, %s: %d blocks, want %d", seed, name, h.Count(), len(want))
		}
		for id := range want {
			w := want[id]
			w.Site = h.SiteOf(id)
			if got := h.Block(id); got != w {
				t.Fatalf("seed %d, %s: block %d is\n%+v, want\n%+v", seed, name, id, got, w)
			}
			if h.Size(id) != w.Size || h.StackOf(id) != w.AllocStack {
				t.Fatalf("seed %d, %s: block %d has %d bytes and stack %d, want %d, %d", seed, name, id, h.Size(id), h.StackOf(id),
					w.Size, w.AllocStack)
			}
		}
		for range 50 {
			when, n := Time(r.Int64N(int64(h.Axis.End)+2)), 0
			for n < len(want) && want[n].From < when {
				n++
			}
			if got := h.Born(when); got != n {
				t.Fatalf("seed %d, %s: %d blocks before %d, want %d", seed, name, got, when, n)
			}
		}
	}
}
