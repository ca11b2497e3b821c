package gossa

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphtest"
)

func read(t testing.TB, text string) *irgraph.Document {
	t.Helper()
	doc, err := Read(strings.NewReader(text), "x.ssa")
	if err != nil {
		t.Fatal(err)
	}
	graphtest.Check(t, doc)
	return doc
}

var (
	dumpLine  = regexp.MustCompile(`^    \([-+]?[\d?]+\) v\d+ = `)
	blockLine = regexp.MustCompile(`^  b\d+:`)
	endLine   = regexp.MustCompile(`^    [A-Z]\w* ?(.*)$`)
	anyValue  = regexp.MustCompile(`\bv\d+\b`)
	anyBlock  = regexp.MustCompile(`\bb\d+\b`)
	brackets  = regexp.MustCompile(`<[^ ]*>|\{[^}]*\}|\[[^\]]*\]|\(.*\)$| : .*$`)
)

// twin counts values and blocks by the shape of whole lines, and edges by the numbers that are left of a line when all
// that is in brackets is gone.
func twin(text, function string) string {
	var b strings.Builder
	pass, nodes, edges, blocks, open := "start", 0, 0, 0, false
	end := func() {
		if open {
			fmt.Fprintf(&b, "%s/%s %d %d %d\n", function, pass, nodes, edges, blocks)
		}
		nodes, edges, blocks, open = 0, 0, 0, false
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "  pass ") && strings.HasSuffix(line, " begin"):
			end()
			pass = strings.TrimSuffix(strings.TrimPrefix(line, "  pass "), " begin")
		case strings.HasPrefix(line, "genssa "):
			end()
		case strings.HasPrefix(line, function+" func("):
			open = true
		case !open:
		case dumpLine.MatchString(line):
			_, rest, _ := strings.Cut(line, " = ")
			nodes++
			edges += len(anyValue.FindAllString(brackets.ReplaceAllString(brackets.ReplaceAllString(rest, ""), ""), -1))
		case blockLine.MatchString(line):
			nodes, blocks = nodes+1, blocks+1
		case endLine.MatchString(line):
			edges += len(anyValue.FindAllString(line, -1)) + len(anyBlock.FindAllString(line, -1))
		}
	}
	return b.String()
}

func TestCountsAgainstTwin(t *testing.T) {
	for name, function := range map[string]string{"gomatmul.ssa.gz": "multiply", "golist.ssa.gz": "sum"} {
		text := graphtest.Sample(t, name)
		doc := read(t, text)
		if got, want := graphtest.Counts(doc), twin(text, function); got != want {
			t.Errorf("%s: got\n%swant\n%s", name, got, want)
		}
		if len(doc.Problems) > 0 || len(doc.Groups[0].Snapshots) < 50 {
			t.Errorf("%s: %d snapshots, problems %v", name, len(doc.Groups[0].Snapshots), doc.Problems)
		}
	}
}

