package cachesim

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orrery/traceio"
)

// onFoot makes a hierarchy go by the loops in Go.
func onFoot(h *Hierarchy) *Hierarchy {
	h.marching = false
	for _, l := range h.levels {
		l.march = nil
	}
	return h
}

// TestStoresAndFetches counts the kinds of blocks of all lengths one by one.
func TestStoresAndFetches(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 31))
	h := fresh(t, Config{Levels: []Level{{Name: "L1", Kind: Unified, Size: KiB, Ways: 2, Block: 64}}})
	foot := onFoot(fresh(t, h.Config()))
	for n := range 3000 {
		kinds := make([]traceio.Kind, n)
		var want [3]uint64
		for i := range kinds {
			kinds[i] = traceio.Kind(r.IntN(3))
			want[kinds[i]]++
		}
		for _, h := range []*Hierarchy{h, foot} {
			if stores, fetches := h.storesAndFetches(kinds); stores != want[traceio.Store] || fetches != want[traceio.Fetch] {
				t.Fatalf("%d kinds, marching %v: %d stores and %d fetches, want %d and %d", n, h.marching, stores, fetches,
					want[traceio.Store], want[traceio.Fetch])
			}
		}
	}
}

// edgyBlock has references of all sizes in a few places and at the last addresses: rows in one block and in many,
// stores that cover blocks, sizes of nothing.
func edgyBlock(r *rand.Rand, first traceio.Seq, rows int, last uint64) *traceio.Block {
	b := new(traceio.Block)
	b.Reset(first)
	bases := []uint64{0, 0x10000, 0x7fff0000, last - 40, uint64(r.IntN(1 << 30))}
	sizes := []uint16{0, 1, 2, 4, 4, 4, 8, 8, 8, 8, 16, 32, 100}
	for b.Len() < rows {
		base, spread := bases[r.IntN(len(bases))], 1+r.IntN(1<<(3+r.IntN(9)))
		size, walk := sizes[r.IntN(len(sizes))], r.IntN(2) == 0
		for i := range 1 + r.IntN(100) {
			at := uint64(r.IntN(spread))
			if walk {
				at = uint64(i) * uint64(size)
			}
			if r.IntN(4) > 0 {
				at &^= 3
			}
			b.Append(traceio.Access{Addr: traceio.Addr(base + at), Size: size, Kind: traceio.Kind(r.IntN(3))})
		}
	}
	return b
}

// narrowConfig is levels under LRU of any width, blocks from 4 bytes on, some without a level for fetches.
func narrowConfig(r *rand.Rand) Config {
	ways := []int{1, 2, 2, 3, 4, 4, 4, 8, 8, 8, 12, 16, 32, 40}
	block := Size(4) << r.IntN(4)
	level := func(name string, kind Kind) Level {
		l := Level{Name: name, Kind: kind, Block: block, Ways: ways[r.IntN(len(ways))]}
		l.Size = l.Block * Size(l.Ways) << r.IntN(5)
		return l
	}
	c := Config{Levels: [][]Level{
		{level("L1I", Instruction), level("L1D", Data)}, {level("L1I", Instruction), level("L1D", Data)},
		{level("L1", Unified)}, {level("L1", Data)},
	}[r.IntN(4)]}
	for i := range r.IntN(3) {
		block <<= r.IntN(2)
		c.Levels = append(c.Levels, level("L"+string(rune('2'+i)), Unified))
	}
	return c
}

