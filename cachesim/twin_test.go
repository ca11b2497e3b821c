package cachesim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// twin is the obvious simulator: a set is a slice of structures in eviction order, everything else is a map. It shares
// no code with the package but the types of Config and Counts.
type twin struct {
	config Config
	levels []*twinLevel
	memory Traffic
	refs   uint64
}

type twinLevel struct {
	Level
	below  *twinLevel
	sets   map[uint64][]twinLine
	counts Counts
	seen   map[uint64]bool
	full   []uint64 // fully associative cache of the same policy, last to leave first
	order  int
}

type twinLine struct {
	addr  uint64
	dirty bool
}

func newTwin(c Config) *twin {
	t := &twin{config: c}
	for i, l := range c.Levels {
		t.levels = append(t.levels, &twinLevel{Level: l, sets: map[uint64][]twinLine{}, seen: map[uint64]bool{}, order: i})
	}
	for i, l := range t.levels {
		if l.Next == "memory" {
			continue
		}
		for _, m := range t.levels[i+1:] {
			if l.below == nil && (l.Next == m.Name || l.Next == "" && m.Kind == Unified) {
				l.below = m
			}
		}
	}
	return t
}

// first is where a kind of reference enters: a level of the right kind that is below nobody.
func (t *twin) first(k traceio.Kind) *twinLevel {
	for _, l := range t.levels {
		isBelow := slices.ContainsFunc(t.levels, func(m *twinLevel) bool { return m.below == l })
		if !isBelow && (l.Kind == Unified || (l.Kind == Instruction) == (k == traceio.Fetch)) {
			return l
		}
	}
	return nil
}

// reference returns the level of the slowest part: 0 to len(levels), -1 ignored, and whether that part asked nobody.
func (t *twin) reference(a traceio.Access) (slowest int, whole bool) {
	t.refs++
	l := t.first(a.Kind)
	if l == nil {
		return -1, false
	}
	best := -1
	size := uint64(l.Block)
	low, end := uint64(a.Addr), uint64(a.Addr)+max(1, uint64(a.Size))
	for block := low / size * size; block < end; block += size {
		covers := a.Kind == traceio.Store && low <= block && end >= block+size
		where, alone := t.request(l, block, a.Kind, covers)
		if score := 2*where + map[bool]int{true: 1}[alone]; score > best {
			best, slowest, whole = score, where, alone
		}
	}
	return slowest, whole
}

func (t *twin) request(l *twinLevel, addr uint64, k traceio.Kind, covers bool) (where int, alone bool) {
	block := addr / uint64(l.Block) * uint64(l.Block)
	index := block / uint64(l.Block) % uint64(l.Sets())
	*[]*uint64{&l.counts.Reads, &l.counts.Writes, &l.counts.Fetches}[k]++
	firstTime, inFull := l.ask(block)

	set := l.sets[index]
	at := slices.IndexFunc(set, func(x twinLine) bool { return x.addr == block })
	if at >= 0 {
		set[at].dirty = set[at].dirty || k == traceio.Store
		if l.Policy != FIFO {
			x := set[at]
			set = slices.Insert(slices.Delete(set, at, at+1), 0, x)
		}
		l.sets[index] = set
		return l.order, false
	}

	*[]*uint64{&l.counts.ReadMisses, &l.counts.WriteMisses, &l.counts.FetchMisses}[k]++
	switch {
	case firstTime:
		l.counts.Compulsory++
	case !inFull:
		l.counts.Capacity++
	default:
		l.counts.Conflict++
	}
	where, alone = l.order, true
	if !covers {
		fetch := k
		if k == traceio.Store {
			fetch = traceio.Load
		}
		alone = false
		if l.below == nil {
			t.memory.Reads++
			where = len(t.levels)
		} else {
			where, _ = t.request(l.below, block, fetch, false)
		}
	}
	set = slices.Insert(set, 0, twinLine{block, k == traceio.Store})
	if len(set) > l.Ways {
		victim := set[l.Ways]
		set = set[:l.Ways]
		l.counts.Evictions++
		if victim.dirty {
			l.counts.WriteBacks++
			if l.below == nil {
				t.memory.Writes++
			} else {
				t.request(l.below, victim.addr, traceio.Store, l.below.Block == l.Block)
			}
		}
	}
	l.sets[index] = set
	return where, alone
}

// ask updates the fully associative cache and the memory of all blocks.
func (l *twinLevel) ask(block uint64) (firstTime, inFull bool) {
	firstTime = !l.seen[block]
	l.seen[block] = true
	at := slices.Index(l.full, block)
	if at >= 0 && l.Policy == FIFO {
		return firstTime, true
	}
	if at >= 0 {
		l.full = slices.Delete(l.full, at, at+1)
	}
	l.full = slices.Insert(l.full, 0, block)
	if len(l.full) > int(l.Size/l.Block) {
		l.full = l.full[:l.Size/l.Block]
	}
	return firstTime, at >= 0
}

func (t *twin) totals() Totals {
	out := Totals{References: t.refs, Memory: t.memory}
	for _, l := range t.levels {
		out.Levels = append(out.Levels, l.counts)
	}
	return out
}

// lines is a set's content in eviction order.
func (t *twin) lines(level, set int) []Line {
	var out []Line
	for _, x := range t.levels[level].sets[uint64(set)] {
		out = append(out, Line{traceio.Addr(x.addr), true, x.dirty})
	}
	return out
}

