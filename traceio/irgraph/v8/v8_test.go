package v8

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphtest"
)

// sample is what node 20 wrote of testdata/programs/list.js.
func sample(t testing.TB) string { return graphtest.Sample(t, "list.turbo.json.gz") }

func read(t testing.TB, text string) *irgraph.Document {
	t.Helper()
	doc, err := Read(strings.NewReader(text), "x.json")
	if err != nil {
		t.Fatal(err)
	}
	graphtest.Check(t, doc)
	return doc
}

// twin counts nodes and edges of graphs as generic JSON, and those of schedules by the shape of their lines.
func twin(t *testing.T, text string) string {
	var d map[string]any
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	node := regexp.MustCompile(`(?m)^ +\d+: .*$`)
	inputs := regexp.MustCompile(`^ +\d+: \w+(?:\[.*\])?\((\d+(?:, \d+)*)\)`)
	for _, p := range d["phases"].([]any) {
		p := p.(map[string]any)
		switch p["type"] {
		case "graph":
			data := p["data"].(map[string]any)
			fmt.Fprintf(&b, "sum/%s %d %d 0\n", p["name"], len(data["nodes"].([]any)), len(data["edges"].([]any)))
		case "schedule":
			text := p["data"].(string)
			lines, edges := node.FindAllString(text, -1), 0
			for _, l := range lines {
				l, _, _ = strings.Cut(l, " : ")
				if m := inputs.FindStringSubmatch(l); m != nil {
					edges += strings.Count(m[1], ",") + 1
				}
			}
			fmt.Fprintf(&b, "sum/%s %d %d %d\n", p["name"], len(lines), edges, strings.Count(text, "--- BLOCK "))
		}
	}
	return b.String()
}

func TestCountsAgainstTwin(t *testing.T) {
	text := sample(t)
	doc := read(t, text)
	if got, want := graphtest.Counts(doc), twin(t, text); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if len(doc.Problems) > 0 {
		t.Errorf("problems: %v", doc.Problems)
	}
}

// TestListKnowsItsLoads looks for what the source says: the walk loads value and next of each element, and next is
// inlined.
func TestListKnowsItsLoads(t *testing.T) {
	g := read(t, sample(t)).Groups[0]
	if g.Name != "sum" || g.Method == nil || len(g.Method.Bytecodes) < 10 || !strings.Contains(g.Method.Source.Text,
		"total += p.value") {
		t.Fatalf("group %s, method %+v", g.Name, g.Method)
	}
	if len(g.Method.Inlined) != 1 || g.Method.Inlined[0].Name != "next" || g.Method.Inlined[0].At != 3 {
		t.Errorf("inlined: %+v", g.Method.Inlined)
	}
	last := g.Snapshots[len(g.Snapshots)-1]
	if len(last.Blocks) == 0 {
		t.Fatalf("the last snapshot, %s, has no blocks", last.Name)
	}
	places := irgraph.NewSourceIndex(g, last)
	loads := 0
	for i := range g.Listing {
		in, nodes := places.Instruction(traceio.Addr(g.Listing[i].Offset))
		for _, n := range nodes {
			if last.Nodes[n].Properties.Get(irgraph.KeyAccess) == "load" && strings.Contains(in.Text, "mov") && in.Line > 0 {
				loads++
				break
			}
		}
	}
	if g.Address != 0x7fe1027c5b80 {
		t.Errorf("the code was at %v", g.Address)
	}
	if len(g.Listing) < 50 || loads < 2 {
		t.Errorf("%d instructions, %d of them load for a node that loads", len(g.Listing), loads)
	}
	phi := false
	for i := range last.Nodes {
		phi = phi || last.Nodes[i].Properties.Get(irgraph.KeyCategory) == "phi"
	}
	if !phi {
		t.Error("the last snapshot has no phi")
	}
}

