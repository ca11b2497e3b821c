package region

import (
	"testing"

	"orrery/analysis/heap"
	"orrery/traceio"
)

// surveyed names and counts a recording the product's way, in one pass after a sample.
func surveyed(t testing.TB, rec Recording, prog *traceio.Program, h *heap.Heap) (*Map, *Usage) {
	t.Helper()
	s := NewSurvey(rec, prog, h, sampled(t, rec, prog, h))
	for i := range rec.Blocks() {
		s.Add(blockOf(t, rec, i))
	}
	return s.Done()
}

func sampled(t testing.TB, rec Recording, prog *traceio.Program, h *heap.Heap) Hints {
	t.Helper()
	look := NewSample(prog)
	for _, i := range Sampled(rec.Blocks()) {
		look.Add(blockOf(t, rec, i))
	}
	return look.Hints(h)
}

func blockOf(t testing.TB, rec Recording, i int) *traceio.Block {
	t.Helper()
	b, err := rec.Block(i)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// inPasses is surveyed's slow twin: a pass that follows the calls, one for what holds the heap's blocks, and one that
// counts with what is then known.
func inPasses(t testing.TB, rec Recording, prog *traceio.Program, h *heap.Heap) (*Map, *Usage) {
	t.Helper()
	hints, c := sampled(t, rec, prog, h), newCode(prog)
	if f := newCalls(rec, c, hints.Stacks); f != nil {
		hints.calls = f
		w := newWalker(c)
		for i := range rec.Blocks() {
			b := blockOf(t, rec, i)
			f.firsts, f.tops = append(f.firsts, b.First), append(f.tops, f.keep(w))
			p := position{b: b, s: b.First}
			p.walk(f, w, ^traceio.Seq(0))
		}
	}
	m := New(prog, h, hints)
	if held := newHolders(prog, h, c); held != nil {
		for i := range rec.Blocks() {
			held.walk(blockOf(t, rec, i))
		}
		if held.next == h.Count() {
			m.holders(held.sites)
		}
	}
	regions, blocks := make([]Use, len(m.regions)), make([]BlockUse, m.heap.Count())
	l := m.Lookup()
	for i := range rec.Blocks() {
		b := blockOf(t, rec, i)
		ids, of := make([]int32, b.Len()), make([]int32, b.Len())
		l.Classify(b, ids, of)
		s := b.First
		for row, id := range ids {
			if b.Kind[row] == traceio.Fetch {
				continue
			}
			var one Use
			if one.Loads = 1; b.Kind[row] == traceio.Store {
				one = Use{Stores: 1}
			}
			regions[id] = regions[id].and(one)
			if k := of[row]; k >= 0 {
				x := &blocks[k]
				if x.References() == 0 {
					x.First = s
				}
				x.Use, x.Last = x.and(one), s
			}
			s++
		}
	}
	return m, NewUsage(regions, blocks)
}

func (u Use) and(o Use) Use { return Use{u.Loads + o.Loads, u.Stores + o.Stores} }
