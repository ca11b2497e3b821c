package region

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/analysis/heap"
	"orrery/traceio"
)

// blocks is a recording held in memory.
type blocks []*traceio.Block

func (b blocks) Blocks() int                         { return len(b) }
func (b blocks) Block(i int) (*traceio.Block, error) { return b[i], nil }

func program() *traceio.Program {
	return &traceio.Program{
		Modules: []traceio.Module{{Path: "/home/u/bubble", Low: 0x400000, High: 0x410000, Main: true},
			{Path: "/lib/libc.so.6", Low: 0x7f0000000000, High: 0x7f0000200000}},
		Globals: []traceio.Global{
			{Name: "A", Addr: 0x404000, Size: 24, Type: 2}, {Name: "n", Addr: 0x404020, Size: 4, Type: 1},
			{Name: "n", Addr: 0x404024, Size: 4, Type: 1}, {Name: "big", Addr: 0x405000, Size: 0x100},
			{Name: "inside", Addr: 0x405010, Size: 8},
			{Name: "environ", Addr: 0x7f0000100000, Size: 8, Module: 1},
		},
		Types:  []traceio.Type{{}, {Name: "int", Size: 4}, {Size: 24, Dims: []int{2, 3}, Elem: 1}},
		Stacks: [][]traceio.Addr{nil, {0x401001}, {0x401011}},
		Sites: []traceio.Site{{PC: 0x401000, Frames: []traceio.Frame{{Function: "push", File: "/home/u/list.c", Line: 22}}},
			{PC: 0x401010, Frames: []traceio.Frame{{Function: "grow"}}}},
	}
}

func testHeap(t testing.TB, prog *traceio.Program) *heap.Heap {
	t.Helper()
	h, err := heap.Analyze(context.Background(), []traceio.Alloc{
		{Seq: 10, Addr: 0x900010, Size: 64, Stack: 1},
		{Seq: 20, Addr: 0x900060, Size: 32, Stack: 2},
		{Seq: 30, Addr: 0x900010, Op: traceio.Free},
		{Seq: 40, Addr: 0x900020, Size: 16, Stack: 2},
	}, 100, prog, nil)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestAt(t *testing.T) {
	prog := program()
	m := New(prog, testHeap(t, prog), Hints{Stacks: []StackRange{{0, 0x7ffc00000000, 0x7ffc00800000},
		{2, 0x7ff000000000, 0x7ff000800000}}})
	for _, row := range []struct {
		a      traceio.Addr
		s      traceio.Seq
		region string
		kind   Kind
		name   string
	}{
		{0x404000, 0, "A", Global, "A[0][0]"},
		{0x404010, 99, "A", Global, "A[1][1]"},
		{0x404018, 0, "bubble", Module, "bubble+0x4018"},
		{0x404020, 0, "n", Global, "n"},
		{0x404027, 0, "n#2", Global, "n#2"},
		{0x405008, 0, "big", Global, "big+8"},
		{0x405010, 0, "inside", Global, "inside"},
		{0x405018, 0, "big", Global, "big+24"},
		{0x7f0000100000, 0, "environ", Global, "environ"},
		{0x7f0000000008, 0, "libc.so.6", Module, "libc.so.6+0x8"},
		{0x900010, 9, "allocator", Allocator, "allocator"},
		{0x900010, 10, "heap@list.c:22", Heap, "heap@list.c:22 #0"},
		{0x900018, 29, "heap@list.c:22", Heap, "heap@list.c:22 #0 +8"},
		{0x900018, 30, "allocator", Allocator, "allocator"},
		{0x900028, 40, "heap@grow", Heap, "heap@grow #2 +8"},
		{0x900028, 39, "allocator", Allocator, "allocator"},
		{0x900058, 50, "allocator", Allocator, "allocator"},
		{0x900008, 50, "allocator", Allocator, "allocator"},
		{0x7ffc00000000, 0, "stack", Stack, "stack"},
		{0x7ff000000010, 0, "stack of thread 2", Stack, "stack of thread 2"},
		{0x10, 0, "other", Other, "0x10"},
		{^traceio.Addr(0), 0, "other", Other, "0xffffffffffffffff"},
	} {
		r, name := m.At(row.a, row.s)
		if r.Name != row.region || r.Kind != row.kind || name != row.name {
			t.Errorf("At(%v, %d) is %s (%v), %q; want %s (%v), %q", row.a, row.s, r.Name, r.Kind, name, row.region,
				row.kind, row.name)
		}
	}
	seen := map[string]bool{}
	for i, r := range m.Regions() {
		if r.ID != i || seen[r.Name] || m.Find(r.Name) != i {
			t.Errorf("region %d is %+v, found as %d", i, r, m.Find(r.Name))
		}
		seen[r.Name] = true
	}
	if m.Find("nothing") != -1 {
		t.Error("found a region that is not there")
	}
}

func TestNothingKnown(t *testing.T) {
	m := New(nil, nil, Hints{})
	if r, name := m.At(0x1234, 5); r.Name != "other" || name != "0x1234" || len(m.Regions()) != 1 {
		t.Errorf("an empty program has %+v, %q", r, name)
	}
	if region, block := m.Lookup().Locate(0x1234, 5); region != 0 || block != -1 {
		t.Errorf("look-up gives %d, %d", region, block)
	}
}

// The twin of the flattened ranges asks every region in turn.
func TestFlattenAgainstSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 60 {
		prog := &traceio.Program{}
		for range r.IntN(30) {
			a := traceio.Addr(r.IntN(400))
			prog.Globals = append(prog.Globals, traceio.Global{Name: "g", Addr: a, Size: uint64(1 + r.IntN(60))})
		}
		for range r.IntN(4) {
			a := traceio.Addr(r.IntN(400))
			prog.Modules = append(prog.Modules, traceio.Module{Path: "m", Low: a, High: a + traceio.Addr(r.IntN(200))})
		}
		m := New(prog, nil, Hints{})
		for a := traceio.Addr(0); a < 700; a++ {
			want, best := m.Find("other"), 0
			for i, x := range m.Regions() {
				if a < x.Low || a >= x.High || x.Kind != Global && x.Kind != Module {
					continue
				}
				score := 1<<20 - int(x.Size)
				if x.Kind == Global {
					score += 1 << 21
				}
				if score > best {
					want, best = i, score
				}
			}
			if got, _ := m.Locate(a, 0); got != want {
				t.Fatalf("address %d is in %+v, want %+v", a, m.Regions()[got], m.Regions()[want])
			}
		}
	}
}

