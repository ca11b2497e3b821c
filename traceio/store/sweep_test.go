package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"orrery/traceio"
)

// TestSweep sees all blocks in order, each first on the side, and ends with the first failure.
func TestSweep(t *testing.T) {
	_, r := fromFake(t, 3, 700000)
	n := r.Blocks()
	if n < 10 {
		t.Fatalf("%d blocks", n)
	}
	lists := map[string][]int{"all": r.All(), "none": {}, "one": {n / 2}, "some, backward": {n - 1, 3, 3, 0}}
	for name, list := range lists {
		sums, got := make([]traceio.Addr, len(list)), 0
		sum := func(b *traceio.Block) (s traceio.Addr) {
			for i, a := range b.Addr {
				s = s*31 + a + b.PC[i]
			}
			return s
		}
		err := r.Sweep(context.Background(), list, func() func(int, *traceio.Block) {
			return func(k int, b *traceio.Block) { sums[k] = sum(b) }
		}, func(k int, b *traceio.Block) error {
			want, err := r.Block(list[k])
			if err != nil {
				return err
			}
			if k != got || !slices.Equal(b.Addr, want.Addr) || !slices.Equal(b.Kind, want.Kind) || b.First != want.First ||
				fmt.Sprint(b.Allocs, b.Marks) != fmt.Sprint(want.Allocs, want.Marks) || sums[k] != sum(want) {
				t.Errorf("%s: turn %d, expected %d, is not block %d", name, k, got, list[k])
			}
			got++
			return nil
		})
		if err != nil || got != len(list) {
			t.Errorf("%s: %d of %d blocks, %v", name, got, len(list), err)
		}
	}
	enough := errors.New("enough")
	if err := r.Sweep(context.Background(), r.All(), nil, func(k int, _ *traceio.Block) error {
		if k == 4 {
			return enough
		}
		return nil
	}); !errors.Is(err, enough) {
		t.Errorf("after five blocks: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var seen atomic.Int64
	if err := r.Sweep(ctx, r.All(), nil, func(int, *traceio.Block) error {
		seen.Add(1)
		cancel()
		return nil
	}); !errors.Is(err, context.Canceled) || int(seen.Load()) == n {
		t.Errorf("cancelled: %v after %d blocks", err, seen.Load())
	}
}