var bad = []graphtest.Bad{
	{"cut in a phase",
		`{"function":{"functionName":"f"},"phases":[{"name":"a","type":"graph","data":{"nodes":[{"id":1}],"edges":[]}},` +
			"\n" + `{"name":"b","type":"graph","data":{"nodes":[{"id":1}`,
		"x:2: the file ends before its values do", "f/a 1 0 0\n"},
	{"a function of another shape",
		`{"function":"x","phases":[{"name":"a","type":"graph","data":{"nodes":[],"edges":[]}}]}`,
		`field "function" is a string and not an object; it is left out`, "(anonymous)/a 0 0 0\n"},
	{"a name of another shape",
		`{"function":{"functionName":[1]},"phases":[{"name":"a","type":"graph","data":{"nodes":[],"edges":[]}}]}`,
		`field "function.functionName" is an array and not a string; it is left out`, "(anonymous)/a 0 0 0\n"},
	{"a place that is no number",
		`{"function":{"startPosition":1.5},"phases":[{"name":"a","type":"graph","data":{"nodes":[],"edges":[]}}]}`,
		`field "function.startPosition" is a number and not a whole number that is small enough; it is left out`,
		"(anonymous)/a 0 0 0\n"},
	{"a phase of another shape", `{"phases":[7,{"name":"a","type":"graph","data":{"nodes":[],"edges":[]}}],"function":{}}`,
		`field "phases" is a number and not an object; it is left out`, "(anonymous)/a 0 0 0\n"},
	{"dangling edge",
		`{"phases":[{"name":"a","type":"graph","data":{"nodes":[{"id":1}],"edges":[{"source":1,"target":7,"index":0,"type":"value"}]}}]}`,
		`an edge goes from "1" to "7", but graph "a" has no node "7"`, "(anonymous)/a 1 0 0\n"},
	{"duplicated id",
		`{"phases":[{"name":"a","type":"graph","data":{"nodes":[{"id":1},{"id":1},{"title":"x"}],"edges":[]}}]}`,
		`node "1" stands twice in graph "a"`, "(anonymous)/a 1 0 0\n"},
	{"node without id", `{"phases":[{"name":"a","type":"graph","data":{"nodes":[{"title":"x"}],"edges":[]}}]}`,
		`in phase "a": node 0 has no id`, "(anonymous)/a 0 0 0\n"},
	{"nodes of another shape",
		`{"phases":[{"name":"a","type":"graph","data":{"nodes":7}},{"name":"b","type":"graph","data":{}}]}`,
		`in phase "a": field "nodes" is a number and not an array; the phase is left out`, "(anonymous)/b 0 0 0\n"},
	{"phase of another shape", `{"phases":[7,{"name":"b","type":"graph","data":{}}]}`, `is a number and not a`,
		"(anonymous)/b 0 0 0\n"},
	{"schedule that does not close",
		`{"phases":[{"name":"s","type":"schedule","data":"  1: x\n--- BLOCK B0 ---\n  2: Load[kRep(1)\n  Goto -> B7\n"}]}`,
		"has brackets that do not close", "(anonymous)/s 1 0 1\n"},
	{"no graph", `{"phases":[]}`, "no graph is in the file", "none"},
	{"not JSON", `{"phases":[x`, "invalid character 'x'", "none"},
	{"list", `[]`, "[ stands where a { should", "none"},
	{"inlined into itself",
		`{"phases":[{"name":"a","type":"graph","data":{}}],"inlinings":{"0":{"sourceId":0,"inliningPosition":{"scriptOffset":1,"inliningId":0}}}}`, "[]", "(anonymous)/a 0 0 0\n"},
}

func TestBadInput(t *testing.T) {
	graphtest.Refuses(t, Read, bad)
}

// A value without end does not take all memory; what stands in front of it is kept. Lines are right behind very many
// that were read.
func TestValuesAreBounded(t *testing.T) {
	head := "{" + strings.Repeat("\n", 300_000) +
		`"phases":[{"name":"a","type":"graph","data":{}},{"name":"b","type":"graph","data":"`
	doc, err := readValues(io.MultiReader(strings.NewReader(head),
		&graphtest.Endless{Next: func(int) []byte { return []byte("endless") }}), "x", 1<<20)
	if err != nil || len(doc.Groups[0].Snapshots) != 1 ||
		fmt.Sprint(doc.Problems) != "[x:300001: a value is longer than 1 MiB; what stands in front of it is kept]" {
		t.Errorf("%v, %v", doc, err)
	}
	_, err = readValues(&graphtest.Endless{Rest: []byte(`{"function":"`),
		Next: func(int) []byte { return []byte("endless") }}, "x", 1<<20)
	if err == nil ||
		err.Error() != "x:1: a value is longer than 1 MiB; was it cut? write it again with node --trace-turbo" {
		t.Error(err)
	}
	l := &lineCounter{r: strings.NewReader(strings.Repeat("\n", 100_000)), most: 10}
	l.taken = func() int64 { return l.read }
	if n, err := io.Copy(io.Discard, struct{ io.Reader }{l}); n != 100_000 || err != nil || len(l.ends) > 1<<15 ||
		l.line(n) != 100_001 {
		t.Errorf("%d bytes, %v, %d ends of lines are kept, the last line is %d", n, err, len(l.ends), l.line(n))
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range bad {
		f.Add(c.Text)
	}
	f.Add(`{"function":{"functionName":"f","sourceText":"a\nb","startPosition":3},"phases":[{"name":"a","type":"graph","data":{"nodes":[{"id":1,"opcode":"Load","sourcePosition":{"scriptOffset":5,"inliningId":-1}}],"edges":[]}},` +
		`{"name":"i","type":"instructions","nodeIdToInstructionRange":{"1":[0,2]}},{"name":"c","type":"instructions","instructionOffsetToPCOffset":{"0":{"gap":1}}},{"name":"d","type":"disassembly","data":"0x7f 1 48 mov a,b\n"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := Read(strings.NewReader(text), "x.json")
		graphtest.Drain(t, doc, err)
	})
}

func BenchmarkRead(b *testing.B) {
	text := sample(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		read(b, text)
	}
}