// TestMarch holds the loops in assembly against those in Go and against the twin: counts, states and events, before and
// after a state came from elsewhere.
func TestMarch(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 77))
		c := narrowConfig(r)
		fast, foot, logged, loggedOnFoot, slow := fresh(t, c), onFoot(fresh(t, c)), fresh(t, c),
			onFoot(fresh(t, c)), newTwin(c)
		told, toldOnFoot := fresh(t, c), onFoot(fresh(t, c))
		served, servedOnFoot := make([]Served, traceio.MaxBlock), make([]Served, traceio.MaxBlock)
		if c.Levels[0].Kind != Data && fast.marching != (marches() && fast.passes) {
			t.Fatalf("seed %d: marching is %v\n%s", seed, fast.marching, c.TOML())
		}
		var log, logOnFoot Log
		points, seq := newCheckpoints(len(fast.arena), usual), traceio.Seq(0)
		for i := range 4 {
			b := edgyBlock(r, seq, 200, 1<<48)
			if i == 1 {
				b = farBlock(r, seq, 200)
			}
			seq += traceio.Seq(b.Data())
			if points.take(fast, position{i, 0}); i == 2 {
				foot.restore(points.list[i])
				fast.restore(points.list[i])
			}
			fast.Run(b)
			foot.Run(b)
			logged.RunLog(b, &log)
			loggedOnFoot.RunLog(b, &logOnFoot)
			told.RunServed(b, served)
			toldOnFoot.RunServed(b, servedOnFoot)
			if !slices.Equal(served[:b.Len()], servedOnFoot[:b.Len()]) {
				t.Fatalf("seed %d, block %d: rows are served %v, on foot %v\n%s", seed, i, served[:b.Len()],
					servedOnFoot[:b.Len()], c.TOML())
			}
			if got, want := log.Events(nil), logOnFoot.Events(nil); !slices.Equal(got, want) {
				t.Fatalf("seed %d, block %d: %d events, on foot %d, or they differ\n%s", seed, i, len(got), len(want), c.TOML())
			}
			for row := range b.Addr {
				slow.reference(rowOf(b, row))
			}
		}
		want := slow.totals()
		for i := range want.Levels {
			l := &want.Levels[i]
			l.Compulsory, l.Capacity, l.Conflict = 0, 0, 0
		}
		for name, h := range map[string]*Hierarchy{"Run": fast, "Run on foot": foot, "RunLog": logged,
			"RunLog on foot": loggedOnFoot, "RunServed": told, "RunServed on foot": toldOnFoot} {
			equalTotals(t, seed, c, name, h.Totals(), want)
			if !slices.Equal(h.arena, fast.arena) {
				t.Fatalf("seed %d: after %s the levels hold something else than after Run\n%s", seed, name, c.TOML())
			}
		}
		equalState(t, seed, "Run", fast.snapshot(0), slow)
		b := edgyBlock(r, seq, 200, ^uint64(0)) // where the twin knows no end
		fast.Run(b)
		foot.Run(b)
		equalTotals(t, seed, c, "Run at the end of all addresses", fast.Totals(), foot.Totals())
		if !slices.Equal(fast.arena, foot.arena) {
			t.Fatalf("seed %d: after the end of all addresses the levels hold something else\n%s", seed, c.TOML())
		}
	}
}

// TestMarchOfRecordings is the same on the first references of every recording that ships, against the loops in Go.
func TestMarchOfRecordings(t *testing.T) {
	files, err := filepath.Glob("../testdata/recordings/*.orr")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings in testdata/recordings (%v); make them with testdata/record.sh", err)
	}
	const rows = 4000
	for _, file := range files {
		rec := blocksOf(references(t, open(t, file), rows), 1<<13)
		for _, name := range []string{DefaultPreset, "desktop", "example", "tiny"} {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".orr")+"/"+name, func(t *testing.T) {
				c, err := Preset(name)
				if err != nil {
					t.Fatal(err)
				}
				fast, logged, foot := fresh(t, c), fresh(t, c), onFoot(fresh(t, c))
				var log Log
				for range 2 {
					for _, b := range rec {
						fast.Run(b)
						logged.RunLog(b, &log)
						foot.Run(b)
					}
				}
				want := foot.Totals()
				for name, h := range map[string]*Hierarchy{"Run": fast, "RunLog": logged} {
					equalTotals(t, 0, c, name, h.Totals(), want)
					if !slices.Equal(h.arena, foot.arena) {
						t.Errorf("after %s the levels hold something else", name)
					}
				}
			})
		}
	}
}
