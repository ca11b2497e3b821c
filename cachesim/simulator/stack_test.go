package simulator

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
)

// obviousDistances is the depth of every request in a list that is kept in order of use, -1 for first requests.
func obviousDistances(lines []uint64) (distances []int) {
	var list []uint64
	for _, line := range lines {
		at := slices.Index(list, line)
		distances = append(distances, at)
		if at >= 0 {
			list = slices.Delete(list, at, at+1)
		}
		list = slices.Insert(list, 0, line)
	}
	return distances
}

// wide has references all over a space of the given number of lines of 16 bytes, with runs, loops and returns.
func wide(r *rand.Rand, lines, rows int) recording {
	b := new(traceio.Block)
	at := uint64(0)
	for range rows {
		switch r.IntN(6) {
		case 0:
			at = r.Uint64N(uint64(lines))
		case 1:
			at = r.Uint64N(40)
		default:
			at = (at + 1) % uint64(lines)
		}
		b.Append(traceio.Access{Addr: traceio.Addr(1<<40 + at*16 + r.Uint64N(16)), Size: uint16(r.IntN(20)),
			Kind: traceio.Kind(r.IntN(3))})
	}
	return recording{b}
}

func TestStackDistances(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 12))
		rec := wide(r, 1<<(3+seed%9), 6000)
		var lines []uint64
		if err := eachLine(context.Background(), rec, 16, nil,
			func(l []uint64) error { lines = append(lines, l...); return nil }); err != nil {
			t.Fatal(err)
		}
		distances := obviousDistances(lines)
		got, err := StackDistances(context.Background(), rec, 16, nil)
		if err != nil || got.References != uint64(rec.Len()) || got.Requests != uint64(len(lines)) || got.Rate < 1 {
			t.Fatalf("seed %d: %+v, %v", seed, got, err)
		}
		blocks := 0
		for size := range got.Blocks() + 3 {
			want := uint64(0)
			blocks = 0
			for _, d := range distances {
				if d < 0 || d >= size {
					want++
				}
				if d < 0 {
					blocks++
				}
			}
			if m := got.Misses(size); m != want {
				t.Fatalf("seed %d: a cache of %d blocks misses %d, want %d", seed, size, m, want)
			}
		}
		if got.Blocks() != blocks || got.Cold != uint64(blocks) {
			t.Fatalf("seed %d: %d blocks, %d cold, want %d", seed, got.Blocks(), got.Cold, blocks)
		}
	}
}

// TestRequestsLookedUpAhead asks by turns for blocks that are far and near, dense and scattered: all depths are as if
// each came by itself, whenever late counts are added up.
func TestRequestsLookedUpAhead(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 13))
	var lines []uint64
	for len(lines) < 150000 {
		low, high := r.Uint64N(40000), uint64(1)<<r.IntN(16)
		scattered := r.IntN(3) * 20
		for range r.IntN(3000) {
			lines = append(lines, (low+r.Uint64N(high))<<scattered)
		}
	}
	together, single := newStack(), newStack()
	for rest := lines; len(rest) > 0; {
		n := min(1+r.IntN(20000), len(rest))
		together.requests(rest[:n])
		if r.IntN(3) == 0 {
			together.sum()
		}
		rest = rest[n:]
	}
	for _, line := range lines {
		single.count(single.request(line))
	}
	got, want := together.misses(), single.misses()
	if !slices.Equal(got, want) || together.cold != single.cold || got[0] != uint64(len(lines)) {
		t.Fatalf("%d cold requests and %d sizes, want %d and %d, or their misses differ", together.cold, len(got),
			single.cold, len(want))
	}
}

// TestStackOutlivesItsAxis asks for so much that the gaps on the axis of time are closed and the axis grows, several
// times.
func TestStackOutlivesItsAxis(t *testing.T) {
	s := newStack()
	s.setAxis(groupBits)
	r := rand.New(rand.NewPCG(1, 13))
	var lines []uint64
	for range 20000 {
		line := uint64(r.IntN(1 + r.IntN(3000)))
		lines = append(lines, line)
		s.count(s.request(line))
	}
	want := make([]uint32, len(s.deep))
	cold := uint64(0)
	for _, d := range obviousDistances(lines) {
		if d < 0 {
			cold++
			continue
		}
		want[d]++
	}
	if !slices.Equal(s.deep, want) || s.cold != cold {
		t.Error("distances differ from the obvious ones")
	}
	ahead := newStack()
	ahead.setAxis(groupBits)
	ahead.requests(lines)
	ahead.deepen(len(want) - 1)
	if !slices.Equal(ahead.deep[:len(want)], want) || ahead.cold != cold {
		t.Error("distances looked up ahead differ from the obvious ones")
	}
	if len(s.left)*64 <= 2*groupBits {
		t.Errorf("the axis has %d places; this test wanted it to grow", len(s.left)*64)
	}
}

