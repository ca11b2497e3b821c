package bgv

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphtest"
)

var update = flag.Bool("update", false, "write the sample again")

// dumper writes the format, as the compiler does: objects go into the pool when they are first named.
type dumper struct {
	bytes.Buffer
	major int
	known map[string]uint16
}

func newDumper(major byte) *dumper {
	d := &dumper{major: int(major), known: map[string]uint16{}}
	d.WriteString(magic)
	d.Write([]byte{major, 0})
	return d
}

func (d *dumper) u16(n int)     { binary.Write(d, binary.BigEndian, uint16(n)) }
func (d *dumper) i32(n int)     { binary.Write(d, binary.BigEndian, int32(n)) }
func (d *dumper) text(s string) { d.i32(len(s)); d.WriteString(s) }
func (d *dumper) none()         { d.WriteByte(poolNull) }

// named writes an object of the pool: its body the first time, afterwards its number.
func (d *dumper) named(kind byte, key string, body func()) {
	key = fmt.Sprint(kind, key)
	if i, ok := d.known[key]; ok {
		d.WriteByte(kind)
		d.u16(int(i))
		return
	}
	i := uint16(len(d.known))
	d.known[key] = i
	d.WriteByte(poolNew)
	d.u16(int(i))
	d.WriteByte(kind)
	body()
}

func (d *dumper) string(s string) { d.named(poolString, s, func() { d.text(s) }) }
func (d *dumper) class(name string, values ...string) {
	d.named(poolClass, name, func() {
		d.text(name)
		if values == nil {
			d.WriteByte(0)
			return
		}
		d.WriteByte(1)
		d.i32(len(values))
		for _, v := range values {
			d.string(v)
		}
	})
}

func (d *dumper) inputType(n int) {
	d.named(poolEnum, fmt.Sprint("type", n), func() {
		d.class("jdk.graal.compiler.nodeinfo.InputType", "Memory", "Condition", "State", "Guard", "Anchor", "Association",
			"Extension", "Value")
		d.i32(n)
	})
}

func (d *dumper) method(class, name string, code ...byte) {
	d.named(poolMethod, class+name, func() {
		d.class(class)
		d.string(name)
		d.named(poolSignature, name, func() { d.u16(1); d.string("Node"); d.string("int") })
		d.i32(9)
		d.i32(len(code))
		d.Write(code)
	})
}

// total is the code of a walk along a list; TestBytecodes has its text.
var total, _ = hex.DecodeString("033c2ac600121b2ab40002603c2ab600034ba7fff01bac")

func (d *dumper) position(bci, line int) {
	d.named(poolPosition, fmt.Sprint(bci), func() {
		d.method("list.Sum", "total", total...)
		d.i32(bci)
		d.string("Sum.java")
		if d.major >= 6 {
			d.text("Java")
		}
		d.i32(line)
		if d.major >= 6 {
			d.i32(-1)
			d.i32(-1)
			d.none() // no more places
		}
		d.none() // no caller
	})
}

// kinds of nodes: their class, template, inputs as name, list and type, successors as name and list.
type kindOf struct {
	class, template string
	inputs          []testPort
	next            []testPort
}

type testPort struct {
	name string
	list bool
	kind int
}

// Types of inputs, in the order of Graal's enumeration.
const (
	ofCondition   = 1
	ofGuard       = 3
	ofAssociation = 5
	ofValue       = 7
)

