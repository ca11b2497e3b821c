package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"orrery/analysis/depgraph"
	"orrery/analysis/depgraph/filter"
	"orrery/analysis/depgraph/layout"
	"orrery/analysis/heat"
	"orrery/traceio/irgraph"
	"orrery/views/codegraph"
)

// GraphRequest says how the graphs of a function are to be drawn.
type GraphRequest struct {
	Group *irgraph.Group
	// From and To are two snapshots whose difference is drawn, in place of the group's; nil for none. They may be of
	// different groups: then their nodes are paired by what they look like.
	From, To *irgraph.Snapshot
	Pairing  func(a, b *irgraph.Snapshot) depgraph.Pairing
	Filters  []filter.Filter
	Set      depgraph.Set // what is shown fully; empty for everything
	// draw nodes block by block; where the compiler has none, those of an approximate schedule
	Blocks bool
	Whole  bool // do not cut long edges
	// the snapshots that are drawn together, from First up to the one before Behind; 0, 0 for all of the group
	First, Behind int
	Join          func(s *irgraph.Snapshot) *heat.Joined // what a recording says of a snapshot; nil without one
	Level         int                                    // of the caches, whose misses nodes get
	Earlier       *depgraph.Series
	Effort        float64 // of the search for few crossings, see layout.Options
}

// GraphPictures is how they are drawn.
type GraphPictures struct {
	Pictures []*codegraph.Picture
	// by picture: the graph that the filters have left, of which a picture of open nodes shows an extract
	Whole     []*depgraph.Graph
	Snapshots []*irgraph.Snapshot // that the pictures show, by picture
	Results   [][]filter.Result   // of the filters, by picture
	Series    *depgraph.Series
	Joined    []*heat.Joined // by picture; nil without a recording
	Guessed   []bool         // by picture: its blocks are an approximation
}

// longEdge is over how many layers an edge is cut.
const longEdge = 8

// DrawGraphs filters the graphs of a request, finds their places and makes their pictures: of all phases of a function,
// so that what two of them have in common stays where it is. report is told nodes. The error is the context's.
func DrawGraphs(ctx context.Context, q GraphRequest, report func(done, total int64)) (*GraphPictures, error) {
	out := &GraphPictures{Snapshots: q.Group.Snapshots}
	if q.From != nil {
		out.Snapshots = []*irgraph.Snapshot{depgraph.Difference(q.From, q.To, q.Pairing(q.From, q.To))}
	}
	if q.Behind > 0 && q.From == nil {
		out.Snapshots = out.Snapshots[q.First:q.Behind]
	}
	graphs := make([]*depgraph.Graph, len(out.Snapshots))
	faint := make([][]bool, len(graphs))
	running := runaways{q.Filters, map[int]filter.Result{}}
	scheduled := append([]*irgraph.Snapshot(nil), out.Snapshots...)
	out.Guessed = make([]bool, len(scheduled))
	for i, s := range scheduled {
		if q.Blocks {
			s = depgraph.Schedule(s)
			out.Guessed[i] = len(scheduled[i].Blocks) == 0 && len(s.Blocks) > 0
			scheduled[i] = s
		}
		g := depgraph.Display(s)
		if q.Join != nil {
			j := q.Join(s)
			lend(g, j, q.Level)
			out.Joined = append(out.Joined, j)
		}
		g, results, err := filter.Apply(ctx, g, running.filters)
		if err != nil {
			return nil, err
		}
		running.after(results)
		out.Results, out.Whole = append(out.Results, results), append(out.Whole, g)
		if len(q.Set) > 0 {
			g, faint[i] = q.Set.Extract(g)
		}
		graphs[i] = g
	}
	out.Snapshots = scheduled
	a := depgraph.Arrangement{Size: codegraph.Measure, Blocks: q.Blocks, Earlier: q.Earlier, KeepOrder: len(q.Set) > 0,
		Options: layout.Options{NodeGap: 16, LayerGap: 40, BlockHead: 18, BlockPad: 14, Stub: 16, Effort: q.Effort}}
	if !q.Whole {
		a.Long = longEdge
	}
	series, err := depgraph.Arrange(ctx, graphs, a, report)
	if err != nil {
		return nil, fmt.Errorf("the graph of %s was not drawn: %w", q.Group.Name, err)
	}
	out.Series = series
	index := layout.NewIndex(series.Layout)
	for i, g := range graphs {
		out.Pictures = append(out.Pictures, codegraph.NewPicture(g, faint[i], series, i, index))
	}
	return out, nil
}

// runaways are the filters of a series of phases that ran for too long in one of them. They are left out of the others,
// which would take a second each, and have the same result there.
type runaways struct {
	filters []filter.Filter
	results map[int]filter.Result
}

// after takes the results of a phase, and puts those of the filters that were left out into them.
func (r *runaways) after(results []filter.Result) {
	for i := range results {
		if was, ok := r.results[i]; ok {
			results[i] = was
		} else if results[i].Err != nil && results[i].Took >= filter.Limit {
			r.filters = slices.Clone(r.filters)
			r.filters[i].On = false
			r.results[i] = results[i]
		}
	}
}

// lend gives nodes what the recording says of them as ordinary properties.
func lend(g *depgraph.Graph, j *heat.Joined, level int) {
	for v := range g.Nodes {
		n := &g.Nodes[v]
		if len(n.Of) != 1 || int(n.Of[0]) >= len(j.Nodes) {
			continue
		}
		h := &j.Nodes[n.Of[0]]
		if h.References() == 0 {
			continue
		}
		p := n.Properties.With(codegraph.References, strconv.FormatUint(h.References(), 10))
		if level < len(h.Misses) {
			p = p.With(codegraph.Misses, strconv.FormatUint(h.Misses[level], 10))
		}
		if h.Strided > 0 {
			p = p.With(codegraph.Stride, strconv.FormatInt(h.Stride, 10))
		}
		n.Properties = p
	}
}

// DifferenceFilter is the name of the shipped filter that colours the difference of two snapshots.
const DifferenceFilter = "Colour the difference"
