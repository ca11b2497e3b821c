package igv

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphtest"
)

func read(t testing.TB, text string) *irgraph.Document {
	t.Helper()
	doc, err := Read(strings.NewReader(text), "x.xml")
	if err != nil {
		t.Fatal(err)
	}
	graphtest.Check(t, doc)
	return doc
}

func file(t testing.TB) string { return graphtest.Sample(t, "hotspot.xml") }

// twin counts what is in the file another way: it takes the whole document as one value and plays the differences on
// maps.
func twin(t *testing.T, text string) string {
	type ends struct {
		From  string `xml:"from,attr"`
		To    string `xml:"to,attr"`
		FromI string `xml:"fromIndex,attr"`
		ToI   string `xml:"toIndex,attr"`
		Index string `xml:"index,attr"`
	}
	type id struct {
		ID string `xml:"id,attr"`
	}
	var d struct {
		Group []struct {
			Difference string `xml:"difference,attr"`
			P          []struct {
				Name string `xml:"name,attr"`
				Text string `xml:",chardata"`
			} `xml:"properties>p"`
			Graph []struct {
				Name    string `xml:"name,attr"`
				Node    []id   `xml:"nodes>node"`
				NotNode []id   `xml:"nodes>removeNode"`
				Edge    []ends `xml:"edges>edge"`
				NotEdge []ends `xml:"edges>removeEdge"`
				Block   []id   `xml:"controlFlow>block"`
			} `xml:"graph"`
		} `xml:"group"`
	}
	if err := xml.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	key := func(e ends) string {
		to := e.ToI + e.Index
		if e.FromI == "" {
			e.FromI = "0"
		}
		return e.From + ":" + e.FromI + ">" + e.To + ":" + to
	}
	for _, g := range d.Group {
		nodes, edges := map[string]bool{}, map[string]bool{}
		for _, s := range g.Graph {
			if g.Difference != "1" {
				nodes, edges = map[string]bool{}, map[string]bool{}
			}
			for _, n := range s.Node {
				nodes[n.ID] = true
			}
			for _, n := range s.NotNode {
				delete(nodes, n.ID)
			}
			for _, e := range s.NotEdge {
				delete(edges, key(e))
			}
			for _, e := range s.Edge {
				edges[key(e)] = true
			}
			fmt.Fprintf(&b, "%s/%s %d %d %d\n", g.P[0].Text, s.Name, len(nodes), len(edges), len(s.Block))
		}
	}
	return b.String()
}

func TestCountsAgainstTwin(t *testing.T) {
	doc := read(t, file(t))
	if got, want := graphtest.Counts(doc), twin(t, file(t)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if len(doc.Problems) > 0 {
		t.Errorf("problems: %v", doc.Problems)
	}
	g := doc.Groups[0]
	if g.Name != "Sum.total" || g.Properties.Get("compilationId") != "17" {
		t.Errorf("group %q %v", g.Name, g.Properties)
	}
	m := g.Method
	if m == nil || len(m.Bytecodes) != 15 || m.Bytecodes[3] != (irgraph.Bytecode{Index: 3, Text: "ifnull 22"}) ||
		len(m.Inlined) != 1 || m.Inlined[0].At != 14 || len(m.Inlined[0].Bytecodes) != 3 {
		t.Errorf("method %+v", m)
	}
	s := g.Snapshots[0]
	load := &s.Nodes[s.Find("44")]
	if load.Name() != "LoadP" || load.Properties.Get(irgraph.KeyAccess) != "load" ||
		load.Properties.Get(irgraph.KeyCategory) != "memory" {
		t.Errorf("node 44: %v", load)
	}
	if p := g.Snapshots[1].Nodes[g.Snapshots[1].Find("20")].Properties; p.Get("dump_spec") != "inner" {
		t.Errorf("node 20 of the second graph kept its old properties: %v", p)
	}
	if s := g.Snapshots[2]; s.Nodes[s.Find("44")].Block != 2 || len(s.Blocks[1].Successors) != 2 {
		t.Errorf("blocks %v", s.Blocks)
	}
}

func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	documents := []*irgraph.Document{read(t, file(t))}
	for range 40 {
		documents = append(documents, random(r))
	}
	for i, doc := range documents {
		graphtest.Check(t, doc)
		for _, whole := range []bool{false, true} {
			var b bytes.Buffer
			if err := Write(&b, doc, whole); err != nil {
				t.Fatal(err)
			}
			if !Sniff(b.Bytes()) {
				t.Errorf("not known as XML of IGV: %.200s", b.String())
			}
			again := read(t, b.String())
			if len(again.Problems) > 0 {
				t.Fatalf("document %d, whole %v: %v\n%s", i, whole, again.Problems, b.String())
			}
			if got, want := graphtest.Text(again), graphtest.Text(doc); got != want {
				t.Fatalf("document %d, whole %v: got\n%swant\n%s%s", i, whole, got, want, b.String())
			}
		}
	}
}