// TestHTMLAgainstText reads what the compiler says of a function in both forms. HTML has one snapshot more in front.
func TestHTMLAgainstText(t *testing.T) {
	page, err := ReadHTML(strings.NewReader(graphtest.Sample(t, "golist.ssa.html.gz")), "x.html")
	if err != nil {
		t.Fatal(err)
	}
	graphtest.Check(t, page)
	text := read(t, graphtest.Sample(t, "golist.ssa.gz")).Groups[0]
	g := page.Groups[0]
	if g.Name != "sum" || g.Method == nil || len(page.Problems) > 0 || strings.TrimSpace(g.Method.Source.Text) !=
		strings.TrimSpace(text.Method.Source.Text) || g.Method.Source.First != text.Method.Source.First {
		t.Errorf("group %q, method %+v, problems %v", g.Name, g.Method, page.Problems)
	}
	_, got, _ := strings.Cut(graphtest.Counts(page), "\n")
	want := graphtest.Counts(&irgraph.Document{Groups: []*irgraph.Group{text}})
	if !strings.HasPrefix(want, got) || strings.Count(got, "\n") < 50 {
		t.Errorf("HTML has\n%stext has\n%s", got, want)
	}
	if len(g.Listing) != len(slices.DeleteFunc(slices.Clone(text.Listing),
		func(i irgraph.Instruction) bool { return len(i.Nodes) == 0 })) {
		t.Errorf("%d instructions in HTML, %d with a node in text", len(g.Listing), len(text.Listing))
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		line                string
		id, op, typ, source string
		args                string
		aux, register       string
		dead                bool
	}{
		{"(+12) v34 = MOVSDloadidx8 <float64> v27 v17 v83 : X1 (sum[float64])", "v34", "MOVSDloadidx8", "float64", "12",
			"v27 v17 v83", "", "X1", false},
		{"v34 (12) = Load <int> {a b} [8] v1 v2 DEAD", "v34", "Load", "int", "12", "v1 v2", "{a b} [8]", "", true},
		{"(?) v1 = InitMem <mem>", "v1", "InitMem", "mem", "", "", "", "", false},
		{"(-7) v9 = Arg <func(<-chan int) chan<- struct { a int; b string }> {f} (f[func(<-chan int) chan<- struct { a " +
			"int; b string }])", "v9", "Arg", "func(<-chan int) chan<- struct { a int; b string }", "7", "", "{f}", "", false},
		{`(4) v9 = ConstString <string> {"a } v7 \" > b"}`, "v9", "ConstString", "string", "4", "",
			`{"a } v7 \" > b"}`, "", false},
		{"(4) v9 = StaticLECall <int,mem> {AuxCall{main.f}} [16] v1 v2", "v9", "StaticLECall", "int,mem", "4", "v1 v2",
			"{AuxCall{main.f}} [16]", "", false},
		{"(4) v9 = DIVQ <int,int> v1 v2 : <AX,DX>", "v9", "DIVQ", "int,int", "4", "v1 v2", "", "<AX,DX>", false},
	} {
		v, ok := parseValue(c.line)
		if !ok || v.id != c.id || v.op != c.op || v.typ != c.typ || v.line != c.source ||
			strings.Join(v.args, " ") != c.args || v.aux != c.aux || v.register != c.register || v.dead != c.dead {
			t.Errorf("%s\ngot %v %+v", c.line, ok, v)
		}
	}
	for _, line := range []string{"", "v", "v1", "(12) v1", "(12) = Load", "Plain -> b2", "(12) vx = Load <int>",
		"(1) v1 = Load <int"} {
		if v, ok := parseValue(line); ok {
			t.Errorf("%q is taken for a value: %+v", line, v)
		}
	}
}

