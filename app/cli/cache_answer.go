package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"orrery/analysis/attribution"
	"orrery/app/session"
	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
)

// cacheQuestions are what `cache` can tell of one recording beside the counts.
type cacheQuestions struct {
	classes, bound, curve, sharing bool
	by                             string
	turn                           int
}

func (q *cacheQuestions) add(c *cobra.Command) {
	c.Flags().BoolVar(&q.classes, "classes", false, "sort misses into compulsory, capacity, conflict and coherence")
	c.Flags().StringVar(&q.by, "by", "", "also count by line, function, region or set")
	c.Flags().BoolVar(&q.bound, "bound", false,
		"also count what Belady's MIN would miss in each level, given the same requests")
	c.Flags().BoolVar(&q.curve, "curve", false, "also tell the misses of LRU caches of every size and associativity")
	c.Flags().BoolVar(&q.sharing, "sharing", false, "also list the blocks that cores take from each other; with --cores")
	c.Flags().IntVar(&q.turn, "turn", 1, "with --sharing: how many references a core makes before the next has its "+
		"turn; 0: the order of the recording")
}

// cacheAnswer is everything that was asked.
type cacheAnswer struct {
	cacheJSON
	Curve   [][2]float64     `json:"curve,omitzero"` // with --curve: bytes and miss ratio
	Sharing []sharedJSON     `json:"sharing,omitzero"`
	Details cacheDetailsJSON `json:"details,omitzero"`
}

// cacheDetailsJSON is what `cache --json` tells of its answers beside the fields that other programs rely on.
type cacheDetailsJSON struct {
	Curve   *curveJSON `json:"curve,omitempty"`
	Sharing string     `json:"sharing,omitempty"` // in which order of references it was counted, a sentence
}

func (q cacheQuestions) answer(ctx context.Context, rec *session.Recording, config cachesim.Config,
	p *progress) (*cacheAnswer, error) {
	totals, err := rec.Simulate(ctx, config, q.classes, p.Report)
	if err != nil {
		return nil, err
	}
	out := &cacheAnswer{cacheJSON: cacheJSON{References: totals.References, Memory: totals.Memory,
		AMAT: timed(config, totals.AMAT), Walks: totals.Walks}}
	for i, l := range config.Levels {
		out.Levels = append(out.Levels, levelObject(l.Name, totals.Levels[i], q.classes))
	}
	for i, l := range config.Translation().PerCore().Levels {
		out.TLBs = append(out.TLBs, levelObject(l.Name, totals.TLBs[i], q.classes))
	}
	if q.by != "" {
		rows, err := rec.MissesBy(ctx, config, q.by, p.Report)
		if err != nil {
			return nil, usageError{err}
		}
		out.Rows = []missRowJSON{}
		for _, r := range rows {
			out.Rows = append(out.Rows, missRow(r, config))
		}
	}
	if q.bound {
		if err := out.findBounds(ctx, rec, config, p); err != nil {
			return nil, err
		}
	}
	if q.curve {
		curve, err := curveOf(ctx, rec, config, p)
		if err != nil {
			return nil, err
		}
		out.Curve, out.Details.Curve = curve.pairs(), curve
	}
	if q.sharing {
		if out.Sharing, out.Details.Sharing, err = sharingOf(ctx, rec, config, q.turn, p); err != nil {
			return nil, usageError{err}
		}
	}
	return out, nil
}

func (a *cacheAnswer) findBounds(ctx context.Context, rec *session.Recording,
	config cachesim.Config, p *progress) error {
	for i, l := range config.Levels {
		if l.Inclusion == cachesim.Exclusive {
			continue // has none
		}
		b, err := simulator.MIN(ctx, rec, config, i, p.Report)
		if err != nil {
			return err
		}
		a.Levels[i].Bound = &b.Misses
	}
	return nil
}

func missRow(r attribution.Row, config cachesim.Config) missRowJSON {
	q := missRowJSON{Key: r.Key, Reads: r.Reads, Writes: r.Writes, Misses: map[string]uint64{},
		WriteBacks: map[string]uint64{}}
	for i, l := range config.Levels {
		q.Misses[l.Name], q.WriteBacks[l.Name] = r.Misses[i], r.WriteBacks[i]
	}
	return q
}

