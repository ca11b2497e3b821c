package filter

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"orrery/analysis/depgraph"
	"orrery/traceio/irgraph"
)

// sample is a small graph: a load and an addition of what it loads to a constant, both results stored.
//
//	Const --> AddI --> Store <-- Proj <-- Load
//	  |                                    ^
//	  +------------------------------------+
func sample() *depgraph.Graph {
	s := &irgraph.Snapshot{Name: "sample"}
	for _, n := range [][3]string{{"1", "ConI", "constant"}, {"2", "LoadI", "memory"}, {"3", "Proj#0", "data"},
		{"4", "AddI", "data"}, {"5", "Store", "memory"}} {
		s.Nodes = append(s.Nodes, irgraph.Node{ID: n[0], Block: -1, Properties: irgraph.Properties{{Key: "name", Value: n[1]},
			{Key: "category", Value: n[2]}}})
	}
	for _, e := range [][3]int32{{0, 1, 0}, {1, 2, 0}, {2, 3, 0}, {0, 3, 1}, {3, 4, 0}, {2, 4, 1}} {
		kind := "value"
		if e[0] == 1 {
			kind = "memory"
		}
		s.Edges = append(s.Edges, irgraph.Edge{From: e[0], To: e[1], ToSlot: e[2],
			Properties: irgraph.Properties{{Key: "type", Value: kind}}})
	}
	return depgraph.Display(s)
}

// show writes a graph as text: nodes with their colours, edges with their slots.
func show(g *depgraph.Graph) string {
	var all []string
	for _, n := range g.Nodes {
		t := n.ID
		if depgraph.Colored(n.Color) {
			t += fmt.Sprintf("#%02x%02x%02x", n.Color.R, n.Color.G, n.Color.B)
		}
		all = append(all, t)
	}
	all = append(all, "|")
	for _, e := range g.Edges {
		all = append(all, fmt.Sprintf("%s.%d-%s.%d", g.Nodes[e.From].ID, e.FromSlot, g.Nodes[e.To].ID, e.ToSlot))
	}
	return strings.Join(all, " ")
}

func apply(t *testing.T, g *depgraph.Graph, scripts ...string) (*depgraph.Graph, []Result) {
	t.Helper()
	var list []Filter
	for i, s := range scripts {
		list = append(list, Filter{Name: fmt.Sprint("f", i), Script: s, On: true})
	}
	out, results, err := Apply(context.Background(), g, list)
	if err != nil {
		t.Fatal(err)
	}
	return out, results
}

const allEdges = "1.0-2.0 2.0-3.0 3.0-4.0 1.0-4.1 4.0-5.0 3.0-5.1"