// randomConfig is a valid hierarchy of one to three levels, small, so that everything gets evicted.
func randomConfig(r *rand.Rand) Config {
	level := func(name string, k Kind, block Size) Level {
		l := Level{Name: name, Kind: k, Block: block << r.IntN(2), Ways: 1 + r.IntN(9), Latency: float64(r.IntN(9))}
		if r.IntN(4) == 0 {
			l.Ways = 8
		}
		l.Size = l.Block * Size(l.Ways) << r.IntN(4)
		l.Policy = []Policy{"", LRU, FIFO}[r.IntN(3)]
		return l
	}
	c := Config{Name: "random", Memory: MainMemory{Latency: 50}}
	block := Size(MinBlock) << r.IntN(4)
	switch r.IntN(4) {
	case 0:
		c.Levels = []Level{level("L1", Unified, block)}
	case 1:
		c.Levels = []Level{level("L1D", Data, block)}
	default:
		c.Levels = []Level{level("L1I", Instruction, block), level("L1D", Data, block)}
	}
	for _, name := range []string{"L2", "L3"}[:r.IntN(3)] {
		for _, l := range c.Levels {
			block = max(block, l.Block)
		}
		c.Levels = append(c.Levels, level(name, Unified, block))
	}
	if len(c.Levels) > 2 && c.Levels[0].Kind == Instruction && r.IntN(3) == 0 {
		c.Levels[0].Next = MemoryName
	}
	if c.Levels[0].Kind == Instruction && len(c.Levels) == 4 && r.IntN(3) == 0 {
		c.Levels[0].Next = "L3"
	}
	return c
}

// randomBlock has loops, strides and jumps over a small space, with sizes from 0 to 80 at any alignment.
func randomBlock(r *rand.Rand, first traceio.Seq, rows int) *traceio.Block {
	b := new(traceio.Block)
	b.Reset(first)
	base, stride := uint64(r.IntN(4096)), uint64(r.IntN(48))
	for range rows {
		if r.IntN(20) == 0 {
			base, stride = uint64(r.IntN(4096)), uint64(r.IntN(48))
		}
		base += stride
		a := traceio.Access{Addr: traceio.Addr(1<<40 + base%6000), Size: uint16(1 << r.IntN(4)), Kind: traceio.Kind(r.IntN(3))}
		if r.IntN(10) == 0 {
			a.Size = uint16(r.IntN(81))
		}
		b.Append(a)
	}
	return b
}

func TestEqualsTwin(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := randomConfig(r)
		plain, served, keyed, classed, pictured := fresh(t, c), fresh(t, c), fresh(t, c), fresh(t, c), fresh(t, c)
		classed.Classify()
		slow := newTwin(c)
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
			pictured.RunEvents(b, nil)
			bySet.RunSets(b, sets)
			column := make([]int32, b.Len())
			for i := range column {
				column[i] = int32(b.Addr[i] % 7)
			}
			keyed.RunKeyed(b, column, keys)
			for i := range b.Addr {
				level, whole := slow.reference(traceio.Access{Addr: b.Addr[i], Size: b.Size[i], Kind: b.Kind[i]})
				want := Unserved
				if level >= 0 {
					want = Served(2 * level)
				}
				if whole {
					want++
				}
				if where[i] != want {
					t.Fatalf("seed %d: row %d served by %d, want %d\n%v", seed, i, where[i], want, c)
				}
			}
		}
		want := slow.totals()
		equalTotals(t, seed, c, "Classify", classed.Totals(), want)
		for i := range want.Levels {
			l := &want.Levels[i]
			l.Compulsory, l.Capacity, l.Conflict = 0, 0, 0
		}
		for name, h := range map[string]*Hierarchy{"Run": plain, "RunServed": served, "RunKeyed": keyed, "RunEvents": pictured, "RunSets": bySet} {
			equalTotals(t, seed, c, name, h.Totals(), want)
			for level, l := range c.Levels {
				for set := range l.Sets() {
					if got, want := h.snapshot(0).Lines(level, set, nil), slow.lines(level, set); !slices.Equal(got, want) {
						t.Fatalf("seed %d: %s: level %d set %d holds %v, want %v\n%v", seed, name, level, set, got, want, c)
					}
				}
			}
		}
		for level, l := range want.Levels {
			var byKey uint64
			for _, n := range keys.Misses[level] {
				byKey += n
			}
			var all SetCounts
			for _, s := range sets[level] {
				all.Reads, all.Writes, all.Fetches = all.Reads+s.Reads, all.Writes+s.Writes, all.Fetches+s.Fetches
				all.Misses, all.Evictions = all.Misses+s.Misses, all.Evictions+s.Evictions
			}
			if byKey != l.Misses() || all != (SetCounts{l.Fetches, l.Reads, l.Writes, l.Misses(), l.Evictions}) {
				t.Fatalf("seed %d: level %d: misses by key %d, by set %+v, want %+v", seed, level, byKey, all, l)
			}
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
	if got.References != want.References || got.Memory != want.Memory || !slices.Equal(got.Levels, want.Levels) {
		t.Fatalf("seed %d: %s counts\n got %+v\nwant %+v\n%+v", seed, name, got, want, c)
	}
}
