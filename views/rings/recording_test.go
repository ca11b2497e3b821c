package rings

import (
	"context"
	"image/color"
	"math/rand/v2"
	"testing"

	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/words"
)

// recorded is a recording held in blocks of a few references, so that windows cross their borders.
type recorded struct {
	blocks []*traceio.Block
	n      traceio.Seq
	size   int
}

func (r *recorded) Len() traceio.Seq { return r.n }
func (r *recorded) Blocks() int      { return len(r.blocks) }

func (r *recorded) Span(i int) (first, end traceio.Seq) {
	b := r.blocks[i]
	return b.First, b.First + traceio.Seq(b.Data())
}

func (r *recorded) Find(s traceio.Seq) int {
	for i := range r.blocks {
		if _, end := r.Span(i); s < end {
			return i
		}
	}
	return len(r.blocks) - 1
}

func (r *recorded) Block(i int) (*traceio.Block, error) { return r.blocks[i], nil }

func (r *recorded) add(a traceio.Addr, kind traceio.Kind, size uint16) {
	if len(r.blocks) == 0 || r.blocks[len(r.blocks)-1].Len() == r.size {
		b := &traceio.Block{}
		b.Reset(r.n)
		r.blocks = append(r.blocks, b)
	}
	r.blocks[len(r.blocks)-1].Append(traceio.Access{Addr: a, PC: 0x400000 + a%64, Size: size, Kind: kind})
	if kind != traceio.Fetch {
		r.n++
	}
}

// matrix is the references of the 16x16 standard multiplication of doubles: the right-hand matrix is read by column.
func matrix() *recorded {
	r := &recorded{size: 1000}
	const n = 16
	for i := range traceio.Addr(n) {
		for j := range traceio.Addr(n) {
			for k := range traceio.Addr(n) {
				r.add(0x10000+8*(i*n+k), traceio.Load, 8)
				r.add(0x10800+8*(k*n+j), traceio.Load, 8)
			}
			r.add(0x11000+8*(i*n+j), traceio.Store, 8)
		}
	}
	return r
}

// wandering is random references, some of them across blocks, with instruction fetches between.
func wandering(seed uint64, n int) *recorded {
	r := &recorded{size: 97}
	g := rand.New(rand.NewPCG(seed, 5))
	near := traceio.Addr(0x1000)
	for range n {
		for range g.IntN(3) {
			r.add(0x400000+traceio.Addr(g.IntN(600)), traceio.Fetch, 4)
		}
		if g.IntN(6) == 0 {
			near = traceio.Addr(0x1000 + g.IntN(3)*0x10000 + g.IntN(4000))
		}
		near += traceio.Addr(g.IntN(24))
		r.add(near, traceio.Kind(g.IntN(2)), []uint16{1, 4, 8, 16}[g.IntN(4)])
	}
	return r
}

// hierarchies are shapes that differ in what the picture has to cope with.
func hierarchies() map[string]cachesim.Config {
	l := func(name string, kind cachesim.Kind, sets, ways, block int) cachesim.Level {
		return cachesim.Level{Name: name, Kind: kind, Size: cachesim.Size(sets * ways * block), Ways: ways,
			Block: cachesim.Size(block)}
	}
	fifo := l("L1", cachesim.Data, 4, 4, 32)
	fifo.Policy = cachesim.FIFO
	victim, ahead := l("L1", cachesim.Data, 4, 2, 32), l("L2", cachesim.Unified, 16, 4, 32)
	victim.VictimBlocks, ahead.Prefetch = 4, cachesim.NextLine
	upper, lower := l("L1", cachesim.Data, 2, 4, 32), l("L2", cachesim.Unified, 4, 4, 32)
	lower.Inclusion = cachesim.Exclusive
	return map[string]cachesim.Config{
		"paper": {Name: "paper", Levels: []cachesim.Level{l("L1", cachesim.Data, 2, 4, 32),
			l("L2", cachesim.Unified, 4, 8, 32)}},
		"direct": {Name: "direct", Levels: []cachesim.Level{l("L1", cachesim.Unified, 16, 1, 16)}},
		"wide blocks": {Name: "wide blocks", Levels: []cachesim.Level{l("L1", cachesim.Data, 4, 2, 16),
			l("L2", cachesim.Unified, 8, 4, 64)}},
		"associative": {Name: "associative", Levels: []cachesim.Level{l("L1", cachesim.Data, 1, 24, 32),
			l("L2", cachesim.Unified, 1, 96, 32)}},
		"split, three": {Name: "split, three", Levels: []cachesim.Level{l("L1I", cachesim.Instruction, 4, 2, 32),
			l("L1D", cachesim.Data, 4, 2, 32), l("L2", cachesim.Unified, 16, 4, 32), l("L3", cachesim.Unified, 64, 4, 32)}},
		"victims":   {Name: "victims", Levels: []cachesim.Level{victim, ahead}},
		"exclusive": {Name: "exclusive", Levels: []cachesim.Level{upper, lower}},
		"fifo":      {Name: "fifo", Levels: []cachesim.Level{fifo, l("L2", cachesim.Unified, 8, 4, 32)}},
	}
}

func replay(t testing.TB, r *recorded, c cachesim.Config) *simulator.Replay {
	t.Helper()
	p, err := simulator.NewReplay(context.Background(), r, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// thirds gives the tests' data three regions and leaves the rest without one.
func thirds(a traceio.Addr) int {
	switch {
	case a < 0x10800:
		return 0
	case a < 0x11000:
		return 1
	case a < 0x30000:
		return 2
	}
	return -1
}

func regions() []Region {
	return []Region{{Name: "A", Color: color.NRGBA{0x56, 0xb4, 0xe9, 255}, Count: 4096, High: 0x10800},
		{Name: "B", Color: color.NRGBA{0xe6, 0x9f, 0, 255}, Count: 4096, Low: 0x10800, High: 0x11000},
		{Name: "C", Color: color.NRGBA{0x2f, 0xbf, 0x8f, 255}, Count: 256, Low: 0x11000, High: 0x30000}}
}

func items(r *recorded, unit uint64, fetches bool) *Items {
	t := NewTouched(unit)
	for _, b := range r.blocks {
		t.Add(b, fetches, nil)
	}
	return NewItems(unit, t.Addrs(), thirds, nil)
}

// state is what the application would show of reference at.
func state(t testing.TB, r *recorded, p *simulator.Replay, it *Items, at int, change func(*State)) State {
	t.Helper()
	s := State{Theme: palette.Dark(), At: traceio.Seq(at), Tail: 16, Speed: 1, Mean: 100, Regions: regions(),
		Items: it, Names: named{}}
	if change != nil {
		change(&s)
	}
	if err := s.Load(p, r); err != nil {
		t.Fatal(err)
	}
	return s
}

type named struct{}

func (named) Data(a traceio.Addr) string {
	if a >= 0x11000 {
		return ""
	}
	return [...]string{"A", "B"}[thirds(a)] + "[" + itoa(int(a&0x7ff)/8) + "]"
}

func (named) Code(traceio.Addr) string { return "matrix.c:12" }

func itoa(n int) string { return words.Count(uint64(n)) }
