package dot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphtest"
)

const dumps = "../../../testdata/graphs/gcc"

func read(t testing.TB, text string) *irgraph.Document {
	t.Helper()
	doc, err := Read(strings.NewReader(text), "x.dot")
	if err != nil {
		t.Fatal(err)
	}
	graphtest.Check(t, doc)
	return doc
}

// TestLanguage reads one of each thing that the language has; nodes, edges and clusters were counted with dot -Tplain.
func TestLanguage(t *testing.T) {
	for _, c := range []struct{ name, text, counts string }{
		{"plain", "digraph g { a -> b; b -> c -> d; }", "g/g 4 3 0\n"},
		{"no name", "digraph{a}", "graph/graph 1 0 0\n"},
		{"undirected", "graph g { a -- b -- c }", "g/g 3 2 0\n"},
		{"strict", "strict digraph { a->b a->b b->a }", "graph/graph 2 2 0\n"},
		{"strict undirected", "strict graph { a--b b--a }", "graph/graph 2 1 0\n"},
		{"several edges", "digraph { a->b; a->b }", "graph/graph 2 2 0\n"},
		{"sets", "digraph { {a b} -> {c d}; a -> {c; c} }", "graph/graph 4 5 0\n"},
		{"subgraph as end", "digraph { subgraph s { x y } -> z [color=red] }", "graph/graph 3 2 0\n"},
		{"clusters", "digraph { subgraph cluster_a { a b } subgraph cluster_b { b c } a -> c }", "graph/graph 3 1 2\n"},
		{"defaults and ports", "digraph { node [shape=box]; edge [weight=2,style=bold]; a:n -> b:p0:sw; rankdir = LR }",
			"graph/graph 2 1 0\n"},
		{"texts", "digraph \"a \\\"b\\\"\" { \"x\" + \"y\" [label=<a <b>c</b>>]; -1.5 -> .7; xy -> \"node\" }",
			"a \"b\"/a \"b\" 4 2 0\n"},
		{"comments", "/* a */ // b\n# c\ndigraph { a /* -> x */ -> b // -> y\n# -> z\n}", "graph/graph 2 1 0\n"},
		{"keywords in any case", "DiGraph { NODE [a=b] Subgraph s { a } }", "graph/graph 1 0 0\n"},
		{"two graphs", "digraph a { x } digraph b { y -> z }", "a/a 1 0 0\nb/b 2 1 0\n"},
		{"empty name", "digraph { \"\" -> a }", "graph/graph 2 1 0\n"},
		{"UTF-8", "digraph { größe -> 大小 }", "graph/graph 2 1 0\n"},
	} {
		doc := read(t, c.text)
		if got := graphtest.Counts(doc); got != c.counts || len(doc.Problems) > 0 || !Sniff([]byte(c.text)) {
			t.Errorf("%s: got %q, want %q; problems %v; known %v", c.name, got, c.counts, doc.Problems, Sniff([]byte(c.text)))
		}
	}
	s := read(t, "digraph { node [shape=box] a [label=\"A\\nB\"]; edge [w=1]; a:n -> b [w=2] }").Groups[0].Snapshots[0]
	if a := s.Nodes[0]; a.Name() != "A" || a.Properties.Get("shape") != "box" || s.Edges[0].Properties.Get("w") != "2" ||
		s.Edges[0].Properties.Get("tailport") != "n" {
		t.Errorf("node %v, edge %v", a, s.Edges[0])
	}
	for _, text := range []string{"", "graph", "digraphs { }", "a digraph {", "graph: 7\n{", "graphic {"} {
		if Sniff([]byte(text)) {
			t.Errorf("%q is taken for DOT", text)
		}
	}
}