// TestGenerations gives numbers out again, as the compiler does, and looks whether each value keeps one ID and shares
// it with no other.
func TestGenerations(t *testing.T) {
	dump := func(lines ...string) string {
		return "f func()\n  b1:\n    " + strings.Join(lines, "\n    ") + "\n    Ret v1\n"
	}
	text := "compiling f\n" +
		dump("(1) v1 = InitMem <mem>", "(2) v2 = Add64 <int> v2 v2", "(3) v3 = Const64 <int>") +
		// v2 is lowered, v3 dies
		"  pass a begin\n  pass a end [1 ns]\n" + dump("(1) v1 = InitMem <mem>", "(2) v2 = ADDQ <int> v2 v2") +
		// v3 is a new one
		"  pass b begin\n  pass b end [1 ns]\n" + dump("(1) v1 = InitMem <mem>", "(2) v2 = ADDQ <int> v2 v2",
		"(3) v3 = Const64 <int>") +
		// v2 is another one, v3 has moved
		"  pass c begin\n  pass c end [1 ns]\n" + dump("(1) v1 = InitMem <mem>", "(9) v2 = LEAQ <*int> v1",
		"(4) v3 = Const64 <int>")
	var got []string
	for _, s := range read(t, text).Groups[0].Snapshots {
		var ids []string
		for i := range s.Nodes {
			ids = append(ids, s.Nodes[i].ID)
		}
		got = append(got, s.Name+": "+strings.Join(ids, " "))
	}
	want := []string{"start: v1 v2 v3 b1", "a: v1 v2 b1", "b: v1 v2 v3#2 b1", "c: v1 v2#2 v3#2 b1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestAlign puts instructions in and writes some as others, as the assembler does, and counts which pairs are found
// again.
func TestAlign(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	ops := []string{"MOVQ", "ADDQ", "LEAQ", "CMPQ", "JLT", "MOVSD"}
	found, all := 0, 0
	for range 50 {
		var generated, assembled []instruction
		want := map[int]string{}
		line := 1
		prologue := func(n int) {
			for range n {
				assembled = append(assembled, instruction{op: "NOP", line: line})
			}
		}
		prologue(8)
		for i := range 200 {
			line += r.IntN(3) / 2
			in := instruction{op: ops[r.IntN(len(ops))], args: fmt.Sprintf("x%d, %d(SP)", r.IntN(5), 8*r.IntN(4)), line: line,
				node: fmt.Sprint("v", i)}
			generated = append(generated, in)
			out := in
			out.node = ""
			out.args = strings.Replace(out.args, "(SP)", "6(SP)", 1)
			switch r.IntN(20) {
			case 0:
				out.op = "XORPS" // written as another one
			case 1:
				prologue(1)
			case 2:
				prologue(r.IntN(20))
			}
			want[len(assembled)] = in.node
			assembled = append(assembled, out)
		}
		align(generated, assembled)
		for i := range assembled {
			if want[i] != "" {
				all++
				if assembled[i].node == want[i] {
					found++
				}
			} else if assembled[i].node != "" && assembled[i].op == "NOP" {
				t.Fatalf("a no-operation is taken for %s", assembled[i].node)
			}
		}
	}
	if found*100 < all*97 {
		t.Errorf("%d of %d instructions found their value", found, all)
	}
}

var bad = []graphtest.Bad{
	{"dangling value", "compiling f\nf func()\n  b1:\n    (1) v1 = Add64 <int> v7\n    Ret v1\n",
		`x:4: an edge goes from "v7" to "v1", but graph "start" has no node "v7"`, "f/start 2 1 1\n"},
	{"duplicated id", "compiling f\nf func()\n  b1:\n    (1) v1 = Arg <int>\n    (1) v1 = Arg <int>\n    Ret v1\n",
		`x:5: node "v1" stands twice in graph "start"`, "f/start 2 1 1\n"},
	{"block that is not there", "compiling f\nf func()\n  b1:\n    Plain -> b2\n", `no node "b2"`, "f/start 1 0 1\n"},
	{"value in front of blocks", "compiling f\nf func()\n    (1) v1 = Arg <int>\n  b1:\n    Exit v1\n",
		"stands in front of the first block", "f/start 1 0 1\n"},
	{"neither value nor end", "compiling f\nf func()\n  b1:\n    (1) w1 = Arg <int>\n    Exit\n",
		`x:4: "(1) w1 = Arg <int>" is neither a value nor the end of block b1`, "f/start 1 0 1\n"},
	{"cut in a value", "compiling f\nf func()\n  b1:\n    (1) v1 = Ar", "[]", "f/start 2 0 1\n"},
	{"no graph", "compiling f\n", "no graph is in the file", "none"},
	{"long line", "compiling f\nf func()\n  b1:\n    (1) v1 = Arg <" + strings.Repeat("x", 1<<17) + ">\n    Exit\n",
		"x:4: the line is longer than 64 KiB", "f/start 1 0 1\n"},
}

func TestBadInput(t *testing.T) {
	graphtest.Refuses(t, Read, bad)
}

func FuzzRead(f *testing.F) {
	for _, c := range bad[:len(bad)-1] {
		f.Add(c.Text)
	}
	f.Add("# orrery graph record go\n# source \"a.go\" 1 \"f\"\n# |func f() {}\ncompiling f\nf func()\n  b1:\n    (1) " +
		"v1 = Phi <int> v1\n    Ret v1\ngenssa f\n# a.go\n v1 \t00006 (1)\tXORL\tDX, DX\nmain.f STEXT\n\t0x0002 00002 " +
		"(a.go:1)\tXORL\tDX, DX\n")
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := Read(strings.NewReader(text), "x.ssa")
		graphtest.Drain(t, doc, err)
	})
}

func FuzzReadHTML(f *testing.F) {
	f.Add(`<td><h2>a</h2><li>b1:<button>-</button></li><li class="dead-value">v1 (1) = Arg &lt;int&gt;</li><li>Ret v1</li></td><h2>genssa</h2><dt>v1</dt><dd>00001 (1) TEXT	main.f(SB)</dd>`)
	f.Add(`<strong>a.go</strong><div class="l7 line-number">x</div>`)
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := ReadHTML(strings.NewReader(text), "x.html")
		graphtest.Drain(t, doc, err)
	})
}

func BenchmarkRead(b *testing.B) {
	text := graphtest.Sample(b, "gomatmul.ssa.gz")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		read(b, text)
	}
}
