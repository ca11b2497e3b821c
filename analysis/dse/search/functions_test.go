package search

import (
	"context"
	"math"
	"math/rand/v2"

	"orrery/traceio/designs"
)

// function is a test problem over real variables in [0, 1], each in steps of 1/(steps-1), or over bits when steps is 2.
type function struct {
	name       string
	variables  int
	steps      int
	objectives int
	f          func(x []float64) []float64
	evaluated  *int
	impossible func(x []float64) float64 // nil: everything is possible
}

func (p function) Identity() string { return p.name }

func (p function) Genes() []Gene {
	genes := make([]Gene, p.variables)
	for i := range genes {
		genes[i] = Gene{Name: "x", Values: p.steps, Ordered: p.steps > 2}
	}
	return genes
}

func (p function) Objectives() int                    { return p.objectives }
func (p function) Secondary() int                     { return 0 }
func (p function) Start(r *rand.Rand, g Genome)       { Draw(r, p.Genes(), g) }
func (p function) Repair(Genome)                      {}
func (p function) Point(Genome, Result) designs.Point { return designs.Point{} }

func (p function) Head() designs.Set { return designs.Set{} }

func (p function) Evaluate(ctx context.Context, genomes []Genome) ([]Result, error) {
	out := make([]Result, len(genomes))
	for i, g := range genomes {
		if p.evaluated != nil {
			*p.evaluated++
		}
		x := make([]float64, len(g))
		for j, v := range g {
			x[j] = float64(v) / float64(p.steps-1)
		}
		if p.impossible != nil {
			if out[i].Violation = p.impossible(x); out[i].Violation > 0 {
				continue
			}
		}
		out[i].Objectives = p.f(x)
	}
	return out, ctx.Err()
}

// The functions of E. Zitzler, K. Deb, L. Thiele, Comparison of multiobjective evolutionary algorithms, Evolutionary
// Computation 8(2), 2000, and of K. Deb, L. Thiele, M. Laumanns, E. Zitzler, Scalable test problems, 2005. shape is the
// front of a ZDT function: f2 by f1 at g = 1.
func zdt(name string, shape func(f1, g float64) float64) function {
	return function{name: name, variables: 30, steps: 1025, objectives: 2, f: func(x []float64) []float64 {
		sum := 0.0
		for _, v := range x[1:] {
			sum += v
		}
		g := 1 + 9*sum/float64(len(x)-1)
		return []float64{x[0], shape(x[0], g)}
	}}
}

func zdt1(f1, g float64) float64 { return g * (1 - math.Sqrt(f1/g)) }
func zdt2(f1, g float64) float64 { return g * (1 - (f1/g)*(f1/g)) }
func zdt3(f1, g float64) float64 {
	return g * (1 - math.Sqrt(f1/g) - f1/g*math.Sin(10*math.Pi*f1))
}

// zdt5 has 80 bits, one group of 30 and ten of 5. Its fronts are f1*f2 = g, the true one g = 10; where each group has
// no or all bits decides between it and the deceptive ones.
func zdt5() function {
	return function{name: "ZDT5", variables: 80, steps: 2, objectives: 2, f: func(x []float64) []float64 {
		ones := func(bits []float64) (n float64) {
			for _, b := range bits {
				n += b
			}
			return n
		}
		f1, g := 1+ones(x[:30]), 0.0
		for i := 30; i < 80; i += 5 {
			if u := ones(x[i : i+5]); u < 5 {
				g += 2 + u
			} else {
				g++
			}
		}
		return []float64{f1, g / f1}
	}}
}

// dtlz2 has three objectives; its front is the part of the unit sphere where all are positive.
func dtlz2() function {
	return function{name: "DTLZ2", variables: 12, steps: 1025, objectives: 3, f: func(x []float64) []float64 {
		g := 0.0
		for _, v := range x[2:] {
			g += (v - 0.5) * (v - 0.5)
		}
		a, b := x[0]*math.Pi/2, x[1]*math.Pi/2
		return []float64{(1 + g) * math.Cos(a) * math.Cos(b), (1 + g) * math.Cos(a) * math.Sin(b), (1 + g) * math.Sin(a)}
	}}
}
