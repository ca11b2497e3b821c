package simulator

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
)

// best is the fewest misses that any choice of victims makes of requests to one set: all choices are tried.
func best(requests []uint64, held []uint64, ways int) uint64 {
	for i, line := range requests {
		if slices.Contains(held, line) {
			continue
		}
		rest := requests[i+1:]
		if len(held) < ways {
			return 1 + best(rest, append(slices.Clone(held), line), ways)
		}
		fewest := ^uint64(0)
		for victim := range held {
			after := slices.Clone(held)
			after[victim] = line
			fewest = min(fewest, 1+best(rest, after, ways))
		}
		return fewest
	}
	return 0
}

func oneLevel(sets, ways int, p Policy) Config {
	return Config{Name: "one", Levels: []Level{{Name: "L1", Kind: Data, Size: Size(sets * ways * 16), Ways: ways,
		Block: 16, Policy: p}}}
}

func loads(addrs []uint64) recording {
	b := new(traceio.Block)
	for _, a := range addrs {
		b.Append(traceio.Access{Addr: traceio.Addr(a), Size: 1})
	}
	return recording{b}
}

// TestMINIsTheOptimum tries all choices on tiny streams.
func TestMINIsTheOptimum(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 9))
		ways, sets := 1+r.IntN(3), 1<<r.IntN(2)
		lines := make([]uint64, 4+r.IntN(10))
		bySet := make([][]uint64, sets)
		for i := range lines {
			line := r.Uint64N(uint64(sets * (ways + 2)))
			lines[i] = line * 16
			bySet[line%uint64(sets)] = append(bySet[line%uint64(sets)], line)
		}
		want := uint64(0)
		for _, requests := range bySet {
			want += best(requests, nil, ways)
		}
		got, err := MIN(context.Background(), loads(lines), oneLevel(sets, ways, LRU), 0, nil)
		if err != nil || got.Misses != want || got.Requests != uint64(len(lines)) {
			t.Fatalf("seed %d: %d ways, %d sets, %v: %+v (%v), want %d misses", seed, ways, sets, lines, got, err, want)
		}
	}
}

// obviousMIN looks through the whole future for every victim.
func obviousMIN(lines []uint64, sets, ways int) (misses uint64) {
	held := make([][]uint64, sets)
	for i, line := range lines {
		set := &held[line%uint64(sets)]
		if slices.Contains(*set, line) {
			continue
		}
		misses++
		if len(*set) < ways {
			*set = append(*set, line)
			continue
		}
		victim, far := 0, -1
		for v, x := range *set {
			d := slices.Index(lines[i+1:], x)
			if d < 0 {
				d = len(lines)
			}
			if d > far {
				victim, far = v, d
			}
		}
		(*set)[victim] = line
	}
	return misses
}

// TestMINIsNeverBeaten holds every policy against the bound, on streams with loops and jumps, and the bound against an
// obvious one.
func TestMINIsNeverBeaten(t *testing.T) {
	beaten := map[Policy]int{} // by MIN
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 10))
		ways, sets := 1<<r.IntN(4), 1<<r.IntN(4)
		rec := recording{randomBlock(r, 0, 1500)}
		var lines []uint64
		if err := eachLine(context.Background(), rec, 16, nil,
			func(l []uint64) error { lines = append(lines, l...); return nil }); err != nil {
			t.Fatal(err)
		}
		want := obviousMIN(lines, sets, ways)
		for _, p := range Policies() {
			got, err := MIN(context.Background(), rec, oneLevel(sets, ways, p), 0, nil)
			if err != nil || got.Misses != want || got.Actual < got.Misses || got.Cold > got.Misses {
				t.Fatalf("seed %d: %s, %d ways, %d sets: %+v (%v), want %d misses", seed, p, ways, sets, got, err, want)
			}
			if got.Actual > got.Misses {
				beaten[p]++
			}
		}
	}
	for _, p := range Policies() {
		if beaten[p] < 10 {
			t.Errorf("MIN is better than %s on %d of 20 streams only: the bound says nothing", p, beaten[p])
		}
	}
}

// TestMINOfLowerLevels takes the requests that reach L2 from the events and looks for the obvious bound of them.
func TestMINOfLowerLevels(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 11))
		c := plainConfig(r)
		rec := randomRecording(r, 4)
		for level, l := range c.Levels {
			var lines []uint64
			h := fresh(t, c)
			for _, b := range rec {
				for _, e := range h.events(b, 0, b.Len(), b.First, nil) {
					if int(e.Level) == level && e.Op <= Allocate {
						lines = append(lines, uint64(e.Line)/uint64(l.Block))
					}
				}
			}
			got, err := MIN(context.Background(), rec, c, level, nil)
			if want := obviousMIN(lines, l.Sets(), l.Ways); err != nil || got.Misses != want ||
				got.Requests != uint64(len(lines)) {
				t.Fatalf("seed %d: level %d: %+v (%v), want %d misses of %d\n%s", seed, level, got, err, want, len(lines), c.TOML())
			}
		}
	}
	if _, err := MIN(context.Background(), recording{}, oneLevel(1, 1, LRU), 1, nil); err == nil {
		t.Error("a level that is not there has a bound")
	}
}
