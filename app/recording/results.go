package recording

import (
	"context"

	"orrery/analysis/heap"
	"orrery/app/panes"
	"orrery/app/session"
	"orrery/cachesim"
)

// results are what is derived from the recording and shown by more than one pane.
type results struct {
	simulated *panes.Lazy[simulation, *session.Caches]
	counted   *panes.Lazy[simulation, []uint64] // misses of the first level, by line number of rec.Lines
	calls     *panes.Lazy[*heap.Heap, *heap.Node]
	usage     *panes.Lazy[observation, *heap.Usage]
	other     panes.Baseline[*session.Allocations] // whose sites are compared with those of this run
	compared  *heap.Comparison                     // with it, of
	comparing [2]*heap.Heap
}

// simulation is a run of the recording through a hierarchy.
type simulation struct {
	rec    *session.Recording
	config *cachesim.Config // of this run alone
	grain  session.Grain
}

// observation is following the references of a recording into the blocks of a heap.
type observation struct {
	rec  *session.Recording
	heap *heap.Heap
}

func (d *Document) derive() {
	s := d.set
	d.simulated = panes.NewLazy(s, panes.Work[simulation, *session.Caches]{
		Name:  "cache",
		Title: func(k simulation) string { return "simulating " + k.config.Name },
		Run: func(ctx context.Context, k simulation, report func(done, total int64)) (*session.Caches, error) {
			return k.rec.RunCachesAt(ctx, *k.config, k.grain, report)
		},
		Then: func(_ *session.Caches, err error) {
			if err == nil {
				d.rings.chosen()
			}
		}})
	d.counted = panes.NewLazy(s, panes.Work[simulation, []uint64]{
		Name:  "misses",
		Title: func(simulation) string { return "counting misses by line" },
		Run: func(ctx context.Context, k simulation, report func(done, total int64)) ([]uint64, error) {
			return k.rec.LineMisses(ctx, *k.config, report)
		},
		Then: func(_ []uint64, err error) {
			if err == nil {
				d.noticed.seek(false)
			}
		}})
	d.calls = panes.NewLazy(s, panes.Work[*heap.Heap, *heap.Node]{
		Name:  "call tree",
		Title: func(*heap.Heap) string { return "gathering call stacks" },
		Run: func(_ context.Context, h *heap.Heap, _ func(done, total int64)) (*heap.Node, error) {
			return h.Tree(), nil
		}})
	d.usage = panes.NewLazy(s, panes.Work[observation, *heap.Usage]{
		Name:  "block use",
		Title: func(observation) string { return "following references into blocks" },
		Run: func(ctx context.Context, k observation, report func(done, total int64)) (*heap.Usage, error) {
			return heap.Observe(ctx, k.heap, k.rec, report)
		}})
	d.other = panes.NewBaseline(s, "other heap", session.LoadHeap, nil)
}

// caches are those of the newest simulation, nil while there is none.
func (d *Document) caches() *session.Caches {
	c, _, _ := d.simulated.Newest()
	return c
}

// misses are those of the lines of the recording, nil while they are not counted.
func (d *Document) misses() []uint64 {
	if m, of, ok := d.counted.Newest(); ok && of.rec == d.rec {
		return m
	}
	return nil
}

// callTree is the tree of calls that allocate; nil while it is being made.
func (d *Document) callTree() *heap.Node {
	tree, _ := d.calls.For(d.rec.Heap)
	return tree
}

// observes tells whether the use of blocks by references can be known.
func (d *Document) observes() bool { return !d.rec.EventsOnly() && !d.rec.Live() && !d.rec.Sampled() }

// blockUse is what references did to the blocks; nil while it is being found, or where it cannot be known.
func (d *Document) blockUse() *heap.Usage {
	if !d.observes() {
		return nil
	}
	u, _ := d.usage.For(observation{d.rec, d.rec.Heap})
	return u
}

// observe begins to find what references did to the blocks.
func (d *Document) observe() {
	if d.observes() && !d.set.Stopped() {
		d.usage.Ask(observation{d.rec, d.rec.Heap})
	}
}

// knownUse is blockUse where somebody has asked for it before.
func (d *Document) knownUse() *heap.Usage {
	if u, of, ok := d.usage.Newest(); ok && of.heap == d.rec.Heap {
		return u
	}
	return nil
}

// against is the comparison with the run in another file; nil while that is being read.
func (d *Document) against(path string) *heap.Comparison {
	run, ok := d.other.For(path)
	if !ok {
		return nil
	}
	if of := [2]*heap.Heap{run.Heap, d.rec.Heap}; of != d.comparing {
		d.compared, d.comparing = heap.Compare(run.Heap, d.rec.Heap), of
	}
	return d.compared
}

// timeUnit is what the heap's time counts.
func (d *Document) timeUnit() string {
	if d.rec.Extent() == 0 {
		return "events"
	}
	return d.rec.TimeUnit()
}