func TestFunctions(t *testing.T) {
	red := "#e54b4b"
	for _, c := range []struct{ script, want string }{
		{`colorize("name", "I.*", red);`, "1 2 3 4 5 | " + allEdges},
		{`colorize("name", ".*I", red);`, "1" + red + " 2" + red + " 3 4" + red + " 5 | " + allEdges},
		{`colorize("name", /I$/, "#0f0"); colorize("name", /add/i, rgb(1, 2, 300))`,
			"1#00ff00 2#00ff00 3 4#0102ff 5 | " + allEdges},
		{`colorizeBy("category")`, "1#4a7fd6 2#f0963c 3#4cb050 4#4cb050 5#f0963c | " + allEdges},
		{`set("name", "LoadI", "misses", "1000"); set("name", "Store", "misses", "10"); heat("misses")`,
			"1 2#8c102c 3 4 5#fff3c4 | " + allEdges},
		{`remove("category", "constant")`, "2 3 4 5 | 2.0-3.0 3.0-4.0 4.0-5.0 3.0-5.1"},
		{`keep("name", "Proj.*")`, "3 |"},
		{`keep("name", "LoadI", 1)`, "1 2 3 | 1.0-2.0 2.0-3.0"},
		{`bypass("name", "Proj.*")`, "1 2 4 5 | 1.0-2.0 1.0-4.1 4.0-5.0 2.0-4.0 2.0-5.1"},
		{`removeEdges("type", "memory")`, "1 2 3 4 5 | 1.0-2.0 3.0-4.0 1.0-4.1 4.0-5.0 3.0-5.1"},
		{`removeEdges("to", "AddI"); removeEdges("slot", "1")`, "1 2 3 4 5 | 1.0-2.0 2.0-3.0 4.0-5.0"},
		{`removeEdges("from", ".*"); removeLoose()`, "|"},
		{`merge("category", "memory")`, "1 2 3 4 | 1.0-2.0 2.0-3.0 3.0-4.0 1.0-4.1 4.0-2.1 3.0-2.2"},
		{`mergeBy("category")`, "1 2 3 | 1.0-2.0 2.0-3.0 1.0-3.1 3.1-2.1 3.0-2.2"},
		{`mergeUp("name", "Proj.*")`, "1 2 4 5 | 1.0-2.0 2.0-4.0 1.0-4.1 4.0-5.0 2.0-5.1"},
		{`mergeDown("name", "AddI")`, "1 2 3 5 | 1.0-2.0 2.0-3.0 3.0-5.1 1.0-5.2 3.0-5.0"},
		{`split("category", "constant")`, "1 2 3 4 5 1/2 | 1.0-2.0 2.0-3.0 3.0-4.0 1/2.0-4.1 4.0-5.0 3.0-5.1"},
		{`split("name", "Proj.*")`, "1 2 3 4 5 3/2 | 1.0-2.0 2.0-3.0 3.0-4.0 1.0-4.1 4.0-5.0 3/2.0-5.1 2.0-3/2.0"},
		{`addNode("x", "Note", {text: "hot"}); addEdge("x", "5", "note"); colorize("text", "hot", red)`, "1 2 3 4 5 x" + red +
			" | " + allEdges + " x.0-5.2"},
		{`set("name", "(.*)I", "kind", "int $1"); colorize("kind", "int Add", red)`, "1 2 3 4" + red + " 5 | " + allEdges},
		{`if (count("name", ".*") == 5) for (const n of nodes("category", "memory")) n.color(n.inputs().length > 1 ? red : black)`, "1 2#202020 3 4 5" + red + " | " + allEdges},
		{`nodes().forEach(n => { if (n.uses().some(u => u.get("name") == "Store")) n.set("feeds", "store") }); keep("feeds", "store")`, "3 4 | 3.0-4.0"},
		{`colorize("id", "4", red)`, "1 2 3 4" + red + " 5 | " + allEdges},
	} {
		g := sample()
		before := show(g)
		out, results := apply(t, g, c.script)
		if results[0].Err != nil {
			t.Errorf("%s\n%v", c.script, results[0].Err)
		} else if got := strings.TrimSpace(show(out)); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.script, got, c.want)
		}
		if show(g) != before {
			t.Errorf("%s has changed the graph it was given", c.script)
		}
	}
}

func TestFiltersThatFailAreToldByLineAndTheOthersApply(t *testing.T) {
	for _, c := range []struct {
		name, script, want string
		line               int
	}{
		{"throws", "var a = 1;\nthrow new Error('no luck')", "no luck", 2},
		{"syntax", "var a;\n\ncolorize(\"name\", ", "Unexpected", 3}, {"early", "let a;\nlet a;", "already", 2},
		{"unknown", "\ncolourise('name', '.*', red)", "colourise is not defined", 2},
		{"expression", "remove('name', '[')", `"[" is no regular expression`, 1},
		{"color", "colorize('name', '.*', 'reddish')", `"reddish" is no colour`, 1},
		{"few arguments", "\n\n  colorize('name')", "colorize needs 2 arguments", 3},
		{"endless", "remove('name', 'ConI');\n\nvar i = 0; while (true) { i++ }", "stopped after a second", 3},
		{"deep", "function f() { return f() + 1 }\nf()", "too deep", 1},
		{"an assignment to a node", "var n = nodes('id', '2')[0];\nn.name = 'x'", "a node's name cannot be assigned; use set",
			2},
		{"a method of something else", "var f = nodes()[0].get;\nf('name')", "get is a method of nodes", 2},
		{"old handles", "var all = nodes();\nremove('id', '1');\nall[0].get('name')", "call it again", 3},
		{"large", "\nvar s = 'xxxxxxxxxxxxxxxx', a = []; while (true) { a.push(new Array(100000).fill(7)) }", "stopped", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, results := apply(t, sample(), `remove("id", "5")`, c.script, `remove("id", "3")`)
			if err := results[1].Err; err == nil || !strings.Contains(err.Msg, c.want) || err.Line != c.line {
				t.Errorf("%v, want line %d: %s", err, c.line, c.want)
			}
			if got := show(out); results[0].Err != nil || results[2].Err != nil || got != "1 2 4 | 1.0-2.0 1.0-4.1" {
				t.Errorf("the others left %s: %v, %v", got, results[0].Err, results[2].Err)
			}
		})
	}
}

