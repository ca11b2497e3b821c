package document

import (
	"context"
	"path/filepath"

	"orrery/analysis/heap"
	"orrery/app/jobs"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/traceio"
)

// allocating is what the tables and the flame graph of the heap are made from. It is computed when it is looked at.
type allocating struct {
	of     *heap.Heap // what the tree and the usage are of, once they are there
	tree   *heap.Node
	usage  *heap.Usage
	treed  *heap.Heap // whose tree was asked for
	used   *heap.Heap // whose usage was asked for
	rival  *session.Allocations
	both   *heap.Comparison // with the rival
	than   string           // the rival's file
	wanted string           // the rival that is being read
}

// current forgets what is of another heap: a recording that is being written has grown.
func (d *Document) currentAllocating() *allocating {
	a := &d.allocating
	if h := d.rec.Heap; a.of != h {
		a.of, a.tree, a.usage, a.both = h, nil, nil, nil
	}
	return a
}

// callTree is the tree of calls that allocate; nil while it is being made.
func (d *Document) callTree() *heap.Node {
	a, h := d.currentAllocating(), d.rec.Heap
	if a.treed != h && !d.stopped {
		a.treed = h
		jobs.Start(d.host.Engine, d.key("call tree"), "gathering call stacks",
			func(context.Context, func(done, total int64)) (*heap.Node, error) {
				return h.Tree(), nil
			}, func(tree *heap.Node, err error) {
				if err == nil && a.of == h {
					a.tree = tree
					d.changed(shell.Flame)
				}
			})
	}
	return a.tree
}

// observes tells whether the use of blocks by references can be known.
func (d *Document) observes() bool { return !d.rec.EventsOnly() && !d.rec.Live() && !d.rec.Sampled() }

// blockUse is what references did to the blocks; nil while it is being found, or where it cannot be known.
func (d *Document) blockUse() *heap.Usage {
	a, h, rec := d.currentAllocating(), d.rec.Heap, d.rec
	if a.used != h && !d.stopped && d.observes() {
		a.used = h
		jobs.Start(d.host.Engine, d.key("block use"), "following references into blocks",
			func(ctx context.Context, report func(done, total int64)) (*heap.Usage, error) {
				return heap.Observe(ctx, h, rec, report)
			}, func(u *heap.Usage, err error) {
				switch {
				case err != nil:
					d.host.Failed(err.Error())
				case a.of == h:
					a.usage = u
					d.changed(shell.Sites, shell.Heap, shell.Explain)
				}
			})
	}
	return a.usage
}

// versus is the comparison with the run in another file; nil while that is being read. "" forgets the one before.
func (d *Document) versus(path string) *heap.Comparison {
	a := d.currentAllocating()
	if path == "" {
		d.host.Engine.Cancel(d.key("other heap"))
		a.forget()
		return nil
	}
	if a.than == path && a.rival != nil {
		if a.both == nil {
			a.both = heap.Compare(a.rival.Heap, d.rec.Heap)
		}
		return a.both
	}
	if a.wanted == path || d.stopped {
		return nil
	}
	a.forget()
	a.wanted = path
	key := d.key("other heap")
	jobs.Start(d.host.Engine, key, "reading "+filepath.Base(path),
		func(ctx context.Context, report func(done, total int64)) (*session.Allocations, error) {
			run, err := session.LoadHeap(ctx, path, report)
			if err == nil && ctx.Err() != nil { // nobody is there to take it
				run.Close()
				return nil, ctx.Err()
			}
			return run, err
		}, func(run *session.Allocations, err error) {
			switch {
			case err != nil:
				d.host.Failed(err.Error())
			case d.closed || a.wanted != path:
				run.Close()
			default:
				a.rival, a.than = run, path
				d.changed(shell.Sites)
			}
		})
	d.host.Engine.Unit(key, "bytes")
	return nil
}

// forget closes the other run.
func (a *allocating) forget() {
	if a.rival != nil {
		a.rival.Close()
	}
	a.rival, a.both, a.than, a.wanted = nil, nil, "", ""
}

// again forgets what was asked for and has not come.
func (a *allocating) again() {
	if a.tree == nil {
		a.treed = nil
	}
	if a.usage == nil {
		a.used = nil
	}
	if a.rival == nil {
		a.wanted = ""
	}
}

// timeUnit is what the heap's time counts.
func (d *Document) timeUnit() string {
	if d.rec.Extent() == traceio.Seq(0) {
		return "events"
	}
	return d.rec.TimeUnit()
}
