package simulator

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
	"orrery/traceio/store"
)

// open opens a recording as the application does.
func open(t testing.TB, path string) *store.Recording {
	t.Helper()
	rec, err := store.Open(context.Background(), path, store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	})
	return rec
}

// references is the first rows of a recording, at most so many.
func references(t testing.TB, rec *store.Recording, most int) []traceio.Access {
	t.Helper()
	var refs []traceio.Access
	for i := range rec.Blocks() {
		b, err := rec.Block(i)
		if err != nil {
			t.Fatal(err)
		}
		for row := range b.Addr {
			if refs = append(refs, rowOf(b, row)); len(refs) == most {
				return refs
			}
		}
	}
	return refs
}

// TestYardstickIsReadEqually holds the application's way from the yardstick's file to references against the obvious
// one.
func TestYardstickIsReadEqually(t *testing.T) {
	const path = "../../testdata/oracles/quicksort.lk.gz"
	got, want := references(t, open(t, path), -1), readLackey(t, path)
	for i := range got {
		got[i].PC = 0 // the obvious reader leaves it out
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d references, want %d, or they differ", len(got), len(want))
	}
}

// richConfigs have among them everything that there is.
func richConfigs() []Config {
	return []Config{
		{Name: "rich", Levels: []Level{
			{Name: "L1I", Kind: Instruction, Size: 512, Ways: 4, Block: 32, Policy: FIFO, Prefetch: NextLine},
			{Name: "L1D", Kind: Data, Size: 512, Ways: 4, Block: 32, Policy: TreePLRU, Prefetch: Stride, VictimBlocks: 3},
			{Name: "L2", Kind: Unified, Size: 4 * KiB, Ways: 8, Block: 64, Policy: SRRIP, Inclusion: Inclusive},
		}},
		{Name: "through", Levels: []Level{
			{Name: "L1", Kind: Unified, Size: 384, Ways: 3, Block: 16, Policy: Random, Seed: 3,
				Write: WriteThrough, NoAllocate: true},
			{Name: "L2", Kind: Unified, Size: 1 * KiB, Ways: 4, Block: 16, Policy: BitPLRU, Inclusion: Exclusive},
			{Name: "L3", Kind: Unified, Size: 4 * KiB, Ways: 16, Block: 32, Policy: BRRIP, Seed: 5, Prefetch: NextLine},
		}},
		{Name: "cores", Cores: 3, Levels: []Level{
			{Name: "L1", Kind: Unified, Size: 512, Ways: 2, Block: 64},
			{Name: "L2", Kind: Unified, Size: 1 * KiB, Ways: 4, Block: 64, Policy: BRRIP, Inclusion: Exclusive},
			{Name: "L3", Kind: Unified, Size: 8 * KiB, Ways: 8, Block: 64, Policy: BitPLRU, Inclusion: Inclusive, Shared: true},
		}},
	}
}

// TestShippedRecordings holds the counts, classes included, against the twin on the first references of every recording
// that ships, under caches small enough for everything to be evicted and, for one, every preset; and states in the
// middle against the twin's.
func TestShippedRecordings(t *testing.T) {
	files, err := filepath.Glob("../../testdata/recordings/*.orr")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings in testdata/recordings (%v); make them with testdata/record.sh", err)
	}
	small := append(richConfigs(), Config{Name: "small", Levels: []Level{
		{Name: "L1", Kind: Unified, Size: 64, Ways: 2, Block: 8}, {Name: "L2", Kind: Unified, Size: 384, Ways: 3,
			Block: 16, Policy: FIFO},
	}})
	var presets []Config
	for _, name := range Presets() {
		c, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		presets = append(presets, c)
	}
	const rows = 2000
	for _, file := range files {
		refs := references(t, open(t, file), rows)
		if len(refs) == 0 {
			t.Errorf("%s is empty", file)
		}
		configs := small
		name := strings.TrimSuffix(filepath.Base(file), ".orr")
		if name == "matmul-standard" {
			configs = slices.Concat(small, presets)
		}
		for _, c := range configs {
			t.Run(name+"/"+c.Name, func(t *testing.T) { checkRecording(t, blocksOf(refs, 1<<12), refs, c) })
		}
	}
}

func checkRecording(t *testing.T, rec recording, refs []traceio.Access, c Config) {
	h := fresh(t, c)
	h.Classify()
	for _, b := range rec {
		h.Run(b)
	}
	replay, err := NewReplay(context.Background(), rec, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, uint64(len(refs))))
	stop := traceio.Seq(r.Uint64N(uint64(rec.Len())))
	slow := newTwin(c)
	seq := traceio.Seq(0)
	for i, a := range refs {
		if seq == stop && (i == 0 || refs[i-1].Kind != traceio.Fetch) {
			checkState(t, replay, slow, stop)
		}
		slow.reference(a)
		if a.Kind != traceio.Fetch {
			seq++
		}
	}
	checkState(t, replay, slow, rec.Len())
	got := h.Totals()
	got.TLBs, got.Walks = nil, 0 // the twin's translation has its own test
	equalTotals(t, 0, c, "a recording", got, slow.totals())
}

func checkState(t *testing.T, replay *Replay, slow *twin, at traceio.Seq) {
	t.Helper()
	s, err := replay.At(at)
	if err != nil {
		t.Fatal(err)
	}
	equalState(t, uint64(at), "Replay", s, slow)
}

func TestAMAT(t *testing.T) {
	c := Config{Memory: MainMemory{Latency: 100}, Levels: []Level{
		{Name: "L1", Kind: Data, Size: 64, Ways: 1, Block: 32, Latency: 1}, {Name: "L2", Kind: Unified, Size: 256, Ways: 1,
			Block: 32, Latency: 10},
	}}
	h := fresh(t, c)
	if got := h.Totals().AMAT; got != 0 {
		t.Errorf("AMAT of nothing is %v", got)
	}
	b := new(traceio.Block)
	// Misses both; hits L1; misses both and evicts the dirty first, whose write-back costs nothing; misses L1, hits L2.
	for _, a := range []traceio.Access{{Addr: 0, Size: 8, Kind: traceio.Store}, {Addr: 8, Size: 8}, {Addr: 64, Size: 8},
		{Addr: 0, Size: 8}} {
		b.Append(a)
	}
	h.Run(b)
	if got, want := h.Totals().AMAT, (4*1+3*10+2*100)/4.0; got != want {
		t.Errorf("AMAT %v, want %v; %+v", got, want, h.Totals())
	}
}

// TestEnds has references at both ends of the address space and without a size.
func TestEnds(t *testing.T) {
	for _, tt := range []struct {
		addr  traceio.Addr
		size  uint16
		reads uint64
	}{{0, 0, 1}, {0, 1, 1}, {64, 0, 1}, {^traceio.Addr(0), 0, 1}, {^traceio.Addr(0), 1, 1}, {^traceio.Addr(0), 8, 1},
		{^traceio.Addr(0) - 4, 8, 2}, {0, 65535, 16384}} {
		h := fresh(t, Config{Levels: []Level{{Name: "L1", Kind: Data, Size: 64, Ways: 2, Block: 4}}})
		b := new(traceio.Block)
		b.Append(traceio.Access{Addr: tt.addr, Size: tt.size})
		h.Run(b)
		h.events(b, 0, b.Len(), b.First, nil)
		if l := h.Totals().Levels[0]; l.Reads != 2*tt.reads || l.ReadMisses < tt.reads {
			t.Errorf("%d bytes at %v, twice: %+v, want %d reads", tt.size, tt.addr, l, 2*tt.reads)
		}
	}
}