func (a *cacheAnswer) print(out io.Writer, config cachesim.Config, q cacheQuestions) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	access := "average access unknown: the hierarchy gives memory no latency_ns"
	if a.AMAT != nil {
		access = fmt.Sprintf("average access %.2f ns", *a.AMAT)
	}
	fmt.Fprintf(out, "%d references, hierarchy %s, %s\n", a.References, config.Name, access)
	a.printLevels(w, q)
	if a.Rows != nil {
		a.printRows(w, config)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if a.Details.Curve != nil {
		if err := a.Details.Curve.print(out, config); err != nil {
			return err
		}
	}
	if q.sharing {
		return printSharing(out, a.Sharing, a.Details.Sharing)
	}
	return nil
}

func (a *cacheAnswer) printLevels(w io.Writer, q cacheQuestions) {
	printCounts(w, "level", a.Levels, q)
	fmt.Fprintf(w, "memory\t%d\t\t\t%d\t\n", a.Memory.Reads+a.Memory.Writes, a.Memory.Writes)
	if len(a.TLBs) > 0 {
		fmt.Fprintln(w)
		printCounts(w, "TLB", a.TLBs, cacheQuestions{classes: q.classes})
		fmt.Fprintf(w, "walks\t%d\t\n", a.Walks)
	}
}

func printCounts(w io.Writer, what string, levels []levelJSON, q cacheQuestions) {
	fmt.Fprintf(w, "%s\trequests\tmisses\tmiss ratio\twrite-backs\t", what)
	if q.bound {
		fmt.Fprint(w, "MIN misses\t")
	}
	if q.classes {
		fmt.Fprint(w, "compulsory\tcapacity\tconflict\tcoherence\t")
	}
	special := specialCounts(levels)
	for _, c := range special {
		fmt.Fprint(w, c.title+"\t")
	}
	fmt.Fprintln(w)
	for _, l := range withSums(levels) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f %%\t%d\t", l.Name, l.Requests(), l.Misses(),
			percent(l.Misses(), l.Requests()), l.WriteBacks)
		switch {
		case q.bound && l.Bound != nil:
			fmt.Fprintf(w, "%d\t", *l.Bound)
		case q.bound:
			fmt.Fprint(w, "\t")
		}
		if q.classes {
			fmt.Fprintf(w, "%d\t%d\t%d\t%d\t", l.Counts.Compulsory, l.Counts.Capacity, l.Counts.Conflict, l.Counts.Coherence)
		}
		for _, c := range special {
			fmt.Fprintf(w, "%d\t", c.of(l.Counts))
		}
		fmt.Fprintln(w)
	}
}

// withSums has after the levels of several cores ("L1D#0", "L1D#1") one that is their sum ("L1D, all cores").
func withSums(levels []levelJSON) []levelJSON {
	var out []levelJSON
	for i := 0; i < len(levels); {
		name, _, private := strings.Cut(levels[i].Name, "#")
		if !private {
			out = append(out, levels[i])
			i++
			continue
		}
		sum := levelJSON{Name: name + ", all cores"}
		for ; i < len(levels) && strings.HasPrefix(levels[i].Name, name+"#"); i++ {
			out = append(out, levels[i])
			sum.Counts = sum.Plus(levels[i].Counts)
		}
		out = append(out, sum)
	}
	return out
}

// countColumn is a column for what only some hierarchies count.
type countColumn struct {
	title string
	of    func(cachesim.Counts) uint64
}

// specialCounts are the columns in which there is anything.
func specialCounts(levels []levelJSON) []countColumn {
	var out []countColumn
	for _, c := range []countColumn{
		{"victim hits", func(c cachesim.Counts) uint64 { return c.VictimHits }},
		{"fills", func(c cachesim.Counts) uint64 { return c.Fills }},
		{"prefetched", func(c cachesim.Counts) uint64 { return c.Prefetches }},
		{"of use", func(c cachesim.Counts) uint64 { return c.Useful }},
		{"invalidations", func(c cachesim.Counts) uint64 { return c.Invalidations }},
		{"interventions", func(c cachesim.Counts) uint64 { return c.Interventions }},
		{"upgrades", func(c cachesim.Counts) uint64 { return c.Upgrades }},
	} {
		for _, l := range levels {
			if c.of(l.Counts) > 0 {
				out = append(out, c)
				break
			}
		}
	}
	return out
}