// random gives a document of one group whose snapshots differ in anything that can differ.
func random(r *rand.Rand) *irgraph.Document {
	text := func() string { return []string{"", "a", "<&>\"'", " blank ", "línea\n2", "]]>"}[r.IntN(6)] }
	g := &irgraph.Group{Name: "f" + text(), Properties: irgraph.Properties{{Key: "name", Value: "x"}}}
	g.Name = "x"
	g.Method = &irgraph.Method{Name: text(), At: r.IntN(9) - 1, Bytecodes: []irgraph.Bytecode{{Index: 3, Text: "aload"}},
		Source: &irgraph.Source{File: "a.go", First: 4, Text: "x < y\n\tz"}}
	g.Listing = []irgraph.Instruction{{Offset: 64, Text: "MOVQ (AX), CX", File: "a.go", Line: 5,
		Nodes: []string{"v1", "v2"}}, {Offset: irgraph.NoOffset, Text: "RET", File: "a.go", Line: 6}}
	for range 1 + r.IntN(5) {
		s := &irgraph.Snapshot{Name: "s" + text(), Properties: irgraph.Properties{{Key: "k", Value: text()}}}
		for i := range 12 {
			if r.IntN(3) > 0 {
				p := irgraph.Properties{{Key: "name", Value: []string{"AddI", "LoadI"}[r.IntN(2)]},
					{Key: "v" + text(), Value: text()}}
				n := irgraph.Node{ID: fmt.Sprint("v", i, "<"), Block: -1}
				if n.Properties, n.Guessed = describe(p); r.IntN(4) == 0 {
					n.Guessed = 0 // as if the file had them
				}
				s.Nodes = append(s.Nodes, n)
			}
		}
		if n := len(s.Nodes); n > 0 {
			for range r.IntN(20) {
				e := irgraph.Edge{From: int32(r.IntN(n)), To: int32(r.IntN(n)), FromSlot: int32(r.IntN(2)),
					ToSlot: int32(r.IntN(3))}
				if r.IntN(2) == 0 {
					e.Properties = irgraph.Properties{{Key: "type", Value: "int"}, {Key: "odd key", Value: text()},
						{Key: "label", Value: text()}}
				}
				s.Edges = append(s.Edges, e)
			}
			if r.IntN(2) == 0 {
				s.Blocks = []irgraph.Block{{Name: "B1", Successors: []int32{1, 0}}, {Name: "B2"}}
				for i := range s.Nodes {
					if b := r.IntN(3); b < 2 {
						s.Nodes[i].Block = int32(b)
						s.Blocks[b].Nodes = append(s.Blocks[b].Nodes, int32(i))
					}
				}
			}
		}
		g.Snapshots = append(g.Snapshots, s)
	}
	return &irgraph.Document{Groups: []*irgraph.Group{g}}
}

