package caches

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"orrery/analysis/dse"
	"orrery/analysis/dse/search"
	"orrery/cachesim"
)

// smallSpace can be enumerated: one or two levels of four sizes and four numbers of ways, with and without a prefetcher
// above, LRU or FIFO below.
func smallSpace() Space {
	const KiB = cachesim.KiB
	lru, back, no := []cachesim.Policy{cachesim.LRU}, []cachesim.Write{cachesim.Back},
		[]cachesim.Prefetcher{cachesim.NoPrefetch}
	return Space{
		Counts: []int{1, 2}, Blocks: []cachesim.Size{64}, Memory: DefaultMemory(),
		Levels: []Choices{
			{Sizes: []cachesim.Size{4 * KiB, 8 * KiB, 16 * KiB, 32 * KiB}, Ways: []int{1, 2, 4, 8}, Policies: lru, Writes: back,
				Prefetches: []cachesim.Prefetcher{cachesim.NoPrefetch, cachesim.NextLine}},
			{Sizes: []cachesim.Size{8 * KiB, 16 * KiB, 32 * KiB, 64 * KiB}, Ways: []int{1, 2, 4, 8},
				Policies: []cachesim.Policy{cachesim.LRU, cachesim.FIFO}, Writes: back, Prefetches: no},
		},
	}
}

// everything is all genomes of a problem's space, repaired, each once.
func everything(p *Problem) []search.Genome {
	var out []search.Genome
	seen := map[string]bool{}
	g := make(search.Genome, len(p.genes))
	var fill func(i int)
	fill = func(i int) {
		if i == len(g) {
			one := append(search.Genome(nil), g...)
			p.Repair(one)
			if d := p.Design(one); !seen[d.String()] {
				seen[d.String()] = true
				out = append(out, one)
			}
			return
		}
		for v := range p.genes[i].Values {
			g[i] = uint16(v)
			fill(i + 1)
		}
	}
	fill(0)
	return out
}

// TestSearchFindsTheFront: over a space that can be enumerated, the search looks at less than a third of it and finds
// the front that all designs have, on the standard and on the blocked multiply.
func TestSearchFindsTheFront(t *testing.T) {
	for _, path := range []string{standard, blocked} {
		rec := open(t, path)
		p := problem(t, rec, smallSpace())
		all := everything(p)
		results, err := p.Evaluate(context.Background(), all)
		if err != nil {
			t.Fatal(err)
		}
		front := map[string]bool{}
		possible := 0
		for i, r := range results {
			if !r.Possible() {
				continue
			}
			possible++
			beaten := false
			for _, other := range results {
				beaten = beaten || other.Possible() && dse.Dominates(other.Objectives, r.Objectives)
			}
			if !beaten {
				front[p.Design(all[i]).String()] = true
			}
		}
		o := search.DefaultOptions(p)
		o.Population, o.Seed = 40, 1
		s, err := search.New(p, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), 12, nil, nil); err != nil {
			t.Fatal(err)
		}
		found, wrong := 0, 0
		set, err := s.Set()
		if err != nil {
			t.Fatal(err)
		}
		space, err := dse.New(context.Background(), set)
		if err != nil {
			t.Fatal(err)
		}
		for i, global := range space.Global {
			switch name := set.ID[i]; {
			case global && front[name]:
				found++
			case global:
				wrong++
			case front[name]:
				t.Errorf("%s: %s is on the front of all designs and not on that of some", path, name)
			}
		}
		t.Logf("%s: %d designs, %d possible, %d on the front; the search evaluated %d (%d possible), found %d, and %d that "+
			"are not", path, len(all), possible, len(front), len(s.Designs()), set.N, found, wrong)
		if 10*found < 9*len(front) || wrong > 0 {
			t.Errorf("%s: found %d of %d on the front, and %d that are not", path, found, len(front), wrong)
		}
		if 3*len(s.Designs()) > len(all) {
			t.Errorf("%s: the search looked at %d designs of %d", path, len(s.Designs()), len(all))
		}
		if len(space.Uneven) != 0 {
			t.Errorf("%s: area differs within a subspace: %v", path, space.Uneven)
		}
	}
}

