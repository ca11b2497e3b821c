// Package igv reads and writes the XML of the Ideal Graph Visualizer, which HotSpot's server compiler dumps with
// -XX:PrintIdealGraphLevel, and listens to compilers that send it over the network. In a group marked difference="1"
// each graph has only what is not as in the one before; blocks are always whole.
package igv

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

// maxDepth bounds how deep elements nest; a group in a group in a group with a method inlined twenty times deep is at
// fifty.
const maxDepth = 512

// Sniff reports whether a file begins like IGV's XML.
func Sniff(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if !bytes.HasPrefix(head, []byte("<")) {
		return false
	}
	i := bytes.Index(head, []byte("<graphDocument"))
	return i >= 0 && !bytes.Contains(head[:i], []byte("<graphml"))
}

// Read reads a document. A damaged one is read up to the damage, which is the last of its problems; the error is an
// *traceio.Error, for a stream without any group and for one whose damage left no graph.
func Read(r io.Reader, name string) (*irgraph.Document, error) {
	x := newReader(r, name)
	err := x.document()
	if len(x.doc.Groups) == 0 {
		if err == nil {
			return nil, &traceio.Error{File: name, Line: x.at().Line, Msg: "no method is in the document", Hint: "let the " +
				"compiler tell of them with -XX:PrintIdealGraphLevel=2, and name them with -XX:CompileCommand=IGVPrintLevel"}
		}
		return nil, &traceio.Error{File: name, Line: x.at().Line, Msg: irgraph.XMLMessage(err),
			Hint: "was it cut? dump again with -XX:PrintIdealGraphFile"}
	}
	if err != nil && x.doc.Empty() {
		return nil, x.doc.NoGraphs(x.at(), "was it cut or damaged? dump again with -XX:PrintIdealGraphFile", err,
			"%s", x.broken(err))
	}
	x.close(err)
	return x.doc, nil
}

// close notes what ended the document.
func (r *reader) close(err error) {
	if err != nil {
		r.doc.Truncated(r.at(), "%s", r.broken(err))
	}
}

// reader parses a document from outside to inside. What is read is kept in the document at once, so that an error
// loses nothing in front of it.
type reader struct {
	guard   *guard
	dec     *xml.Decoder
	doc     *irgraph.Document
	budget  *irgraph.Budget
	pool    irgraph.Pool
	open    []string // elements around
	line    int      // of the last tag
	odd     map[string]bool
	account irgraph.Account
}

func newReader(in io.Reader, name string) *reader {
	g := newGuard(in)
	r := &reader{guard: g, dec: xml.NewDecoder(g), doc: &irgraph.Document{Path: name, Format: "igv"},
		budget: irgraph.NewBudget(irgraph.MaxElements), pool: irgraph.Pool{}, odd: map[string]bool{}}
	r.dec.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		switch strings.ToLower(label) {
		case "iso-8859-1", "latin1", "us-ascii", "ascii", "windows-1252":
			g.latin1 = true
			return in, nil
		}
		return nil, fmt.Errorf("its encoding %q is not known", label)
	}
	return r
}

func (r *reader) at() irgraph.Position { return irgraph.Position{Line: max(r.line, 1)} }

// broken says what ended the document and where in it.
func (r *reader) broken(err error) string {
	if len(r.open) == 0 {
		return irgraph.XMLMessage(err)
	}
	return fmt.Sprintf("in element %s: %s", strings.Join(r.open[max(0, len(r.open)-3):], " > "), irgraph.XMLMessage(err))
}

// next gives the next tag or text; other tokens are passed over.
func (r *reader) next() (xml.Token, error) {
	if err := r.account.Hold(0, 0); err != nil {
		return nil, err
	}
	for {
		r.guard.token()
		t, err := r.dec.Token()
		r.line, _ = r.dec.InputPos()
		if err != nil {
			return nil, err
		}
		switch t.(type) {
		case xml.StartElement, xml.EndElement, xml.CharData:
			return t, nil
		}
	}
}

// document reads all.
func (r *reader) document() error {
	for whole := false; ; whole = true {
		t, err := r.next()
		for err == nil && !isStart(t) {
			t, err = r.next()
		}
		if err == io.EOF && whole {
			return nil
		}
		if err != nil {
			return err
		}
		e := t.(xml.StartElement)
		if e.Name.Local != "graphDocument" {
			return fmt.Errorf("the outermost element is %.40q and not graphDocument", e.Name.Local)
		}
		err = r.children(e, func(e xml.StartElement) error {
			switch e.Name.Local {
			case "properties":
				p, err := r.properties(e, r.doc.Properties)
				r.doc.Properties = p
				return err
			case "group":
				return r.group(e, &r.doc.Groups)
			}
			return r.unknown(e)
		})
		if err != nil {
			return err
		}
	}
}

func isStart(t xml.Token) bool {
	_, ok := t.(xml.StartElement)
	return ok
}