var kinds = map[string]kindOf{
	"Start": {"jdk.graal.compiler.nodes.StartNode", "Start", nil, []testPort{{name: "next"}}},
	"Param": {"jdk.graal.compiler.nodes.ParameterNode", "P({p#index})", nil, nil},
	"End":   {"jdk.graal.compiler.nodes.EndNode", "End", nil, nil},
	"Loop": {"jdk.graal.compiler.nodes.LoopBeginNode", "", []testPort{{"ends", true, ofAssociation}},
		[]testPort{{name: "next"}}},
	"Phi": {"jdk.graal.compiler.nodes.ValuePhiNode", "Phi({i#values}, {p#stamp})",
		[]testPort{{"merge", false, ofAssociation}, {"values", true, ofValue}}, nil},
	"Null": {"jdk.graal.compiler.nodes.calc.IsNullNode", "IsNull", []testPort{{"value", false, ofValue}}, nil},
	"If": {"jdk.graal.compiler.nodes.IfNode", "If", []testPort{{"condition", false, ofCondition}},
		[]testPort{{name: "trueSuccessor"}, {name: "falseSuccessor"}}},
	"Begin": {"jdk.graal.compiler.nodes.BeginNode", "Begin", nil, []testPort{{name: "next"}}},
	"Exit": {"jdk.graal.compiler.nodes.LoopExitNode", "LoopExit", []testPort{{"loopBegin", false, ofAssociation}},
		[]testPort{{name: "next"}}},
	"Read": {"jdk.graal.compiler.nodes.memory.ReadNode", "Read#{p#location/s}", []testPort{{"address", false, ofValue},
		{"guard", false, ofGuard}}, []testPort{{name: "next"}}},
	"Back":   {"jdk.graal.compiler.nodes.LoopEndNode", "LoopEnd", []testPort{{"loopBegin", false, ofAssociation}}, nil},
	"Return": {"jdk.graal.compiler.nodes.ReturnNode", "Return", []testPort{{"result", false, ofValue}}, nil},
}

func (d *dumper) nodeClass(k string) {
	c := kinds[k]
	d.named(poolNodeClass, c.class, func() {
		if d.major < 2 {
			d.text(c.class)
		} else {
			d.class(c.class)
		}
		d.text(c.template)
		d.u16(len(c.inputs))
		for _, p := range c.inputs {
			d.WriteByte(map[bool]byte{true: 1}[p.list])
			d.string(p.name)
			d.inputType(p.kind)
		}
		d.u16(len(c.next))
		for _, p := range c.next {
			d.WriteByte(map[bool]byte{true: 1}[p.list])
			d.string(p.name)
		}
	})
}

type testNode struct {
	id         int
	kind       string
	properties map[string]any
	bci        int
	ends       [][]int // by port, inputs first
}

func (d *dumper) properties(n *testNode) {
	count := len(n.properties)
	if n.bci > 0 {
		count++
	}
	if d.major > 7 {
		d.u16(0xffff)
		d.i32(count)
	} else {
		d.u16(count)
	}
	for _, key := range []string{"index", "stamp", "location", "frequency", "hot", "long", "list", "null"} {
		v, ok := n.properties[key]
		if !ok {
			continue
		}
		d.string(key)
		switch v := v.(type) {
		case nil:
			d.WriteByte(ofPool)
			d.none()
		case int:
			d.WriteByte(ofInt)
			d.i32(v)
		case int64:
			d.WriteByte(ofLong)
			binary.Write(d, binary.BigEndian, v)
		case string:
			d.WriteByte(ofPool)
			d.string(v)
		case float64:
			d.WriteByte(ofDouble)
			binary.Write(d, binary.BigEndian, v)
		case bool:
			d.WriteByte(map[bool]byte{true: ofTrue, false: ofFalse}[v])
		case []int:
			d.Write([]byte{ofArray, ofInt})
			d.i32(len(v))
			for _, x := range v {
				d.i32(x)
			}
		}
	}
	if n.bci > 0 {
		d.string("nodeSourcePosition")
		d.WriteByte(ofPool)
		d.position(n.bci, n.bci+10)
	}
}

func (d *dumper) graph(id int, format, arg string, nodes []testNode, blocks [][3][]int) {
	d.WriteByte(beginGraph)
	if d.major < 2 {
		d.string(fmt.Sprint(id, ": ", strings.Replace(format, "%s", arg, 1)))
	} else {
		d.i32(id)
		d.text(format)
		d.i32(1)
		if d.major > 2 {
			d.WriteByte(ofPool)
		}
		d.string(arg)
	}
	d.properties(&testNode{properties: map[string]any{"frequency": 0.5}})
	d.i32(len(nodes))
	for i := range nodes {
		n := &nodes[i]
		d.i32(n.id)
		d.nodeClass(n.kind)
		d.WriteByte(map[bool]byte{true: 1}[!strings.Contains("Start Param Loop Phi Null", n.kind)])
		d.properties(n)
		ports := append(append([]testPort{}, kinds[n.kind].inputs...), kinds[n.kind].next...)
		for k, p := range ports {
			if p.list {
				d.u16(len(n.ends[k]))
			}
			for _, to := range n.ends[k] {
				d.i32(to)
			}
		}
	}
	d.i32(len(blocks))
	for _, b := range blocks {
		d.i32(b[0][0])
		for _, list := range b[1:] {
			d.i32(len(list))
			for _, x := range list {
				d.i32(x)
			}
		}
	}
}

