package dot

import (
	"errors"
	"strings"

	"orrery/traceio/irgraph"
)

// operand is one side of an edge: a node with its port, or all nodes of a subgraph.
type operand struct {
	ends   []port
	single bool
}

type port struct{ node, at string }

func (p *parser) operand(s *scope) (o operand, err error) {
	if p.is("{") || p.keyword("subgraph") {
		inner, err := p.subgraph(s)
		for _, id := range inner {
			o.ends = append(o.ends, port{node: id})
		}
		return o, err
	}
	if p.t.kind != word {
		return o, p.unexpected("a node")
	}
	x := port{node: p.pool.Text(p.t.text)}
	if x.node == "" {
		x.node = `""` // a name like any other in this language; IDs are never empty
	}
	if err := p.step(); err != nil {
		return o, err
	}
	for p.is(":") {
		if err := p.step(); err != nil {
			return o, err
		}
		if p.t.kind != word {
			return o, p.unexpected("a port")
		}
		if strings.Contains(x.at, ":") {
			return o, errors.New("a port has more than a name and a side")
		}
		if x.at != "" {
			x.at += ":"
		}
		x.at = p.pool.Text(x.at + p.t.text)
		if err := p.step(); err != nil {
			return o, err
		}
	}
	return operand{ends: []port{x}, single: true}, nil
}

// subgraph reads a subgraph and gives its nodes.
func (p *parser) subgraph(s *scope) ([]string, error) {
	name := ""
	if p.keyword("subgraph") {
		if err := p.step(); err != nil {
			return nil, err
		}
		if p.t.kind == word {
			name = p.t.text
			if err := p.step(); err != nil {
				return nil, err
			}
		}
	}
	inner := &scope{graph: s.graph, node: s.node, edge: s.edge, block: s.block, cluster: name, known: map[string]bool{}}
	if strings.HasPrefix(name, "cluster") {
		inner.graph = nil
		inner.block = p.draft.AddBlock(p.pool.Text(name))
		outer := p.function
		p.enter(name)
		defer func() { p.function = outer }()
	}
	err := p.body(inner)
	p.work += len(inner.members)
	for _, id := range inner.members {
		p.member(s, id)
	}
	p.draft.Drop(memberSize * len(inner.members))
	return inner.members, err
}

// chain reads the rest of "a -> b -> {c d} [label=x]".
func (p *parser) chain(s *scope, left operand) error {
	operands := []operand{left}
	held := 0
	defer func() { p.draft.Drop(held) }()
	line := p.at()
	var broken error // what stands in front of it is kept
	for broken == nil && (p.is("->") || p.is("--")) {
		p.arrow()
		if broken = p.step(); broken != nil {
			break
		}
		var o operand
		if o, broken = p.operand(s); broken == nil {
			operands = append(operands, o)
			held += operandSize * (1 + len(o.ends))
			p.draft.Hold(operandSize*(1+len(o.ends)), p.at())
		}
	}
	own := s.edge
	var list irgraph.Properties
	if broken == nil {
		broken = p.attributes(&list)
	}
	for _, q := range list {
		if len(own) < maxAttributes {
			own = own.With(q.Key, q.Value)
		}
	}
	for _, o := range operands {
		if o.single {
			p.node(s, o.ends[0].node)
		}
	}
	for i := range operands[1:] {
		for _, from := range operands[i].ends {
			for _, to := range operands[i+1].ends {
				if p.work++; p.budget.Exhausted() || p.work > maxWork {
					return broken
				}
				p.edge(from, to, own, line)
			}
		}
	}
	return broken
}

// arrow notes an arrow of the other kind of graph, which stands for the right one.
func (p *parser) arrow() {
	graph, right := "graph", "--"
	if p.directed {
		graph, right = "digraph", "->"
	}
	if !p.is(right) {
		p.doc.Problem(p.at(), "it is taken for that", "%q stands in a %s, where edges are written %q", p.t.text, graph, right)
	}
}

func (p *parser) edge(from, to port, own irgraph.Properties, at irgraph.Position) {
	if p.strict {
		k := [2]string{from.node, to.node}
		if !p.directed && k[1] < k[0] {
			k[0], k[1] = k[1], k[0]
		}
		if p.edges[k] {
			return
		}
		p.edges[k] = true
	}
	if from.at != "" {
		own = own.With("tailport", from.at)
	}
	if to.at != "" {
		own = own.With("headport", to.at)
	}
	if !p.directed {
		own = own.With("dir", "none")
	}
	p.draft.AddEdge(from.node, to.node, 0, 0, own, at)
	if p.function != nil {
		p.function.edges = append(p.function.edges, [2]string{from.node, to.node})
	}
}