// TestFeasible: the combinations that the table of a small space tells are those of its possible designs, each once;
// without a choice of the number of levels none of them lacks a level.
func TestFeasible(t *testing.T) {
	for _, counts := range [][]int{{1, 2}, {2}, {1}} {
		s := smallSpace()
		s.Counts = counts
		p := problem(t, randomRecording(rand.New(rand.NewPCG(1, 1)), 1, 10), s)
		head := p.Head()
		want := map[string]bool{}
		for _, g := range everything(p) {
			if p.space.violation(p.Design(g), p.costs) == 0 {
				want[fmt.Sprint(p.values(p.Design(g)))] = true
			}
		}
		for _, combo := range head.Feasible {
			if len(combo) != len(head.Parameters) || !want[fmt.Sprint(combo)] {
				t.Errorf("%v levels: %v is not of a possible design, or told twice", counts, combo)
			}
			delete(want, fmt.Sprint(combo))
			for j, v := range combo {
				if len(counts) == 1 && head.Parameters[j].Values[v] == none {
					t.Errorf("%v levels: %s is %s", counts, head.Parameters[j].Name, none)
				}
			}
		}
		if len(want) > 0 || len(head.Feasible) == 0 || len(head.Parameters) != 2+2*counts[len(counts)-1] {
			t.Errorf("%v levels: %d combinations are missing, %d parameters", counts, len(want), len(head.Parameters))
		}
	}
	if p := problem(t, randomRecording(rand.New(rand.NewPCG(1, 1)), 1, 10), DefaultSpace()); p.Head().Feasible != nil {
		t.Errorf("a large space tells %d combinations", len(p.Head().Feasible))
	}
}

// TestSearchBeatsDrawing: in a space that is too large to be enumerated the front of the search is nowhere worse than
// most of the front of as many designs drawn by chance, and the other way round little.
func TestSearchBeatsDrawing(t *testing.T) {
	p := problem(t, beginning(t, blocked, 20000), DefaultSpace())
	o := search.DefaultOptions(p)
	o.Population = 30
	s, err := search.New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), 12, nil, nil); err != nil {
		t.Fatal(err)
	}
	var searched []search.Result
	for _, d := range s.Designs() {
		searched = append(searched, d.Result)
	}
	var genomes []search.Genome
	for _, d := range drawn(p, rand.New(rand.NewPCG(6, 6)), len(searched)) {
		g, err := p.Genome(d)
		if err != nil {
			t.Fatal(err)
		}
		genomes = append(genomes, g)
	}
	results, err := p.Evaluate(context.Background(), genomes)
	if err != nil {
		t.Fatal(err)
	}
	a, b := best(searched), best(results)
	t.Logf("%d designs, fronts of %d and %d; the search's covers %.2f, the drawn %.2f", len(searched), len(a), len(b),
		covered(a, b), covered(b, a))
	if covered(a, b) < 0.7 || covered(b, a) > 0.35 {
		t.Errorf("the search's front covers %.2f of the drawn one, and that %.2f of the search's",
			covered(a, b), covered(b, a))
	}
}

// best are the objectives of the results that no other dominates, each once.
func best(results []search.Result) (out [][]float64) {
	seen := map[string]bool{}
	for _, r := range results {
		beaten := !r.Possible() || seen[fmt.Sprint(r.Objectives)]
		for _, other := range results {
			beaten = beaten || other.Possible() && dse.Dominates(other.Objectives, r.Objectives)
		}
		if !beaten {
			seen[fmt.Sprint(r.Objectives)] = true
			out = append(out, r.Objectives)
		}
	}
	return out
}

// covered is the share of b that some of a is nowhere worse than.
func covered(a, b [][]float64) float64 {
	n := 0
	for _, y := range b {
		for _, x := range a {
			if dse.WeaklyDominates(x, y) {
				n++
				break
			}
		}
	}
	return float64(n) / float64(len(b))
}