// walk is the graph of a loop over a linked list.
var walk = []testNode{
	{0, "Start", nil, 0, [][]int{{7}}},
	{1, "Param", map[string]any{"index": 0, "stamp": "a Node"}, 0, nil},
	{2, "Loop", nil, 2, [][]int{{7}, {8}}},
	{3, "Phi", map[string]any{"stamp": "a Node", "hot": true, "long": int64(1) << 40, "list": []int{1, 2}, "null": nil}, 2,
		[][]int{{2}, {1, 4}}},
	{4, "Read", map[string]any{"location": "Node.next", "frequency": 100.5}, 14, [][]int{{3}, {-1}, {5}}},
	{5, "Back", nil, 0, [][]int{{2}}},
	{7, "End", nil, 0, nil},
	{8, "If", nil, 3, [][]int{{9}, {11}, {10}}},
	{9, "Null", nil, 3, [][]int{{3}}},
	{10, "Begin", nil, 0, [][]int{{4}}},
	{11, "Exit", nil, 0, [][]int{{2}, {6}}},
	{6, "Return", nil, 23, [][]int{{3}}},
}

func dump(major byte) *dumper {
	d := newDumper(major)
	if major >= 7 {
		d.WriteByte(documentProperties)
		d.properties(&testNode{properties: map[string]any{"index": 7}})
	}
	d.WriteByte(beginGroup)
	d.string("Compilation 17")
	d.string("17")
	d.none()
	d.i32(-1)
	d.properties(&testNode{})
	d.WriteByte(beginGroup)
	d.string("Sum.total(Node)")
	d.string("total")
	d.method("list.Sum", "total", total...)
	d.i32(-1)
	d.properties(&testNode{properties: map[string]any{"hot": true}})
	d.graph(0, "After %s", "parsing", walk, nil)
	scheduled := slices.DeleteFunc(slices.Clone(walk), func(n testNode) bool { return n.kind == "Begin" })
	scheduled[slices.IndexFunc(scheduled, func(n testNode) bool { return n.kind == "If" })].ends = [][]int{{9}, {11}, {4}}
	d.graph(1, "After %s", "scheduling", scheduled, [][3][]int{{{0}, {0, 1, 7}, {1}}, {{1}, {2, 3, 9, 8}, {2, 3}},
		{{2}, {11, 6}, {}}, {{3}, {4, -1, 5}, {1}}})
	d.WriteByte(closeGroup)
	d.WriteByte(closeGroup)
	return d
}

const wantCounts = "Sum.total(Node)/0: After parsing 12 17 0\nSum.total(Node)/1: After scheduling 11 16 4\n"

const sample = "../../../testdata/graphs/sum.bgv"

