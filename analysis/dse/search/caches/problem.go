// Package caches searches the space of cache hierarchies that one recording could run on. In goes an open recording, a
// Space of hierarchies and the shipped table of costs; out come, as a search.Problem, the average access time, energy
// and area of each hierarchy, from exact simulation by package cachesim: whole designs are never simulated one by one,
// since they share their upper levels (see forest) and all associativities share one pass (see stack).
//
// Instruction fetches stay out, and all threads of a recording run on one processor.
package caches

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"orrery/analysis/dse/search"
	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio/designs"
)

// Problem is a space of hierarchies for a recording.
type Problem struct {
	space    Space
	costs    *Costs
	sim      *Simulator
	identity string
	genes    []search.Gene
	head     designs.Set
	value    [2 + 2*MaxLevels]map[int]int32 // by parameter: its number -> index into Values
}

// New prepares a space for a recording, which it reads here and there to tell it from others.
func New(rec simulator.Recording, space Space) (*Problem, error) {
	if err := space.Validate(); err != nil {
		return nil, err
	}
	identity, err := identify(rec, space)
	if err != nil {
		return nil, err
	}
	var ways []int
	largest := cachesim.Size(0)
	for _, c := range space.Levels {
		ways = append(ways, c.Ways...)
		largest = max(largest, slices.Max(c.Sizes))
	}
	p := &Problem{space: space, costs: DefaultCosts(), sim: NewSimulator(rec, ways, largest), identity: identity,
		genes: space.genes()}
	p.describe()
	return p, nil
}

// identify is a name for the recording's references and the space.
func identify(rec simulator.Recording, space Space) (string, error) {
	h := fnv.New64a()
	text, err := json.Marshal(space)
	if err != nil {
		return "", err
	}
	h.Write(text)
	const looks = 8
	for k := range min(looks, rec.Blocks()) {
		b, err := rec.Block(k * rec.Blocks() / min(looks, rec.Blocks()))
		if err != nil {
			return "", err
		}
		var bytes []byte
		for row, addr := range b.Addr {
			bytes = binary.LittleEndian.AppendUint64(bytes, uint64(addr))
			bytes = append(bytes, byte(b.Size[row]), byte(b.Size[row]>>8), byte(b.Kind[row]))
		}
		h.Write(bytes)
	}
	return fmt.Sprintf("cache hierarchies for %d references, %016x", rec.Len(), h.Sum64()), nil
}

// Identity is search.Problem's.
func (p *Problem) Identity() string { return p.identity }

// Space is what is searched.
func (p *Problem) Space() Space { return p.space }

// Genes is search.Problem's.
func (p *Problem) Genes() []search.Gene { return p.genes }

// Objectives is search.Problem's.
func (p *Problem) Objectives() int { return 3 }

// Secondary is search.Problem's: a miss ratio for each level that there may be, and what secondary appends.
func (p *Problem) Secondary() int { return MaxLevels + 4 }

// Start is search.Problem's.
func (p *Problem) Start(r *rand.Rand, g search.Genome) {
	const tries = 100 // one in about four is possible in the usual space
	for range tries {
		search.Draw(r, p.genes, g)
		if p.space.violation(p.space.design(g), p.costs) == 0 {
			return
		}
	}
}

// Repair is search.Problem's.
func (p *Problem) Repair(g search.Genome) { p.space.repair(g) }

// Design is the hierarchy that a genome means.
func (p *Problem) Design(g search.Genome) Design { return p.space.design(g) }

// Genome is that of a hierarchy of the space.
func (p *Problem) Genome(d Design) (search.Genome, error) {
	g := make(search.Genome, len(p.genes))
	ok := true
	put := func(gene, at int) {
		ok = ok && at >= 0
		g[gene] = uint16(max(0, at))
	}
	put(countGene, slices.Index(p.space.Counts, len(d.Levels)))
	put(blockGene, slices.Index(p.space.Blocks, d.Block))
	for i, l := range d.Levels {
		if i >= len(p.space.Levels) {
			break
		}
		c, of := p.space.Levels[i], firstLevelGene+i*geneCount
		put(of+sizeGene, slices.Index(c.Sizes, l.Size))
		put(of+waysGene, slices.Index(c.Ways, l.Ways))
		put(of+policyGene, slices.Index(c.Policies, l.Policy))
		put(of+writeGene, slices.Index(c.Writes, l.Write))
		put(of+prefetchGene, slices.Index(c.Prefetches, l.Prefetch))
	}
	if !ok {
		return nil, fmt.Errorf("%v is not in the space", d)
	}
	return g, nil
}

// Config is the hierarchy of a genome for the cache view.
func (p *Problem) Config(g search.Genome) (cachesim.Config, error) {
	return p.space.design(g).Config(p.costs, p.space.Memory)
}

// Evaluate is search.Problem's.
func (p *Problem) Evaluate(ctx context.Context, genomes []search.Genome) ([]search.Result, error) {
	out := make([]search.Result, len(genomes))
	var list []Design
	for i, g := range genomes {
		d := p.space.design(g)
		if out[i].Violation = p.space.violation(d, p.costs); out[i].Possible() {
			list = append(list, d)
		}
	}
	if err := p.sim.Run(ctx, list); err != nil {
		return nil, err
	}
	for i, g := range genomes {
		if !out[i].Possible() {
			continue
		}
		d := p.space.design(g)
		w, err := Weigh(d, p.sim.Totals(d), p.costs, p.space.Memory)
		if err != nil {
			return nil, err
		}
		out[i].Objectives = []float64{w.Time, w.Energy, w.Area}
		out[i].Secondary = w.secondary()
	}
	return out, nil
}