// bad are documents with something wrong: what is said of it, and what stays.
var bad = []graphtest.Bad{
	{"cut in a tag", "<graphDocument>\n<group><graph name='a'><nodes>\n<node id='1'/>\n<node id='2",
		"x:4: in element group > graph \"a\" > nodes: ", "/a 1 0 0\n"},
	{"cut between groups", "<graphDocument><group><graph name='a'></graph></group>\n",
		"the document ends before its elements do", "/a 0 0 0\n"},
	{"tags that cross",
		"<graphDocument><group><graph name='a'><nodes><node id='1'></nodes></node></graph></group></graphDocument>",
		"element <node> closed by </nodes>", "/a 1 0 0\n"},
	{"dangling edge", "<graphDocument><group><graph name='a'><nodes><node id='1'/></nodes><edges>\n<edge from='1' " +
		"to='9'/><edge from='1' to='1'/></edges></graph></group></graphDocument>",
		`x:2: an edge goes from "1" to "9", but graph "a" has no node "9"; the edge is left out`, "/a 1 1 0\n"},
	{"duplicated id", "<graphDocument><group><graph name='a'><nodes><node id='1'/>\n<node " +
		"id='1'/></nodes></graph></group></graphDocument>",
		`x:2: node "1" stands twice in graph "a"; the first of them stays`, "/a 1 0 0\n"},
	{"removed node that never was", "<graphDocument><group difference='1'><graph name='a'><nodes><node " +
		"id='1'/></nodes></graph><graph name='b'><nodes>\n\n<removeNode id='7'/></nodes></graph></group></graphDocument>",
		`x:3: node "7" is removed from graph "b", which does not have it`, "/a 1 0 0\n/b 1 0 0\n"},
	{"removed edge that never was", "<graphDocument><group difference='1'><graph name='a'><nodes><node " +
		"id='1'/></nodes></graph><graph name='b'><edges><removeEdge from='1' " +
		"to='1'/></edges></graph></group></graphDocument>",
		`the edge from "1" to "1" is removed from graph "b"`, "/a 1 0 0\n/b 1 0 0\n"},
	{"node in two blocks", "<graphDocument><group><graph name='a'><nodes><node id='1'/></nodes><controlFlow><block " +
		"name='A'><nodes><node id='1'/></nodes></block><block name='B'><nodes><node id='1'/><node " +
		"id='2'/></nodes><successors><successor " +
		"name='C'/></successors></block></controlFlow></graph></group></graphDocument>",
		`node "1" is in block "A" and in block "B"`, "/a 1 0 2\n"},
	{"unknown element", "<graphDocument><group><spline/><graph name='a'/></group></graphDocument>",
		`element "spline" is not known in group`, "/a 0 0 0\n"},
	{"node without id", "<graphDocument><group><graph name='a'><nodes><node/></nodes></graph></group></graphDocument>",
		`a node of graph "a" has no id`, "/a 0 0 0\n"},
	{"slot that is no number", "<graphDocument><group><graph name='a'><nodes><node id='1'/></nodes><edges><edge " +
		"from='1' to='1' toIndex='-3'/></edges></graph></group></graphDocument>",
		`the toIndex "-3" of an edge from "1" to "1" is no number of a slot`, "/a 1 1 0\n"},
	{"no method", "<graphDocument></graphDocument>",
		"no method is in the document; let the compiler tell of them with -XX:PrintIdealGraphLevel=2", "none"},
	{"no document", "<!-- nothing -->", "the document ends before its elements do; was it cut?", "none"},
	{"an edge to nowhere", "<graphDocument><group><graph name='a'><nodes><node id='1'/></nodes><edges>\n<edge " +
		"from='1'/></edges></graph></group></graphDocument>",
		`x:2: an element edge of graph "a" has no attribute to; it is left out`, "/a 1 0 0\n"},
	{"an edge from nowhere", "<graphDocument><group><graph name='a'><nodes><node " +
		"id='1'/></nodes><edges><odd/>\n<removeEdge to='1'/></edges></graph></group></graphDocument>",
		`x:2: an element removeEdge of graph "a" has no attribute from; it is left out`, "/a 1 0 0\n"},
	{"unknown encoding", "<?xml version='1.0' encoding='EBCDIC'?><graphDocument><group/></graphDocument>",
		"its encoding \"EBCDIC\" is not known", "none"},
	{"other document", "<html><body/></html>", `the outermost element is "html"`, "none"},
	{"nested without end", "<graphDocument>" + strings.Repeat("<group>", 600),
		"no function could be read: in element group > group > group: more than 512 elements are nested", "none"},
	{"cut in front of the first graph", "<graphDocument>\n<group><spline/><properties>\n<p name='name'>f",
		`x:3: no function could be read: in element group > properties > p "name": the document ends before its elements do; it has another fault, line 2: element "spline"`, "none"},
}

func TestBadInput(t *testing.T) {
	graphtest.Refuses(t, Read, bad)
}

func TestOddBytesStayReadable(t *testing.T) {
	doc := read(t, "<graphDocument><group><graph name='a\x01b'><nodes><node id='1'><properties><p "+
		"name='name'>x\xffy</p></properties></node></nodes></graph></group></graphDocument>")
	if s := doc.Groups[0].Snapshots[0]; s.Name != "a b" || s.Nodes[0].Name() != "x\ufffdy" || len(doc.Problems) > 0 {
		t.Errorf("%q %q %v", s.Name, s.Nodes[0].Name(), doc.Problems)
	}
	doc = read(t, "<?xml version='1.0' encoding='ISO-8859-1'?><graphDocument><group><graph "+
		"name='na\xefve'/></group></graphDocument>")
	if got := doc.Groups[0].Snapshots[0].Name; got != "naïve" {
		t.Errorf("Latin-1 gave %q", got)
	}
}

// TestCopiesAreBounded gives a document of which a few bytes ask for one more copy of a large graph each.
func TestCopiesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("<graphDocument><group difference='1'><graph name='a'><nodes>")
	for i := range 1000 {
		fmt.Fprintf(&b, "<node id='%d'/>", i)
	}
	b.WriteString("</nodes></graph>" + strings.Repeat("<graph/>", 2000) + "</group></graphDocument>")
	x := newReader(strings.NewReader(b.String()), "x.xml")
	x.budget = irgraph.NewBudget(100_000)
	if err := x.document(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, s := range x.doc.Groups[0].Snapshots {
		n += len(s.Nodes)
	}
	if n < 90_000 || n > 100_000 || len(x.doc.Problems) != 1 || !strings.Contains(x.doc.Problems[0].Msg,
		"the rest is left out") {
		t.Errorf("%d nodes, problems %v", n, x.doc.Problems)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("<graphDocument><group difference='1'><graph name='a'><nodes><node " +
		"id='1'/></nodes></graph><graph/></group></graphDocument>")
	for _, c := range bad {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := Read(strings.NewReader(text), "x.xml")
		graphtest.Drain(t, doc, err)
		if err == nil {
			var b bytes.Buffer
			if err := Write(&b, doc, false); err != nil {
				t.Fatal(err)
			}
			if _, err := Read(&b, "x.xml"); err != nil {
				t.Fatalf("what was written cannot be read: %v", err)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	text := file(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		read(b, text)
	}
}
