package layout

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A sifted vertex saves what all pairs of segments say, no other place is better, and the buffer then is
// what it would be had it been taken up anew.
func TestLayerBufferFindsTheBestPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 3))
	moves, plain := 0, 0
	for i := range 200 {
		g := randomGraph(r, 10+r.IntN(40))
		if i&1 != 0 { // few slots, so that segments are plain
			for e := range g.Edges {
				g.Edges[e].FromX, g.Edges[e].ToX = 0, 0
			}
		}
		l := levelsOf(g)
		layer := r.IntN(len(l.order))
		row := l.order[layer]
		if len(row) < 3 {
			continue
		}
		before := slowCrossings(l)
		var s, fresh layerBuffer
		l.load(&s, layer, 0, len(row)-1)
		p, reach := r.IntN(len(row)), 1+r.IntN(len(row))
		v, old := row[p], slices.Clone(row)
		q, saved := s.best(p, reach)
		least := before
		for at := max(0, p-reach); at <= min(len(row)-1, p+reach); at++ {
			copy(row, slices.Insert(slices.Delete(slices.Clone(old), p, p+1), at, v))
			l.renumber(layer)
			least = min(least, slowCrossings(l))
		}
		copy(row, old)
		s.moveTo(p, q)
		l.renumber(layer)
		if after := slowCrossings(l); row[q] != v || after != before-saved || after != least {
			t.Fatalf("%d crossings became %d by a move from %d to %d, reported %d fewer, least %d", before, after,
				p, q, saved, least)
		}
		l.load(&fresh, layer, 0, len(row)-1)
		if !slices.Equal(s.start, fresh.start) || !slices.Equal(s.slots, fresh.slots) || !s.plain &&
			!slices.Equal(s.weight, fresh.weight) {
			t.Fatalf("after a move from %d to %d the buffer has %v %v, want %v %v", p, q, s.start, s.slots,
				fresh.start, fresh.slots)
		}
		if q != p {
			moves++
		}
		if s.plain && s.above > 0 && s.slotCount > s.above {
			plain++
		}
	}
	if moves < 50 || plain < 10 {
		t.Errorf("only %d vertices were moved, %d between plain segments", moves, plain)
	}
}

// The order of blocks read from the layers writes the same layers, and has each block once.
func TestBlockOrderAgreesWithLayersRead(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 3))
	for range 20 {
		b := shownBlocks(r, 20+r.IntN(60))
		b.siftLayers(make([]bool, len(b.blocks)), 1<<40)
		want := slowCrossings(b.layering)
		b.readLayers()
		if all := slices.Sorted(slices.Values(b.order)); len(slices.Compact(all)) != len(b.blocks) {
			t.Fatalf("%d blocks in an order of %d", len(b.blocks), len(all))
		}
		b.writeLayers()
		if got := slowCrossings(b.layering); got != want {
			t.Fatalf("%d crossings became %d", want, got)
		}
	}
}
