package findings

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"orrery/analysis/attribution"
	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/cachesim"
	"orrery/traceio"
)

// program is references and allocations made by hand: a global "table" of 64 KiB, and lines 1, 2, ... of f.c.
type program struct {
	*memory
	prog  *traceio.Program
	heaps []traceio.Alloc
}

func newProgram() *program {
	p := &program{memory: &memory{}, prog: &traceio.Program{Types: []traceio.Type{{}},
		Modules: []traceio.Module{{Path: "f"}}, Stacks: [][]traceio.Addr{nil, {7}}}}
	for line := range 8 {
		p.prog.Sites = append(p.prog.Sites, traceio.Site{PC: traceio.Addr(line + 1),
			Frames: []traceio.Frame{{Function: "f", File: "f.c", Line: line + 1}}})
	}
	p.prog.Globals = []traceio.Global{{Name: "table", Addr: 0x100000, Size: 1 << 16}}
	return p
}

func (p *program) touch(line int, addr traceio.Addr, kind traceio.Kind) {
	if n := len(p.blocks); n == 0 || p.blocks[n-1].Len() == 4096 {
		p.blocks = append(p.blocks, &traceio.Block{First: p.len})
	}
	p.blocks[len(p.blocks)-1].Append(traceio.Access{Addr: addr, PC: traceio.Addr(line), Size: 4, Kind: kind})
	p.len++
}

func (p *program) alloc(addr traceio.Addr, size uint64) {
	p.heaps = append(p.heaps, traceio.Alloc{Seq: p.len, Addr: addr, Size: size, Stack: 1, Op: traceio.Malloc})
}

func (p *program) free(addr traceio.Addr) {
	p.heaps = append(p.heaps, traceio.Alloc{Seq: p.len, Addr: addr, Stack: 1, Op: traceio.Free})
}

