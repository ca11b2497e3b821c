package store

import (
	"context"
	"runtime"
	"sync"

	"orrery/traceio"
)

// Sweep decodes the blocks listed on all processors at once and gives them to each, one after the other in that order;
// k counts them. aside, if not nil, makes for each processor a function that sees a block before each does, while
// others see theirs: for what can be found out of a block alone. Blocks are good until each returns. Sweep ends with
// the first error, which is an *traceio.Error, each's or the context's.
func (r *Recording) Sweep(ctx context.Context, blocks []int,
	aside func() func(k int, b *traceio.Block), each func(k int, b *traceio.Block) error) error {
	ctx, cancel := context.WithCancel(ctx)
	workers := max(1, min(runtime.GOMAXPROCS(0), len(blocks)))
	var (
		free  = make(chan *traceio.Block, workers+2) // memory of blocks
		order = make(chan *turn, cap(free))
		tasks = make(chan *turn)
		all   sync.WaitGroup
	)
	defer all.Wait()
	defer cancel()
	for range cap(free) {
		free <- &traceio.Block{}
	}
	all.Go(func() {
		defer close(order)
		defer close(tasks)
		for k := range blocks {
			select {
			case <-ctx.Done():
				return
			case b := <-free:
				t := &turn{k, b, make(chan error, 1)}
				order <- t
				select {
				case tasks <- t:
				case <-ctx.Done():
					t.done <- ctx.Err()
					return
				}
			}
		}
	})
	for range workers {
		all.Go(func() {
			look := func(int, *traceio.Block) {}
			if aside != nil {
				look = aside()
			}
			for t := range tasks {
				err := r.decode(blocks[t.k], t.b)
				if err == nil {
					look(t.k, t.b)
				}
				t.done <- err
			}
		})
	}
	for t := range order {
		if err := <-t.done; err != nil {
			return err
		}
		if err := each(t.k, t.b); err != nil {
			return err
		}
		free <- t.b
	}
	return ctx.Err()
}

// turn is one block on its way.
type turn struct {
	k    int
	b    *traceio.Block
	done chan error
}

// All lists all blocks, for Sweep.
func (r *Recording) All() []int {
	out := make([]int, r.Blocks())
	for i := range out {
		out[i] = i
	}
	return out
}
