package igv

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"orrery/traceio/irgraph"
)

// Write writes a document as IGV's XML, each group difference-encoded where it has more than one snapshot and whole is
// false. Read gives the same groups, snapshots, nodes, edges and blocks again; nodes and edges of a snapshot may come
// in another order. Characters that XML cannot have become U+FFFD. What IGV's own reader does not know, it passes over:
// the source text of methods, properties of edges other than type and label. What Read guessed is not written.
func Write(w io.Writer, doc *irgraph.Document, whole bool) error {
	x := &writer{Writer: bufio.NewWriter(w), whole: whole}
	x.line(`<?xml version="1.0" encoding="UTF-8"?>`)
	x.line("<graphDocument>")
	x.properties(doc.Properties)
	for _, g := range doc.Groups {
		x.group(g)
	}
	x.line("</graphDocument>")
	return x.Flush()
}

type writer struct {
	*bufio.Writer // keeps the first error
	whole         bool
}

func (x *writer) line(format string, args ...any) {
	fmt.Fprintf(x, format, args...)
	x.WriteByte('\n')
}

// quoted is a text as the value of an attribute, in quotes.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	xml.EscapeText(&b, []byte(s))
	b.WriteByte('"')
	return b.String()
}

func (x *writer) text(s string) { xml.EscapeText(x, []byte(s)) }

func (x *writer) properties(p irgraph.Properties) {
	if len(p) == 0 {
		return
	}
	x.line("<properties>")
	for _, q := range p {
		space := ""
		if q.Value != strings.TrimSpace(q.Value) {
			space = ` xml:space="preserve"`
		}
		fmt.Fprintf(x, "<p name=%s%s>", quoted(q.Key), space)
		x.text(q.Value)
		x.line("</p>")
	}
	x.line("</properties>")
}

func (x *writer) group(g *irgraph.Group) {
	difference := 0
	if !x.whole && len(g.Snapshots) > 1 {
		difference = 1
	}
	x.line(`<group name=%s difference="%d">`, quoted(g.Name), difference)
	x.properties(g.Properties)
	if len(g.Listing) > 0 {
		x.WriteString("<assembly>")
		for i := range g.Listing {
			x.text(listingLine(&g.Listing[i]) + "\n")
		}
		x.line("</assembly>")
	}
	if g.Method != nil {
		x.method(g.Method)
	}
	empty := &irgraph.Snapshot{}
	for i, s := range g.Snapshots {
		before := empty
		if difference == 1 && i > 0 {
			before = g.Snapshots[i-1]
		}
		x.graph(before, s)
	}
	for _, inner := range g.Groups {
		x.group(inner)
	}
	x.line("</group>")
}

func (x *writer) method(m *irgraph.Method) {
	p := slices.Clone(m.Properties)
	short := m.Name
	if i := slices.IndexFunc(p, func(q irgraph.Property) bool { return q.Key == "shortName" }); i >= 0 {
		short = p[i].Value
		p = slices.Delete(p, i, i+1)
	}
	x.line(`<method name=%s shortName=%s bci="%d">`, quoted(m.Name), quoted(short), m.At)
	x.properties(p)
	if len(m.Bytecodes) > 0 {
		x.WriteString("<bytecodes>\n")
		for _, b := range m.Bytecodes {
			x.text(fmt.Sprintf("%d: %s\n", b.Index, strings.ReplaceAll(b.Text, "\n", " ")))
		}
		x.line("</bytecodes>")
	}
	if m.Source != nil {
		fmt.Fprintf(x, `<source file=%s first="%d">`, quoted(m.Source.File), m.Source.First)
		x.text(m.Source.Text)
		x.line("</source>")
	}
	if len(m.Inlined) > 0 {
		x.line("<inlined>")
		for _, i := range m.Inlined {
			x.method(i)
		}
		x.line("</inlined>")
	}
	x.line("</method>")
}

