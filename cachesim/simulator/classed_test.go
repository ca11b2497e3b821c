package simulator

import (
	"math/rand/v2"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
)

// TestClassesOfAnyRun has a hierarchy with miss classes run blocks in every way in turns, and one with all levels in
// one go, and holds counts and states against the twin's.
func TestClassesOfAnyRun(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 31))
		c := narrowConfig(r)
		if r.IntN(3) == 0 {
			c.Levels[len(c.Levels)-1].Policy = FIFO
		}
		h, slow := fresh(t, c), newTwin(c)
		h.Classify()
		seq := traceio.Seq(0)
		for range 6 {
			b := edgyBlock(r, seq, 100, 1<<48)
			seq += traceio.Seq(b.Data())
			switch r.IntN(4) {
			case 0:
				h.RunServed(b, make([]Served, b.Len()))
			case 1:
				h.events(b, 0, b.Len(), b.First, nil)
			default:
				h.Run(b)
			}
			for row := range b.Addr {
				slow.reference(rowOf(b, row))
			}
		}
		equalTotals(t, seed, c, "Classify", h.Totals(), slow.totals())
		equalState(t, seed, "Classify", h.snapshot(0), slow)
	}
}
