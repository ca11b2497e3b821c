package topology

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls a worker's function for 0..n-1, each once, on all processors, and returns when all are done or ctx is.
// worker is called once in each goroutine and makes the function with its own scratch memory. What the function
// computes must not depend on the order of its calls.
func parallel(ctx context.Context, n int, worker func() func(i int)) error {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			do := worker()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	all.Wait()
	return ctx.Err()
}

// each calls do for 0..n-1 on all processors and gives the first error by number.
func each(ctx context.Context, n int, do func(i int) error) error {
	errs := make([]error, n)
	err := parallel(ctx, n, func() func(int) {
		return func(i int) { errs[i] = do(i) }
	})
	for _, e := range errs {
		if e != nil {
			return e
		}
	}
	return err
}
