// Package graphtest is what the tests beside the readers of compilers' graphs have in common: the promises of the
// model, a form in which documents compare, and a balance for what readers hold.
package graphtest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// Check fails the test unless a document satisfies the model's invariants: IDs are distinct, edges and blocks name
// existing nodes, a node and its block agree, no key occurs twice.
func Check(t testing.TB, d *irgraph.Document) {
	t.Helper()
	d.Walk(func(path []string, g *irgraph.Group) {
		for _, s := range g.Snapshots {
			if err := fault(s); err != nil {
				t.Fatalf("%s %s, graph %s: %v", strings.Join(path, "/"), g.Name, s.Name, err)
			}
		}
	})
}

func fault(s *irgraph.Snapshot) error {
	ids := map[string]bool{}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.ID == "" || ids[n.ID] {
			return fmt.Errorf("node %d has the ID %q, which is empty or another's", i, n.ID)
		}
		ids[n.ID] = true
		if int(n.Block) >= len(s.Blocks) || n.Block >= 0 && !slices.Contains(s.Blocks[n.Block].Nodes, int32(i)) {
			return fmt.Errorf("node %s is said to be in block %d, which does not have it", n.ID, n.Block)
		}
		keys := map[string]bool{}
		for _, p := range n.Properties {
			if keys[p.Key] {
				return fmt.Errorf("node %s has two properties %q", n.ID, p.Key)
			}
			keys[p.Key] = true
		}
	}
	for _, e := range s.Edges {
		if int(e.From) >= len(s.Nodes) || int(e.To) >= len(s.Nodes) || min(e.From, e.To, e.FromSlot, e.ToSlot) < 0 {
			return fmt.Errorf("edge %v of %d nodes", e, len(s.Nodes))
		}
	}
	for i, b := range s.Blocks {
		for _, n := range b.Nodes {
			if int(n) >= len(s.Nodes) || s.Nodes[n].Block != int32(i) {
				return fmt.Errorf("block %s has node %d, which is not in it", b.Name, n)
			}
		}
		for _, to := range b.Successors {
			if to < 0 || int(to) >= len(s.Blocks) {
				return fmt.Errorf("block %s leads to block %d of %d", b.Name, to, len(s.Blocks))
			}
		}
	}
	return nil
}

// Drain reads with a reader that got any bytes: it must give an *traceio.Error, or a document that keeps its promises.
func Drain(t testing.TB, doc *irgraph.Document, err error) {
	t.Helper()
	if err != nil {
		var e *traceio.Error
		if !errors.As(err, &e) {
			t.Fatalf("the error %v is no *traceio.Error", err)
		}
		return
	}
	Check(t, doc)
}

// Bad is a document with something wrong: what is said of it, and the Counts of what stays, "none" where nothing does.
type Bad = struct{ Name, Text, Problem, Counts string }

// Refuses reads each of the documents under the name "x" and fails the test where too little is said or kept.
func Refuses(t *testing.T, read func(r io.Reader, name string) (*irgraph.Document, error), bad []Bad) {
	t.Helper()
	for _, c := range bad {
		doc, err := read(strings.NewReader(c.Text), "x")
		said, counts := fmt.Sprint(err), "none"
		if err == nil {
			Check(t, doc)
			said, counts = fmt.Sprint(doc.Problems), Counts(doc)
		}
		if !strings.Contains(said, c.Problem) || counts != c.Counts {
			t.Errorf("%s: it says %.400s, has %q; want %q and %q", c.Name, said, counts, c.Problem, c.Counts)
		}
	}
}

// Sample gives a shipped file, unpacked, to a test two directories below traceio.
func Sample(t testing.TB, name string) string {
	t.Helper()
	f, err := os.Open(filepath.Join("../../../testdata/graphs", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	u, err := traceio.Unpack(f, name)
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	b, err := io.ReadAll(u)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Counts tells the nodes, edges and blocks of every snapshot, a line each: "total/After Parsing 23 33 0".
func Counts(d *irgraph.Document) string {
	var b strings.Builder
	d.Walk(func(_ []string, g *irgraph.Group) {
		for _, s := range g.Snapshots {
			fmt.Fprintf(&b, "%s/%s %d %d %d\n", g.Name, s.Name, len(s.Nodes), len(s.Edges), len(s.Blocks))
		}
	})
	return b.String()
}

// Text is all of a document's graphs as text, in an order that does not depend on that of nodes, edges and properties.
func Text(d *irgraph.Document) string {
	var b strings.Builder
	groups(&b, d.Groups)
	return b.String()
}

func groups(b *strings.Builder, list []*irgraph.Group) {
	for _, g := range list {
		fmt.Fprintf(b, "group %q %s\n", g.Name, sorted(g.Properties))
		method(b, g.Method)
		for _, in := range g.Listing {
			fmt.Fprintf(b, "  %d %q %s:%d %v\n", in.Offset, in.Text, in.File, in.Line, in.Nodes)
		}
		for _, s := range g.Snapshots {
			snapshot(b, s)
		}
		groups(b, g.Groups)
		b.WriteString("end\n")
	}
}

func method(b *strings.Builder, m *irgraph.Method) {
	if m == nil {
		return
	}
	fmt.Fprintf(b, " method %q at %d %s %v", m.Name, m.At, sorted(m.Properties), m.Bytecodes)
	if m.Source != nil {
		fmt.Fprintf(b, " %v", *m.Source)
	}
	b.WriteString("\n")
	for _, i := range m.Inlined {
		method(b, i)
	}
	b.WriteString(" end\n")
}

func snapshot(b *strings.Builder, s *irgraph.Snapshot) {
	fmt.Fprintf(b, " graph %q %s\n", s.Name, sorted(s.Properties))
	var lines []string
	for i := range s.Nodes {
		n := &s.Nodes[i]
		block := ""
		if n.Block >= 0 {
			block = s.Blocks[n.Block].Name
		}
		lines = append(lines, fmt.Sprintf("  node %q %s in %q, guessed %d\n", n.ID, sorted(n.Properties), block, n.Guessed))
	}
	for _, e := range s.Edges {
		lines = append(lines, fmt.Sprintf("  edge %q:%d %q:%d %s\n", s.Nodes[e.From].ID, e.FromSlot, s.Nodes[e.To].ID,
			e.ToSlot, sorted(e.Properties)))
	}
	slices.Sort(lines)
	b.WriteString(strings.Join(lines, ""))
	for _, block := range s.Blocks {
		fmt.Fprintf(b, "  block %q", block.Name)
		for _, n := range block.Nodes {
			fmt.Fprintf(b, " %q", s.Nodes[n].ID)
		}
		for _, to := range block.Successors {
			fmt.Fprintf(b, " -> %q", s.Blocks[to].Name)
		}
		b.WriteString("\n")
	}
}

func sorted(p irgraph.Properties) string {
	var out []string
	for _, q := range p {
		out = append(out, fmt.Sprintf("%q=%q", q.Key, q.Value))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}