func (a *cacheAnswer) printRows(w io.Writer, config cachesim.Config) {
	fmt.Fprint(w, "\n\treads\twrites\t")
	for _, l := range config.Levels {
		fmt.Fprintf(w, "%s misses\twrite-backs\t", l.Name)
	}
	fmt.Fprintln(w)
	for _, r := range a.Rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t", r.Key, r.Reads, r.Writes)
		for _, l := range config.Levels {
			fmt.Fprintf(w, "%d\t%d\t", r.Misses[l.Name], r.WriteBacks[l.Name])
		}
		fmt.Fprintln(w)
	}
}

// curveJSON is the stack distances that the curve is made of.
type curveJSON struct {
	Block    cachesim.Size     `json:"block"`
	Requests uint64            `json:"requests"`
	Cold     uint64            `json:"cold"`
	Blocks   int               `json:"blocks"`
	Points   []simulator.Point `json:"points"`
	Sets     int               `json:"sets"`
	ByWays   []uint64          `json:"misses_by_ways"` // [0] is one way
	Pressure []pressureJSON    `json:"pressure"`       // by set
}

type pressureJSON struct {
	Requests uint64 `json:"requests"`
	Blocks   int    `json:"blocks"`
	Misses   uint64 `json:"misses"` // with the ways that the level has
}

// curvePoints is the number of sizes between two powers of two.
const curvePoints = 2

func curveOf(ctx context.Context, rec *session.Recording, config cachesim.Config, p *progress) (*curveJSON, error) {
	first := config.Entry(traceio.Load)
	if first < 0 {
		return nil, usagef("--curve is about data references, and no level of %s takes any", config.Name)
	}
	l := config.Levels[first]
	c, err := simulator.StackDistances(ctx, rec, l.Block, p.Report)
	if err != nil {
		return nil, err
	}
	out := &curveJSON{Block: l.Block, Requests: c.Requests, Cold: c.Cold, Blocks: c.Blocks(),
		Points: c.Points(curvePoints), Sets: l.Sets()}
	const most = 1 << 22 // words of all stacks
	sets, err := simulator.SetDistances(ctx, rec, l.Block, l.Sets(),
		max(l.Ways, min(4*l.Ways, most/l.Sets(), simulator.MaxDepth)), p.Report)
	if err != nil {
		return nil, err
	}
	for ways := 1; ways <= sets.Depth; ways++ {
		out.ByWays = append(out.ByWays, sets.Misses(ways))
	}
	for _, s := range sets.Sets {
		out.Pressure = append(out.Pressure, pressureJSON{s.Requests, s.Blocks, s.Misses(l.Ways)})
	}
	return out, nil
}

// pairs are the bytes and the miss ratio of every size.
func (c *curveJSON) pairs() [][2]float64 {
	out := [][2]float64{}
	for _, p := range c.Points {
		out = append(out, [2]float64{float64(p.Size), p.Ratio})
	}
	return out
}

func (c *curveJSON) print(out io.Writer, config cachesim.Config) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\nLRU, blocks of %v, fully associative\tmisses\tmiss ratio\t\n", c.Block)
	for _, p := range c.Points {
		fmt.Fprintf(w, "%v\t%d\t%.2f %%\t", p.Size, p.Misses, 100*p.Ratio)
		for _, l := range config.Levels {
			if l.Size == p.Size && l.Kind != cachesim.Instruction {
				fmt.Fprintf(w, "the size of %s\t", l.Name)
			}
		}
		fmt.Fprintln(w)
	}
	level := config.Levels[config.Entry(traceio.Load)]
	fmt.Fprintf(w, "\nLRU, %d sets of blocks of %v\tmisses\tmiss ratio\t\n", c.Sets, c.Block)
	for i, n := range c.ByWays {
		fmt.Fprintf(w, "%d-way\t%d\t%.2f %%\t", i+1, n, percent(n, c.Requests))
		if i+1 == level.Ways {
			fmt.Fprintf(w, "the ways of %s\t", level.Name)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
