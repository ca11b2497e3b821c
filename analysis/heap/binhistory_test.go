package heap

import (
	"context"
	"math/rand/v2"
	"testing"
)

// The twin looks at every block of the bin, at every time.
func TestBinHistory(t *testing.T) {
	for _, n := range []int{60, 3000} { // within one run of marks, and over several
		log, end := randomLog(rand.New(rand.NewPCG(7, uint64(n))), n, false)
		h := analyze(t, log, end, nil)
		sums := make([]Cost, len(h.Sites))
		for bin := range h.Bins {
			b, err := h.BinHistory(t.Context(), bin)
			if err != nil {
				t.Fatal(err)
			}
			var ids []int
			for id := range h.Count() {
				if h.Bin(id) == bin {
					ids = append(ids, id)
				}
			}
			if b.Count() != len(ids) || uint64(b.Count()) != h.Bins[bin].Blocks || !b.Of(h, bin) || b.Of(h, bin+1) {
				t.Fatalf("bin %d has %d blocks, want %d and %d", bin, b.Count(), len(ids), h.Bins[bin].Blocks)
			}
			bytesAt := make([]uint64, h.Axis.End+1)
			for at := Time(0); at <= h.Axis.End; at += 1 + h.Axis.End/97 {
				blocks, born := 0, 0
				var bytes, waste uint64
				for i, id := range ids {
					x := h.Block(id)
					if b.ID(i) != id || b.Block(i) != x {
						t.Fatalf("block %d of bin %d is %d, want %d", i, bin, b.ID(i), id)
					}
					if x.From < at {
						born++
					}
					if x.From <= at && (x.To > at || x.Leaked) {
						blocks++
						bytes += x.Size
						waste += x.Waste()
					}
				}
				if at == h.Axis.End { // where blocks end that are never freed
					continue
				}
				bytesAt[at] = bytes
				gotBlocks, gotBytes, gotWaste := b.Live(at)
				if gotBlocks != blocks || gotBytes != bytes || gotWaste != waste || b.Born(at) != born {
					t.Errorf("bin %d has %d blocks of %d and %d bytes at %d and %d before, want %d, %d, %d and %d",
						bin, gotBlocks, gotBytes, gotWaste, at, b.Born(at), blocks, bytes, waste, born)
				}
				if low, high := b.Occupancy(at, at+1); low != bytes || high != bytes {
					t.Errorf("bin %d has %d to %d bytes at %d, want %d", bin, low, high, at, bytes)
				}
			}
			if _, high := b.Occupancy(0, h.Axis.End); high != h.Bins[bin].PeakBytes {
				t.Errorf("bin %d has at most %d bytes, want its peak of %d", bin, high, h.Bins[bin].PeakBytes)
			}
			if got, want := b.Fragmentation(h.PeakAt), h.Bins[bin].Fragmentation; got != want {
				t.Errorf("the fragmentation of bin %d at the peak is %v, want %v", bin, got, want)
			}
			for i := range sums {
				sums[i].Blocks += b.Costs[i].Blocks
				sums[i].Bytes += b.Costs[i].Bytes
			}
		}
		for i := range sums {
			if s := &h.Sites[i]; sums[i].Blocks != s.Blocks || sums[i].Bytes != s.Bytes {
				t.Errorf("all bins have %d blocks and %d bytes of %s, want %d and %d", sums[i].Blocks, sums[i].Bytes, s.Name(),
					s.Blocks, s.Bytes)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if b, err := h.BinHistory(ctx, 0); b != nil || err != ctx.Err() {
			t.Errorf("cancelled, it gives %v and %v", b, err)
		}
	}
}
