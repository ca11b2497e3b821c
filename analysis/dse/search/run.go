package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"orrery/traceio/designs"
)

// Search is a search at work. One goroutine at a time may use it; what it hands out stays as it is. To pause one, call
// nothing, or end the context of Run: it stands at the last generation that was done, and the next call goes on from
// there.
type Search struct {
	problem Problem
	options Options
	random  *rand.PCG

	designs     []Design       // everything evaluated, in the order of evaluation
	index       map[string]int // by genome, into designs
	generations [][]int        // individuals
	population  []int          // the parents of the next generation, into designs
	standing    []standing     // of them

	table  *designs.Builder // everything that is possible; behind by the generations from tabled on
	tabled int
}

// New is a search that has done nothing yet.
func New(p Problem, o Options) (*Search, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	for _, g := range p.Genes() {
		if g.Values < 1 || g.Values > math.MaxUint16+1 {
			return nil, fmt.Errorf("gene %s has %d values; it has from 1 to %d", g.Name, g.Values, math.MaxUint16+1)
		}
	}
	return &Search{problem: p, options: o, random: rand.NewPCG(o.Seed, 0x9e3779b97f4a7c15), index: map[string]int{},
		table: designs.NewBuilder(p.Head())}, nil
}

// Problem is what is searched.
func (s *Search) Problem() Problem { return s.problem }

// Options are those of New.
func (s *Search) Options() Options { return s.options }

// Generations is the number of generations done.
func (s *Search) Generations() int { return len(s.generations) }

// Designs are all designs evaluated so far, impossible ones too, each once. They must not be written to.
func (s *Search) Designs() []Design { return s.designs[:len(s.designs):len(s.designs)] }

// Population are the designs from which the next generation comes, as indices into Designs.
func (s *Search) Population() []int { return slices.Clone(s.population) }

// Step does one generation: the first, or children of the population. When ctx ends or the evaluation fails, the search
// stands where it stood before.
func (s *Search) Step(ctx context.Context) (*Generation, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	random := *s.random
	var genomes []Genome
	if len(s.generations) == 0 {
		genomes = s.starts(rand.New(&random))
	} else {
		genomes = s.children(rand.New(&random))
	}
	fresh := s.fresh(genomes)
	results, err := s.evaluate(ctx, fresh)
	if err != nil {
		return nil, err
	}
	*s.random = random
	return s.take(genomes, fresh, results), nil
}

// Run does generations until so many are done in all, and gives each to deliver, which may be nil, as soon as it is
// done. It reports generations.
func (s *Search) Run(ctx context.Context, generations int,
	deliver func(*Generation) error, report func(done, total int64)) error {
	for s.Generations() < generations {
		g, err := s.Step(ctx)
		if err != nil {
			return err
		}
		if deliver != nil {
			if err := deliver(g); err != nil {
				return err
			}
		}
		if report != nil {
			report(int64(s.Generations()), int64(generations))
		}
	}
	return nil
}

// fresh are the genomes that were not evaluated yet, each once.
func (s *Search) fresh(genomes []Genome) []Genome {
	var out []Genome
	seen := map[string]bool{}
	for _, g := range genomes {
		k := key(g)
		if !s.met(g) && !seen[k] {
			seen[k] = true
			out = append(out, g)
		}
	}
	return out
}

func (s *Search) evaluate(ctx context.Context, genomes []Genome) ([]Result, error) {
	if len(genomes) == 0 {
		return nil, nil
	}
	results, err := s.problem.Evaluate(ctx, genomes)
	if err != nil {
		return nil, err
	}
	for i, r := range results {
		if err := sound(r, s.problem.Objectives()); err != nil {
			return nil, fmt.Errorf("design %v: %w", genomes[i], err)
		}
	}
	return results, nil
}

// sound tells what is wrong with a result.
func sound(r Result, objectives int) error {
	switch {
	case !(r.Violation >= 0) || math.IsInf(r.Violation, 0):
		return fmt.Errorf("a violation of %g cannot be", r.Violation)
	case r.Possible() && len(r.Objectives) != objectives:
		return fmt.Errorf("%d objectives, where %d belong", len(r.Objectives), objectives)
	case !r.Possible() && len(r.Objectives) != 0:
		return fmt.Errorf("it has objectives, but is impossible")
	}
	for _, list := range [][]float64{r.Objectives, r.Secondary} {
		for _, x := range list {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("a value is %g, not a finite number", x)
			}
		}
	}
	return nil
}

// take adds an evaluated generation and chooses the next parents.
func (s *Search) take(genomes, fresh []Genome, results []Result) *Generation {
	g := &Generation{Number: len(s.generations)}
	for i, f := range fresh {
		s.index[key(f)] = len(s.designs)
		s.designs = append(s.designs, Design{f, results[i]})
	}
	g.Fresh = s.Designs()[len(s.designs)-len(fresh):]
	for _, genome := range genomes {
		i := s.index[key(genome)]
		g.Individual = append(g.Individual, i)
		if !s.designs[i].Result.Possible() {
			g.Impossible++
		}
	}
	s.succeed(g.Individual)
	return g
}

// succeed takes note of a generation and makes the best of it and of its parents the next parents, each design once.
func (s *Search) succeed(individual []int) {
	s.generations = append(s.generations, individual)
	seen := map[int]bool{}
	pool := slices.DeleteFunc(slices.Concat(s.population, individual), func(i int) bool {
		defer func() { seen[i] = true }()
		return seen[i]
	})
	results := make([]Result, len(pool))
	for k, i := range pool {
		results[k] = s.designs[i].Result
	}
	kept, at := survivors(results, min(s.options.Population, len(pool)))
	s.population = make([]int, len(kept))
	for k, i := range kept {
		s.population[k] = pool[i]
	}
	s.standing = at
}

// key is a genome as the key of a map.
func key(g Genome) string {
	b := make([]byte, 0, 2*len(g))
	for _, v := range g {
		b = append(b, byte(v), byte(v>>8))
	}
	return string(b)
}

// Set is the table of all possible designs evaluated so far, with their generations.
func (s *Search) Set() (*designs.Set, error) {
	for ; s.tabled < len(s.generations); s.tabled++ {
		for _, i := range s.generations[s.tabled] {
			d := s.designs[i]
			if !d.Result.Possible() {
				continue
			}
			p := s.problem.Point(d.Genome, d.Result)
			p.Generation, p.Individual = int32(s.tabled), key(d.Genome)
			if _, err := s.table.Add(p); err != nil {
				return nil, fmt.Errorf("design %v: %w", d.Genome, err)
			}
		}
	}
	return s.table.Set(), nil
}
