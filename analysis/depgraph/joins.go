package depgraph

import (
	"fmt"
	"slices"

	"orrery/traceio/irgraph"
)

// association is the type of inputs that say where control-flow paths join, in Graal's graphs.
const association = "association"

// withControlFlow is a snapshot with edges that run as control does where paths join, s itself where none is an
// association. In Graal's graphs the end of a path has no successor: a merge has the ends as inputs ends[0], ends[1]
// and so on, and the end of a back edge has the loop's begin as its input loopBegin. A phi's values are in the order of
// the paths, back edges last, so values enter phis and control enters merges at slots of the same number.
func withControlFlow(s *irgraph.Snapshot) *irgraph.Snapshot {
	kind := func(e *irgraph.Edge) string { return e.Properties.Get(irgraph.KeyType) }
	if !slices.ContainsFunc(s.Edges, func(e irgraph.Edge) bool { return kind(&e) == association }) {
		return s
	}
	goesOn, paths := make([]bool, len(s.Nodes)), make([]int32, len(s.Nodes))
	for i := range s.Edges {
		e := &s.Edges[i]
		goesOn[e.From] = goesOn[e.From] || kind(e) == control
	}
	flow := irgraph.Properties{{Key: irgraph.KeyType, Value: control}}
	out := *s
	out.Edges = slices.Clone(s.Edges)
	for i := range out.Edges {
		e := &out.Edges[i]
		label, path := e.Properties.Get(irgraph.KeyLabel), int32(0)
		switch {
		case listIndex(label, "ends", &path) && kind(e) == association:
			e.ToSlot, e.Properties = path, flow
			paths[e.To] = max(paths[e.To], path+1)
		case listIndex(label, "values", &path):
			e.ToSlot = path
		// a phi, or a value that leaves a loop, stays there
		case (label == "merge" || label == "proxyPoint") && kind(e) == association:
			e.ToSlot, e.Properties = -1, flow
		}
	}
	for i := range out.Edges {
		e := &out.Edges[i]
		if kind(e) == association && e.Properties.Get(irgraph.KeyLabel) == "loopBegin" && !goesOn[e.To] {
			e.From, e.To, e.ToSlot, e.Properties = e.To, e.From, paths[e.From], flow
			paths[e.To]++
		}
	}
	return &out
}

// listIndex reports whether a label is of an element of a list, such as ends[1], and which.
func listIndex(label, list string, at *int32) bool {
	n, err := fmt.Sscanf(label, list+"[%d]", at)
	return n == 1 && err == nil
}
