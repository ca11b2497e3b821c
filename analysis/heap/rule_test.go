package heap

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orrery/traceio"
)

func TestRules(t *testing.T) {
	thread := func(e traceio.Alloc, t traceio.Thread) traceio.Alloc { e.Thread = t; return e }
	usable := func(e traceio.Alloc, n uint64) traceio.Alloc { e.Usable = n; return e }
	log := []traceio.Alloc{
		malloc(0, 0x55550010, 24), malloc(1, 0x55550040, 100), thread(malloc(2, 0x7f0000000030, 24), 1),
		usable(malloc(3, 0x7f1234500010, 200000), 200<<10-16),
		thread(malloc(4, 0x7f0004000030, 5000), 2), free(5, 0x55550010), thread(malloc(6, 0x7f0000000090, 40), 1),
	}
	h := analyze(t, log, 1000, nil)
	for _, row := range []struct {
		rule string
		bins []string // of the blocks
	}{
		{"glibc", []string{"24 B", "104 B", "24 B", "large", "large", "40 B"}},
		{"arenas", []string{"main arena", "main arena", "arena 1", "mapped", "arena 2", "arena 1"}},
		{"pools", []string{"0x55550010", "0x55550010", "0x7f0000000030", "0x7f1234500010",
			"0x7f0004000030", "0x7f0000000030"}},
		{"threads", []string{"thread 0", "thread 0", "thread 1", "thread 0", "thread 2", "thread 1"}},
		{"sites", []string{"unknown code", "unknown code", "unknown code", "unknown code", "unknown code", "unknown code"}},
		{"sizes 24 0x64 4K", []string{"to 24 B", "to 100 B", "to 24 B", "larger", "larger", "to 100 B"}},
		{"small: size <= 24; big: size > 4K", []string{"small", "other", "small", "big", "big", "other"}},
		{"size = 30..100\nmapped # alone\nrest: *", []string{"rest", "size = 30..100", "rest", "mapped",
			"rest", "size = 30..100"}},
		{"a: thread != 0 and size < 1K; b: arena = 0 and lifetime >= 500",
			[]string{"other", "b", "a", "other", "other", "a"}},
		{"x: waste >= 4; y: usable != 24 and address >= 0x7f0000000000", []string{"other", "x", "other", "x", "y", "y"}},
		{`"un known": site "unknown code"`, []string{"un known", "un known", "un known", "un known", "un known", "un known"}},
		{"site != unknown", []string{"other", "other", "other", "other", "other", "other"}},
	} {
		r, err := ParseRule("rule", row.rule)
		if err != nil {
			t.Errorf("%s: %v", row.rule, err)
			continue
		}
		g, err := h.Rebin(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for id := range g.Count() {
			got = append(got, g.Bins[g.Bin(id)].Name)
		}
		if !slices.Equal(got, row.bins) {
			t.Errorf("%q:\n got  %q\n want %q", row.rule, got, row.bins)
		}
	}
}

func TestRuleErrors(t *testing.T) {
	for _, row := range []struct{ rule, want string }{
		{"", "the rule is empty"},
		{" # nothing\n", "the rule is empty"},
		{"sise < 3", `rule:1: column 1: "sise" is no property of a block`},
		{"a: size < 3\nb: size ~ 3", `rule:2: column 9: <, <=, =, !=, >= or > is expected, not "~"`},
		{"size <", `rule:1: column 7: a number is expected, not the end of the line`},
		{"a: size <; b: *", `rule:1: column 10: a number is expected, not ";"`},
		{"size", `rule:1: column 5: <, <=, =, !=, >= or > is expected, not the end of the line`},
		{"size < x", `column 8: "x" is not a number`},
		{"size < 0", "column 8: nothing is below 0"},
		{"size > 0xffffffffffffffff", "column 8: nothing is above"},
		{"size < 3..4", "column 8: a range goes with = or !="},
		{"size = 4..3", "column 8: the range 4..3 is empty"},
		{"size = 99999999999999999999", "is not a number"},
		{"size = 99999999999G", "is not a number"},
		{"size < 3 or size > 4", `column 10: and, a semicolon or the end of the line is expected, not "or"`},
		{"site", "column 5: site needs a word"},
		{"sizes", "column 6: sizes needs numbers of bytes"},
		{"sizes 4 x", `column 9: "x" is not a number of bytes`},
		{"sizes 4 4", "column 9: 4 is not more than the size before it"},
		{"arenas 4", `column 8: a rule of one word ends there; "4" follows`},
		{"a:", `column 3: a property of a block is expected, not the end of the line`},
	} {
		_, err := ParseRule("rule", row.rule)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%q: %v, want %q", row.rule, err, row.want)
		}
	}
}

// Another rule's bins are what a log of one class at a time gives; glibc's are the same by either way.
func TestRebinAgainstAnalyze(t *testing.T) {
	log, end := randomLog(rand.New(rand.NewPCG(3, 3)), 3000, true)
	h := analyze(t, log, end, nil)
	same, err := h.Rebin(context.Background(), glibc)
	if err != nil {
		t.Fatal(err)
	}
	bins := make([]int16, h.Count())
	for id := range bins {
		bins[id] = int16(h.Bin(id))
	}
	if !slices.Equal(same.Bins, h.Bins) || !slices.Equal(same.bins, bins) {
		t.Errorf("glibc's bins anew:\n got  %+v\n want %+v", same.Bins, h.Bins)
	}
	r, _ := ParseRule("rule", "sizes 64 4096")
	g, err := h.Rebin(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	for k, in := range []func(uint64) bool{func(n uint64) bool { return n <= 64 },
		func(n uint64) bool { return n > 64 && n <= 4096 }, func(n uint64) bool { return n > 4096 }} {
		live, peak, blocks := uint64(0), uint64(0), uint64(0)
		for s := (state{}); s.event < h.history.n; {
			died, born := s.step(h)
			if died >= 0 && in(h.Block(int(died)).Size) {
				live -= h.Block(int(died)).Size
			}
			if born >= 0 && in(h.Block(int(born)).Size) {
				live += h.Block(int(born)).Size
				blocks++
				peak = max(peak, live)
			}
		}
		if b := g.Bins[k]; b.PeakBytes != peak || b.Blocks != blocks {
			t.Errorf("bin %s: %d blocks, peak %d; want %d, %d", b.Name, b.Blocks, b.PeakBytes, blocks, peak)
		}
	}
}

// FuzzRule reads any text: a rule or a sentence, and bins that exist.
func FuzzRule(f *testing.F) {
	for _, s := range []string{"glibc", "sizes 64 4K", "a: size <= 64; b: site x and thread = 1..2", "size ~ 3", `"q`,
		"a:b:c", "mapped;*"} {
		f.Add(s)
	}
	log, end := randomLog(rand.New(rand.NewPCG(3, 3)), 50, true)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRule("rule", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "rule") {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		g, err := analyze(t, log, end, nil).Rebin(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		n := uint64(0)
		for _, b := range g.Bins {
			n += b.Blocks
		}
		if n != g.Allocations {
			t.Fatalf("%d blocks in bins, %d in all", n, g.Allocations)
		}
	})
}