// TestGCCAgainstTwin counts blocks and edges of each function line by line.
func TestGCCAgainstTwin(t *testing.T) {
	doc, err := ReadSeries(context.Background(), dumps, nil)
	if err != nil {
		t.Fatal(err)
	}
	graphtest.Check(t, doc)
	node, edge := regexp.MustCompile(`^\tfn_\d+_basic_block_\d+ \[`), regexp.MustCompile(`^\tfn_\d+_basic_block_\d+:s -> `)
	functions := map[string]string{}
	for _, pass := range []string{"015t.cfg", "021t.ssa", "039t.fre1", "optimized"} {
		files, _ := filepath.Glob(filepath.Join(dumps, "*"+pass+".dot"))
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		full := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(files[0]), "sum.c."), ".dot")
		for _, part := range strings.Split(string(text), `subgraph "cluster_`)[1:] {
			name, _, _ := strings.Cut(part, `"`)
			nodes, edges := 0, 0
			for line := range strings.Lines(part) {
				if node.MatchString(line) {
					nodes++
				} else if edge.MatchString(line) {
					edges++
				}
			}
			functions[name] += fmt.Sprintf("%s/%s %d %d %d\n", name, full, nodes, edges, nodes)
		}
	}
	if got, want := graphtest.Counts(doc), functions["sum"]+functions["twice"]; got != want || len(doc.Problems) > 0 ||
		doc.Format != "gcc" {
		t.Errorf("format %s, problems %v, got\n%swant\n%s", doc.Format, doc.Problems, got, want)
	}
	s := doc.Groups[0].Snapshots[0]
	found := false
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if strings.Contains(n.Properties.Get(irgraph.KeyLabel), "list = [sum.c:5:26] list->next;") {
			found = n.Properties.Get(irgraph.KeyFile) == "sum.c" && slices.Contains(n.Properties.Lines(), 5) &&
				strings.HasPrefix(n.ID, "bb ") && strings.HasPrefix(n.Properties.Get(irgraph.KeyAccess), "load")
		}
	}
	if !found {
		t.Errorf("no block has the statement that walks the list: %v", s.Nodes)
	}
}

var bad = []graphtest.Bad{
	{"cut", "digraph g {\n a -> b;\n b -> ", "x:3: in graph \"g\": the file ends where a node should", "g/g 2 1 0\n"},
	{"open text", "digraph g {\n a -> b;\n \"c", "a text in quotes does not end", "g/g 2 1 0\n"},
	{"odd character", "digraph g { a -> b;\n ! }", "x:2: in graph \"g\": '!' begins nothing", "g/g 2 1 0\n"},
	{"open list", "digraph g { a [b=", "the file ends where a value should stand", "g/g 1 0 0\n"},
	{"edge without end", "digraph g { a -> ; b }", `";" stands where a node should`, "g/g 1 0 0\n"},
	{"edges without end", "digraph g { a -> b -> c -> }", `"}" stands where a node should`, "g/g 3 2 0\n"},
	{"a line in a digraph", "digraph g {\n a -- b }",
		`x:2: "--" stands in a digraph, where edges are written "->"; it is taken for that`, "g/g 2 1 0\n"},
	{"an arrow in a graph", "graph g {\n\n a -> b }",
		`x:3: "->" stands in a graph, where edges are written "--"; it is taken for that`, "g/g 2 1 0\n"},
	{"no graph", "digraph", `the file ends where "{" should stand`, "none"},
	{"nested without end", "digraph {" + strings.Repeat("{", 400), "more than 256 subgraphs are nested",
		"graph/graph 0 0 0\n"},
	{"text behind the graph", "digraph g { a } b", `"b" stands where digraph or graph should`, "g/g 1 0 0\n"},
}

func TestBadInput(t *testing.T) {
	graphtest.Refuses(t, Read, bad)
	long := strings.Repeat("b", maxText+1)
	graphtest.Refuses(t, Read, []graphtest.Bad{
		{Name: "a long word", Text: "digraph g { a -> " + long + " }", Problem: "a word is longer than 4 MiB",
			Counts: "g/g 1 0 0\n"},
		{Name: "a long text", Text: "digraph g { a -> \"" + long + "\" }", Problem: "a text is longer than 4 MiB",
			Counts: "g/g 1 0 0\n"},
		{Name: "a long text in angle brackets", Text: "digraph g { a -> <" + long + "> }",
			Problem: "a text is longer than 4 MiB", Counts: "g/g 1 0 0\n"},
	})
	if _, err := ReadSeries(context.Background(), t.TempDir(), nil); err == nil ||
		!strings.Contains(err.Error(), "no dumps of GCC") {
		t.Errorf("an empty directory: %v", err)
	}
}

// TestProductsAreBounded: a short text can ask for very many edges. What stands behind those that there is room for is
// not read.
func TestProductsAreBounded(t *testing.T) {
	const behind = " never -> read }"
	p := &parser{lex: newLexer(strings.NewReader("digraph { " + set("a", 400) + "->" + set("b", 400) + "->" +
		set("c", 400) + behind)), doc: &irgraph.Document{}, budget: irgraph.NewBudget(5000), pool: irgraph.Pool{}}
	if err := p.step(); err != nil {
		t.Fatal(err)
	}
	if err := p.graph(); err == nil || err != p.budget.Err() {
		t.Fatal(err)
	}
	if s := p.doc.Groups[0].Snapshots[0]; len(s.Edges) < 3000 || len(s.Edges) > 5000-1200 || len(p.doc.Problems) != 1 {
		t.Errorf("%d edges, problems %v", len(s.Edges), p.doc.Problems)
	}
	if p.pool["read"] != "" {
		t.Error("it reads on")
	}
}

