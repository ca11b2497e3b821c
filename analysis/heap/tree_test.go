package heap

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orrery/traceio"
)

// calls is a program of four stacks: main calls push by way of an inlined grow, and parse, in a module without names.
func calls() *traceio.Program {
	return &traceio.Program{
		Modules: []traceio.Module{{Path: "/home/u/list", Main: true, Low: 100, High: 200},
			{Path: "/usr/lib/libz.so", Low: 1000, High: 2000}},
		Stacks: [][]traceio.Addr{nil, {111, 131}, {121, 131}, {1500, 131}, {9000}},
		Sites: []traceio.Site{
			{PC: 110, Frames: []traceio.Frame{{Function: "operator new(unsigned long)"}, {Function: "grow<int>(int)",
				File: "/home/u/list.c", Line: 7}, {Function: "push(int)", File: "/home/u/list.c", Line: 22}}},
			{PC: 120, Frames: []traceio.Frame{{Function: "parse", File: "/home/u/list.c", Line: 30}}},
			{PC: 130, Frames: []traceio.Frame{{Function: "main", File: "/home/u/list.c", Line: 40}}},
		},
	}
}

func TestTree(t *testing.T) {
	var log []traceio.Alloc
	for i, stack := range []traceio.StackID{1, 1, 2, 3, 4, 0, 99} {
		log = append(log, traceio.Alloc{Seq: traceio.Seq(2 * i), Addr: traceio.Addr(0x1000 + 0x100*i),
			Size: uint64(10 * (i + 1)), Stack: stack})
		if i%2 == 0 {
			log = append(log, free(traceio.Seq(2*i+1), log[len(log)-1].Addr))
		}
	}
	h := analyze(t, log, 20, calls())
	root := h.Tree()
	for _, row := range []struct {
		metric Metric
		want   string
	}{
		{ByBytes, "unknown code 130\nmain;libz.so 40\nmain;parse 30\nmain;push;grow 30\n0x2328 50\n"},
		{ByBlocks, "unknown code 2\nmain;libz.so 1\nmain;parse 1\nmain;push;grow 2\n0x2328 1\n"},
		{ByLeaked, "unknown code 60\nmain;libz.so 40\nmain;push;grow 20\n"},
		{ByTemporary, "unknown code 1\nmain;parse 1\nmain;push;grow 1\n0x2328 1\n"},
		{ByPeak, "unknown code 130\nmain;libz.so 40\nmain;push;grow 20\n"},
	} {
		var out strings.Builder
		if err := root.Folded(&out, row.metric); err != nil {
			t.Fatal(err)
		}
		got := strings.SplitAfter(out.String(), "\n")
		want := strings.SplitAfter(row.want, "\n")
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("by %s:\n%swant\n%s", row.metric, out.String(), row.want)
		}
		if m, ok := ParseMetric(row.metric.String()); !ok || m != row.metric {
			t.Errorf("metric %s reads as %s", row.metric, m)
		}
	}
	ofSite := make([]uint64, len(h.Sites))
	var check func(n *Node)
	check = func(n *Node) {
		sum := n.Self
		for i, c := range n.Children {
			check(c)
			sum.plus(&c.Total)
			if n.Site >= 0 && c.Site != n.Site {
				t.Errorf("%s is of site %d, %s below it of %d", n.Name, n.Site, c.Name, c.Site)
			}
			if c.Site >= 0 && n.Site < 0 {
				ofSite[c.Site] += c.Total.Bytes
			}
			if i > 0 && c.Total.Bytes > n.Children[i-1].Total.Bytes {
				t.Errorf("%s has %s out of order", n.Name, c.Name)
			}
		}
		if sum != n.Total {
			t.Errorf("%s: parts are %+v, all %+v", n.Name, sum, n.Total)
		}
	}
	check(root)
	for i, bytes := range ofSite {
		if bytes != h.Sites[i].Bytes {
			t.Errorf("the tree has %d bytes of %s, the sites %d", bytes, h.Sites[i].Name(), h.Sites[i].Bytes)
		}
	}
	if root.Total.Bytes != h.TotalBytes || root.Total.Temporary != h.Temporary || root.Total.LiveBytes != h.LiveBytes {
		t.Errorf("the root has %+v", root.Total)
	}
}