func TestOffFiltersDoNothingAndTheContextEnds(t *testing.T) {
	out, _, err := Apply(context.Background(), sample(), []Filter{{Name: "off", Script: "syntax error"}})
	if err != nil || show(out) != show(sample()) {
		t.Errorf("%v, %v", out, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, _, err := Apply(ctx, sample(), []Filter{{Script: "while (true);", On: true}}); !errors.Is(err,
		context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestShippedFiltersRunAndSelect(t *testing.T) {
	s := sample()
	for i := range s.Nodes {
		s.Nodes[i].Properties = s.Nodes[i].Properties.With("state", "new").With("line", "7").With("misses",
			"3").With("references", "9")
	}
	s.Nodes = append(s.Nodes, depgraph.Node{ID: "f", Block: -1,
		Properties: irgraph.Properties{{Key: "name", Value: "FrameState"}}},
		depgraph.Node{ID: "c", Block: -1, Properties: irgraph.Properties{{Key: "name", Value: "If"},
			{Key: "category", Value: "control"}}},
		depgraph.Node{ID: "e", Block: -1, Properties: irgraph.Properties{{Key: "name", Value: "Call"},
			{Key: "category", Value: "effect"}}})
	for _, kind := range []string{"control", "effect"} {
		s.Edges = append(s.Edges, depgraph.Edge{From: 0, To: 3, Of: -1,
			Properties: irgraph.Properties{{Key: "type", Value: kind}}})
	}
	for _, f := range Shipped() {
		f.On = true
		out, results, err := Apply(context.Background(), s, []Filter{f})
		if err != nil || results[0].Err != nil || results[0].Nodes+results[0].Edges == 0 {
			t.Errorf("%s: %+v, %v", f.Name, results[0], err)
		}
		if reflect.DeepEqual(out, s) {
			t.Errorf("%s changes nothing", f.Name)
		}
	}
}

// Each function of the help page exists, and each that exists is on the page.
func TestFunctionsAreDescribed(t *testing.T) {
	for _, f := range Functions {
		name, _, _ := strings.Cut(f.Call, "(")
		if _, results := apply(t, sample(), "if (typeof "+name+" != 'function') throw 'missing'"); results[0].Err != nil {
			t.Errorf("%s: %v", name, results[0].Err)
		}
	}
	_, results := apply(t, sample(),
		`var all = Object.getOwnPropertyNames(globalThis).filter(n => typeof globalThis[n] == "function" && /^[a-z]/.test(n)); throw new Error(all.join(" "))`)
	for _, name := range strings.Fields(strings.TrimPrefix(results[0].Err.Msg, "Error: ")) {
		name = strings.TrimSuffix(name, " at")
		known := slices.ContainsFunc(Functions, func(f Function) bool { return strings.HasPrefix(f.Call, name+"(") })
		if !known && !slices.Contains([]string{"eval", "isNaN", "isFinite", "parseInt", "parseFloat", "escape", "unescape",
			"decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent"}, name) {
			t.Errorf("%s is not described", name)
		}
	}
}

// A wheel of n nodes of which half begin with I.
func large(n int) *depgraph.Graph {
	s := &irgraph.Snapshot{}
	for v := range n {
		s.Nodes = append(s.Nodes, irgraph.Node{ID: fmt.Sprint(v), Block: -1, Properties: irgraph.Properties{{Key: "id",
			Value: fmt.Sprint(v)}, {Key: "name", Value: fmt.Sprint([]string{"If", "Add"}[v%2], v%50)},
			{Key: "category", Value: []string{"data", "constant", "memory"}[v%3]}}})
		s.Edges = append(s.Edges, irgraph.Edge{From: int32(v * 7 % n), To: int32(v)}, irgraph.Edge{From: int32(v * 5 % n),
			To: int32(v), ToSlot: 1})
	}
	return depgraph.Display(s)
}

func TestThePapersStatementColoursWhatBeginsWithI(t *testing.T) {
	out, results := apply(t, large(5000), `colorize("name", "I.*", red);`)
	n := 0
	for _, v := range out.Nodes {
		if depgraph.Colored(v.Color) != strings.HasPrefix(v.Name(), "I") {
			t.Fatalf("%s has colour %v", v.Name(), v.Color)
		}
		if depgraph.Colored(v.Color) {
			n++
		}
	}
	if n != 2500 || results[0].Nodes != n {
		t.Errorf("%d nodes, told %d, want 2500", n, results[0].Nodes)
	}
}

func BenchmarkPapersStatementOn5000Nodes(b *testing.B) {
	benchmark(b, `colorize("name", "I.*", red);`)
}

func BenchmarkAllOn5000Nodes(b *testing.B) {
	benchmark(b,
		`colorizeBy("name"); split("category", "constant"); mergeUp("category", "memory"); bypass("name", "If7"); removeLoose()`)
}

func BenchmarkLoopInScriptOver5000Nodes(b *testing.B) {
	benchmark(b, `for (const n of nodes()) if (n.get("name").startsWith("I")) n.color(red)`)
}

func benchmark(b *testing.B, script string) {
	g := large(5000)
	b.ReportAllocs()
	for b.Loop() {
		_, results, err := Apply(context.Background(), g, []Filter{{Name: "f", Script: script, On: true}})
		if err != nil || results[0].Err != nil {
			b.Fatal(err, results[0].Err)
		}
	}
}

func FuzzApply(f *testing.F) {
	for _, s := range Shipped() {
		f.Add(s.Script)
	}
	f.Add(`for (const n of nodes()) n.color(red)`)
	f.Add(`addNode("x", "y"); merge("name", ".*")`)
	f.Add("split('name', '.*');split('name', '.*');split('name', '.*')")
	f.Fuzz(func(t *testing.T, script string) {
		g := sample()
		r := &run{g: g.Clone(), result: &Result{}}
		err := r.script(context.Background(), Filter{Script: script}, 50*time.Millisecond)
		if err != nil {
			return
		}
		for _, e := range r.g.Edges {
			if int(e.From) >= len(r.g.Nodes) || int(e.To) >= len(r.g.Nodes) || e.From < 0 || e.To < 0 {
				t.Fatalf("edge %+v of %d nodes", e, len(r.g.Nodes))
			}
		}
		if show(g) != show(sample()) {
			t.Fatal("the graph itself has changed")
		}
	})
}

// Each function's example can be run as it stands and calls that function.
func TestExamplesRun(t *testing.T) {
	for _, f := range Functions {
		name, _, _ := strings.Cut(f.Call, "(")
		if !strings.Contains(f.Example, name+"(") {
			t.Errorf("the example of %s does not call it: %s", name, f.Example)
		}
		if _, results := apply(t, sample(), f.Example); results[0].Err != nil {
			t.Errorf("%s: %v", f.Example, results[0].Err)
		}
	}
}

// Neighbours are those of the graph as it is when they are asked for, and all that a node has is listed.
func TestHandles(t *testing.T) {
	for script, want := range map[string]string{
		`const n = nodes("id", "1")[0]; const before = n.uses().length; addEdge("1", "5", "x"); set("id", "1", "uses", before + " " + n.uses().length)`: "2 3",
		`const n = nodes("id", "1")[0]; removeEdges("type", ".*"); set("id", "1", "uses", "" + n.uses().length + n.inputs().length)`:                    "00",
		`set("id", "1", "uses", Object.keys(nodes("id", "1")[0]).join(" "))`:                                                                            "id name get set color inputs uses",
		`set("id", "1", "uses", "" + ("get" in nodes()[0]) + ("got" in nodes()[0]) + nodes()[0].got)`:                                                   "truefalseundefined",
	} {
		g, results := apply(t, sample(), script)
		if results[0].Err != nil || g.Nodes[0].Properties.Get("uses") != want {
			t.Errorf("%s: %q and %v, want %q", script, g.Nodes[0].Properties.Get("uses"), results[0].Err, want)
		}
	}
}