// randomRecording makes references around a random heap, and fetches between them.
func randomRecording(t testing.TB, seed uint64, events, refs int) (blocks, *traceio.Program, *heap.Heap) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	prog := program()
	var log []traceio.Alloc
	live := map[int]bool{}
	for i := range events {
		s := traceio.Seq(i * refs / events)
		k := r.IntN(200)
		a := traceio.Addr(0x900000 + 256*k)
		if live[k] {
			log = append(log, traceio.Alloc{Seq: s, Addr: a, Op: traceio.Free})
		} else {
			log = append(log, traceio.Alloc{Seq: s, Addr: a, Size: uint64(1 + r.IntN(240)), Stack: traceio.StackID(r.IntN(3))})
		}
		live[k] = !live[k]
	}
	h, err := heap.Analyze(context.Background(), log, traceio.Seq(refs), prog, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all blocks
	b := &traceio.Block{}
	for s := range refs {
		if b.Len() >= traceio.MaxBlock-1 {
			all = append(all, b)
			b = &traceio.Block{First: traceio.Seq(s)}
		}
		var a traceio.Addr
		switch r.IntN(5) {
		case 0:
			a = traceio.Addr(0x404000 + r.IntN(64))
		case 1:
			a = traceio.Addr(0x7ffc00000000 + 8*r.IntN(100))
		case 2:
			a = traceio.Addr(0x10000 * r.IntN(3))
		default:
			a = traceio.Addr(0x8fff00 + 8*r.IntN(6500))
		}
		if r.IntN(4) == 0 {
			b.Append(traceio.Access{Addr: 0x401000, Kind: traceio.Fetch})
		}
		b.Append(traceio.Access{Addr: a, Kind: traceio.Kind(r.IntN(2)), Size: 8})
	}
	return append(all, b), prog, h
}

