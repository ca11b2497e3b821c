package simulator

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
)

// These are small cases that can be followed by hand, beside the twin, which could share a misunderstanding.

// play runs references written as "r3", "w3" or "i3": a load, a store or a fetch of 4 bytes in block 3, of 16 bytes; a
// digit before the letter is the thread.
func play(t *testing.T, c Config, refs ...string) *Hierarchy {
	t.Helper()
	h := fresh(t, c)
	for i, r := range refs {
		b := new(traceio.Block)
		a := traceio.Access{Size: 4, PC: 1}
		if r[0] <= '9' {
			a.Thread, r = traceio.Thread(r[0]-'0'), r[1:]
		}
		a.Kind = map[byte]traceio.Kind{'r': traceio.Load, 'w': traceio.Store, 'i': traceio.Fetch}[r[0]]
		block := 0
		if _, err := fmt.Sscan(r[1:], &block); err != nil {
			t.Fatalf("reference %d: %v", i, err)
		}
		a.Addr = traceio.Addr(block * 16)
		b.Append(a)
		h.Run(b)
	}
	return h
}

// held is the blocks of a set in order of rank.
func held(h *Hierarchy, level, set int) (blocks []int) {
	for _, l := range h.snapshot(0).Lines(level, set, nil) {
		blocks = append(blocks, int(l.Addr/16))
	}
	return blocks
}

func TestPoliciesByHand(t *testing.T) {
	for _, tt := range []struct {
		policy Policy
		refs   string
		want   []int // the one that stays longest first
	}{
		{LRU, "r0 r1 r2 r3 r0 r4", []int{4, 0, 3, 2}},
		{FIFO, "r0 r1 r2 r3 r0 r4", []int{4, 3, 2, 1}},
		// Ways 0 to 3 have blocks 0 to 3; the use of 0 points the root to the right and there to way 2, as 3 was used
		// last.
		{TreePLRU, "r0 r1 r2 r3 r0", []int{0, 3, 1, 2}},
		{TreePLRU, "r0 r1 r2 r3 r0 r4", []int{4, 0, 3, 1}},
		// The use of 3 sets the last bit and clears the others; 0 then sets its own.
		{BitPLRU, "r0 r1 r2 r3", []int{3, 2, 1, 0}},
		{BitPLRU, "r0 r1 r2 r3 r0", []int{3, 0, 2, 1}},
		// All enter as long; 1 is used again and outlives a scan of four (figure 1 of the paper has the same).
		{SRRIP, "r0 r1 r2 r3 r1 r4 r5 r6", []int{1, 6, 5, 4}},
	} {
		h := play(t, oneLevel(1, 4, tt.policy), strings.Fields(tt.refs)...)
		if got := held(h, 0, 0); !slices.Equal(got, tt.want) {
			t.Errorf("%s after %s: %v, want %v", tt.policy, tt.refs, got, tt.want)
		}
	}
	// Of many blocks that come to a full set under BRRIP, a used one stays.
	refs := []string{"r0", "r0", "r1", "r2", "r3"}
	for i := range 60 {
		refs = append(refs, fmt.Sprint("r", 10+i))
	}
	if h := play(t, oneLevel(1, 4, BRRIP), refs...); !slices.Contains(held(h, 0, 0), 0) {
		t.Errorf("BRRIP let a scan take the used block: %v", held(h, 0, 0))
	}
	// Different seeds evict differently; the same seed does not.
	random := func(seed int64) []int {
		c := oneLevel(1, 4, Random)
		c.Levels[0].Seed = seed
		return held(play(t, c, refs...), 0, 0)
	}
	if !slices.Equal(random(1), random(1)) || slices.Equal(random(1), random(2)) && slices.Equal(random(1), random(3)) {
		t.Errorf("seeds 1, 1, 2, 3 leave %v %v %v %v", random(1), random(1), random(2), random(3))
	}
}

