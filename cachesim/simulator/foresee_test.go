package simulator

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
)

// foreseenConfig is one level with the policy that knows the future of a recording.
func foreseenConfig(t *testing.T, r *rand.Rand, rec Recording) Config {
	t.Helper()
	ways, sets, block := 1+r.IntN(6), 1<<r.IntN(5), Size(16<<r.IntN(3))
	c := Config{Name: "min", Levels: []Level{{Name: "L1", Kind: []Kind{Data, Unified}[r.IntN(2)],
		Size: Size(sets*ways) * block, Ways: ways, Block: block,
		Policy: MINPolicy, Write: []Write{Back, WriteThrough}[r.IntN(2)], Latency: 1}}, Memory: MainMemory{Latency: 50}}
	if r.IntN(3) == 0 {
		c.TLBs = []TLB{{Name: "DTLB", Kind: Unified, Entries: 8, Ways: 2, Page: 256}}
	}
	ready, err := Foresee(context.Background(), rec, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return ready
}

// TestMINAsPolicy: it misses what the bound says, however the level is run, and a replay shows the same at every
// reference.
func TestMINAsPolicy(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 77))
		rec := randomRecording(r, 1+r.IntN(30))
		c := foreseenConfig(t, r, rec)
		bound, err := MIN(context.Background(), rec, c, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		plain, served, classed, events := fresh(t, c), fresh(t, c), fresh(t, c), fresh(t, c)
		classed.Classify()
		for _, b := range rec {
			plain.Run(b)
			served.RunServed(b, make([]Served, b.Len()))
			classed.Run(b)
			events.events(b, 0, b.Len(), b.First, nil)
		}
		want := plain.Totals()
		if got := want.Levels[0].Misses(); got != bound.Misses || bound.Actual != bound.Misses {
			t.Errorf("seed %d: %d misses, and %d where the bound is %d\n%s", seed, got, bound.Actual, bound.Misses, c.TOML())
		}
		equalTotals(t, seed, c, "RunServed", served.Totals(), want)
		equalTotals(t, seed, c, "runEvents", events.Totals(), want)
		if got := classed.Totals().Levels[0]; got.Misses() != want.Levels[0].Misses() ||
			got.Compulsory+got.Capacity+got.Conflict != got.Misses() {
			t.Errorf("seed %d: classes %+v of %+v", seed, got, want.Levels[0])
		}
		lim := limits{budget: 1 << (12 + r.IntN(8)), interval: 1 << r.IntN(10), bins: 1 << (3 + r.IntN(10)),
			short: 1 << r.IntN(9)}
		replay, err := newReplay(context.Background(), rec, c, nil, lim)
		if err != nil {
			t.Fatal(err)
		}
		all, n := history(t, rec, c), rec.Len()
		for range 5 {
			from := traceio.Seq(r.Uint64N(uint64(n) + 1))
			checkWindow(t, seed, replay, rec, all, from, min(n, from+traceio.Seq(r.IntN(300))))
		}
		checkLanes(t, seed, replay, all)
	}
}

// TestMINOfAPolicyThatWalks: a loop over one block more than fits misses all the time under LRU and seldom under MIN.
func TestMINOfAPolicyThatWalks(t *testing.T) {
	var addrs []uint64
	for range 100 {
		for block := range uint64(5) {
			addrs = append(addrs, 16*block)
		}
	}
	rec := loads(addrs)
	for _, row := range []struct {
		policy Policy
		misses uint64
	}{{LRU, 500}, {MINPolicy, 4 + 124}} { // one in four once the set is full
		c, err := Foresee(context.Background(), rec, oneLevel(1, 4, row.policy), nil)
		if err != nil {
			t.Fatal(err)
		}
		h := fresh(t, c)
		for _, b := range rec {
			h.Run(b)
		}
		if got := h.Totals().Levels[0].Misses(); got != row.misses {
			t.Errorf("%s misses %d times, want %d", row.policy, got, row.misses)
		}
	}
}

// growing is a recording of which there will be more.
type growing struct{ recording }

func (growing) Beginning() bool { return true }

// TestMINIsRefused where the future is not known, or says nothing.
func TestMINIsRefused(t *testing.T) {
	one := oneLevel(4, 2, MINPolicy)
	with := func(change func(*Config)) Config {
		c := one
		c.Levels = append([]Level(nil), one.Levels...)
		change(&c)
		return c
	}
	if _, err := Foresee(context.Background(), growing{loads([]uint64{1})}, one, nil); err == nil ||
		!strings.Contains(err.Error(), "still being made") {
		t.Errorf("a recording that is being made: %v", err)
	}
	for _, row := range []struct {
		name, want string
		config     Config
	}{
		{"no recording", "knows the future", one},
		{"two levels", "one level of one core alone", with(func(c *Config) {
			c.Levels = append(c.Levels, Level{Name: "L2", Kind: Unified, Size: KiB, Ways: 2, Block: 16})
		})},
		{"two cores", "one level of one core alone", with(func(c *Config) { c.Cores = 2 })},
		{"no allocation", "allocate = false", with(func(c *Config) { c.Levels[0].NoAllocate = true })},
		{"a prefetcher", "prefetch = ", with(func(c *Config) { c.Levels[0].Prefetch = NextLine })},
		{"a victim buffer", "victim_blocks = 4", with(func(c *Config) { c.Levels[0].VictimBlocks = 4 })},
		{"a TLB", "policies of a TLB", with(func(c *Config) {
			c.Levels[0].Policy = LRU
			c.TLBs = []TLB{{Name: "DTLB", Kind: Unified, Entries: 8, Ways: 2, Page: 4 * KiB, Policy: MINPolicy}}
		})},
	} {
		_, err := New(row.config)
		var field *FieldError
		if !errors.As(err, &field) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
}

// TestPoliciesByOtherNames: files written with the names that trees and bits had before are read.
func TestPoliciesByOtherNames(t *testing.T) {
	text := func(policy string) []byte {
		return []byte("[[level]]\nname = \"L1\"\nkind = \"data\"\nsize = \"4KiB\"\nways = 4\nblock = 32\npolicy = \"" +
			policy + "\"\n")
	}
	for was, now := range map[string]string{"tree-plru": "plru", "bit-plru": "bitplru", "min": "min"} {
		a, err := ParseConfig(text(was), "x.toml")
		if err != nil {
			t.Fatal(err)
		}
		b, err := ParseConfig(text(now), "x.toml")
		if err != nil || !reflect.DeepEqual(a, b) || string(b.Levels[0].Policy) != now ||
			!strings.Contains(a.TOML(), `policy = "`+now+`"`) {
			t.Errorf("%s is read as %+v, %s as %+v (%v)", was, a, now, b, err)
		}
	}
}
