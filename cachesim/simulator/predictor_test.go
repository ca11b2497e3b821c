package simulator

import (
	"math/rand/v2"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
)

// farBlock has loops over few blocks and streams through many, at distances at which blocks share sets and entries of
// the way predictor.
func farBlock(r *rand.Rand, first traceio.Seq, rows int) *traceio.Block {
	b := new(traceio.Block)
	b.Reset(first)
	for b.Len() < rows {
		base, stride := uint64(r.IntN(1<<8)), uint64(16)<<r.IntN(16)
		blocks := 1 + r.IntN(60)
		for range 1 + r.IntN(4) {
			for i := range uint64(blocks) {
				if r.IntN(8) == 0 {
					i = uint64(r.IntN(blocks))
				}
				b.Append(traceio.Access{Addr: traceio.Addr(base + i*stride), Size: uint16(1 << r.IntN(5)),
					Kind: traceio.Kind(r.IntN(3))})
			}
		}
	}
	return b
}

// TestWayPredictor runs blocks that share entries of the way predictor through plain levels of every width and holds
// counts and states against the twin's, before and after a state came from elsewhere.
func TestWayPredictor(t *testing.T) {
	ways := []int{1, 2, 3, 4, 8, 9, 16, 20, 32, 64, 72, 256}
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 21))
		level := func(name string, kind Kind) Level {
			l := Level{Name: name, Kind: kind, Block: 16, Ways: ways[r.IntN(len(ways))],
				Policy: []Policy{LRU, LRU, LRU, FIFO}[r.IntN(4)]}
			l.Size = l.Block * Size(l.Ways) << r.IntN(3)
			return l
		}
		c := Config{Levels: []Level{level("L1I", Instruction), level("L1D", Data), level("L2", Unified)}}
		h, elsewhere, logged, slow := fresh(t, c), fresh(t, c), fresh(t, c), newTwin(c)
		seq := traceio.Seq(0)
		points := newCheckpoints(h.size(), usual)
		for i := range 4 {
			b := farBlock(r, seq, 500)
			seq += traceio.Seq(b.Data())
			if points.take(h, position{i, 0}); i == 2 {
				elsewhere.restore(points.list[i]) // and what it had is gone
			}
			h.Run(b)
			elsewhere.Run(b)
			logged.events(b, 0, b.Len(), b.First, nil)
			for row := range b.Addr {
				slow.reference(rowOf(b, row))
			}
			if i == 0 {
				elsewhere.Run(b)
			}
		}
		want := slow.totals()
		for i := range want.Levels {
			l := &want.Levels[i]
			l.Compulsory, l.Capacity, l.Conflict = 0, 0, 0
		}
		for name, h := range map[string]*Hierarchy{"Run": h, "Run of a state from elsewhere": elsewhere,
			"runEvents": logged} {
			equalTotals(t, seed, c, name, h.Totals(), want)
			equalState(t, seed, name, h.snapshot(0), slow)
		}
	}
}
