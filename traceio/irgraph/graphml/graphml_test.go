package graphml

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"orrery/traceio/irgraph/graphtest"
)

func sample(t testing.TB) string { return graphtest.Sample(t, "calls.graphml") }

func TestSampleAgainstTwin(t *testing.T) {
	doc, err := Read(strings.NewReader(sample(t)), "x.graphml")
	if err != nil {
		t.Fatal(err)
	}
	graphtest.Check(t, doc)
	// The twin counts start tags, wherever they stand.
	nodes, edges := 0, 0
	for dec := xml.NewDecoder(strings.NewReader(sample(t))); ; {
		tok, err := dec.Token()
		if err != nil {
			break
		}
		if e, ok := tok.(xml.StartElement); ok && e.Name.Local == "node" {
			nodes++
		} else if ok && e.Name.Local == "edge" {
			edges++
		}
	}
	if got, want := graphtest.Counts(doc), fmt.Sprintf("calls/calls %d %d 1\n", nodes, edges); got != want ||
		len(doc.Problems) > 0 || !Sniff([]byte(sample(t))) {
		t.Errorf("got %q, want %q; problems %v", got, want, doc.Problems)
	}
	s := doc.Groups[0].Snapshots[0]
	n := s.Nodes[s.Find("n2")]
	if n.Name() != "list_sum" || n.Properties.Get("references") != "4096" || n.Block != 0 ||
		s.Nodes[s.Find("n0")].Properties.Get("references") != "0" {
		t.Errorf("%v in %v", n, s.Blocks)
	}
}

var bad = []graphtest.Bad{
	{"cut", "<graphml><graph id='g'><node id='a'/>\n<node id='b",
		"x:2: in element graphml > graph \"g\": the document ends before its elements do", "g/g 1 0 0\n"},
	{"crossed", "<graphml><graph id='g'><node id='a'></graph></node></graphml>", "element <node> closed by </graph>",
		"g/g 1 0 0\n"},
	{"dangling", "<graphml><graph id='g'><node id='a'/>\n<edge source='a' target='z'/></graph></graphml>",
		`x:2: an edge goes from "a" to "z", but graph "g" has no node "z"`, "g/g 1 0 0\n"},
	{"twice", "<graphml><graph id='g'><node id='a'/><node id='a'/></graph></graphml>",
		`node "a" stands twice in graph "g"`, "g/g 1 0 0\n"},
	{"no id", "<graphml><graph><node/></graph></graphml>", `a node of graph "graph" has no id`, "graph/graph 0 0 0\n"},
	{"undeclared key", "<graphml><graph><node id='a'><data key='q'>1</data></node></graph></graphml>",
		`key "q" is not declared`, "graph/graph 1 0 0\n"},
	{"hyperedge", "<graphml><graph><hyperedge/></graph></graphml>", "joins more than two nodes", "graph/graph 0 0 0\n"},
	{"no graph", "<graphml></graphml>", "no graph is in the document; write one", "none"},
	{"cut in front of a graph", "<graphml><graph", "the document ends before its elements do; was it cut?", "none"},
	{"an edge to nowhere", "<graphml><graph id='g'><node id='a'/>\n<edge source='a'/></graph></graphml>",
		`x:2: an edge of graph "g" has no attribute target; it is left out`, "g/g 1 0 0\n"},
	{"an edge from nowhere", "<graphml><graph id='g'><node id='a'/>\n<edge target='a'/></graph></graphml>",
		`x:2: an edge of graph "g" has no attribute source; it is left out`, "g/g 1 0 0\n"},
	{"other", "<svg/>", `the outermost element is "svg"`, "none"},
	{"nested", "<graphml><graph>" + strings.Repeat("<node id='a'><graph>", 200), "more than 256 elements are nested",
		"graph/graph 1 0 1\n"},
}

func TestBadInput(t *testing.T) {
	graphtest.Refuses(t, Read, bad)
}

// TestFirstOfTwoStays has a node twice; the properties are those of the first, whatever the second has.
func TestFirstOfTwoStays(t *testing.T) {
	for _, second := range []string{"<node id='n'/>", "<node id='n'><data key='d'>red</data></node>"} {
		doc, err := Read(strings.NewReader("<graphml><key id='d' for='node' "+
			"attr.name='color'><default>yellow</default></key><graph><node id='n'><data key='d'>green</data></node>"+second+
			"</graph></graphml>"), "x")
		if err != nil {
			t.Fatal(err)
		}
		if s := doc.Groups[0].Snapshots[0]; len(s.Nodes) != 1 || s.Nodes[0].Properties.Get("color") != "green" ||
			len(doc.Problems) != 1 {
			t.Errorf("%s: %v, %v", second, s.Nodes, doc.Problems)
		}
	}
}

func TestUndirected(t *testing.T) {
	doc, err := Read(strings.NewReader("<graphml><graph edgedefault='undirected'><node id='a'/><edge source='a' "+
		"target='a'/><edge source='a' target='a' directed='true'/></graph></graphml>"), "x")
	if err != nil {
		t.Fatal(err)
	}
	e := doc.Groups[0].Snapshots[0].Edges
	if e[0].Properties.Get("dir") != "none" || len(e[1].Properties) != 0 {
		t.Errorf("%v", e)
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range bad[:len(bad)-1] {
		f.Add(c.Text)
	}
	f.Add("<graphml><key id='k' for='node' attr.name='label'><default>x</default></key><graph><node id='a'><data " +
		"key='k'>y</data><graph><node id='b'/></graph></node></graph></graphml>")
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := Read(strings.NewReader(text), "x.graphml")
		graphtest.Drain(t, doc, err)
	})
}