func TestVersions(t *testing.T) {
	for _, major := range []byte{1, 2, 3, 5, 6, 7, 8} {
		doc, err := Read(bytes.NewReader(dump(major).Bytes()), "x.bgv")
		if err != nil {
			t.Fatalf("version %d: %v", major, err)
		}
		graphtest.Check(t, doc)
		if got := graphtest.Counts(doc); got != wantCounts || len(doc.Problems) > 0 {
			t.Errorf("version %d: got\n%swant\n%sproblems %v", major, got, wantCounts, doc.Problems)
		}
		g := doc.Groups[0].Groups[0]
		s := g.Snapshots[0]
		read := s.Nodes[s.Find("4")].Properties
		if read.Get("name") != "Read#Node.next" || read.Get("access") != "load" || read.Get("bci") != "14" ||
			read.Get("file") != "Sum.java" || read.Get("line") != "24" || read.Get("frequency") != "100.5" {
			t.Errorf("version %d: node 4 is %v", major, read)
		}
		phi := s.Nodes[s.Find("3")].Properties
		if phi.Get("name") != "Phi(, a Node)" || phi.Get("category") != "phi" || phi.Get("hot") != "true" ||
			phi.Get("long") != "1099511627776" || phi.Get("list") != "[1, 2]" || phi.Get("null") != "null" {
			t.Errorf("version %d: node 3 is %v", major, phi)
		}
		if g.Method == nil || g.Method.Name != "Sum.total(Node)" || len(g.Method.Bytecodes) != 15 ||
			g.Method.Bytecodes[10] != (irgraph.Bytecode{Index: 14, Text: "invokevirtual #3"}) {
			t.Errorf("version %d: method %+v", major, g.Method)
		}
		chase := false
		for _, e := range s.Edges {
			chase = chase || s.Nodes[e.From].ID == "4" && s.Nodes[e.To].ID == "3" && e.ToSlot == 2 &&
				e.Properties.Get("label") == "values[1]"
		}
		if !chase {
			t.Errorf("version %d: the read does not go back into the phi: %v", major, s.Edges)
		}
	}
}

func TestSample(t *testing.T) {
	want := dump(7).Bytes()
	if *update {
		if err := os.WriteFile(sample, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(sample)
	if err != nil || !bytes.Equal(got, want) || !Sniff(got) {
		t.Errorf("the sample (%d bytes, %v) is not what the dumper writes; write it again with go test -run TestSample "+
			"-update", len(got), err)
	}
}

// TestEveryCutIsTold reads all beginnings of a file: none may lose what stands in front of the cut.
func TestEveryCutIsTold(t *testing.T) {
	whole := dump(7).Bytes()
	nodes := 0
	for n := range len(whole) {
		doc, err := Read(bytes.NewReader(whole[:n]), "x.bgv")
		graphtest.Drain(t, doc, err)
		if err != nil {
			continue
		}
		if len(doc.Problems) == 0 {
			t.Fatalf("nothing is said of a file cut behind %d of %d bytes", n, len(whole))
		}
		now := 0
		doc.Walk(func(_ []string, g *irgraph.Group) {
			for _, s := range g.Snapshots {
				now += len(s.Nodes)
			}
		})
		if now < nodes {
			t.Fatalf("%d bytes give %d nodes, fewer bytes %d", n, now, nodes)
		}
		nodes = now
	}
	if nodes != 23 {
		t.Errorf("the longest beginning has %d nodes", nodes)
	}
}

func TestConcatenatedFiles(t *testing.T) {
	two := append(dump(7).Bytes(), dump(6).Bytes()...)
	doc, err := Read(bytes.NewReader(two), "x.bgv")
	if err != nil || graphtest.Counts(doc) != wantCounts+wantCounts || len(doc.Problems) > 0 {
		t.Errorf("%v, %v", err, doc)
	}
}

var bad = []struct{ name, bytes, problem string }{
	{"no signature", "\x00", "the file does not begin with BIGV"},
	{"unknown version", "BIGV\x63\x00\x00", "version 99 of the format is not known"},
	{"unknown object", "BIGV\x07\x00\x09", "9 begins neither a group nor a graph"},
	{"end without beginning", "BIGV\x07\x00\x02", "a group ends that was not begun"},
	{"name that is not there", "BIGV\x07\x00\x00\x01\x00\x07", "object 7 is named before it is there"},
	{"claim", "BIGV\x07\x00\x00\x00\x00\x00\x01\x7f\xff\xff\xff", "claims 2147483647 bytes"},
}

func TestBadInput(t *testing.T) {
	for _, c := range bad {
		doc, err := Read(strings.NewReader(c.bytes), "x.bgv")
		said := fmt.Sprint(err)
		if err == nil {
			said = fmt.Sprint(doc.Problems)
		}
		if !strings.Contains(said, c.problem) {
			t.Errorf("%s: %s, want %q", c.name, said, c.problem)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range bad {
		f.Add([]byte(c.bytes))
	}
	f.Add(dump(7).Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		doc, err := Read(bytes.NewReader(b), "x.bgv")
		graphtest.Drain(t, doc, err)
	})
}
