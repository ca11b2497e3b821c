package heap

import (
	"math/rand/v2"
	"testing"

	"orrery/traceio"
)

func TestColumnAgainstSlice(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 81))
		var c column
		var want []uint64
		v := uint64(0)
		for range 1 + r.IntN(700) {
			if seed%2 == 0 || r.IntN(90) == 0 { // most runs of the others stand still
				v += uint64(r.IntN(3))
			}
			if r.IntN(100) == 0 {
				v += r.Uint64() >> (2 + r.IntN(60)) / 64
			}
			v = min(v, 1<<62)
			c.append(v)
			want = append(want, v)
		}
		for i := range want {
			if c.at(i) != want[i] {
				t.Fatalf("seed %d: number %d is %d, want %d", seed, i, c.at(i), want[i])
			}
		}
		for range 300 {
			x := want[r.IntN(len(want))] + uint64(r.IntN(3)) - 1
			n := 0
			for n < len(want) && want[n] <= x {
				n++
			}
			if got := c.above(x); got != n {
				t.Fatalf("seed %d: the first above %d is %d, want %d", seed, x, got, n)
			}
		}
	}
}

// Blocks find the events that made and ended them again, and those the clock.
func TestBirthAndDeath(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 82))
		log, end := randomLog(r, 900, seed%3 == 2)
		if seed%2 == 1 {
			end = 0
		}
		ticks := traceio.Ticks(0)
		for i := range log {
			ticks += traceio.Ticks(r.IntN(1 << r.IntN(40)))
			log[i].Ticks = ticks
		}
		h := analyze(t, log, end, nil)
		id := 0
		died := map[int]int{}
		live := map[traceio.Addr]int{}
		for i, e := range log {
			if e.Op == traceio.Free {
				if n, ok := live[e.Addr]; ok {
					died[n] = i
					delete(live, e.Addr)
				}
				continue
			}
			if n, ok := live[e.Addr]; ok {
				died[n] = i
			}
			live[e.Addr] = id
			if got := h.birth(id); got != i {
				t.Fatalf("seed %d: block %d was made by event %d, want %d", seed, id, got, i)
			}
			id++
		}
		for id := range h.Count() {
			want, ok := died[id]
			if !ok {
				want = len(log)
			}
			if got := h.death(id); got != want {
				t.Fatalf("seed %d: block %d ended at event %d, want %d", seed, id, got, want)
			}
			born, gone := h.Ticks(id)
			if born != log[h.birth(id)].Ticks || gone != log[min(want, len(log)-1)].Ticks {
				t.Fatalf("seed %d: block %d lived from %d to %d ns", seed, id, born, gone)
			}
		}
		checkOrders(t, h)
	}
}

// checkOrders compares what finds births and deaths in order with one search for each block.
func checkOrders(t *testing.T, h *Heap) {
	t.Helper()
	for first := 0; first <= h.Count(); first += 37 {
		births := h.birthsFrom(first)
		for id := first; id < h.Count(); id++ {
			if got, want := births.next(), h.birth(id); got != want {
				t.Fatalf("from block %d on, block %d was made by event %d, want %d", first, id, got, want)
			}
		}
	}
	last := -1
	for _, id := range h.ends() {
		if d := h.death(int(id)); d <= last || h.blocks.leaked(id) {
			t.Fatalf("block %d ended at event %d, behind one that ended at %d", id, d, last)
		}
		last = h.death(int(id))
	}
	if got, want := len(h.ends()), h.Count()-int(h.LeakedBlocks); got != want {
		t.Fatalf("%d blocks ended, want %d", got, want)
	}
	for at := Time(-1); at <= h.Axis.End+1; at += 1 + h.Axis.End/500 {
		want := 0
		for want < h.Count() && h.from(int32(want)) < at {
			want++
		}
		if got := h.Born(at); got != want {
			t.Fatalf("%d blocks were made before %d, want %d", got, at, want)
		}
	}
}

// A log that comes in pieces makes the same heap.
func TestBuilderInPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 83))
	log, _ := randomLog(r, 3000, true)
	for i := range log {
		log[i].Seq = traceio.Seq(i)
	}
	whole := analyze(t, log, 0, calls())
	b := NewBuilder(0, 0)
	for rest := log; len(rest) > 0; {
		n := min(r.IntN(200), len(rest))
		b.Add(rest[:n])
		rest = rest[n:]
	}
	got := b.Heap(calls())
	if got.Count() != whole.Count() || len(got.Errors) != len(whole.Errors) || got.PeakBytes != whole.PeakBytes ||
		got.Len() != whole.Len() {
		t.Fatalf("%d blocks, %d errors, peak %d of %d events; want %d, %d, %d of %d", got.Count(), len(got.Errors),
			got.PeakBytes, got.Len(),
			whole.Count(), len(whole.Errors), whole.PeakBytes, whole.Len())
	}
	for i := range got.Count() {
		if got.Block(i) != whole.Block(i) {
			t.Fatalf("block %d is %+v, want %+v", i, got.Block(i), whole.Block(i))
		}
	}
}
