package mjpeg

import (
	"context"
	"slices"
	"testing"

	"orrery/analysis/dse/search"
	"orrery/traceio/designs"
)

// moved is the outcome of a genome with one process on another processor, its memories and all else as they were.
func moved(t *testing.T, p *Problem, g search.Genome, process, to int) (outcome, bool) {
	t.Helper()
	at := slices.Index(p.runs[process], to)
	if at < 0 {
		t.Fatalf("%s cannot run on %s", tasks[process].name, parts[to].name)
	}
	g = slices.Clone(g)
	g[process] = uint16(at)
	p.Repair(g)
	b := p.bind(g)
	return b.evaluate(), b.process[process] == to
}

// TestMovesOfOneProcess is figures 18 and 19: of every good design that the search found, VLE alone is moved to
// ASIC-VLE, which makes both time and energy worse; and DCT alone to each of its processors, of which ASIC-DCT and ASIP
// are faster than mP and mC.
func TestMovesOfOneProcess(t *testing.T) {
	found := searched(t, 2)
	set, err := Explored(context.Background(), 2, nil)
	s := spaceOf(t, set, err)
	p := New()
	looked := 0
	for i, d := range found.Designs() {
		b := p.bind(d.Genome)
		if max(s.Norm[0][i], s.Norm[1][i]) > 0.2 || b.process[vle] == asicVLE {
			continue
		}
		looked++
		before := b.evaluate()
		if after, ok := moved(t, p, d.Genome, vle, asicVLE); !ok || after.time < 1.2*before.time ||
			after.energy < 1.2*before.energy {
			t.Fatalf("design %v with VLE on ASIC-VLE takes %v and %v instead of %v and %v", d.Genome, after.time, after.energy,
				before.time, before.energy)
		}
		var with [processors]outcome
		for _, c := range p.runs[dct] {
			with[c], _ = moved(t, p, d.Genome, dct, c)
		}
		slow := min(with[mP].time, with[mC].time)
		if fast := max(with[asicDCT].time, with[asip].time); fast >= slow {
			t.Fatalf("design %v: DCT on ASIC-DCT or ASIP takes up to %v, on mP or mC from %v on", d.Genome, fast, slow)
		}
	}
	if looked < 100 {
		t.Errorf("only %d good designs to be looked at", looked)
	}
}

// TestTablesOnTheWay: a table that was taken while the search goes on stays as it was, and later ones continue it, so
// that a tree can be drawn of each.
func TestTablesOnTheWay(t *testing.T) {
	s, err := search.New(New(), Options(3))
	if err != nil {
		t.Fatal(err)
	}
	var tables []*designs.Set
	var points []int
	err = s.Run(context.Background(), 12, func(g *search.Generation) error {
		set, err := s.Set()
		if err != nil {
			return err
		}
		tables, points = append(tables, set), append(points, len(s.Designs()))
		if set.N != len(s.Designs()) || set.Generations.Count != g.Number+1 {
			t.Errorf("generation %d: %d points, %d generations", g.Number, set.N, set.Generations.Count)
		}
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := tables[len(tables)-1]
	for k, set := range tables {
		if set.N != points[k] || len(set.Parameters[0].At) != set.N || len(set.Mapping.Process[dct]) != set.N ||
			len(set.Generations.Start) != set.N+1 {
			t.Errorf("table %d changed: %d points of %d", k, set.N, points[k])
		}
		for j, o := range set.Objectives {
			if !slices.Equal(o.Values, last.Objectives[j].Values[:set.N]) {
				t.Errorf("table %d: the last one does not continue %s", k, o.Name)
			}
		}
		for i := range set.N {
			if of := last.Generations.Of(i); !slices.Equal(set.Generations.Of(i), of[:len(set.Generations.Of(i))]) ||
				of[0] != set.Generations.First(i) {
				t.Errorf("table %d: point %d was evaluated in %v, at last in %v", k, i, set.Generations.Of(i), of)
			}
		}
	}
}
