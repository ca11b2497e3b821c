package flame

import (
	"slices"
	"strings"

	"orrery/analysis/heap"
)

// Found is the answer to a filter.
type Found struct {
	Nodes map[*heap.Node]bool
	Value uint64 // of all that goes through any of them, counted once
}

// Search finds what the filter lights: functions from the one on that fills the width. Without a filter it is nil.
func Search(s State) *Found {
	want := strings.Fields(strings.ToLower(s.Filter))
	nodes := s.Nodes()
	if len(want) == 0 || len(nodes) == 0 {
		return nil
	}
	f := &Found{Nodes: map[*heap.Node]bool{}}
	f.look(nodes[len(nodes)-1], s.Root, s.Metric, want, false)
	return f
}

// look goes through a node and what is below it; counted reports whether it is in the value already.
func (f *Found) look(n, root *heap.Node, m heap.Metric, want []string, counted bool) {
	name := strings.ToLower(n.Name)
	if n != root && !slices.ContainsFunc(want, func(w string) bool { return !strings.Contains(name, w) }) {
		f.Nodes[n] = true
		if !counted {
			f.Value += m.Of(&n.Total)
		}
		counted = true
	}
	for _, c := range n.Children {
		f.look(c, root, m, want, counted)
	}
}

// found is the answer to the state's filter.
func (s *State) found() *Found {
	if s.Found != nil {
		return s.Found
	}
	return Search(*s)
}
