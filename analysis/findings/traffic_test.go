package findings

import (
	"context"
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/analysis/attribution"
	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/cachesim"
	"orrery/traceio"
)

// memory is a recording held in memory.
type memory struct {
	blocks []*traceio.Block
	len    traceio.Seq
}

func (m *memory) Len() traceio.Seq                    { return m.len }
func (m *memory) Blocks() int                         { return len(m.blocks) }
func (m *memory) Block(i int) (*traceio.Block, error) { return m.blocks[i], nil }
func (m *memory) Span(i int) (first, end traceio.Seq) {
	b := m.blocks[i]
	return b.First, b.First + traceio.Seq(b.Data())
}

func (m *memory) Find(s traceio.Seq) int {
	for i, b := range m.blocks {
		if s < b.First+traceio.Seq(b.Data()) {
			return i
		}
	}
	return len(m.blocks)
}

// random is references of five lines to three variables and to memory beside them, some of which cross blocks.
func random(r *rand.Rand, rows int) (*memory, *traceio.Program) {
	p := &traceio.Program{Types: []traceio.Type{{}}}
	for i := range 5 {
		p.Sites = append(p.Sites, traceio.Site{PC: traceio.Addr(i + 1), Module: -1,
			Frames: []traceio.Frame{{Function: "f", File: "f.c", Line: i + 1}}})
	}
	for i := range 3 {
		p.Globals = append(p.Globals, traceio.Global{Name: fmt.Sprint("v", i),
			Addr: traceio.Addr(0x1000 + i<<9), Size: 0x200})
	}
	m := &memory{}
	for rows > 0 {
		b := &traceio.Block{}
		b.Reset(m.len)
		for range min(rows, 700) {
			b.Append(traceio.Access{Addr: traceio.Addr(0x1000 + r.IntN(1<<(4+r.IntN(8)))), PC: traceio.Addr(1 + r.IntN(5)),
				Size: uint16(1 << r.IntN(5)), Kind: traceio.Kind(r.IntN(3))})
		}
		rows -= b.Len()
		m.len += traceio.Seq(b.Data())
		m.blocks = append(m.blocks, b)
	}
	return m, p
}

// told is what a flow says, in plain numbers.
type told struct{ misses, fills, used, bytes, rounds, gap uint64 }

// plain is a cache as one would do it by hand: sets of blocks, the youngest first, each with the bytes touched in it.
type plain struct {
	sets, ways int
	block      uint64
	held       map[uint64][]*stay // by set
	told       map[lineRegion]*told
	pushed     map[pair]uint64
	again      map[pair]uint64
	evictor    map[uint64]int32
	region     map[uint64]int32
	last       map[uint64]int32
	seen       map[uint64]uint64 // the number of the last reference
	now        uint64            // the number of this one
	ever       map[uint64]map[uint64]bool
}

type stay struct {
	line    uint64
	by      lineRegion
	touched map[uint64]bool
	bytes   uint64
}

func (c *plain) reference(addr, size uint64, store bool, line int32, at func(a uint64) int32) {
	for a := addr / c.block; a <= (addr+size-1)/c.block; a++ {
		set := a % uint64(c.sets)
		held := c.held[set]
		i := slices.IndexFunc(held, func(s *stay) bool { return s.line == a })
		if i < 0 {
			by := lineRegion{line, at(max(a*c.block, addr))}
			t := c.of(by)
			if whole := addr <= a*c.block && addr+size >= (a+1)*c.block; !store || !whole { // else nothing is fetched
				t.misses++
				if last, met := c.last[a]; met {
					t.rounds++
					t.gap += c.now - c.seen[a]
					if last != line {
						c.again[pair{last, line}]++
					}
				}
				if e, met := c.evictor[a]; met {
					c.pushed[pair{c.region[a], e}]++
				}
			}
			delete(c.evictor, a)
			c.region[a] = by.region
			held = append([]*stay{{line: a, by: by, touched: map[uint64]bool{}}}, held...)
			if len(held) > c.ways {
				c.leave(held[c.ways])
				c.evictor[held[c.ways].line] = line
				held = held[:c.ways]
			}
		} else {
			s := held[i]
			held = append([]*stay{s}, slices.Delete(held, i, i+1)...)
		}
		c.held[set] = held
		for x := max(addr, a*c.block); x < min(addr+size, (a+1)*c.block); x++ {
			held[0].touched[x] = true
			held[0].bytes++
			if c.ever[a] == nil {
				c.ever[a] = map[uint64]bool{}
			}
			c.ever[a][x] = true
		}
		c.last[a], c.seen[a] = line, c.now
	}
	c.now++
}

func (c *plain) of(p lineRegion) *told {
	if c.told[p] == nil {
		c.told[p] = &told{}
	}
	return c.told[p]
}

func (c *plain) leave(s *stay) {
	t := c.of(s.by)
	t.fills++
	t.used += uint64(len(s.touched))
	t.bytes += s.bytes
}

