package simulator

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "orrery/cachesim"
	"orrery/cachesim/fast"
	"orrery/cachesim/model"
	"orrery/traceio"
)

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

// TestFast holds the engine for plain hierarchies against the model of all, and both against the twin: counts, states,
// who had the data and events, before and after a state came from elsewhere.
func TestFast(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 77))
		c := narrowConfig(r)
		if seed%4 == 3 {
			for i := range c.Levels {
				c.Levels[i].Policy = []Policy{LRU, FIFO}[r.IntN(2)]
			}
		}
		if !fast.Serves(c) {
			t.Fatalf("seed %d: the configuration is not plain\n%s", seed, c.TOML())
		}
		plain, restored, logged, told, slow := fresh(t, c), fresh(t, c), fresh(t, c), fresh(t, c), newTwin(c)
		modelled := onModel(t, c)
		served := make([]Served, traceio.MaxBlock)
		var log, modelLog Log
		points, seq := newCheckpoints(plain.size(), usual), traceio.Seq(0)
		for i := range 4 {
			b := edgyBlock(r, seq, 200, 1<<48)
			if i == 1 {
				b = farBlock(r, seq, 200)
			}
			if points.take(plain, position{i, 0}); i == 2 {
				restored.restore(points.list[i])
				plain.restore(points.list[i])
			}
			plain.Run(b)
			restored.Run(b)
			told.RunServed(b, served)
			logged.RunLog(b, &log)
			modelled.RunLog(b, &modelLog)
			if got, want := log.Events(nil), modelLog.Events(nil); !slices.Equal(got, want) {
				t.Fatalf("seed %d, block %d: %d events, of the model %d, or they differ\n%s", seed, i, len(got), len(want),
					c.TOML())
			}
			seq += traceio.Seq(b.Data())
			for row := range b.Addr {
				want, level, whole := Unserved, 0, false
				if level, whole = slow.reference(rowOf(b, row)); level >= 0 {
					want = Served(2 * level)
				}
				if whole {
					want++
				}
				if served[row] != want {
					t.Fatalf("seed %d, block %d: row %d is served by %v, want %v\n%s", seed, i, row, served[row], want, c.TOML())
				}
			}
		}
		want := slow.totals()
		for i := range want.Levels {
			l := &want.Levels[i]
			l.Compulsory, l.Capacity, l.Conflict = 0, 0, 0
		}
		for name, h := range map[string]*Hierarchy{"Run": plain, "Run of a state from elsewhere": restored, "RunLog": logged,
			"RunServed": told, "the model": modelled} {
			equalTotals(t, seed, c, name, h.Totals(), want)
			equalState(t, seed, name, h.snapshot(0), slow)
		}
		b := edgyBlock(r, seq, 200, ^uint64(0)) // where the twin knows no end
		plain.Run(b)
		modelled.Run(b)
		equalTotals(t, seed, c, "Run at the end of all addresses", plain.Totals(), modelled.Totals())
	}
}

// onModel is a hierarchy that package model simulates, whatever it is.
func onModel(t testing.TB, c Config) *Hierarchy {
	t.Helper()
	h := fresh(t, c)
	h.caches.engine = model.New(c)
	return h
}

// TestFastOfRecordings is the same on the first references of every recording that ships, against the model.
func TestFastOfRecordings(t *testing.T) {
	files, err := filepath.Glob("../../testdata/recordings/*.orr")
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
				plain, logged, modelled := fresh(t, c), fresh(t, c), onModel(t, c)
				var log, modelLog Log
				for range 2 {
					for _, b := range rec {
						plain.Run(b)
						logged.RunLog(b, &log)
						modelled.RunLog(b, &modelLog)
						if !slices.Equal(log.Events(nil), modelLog.Events(nil)) {
							t.Fatal("the events differ")
						}
					}
				}
				want := modelled.Totals()
				for name, h := range map[string]*Hierarchy{"Run": plain, "RunLog": logged} {
					equalTotals(t, 0, c, name, h.Totals(), want)
					if !slices.Equal(h.snapshot(0).words, modelled.snapshot(0).words) {
						t.Errorf("after %s the levels hold something else", name)
					}
				}
			})
		}
	}
}