// children gives each element inside e to f, which must read it to its end.
func (r *reader) children(e xml.StartElement, f func(xml.StartElement) error) error {
	if len(r.open) >= maxDepth {
		return fmt.Errorf("more than %d elements are nested", maxDepth)
	}
	r.open = append(r.open, label(e))
	for {
		t, err := r.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if err := f(t); err != nil {
				return err
			}
		case xml.EndElement:
			r.open = r.open[:len(r.open)-1]
			return nil
		}
	}
}

// label names an element for people.
func label(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Local == "name" || a.Name.Local == "id" {
			return fmt.Sprintf("%s %.40q", e.Name.Local, a.Value)
		}
	}
	return e.Name.Local
}

// skip reads an element to its end.
func (r *reader) skip(e xml.StartElement) error {
	return r.children(e, r.skip)
}

// unknown skips an element, and notes a problem once for each name.
func (r *reader) unknown(e xml.StartElement) error {
	if !r.odd[e.Name.Local] && len(r.odd) < irgraph.MaxProblems {
		r.odd[e.Name.Local] = true
		where := "the document"
		if len(r.open) > 0 {
			where = r.open[len(r.open)-1]
		}
		r.doc.Problem(r.at(), "it is passed over", "element %.40q is not known in %s", e.Name.Local, where)
	}
	return r.skip(e)
}

// text reads the text of an element.
func (r *reader) text(e xml.StartElement) (string, error) {
	if len(r.open) >= maxDepth {
		return "", fmt.Errorf("more than %d elements are nested", maxDepth)
	}
	r.open = append(r.open, label(e))
	var b []byte
	for {
		t, err := r.next()
		if err != nil {
			return string(b), err
		}
		switch t := t.(type) {
		case xml.CharData:
			if len(b)+len(t) > maxToken {
				return string(b), errToken
			}
			b = append(b, t...)
		case xml.StartElement:
			if err := r.unknown(t); err != nil {
				return string(b), err
			}
		case xml.EndElement:
			r.open = r.open[:len(r.open)-1]
			return string(b), nil
		}
	}
}

// attribute is the value of an attribute, "" when there is none.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// properties reads <properties>; those of a key that is there already replace its value.
func (r *reader) properties(e xml.StartElement, p irgraph.Properties) (irgraph.Properties, error) {
	err := r.children(e, func(e xml.StartElement) error {
		if e.Name.Local != "p" {
			return r.unknown(e)
		}
		value, err := r.text(e)
		if attribute(e, "space") != "preserve" {
			value = strings.TrimSpace(value)
		}
		key, value := r.pooled(attribute(e, "name")), r.pooled(value)
		for i := range p {
			if p[i].Key == key {
				p[i].Value = value
				return err
			}
		}
		if len(p) < maxProperties {
			r.account.Add(irgraph.CostProperty)
			p = append(p, irgraph.Property{Key: key, Value: value})
		} else if len(p) == maxProperties {
			r.doc.Problem(r.at(), "the others are left out", "%s has more than %d properties",
				r.open[max(0, len(r.open)-2)], maxProperties)
			p = append(p, irgraph.Property{Key: "…"})
		}
		return err
	})
	return p, err
}

// maxProperties is how many properties one thing has at most; compilers write some thirty.
const maxProperties = 1000

// group reads one <group> into a list.
func (r *reader) group(e xml.StartElement, into *[]*irgraph.Group) error {
	g := &irgraph.Group{Name: attribute(e, "name")}
	difference := attribute(e, "difference")
	r.account.Add(irgraph.CostGroup + len(g.Name))
	*into = append(*into, g)
	outer := into == &r.doc.Groups
	if outer && r.account.To != nil {
		r.account.To.Began(g)
	}
	err := r.children(e, func(e xml.StartElement) (err error) {
		switch e.Name.Local {
		case "properties":
			g.Properties, err = r.properties(e, g.Properties)
			if name := g.Properties.Get(irgraph.KeyName); name != "" {
				g.Name = name
			}
		case "assembly":
			var text string
			text, err = r.lines(e, irgraph.CostInstruction)
			g.Listing = readListing(text)
		case "method":
			g.Method, err = r.method(e)
		case "graph":
			err = r.graph(e, g, difference == "1" || difference == "true")
		case "group":
			err = r.group(e, &g.Groups)
		default:
			err = r.unknown(e)
		}
		return err
	})
	if outer && r.account.To != nil {
		return r.handOut(g, err)
	}
	return err
}

