package search

import (
	"math"
	"math/rand/v2"
	"slices"
)

// tournament is the better of two individuals drawn from the population (binary tournament, section III C), as a
// position.
func tournament(r *rand.Rand, at []standing) int {
	a, b := r.IntN(len(at)), r.IntN(len(at))
	if at[b].before(at[a]) {
		return b
	}
	return a
}

// cross exchanges each gene of two genomes with probability 1/2.
func cross(r *rand.Rand, a, b Genome) {
	for i := range a {
		if r.Uint64()&1 != 0 {
			a[i], b[i] = b[i], a[i]
		}
	}
}

// mutate changes each gene with the probability given.
func mutate(r *rand.Rand, genes []Gene, g Genome, probability float64) {
	for i := range g {
		if r.Float64() < probability {
			g[i] = mutated(r, genes[i], g[i])
		}
	}
}

// mutated is another value of a gene: any, with equal probability, or if they are ordered one some steps away, where
// the number of steps is log-uniform, so that near and far are tried equally often. A step over the end goes the other
// way.
func mutated(r *rand.Rand, gene Gene, v uint16) uint16 {
	if gene.Values < 2 {
		return v
	}
	if !gene.Ordered {
		other := uint16(r.IntN(gene.Values - 1))
		if other >= v {
			other++
		}
		return other
	}
	steps := int(math.Pow(float64(gene.Values), r.Float64()))
	if r.Uint64()&1 != 0 {
		steps = -steps
	}
	for _, d := range []int{steps, -steps} {
		if w := int(v) + d; w >= 0 && w < gene.Values {
			return uint16(w)
		}
	}
	if steps > 0 { // farther than either end
		return uint16(gene.Values - 1)
	}
	return 0
}

// Draw fills a genome with values of equal probability: the Start of problems that know nothing better.
func Draw(r *rand.Rand, genes []Gene, g Genome) {
	for i := range g {
		g[i] = uint16(r.IntN(genes[i].Values))
	}
}

// children are as many new genomes as the population has, by tournament, crossover, mutation and repair.
func (s *Search) children(r *rand.Rand) []Genome {
	genes := s.problem.Genes()
	var out []Genome
	met := map[string]bool{} // in this generation
	for len(out) < s.options.Population {
		a := slices.Clone(s.designs[s.population[tournament(r, s.standing)]].Genome)
		b := slices.Clone(s.designs[s.population[tournament(r, s.standing)]].Genome)
		if r.Float64() < s.options.Crossover {
			cross(r, a, b)
		}
		for _, g := range []Genome{a, b} {
			if r.Float64() < s.options.Mutation {
				mutate(r, genes, g, s.options.GeneMutation)
			}
			s.problem.Repair(g)
			for try := 0; s.options.Fresh && try < freshTries && (met[key(g)] || s.met(g)); try++ {
				mutate(r, genes, g, max(s.options.GeneMutation, 1/float64(len(genes))))
				s.problem.Repair(g)
			}
			met[key(g)] = true
			out = append(out, g)
		}
	}
	return out[:s.options.Population]
}

// freshTries is how often a child mutates again: each time it goes one gene farther from its parents.
const freshTries = 4

// met tells whether a genome was evaluated in an earlier generation.
func (s *Search) met(g Genome) bool {
	_, known := s.index[key(g)]
	return known
}

// starts are the genomes of the first generation.
func (s *Search) starts(r *rand.Rand) []Genome {
	out := make([]Genome, s.options.Population)
	for i := range out {
		out[i] = make(Genome, len(s.problem.Genes()))
		s.problem.Start(r, out[i])
		s.problem.Repair(out[i])
	}
	return out
}