// secondary are the numbers beside the objectives, in the order of describe's head.
func (w *Worth) secondary() []float64 {
	out := make([]float64, MaxLevels, MaxLevels+4)
	for i, t := range w.Levels {
		if n := t.Requests(); n > 0 {
			out[i] = float64(t.Misses()) / float64(n)
		}
	}
	last := w.Levels[len(w.Levels)-1]
	requests := max(1, float64(w.Levels[0].Requests()))
	return append(out, 1000*float64(last.Below.Reads)/requests, 1000*float64(last.Below.Writes)/requests, w.Leakage,
		w.Memory)
}

// describe makes the head of the table.
func (p *Problem) describe() {
	s := p.space
	p.head = designs.Set{
		Name: "cache hierarchies",
		Objectives: []designs.Objective{{Name: "access time", Unit: "ns"}, {Name: "energy", Unit: "nJ/ref"},
			{Name: "area", Unit: "mm²", Architecture: true}},
		Note: fmt.Sprintf("Times, energies and areas of caches are those of the %s, interpolated; memory is taken to need "+
			"%g ns and %g nJ a block.",
			Source, s.Memory.Time, s.Memory.Energy),
	}
	p.parameter(0, levelsName, s.Counts, func(n int) string { return fmt.Sprint(n) })
	size := func(n int) string { return cachesim.Size(n).String() }
	p.parameter(1, blockName, whole(s.Blocks), size)
	for i := range MaxLevels {
		var sizes, ways []int
		if i >= len(s.Levels) || i >= slices.Max(s.Counts) {
			continue
		}
		if i >= slices.Min(s.Counts) {
			sizes, ways = []int{0}, []int{0}
		}
		orNone := func(text func(int) string) func(int) string {
			return func(n int) string {
				if n == 0 {
					return none
				}
				return text(n)
			}
		}
		p.parameter(2+2*i, sizeName(i), append(sizes, whole(s.Levels[i].Sizes)...), orNone(size))
		p.parameter(3+2*i, waysName(i), append(ways, s.Levels[i].Ways...), orNone(func(n int) string {
			return fmt.Sprint(n)
		}))
		p.head.Secondary = append(p.head.Secondary, designs.Secondary{Name: fmt.Sprintf("L%d miss ratio", i+1)})
	}
	p.head.Feasible = p.feasible()
	p.head.Secondary = append(p.head.Secondary, designs.Secondary{Name: "memory reads", Unit: "/1000 refs"},
		designs.Secondary{Name: "memory writes", Unit: "/1000 refs"},
		designs.Secondary{Name: "leakage", Unit: "nJ/ref"}, designs.Secondary{Name: "memory energy", Unit: "nJ/ref"})
}

// maxFeasible bounds the combinations that are told although nobody evaluated them: of larger spaces a tree shows what
// was visited.
const maxFeasible = 4096

// feasible are the combinations of parameters of which some design is possible, nil when there are too many.
func (p *Problem) feasible() (out [][]int32) {
	g := make(search.Genome, len(p.genes))
	var fill func(i int) bool
	fill = func(i int) bool {
		if i == len(g) {
			if d := p.Design(g); p.space.violation(d, p.costs) == 0 {
				out = append(out, p.values(d))
			}
			return len(out) <= maxFeasible
		}
		values := p.genes[i].Values
		if !p.isParameter(g, i) {
			values = 1
		}
		for v := range values {
			g[i] = uint16(v)
			if !fill(i + 1) {
				return false
			}
		}
		g[i] = 0
		return true
	}
	if !fill(0) {
		return nil
	}
	return out
}

// isParameter tells whether a gene is one of a subspace's parameters, given the number of levels.
func (p *Problem) isParameter(g search.Genome, i int) bool {
	if i < firstLevelGene {
		return true
	}
	level, gene := (i-firstLevelGene)/geneCount, (i-firstLevelGene)%geneCount
	return level < p.space.Counts[g[countGene]] && (gene == sizeGene || gene == waysGene)
}

// values are a design's parameters, as indices into the head's values.
func (p *Problem) values(d Design) []int32 {
	out := []int32{p.value[0][len(d.Levels)], p.value[1][int(d.Block)]}
	for i := range (len(p.head.Parameters) - 2) / 2 {
		var l Level
		if i < len(d.Levels) {
			l = d.Levels[i]
		}
		out = append(out, p.value[2+2*i][int(l.Size)], p.value[3+2*i][l.Ways])
	}
	return out
}

func whole(sizes []cachesim.Size) (out []int) {
	for _, s := range sizes {
		out = append(out, int(s))
	}
	return out
}

// parameter adds parameter k to the head.
func (p *Problem) parameter(k int, name string, numbers []int, text func(int) string) {
	param := designs.Parameter{Name: name}
	p.value[k] = map[int]int32{}
	for _, n := range numbers {
		p.value[k][n] = int32(len(param.Values))
		param.Values = append(param.Values, text(n))
	}
	p.head.Parameters = append(p.head.Parameters, param)
}

// Head is search.Problem's.
func (p *Problem) Head() designs.Set { return p.head }

// Point is search.Problem's.
func (p *Problem) Point(g search.Genome, r search.Result) designs.Point {
	d := p.space.design(g)
	point := designs.Point{ID: d.String(), Objectives: r.Objectives, Values: p.values(d)}
	for i := range (len(p.head.Parameters) - 2) / 2 {
		ratio := math.NaN()
		if i < len(d.Levels) {
			ratio = r.Secondary[i]
		}
		point.Secondary = append(point.Secondary, ratio)
	}
	point.Secondary = append(point.Secondary, r.Secondary[MaxLevels:]...)
	return point
}