// graph reads one <graph>.
func (r *reader) graph(e xml.StartElement, g *irgraph.Group, difference bool) error {
	d := irgraph.NewDraft(r.doc, r.budget, r.pooled(attribute(e, "name")))
	r.account.Add(irgraph.CostSnapshot)
	if n := len(g.Snapshots); difference && n > 0 {
		before := g.Snapshots[n-1]
		if err := r.account.Hold(len(before.Nodes)*irgraph.CostNode+len(before.Edges)*irgraph.CostEdge, 0); err != nil {
			return err
		}
		d.CopyFrom(before)
	}
	var late []edge // <removeEdge> may name what this graph's own edges replace, so both are taken in order
	err := r.children(e, func(e xml.StartElement) (err error) {
		switch e.Name.Local {
		case "properties":
			d.Properties, err = r.properties(e, d.Properties)
			if name := d.Properties.Get(irgraph.KeyName); name != "" && d.Name == "" {
				d.Name = name
			}
		case "nodes":
			err = r.children(e, func(e xml.StartElement) error { return r.node(d, e) })
		case "edges":
			err = r.children(e, func(e xml.StartElement) error {
				x, err := r.edge(e)
				if x.from != "" && x.to != "" {
					late = append(late, x)
				} else if x.at.Line > 0 {
					end := "from"
					if x.from != "" {
						end = "to"
					}
					r.doc.Problem(x.at, "it is left out", "an element %s of graph %.60q has no attribute %s",
						e.Name.Local, d.Name, end)
				}
				return err
			})
		case "controlFlow":
			err = r.children(e, func(e xml.StartElement) error { return r.block(d, e) })
		default:
			err = r.unknown(e)
		}
		return err
	})
	for _, x := range late {
		x.put(d)
	}
	if !r.budget.Exhausted() || len(g.Snapshots) == 0 {
		g.Snapshots = append(g.Snapshots, d.Snapshot())
	}
	return err
}

// node reads a <node> or <removeNode>.
func (r *reader) node(d *irgraph.Draft, e xml.StartElement) error {
	at, id := r.at(), r.pooled(attribute(e, "id"))
	if id == "" && (e.Name.Local == "node" || e.Name.Local == "removeNode") {
		r.doc.Problem(at, "it is left out", "a %s of graph %.60q has no id", e.Name.Local, d.Name)
		return r.skip(e)
	}
	switch e.Name.Local {
	case "removeNode":
		d.RemoveNode(id, at)
		return r.skip(e)
	case "node":
	default:
		return r.unknown(e)
	}
	r.account.Add(irgraph.CostNode)
	var p irgraph.Properties
	err := r.children(e, func(e xml.StartElement) (err error) {
		if e.Name.Local != "properties" {
			return r.unknown(e)
		}
		p, err = r.properties(e, p)
		return err
	})
	p, guessed := describe(p)
	if d.AddNode(id, p, at) {
		d.SetGuessed(id, guessed)
	}
	return err
}

// edge is an <edge> or <removeEdge>.
type edge struct {
	remove           bool
	from, to         string
	fromSlot, toSlot int32
	properties       irgraph.Properties
	at               irgraph.Position
}

func (x *edge) put(d *irgraph.Draft) {
	if x.remove {
		d.RemoveEdge(x.from, x.to, x.fromSlot, x.toSlot, x.properties.Get(irgraph.KeyType), x.at)
	} else {
		d.AddEdge(x.from, x.to, x.fromSlot, x.toSlot, x.properties, x.at)
	}
}

func (r *reader) edge(e xml.StartElement) (x edge, err error) {
	if e.Name.Local != "edge" && e.Name.Local != "removeEdge" {
		return x, r.unknown(e)
	}
	r.account.Add(irgraph.CostEdge)
	x = edge{remove: e.Name.Local == "removeEdge", at: r.at()}
	for _, a := range e.Attr {
		var slot *int32
		switch a.Name.Local {
		case "from":
			x.from = r.pooled(a.Value)
		case "to":
			x.to = r.pooled(a.Value)
		case "fromIndex":
			slot = &x.fromSlot
		case "toIndex", "index":
			slot = &x.toSlot
		default:
			r.account.Add(irgraph.CostProperty)
			x.properties = append(x.properties, irgraph.Property{Key: r.pooled(a.Name.Local), Value: r.pooled(a.Value)})
		}
		if slot != nil {
			n, err := strconv.ParseUint(a.Value, 10, 31)
			if err != nil {
				r.doc.Problem(x.at, "0 is taken", "the %s %.20q of an edge from %.40q to %.40q is no number of a slot",
					a.Name.Local, a.Value, attribute(e, "from"), attribute(e, "to"))
			}
			*slot = int32(n)
		}
	}
	err = r.children(e, func(e xml.StartElement) (err error) {
		if e.Name.Local != "properties" {
			return r.unknown(e)
		}
		x.properties, err = r.properties(e, x.properties)
		return err
	})
	return x, err
}

// block reads a <block>.
func (r *reader) block(d *irgraph.Draft, e xml.StartElement) error {
	if e.Name.Local != "block" {
		return r.unknown(e)
	}
	r.account.Add(irgraph.CostBlock)
	n := d.AddBlock(r.pooled(attribute(e, "name")))
	return r.children(e, func(e xml.StartElement) error {
		inner := e.Name.Local
		if inner != "nodes" && inner != "successors" {
			return r.unknown(e)
		}
		return r.children(e, func(e xml.StartElement) error {
			r.account.Add(irgraph.CostMember)
			switch {
			case inner == "nodes" && e.Name.Local == "node":
				d.AddToBlock(n, r.pooled(attribute(e, "id")), r.at())
			case inner == "successors" && e.Name.Local == "successor":
				d.AddSuccessor(n, r.pooled(attribute(e, "name")), r.at())
			default:
				return r.unknown(e)
			}
			return r.skip(e)
		})
	})
}
