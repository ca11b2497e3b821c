package heap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// TestFindKnownAgainstAny asks for addresses of sets of every granularity, known and unknown ones.
func TestFindKnownAgainstAny(t *testing.T) {
	found := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		l := newLive(uint(r.IntN(6)), 100)
		l.shared = uint(r.IntN(2))
		address := func() traceio.Addr {
			return traceio.Addr(r.Uint64N(3)<<46 + r.Uint64N(1<<uint(10+r.IntN(21))))
		}
		var made []traceio.Addr
		for range 400 {
			a := address()
			l.room(a)
			made = append(made, a)
			if r.IntN(4) == 0 {
				l.make(uint64(address()) >> l.shift >> pageBits) // a page in which none begins
			}
		}
		for range 300 {
			events := make([]traceio.Alloc, r.IntN(run+1))
			for i := range events {
				if events[i].Addr = made[r.IntN(len(made))]; r.IntN(30) == 0 {
					events[i].Addr = address()
				}
				l.locate(uint64(events[i].Addr) >> l.shift >> pageBits) // the chunk is near then
			}
			var got, want [run]spot
			n, m := findKnown(l, events, got[:]), findKnownAny(l, events, want[:])
			if n != m || !slices.Equal(got[:n], want[:n]) {
				t.Fatalf("seed %d: of %d events %d at %v, want %d at %v", seed, len(events), n, got[:n], m, want[:m])
			}
			found += n
		}
	}
	if found < 1000 {
		t.Errorf("%d found in all", found)
	}
}
