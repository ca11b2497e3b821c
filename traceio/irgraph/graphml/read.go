// Package graphml reads graphs in GraphML. Data of nodes and edges are properties under the names that their keys
// declare; nested graphs are blocks.
package graphml

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// Sniff reports whether a file begins like GraphML.
func Sniff(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return bytes.HasPrefix(head, []byte("<")) && bytes.Contains(head, []byte("<graphml"))
}

const (
	maxDepth = 256     // of elements; nested graphs take two each
	maxToken = 4 << 20 // bytes of one text or tag
)

// Read reads a document: each outermost graph is a group. A damaged one is read up to the damage; the error is an
// *traceio.Error, for a file without any graph.
func Read(r io.Reader, name string) (*irgraph.Document, error) {
	in := &bounded{r: r}
	x := &reader{in: in, dec: xml.NewDecoder(in), doc: &irgraph.Document{Path: name, Format: "graphml"},
		budget: irgraph.NewBudget(irgraph.MaxElements),
		pool:   irgraph.Pool{}, keys: map[string]key{}}
	x.dec.CharsetReader = func(label string, _ io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("its encoding %q is not known; UTF-8 is", label)
	}
	err := x.document()
	if len(x.doc.Groups) == 0 {
		msg, hint := "no graph is in the document", "write one with a graph element in graphml"
		if err != nil {
			msg, hint = irgraph.XMLMessage(err), "was it cut? write it again"
		}
		return nil, &traceio.Error{File: name, Line: x.at().Line, Msg: msg, Hint: hint, Err: err}
	}
	if err != nil && err != x.budget.Err() {
		x.doc.Truncated(x.at(), "%s%s", x.where(), irgraph.XMLMessage(err))
	}
	return x.doc, nil
}

// bounded ends a tag or text that grows without end: the decoder holds each whole.
type bounded struct {
	r    io.Reader
	read int // since the last token
}

// Read reads on.
func (b *bounded) Read(p []byte) (int, error) {
	if b.read > maxToken {
		return 0, fmt.Errorf("a tag or text is longer than %d MiB", maxToken>>20)
	}
	n, err := b.r.Read(p)
	b.read += n
	return n, err
}

type reader struct {
	in     *bounded
	dec    *xml.Decoder
	doc    *irgraph.Document
	budget *irgraph.Budget
	pool   irgraph.Pool
	keys   map[string]key
	order  []string // of keys with defaults
	open   []string
}

// key is what data under an id mean.
type key struct {
	name, domain string
	initial      string
	hasInitial   bool
}

func (x *reader) at() irgraph.Position {
	line, _ := x.dec.InputPos()
	return irgraph.Position{Line: line}
}

func (x *reader) where() string {
	if len(x.open) == 0 {
		return ""
	}
	return "in element " + strings.Join(x.open[max(0, len(x.open)-3):], " > ") + ": "
}

func (x *reader) token() (xml.Token, error) {
	x.in.read = 0
	return x.dec.Token()
}

// children gives each element inside of e to f, which must read it to its end.
func (x *reader) children(e xml.StartElement, f func(xml.StartElement) error) error {
	if len(x.open) >= maxDepth {
		return fmt.Errorf("more than %d elements are nested", maxDepth)
	}
	label := e.Name.Local
	if id := attribute(e, "id"); id != "" {
		label = fmt.Sprintf("%s %.40q", label, id)
	}
	x.open = append(x.open, label)
	for {
		t, err := x.token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if err := f(t); err != nil {
				return err
			}
		case xml.EndElement:
			x.open = x.open[:len(x.open)-1]
			return nil
		}
	}
}

func (x *reader) skip(e xml.StartElement) error { return x.children(e, x.skip) }

