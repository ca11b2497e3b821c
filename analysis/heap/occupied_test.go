package heap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// What blocks occupy by their marks is what they occupy one after the other in order of address: for small and large
// blocks in several pools, with overlaps, and not at all for those that are not aligned as glibc's are.
func TestMarkedAgainstOrder(t *testing.T) {
	odd := 0
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 16))
		b := NewBuilder(0, 0)
		for range 1 + r.IntN(1500) {
			e := traceio.Alloc{Addr: traceio.Addr(1+r.Uint64N(3)<<r.Uint64N(8))<<24 + traceio.Addr(r.Uint64N(1<<(9+seed/5))*16),
				Size: r.Uint64N(1 << r.IntN(9))}
			switch {
			case r.IntN(40) == 0:
				e.Size = r.Uint64N(1 << 19)
			case seed%8 == 7 && r.IntN(30) == 0:
				e.Usable = e.Size + 4
			}
			b.Add([]traceio.Alloc{e})
			if r.IntN(3) == 0 {
				b.Add([]traceio.Alloc{{Addr: e.Addr, Op: traceio.Free}})
			}
		}
		h := b.Heap(nil)
		var standing []int32
		peak := h.moment(h.PeakAt)
		for id := range int32(h.Count()) {
			if peak.lives(&h.blocks, id) {
				standing = append(standing, id)
			}
		}
		slices.SortFunc(standing, func(a, b int32) int { return int(h.blocks.low[a]) - int(h.blocks.low[b]) })
		var want []Span
		for _, id := range standing {
			want = extend(want, Span{Low: h.blocks.low[id], High: h.blocks.reach(id)}, chunkHead)
		}
		got, ok := h.atPeak().occupied()
		if !ok {
			odd++
			got = h.occupied(h.atPeak())
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %d spans by marks, want %d", seed, len(got), len(want))
		}
		again := *h
		again.Bins = slices.Clone(h.Bins)
		again.measureFragmentation(h.atPeak())
		if h.PeakFragmentation != scatter(want, nil) || !slices.Equal(h.Bins, again.Bins) {
			t.Fatalf("seed %d: fragmentation %g, want %g, of the bins\n%+v, want\n%+v", seed, h.PeakFragmentation,
				scatter(want, nil), h.Bins, again.Bins)
		}
	}
	if odd < 3 || odd > 12 {
		t.Errorf("%d heaps have no marks", odd)
	}
}
