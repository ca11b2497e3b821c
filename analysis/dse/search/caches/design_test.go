package caches

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orrery/analysis/dse/search"
	"orrery/cachesim"
	"orrery/cachesim/model"
	"orrery/traceio/designs"
)

func TestDesignsAsText(t *testing.T) {
	p := problem(t, randomRecording(rand.New(rand.NewPCG(1, 1)), 1, 10), DefaultSpace())
	for _, d := range drawn(p, rand.New(rand.NewPCG(5, 5)), 300) {
		again, err := ParseDesign(d.String())
		if err != nil || again.String() != d.String() || again.Block != d.Block || !slices.Equal(again.Levels, d.Levels) {
			t.Errorf("%v becomes %v, %v", d, again, err)
		}
		g, err := p.Genome(d)
		if err != nil || p.Design(g).String() != d.String() {
			t.Errorf("%v becomes %v, %v", d, g, err)
		}
	}
	for _, text := range []string{"", "64B", "64B | ", "x | 32KiB/8 lru back", "64B | 32KiB lru back",
		"64B | 32KiB/x lru back", "64B | 32KiB/8 best back", "64B | 32KiB/8 lru sideways",
		"64B | 32KiB/8 lru back psychic", "64B | 32KiB/7 lru back", "64B | 32KB/8 lru back",
		strings.Repeat("64B | 32KiB/8 lru back", 5), "60B | 32KiB/8 lru back"} {
		if d, err := ParseDesign(text); err == nil {
			t.Errorf("%q is taken for %v", text, d)
		}
	}
	if _, err := p.Genome(Design{64, []Level{{Size: 5 * cachesim.KiB, Ways: 5}}}); err == nil {
		t.Error("a design that is not in the space has a genome")
	}
}

func FuzzParseDesign(f *testing.F) {
	f.Add(exampleDesign)
	f.Add("32B | 4KiB/1 fifo through stride")
	f.Add("64B | 16777216TiB/99999999 lru back")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDesign(text)
		if err != nil {
			return
		}
		if again, err := ParseDesign(d.String()); err != nil || again.String() != d.String() {
			t.Fatalf("%q becomes %q, %v", text, d, err)
		}
	})
}

// TestPointsBecomeHierarchies: a point of the search's table, with its ID or without, is a hierarchy that the cache
// view can run, and running it gives what the table tells.
func TestPointsBecomeHierarchies(t *testing.T) {
	rec := open(t, standard)
	p := problem(t, rec, DefaultSpace())
	o := search.DefaultOptions(p)
	o.Population = 7
	s, err := search.New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), 3, nil, nil); err != nil {
		t.Fatal(err)
	}
	set, err := s.Set()
	if err != nil {
		t.Fatal(err)
	}
	bare := *set
	bare.ID = nil
	for i := range set.N {
		d, err := FromPoint(set, i)
		if err != nil {
			t.Fatal(err)
		}
		c, err := ConfigOf(set, i, p.space.Memory)
		if err != nil {
			t.Fatal(err)
		}
		if got := plain(t, rec, c).AMAT; got != set.Objectives[0].Values[i] {
			t.Errorf("%v takes %v ns, the table has %v", d, got, set.Objectives[0].Values[i])
		}
		shape, err := FromPoint(&bare, i)
		if err != nil {
			t.Fatal(err)
		}
		for k := range d.Levels {
			if len(shape.Levels) != len(d.Levels) || shape.Levels[k].Size != d.Levels[k].Size ||
				shape.Levels[k].Ways != d.Levels[k].Ways || shape.Block != d.Block {
				t.Errorf("%v becomes %v by its parameters", d, shape)
			}
		}
	}
	for _, i := range []int{-1, set.N} {
		if _, err := ConfigOf(set, i, p.space.Memory); err == nil {
			t.Errorf("point %d is a hierarchy", i)
		}
	}
	if _, err := FromPoint(&designs.Set{N: 1}, 0); err == nil {
		t.Error("a point without parameters is a hierarchy")
	}
}

