package attribution

import (
	"context"
	"math/rand/v2"
	"testing"

	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
)

// TestClassesAddUp compares what is told by class and by set with the totals of a hierarchy that counted for itself, on
// random references to every preset and to levels of other policies.
func TestClassesAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 2))
	var rec blocks
	for range 2 {
		b := &traceio.Block{}
		for range 2500 {
			b.Append(traceio.Access{PC: traceio.Addr(r.IntN(5)), Addr: traceio.Addr(r.IntN(1 << (4 + r.IntN(10)))), Size: 4,
				Kind: traceio.Kind(r.IntN(3))})
		}
		rec = append(rec, b)
	}
	classify := func(b *traceio.Block, ids []int32) {
		for i, pc := range b.PC {
			ids[i] = int32(pc) - 1 // of code 0 nobody asked
		}
	}
	for _, name := range cachesim.Presets() {
		for _, policy := range []cachesim.Policy{cachesim.LRU, cachesim.TreePLRU} {
			c, err := cachesim.Preset(name)
			if err != nil {
				t.Fatal(err)
			}
			for i := range c.Levels {
				c.Levels[i].Policy = policy
			}
			if c.Validate() != nil {
				continue // ways that the policy does not take
			}
			h, err := simulator.New(c)
			if err != nil {
				t.Fatal(err)
			}
			h.Classify()
			for _, b := range rec {
				h.Run(b)
			}
			want := h.Totals()
			rows, err := ClassedMisses(context.Background(), rec, c, 4, classify,
				func(id int32) string { return string(rune('a' + id)) }, nil)
			if err != nil {
				t.Fatal(err)
			}
			addUp(t, name+" "+string(policy)+" by line", rows, want)
			if rows, err = ClassedSets(context.Background(), rec, c, nil); err != nil {
				t.Fatal(err)
			}
			addUp(t, name+" "+string(policy)+" by set", rows, want)
		}
	}
}

func addUp(t *testing.T, what string, rows []Row, want cachesim.Totals) {
	t.Helper()
	for i, w := range want.Levels {
		var got cachesim.Counts
		misses, hits := uint64(0), uint64(0)
		for _, r := range rows {
			misses, hits = misses+r.Misses[i], hits+r.Hits[i]
			got.Compulsory += r.Classes[i][cachesim.Compulsory]
			got.Capacity += r.Classes[i][cachesim.Capacity]
			got.Conflict += r.Classes[i][cachesim.Conflict]
			got.Coherence += r.Classes[i][cachesim.Coherence]
			got.WriteBacks += r.WriteBacks[i]
		}
		if misses != w.Misses() || hits+misses != w.Requests() || got.Compulsory != w.Compulsory ||
			got.Capacity != w.Capacity || got.Conflict != w.Conflict ||
			got.Coherence != w.Coherence || got.WriteBacks < w.WriteBacks { // with the stores that go on
			t.Fatalf("%s: level %d has %d misses of %d requests, %+v; want %d of %d, %+v", what, i, misses, hits+misses, got,
				w.Misses(), w.Requests(), w)
		}
	}
}
