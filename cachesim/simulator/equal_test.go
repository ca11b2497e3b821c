package simulator

import (
	"math/rand/v2"
	"slices"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
)

func TestEqualsTwin(t *testing.T) {
	for seed := range uint64(70) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := randomConfig(r)
		plain, served, keyed, classed, pictured := fresh(t, c), fresh(t, c), fresh(t, c), fresh(t, c), fresh(t, c)
		classed.Classify()
		slow, pages := newTwin(c), newTwin(c.Translation())
		keys := NewAttribution(c, 7)
		sets := NewSetCounts(c)
		bySet := fresh(t, c)
		seq := traceio.Seq(0)
		for range 3 {
			b := randomBlock(r, seq, 1+r.IntN(600))
			seq += traceio.Seq(b.Data())
			where := make([]Served, b.Len())
			plain.Run(b)
			served.RunServed(b, where)
			classed.Run(b)
			pictured.events(b, 0, b.Len(), b.First, nil)
			bySet.RunSets(b, sets)
			column := make([]int32, b.Len())
			for i := range column {
				column[i] = int32(b.Addr[i] % 7)
			}
			keyed.RunKeyed(b, column, keys)
			for i := range b.Addr {
				level, whole := slow.reference(rowOf(b, i))
				want := Unserved
				if level >= 0 {
					want = Served(2 * level)
				}
				if a := rowOf(b, i); len(pages.levels) > 0 {
					a.Kind &^= traceio.Store
					pages.reference(a)
				}
				if whole {
					want++
				}
				if where[i] != want {
					t.Fatalf("seed %d: row %d served by %d, want %d\n%s", seed, i, where[i], want, c.TOML())
				}
			}
		}
		want := slow.totals()
		for _, l := range pages.levels {
			want.TLBs = append(want.TLBs, l.counts)
		}
		want.Walks = pages.memory.Reads
		equalTotals(t, seed, c, "Classify", classed.Totals(), want)
		for i := range len(want.Levels) + len(want.TLBs) {
			l := &want.Levels[min(i, len(want.Levels)-1)]
			if i >= len(want.Levels) {
				l = &want.TLBs[i-len(want.Levels)]
			}
			l.Compulsory, l.Capacity, l.Conflict, l.Coherence = 0, 0, 0, 0
		}
		for name, h := range map[string]*Hierarchy{"Run": plain, "RunServed": served, "RunKeyed": keyed,
			"runEvents": pictured, "RunSets": bySet} {
			equalTotals(t, seed, c, name, h.Totals(), want)
			equalState(t, seed, name, h.snapshot(0), slow)
		}
		checkKeys(t, seed, keys, sets, want)
	}
}

func rowOf(b *traceio.Block, i int) traceio.Access {
	return traceio.Access{Addr: b.Addr[i], PC: b.PC[i], Size: b.Size[i], Kind: b.Kind[i], Thread: b.Thread[i]}
}

func equalState(t *testing.T, seed uint64, name string, s *State, slow *twin) {
	t.Helper()
	for level, l := range s.Config().Levels {
		for set := range l.Sets() + 1 {
			if got, want := s.Lines(level, set, nil), slow.lines(level, set); !slices.Equal(got, want) {
				t.Fatalf("seed %d: %s: level %d set %d holds\n%v, want\n%v\n%s", seed, name, level, set, got, want,
					s.Config().TOML())
			}
		}
	}
}

// checkKeys holds what is counted by key and by set against the totals.
func checkKeys(t *testing.T, seed uint64, keys *Attribution, sets [][]SetCounts, want Totals) {
	t.Helper()
	for level, l := range want.Levels {
		var misses, writeBacks uint64
		for k := range keys.Misses[level] {
			misses += keys.Misses[level][k]
			writeBacks += keys.WriteBacks[level][k]
		}
		var all SetCounts
		for _, s := range sets[level] {
			all.Reads, all.Writes, all.Fetches = all.Reads+s.Reads, all.Writes+s.Writes, all.Fetches+s.Fetches
			all.Misses, all.WriteBacks = all.Misses+s.Misses, all.WriteBacks+s.WriteBacks
		}
		if misses != l.Misses() || writeBacks != l.WriteBacks || all != (SetCounts{Fetches: l.Fetches, Reads: l.Reads,
			Writes: l.Writes, Misses: l.Misses(), WriteBacks: writeBacks}) {
			t.Fatalf("seed %d: level %d: by key %d misses and %d write-backs, by set %+v, want %+v", seed, level, misses,
				writeBacks, all, l)
		}
	}
}

func fresh(t testing.TB, c Config) *Hierarchy {
	t.Helper()
	h, err := New(c)
	if err != nil {
		t.Fatalf("%v: %+v", err, c)
	}
	return h
}

// equalTotals compares what is counted; AMAT has its own test.
func equalTotals(t *testing.T, seed uint64, c Config, name string, got, want Totals) {
	t.Helper()
	if got.References != want.References || got.Memory != want.Memory || got.Walks != want.Walks ||
		!slices.Equal(got.Levels, want.Levels) || !slices.Equal(got.TLBs, want.TLBs) {
		t.Fatalf("seed %d: %s counts\n got %+v\nwant %+v\n%s", seed, name, got, want, c.TOML())
	}
}