func TestLookupAgainstMap(t *testing.T) {
	for seed := range uint64(3) {
		rec, prog, h := randomRecording(t, seed, 2000, 30000)
		m, u := surveyed(t, rec, prog, h)
		regions, uses := make([]Use, len(m.Regions())), make([]BlockUse, h.Count())
		type lifetime struct {
			low, high   traceio.Addr
			alloc, free traceio.Seq
		}
		var blocks []lifetime
		for id := range h.Count() {
			x := h.Block(id)
			blocks = append(blocks, lifetime{x.Low, x.High(), h.Alloc(x), h.Free(x)})
		}
		l := m.Lookup()
		for _, b := range rec {
			rs, bs := make([]int32, b.Len()), make([]int32, b.Len())
			l.Classify(b, rs, bs)
			s := b.First
			for row, a := range b.Addr {
				if b.Kind[row] == traceio.Fetch {
					if rs[row] != -1 || bs[row] != -1 {
						t.Fatalf("a fetch is in region %d, block %d", rs[row], bs[row])
					}
					continue
				}
				region, block := m.Locate(a, s)
				if int(rs[row]) != region || int(bs[row]) != block {
					t.Fatalf("seed %d: %v at %d: Classify gives %d, %d; Locate %d, %d", seed, a, s, rs[row], bs[row], region, block)
				}
				// And Locate's twin: every block in turn.
				want := -1
				for id, x := range blocks {
					if a >= x.low && a < x.high && s >= x.alloc && s < x.free {
						want = id
					}
				}
				if block != want {
					t.Fatalf("seed %d: %v at %d is in block %d, want %d", seed, a, s, block, want)
				}
				load := uint64(1 - b.Kind[row])
				regions[region].Loads += load
				regions[region].Stores += 1 - load
				if block >= 0 {
					x := &uses[block]
					if x.References() == 0 {
						x.First = s
					}
					x.Last = s
					x.Loads += load
					x.Stores += 1 - load
				}
				s++
			}
		}
		if !slices.Equal(u.Regions, regions) || !slices.Equal(u.Blocks, uses) {
			t.Errorf("seed %d: the survey differs from counting one by one", seed)
		}
		for i := 1; i < len(u.Ranked); i++ {
			if u.Regions[u.Ranked[i]].References() > u.Regions[u.Ranked[i-1]].References() {
				t.Errorf("seed %d: regions are not ranked", seed)
			}
		}
		if s := m.Find("stack"); s < 0 || u.Regions[s].References() == 0 {
			t.Errorf("seed %d: no stack was found", seed)
		}
	}
}

func TestSampleFindsStacks(t *testing.T) {
	prog := program()
	h := testHeap(t, prog)
	b := &traceio.Block{}
	add := func(thread traceio.Thread, a traceio.Addr, times int) {
		for range times {
			b.Append(traceio.Access{Addr: a, Thread: thread})
		}
	}
	add(0, 0x7ffc12345678, 10) // main's stack
	add(0, 0x7ffc12300000, 1)  // deep in it
	add(0, 0x404000, 100)      // a global
	add(0, 0x900020, 100)      // heap
	add(0, 0x7f0000300000, 5)  // thread-local storage behind libc
	add(1, 0x7fee00001230, 20) // the second thread's stack
	add(1, 0x7ffc12345678, 15) // it looks into main's
	b.Append(traceio.Access{Addr: 0x500000, Kind: traceio.Fetch, Thread: 1})
	got := sampled(t, blocks{b}, prog, h)
	want := []StackRange{{0, 0x7ffc11b46000, 0x7ffc12346000}, {1, 0x7fee00002000 - 8<<20, 0x7fee00002000}}
	if !slices.Equal(got.Stacks, want) {
		t.Errorf("stacks %v, want %v", got.Stacks, want)
	}
}

func BenchmarkClassify(b *testing.B) {
	rec, prog, h := randomRecording(b, 1, 2000, 1<<17)
	l := New(prog, h, sampled(b, rec, prog, h)).Lookup()
	regions, ids := make([]int32, traceio.MaxBlock), make([]int32, traceio.MaxBlock)
	b.ReportAllocs()
	i := 0
	rows := 0
	for b.Loop() {
		k := rec[i%len(rec)]
		l.Classify(k, regions[:k.Len()], ids[:k.Len()])
		rows += k.Len()
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
}