func set(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprint(&b, prefix, i, " ")
	}
	return "{" + b.String() + "}"
}

func FuzzRead(f *testing.F) {
	for _, c := range bad {
		f.Add(c.Text)
	}
	f.Add("digraph \"a.c.015t.cfg\" { subgraph \"cluster_f\" { fn_0_basic_block_2 " +
		"[label=\"{\\<bb\\ 2\\>:\\l\\\n|[a.c:1:2] x;\\l}\"]; fn_0_basic_block_2:s -> fn_0_basic_block_2:n [style=invis] } }")
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := Read(strings.NewReader(text), "x.dot")
		graphtest.Drain(t, doc, err)
	})
}

// What statements do to memory, and the lines of a block.
func TestStatements(t *testing.T) {
	for text, want := range map[string]string{
		"_14 = list_2->value;": "load", "*p_3 = _4;": "store", "A[i_2][j_3] = _9;": "store", "_1 = A[i_2];": "load",
		"_5 = _1 * _2;":           "",
		"MEM[(double *)_7] = _3;": "store", "_3 = MEM <int> [(char *)p_1 + 4B];": "load", "q_2 = &A[i_3];": "",
		"s.next = q_2->next;": "load",
		"A[0] = *q_1;":        "load store", "total_15 = total_10 + _14;": "", "foo (\"a[1]\");": "",
		"goto <bb 3>; [59.00%]": "", "# x_2 = PHI <a[1], b(2)>": "",
		"return _3;": "", "if (_14 > 0)": "", "_1 = (long unsigned int) i_2;": "",
	} {
		if got := accessOf(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	p := &parser{pool: irgraph.Pool{}}
	got := p.block("bb 3", irgraph.Properties{{Key: irgraph.KeyLabel,
		Value: `{COUNT:955\<bb\ 3\>:\l|[a.c:4:1]\ #\ DEBUG\ BEGIN_STMT\l|[a.c:5:1]\ i_2\ =\ i_1\ +\ 1;\l|[a.c:7:9]\ _1\ =\ [a.c:7:9]\ p_2-\>next;\l|[a.c:6:9]\ q_2-\>next\ =\ _1;\l}`}})
	for key, want := range map[string]string{irgraph.KeyName: "lines 7, 6", irgraph.KeyLine: "7", irgraph.KeyLines: "6",
		irgraph.KeyFile: "a.c", irgraph.KeyAccess: "load store", "count": "955"} {
		if v := got.Get(key); v != want {
			t.Errorf("%s is %q, want %q", key, v, want)
		}
	}
	if got := p.block("bb 4", irgraph.Properties{{Key: irgraph.KeyLabel, Value: `{\<bb\ 4\>:\l}`}}); got.Get(
		irgraph.KeyName) != "empty" {
		t.Errorf("a block without statements is called %q", got.Get(irgraph.KeyName))
	}
}

// TestWhatIsHeldIsBounded: attributes, members, operands and graphs count, not only nodes and edges; work that keeps
// nothing ends, too.
func TestWhatIsHeldIsBounded(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"attributes", "digraph { a [" + strings.Repeat("x=y;", 300) + "] " +
			strings.Repeat("a [long=\""+strings.Repeat("z", 4000)+"\"] ", 300), "more than 5000 nodes and edges"},
		{"members", "digraph {" + strings.Repeat("{"+set("a", 200), 50), "more than 5000 nodes and edges"},
		{"a chain", "digraph { a" + strings.Repeat("->a", 9000) + "}", "more than 5000 nodes and edges"},
		{"graphs", strings.Repeat("digraph {} ", 2000), "more than 5000 nodes and edges"},
		{"a port of many parts", "digraph { a" + strings.Repeat(":a", 9000) + "}", "a port has more than a name and a side"},
	} {
		p := &parser{lex: newLexer(strings.NewReader(row.text)), doc: &irgraph.Document{}, budget: irgraph.NewBudget(5000),
			pool: irgraph.Pool{}}
		err := p.step()
		for err == nil && p.t.kind != end {
			err = p.graph()
		}
		if said := fmt.Sprint(err, p.doc.Problems); !strings.Contains(said, row.want) {
			t.Errorf("%s: %.300s, want %q", row.name, said, row.want)
		}
	}
	p := &parser{lex: newLexer(strings.NewReader("strict digraph { a -> b }")), doc: &irgraph.Document{},
		budget: irgraph.NewBudget(5000), pool: irgraph.Pool{}, work: maxWork}
	if err := p.step(); err != nil {
		t.Fatal(err)
	}
	if err := p.graph(); err == nil || !strings.Contains(err.Error(), "edges between groups") {
		t.Errorf("after all work: %v", err)
	}
}
