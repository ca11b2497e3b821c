package filter

import (
	"context"
	"errors"
	"fmt"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"orrery/analysis/depgraph"
	"orrery/traceio"
)

// run is one filter at work on its own copy of the graph.
type run struct {
	g      *depgraph.Graph
	vm     *goja.Runtime
	result *Result
	colors map[string]int // values that have a colour of their own, by their first appearance

	methods map[string]goja.Value // of handles
	near    around
	changes int // calls of functions that may have changed the graph
}

// Most memory that all of the process may grow by while a filter runs, and how often that is looked at.
const (
	memory = 512 << 20
	look   = 5 * time.Millisecond
)

// Reasons to stop a script.
var (
	tooLong  = errors.New("it was stopped after a second")
	tooLarge = errors.New("it was stopped because it took more than half a gigabyte of memory")
)

// script runs a filter's text.
func (r *run) script(ctx context.Context, f Filter, limit time.Duration) (fault *traceio.Error) {
	// Maps to other sources are what a page's scripts have; a filter that names one must not make us read a file.
	tree, err := parser.ParseFile(nil, f.Name, f.Script, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return broken(f, err)
	}
	program, err := goja.CompileAST(tree, false)
	if err != nil {
		return broken(f, err)
	}
	r.vm = goja.New()
	r.vm.SetMaxCallStackSize(2000)
	r.vm.SetFieldNameMapper(goja.UncapFieldNameMapper())
	r.define()
	stop := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		r.watch(ctx, limit, stop)
	}()
	defer func() {
		close(stop)
		<-watched
	}()
	if _, err := r.vm.RunProgram(program); err != nil {
		return broken(f, err)
	}
	return nil
}

// watch interrupts the script when its time is over, when it takes too much memory or when the context ends.
func (r *run) watch(ctx context.Context, limit time.Duration, stop <-chan struct{}) {
	over := time.NewTimer(limit)
	defer over.Stop()
	tick := time.NewTicker(look)
	defer tick.Stop()
	begin := heap()
	for {
		select {
		case <-stop:
			return
		case <-ctx.Done():
			r.vm.Interrupt(ctx.Err())
			return
		case <-over.C:
			r.vm.Interrupt(tooLong)
			return
		case <-tick.C:
			if now := heap(); now > begin && now-begin > memory {
				r.vm.Interrupt(tooLarge)
				return
			}
		}
	}
}

// heap is how much memory objects take, dead ones that are not collected yet included.
func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// broken makes a sentence with the line of what the machine says.
func broken(f Filter, err error) *traceio.Error {
	e := &traceio.Error{File: "filter " + f.Name, Msg: err.Error(), Hint: "the other filters apply; edit this one or take its check mark away", Err: err}
	var unread parser.ErrorList
	var deep *goja.StackOverflowError
	var syntax *goja.CompilerSyntaxError
	var stopped *goja.InterruptedError
	var thrown *goja.Exception
	switch {
	case errors.As(err, &unread) && len(unread) > 0:
		e.Msg, e.Line = unread[0].Message, unread[0].Position.Line
	case errors.As(err, &deep):
		e.Msg, e.Line = "its functions call one another too deep", line(f, deep.Stack())
	case errors.As(err, &syntax):
		e.Msg = strings.TrimSpace(syntax.Message)
		if syntax.File != nil {
			e.Line = syntax.File.Position(syntax.Offset).Line
		}
	case errors.As(err, &stopped):
		e.Msg = fmt.Sprint(stopped.Value())
		e.Line = line(f, stopped.Stack())
	case errors.As(err, &thrown):
		e.Msg = fmt.Sprint(thrown.Value())
		e.Line = line(f, thrown.Stack())
	}
	return e
}

// line is that of the innermost call within the script itself.
func line(f Filter, stack []goja.StackFrame) int {
	for i := range stack {
		if stack[i].SrcName() == f.Name && stack[i].Position().Line > 0 {
			return stack[i].Position().Line
		}
	}
	return 0
}