// TestFlowAgainstPlainCache compares what the first level says of lines, regions and blocks with a cache kept by hand.
func TestFlowAgainstPlainCache(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 7))
	for _, shape := range []struct {
		sets, ways int
		block      uint64
	}{{1, 4, 16}, {4, 2, 32}, {8, 1, 64}} {
		rec, prog := random(r, 6000)
		config, err := cachesim.ParseConfig(fmt.Appendf(nil, "[[level]]\nname = \"L1\"\nkind = \"data\"\nsize = %d\nways = "+
			"%d\nblock = %d\nlatency_ns = 1\n[memory]\nlatency_ns = 50\n",
			uint64(shape.sets*shape.ways)*shape.block, shape.ways, shape.block), "test")
		if err != nil {
			t.Fatal(err)
		}
		h, err := heap.Analyze(context.Background(), nil, rec.len, prog, nil)
		if err != nil {
			t.Fatal(err)
		}
		regions := region.New(prog, h, region.Hints{})
		lines := attribution.LinesOf(prog, func(add func(pc traceio.Addr, loads, stores uint64)) {
			for _, s := range prog.Sites {
				add(s.PC, 1, 0)
			}
		})
		flows, err := replay(context.Background(), Input{Recording: rec, Lines: lines, Regions: regions, Heap: h,
			Config: config}, func(_, _ int64) {})
		if err != nil {
			t.Fatal(err)
		}
		f := flows[0]
		c := &plain{sets: shape.sets, ways: shape.ways, block: shape.block, held: map[uint64][]*stay{},
			told: map[lineRegion]*told{}, pushed: map[pair]uint64{}, again: map[pair]uint64{},
			evictor: map[uint64]int32{}, region: map[uint64]int32{}, last: map[uint64]int32{}, seen: map[uint64]uint64{},
			ever: map[uint64]map[uint64]bool{}}
		for _, b := range rec.blocks {
			for i := range b.Len() {
				if b.Kind[i] != traceio.Fetch {
					c.reference(uint64(b.Addr[i]), uint64(b.Size[i]), b.Kind[i] == traceio.Store, lines.Of(b.PC[i]),
						func(a uint64) int32 {
							region, _ := regions.Locate(traceio.Addr(a), 0)
							return int32(region)
						})
				}
			}
		}
		for _, held := range c.held {
			for _, s := range held {
				c.leave(s)
			}
		}
		got := map[lineRegion]told{}
		for p, s := range f.fetched {
			got[p] = told{s.misses, s.fills, s.used, s.bytes, s.again.misses, uint64(s.again.gap)}
		}
		want := map[lineRegion]told{}
		for p, s := range c.told {
			want[p] = *s
		}
		if !maps.Equal(got, want) {
			t.Errorf("%+v: fetched %v, want %v", shape, got, want)
		}
		if got := counts(f.evicted); !maps.Equal(got, c.pushed) {
			t.Errorf("%+v: pushed out %v, want %v", shape, got, c.pushed)
		}
		if got := counts(f.refetched); !maps.Equal(got, c.again) {
			t.Errorf("%+v: fetched again %v, want %v", shape, got, c.again)
		}
		var blocks, ever uint64
		for _, k := range f.regionUses {
			blocks, ever = blocks+k.blocks, ever+k.ever
		}
		wanted := uint64(0)
		for _, b := range c.ever {
			wanted += uint64(len(b))
		}
		if blocks != uint64(len(c.ever)) || ever != wanted {
			t.Errorf("%+v: %d bytes of %d blocks, want %d of %d", shape, ever, blocks, wanted, len(c.ever))
		}
	}
}

func counts(m map[pair]*refetches) map[pair]uint64 {
	out := map[pair]uint64{}
	for p, r := range m {
		out[p] = r.misses
	}
	return out
}

// TestBlocksAreSampled: with more blocks than are kept, those that are kept stand for all of them.
func TestBlocksAreSampled(t *testing.T) {
	table := newBlocks(64)
	table.most = 1 << 15
	n := uint64(3*table.most + 12345)
	sum := uint64(0)
	for i := range traceio.Addr(n) {
		if s := table.get(i * 64); s != nil {
			sum += table.weight()
			s.ever = 3
		}
	}
	kept := uint64(0)
	table.each(func(s *blockUse) { kept += table.weight() * uint64(bits.OnesCount64(s.ever)) / 2 })
	for _, x := range []uint64{sum, kept} {
		if x < n*98/100 || x > n*102/100 {
			t.Errorf("the sample stands for %d blocks, want about %d", x, n)
		}
	}
	if len(table.table) > 4*table.most || table.find(5) != nil {
		t.Errorf("%d places in the table; a block that was never met: %v", len(table.table), table.find(5))
	}
}

func BenchmarkFollow(b *testing.B) {
	rec, prog := random(rand.New(rand.NewPCG(1, 1)), 1<<20)
	config, err := cachesim.Preset(cachesim.DefaultPreset)
	if err != nil {
		b.Fatal(err)
	}
	h, err := heap.Analyze(context.Background(), nil, rec.len, prog, nil)
	if err != nil {
		b.Fatal(err)
	}
	in := Input{Recording: rec, Lines: attribution.LinesOf(prog, func(func(traceio.Addr, uint64, uint64)) {}),
		Regions: region.New(prog, h, region.Hints{}), Heap: h, Config: config}
	for b.Loop() {
		if _, err := replay(context.Background(), in, func(_, _ int64) {}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rec.len), "ns/ref")
}
