package graphs

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"orrery/analysis/depgraph"
	"orrery/analysis/depgraph/filter"
	"orrery/app/shell"
	"orrery/traceio/irgraph"
	"orrery/views/codegraph"
	"orrery/views/words"
)

// Search finds nodes, phases and functions. The text is a part of a node's ID, name or label, in either case; /text/ a
// regular expression on them; key=text one on a property. All nodes that are found are lit, also those beyond limit.
// Where only some nodes are open, the others are looked through too; going to one opens it.
func (e *Explorer) Search(text string, limit int) (out []shell.Found) {
	text = strings.TrimSpace(text)
	if text == "" {
		e.lit = nil
		e.tell(shell.Code)
		return nil
	}
	if g := e.searched(); g != nil {
		match, err := matcher(text)
		if err != nil {
			return []shell.Found{{Label: "The expression cannot be read", Detail: err.Error(), Go: func() {}}}
		}
		var ids []string
		var nodes []*depgraph.Node
		for v := range g.Nodes {
			if n := &g.Nodes[v]; match(n) {
				ids, nodes = append(ids, n.ID), append(nodes, n)
			}
		}
		for _, n := range e.closed(g) {
			if match(n) {
				nodes = append(nodes, n)
			}
		}
		slices.SortStableFunc(nodes, func(a, b *depgraph.Node) int { return cmp.Compare(rank(a, text), rank(b, text)) })
		for _, n := range nodes {
			if len(out) < limit {
				out = append(out, shell.Found{Label: codegraph.Text(n), Detail: detail(n), Go: func() {
					e.keepPlace()
					e.find(n.ID)
				}})
			}
		}
		e.lit = depgraph.NewSet(ids...)
		e.tell(shell.Code)
		if n := len(ids); n > 1 && len(out) == limit {
			out[limit-1] = shell.Found{Label: fmt.Sprintf("Select all %d nodes", n), Detail: "of " + e.phaseName(), Go: func() {
				e.choosing(e.lit)
				e.code.reveal(e.lit)
			}}
		}
	}
	return append(out, e.places(text, limit-len(out))...)
}

// searched is the graph that is looked through: as it is drawn, or while it is not drawn yet, as the compiler has it.
func (e *Explorer) searched() *depgraph.Graph {
	if p := e.picture(); p != nil {
		return p.Graph
	}
	if s := e.snapshot(); s != nil {
		return depgraph.Display(s)
	}
	return nil
}

// closed are the phase's nodes that are not in view because others are open.
func (e *Explorer) closed(shown *depgraph.Graph) (out []*depgraph.Node) {
	s := e.snapshot()
	if len(e.shown.set) == 0 || s == nil {
		return nil
	}
	have := make(map[string]bool, len(shown.Nodes))
	for v := range shown.Nodes {
		have[shown.Nodes[v].ID] = true
	}
	g := depgraph.Display(s)
	for v := range g.Nodes {
		if !have[g.Nodes[v].ID] {
			out = append(out, &g.Nodes[v])
		}
	}
	return out
}

// rank orders what is found: a node of that ID, one of that name, one that begins so, one with the text in its ID or
// name, others.
func rank(n *depgraph.Node, text string) int {
	id, name, want := strings.ToLower(n.ID), strings.ToLower(n.Name()), strings.ToLower(text)
	switch {
	case id == want:
		return 0
	case name == want:
		return 1
	case strings.HasPrefix(id, want) || strings.HasPrefix(name, want):
		return 2
	case strings.Contains(id, want) || strings.Contains(name, want):
		return 3
	}
	return 4
}

// places are phases and functions by a part of their name.
func (e *Explorer) places(text string, limit int) (out []shell.Found) {
	want := strings.ToLower(text)
	for i, x := range e.entries {
		if len(out) < limit && strings.Contains(strings.ToLower(x.Path), want) {
			out = append(out, shell.Found{Label: x.Path, Detail: "function, " + words.Plural(len(x.Snapshots), "phase"),
				Go: func() { e.keepPlace(); e.choose(i, -1) }})
		}
	}
	if g := e.group(); g != nil {
		for i, s := range g.Snapshots {
			if len(out) < limit && strings.Contains(strings.ToLower(s.Name), want) {
				out = append(out, shell.Found{Label: s.Name, Detail: fmt.Sprintf("phase %d, %s", i+1,
					words.Plural(len(s.Nodes), "node")), Go: func() { e.keepPlace(); e.Step(i) }})
			}
		}
	}
	return out
}

// matcher is what a search's text selects.
func matcher(text string) (func(n *depgraph.Node) bool, error) {
	if key, value, ok := strings.Cut(text, "="); ok && key != "" && !strings.ContainsAny(key, " /") {
		m, err := filter.Part(key, value)
		if err != nil {
			return nil, err
		}
		return m.Node, nil
	}
	if n := len(text); n > 2 && text[0] == '/' && text[n-1] == '/' {
		re, err := regexp.Compile(text[1 : n-1])
		if err != nil {
			return nil, err
		}
		return func(n *depgraph.Node) bool {
			return re.MatchString(n.ID) || re.MatchString(n.Name()) || re.MatchString(n.Properties.Get(irgraph.KeyLabel))
		}, nil
	}
	want := strings.ToLower(text)
	return func(n *depgraph.Node) bool {
		return strings.Contains(strings.ToLower(n.ID), want) || strings.Contains(strings.ToLower(n.Name()), want) ||
			strings.Contains(strings.ToLower(n.Properties.Get(irgraph.KeyLabel)), want)
	}, nil
}

// detail says of a node what tells it from others.
func detail(n *depgraph.Node) string {
	var parts []string
	if l := n.Properties.Get(irgraph.KeyLine); l != "" {
		parts = append(parts, "line "+l)
	}
	if h := codegraph.Heat(n.Properties); h != "" {
		parts = append(parts, h)
	}
	if l := n.Properties.Get(irgraph.KeyLabel); l != "" { // at the end, as it may be cut
		parts = append(parts, l)
	}
	return strings.Join(parts, " · ")
}

// having are the nodes of which a property has a value.
func (e *Explorer) having(key, value string) depgraph.Set {
	var ids []string
	if p := e.picture(); p != nil {
		for v := range p.Graph.Nodes {
			if got, ok := p.Graph.Nodes[v].Properties.Lookup(key); ok && got == value {
				ids = append(ids, p.Graph.Nodes[v].ID)
			}
		}
	}
	return depgraph.NewSet(ids...)
}

// light marks the nodes of which a property has a value.
func (e *Explorer) light(key, value string) {
	e.lit = e.having(key, value)
	e.tell(shell.Code)
}
