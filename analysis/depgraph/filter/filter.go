// Package filter changes display graphs before they are laid out: an ordered list of filters, each a piece of
// JavaScript, removes, adds, merges, splits and colours nodes and edges that regular expressions on their properties
// select. The paper's statement colorize("name", "I.*", red) is a whole filter. What scripts call is written in Go and
// works on all nodes at once. Graphs are copied: the data graph is never changed, and a filter that fails changes
// nothing at all.
//
// Scripts are stopped when they take too long. What could not be stopped is removed from the language: eval and
// functions made of strings, BigInt (1n) and typed arrays; other built-in functions refuse more than a million elements
// or characters.
package filter

import (
	"context"
	"time"

	"orrery/analysis/depgraph"
	"orrery/traceio"
)

// Filter is one entry of the list.
type Filter struct {
	Name   string `json:"name"`
	Script string `json:"script"`
	On     bool   `json:"on"` // checked: takes part
}

// Profile is a named list of filters, as it is kept on disk.
type Profile struct {
	Name    string   `json:"name"`
	Filters []Filter `json:"filters"`
}

// Result is the outcome of one filter of the list.
type Result struct {
	// Err is why it was stopped, with the name of the filter as its file and the line in its script; nil when it ran to
	// its end or was off.
	Err   *traceio.Error
	Nodes int // selected by its functions, counted each time
	Edges int
	Took  time.Duration
}

// Limit is how long one filter may run.
const Limit = time.Second

// Apply runs the filters that are on, in order, each on what the ones before it left, and gives the graph that comes
// out and a result for each filter of the list. The given graph stays as it is. A filter that throws, runs for longer
// than Limit or takes more than half a gigabyte of memory is stopped, and the others go on with the graph from before
// it. One that does not end even then, as it is busy within one built-in function, is soon abandoned with its own copy
// of the graph; while several of those run on, no filter starts. The error is the context's.
func Apply(ctx context.Context, g *depgraph.Graph, list []Filter) (*depgraph.Graph, []Result, error) {
	results := make([]Result, len(list))
	for i, f := range list {
		if !f.On {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		begin := time.Now()
		r := &run{g: g.Clone(), result: &Result{}}
		if err := r.script(ctx, f, Limit); err != nil {
			results[i].Err = err
		} else {
			g, results[i] = r.g, *r.result
		}
		results[i].Took = time.Since(begin)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	return g, results, nil
}