// text reads the text of an element, that of elements inside of it included: tools put whole pictures there.
func (x *reader) text(e xml.StartElement) (string, error) {
	var b strings.Builder
	depth := 1
	for depth > 0 {
		t, err := x.token()
		if err != nil {
			return b.String(), err
		}
		switch t := t.(type) {
		case xml.CharData:
			if b.Len()+len(t) > maxToken {
				return "", fmt.Errorf("the text of an element %s is longer than %d MiB", e.Name.Local, maxToken>>20)
			}
			b.Write(t)
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return strings.TrimSpace(b.String()), nil
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (x *reader) document() error {
	whole := false
	for {
		t, err := x.token()
		if err == io.EOF && whole {
			return nil
		}
		if err != nil {
			return err
		}
		e, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		if e.Name.Local != "graphml" {
			return fmt.Errorf("the outermost element is %.40q and not graphml", e.Name.Local)
		}
		if err := x.children(e, x.outer); err != nil {
			return err
		}
		whole = true
	}
}

func (x *reader) outer(e xml.StartElement) error {
	switch e.Name.Local {
	case "key":
		return x.key(e)
	case "graph":
		return x.outermost(e)
	}
	return x.skip(e)
}

func (x *reader) key(e xml.StartElement) error {
	k := key{name: attribute(e, "attr.name"), domain: attribute(e, "for")}
	id := attribute(e, "id")
	if k.name == "" {
		k.name = id
	}
	if strings.EqualFold(k.name, "label") {
		k.name = irgraph.KeyLabel
	}
	err := x.children(e, func(e xml.StartElement) (err error) {
		if e.Name.Local != "default" {
			return x.skip(e)
		}
		k.hasInitial = true
		k.initial, err = x.text(e)
		return err
	})
	if _, twice := x.keys[id]; !twice && k.hasInitial && len(x.order) < maxDefaults {
		x.order = append(x.order, id)
	}
	x.keys[id] = k
	return err
}

// graph is an outermost graph being read.
type graph struct {
	draft    *irgraph.Draft
	directed bool
	block    int // that nodes go into; -1 for none
}

func (x *reader) outermost(e xml.StartElement) error {
	if err := x.budget.Err(); err != nil {
		return err
	}
	name := attribute(e, "id")
	if name == "" {
		name = "graph"
	}
	g := &graph{draft: irgraph.NewDraft(x.doc, x.budget, x.pool.Text(name)), directed: attribute(e, "edgedefault") !=
		"undirected", block: -1}
	err := x.content(g, e)
	s := g.draft.Snapshot()
	x.doc.Groups = append(x.doc.Groups, &irgraph.Group{Name: s.Name, Properties: s.Properties,
		Snapshots: []*irgraph.Snapshot{s}})
	return err
}

// content reads what is in a graph.
func (x *reader) content(g *graph, e xml.StartElement) error {
	return x.children(e, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "node":
			return x.node(g, e)
		case "edge":
			return x.edge(g, e)
		case "data":
			p, err := x.data(e, g.draft.Properties)
			g.draft.Properties = p
			return err
		case "hyperedge":
			x.doc.Problem(x.at(), "it is left out", "a hyperedge of graph %.60q joins more than two nodes", g.draft.Name)
		}
		return x.skip(e)
	})
}

func (x *reader) node(g *graph, e xml.StartElement) error {
	at, id := x.at(), x.pool.Text(attribute(e, "id"))
	if id == "" {
		x.doc.Problem(at, "it is left out", "a node of graph %.60q has no id", g.draft.Name)
		return x.skip(e)
	}
	first := g.draft.AddNode(id, nil, at)
	if first && g.block >= 0 {
		g.draft.AddToBlock(g.block, id, at)
	}
	var p irgraph.Properties
	err := x.children(e, func(e xml.StartElement) (err error) {
		switch e.Name.Local {
		case "data":
			p, err = x.data(e, p)
			return err
		case "graph":
			inner := *g
			inner.block = g.draft.AddBlock(id)
			return x.content(&inner, e)
		}
		return x.skip(e)
	})
	if !first {
		return err
	}
	p = x.initial(p, "node")
	if _, ok := p.Lookup(irgraph.KeyName); !ok {
		name, _, _ := strings.Cut(p.Get(irgraph.KeyLabel), "\n")
		if name == "" {
			name = id
		}
		p = append(p, irgraph.Property{Key: irgraph.KeyName, Value: x.pool.Text(name)})
	}
	if g.draft.Hold(p.Size(), at); x.budget.Exhausted() {
		return x.budget.Err()
	}
	g.draft.SetProperties(id, p)
	return err
}

func (x *reader) edge(g *graph, e xml.StartElement) error {
	at := x.at()
	var p irgraph.Properties
	err := x.children(e, func(e xml.StartElement) (err error) {
		if e.Name.Local != "data" {
			return x.skip(e)
		}
		p, err = x.data(e, p)
		return err
	})
	p = x.initial(p, "edge")
	for _, name := range []string{"sourceport", "targetport"} {
		if v := attribute(e, name); v != "" {
			p = p.With(name, x.pool.Text(v))
		}
	}
	directed := g.directed
	if v, err := strconv.ParseBool(attribute(e, "directed")); err == nil {
		directed = v
	}
	if !directed {
		p = p.With("dir", "none")
	}
	for _, end := range []string{"source", "target"} {
		if attribute(e, end) == "" {
			x.doc.Problem(at, "it is left out", "an edge of graph %.60q has no attribute %s", g.draft.Name, end)
			return err
		}
	}
	if g.draft.AddEdge(x.pool.Text(attribute(e, "source")), x.pool.Text(attribute(e, "target")), 0, 0, p,
		at); x.budget.Exhausted() {
		return x.budget.Err()
	}
	return err
}

// data reads one <data>.
func (x *reader) data(e xml.StartElement, p irgraph.Properties) (irgraph.Properties, error) {
	id := attribute(e, "key")
	value, err := x.text(e)
	k, ok := x.keys[id]
	if !ok {
		k.name = id
		if len(x.keys) < irgraph.MaxProblems {
			x.doc.Problem(x.at(), "its id is taken for its name", "key %.40q is not declared", id)
			x.keys[id] = k
		}
	}
	if len(p) >= maxData {
		return p, err
	}
	return p.With(x.pool.Text(k.name), x.pool.Text(value)), err
}

// maxData bounds the data of one thing, and maxDefaults those that all have which do not say otherwise.
const (
	maxData     = 1000
	maxDefaults = 100
)

// initial adds the defaults of keys that a thing does not have.
func (x *reader) initial(p irgraph.Properties, domain string) irgraph.Properties {
	for _, id := range x.order {
		k := x.keys[id]
		if k.domain != domain && k.domain != "all" {
			continue
		}
		if _, ok := p.Lookup(k.name); !ok && len(p) < maxData {
			p = p.With(k.name, x.pool.Text(k.initial))
		}
	}
	return p
}
