package filter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/dlclark/regexp2/v2"
	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"orrery/analysis/depgraph"
	"orrery/traceio"
)

// run is one filter running on its own copy of the graph.
type run struct {
	g      *depgraph.Graph
	vm     *goja.Runtime
	result *Result
	colors map[string]int // values that have a colour of their own, by their first appearance

	methods map[string]goja.Value // of handles
	near    around
	changes int // calls of functions that may have changed the graph

	reason atomic.Pointer[error]             // why the script is to end; nil while it may run
	place  atomic.Pointer[[]goja.StackFrame] // of the slow function that is running
	depth  int                               // of built-in functions within one another
	hook   func()                            // for tests: adds functions; may be nil
	grace  time.Duration                     // see there; 0 for that
}

// Most memory that all of the process may grow by while a filter runs, and how often that is looked at.
const (
	memory = 512 << 20
	look   = 5 * time.Millisecond
)

// The engine checks for interrupts between two of its steps, and one step may be a function that takes long: matching
// of an expression cannot be interrupted, only given a time limit beforehand. A script that does not end when
// interrupted is abandoned. Only where it is not known what it is doing is it waited for, until its place is known; and
// not when the result is no longer wanted.
const (
	matching = Limit + Limit/4 // after which an expression is given up
	grace    = Limit + Limit/2
	parting  = Limit / 10 // for what is known, or not asked for
)

// abandoned counts the scripts that were abandoned and still run; with mostAbandoned of them no other one starts.
var abandoned atomic.Int32

const mostAbandoned = 4

// Expressions that Go's linear ones cannot express are matched by backtracking. The engine treats one that is given up
// as no match; as the script's time is over by then, it is stopped before it can use that.
func init() { regexp2.DefaultMatchTimeout = matching }

// Reasons to stop a script.
var (
	tooLong  = errors.New("it was stopped after a second")
	tooLarge = errors.New("it was stopped because it took more than half a gigabyte of memory")
	tooMany  = fmt.Errorf("it was not run: %d filters that were stopped before are still busy within a built-in "+
		"function; try again later, or start Orrery anew", mostAbandoned)
)

// script runs a filter's text. When it gives a fault, the script may still be at work on r, which must not be looked at
// any more.
func (r *run) script(ctx context.Context, f Filter, limit time.Duration) *traceio.Error {
	if abandoned.Load() >= mostAbandoned {
		return fault(f, tooMany, nil)
	}
	r.vm = goja.New()
	begin := time.Now()
	done := make(chan *traceio.Error, 1)
	go func() { done <- r.work(f) }()
	failed, ended, at := r.watch(ctx, limit, done)
	if !ended {
		abandoned.Add(1)
		go func() {
			<-done
			abandoned.Add(-1)
		}()
		return fault(f, *r.reason.Load(), at)
	}
	if failed == nil && time.Since(begin) >= limit {
		return fault(f, tooLong, nil)
	}
	return failed
}

// work runs the text to its end, on a goroutine of its own.
func (r *run) work(f Filter) (failed *traceio.Error) {
	defer func() {
		if x := recover(); x != nil {
			failed = panicked(f, x)
		}
	}()
	if len(f.Script) > longest {
		return fault(f, fmt.Errorf("its %d bytes are too long; filters may be up to %d", len(f.Script), longest), nil)
	}
	// Maps to other sources are what a page's scripts have; a filter that names one must not make us read a file.
	tree, err := parser.ParseFile(nil, f.Name, f.Script, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return broken(f, err)
	}
	if at := ready(tree); at > 0 {
		e := fault(f, errors.New("filters have no numbers without end such as 1n"), nil)
		e.Line = tree.File.Position(int(at) - tree.File.Base()).Line
		return e
	}
	finish(tree)
	program, err := goja.CompileAST(tree, false)
	if err != nil {
		return broken(f, err)
	}
	r.vm.SetMaxCallStackSize(deepest)
	r.vm.SetFieldNameMapper(goja.UncapFieldNameMapper())
	r.bound()
	r.define()
	if r.hook != nil {
		r.hook()
	}
	if _, err := r.vm.RunProgram(program); err != nil {
		return broken(f, err)
	}
	return nil
}

// watch waits until the script ends, and stops it when its time is over, when it takes too much memory or when the
// context ends. ended is false when it does not end even then; at is where it is then, nil when that is not known.
func (r *run) watch(ctx context.Context, limit time.Duration,
	done <-chan *traceio.Error) (failed *traceio.Error, ended bool, at []goja.StackFrame) {
	over := time.NewTimer(limit)
	defer over.Stop()
	tick := time.NewTicker(look)
	defer tick.Stop()
	for begin := heap(); r.reason.Load() == nil; {
		select {
		case failed := <-done:
			return failed, true, nil
		case <-ctx.Done():
			r.interrupt(ctx.Err())
		case <-over.C:
			r.interrupt(tooLong)
		case <-tick.C:
			if now := heap(); now > begin && now-begin > memory {
				r.interrupt(tooLarge)
			}
		}
	}
	for asked := time.Now(); ; {
		select {
		case failed := <-done:
			return failed, true, nil
		case <-tick.C:
		}
		patience, place := cmp.Or(r.grace, grace), r.place.Load()
		if at = nil; place != nil {
			at = *place
		}
		if place != nil || ctx.Err() != nil {
			patience = min(patience, parting)
		}
		if time.Since(asked) >= patience {
			return nil, false, at
		}
	}
}

// interrupt asks the script to end.
func (r *run) interrupt(reason error) {
	r.reason.Store(&reason)
	r.vm.Interrupt(reason)
}

// halted is the panic that ends a script from within functions written in Go; no script can catch it.
type halted struct {
	reason error
	at     []goja.StackFrame
}

// at remembers where the script is during a function that may take long; the returned function restores what was
// remembered.
func (r *run) at() (back func()) {
	here := r.vm.CaptureCallStack(4, nil)
	before := r.place.Swap(&here)
	return func() { r.place.Store(before) }
}

// check ends the script if a reason is set.
func (r *run) check() {
	if reason := r.reason.Load(); reason != nil {
		panic(halted{*reason, r.vm.CaptureCallStack(0, nil)})
	}
}

// heap is the memory of objects, including dead ones that are not collected yet.
func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
