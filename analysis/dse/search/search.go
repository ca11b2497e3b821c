// Package search explores design spaces that are too large to be enumerated: NSGA-II over genomes of small whole
// numbers. In goes a Problem, which knows what a genome means and what the design is worth; out come generations, one
// after the other as they are done, and at any time the table of everything that was evaluated, which analysis/dse
// draws and measures. A search is deterministic: problem, options and seed decide everything, on any number of
// processors, and a search that was saved and read back goes on as if it had never stopped.
//
// The problems are in packages below: mjpeg (the case study of the VMODEX paper) and caches (cache hierarchies for a
// recording).
//
// The paper is K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, A fast and elitist multiobjective genetic algorithm:
// NSGA-II, IEEE Transactions on Evolutionary Computation 6(2), 2002; sections III and VI (constraints). Deviations:
// genes are whole numbers, so crossover exchanges them whole (uniform) and mutation draws or steps; a genome counts
// once among those that compete for the next generation, because in small spaces copies of few designs would crowd out
// all others; and for the same reason, if Options.Fresh says so, a child that was met before mutates again.
package search

import (
	"context"
	"fmt"
	"math/rand/v2"

	"orrery/traceio/designs"
)

// Gene is one decision of a genome.
type Gene struct {
	Name    string
	Values  int  // it is a number from 0 to Values-1
	Ordered bool // neighbouring values are alike, such as sizes: mutation steps instead of drawing anew
}

// Genome is one design, a value for each gene of its problem.
type Genome []uint16

// Result is what a design is worth.
type Result struct {
	Objectives []float64 // finite, smaller is better; nil for a design that is impossible
	Violation  float64   // 0 for a possible design; otherwise how far it is from being one, by the problem's own measure
	Secondary  []float64 // numbers that the search does not look at, finite
}

// Possible tells whether there can be such a design.
func (r Result) Possible() bool { return r.Violation == 0 }

// Problem is a design space with its evaluation.
type Problem interface {
	// Identity tells this problem from all others whose results would differ. A saved state goes on in its own only.
	Identity() string
	Genes() []Gene
	Objectives() int
	Secondary() int // how many secondary numbers the result of a possible design has
	// Start fills a genome for the first generation.
	Start(r *rand.Rand, g Genome)
	// Repair makes a genome one that can be evaluated and gives genomes of one design the same form.
	Repair(g Genome)
	// Evaluate gives the results of repaired genomes, in their order. It must not depend on what was evaluated before.
	Evaluate(ctx context.Context, genomes []Genome) ([]Result, error)
	// Head describes the table of the problem's designs; Point is a row of it, without the generation.
	Head() designs.Set
	Point(g Genome, r Result) designs.Point
}

// Options are the numbers of the algorithm.
type Options struct {
	Population   int     `json:"population"`    // individuals in a generation, from 2 on
	Crossover    float64 `json:"crossover"`     // probability that two parents exchange genes, each with probability 1/2
	Mutation     float64 `json:"mutation"`      // probability that a child mutates at all
	GeneMutation float64 `json:"gene_mutation"` // and then of each gene
	Fresh        bool    `json:"fresh"`         // a child that was met before mutates again, a few times, until it is new
	Seed         uint64  `json:"seed"`
}

// DefaultOptions are those for a problem of which nothing is known: on average one gene of each child mutates, and
// nothing is evaluated in vain.
func DefaultOptions(p Problem) Options {
	return Options{Population: 100, Crossover: 0.9, Mutation: 1, GeneMutation: 1 / float64(max(1, len(p.Genes()))),
		Fresh: true}
}

// MaxPopulation bounds what it takes to compare all individuals of two generations.
const MaxPopulation = 1 << 12

// Validate is nil or says in one sentence which option cannot be.
func (o Options) Validate() error {
	if o.Population < 2 || o.Population > MaxPopulation {
		return fmt.Errorf("a population of %d cannot be; it is from 2 to %d", o.Population, MaxPopulation)
	}
	for _, p := range []struct {
		name string
		x    float64
	}{{"crossover", o.Crossover}, {"mutation", o.Mutation}, {"gene mutation", o.GeneMutation}} {
		if !(p.x >= 0 && p.x <= 1) {
			return fmt.Errorf("a probability of %s of %g cannot be; it is from 0 to 1", p.name, p.x)
		}
	}
	return nil
}

// Design is one design that was evaluated.
type Design struct {
	Genome Genome
	Result Result
}

// Generation is one that is done. It is not changed any more.
type Generation struct {
	Number     int
	Individual []int    // evaluated in it, as indices into Search.Designs; one that was met before has its old index
	Fresh      []Design // met for the first time; they are the last ones of Search.Designs
	Impossible int      // individuals of it that cannot be built
}
