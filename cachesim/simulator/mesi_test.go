package simulator

import (
	"context"
	"math/rand/v2"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
)

// TestMESI follows a block through its states, and holds those of random runs against what they promise: a modified or
// exclusive block is in no other core, and one that two cores hold is shared in both.
func TestMESI(t *testing.T) {
	c := Config{Name: "two", Cores: 2, Memory: MainMemory{Latency: 1}, Levels: []Level{
		{Name: "L1", Kind: Unified, Size: 1 * KiB, Ways: 8, Block: 64},
		{Name: "L2", Kind: Unified, Size: 8 * KiB, Ways: 16, Block: 64, Shared: true},
	}}
	at := func(core traceio.Thread, k traceio.Kind) traceio.Access {
		return traceio.Access{Addr: 0x1000, Size: 4, Kind: k, Thread: core}
	}
	b := new(traceio.Block)
	b.Reset(0)
	for _, a := range []traceio.Access{at(0, traceio.Load), at(0, traceio.Store), at(1, traceio.Load),
		at(1, traceio.Store)} {
		b.Append(a)
	}
	r, err := NewReplay(context.Background(), recording{b}, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	for seq, want := range []string{"II", "EI", "MI", "SS", "IM"} {
		s, err := r.At(traceio.Seq(seq))
		if err != nil {
			t.Fatal(err)
		}
		if got := states(s, 0x1000); got != want {
			t.Errorf("after %d references the cores have %s, want %s", seq, got, want)
		}
	}

	random := rand.New(rand.NewPCG(5, 5))
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for range 300 {
		b.Reset(0)
		for range 20 {
			b.Append(traceio.Access{Addr: traceio.Addr(0x1000 + random.IntN(32)*64), Size: 4, Kind: traceio.Kind(random.IntN(2)),
				Thread: traceio.Thread(random.IntN(2))})
		}
		h.Run(b)
		s := h.snapshot(0)
		for block := range traceio.Addr(32) {
			got := states(s, 0x1000+block*64)
			seen[got]++
			switch got {
			case "II", "MI", "IM", "EI", "IE", "SI", "IS", "SS":
			default:
				t.Fatalf("the cores have block %d as %s", block, got)
			}
		}
	}
	if len(seen) < 8 {
		t.Errorf("only %v came about", seen)
	}
	if after := h.snapshot(0).Apply(); after.MESI(0, Line{Valid: true}) != 0 {
		t.Error("a state that events were applied to knows the coherence")
	}
}

// states is what each core has of the block at addr in its first level.
func states(s *State, addr traceio.Addr) string {
	out := ""
	for level := range 2 {
		set, rank := s.Find(level, addr)
		var line Line
		if rank >= 0 {
			line = s.Lines(level, set, nil)[rank]
		}
		out += string(s.MESI(level, line))
	}
	return out
}
