package simulator

import (
	"math/rand/v2"
	"reflect"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
)

// randomConfig is a valid hierarchy of one to three levels, small, so that everything gets evicted: half of the time a
// plain one, else with anything that there is.
func randomConfig(r *rand.Rand) Config {
	for {
		c := plainConfig(r)
		if r.IntN(2) == 0 {
			return c
		}
		if r.IntN(3) == 0 {
			c.Cores = 1 + r.IntN(3)
		}
		for i := range c.Levels {
			decorate(r, &c.Levels[i])
		}
		if c.Cores > 1 && r.IntN(4) > 0 {
			c = c.WithCores(c.Cores)
		}
		if r.IntN(4) == 0 {
			first, last := Policies()[r.IntN(7)], SRRIP
			if r.IntN(2) == 0 { // as in most processors: the rows pass such TLBs together, if they are one core's
				first, last = LRU, LRU
			}
			c.TLBs = append(c.TLBs, TLB{Name: "T1", Kind: []Kind{Data, Unified}[r.IntN(2)], Entries: 8, Ways: 4, Page: 256,
				Policy: first, Latency: 1})
			c.TLBs = append(c.TLBs, TLB{Name: "T2", Kind: Unified, Entries: 12, Ways: 3, Page: 512, Policy: last, Latency: 2})
			c.Walk.Latency = 30
		}
		if c.Validate() == nil {
			return c
		}
	}
}

// decorate gives a level anything that there is, which need not go together.
func decorate(r *rand.Rand, l *Level) {
	l.Policy = Policies()[r.IntN(7)]
	l.Seed = int64(r.IntN(3))
	l.NoAllocate = r.IntN(4) == 0
	if r.IntN(4) == 0 {
		l.Write = WriteThrough
	}
	l.Inclusion = []Inclusion{"", NINE, Inclusive, Exclusive}[r.IntN(4)]
	if r.IntN(3) == 0 {
		l.Prefetch = Prefetchers()[r.IntN(3)]
	}
	if r.IntN(4) == 0 {
		l.VictimBlocks = 1 + r.IntN(4)
	}
	l.Shared = r.IntN(4) == 0
}

func plainConfig(r *rand.Rand) Config {
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
		a := traceio.Access{Addr: traceio.Addr(1<<40 + base%6000), Size: uint16(1 << r.IntN(4)),
			Kind: traceio.Kind(r.IntN(3)),
			PC:   traceio.Addr(r.IntN(6)), Thread: traceio.Thread(r.IntN(3))}
		if r.IntN(10) == 0 {
			a.Size = uint16(r.IntN(81))
		}
		b.Append(a)
	}
	return b
}

func TestRandomConfigsRoundTrip(t *testing.T) {
	for seed := range uint64(200) {
		c := randomConfig(rand.New(rand.NewPCG(seed, 3)))
		again, err := ParseConfig([]byte(c.TOML()), c.Name)
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Fatalf("seed %d: %v\n%s", seed, err, c.TOML())
		}
	}
}