// TestWorthByHand prices one L1 of 32 KiB in 8 ways and 64 bytes with 100 reads and 50 writes, of which 10 and 5 miss,
// below it 15 reads and 4 writes of memory.
func TestWorthByHand(t *testing.T) {
	d := Design{64, []Level{{32 * cachesim.KiB, 8, cachesim.LRU, cachesim.Back, ""}}}
	totals := []model.StageTotals{{Counts: cachesim.Counts{Reads: 100, Writes: 50, ReadMisses: 10, WriteMisses: 5},
		Below: cachesim.Traffic{Reads: 15, Writes: 4}}}
	w, err := Weigh(d, totals, DefaultCosts(), DefaultMemory())
	if err != nil {
		t.Fatal(err)
	}
	time := 0.89854 + 15*60/150.0
	leak := 22.783e-3 * time // mW ns are pJ
	energy := (100*0.123424+(50+15)*0.123748)/150 + leak + 19*20/150.0
	for _, row := range []struct{ got, want float64 }{{w.Time, time}, {w.Leakage, leak}, {w.Energy, energy},
		{w.Area, 0.34708}, {w.Memory, 19 * 20 / 150.0}} {
		if math.Abs(row.got/row.want-1) > 1e-12 {
			t.Errorf("%v, want %v", row.got, row.want)
		}
	}
}

// TestImpossibleDesigns: each reason alone makes a design impossible, the more so the farther it is from possible.
func TestImpossibleDesigns(t *testing.T) {
	costs := DefaultCosts()
	const KiB = cachesim.KiB
	level := func(size cachesim.Size, ways int) Level { return Level{size, ways, cachesim.LRU, cachesim.Back, ""} }
	s := DefaultSpace()
	s.Area = 1
	near := []struct {
		name      string
		low, high Design // high violates more
	}{
		{"too few sets", Design{64, []Level{level(4*KiB, 4)}}, Design{64, []Level{level(4*KiB, 16)}}},
		{"not larger than above", Design{64, []Level{level(32*KiB, 4), level(32*KiB, 4)}},
			Design{64, []Level{level(64*KiB, 4), level(32*KiB, 4)}}},
		{"too large", Design{64, []Level{level(1024*KiB, 4)}}, Design{64, []Level{level(4096*KiB, 4)}}},
		{"a tree of 12 ways", Design{64, []Level{{48 * KiB, 12, cachesim.TreePLRU, cachesim.Back, ""}}},
			Design{64, []Level{{768 * KiB, 12, cachesim.TreePLRU, cachesim.Back, ""}}}},
	}
	for _, row := range near {
		low, high := s.violation(row.low, costs), s.violation(row.high, costs)
		if !(low > 0) || !(high > low) {
			t.Errorf("%s: %v violates %v, %v %v", row.name, row.low, low, row.high, high)
		}
	}
	for _, d := range []Design{{64, []Level{level(4*KiB, 2)}}, {32, []Level{level(4*KiB, 4), level(64*KiB, 16)}},
		{64, []Level{level(48*KiB, 12)}}} {
		if v := s.violation(d, costs); v != 0 {
			t.Errorf("%v violates %v", d, v)
		}
	}
}

func TestSpacesThatCannotBe(t *testing.T) {
	for i, change := range []func(*Space){
		func(s *Space) { s.Counts = nil }, func(s *Space) { s.Counts = []int{4} }, func(s *Space) { s.Counts = []int{2, 1} },
		func(s *Space) { s.Blocks = nil },
		func(s *Space) { s.Area = math.NaN() }, func(s *Space) { s.Memory.Time = -1 }, func(s *Space) {
			s.Levels[1].Ways = nil
		},
		func(s *Space) { s.Levels[0].Policies = []cachesim.Policy{"best"} }, func(s *Space) {
			s.Levels[0].Sizes = []cachesim.Size{2, 1}
		},
	} {
		s := DefaultSpace()
		change(&s)
		if err := s.Validate(); err == nil {
			t.Errorf("space %d is taken", i)
		}
	}
	s, other := DefaultSpace(), DefaultSpace()
	other.Area = 3
	rec := randomRecording(rand.New(rand.NewPCG(1, 1)), 1, 10)
	a, b := problem(t, rec, s), problem(t, rec, other)
	c := problem(t, randomRecording(rand.New(rand.NewPCG(1, 2)), 1, 10), s)
	if a.Identity() == b.Identity() || a.Identity() == c.Identity() || a.Identity() != problem(t, rec, s).Identity() {
		t.Error("searches that differ have one identity, or equal ones two")
	}
	if err := errors.Join(s.Validate(), other.Validate()); err != nil {
		t.Error(err)
	}
}