// Costs by site and by stack are sums over the blocks, each looked at alone.
func TestCostsAgainstBlocks(t *testing.T) {
	for seed := range uint64(4) {
		log, end := randomLog(rand.New(rand.NewPCG(seed, 51)), 2000, true)
		h := analyze(t, log, end, calls())
		sites, leaks := make([]Cost, len(h.Sites)), map[int]*Leak{}
		for i := range h.Count() {
			b := h.Block(i)
			s := int(b.Site)
			sites[s].add(b, h.PeakAt)
			if b.Leaked {
				if leaks[s] == nil {
					leaks[s] = &Leak{Site: s, First: b.From}
				}
				l := leaks[s]
				l.Blocks++
				l.Bytes += b.Size
				l.Last = b.From
				l.Growth[b.From*GrowthSteps/h.Axis.End] += b.Size
			}
		}
		for i := range sites {
			if h.Sites[i].Cost != sites[i] {
				t.Fatalf("seed %d: %s costs %+v, want %+v", seed, h.Sites[i].Name(), h.Sites[i].Cost, sites[i])
			}
		}
		got := h.Leaks()
		if len(got) != len(leaks) {
			t.Fatalf("seed %d: %d leaks, want %d", seed, len(got), len(leaks))
		}
		for i := range got {
			if got[i] != *leaks[got[i].Site] || i > 0 && got[i].Bytes > got[i-1].Bytes {
				t.Fatalf("seed %d: leak %+v, want %+v", seed, got[i], *leaks[got[i].Site])
			}
		}
		activity := h.Activity(10)
		for i := range h.Count() {
			b := h.Block(i)
			activity[b.Site][b.From*10/h.Axis.End]--
		}
		for i := range activity {
			for k, n := range activity[i] {
				if n != 0 {
					t.Fatalf("seed %d: site %d is off by %d blocks in part %d", seed, i, int64(n), k)
				}
			}
		}
		crossed := uint64(0)
		for _, c := range h.Crossings() {
			crossed += c.Blocks
			if c.From == c.To {
				t.Fatalf("seed %d: %+v crosses nothing", seed, c)
			}
		}
		if crossed != h.Crossed || crossed == 0 {
			t.Errorf("seed %d: %d blocks crossed, want %d", seed, crossed, h.Crossed)
		}
	}
}

func TestGrowing(t *testing.T) {
	var once, always []traceio.Alloc
	for i := range 32 {
		once = append(once, malloc(traceio.Seq(i), traceio.Addr(0x1000+0x100*i), 8))
		always = append(always, malloc(traceio.Seq(100*i), traceio.Addr(0x1000+0x100*i), 8))
	}
	if l := analyze(t, once, 3200, nil).Leaks()[0]; l.Growing() || l.Steps() != 1 {
		t.Errorf("made at once, and grows in %d steps", l.Steps())
	}
	if l := analyze(t, always, 3200, nil).Leaks()[0]; !l.Growing() || l.Steps() != GrowthSteps {
		t.Errorf("made all the time, and grows in %d steps", l.Steps())
	}
}

// add counts a block.
func (c *Cost) add(b Block, peak Time) {
	c.Blocks++
	c.Bytes += b.Size
	c.WasteBytes += b.Waste()
	if b.Leaked {
		c.LiveBytes += b.Size
		c.LeakedBlocks++
	}
	if b.Temporary {
		c.Temporary++
	}
	if b.Crossed() {
		c.Crossed++
	}
	if b.From <= peak && b.To > peak {
		c.PeakBytes += b.Size
	}
}