// TestBlockSet puts in blocks that are dense and scattered, some again.
func TestBlockSet(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 13))
	s, want := newBlockSet(), map[uint64]bool{}
	for range 30000 {
		line := r.Uint64() >> r.IntN(64)
		s.add(line)
		want[line] = true
	}
	s.each(func(line uint64) {
		if !want[line] {
			t.Fatalf("block %d is there once more or was never put in", line)
		}
		delete(want, line)
	})
	if len(want) > 0 {
		t.Errorf("%d blocks are missing", len(want))
	}
}

// TestCurveIsTheCaches simulates fully associative caches of some sizes, and set associative ones, and finds them on
// the curves.
func TestCurveIsTheCaches(t *testing.T) {
	rec := wide(rand.New(rand.NewPCG(5, 14)), 700, 20000)
	misses := func(sets, ways int) uint64 {
		h := fresh(t, oneLevel(sets, ways, LRU))
		for _, b := range rec {
			h.Run(b)
		}
		return h.Totals().Levels[0].Misses()
	}
	curve, err := StackDistances(context.Background(), rec, 16, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range curve.Points(2) {
		if n := int(p.Size / 16); p.Misses != misses(1, n) || p.Ratio != float64(p.Misses)/float64(curve.Requests) {
			t.Errorf("%d blocks: %+v, the cache misses %d", n, p, misses(1, n))
		}
	}
	if last := curve.Points(1); last[len(last)-1].Misses != curve.Cold {
		t.Errorf("the curve ends at %+v before everything fits", last[len(last)-1])
	}
	for _, sets := range []int{1, 8, 64} {
		c, err := SetDistances(context.Background(), rec, 16, sets, 24, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, ways := range []int{1, 2, 3, 8, 24} {
			if c.Misses(ways) != misses(sets, ways) {
				t.Errorf("%d sets of %d ways: %d misses, the cache has %d", sets, ways, c.Misses(ways), misses(sets, ways))
			}
		}
		requests, blocks := uint64(0), 0
		for _, p := range c.Sets {
			requests, blocks = requests+p.Requests, blocks+p.Blocks
		}
		if requests != c.Requests || c.Misses(0) != c.Requests || blocks != curve.Blocks() {
			t.Errorf("%d sets: %d requests of %d, %d blocks of %d", sets, requests, c.Requests, blocks, curve.Blocks())
		}
	}
}

// TestSampledCurve holds the preview to the exact curve where there is no cliff, and to the exact one at a rate of 1.
func TestSampledCurve(t *testing.T) {
	rec := wide(rand.New(rand.NewPCG(6, 15)), 20000, 200000)
	exact, err := StackDistances(context.Background(), rec, 16, nil)
	if err != nil {
		t.Fatal(err)
	}
	all, err := SampledDistances(context.Background(), rec, 16, 1, nil)
	if err != nil || all.Rate < 1 || !slices.Equal(all.misses, exact.misses) {
		t.Errorf("the sample of everything is not exact (%v)", err)
	}
	some, err := SampledDistances(context.Background(), rec, 16, 0.1, nil)
	if err != nil || some.Rate == 1 {
		t.Fatalf("%+v, %v", some, err)
	}
	for n := 512; n < 20000; n *= 2 {
		if e, s := exact.Ratio(Size(n*16)), some.Ratio(Size(n*16)); math.Abs(e-s) > 0.05 {
			t.Errorf("%d blocks miss %.3f, the sample says %.3f", n, e, s)
		}
	}
	for _, rate := range []float64{0, -1, 1.1, math.NaN()} {
		if _, err := SampledDistances(context.Background(), rec, 16, rate, nil); err == nil {
			t.Errorf("a rate of %v is taken", rate)
		}
	}
}

func TestDistancesRefuse(t *testing.T) {
	rec := wide(rand.New(rand.NewPCG(6, 16)), 20, 20)
	for _, block := range []Size{0, 2, 48} {
		if _, err := StackDistances(context.Background(), rec, block, nil); err == nil {
			t.Errorf("blocks of %v are taken", block)
		}
	}
	for _, tt := range [][2]int{{0, 1}, {3, 1}, {4, 0}, {1 << 20, 1 << 10}, {4, MaxDepth + 1}} {
		if _, err := SetDistances(context.Background(), rec, 16, tt[0], tt[1], nil); err == nil {
			t.Errorf("%d sets to depth %d are taken", tt[0], tt[1])
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := StackDistances(ctx, rec, 16, nil); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}