// find is what is found in it, in a hierarchy.
func (p *program) find(t *testing.T, c cachesim.Config) []Finding {
	t.Helper()
	h, err := heap.Analyze(context.Background(), p.heaps, p.len, p.prog, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := attribution.LinesOf(p.prog, func(add func(pc traceio.Addr, loads, stores uint64)) {
		for _, s := range p.prog.Sites {
			add(s.PC, 1, 0)
		}
	})
	list, err := Find(context.Background(), Input{Recording: p, Lines: lines,
		Regions: region.New(p.prog, h, region.Hints{}), Heap: h, Config: c, Threads: 1}, func(_, _ int64) {})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestFindingsSayNoMoreThanIsKnown: programs with one habit, or with none, and the words that must and must not be said
// of them. No share is above the whole, and each names its whole.
func TestFindingsSayNoMoreThanIsKnown(t *testing.T) {
	preset, err := cachesim.Preset(cachesim.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	untimed, err := cachesim.ParseConfig(
		[]byte("[[level]]\nname = \"L1\"\nkind = \"data\"\nsize = \"512B\"\nways = 8\nblock = \"32B\"\n"), "plain.toml")
	if err != nil {
		t.Fatal(err)
	}
	const table = 0x100000
	column := func(p *program, line int) {
		for j := range traceio.Addr(32) {
			for i := range traceio.Addr(256) {
				p.touch(line, table+256*i+4*j, traceio.Load)
			}
		}
	}
	for _, row := range []struct {
		name   string
		do     func(p *program)
		in     cachesim.Config
		said   []string
		unsaid string
	}{
		{"look-ups at random", func(p *program) {
			r := rand.New(rand.NewPCG(1, 2))
			for range 20000 {
				p.touch(1, table+4*traceio.Addr(r.IntN(1<<14)), traceio.Load)
			}
		}, preset, []string{"blocks of table are used in no regular order",
			"of the time of all references in default (L1D 512B, L2 4KiB)"}, "transposed|interchange|walked across"},
		{"columns of a matrix", func(p *program) { column(p, 1); column(p, 1) }, preset,
			[]string{"table is walked across its blocks", "store table transposed"}, "no regular order"},
		{"columns, twice over", func(p *program) { column(p, 1); column(p, 2); column(p, 1); column(p, 2) }, preset,
			[]string{"walked across"}, ""},
		{"without latencies", func(p *program) { column(p, 1); column(p, 1) }, untimed,
			[]string{"of the misses of L1 in plain.toml (L1 512B)"}, "of the time"},
		{"a storm of blocks", func(p *program) {
			for range 20000 {
				p.alloc(0x9000, 31)
				p.touch(3, 0x9000, traceio.Store)
				p.touch(4, 0x9000, traceio.Load)
				p.free(0x9000)
			}
		}, preset, nil, "untouched|in one loop"},
		{"two places of one loop", func(p *program) {
			fresh := traceio.Addr(0)
			for range 400 {
				for _, line := range []int{1, 3} {
					for k := range traceio.Addr(4) {
						p.touch(line, 0x800+32*k, traceio.Load)
					}
					for range 17 + 8*line {
						p.touch(line+1, 0x200000+fresh, traceio.Load)
						fresh += 32
					}
				}
			}
		}, untimed, nil, "in one loop"},
		{"a large block for little", func(p *program) {
			p.alloc(0x9000, 8192)
			for i := range traceio.Addr(2000) {
				p.touch(3, 0x9000+i%64*4, traceio.Store)
			}
			p.free(0x9000)
		}, preset, []string{"96 % of the bytes from f.c:6 have no recorded reference", "of 8192 bytes in 1 block,",
			"of what the heap holds over time"}, ""},
		{"fields that are written", func(p *program) {
			for range 4 {
				for i := range traceio.Addr(2000) {
					p.touch(3, 0x200000+64*i, traceio.Store)
				}
			}
		}, preset, []string{"keep the fields that", "are ever used"}, "reads in an array"},
		{"a leak in one part of the run", func(p *program) {
			for i := range traceio.Addr(20000) {
				if i >= 5000 && i < 7000 {
					p.alloc(0x9000+64*i, 48)
					for at := range traceio.Addr(12) {
						p.touch(3, 0x9000+64*i+4*at, traceio.Store)
					}
				}
				p.touch(4, 0x500, traceio.Load)
			}
		}, preset, []string{"(leak) blocks from f.c:6 are never freed", "2000 of 2000 blocks"}, "right after it|long after"},
		{"kept for too long", func(p *program) {
			p.alloc(0x9000, 4096)
			for i := range traceio.Addr(1024) {
				p.touch(3, 0x9000+4*i, traceio.Store)
			}
			for range 5000 {
				p.touch(4, 0x500, traceio.Load)
			}
			p.free(0x9000)
		}, preset, []string{"(drag) blocks from f.c:6 are kept long after their last use", "free them right after it"},
			"never freed"},
		{"far apart in one set", func(p *program) {
			for range 300 {
				for way := range traceio.Addr(16) {
					p.touch(5, 0x7000_0000+way<<20, traceio.Load)
				}
			}
		}, preset, []string{"keep what is used together there (other) from addresses that are a multiple of"}, "rows"},
	} {
		p := newProgram()
		row.do(p)
		said := ""
		for _, f := range p.find(t, row.in) {
			if f.Cost.Share > 1 || f.Cost.Share < LeastShare || f.Cost.Of == "" {
				t.Errorf("%s: %q costs %v", row.name, f.Title, f.Cost)
			}
			said += "(" + string(f.Kind) + ") " + f.Title + "\n" + f.Advice + "\ncosts a part of " + f.Cost.Of + "\n"
		}
		for _, want := range row.said {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not in\n%s", row.name, want, said)
			}
		}
		for _, never := range strings.Split(row.unsaid, "|") {
			if never != "" && strings.Contains(said, never) {
				t.Errorf("%s: %q is in\n%s", row.name, never, said)
			}
		}
	}
}

// TestFindingsThatShareMissesSaySo: shares that add up to more than there is are of the same misses in part.
func TestFindingsThatShareMissesSaySo(t *testing.T) {
	preset, err := cachesim.Preset(cachesim.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	p := newProgram()
	for range 40 {
		for i := range traceio.Addr(64) {
			p.touch(1, 0x100000+1024*i, traceio.Load)
		}
	}
	sum := 0.0
	for _, f := range p.find(t, preset) {
		own := f.Cost.Share
		for _, e := range f.Evidence {
			if strings.HasPrefix(e.What, "of its cost, at least, also in: ") {
				own *= 1 - e.Value/100
			}
		}
		sum += own
		t.Logf("%s: %.2f, of its own at most %.2f", f.Title, f.Cost.Share, own)
	}
	if sum > 1.0001 {
		t.Errorf("what the findings have for themselves is %.2f of the whole", sum)
	}
}