// graph writes what tells a snapshot from the one before.
func (x *writer) graph(before, s *irgraph.Snapshot) {
	x.line("<graph name=%s>", quoted(s.Name))
	x.properties(s.Properties)
	x.nodes(before, s)
	x.edges(before, s)
	if len(s.Blocks) > 0 {
		x.blocks(s)
	}
	x.line("</graph>")
}

func (x *writer) nodes(before, s *irgraph.Snapshot) {
	old := make(map[string]*irgraph.Node, len(before.Nodes))
	for i := range before.Nodes {
		old[before.Nodes[i].ID] = &before.Nodes[i]
	}
	x.line("<nodes>")
	kept := make(map[string]bool, len(s.Nodes))
	for i := range s.Nodes {
		kept[s.Nodes[i].ID] = true
	}
	for i := range before.Nodes {
		if id := before.Nodes[i].ID; !kept[id] {
			x.line("<removeNode id=%s/>", quoted(id))
		}
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if m := old[n.ID]; m != nil && m.Guessed == n.Guessed && slices.Equal(m.Properties, n.Properties) {
			continue
		}
		x.line("<node id=%s>", quoted(n.ID))
		x.properties(n.FileProperties())
		x.line("</node>")
	}
	x.line("</nodes>")
}

func (x *writer) edges(before, s *irgraph.Snapshot) {
	x.line("<edges>")
	old := map[string]int{}
	var gone, added []string
	for i := range before.Edges {
		old[edgeText(before, &before.Edges[i])]++
	}
	for i := range s.Edges {
		text := edgeText(s, &s.Edges[i])
		if old[text] > 0 {
			old[text]--
		} else {
			added = append(added, text)
		}
	}
	for i := range before.Edges {
		e := &before.Edges[i]
		text := edgeText(before, e)
		if old[text] > 0 {
			old[text]--
			gone = append(gone, fmt.Sprintf("<removeEdge %s/>", edgeKey(before, e)))
		}
	}
	for _, text := range append(gone, added...) {
		x.line("%s", text)
	}
	x.line("</edges>")
}

// edgeKey is the attributes that tell edges apart.
func edgeKey(s *irgraph.Snapshot, e *irgraph.Edge) string {
	key := fmt.Sprintf(`from=%s to=%s fromIndex="%d" toIndex="%d"`, quoted(s.Nodes[e.From].ID), quoted(s.Nodes[e.To].ID),
		e.FromSlot, e.ToSlot)
	if kind := e.Properties.Get(irgraph.KeyType); kind != "" {
		key += " type=" + quoted(kind)
	}
	return key
}

// edgeText is an edge's element.
func edgeText(s *irgraph.Snapshot, e *irgraph.Edge) string {
	var b strings.Builder
	b.WriteString("<edge " + edgeKey(s, e))
	var rest irgraph.Properties
	for _, p := range e.Properties {
		switch {
		case p.Key == irgraph.KeyType && p.Value != "":
		case p.Key == irgraph.KeyLabel:
			b.WriteString(" label=" + quoted(p.Value))
		default:
			rest = append(rest, p)
		}
	}
	if len(rest) == 0 {
		b.WriteString("/>")
		return b.String()
	}
	b.WriteString(">")
	inner := &writer{Writer: bufio.NewWriter(&b)}
	inner.properties(rest)
	inner.Flush()
	b.WriteString("</edge>")
	return b.String()
}

func (x *writer) blocks(s *irgraph.Snapshot) {
	x.line("<controlFlow>")
	for i := range s.Blocks {
		b := &s.Blocks[i]
		x.line("<block name=%s>", quoted(b.Name))
		x.line("<successors>")
		for _, to := range b.Successors {
			x.line("<successor name=%s/>", quoted(s.Blocks[to].Name))
		}
		x.line("</successors>")
		x.line("<nodes>")
		for _, n := range b.Nodes {
			x.line("<node id=%s/>", quoted(s.Nodes[n].ID))
		}
		x.line("</nodes>")
		x.line("</block>")
	}
	x.line("</controlFlow>")
}
