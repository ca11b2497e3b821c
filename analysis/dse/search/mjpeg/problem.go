package mjpeg

import (
	"context"
	"math/rand/v2"
	"slices"

	"orrery/analysis/dse/search"
	"orrery/traceio/designs"
)

// Problem is the case study. A genome has a gene for the processor of each process, and one for the memory of each
// channel, which counts when its ends are on two processors.
type Problem struct {
	genes     []search.Gene
	runs      [processes][]int // by process, the processors that can execute it
	platforms []platform
	head      designs.Set
	feasible  map[platform][]int32
}

// New is the case study, ready to be searched.
func New() *Problem {
	p := &Problem{platforms: platforms(), feasible: map[platform][]int32{}}
	for i, t := range tasks {
		for c, time := range t.time {
			if time < never {
				p.runs[i] = append(p.runs[i], c)
			}
		}
		p.genes = append(p.genes, search.Gene{Name: t.name, Values: len(p.runs[i])})
	}
	for i := range channels {
		p.genes = append(p.genes, search.Gene{Name: channelName(i), Values: components - processors})
	}
	params, feasible := parameters(p.platforms)
	for i, built := range p.platforms {
		p.feasible[built] = feasible[i]
	}
	p.head = designs.Set{Name: "Motion-JPEG (reconstruction)", Parameters: params, Feasible: feasible,
		Platform: platformTable(), Note: Note,
		Objectives: []designs.Objective{{Name: "processing time"}, {Name: "energy"}, {Name: "cost", Architecture: true}},
		Secondary:  secondaryHead()}
	return p
}

// secondaryHead describes what outcome.secondary gives.
func secondaryHead() []designs.Secondary {
	var head []designs.Secondary
	add := func(kind designs.SecondaryKind, name string, n int, of func(i int) string) {
		for i := range n {
			head = append(head, designs.Secondary{Name: name + " " + of(i), Kind: kind, Of: i})
		}
	}
	component := func(i int) string { return parts[i].name }
	process := func(i int) string { return tasks[i].name }
	add(designs.Utilization, "utilization of", components, component)
	add(designs.Execution, "execution of", processes, process)
	add(designs.ReadLatency, "read latency of", processes, process)
	add(designs.WriteLatency, "write latency of", processes, process)
	add(designs.ReadTime, "reading by", processors, component)
	add(designs.WriteTime, "writing by", processors, component)
	add(designs.ExecuteTime, "executing by", processors, component)
	return head
}

// Options are the paper's: 100 individuals, uniform crossover with probability 0.9, an individual mutates with
// probability 0.23 and then each of its genes with 0.01. It ran for 100 generations.
func Options(seed uint64) search.Options {
	return search.Options{Population: 100, Crossover: 0.9, Mutation: 0.23, GeneMutation: 0.01, Seed: seed}
}

// Generations is how many the paper's search did.
const Generations = 100

// Identity is search.Problem's.
func (p *Problem) Identity() string { return "Motion-JPEG, reconstruction 1" }

// Genes is search.Problem's.
func (p *Problem) Genes() []search.Gene { return p.genes }

// Objectives is search.Problem's.
func (p *Problem) Objectives() int { return len(p.head.Objectives) }

// Secondary is search.Problem's.
func (p *Problem) Secondary() int { return len(p.head.Secondary) }

// Head is search.Problem's.
func (p *Problem) Head() designs.Set { return p.head }

// bind is what a genome means. What cannot be is put right: an internal channel needs no memory, a FIFO that does not
// join the two processors gives way to a shared memory (DFIFO-1 to SRAM, DFIFO-2 to DRAM), and FIFOs with which no
// possible platform has all that is used give way too, the first before the second. What is allocated is the cheapest
// platform that has everything.
func (p *Problem) bind(g search.Genome) binding {
	var b binding
	for i := range b.process {
		b.process[i] = p.runs[i][g[i]]
	}
	for i, c := range channels {
		from, to := b.process[c.from], b.process[c.to]
		m := processors + int(g[processes+i])
		switch {
		case from == to:
			m = from
		case !carries(m, from, to):
			m -= fifo1 - sram
		}
		b.channel[i] = m
	}
	for _, fifo := range []int{fifo1, fifo2, -1} {
		if built, ok := p.cheapest(b.used()); ok {
			b.built = built
			return b
		}
		b.replace(fifo)
	}
	panic("mjpeg: the platforms do not have every set of processors with every shared memory")
}

