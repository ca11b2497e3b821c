package simulator

import (
	"math/rand/v2"
	"slices"
	"testing"

	. "orrery/cachesim"
	"orrery/cachesim/fast"
)

// TestLog holds the events that a log gives, in any number of parts and as often as asked, against those that the
// levels tell by themselves, and what they come to against the state.
func TestLog(t *testing.T) {
	brief := 0
	for seed := range uint64(70) {
		r := rand.New(rand.NewPCG(seed, 12))
		c := randomConfig(r)
		short, full := fresh(t, c), onModel(t, c)
		if fast.Serves(short.config) {
			brief++
		}
		b := randomBlock(r, 100, 1+r.IntN(900))
		before := short.snapshot(b.First)
		want := full.events(b, 0, b.Len(), b.First, nil)

		var got []Event
		var log Log
		seq := b.First
		for from := 0; from < b.Len(); {
			to := min(b.Len(), from+1+r.IntN(300))
			short.translate(b, from, to)
			log.log = short.caches.engine.Record(b, from, to, seq, true, log.log)
			got = log.Events(got)
			if again := log.Events(nil); !slices.Equal(again, got[len(got)-len(again):]) {
				t.Fatalf("seed %d: rows %d to %d are told differently when read again\n%s", seed, from, to, c.TOML())
			}
			for ; from < to; from++ {
				if b.Kind[from]>>1 == 0 {
					seq++
				}
			}
		}
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				t.Fatalf("seed %d: event %d of %d\n got %+v\nwant %+v\n%s", seed, i, len(want),
					got[min(i, len(got)):min(i+1, len(got))], want[i], c.TOML())
			}
		}
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d events, want %d\n%s", seed, len(got), len(want), c.TOML())
		}
		equalTotals(t, seed, c, "RunLog", short.Totals(), full.Totals())
		if after := before.Apply(got...); !slices.Equal(after.words, short.snapshot(b.First).words) {
			t.Fatalf("seed %d: the events do not lead to the state\n%s", seed, c.TOML())
		}
	}
	if brief < 7 {
		t.Fatalf("only %d of the hierarchies had short logs", brief)
	}
}
