// Package dot reads directed and other graphs in Graphviz's language, and those that GCC dumps with
// -fdump-tree-all-graph: a file a pass with the basic blocks of every function. Clusters become blocks.
package dot

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// beginning is how a DOT file begins behind comments.
var beginning = regexp.MustCompile(
	`(?is)^(?:\s+|#[^\n]*\n|//[^\n]*\n|/\*.*?\*/)*(?:strict\s+)?(?:di)?graph(?:\s*"(?:[^"\\]|\\.)*"|\s*<[^{]*>|\s+[^\s"{;=:<]+)?\s*\{`)

// Sniff reports whether a file begins like DOT.
func Sniff(head []byte) bool {
	return beginning.Match(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
}

// Read reads all graphs of a file. A damaged one is read up to the damage; the error is an *traceio.Error, for a file
// without any graph.
func Read(r io.Reader, name string) (*irgraph.Document, error) {
	p := &parser{lex: newLexer(r), doc: &irgraph.Document{Path: name, Format: "dot"},
		budget: irgraph.NewBudget(irgraph.MaxElements), pool: irgraph.Pool{}}
	err := p.step()
	for err == nil && p.t.kind != end {
		err = p.graph()
	}
	if len(p.doc.Groups) == 0 {
		msg := "no graph is in the file"
		if err != nil {
			msg = err.Error()
		}
		return nil, &traceio.Error{File: name, Line: p.t.line, Msg: msg, Hint: "does `dot -Tsvg` draw it?", Err: err}
	}
	if err != nil && err != p.budget.Err() {
		p.doc.Truncated(p.at(), "%s%v", p.where(), err)
	}
	return p.doc, nil
}

type parser struct {
	lex    *lexer
	t      token // the next one
	doc    *irgraph.Document
	budget *irgraph.Budget
	pool   irgraph.Pool

	name     string // of the graph
	draft    *irgraph.Draft
	nodes    map[string]irgraph.Properties
	order    []string
	edges    map[[2]string]bool // in a strict graph
	strict   bool
	directed bool
	depth    int
	work     int            // steps that did not take a token
	blocks   map[string]int // of the node
	function *function      // of GCC's that is being read
	inside   []*function
}

func (p *parser) at() irgraph.Position { return irgraph.Position{Line: p.t.line} }

func (p *parser) where() string {
	if p.name == "" {
		return ""
	}
	return fmt.Sprintf("in graph %.60q: ", p.name)
}

// maxWork is how many ends of edges are looked at: a few bytes can ask for all edges between two groups again and
// again.
const maxWork = 1 << 28

// step goes to the next token.
func (p *parser) step() (err error) {
	if err := p.budget.Err(); err != nil {
		return err
	}
	if p.work > maxWork {
		return fmt.Errorf("edges between groups of nodes are written more than %d times", maxWork)
	}
	p.t, err = p.lex.next()
	return err
}

func (p *parser) is(symbolText string) bool { return p.t.kind == symbol && p.t.text == symbolText }

func (p *parser) keyword(k string) bool {
	return p.t.kind == word && !p.t.quoted && strings.EqualFold(p.t.text, k)
}

// expect takes one symbol.
func (p *parser) expect(s string) error {
	if !p.is(s) {
		return p.unexpected(fmt.Sprintf("%q", s))
	}
	return p.step()
}

func (p *parser) unexpected(wanted string) error {
	if p.t.kind == end {
		return fmt.Errorf("the file ends where %s should stand", wanted)
	}
	return fmt.Errorf("%.40q stands where %s should", p.t.text, wanted)
}

// graph reads one graph of the file.
func (p *parser) graph() error {
	p.nodes, p.edges, p.blocks, p.order = map[string]irgraph.Properties{}, map[[2]string]bool{}, map[string]int{}, nil
	p.name, p.depth, p.inside, p.function = "", 0, nil, nil
	p.strict = p.keyword("strict")
	if p.strict {
		if err := p.step(); err != nil {
			return err
		}
	}
	p.directed = p.keyword("digraph")
	if !p.directed && !p.keyword("graph") {
		return p.unexpected("digraph or graph")
	}
	if err := p.step(); err != nil {
		return err
	}
	if p.t.kind == word {
		p.name = p.pool.Text(p.t.text)
		if err := p.step(); err != nil {
			return err
		}
	}
	p.draft = irgraph.NewDraft(p.doc, p.budget, p.name)
	if !p.is("{") {
		return p.unexpected(`"{"`)
	}
	s := &scope{block: -1}
	err := p.body(s)
	if p.draft.Properties == nil {
		p.draft.Properties = s.graph
	}
	p.finish()
	return err
}

// scope is what holds inside of a pair of braces.
type scope struct {
	graph, node, edge irgraph.Properties
	block             int
	members           []string // nodes named in it, where they are needed
	known             map[string]bool
	cluster           string
}

// What is held while a statement is read.
const (
	memberSize  = 64
	operandSize = 64
)

// member notes a node that a subgraph names.
func (p *parser) member(s *scope, id string) {
	if s.known == nil || s.known[id] || !p.draft.Hold(memberSize, p.at()) {
		return
	}
	s.known[id] = true
	s.members = append(s.members, id)
}

// maxDepth bounds how deep subgraphs nest.
const maxDepth = 256

// body reads from a brace to the closing one.
func (p *parser) body(s *scope) error {
	if p.depth++; p.depth > maxDepth {
		return fmt.Errorf("more than %d subgraphs are nested", maxDepth)
	}
	if err := p.expect("{"); err != nil {
		return err
	}
	for !p.is("}") {
		if p.t.kind == end {
			return p.unexpected(`"}"`)
		}
		if p.is(";") || p.is(",") {
			if err := p.step(); err != nil {
				return err
			}
			continue
		}
		if err := p.statement(s); err != nil {
			return err
		}
	}
	p.depth--
	return p.step()
}

// statement reads one statement.
func (p *parser) statement(s *scope) error {
	for _, d := range []struct {
		keyword string
		into    *irgraph.Properties
	}{{"graph", &s.graph}, {"node", &s.node}, {"edge", &s.edge}} {
		if p.keyword(d.keyword) {
			if err := p.step(); err != nil {
				return err
			}
			return p.attributes(d.into)
		}
	}
	left, err := p.operand(s)
	if err != nil {
		return err
	}
	if p.is("=") && left.single {
		return p.assignment(s, left.ends[0].node)
	}
	if left.single && !p.is("->") && !p.is("--") {
		return p.nodeStatement(s, left.ends[0].node)
	}
	return p.chain(s, left)
}

// assignment reads the value of an attribute of the graph.
func (p *parser) assignment(s *scope, key string) error {
	if err := p.step(); err != nil {
		return err
	}
	if p.t.kind != word {
		return p.unexpected("a value")
	}
	return p.set(&s.graph, key, p.t.text)
}

func (p *parser) nodeStatement(s *scope, id string) error {
	var own irgraph.Properties
	err := p.attributes(&own)
	p.node(s, id)
	for _, q := range own {
		if len(p.nodes[id]) < maxAttributes {
			p.nodes[id] = p.nodes[id].With(q.Key, q.Value)
		}
	}
	return err
}

// node makes sure that there is a node, and that it is a member of the scope.
func (p *parser) node(s *scope, id string) {
	if _, ok := p.nodes[id]; !ok {
		if p.budget.Exhausted() {
			return
		}
		p.nodes[id] = s.node
		p.order = append(p.order, id)
		if !p.draft.AddNode(id, nil, p.at()) {
			return
		}
		if p.function != nil {
			p.function.nodes = append(p.function.nodes, id)
		}
	}
	p.member(s, id)
	if _, ok := p.blocks[id]; !ok && s.block >= 0 {
		p.blocks[id] = s.block
		p.draft.AddToBlock(s.block, id, p.at())
	}
}

// attributes reads "[a=b, c=d] [e=f]", if it is there.
func (p *parser) attributes(into *irgraph.Properties) error {
	for p.is("[") {
		if err := p.step(); err != nil {
			return err
		}
		for !p.is("]") {
			if p.is(",") || p.is(";") {
				if err := p.step(); err != nil {
					return err
				}
				continue
			}
			if p.t.kind != word {
				return p.unexpected("an attribute")
			}
			key, value := p.pool.Text(p.t.text), "true"
			if err := p.step(); err != nil {
				return err
			}
			if p.is("=") {
				if err := p.step(); err != nil {
					return err
				}
				if p.t.kind != word {
					return p.unexpected("a value")
				}
				value = p.pool.Text(p.t.text)
				if err := p.step(); err != nil {
					return err
				}
			}
			if err := p.put(into, key, value); err != nil {
				return err
			}
		}
		if err := p.step(); err != nil {
			return err
		}
	}
	return nil
}

// maxAttributes bounds the attributes of one thing; Graphviz knows some hundred and seventy.
const maxAttributes = 256

// put adds an attribute, and its texts to what is held.
func (p *parser) put(into *irgraph.Properties, key, value string) error {
	if len(*into) < maxAttributes {
		*into = into.With(key, value)
	}
	p.draft.Hold(irgraph.CostProperty+len(value), p.at())
	return p.budget.Err()
}

// set is put, and goes to the next token.
func (p *parser) set(into *irgraph.Properties, key, value string) error {
	if err := p.put(into, p.pool.Text(key), p.pool.Text(value)); err != nil {
		return err
	}
	return p.step()
}

// finish makes snapshots of what was read.
func (p *parser) finish() {
	if pass, ok := passOf(p.name); ok && len(p.inside) > 0 {
		p.doc.Format = "gcc"
		p.finishGCC(pass)
		return
	}
	for _, id := range p.order {
		p.draft.SetProperties(id, described(id, p.nodes[id]))
	}
	s := p.draft.Snapshot()
	name := p.name
	if name == "" {
		name = "graph"
		s.Name = name
	}
	p.doc.Groups = append(p.doc.Groups, &irgraph.Group{Name: name, Properties: s.Properties,
		Snapshots: []*irgraph.Snapshot{s}})
}

// breaks are the ends of lines in a label.
var breaks = strings.NewReplacer(`\n`, "\n", `\l`, "\n", `\r`, "\n")

// described adds a name: the first line of the label, without the marks of layout.
func described(id string, own irgraph.Properties) irgraph.Properties {
	if _, ok := own.Lookup(irgraph.KeyName); ok {
		return own
	}
	name, _, _ := strings.Cut(strings.ReplaceAll(breaks.Replace(own.Get(irgraph.KeyLabel)), `\N`, id), "\n")
	if name = strings.TrimSpace(name); name == "" {
		name = id
	}
	return own.With(irgraph.KeyName, name)
}
