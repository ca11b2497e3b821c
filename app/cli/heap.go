package cli

import (
	"context"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"orrery/analysis/heap"
	"orrery/app/session"
	"orrery/traceio"
)

// heapFlags are the flags of the heap command.
type heapFlags struct {
	sites, leaks, temporaries bool
	flame, bins, against      string
	top                       int
	json                      bool
}

// some tells whether the flags ask for parts of the report only.
func (f *heapFlags) some() bool { return f.sites || f.leaks || f.temporaries }

const heapLong = `Heap tells the allocations of a recording or of a log that another tool made: totals and the peak, errors in the log,
bins with occupancy, waste, fragmentation and the order in which addresses were handed out, what keeps the heap from
shrinking, the allocator's response times where they were measured, call sites with leaks, temporary blocks and blocks
that another thread frees, reallocations; and, where the recording has references, what was never touched and how long
blocks lie idle before their first and after their last use.

Fragmentation is 1 - largest free run / all free bytes, at the heap's peak; worst is the greatest, and at says when, of what is
measured at the ends of 128 equal parts of the time and at the peaks of the heap and of each bin.

Bins are the size classes of glibc unless --bins has a rule, or @FILE with one:
  arenas, pools, threads, sites, sizes 64 256 4K, or clauses, one a line or with semicolons between, of which the first
  that fits counts:
    small: size <= 64
    nodes: size = 24..40 and site list.c
    late:  thread > 0 and lifetime >= 1M
    big:   mapped
  with size, usable, waste, thread, lifetime, address, arena and <, <=, =, !=, >=, >; site WORD; mapped; and * for all.`

func heapCommand(s Streams) *cobra.Command {
	var f heapFlags
	c := &cobra.Command{
		Use:   "heap FILE",
		Short: "tell how the program used its heap",
		Long:  heapLong,
		Example: "  orrery heap testdata/recordings/list.orr\n  orrery heap testdata/recordings/list.orr --leaks --json\n" +
			"  orrery heap testdata/recordings/list.orr --bins 'sizes 16 64 1K'\n  orrery heap testdata/recordings/list.orr " +
			"--flame bytes",
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if err := refuse(c.Flags(), applies{f.flame == "" && !f.some(), "bins", "to the whole report, which has bins"},
				applies{f.flame == "", "top", "to tables, not to --flame"}); err != nil {
				return err
			}
			return f.run(c.Context(), s, args[0])
		},
	}
	c.Flags().BoolVar(&f.sites, "sites", false, "only the places that allocate, the most bytes first")
	c.Flags().BoolVar(&f.leaks, "leaks", false, "only what was never freed, with its growth over time")
	c.Flags().BoolVar(&f.temporaries, "temporaries", false, "only the places whose blocks are freed at once")
	c.Flags().StringVar(&f.flame, "flame", "", "print folded call stacks for a flame graph: "+heapMetrics())
	c.Flags().StringVar(&f.bins, "bins", "glibc", "rule for the bins, or @FILE with one")
	c.Flags().StringVar(&f.against, "against", "", "compare with this earlier recording, site by site")
	c.Flags().IntVar(&f.top, "top", 20, "rows of a table")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	return c
}

// heapMetrics lists the metrics of a flame graph.
func heapMetrics() string {
	var names []string
	for m := heap.ByBytes; m <= heap.ByCrossed; m++ {
		names = append(names, m.String())
	}
	return strings.Join(names, ", ")
}

func (f *heapFlags) check() error {
	if f.top < 1 {
		return usagef("--top is %d; it must be at least 1", f.top)
	}
	if f.flame != "" {
		if _, ok := heap.ParseMetric(f.flame); !ok {
			return usagef("--flame is %q; it must be one of %s", f.flame, heapMetrics())
		}
		if f.some() || f.against != "" || f.json {
			return usagef("--flame prints nothing but stacks; leave the other parts out")
		}
	}
	return nil
}

// rule reads --bins.
func (f *heapFlags) rule() (*heap.Rule, error) {
	path, isFile := strings.CutPrefix(f.bins, "@")
	if !isFile {
		return heap.ParseRule("--bins", f.bins)
	}
	text, err := readBounded(path, maxScript, "rule of bins")
	if err != nil {
		return nil, err
	}
	return heap.ParseRule(path, string(text))
}

func (f *heapFlags) run(ctx context.Context, s Streams, path string) error {
	rule, err := f.rule()
	if err != nil {
		return err
	}
	// What a heap keeps has room from the start and makes little garbage: collecting often would save little memory.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	p := newProgress(s.Err, "reading")
	defer p.Done()
	load := session.LoadBlocks
	if f.flame != "" {
		load = session.LoadHeap
	}
	a, err := load(ctx, path, p.Report)
	if err != nil {
		return err
	}
	defer a.Close()
	r := heapReport{Allocations: a, top: f.top, cut: traceio.LacksEvents(a.Loss)}
	if rule.Text != a.Rule.Text {
		if r.Heap, err = a.Rebin(ctx, rule); err != nil {
			return err
		}
	} else {
		r.Heap = a.Heap
	}
	if f.against != "" {
		old, err := session.LoadBlocks(ctx, f.against, p.Report)
		if err != nil {
			return err
		}
		defer old.Close()
		r.change = heap.Compare(old.Heap, a.Heap)
	}
	r.leaks = r.Heap.Leaks()
	if err := r.measure(ctx, f, p); err != nil {
		return err
	}
	p.Done()
	switch {
	case f.flame != "":
		metric, _ := heap.ParseMetric(f.flame)
		err = r.Heap.Tree().Folded(s.Out, metric)
	case f.json:
		err = printJSON(s.Out, path, r.object(f))
	default:
		err = r.print(s.Out, f)
	}
	if err != nil {
		return err
	}
	return tell(s, a.Name(), a.Loss)
}

// heapReport is what the command has found.
type heapReport struct {
	*session.Allocations
	Heap    *heap.Heap // in the bins asked for
	leaks   []heap.Leak
	top     int
	cut     bool // events are missing
	curves  *heap.Curves
	bursts  []heap.Burst
	orders  []heap.Order
	usage   *heap.Usage
	change  *heap.Comparison
	latency []heap.Histogram
}

// columns is into how many parts the time is divided to find the worst fragmentation: it is measured at the end of
// each, and at the peaks.
const columns = 128

// measure does what goes through the log again, where it is asked for.
func (r *heapReport) measure(ctx context.Context, f *heapFlags, p *progress) (err error) {
	if f.flame != "" || f.some() || r.Heap.Allocations == 0 {
		return nil
	}
	if r.curves, err = r.Heap.Curves(ctx, 0, r.Heap.Axis.End, columns); err != nil {
		return err
	}
	r.bursts = r.Heap.Bursts()
	r.orders = r.Heap.Orders(r.bursts)
	r.latency = r.Heap.Latency()
	if r.Full != nil && r.Full.Len() > 0 {
		r.usage, err = heap.Observe(ctx, r.Heap, r.Full, p.Report)
	}
	return err
}

// unit is what time counts, in the singular.
func (r *heapReport) unit() string {
	if r.Full != nil {
		return strings.TrimSuffix(r.Full.TimeUnit(), "s")
	}
	return "event"
}

// printed is a table's first rows.
func printed[T any](rows []T, top int) []T { return rows[:min(top, len(rows))] }

// worst is the greatest fragmentation of a curve.
func worst(points []heap.Point) (at heap.Time, fragmentation float64) {
	for i := range points {
		if p := &points[i]; p.Worst > fragmentation {
			at, fragmentation = p.WorstAt, p.Worst
		}
	}
	return at, fragmentation
}