func TestStructuresByHand(t *testing.T) {
	one := func(change func(l *Level)) Config {
		c := oneLevel(4, 1, LRU)
		change(&c.Levels[0])
		return c
	}
	two := func(inclusion Inclusion) Config {
		return Config{Levels: []Level{
			{Name: "L1", Kind: Data, Size: 32, Ways: 2, Block: 16}, {Name: "L2", Kind: Unified, Size: 32, Ways: 2, Block: 16,
				Policy: FIFO, Inclusion: inclusion},
		}}
	}
	stream := make([]string, 64)
	steps := make([]string, 64)
	for i := range stream {
		stream[i], steps[i] = fmt.Sprint("r", i), fmt.Sprint("r", 3*i)
	}
	for _, tt := range []struct {
		name string
		c    Config
		refs []string
		want func(h *Hierarchy) string
		text string
	}{
		{"two blocks of one set, a victim buffer of one", one(func(l *Level) { l.VictimBlocks = 1 }),
			strings.Fields("r0 r4 r0 r4 r0 r4"),
			func(h *Hierarchy) string {
				return fmt.Sprint(h.Totals().Levels[0].Misses(), h.Totals().Levels[0].VictimHits)
			}, "2 4"},
		{"next-line prefetch of a stream", one(func(l *Level) { l.Prefetch = NextLine }), stream,
			func(h *Hierarchy) string {
				l := h.Totals().Levels[0]
				return fmt.Sprint(l.Misses(), l.Prefetches, l.Useful)
			}, "32 32 32"},
		// two references show the stride, a third confirms it
		{"stride prefetch of every third block", one(func(l *Level) { l.Prefetch = Stride }), steps,
			func(h *Hierarchy) string {
				l := h.Totals().Levels[0]
				return fmt.Sprint(l.Misses(), l.Prefetches, l.Useful)
			}, "3 62 61"},
		{"write-through sends every store on", one(func(l *Level) { l.Write = WriteThrough }), strings.Fields("w0 w0 r0 w1"),
			func(h *Hierarchy) string { return fmt.Sprint(h.Totals().Memory, h.Totals().Levels[0].WriteBacks) }, "{2 3} 0"},
		{"without allocation a store that misses leaves nothing", one(func(l *Level) { l.NoAllocate = true }),
			strings.Fields("w0 r0 w0 w1"),
			func(h *Hierarchy) string { return fmt.Sprint(h.Totals().Memory, held(h, 0, 0), held(h, 0, 1)) }, "{1 2} [0] []"},
		// 0 and 1 fill both levels; hits on 0 in L1 do not show below, so that 2 takes 0's place in L2.
		{"NINE keeps what the level below lost", two(NINE), strings.Fields("r0 r1 r0 r2 r0"),
			func(h *Hierarchy) string { return fmt.Sprint(h.Totals().Levels[0].Misses(), held(h, 0, 0)) }, "3 [0 2]"},
		{"inclusion takes it away", two(Inclusive), strings.Fields("r0 r1 r0 r2 r0"),
			func(h *Hierarchy) string {
				return fmt.Sprint(h.Totals().Levels[0].Misses(), h.Totals().Levels[0].Invalidations, held(h, 0, 0))
			}, "4 1 [0 2]"},
		{"an exclusive level adds its room", two(Exclusive), strings.Fields("r0 r1 r2 r3 r0 r1 r2 r3"),
			func(h *Hierarchy) string {
				return fmt.Sprint(h.Totals().Memory.Reads, held(h, 0, 0), held(h, 1, 0))
			}, "4 [3 2] [1 0]"},
		{"a dirty block comes back from it dirty", two(Exclusive), strings.Fields("w0 r1 r2 r0 r1 r2 r3 r4 r5"),
			func(h *Hierarchy) string { return fmt.Sprint(h.Totals().Memory) }, "{6 1}"},
	} {
		if got := tt.want(play(t, tt.c, tt.refs...)); got != tt.text {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.text)
		}
	}
}

// TestMESIByHand follows one block between two cores: thread 0 and thread 1.
func TestMESIByHand(t *testing.T) {
	c := Config{Cores: 2, Levels: []Level{
		{Name: "L1", Kind: Unified, Size: 64, Ways: 4, Block: 16}, {Name: "L2", Kind: Unified, Size: 256, Ways: 4,
			Block: 16, Shared: true},
	}}
	for _, tt := range []struct {
		name, refs    string
		upgrades      uint64 // of core 0
		invalidations uint64 // of core 1
		interventions uint64 // of core 1
		coherence     uint64 // misses of core 1
	}{
		{"alone, a store after a load is silent", "0r0 0w0", 0, 0, 0, 0},
		{"after another core's load it is an upgrade", "0r0 1r0 0w0", 1, 1, 0, 0},
		{"and silent again the second time", "0r0 1r0 0w0 0w0", 1, 1, 0, 0},
		{"the other core misses what was taken", "1r0 0w0 1r0", 0, 1, 0, 1},
		{"a load makes the writer give up its data", "1w0 0r0", 0, 0, 1, 0},
		{"a store, too", "1w0 0w0", 0, 1, 1, 0},
		{"what is shared is given up without data", "1w0 0r0 0w0", 1, 1, 1, 0},
		{"a miss for want of room is no coherence", "1r0 1r4 1r8 1r12 1r16 0w0 1r0", 0, 0, 0, 0},
	} {
		h := fresh(t, c)
		h.Classify()
		for _, r := range strings.Fields(tt.refs) {
			b := new(traceio.Block)
			block := 0
			if _, err := fmt.Sscan(r[2:], &block); err != nil {
				t.Fatal(err)
			}
			b.Append(traceio.Access{Addr: traceio.Addr(16 * block), Size: 4, Kind: map[byte]traceio.Kind{'r': traceio.Load,
				'w': traceio.Store}[r[1]], Thread: traceio.Thread(r[0] - '0')})
			h.Run(b)
		}
		n := h.Totals().Levels
		if n[0].Upgrades != tt.upgrades || n[1].Invalidations != tt.invalidations || n[1].Interventions != tt.interventions ||
			n[1].Coherence != tt.coherence {
			t.Errorf("%s: %d upgrades, %d invalidations, %d interventions, %d coherence misses, want %d, %d, %d, %d", tt.name,
				n[0].Upgrades, n[1].Invalidations, n[1].Interventions, n[1].Coherence, tt.upgrades, tt.invalidations,
				tt.interventions, tt.coherence)
		}
	}
}
