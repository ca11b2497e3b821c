package filter

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"orrery/analysis/depgraph"
	"orrery/traceio/irgraph"
)

// Match selects nodes or edges by a regular expression (Go's, linear in time) on the property of a name. "id" selects
// by the node's ID unless it has a property of that name; what lacks the property is selected only if the expression
// matches nothing at all, "".
type Match struct {
	key     string
	pattern *regexp.Regexp
	want    map[string]bool // results for values seen before
	check   func()          // called before a new value is matched; may be nil
}

// Whole makes a match of values that an expression describes from beginning to end, as the paper's filters do.
func Whole(key, expression string) (*Match, error) {
	return compile(key, `^(?s:`+expression+`)$`, expression)
}

// Part makes a match of values that have a part which the expression describes.
func Part(key, expression string) (*Match, error) { return compile(key, expression, expression) }

func compile(key, expression, shown string) (*Match, error) {
	// Compiled by itself first: errors are about what was written, and "a)|(b" must not become valid by what is put
	// around it.
	_, err := syntax.Parse(shown, syntax.Perl)
	var p *regexp.Regexp
	if err == nil {
		p, err = regexp.Compile(expression)
	}
	if err != nil {
		why := err.Error()
		if of := (*syntax.Error)(nil); errors.As(err, &of) {
			if why = of.Code.String(); of.Expr != shown && strings.Contains(shown, of.Expr) {
				why += ": " + of.Expr
			}
		}
		return nil, fmt.Errorf("%q is no regular expression: %s", shown, why)
	}
	return &Match{key: key, pattern: p, want: map[string]bool{}}, nil
}

// value matches a text; values recur, so each is matched once.
func (m *Match) value(text string) bool {
	yes, ok := m.want[text]
	if !ok {
		if m.check != nil {
			m.check()
		}
		yes = m.pattern.MatchString(text)
		if len(m.want) < 1<<16 {
			m.want[text] = yes
		}
	}
	return yes
}

// Node reports whether a node is selected.
func (m *Match) Node(n *depgraph.Node) bool { return m.value(text(n, m.key)) }

// Edge reports whether an edge is selected. Beside its properties an edge has "from" and "to", the names of its nodes,
// and "slot", the number of the input it enters.
func (m *Match) Edge(g *depgraph.Graph, e *depgraph.Edge) bool {
	if v, ok := e.Properties.Lookup(m.key); ok {
		return m.value(v)
	}
	switch m.key {
	case "from":
		return m.value(g.Nodes[e.From].Name())
	case "to":
		return m.value(g.Nodes[e.To].Name())
	case "slot":
		return m.value(fmt.Sprint(e.ToSlot))
	}
	return m.value("")
}

// Nodes marks the selected nodes and counts them.
func (m *Match) Nodes(g *depgraph.Graph) ([]bool, int) {
	mark, n := make([]bool, len(g.Nodes)), 0
	for v := range g.Nodes {
		if m.Node(&g.Nodes[v]) {
			mark[v] = true
			n++
		}
	}
	return mark, n
}

// text is the value of a node's property.
func text(n *depgraph.Node, key string) string {
	if v, ok := n.Properties.Lookup(key); ok {
		return v
	}
	switch key {
	case "id":
		return n.ID
	case irgraph.KeyName:
		return n.Name()
	}
	return ""
}
