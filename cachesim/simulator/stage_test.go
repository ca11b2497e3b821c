package simulator

import (
	"math/rand/v2"
	"testing"

	. "orrery/cachesim"
	"orrery/cachesim/model"
	"orrery/traceio"
)

// randomChain is levels that lie below each other, each taking everything.
func randomChain(r *rand.Rand) Config {
	c := Config{Memory: MainMemory{Latency: 60}}
	block := Size(8) << r.IntN(4)
	for i := range 1 + r.IntN(3) {
		l := Level{Name: string(rune('A' + i)), Kind: Data, Ways: 1 << r.IntN(4), Block: block,
			Policy: Policies()[r.IntN(len(Policies()))], Latency: float64(1 + i),
			Prefetch: Prefetchers()[r.IntN(3)], NoAllocate: r.IntN(4) == 0, Seed: r.Int64()}
		if i > 0 {
			l.Kind = Unified
		}
		if r.IntN(3) == 0 {
			l.Write = WriteThrough
		}
		if r.IntN(4) == 0 {
			l.VictimBlocks = 1 + r.IntN(4)
		}
		l.Size = l.Block * Size(l.Ways) << r.IntN(5)
		c.Levels = append(c.Levels, l)
		if r.IntN(3) == 0 {
			block <<= r.IntN(2)
		}
	}
	return c
}

// TestStagesAreTheHierarchy runs random references through the stages of random hierarchies one behind the other, and
// through the hierarchies as a whole.
func TestStagesAreTheHierarchy(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 15))
	for round := range 150 {
		c := randomChain(r)
		h, err := New(c)
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		stages := make([]*model.Stage, len(c.Levels))
		for i, l := range c.Levels {
			if stages[i], err = model.NewStage(l, i == 0); err != nil {
				t.Fatal(err)
			}
		}
		for first := range traceio.Seq(3) {
			b := randomBlock(r, first*300, 300)
			data := *b
			h.Run(&data)
			in := &model.Requests{Block: c.Levels[0].Block}
			in.References(b)
			for i, s := range stages {
				out := &model.Requests{Block: c.Levels[i].Block}
				if i == len(stages)-1 {
					out = nil
				}
				s.Run(in, out)
				in = out
			}
		}
		want := h.caches.tally()
		for i, s := range stages {
			got := s.Totals()
			if got.Counts != want.Levels[i] || got.Ahead != want.Ahead[i] {
				t.Fatalf("round %d, %v\nlevel %d: %+v, %d ahead\n   want %+v, %d ahead", round, c.Levels, i, got.Counts, got.Ahead,
					want.Levels[i], want.Ahead[i])
			}
			if i == len(stages)-1 && (got.Below != want.Memory || got.BelowAhead != want.Ahead[i+1]) {
				t.Fatalf("round %d, %v\nmemory %+v, %d ahead, want %+v, %d", round, c.Levels, got.Below, got.BelowAhead,
					want.Memory, want.Ahead[i+1])
			}
		}
	}
}

func TestStagesThatCannotBe(t *testing.T) {
	for _, l := range []Level{{}, {Name: "A", Size: KiB, Ways: 1, Block: 64, Inclusion: Inclusive},
		{Name: "A", Size: KiB, Ways: 1, Block: 64, Inclusion: Exclusive}} {
		if _, err := model.NewStage(l, true); err == nil {
			t.Errorf("%v is taken", l)
		}
	}
}