// replace moves the channels of a FIFO to a shared memory that is in use, or to the SRAM.
func (b *binding) replace(fifo int) {
	shared := sram
	if used := b.used(); used.has(dram) && !used.has(sram) {
		shared = dram
	}
	for i, m := range b.channel {
		if m == fifo {
			b.channel[i] = shared
		}
	}
}

// cheapest is the cheapest possible platform that has everything used, the first among equals.
func (p *Problem) cheapest(used platform) (best platform, ok bool) {
	for _, built := range p.platforms {
		if built&used == used && (!ok || built.cost() < best.cost()) {
			best, ok = built, true
		}
	}
	return best, ok
}

// Repair writes what bind put right back into the genome. Genes of internal channels become 0.
func (p *Problem) Repair(g search.Genome) {
	b := p.bind(g)
	for i, m := range b.channel {
		g[processes+i] = uint16(max(0, m-processors))
	}
}

// Start draws one of the platforms, each with equal probability, and binds inside of it so that, if chance allows,
// everything is used. Genes that were drawn freely would reach few platforms.
func (p *Problem) Start(r *rand.Rand, g search.Genome) {
	want := p.platforms[r.IntN(len(p.platforms))]
	for range 200 {
		p.draw(r, want, g)
		if b := p.bind(g); b.built == want {
			return
		}
	}
}

// draw binds within a platform.
func (p *Problem) draw(r *rand.Rand, within platform, g search.Genome) {
	for i, runs := range p.runs {
		g[i] = uint16(pick(r, len(runs), func(k int) bool { return within.has(runs[k]) }))
	}
	for i, c := range channels {
		from, to := p.runs[c.from][g[c.from]], p.runs[c.to][g[c.to]]
		g[processes+i] = uint16(pick(r, components-processors, func(k int) bool {
			return within.has(processors+k) && carries(processors+k, from, to)
		}))
	}
}

// pick is one of the numbers below n that are allowed, 0 when none is.
func pick(r *rand.Rand, n int, allowed func(k int) bool) int {
	var list []int
	for k := range n {
		if allowed(k) {
			list = append(list, k)
		}
	}
	if len(list) == 0 {
		return 0
	}
	return list[r.IntN(len(list))]
}

// Evaluate is search.Problem's.
func (p *Problem) Evaluate(ctx context.Context, genomes []search.Genome) ([]search.Result, error) {
	out := make([]search.Result, len(genomes))
	for i, g := range genomes {
		b := p.bind(g)
		o := b.evaluate()
		out[i] = search.Result{Objectives: []float64{o.time, o.energy, o.cost}, Secondary: o.secondary()}
	}
	return out, ctx.Err()
}

// Point is search.Problem's.
func (p *Problem) Point(g search.Genome, r search.Result) designs.Point {
	b := p.bind(g)
	point := designs.Point{Values: slices.Clone(p.feasible[b.built]), Objectives: r.Objectives, Secondary: r.Secondary}
	for _, c := range b.process {
		point.Processes = append(point.Processes, int16(c))
	}
	for _, c := range b.channel {
		point.Channels = append(point.Channels, int16(c))
	}
	return point
}

// Explored is the table of the paper's search with a seed: the built-in example. It reports generations.
func Explored(ctx context.Context, seed uint64, report func(done, total int64)) (*designs.Set, error) {
	s, err := search.New(New(), Options(seed))
	if err != nil {
		return nil, err
	}
	if err := s.Run(ctx, Generations, nil, report); err != nil {
		return nil, err
	}
	return s.Set()
}
