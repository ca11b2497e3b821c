// Package gossa reads what Go's compiler dumps of a function with GOSSAFUNC=name+ on its standard output, or in
// ssa.html, and runs the compiler to get that: see Record. Every pass is a snapshot. Values and blocks are nodes; a
// block's node has the values that decide where it goes as inputs and control edges to its successors.
//
// The compiler reuses the numbers of dead values. The same number is taken for the same value from one pass
// to the next when its operation or its type and its line stayed, or its operation and its type; otherwise, and when it
// was gone for a pass, it is a new generation, "v12#2".
//
// Where the text has the listing of the assembler too (-S), the instructions of the group have offsets, see align.
package gossa

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// Sniff reports whether a file begins like the compiler's dump as text, with or without Record's heading.
func Sniff(head []byte) bool {
	for _, mark := range []string{"\n" + headingMark, "\ngenerating SSA for ", "\ncompiling "} {
		if i := bytes.Index(append([]byte("\n"), head...), []byte(mark)); i >= 0 &&
			!bytes.HasPrefix(bytes.TrimLeft(head, " \n"), []byte("<")) {
			return true
		}
	}
	return false
}

// Read reads a dump as text. The document's path is name. The error is an *traceio.Error; what is wrong with parts of
// the dump is in the document's problems.
func Read(r io.Reader, name string) (*irgraph.Document, error) {
	d := newDump(name)
	lines := traceio.NewLines(r)
	lines.Tabs = true
	for {
		line, _, ok := lines.Next()
		if !ok {
			break
		}
		d.at.Line = lines.Count()
		if lines.Long() {
			d.doc.Problem(d.at, "", "the line is longer than 64 KiB")
			continue
		}
		d.take(string(line))
	}
	return d.finish(lines.Err())
}

// dump is a document in the making.
type dump struct {
	doc    *irgraph.Document
	budget *irgraph.Budget
	pool   irgraph.Pool
	// by node and its line of the dump: most values stay as they are from pass to pass
	known map[string]irgraph.Properties
	at    irgraph.Position

	group   *irgraph.Group
	past    generations
	pass    string // the name of the next snapshot
	pending bool   // the next line may begin it
	graph   *graph // being read
	code    code
	heading heading
	listed  bool // lines belong to the listing of group
}

func newDump(name string) *dump {
	return &dump{doc: &irgraph.Document{Path: name, Format: "go"}, budget: irgraph.NewBudget(irgraph.MaxElements),
		pool: irgraph.Pool{}, known: map[string]irgraph.Properties{}}
}

// take parses one line.
func (d *dump) take(line string) {
	switch {
	case strings.HasPrefix(line, "# ") && d.group == nil:
		d.heading.take(line)
	case strings.HasPrefix(line, "compiling "):
		d.close()
		d.begin(strings.TrimPrefix(line, "compiling "))
	case d.group == nil:
	case strings.HasPrefix(line, "pass "):
		d.close()
		name, ended := passName(line)
		if d.pending = ended; name != "" {
			d.pass = name
		}
	case line == "genssa "+d.group.Name:
		d.close()
		d.listed = true
		d.code.begin(d)
	case d.pending && (strings.HasPrefix(line, d.group.Name+" ") || line == d.group.Name):
		d.pending = false
		d.graph = newGraph(d.pass)
	case d.graph != nil:
		d.graph.take(d, line)
	case d.listed && d.code.take(d, line):
	default:
		d.listed = false
		d.code.assembled(d, line)
	}
}

// passName reads "pass late opt begin", "pass late opt end [1290 ns]".
func passName(line string) (name string, ended bool) {
	line = strings.TrimPrefix(line, "pass ")
	if name, ok := strings.CutSuffix(line, " begin"); ok {
		return name, false
	}
	name, _, ended = strings.Cut(line, " end")
	if !ended {
		return "", false
	}
	return name, true
}

func (d *dump) begin(name string) {
	d.group = &irgraph.Group{Name: d.pool.Text(name)}
	d.doc.Groups = append(d.doc.Groups, d.group)
	d.past, d.pass, d.pending, d.listed = generations{}, "start", true, false
}

// close ends the snapshot that is being read, if any.
func (d *dump) close() {
	if d.graph != nil {
		d.group.Snapshots = append(d.group.Snapshots, d.graph.snapshot(d))
		d.graph = nil
	}
	d.listed = false
}

// finish ends the document.
func (d *dump) finish(err error) (*irgraph.Document, error) {
	d.close()
	if err != nil {
		d.doc.Truncated(d.at, "the file cannot be read on: %v", err)
	}
	n := 0
	for _, g := range d.doc.Groups {
		n += len(g.Snapshots)
	}
	if n == 0 {
		e := &traceio.Error{File: d.doc.Path, Msg: "no graph is in the file",
			Hint: "did the compiler see the function? record with `orrery graph record --func NAME ./package`"}
		return nil, e.Because(err)
	}
	d.code.finish(d)
	return d.doc, nil
}

// graph is a snapshot in the making: its edges are known when all of its values are.
type graph struct {
	name   string
	values []value
	at     []irgraph.Position
	blocks []block

	arrivals map[[2]string][]int32 // of a block and one in front of it, the positions among its predecessors
}

type block struct {
	id      string
	from    int // its first value
	end     ending
	dead    bool
	at      irgraph.Position
	hasEnd  bool
	preds   []string
	through int // behind its last value
}

func newGraph(name string) *graph { return &graph{name: name} }

// take parses one line of a function's text.
func (g *graph) take(d *dump, line string) {
	if id, rest, ok := strings.Cut(line, ":"); ok && numbered(id, 'b') {
		b := block{id: id, from: len(g.values), through: len(g.values), at: d.at}
		for _, word := range strings.Fields(rest) {
			if numbered(word, 'b') {
				b.preds = append(b.preds, word)
			} else if word == "DEAD" {
				b.dead = true
			}
		}
		g.blocks = append(g.blocks, b)
		return
	}
	if line == "" || strings.HasPrefix(line, "name ") || line == "dependency cycle!" {
		return
	}
	if len(g.blocks) == 0 {
		d.doc.Problem(d.at, "the line is left out", "%.60q stands in front of the first block", line)
		return
	}
	b := &g.blocks[len(g.blocks)-1]
	if v, ok := parseValue(line); ok && !b.hasEnd {
		g.values, g.at = append(g.values, v), append(g.at, d.at)
		b.through = len(g.values)
		return
	}
	if e, ok := parseEnding(line); ok && !b.hasEnd {
		b.end, b.hasEnd = e, true
		return
	}
	d.doc.Problem(d.at, "the line is left out", "%.60q is neither a value nor the end of block %s", line, b.id)
}

// snapshot makes a graph of the values and blocks.
func (g *graph) snapshot(d *dump) *irgraph.Snapshot {
	out := irgraph.NewDraft(d.doc, d.budget, d.pool.Text(g.name))
	ids := map[string]string{}
	types := map[string]string{}
	next := generations{}
	for i := range g.values {
		v := &g.values[i]
		if _, twice := ids[v.id]; !twice {
			ids[v.id] = d.pool.Text(next.take(d.past, v.id, v.op, v.typ, v.line))
			types[v.id] = v.typ
		}
	}
	for i := range g.blocks {
		if b := &g.blocks[i]; ids[b.id] == "" {
			ids[b.id] = d.pool.Text(next.take(d.past, b.id, "", "", ""))
		}
	}
	next.keep(d.past)
	d.past = next
	g.arrivals = map[[2]string][]int32{}
	for _, b := range g.blocks {
		for at, p := range b.preds {
			k := [2]string{b.id, p}
			g.arrivals[k] = append(g.arrivals[k], int32(at))
		}
	}
	for i := range g.blocks {
		g.place(d, out, &g.blocks[i], ids, types)
	}
	return out.Snapshot()
}

// name is the ID of what a line calls raw, raw itself when the graph does not have it.
func name(ids map[string]string, raw string) string {
	if id, ok := ids[raw]; ok {
		return id
	}
	return raw
}

// place puts a block with its values into the draft.
func (g *graph) place(d *dump, out *irgraph.Draft, b *block, ids, types map[string]string) {
	n := out.AddBlock(ids[b.id])
	for i := b.from; i < b.through; i++ {
		v := &g.values[i]
		id := ids[v.id]
		if !out.AddNode(id, d.describe(id, v, ids[b.id]), g.at[i]) {
			continue
		}
		out.AddToBlock(n, id, g.at[i])
		for slot, arg := range v.args {
			out.AddEdge(name(ids, arg), id, 0, int32(slot), edgeType(types[arg]), g.at[i])
		}
	}
	id := ids[b.id]
	if !out.AddNode(id, b.properties(d.pool, id), b.at) {
		return
	}
	out.AddToBlock(n, id, b.at)
	for slot, v := range b.end.controls {
		out.AddEdge(name(ids, v), id, 0, int32(slot), edgeType(types[v]), b.at)
	}
	for slot, s := range b.end.successors {
		out.AddEdge(id, name(ids, s), int32(slot), g.arrival(s, b.id, slot, b.end.successors), controlEdge, b.at)
		out.AddSuccessor(n, name(ids, s), b.at)
	}
}

// arrival is the input slot at which control from a block arrives at its successor: the position among the
// predecessors, which the inputs of phis share.
func (g *graph) arrival(successor, from string, slot int, successors []string) int32 {
	nth := 0 // both branches may go to the same block
	for _, s := range successors[:slot] {
		if s == successor {
			nth++
		}
	}
	if at := g.arrivals[[2]string{successor, from}]; nth < len(at) {
		return at[nth]
	}
	return 0
}

var (
	controlEdge = irgraph.Properties{{Key: irgraph.KeyType, Value: "control"}}
	memoryEdge  = irgraph.Properties{{Key: irgraph.KeyType, Value: "memory"}}
	valueEdge   = irgraph.Properties{{Key: irgraph.KeyType, Value: "value"}}
)

func edgeType(typ string) irgraph.Properties {
	if typ == "mem" {
		return memoryEdge
	}
	return valueEdge
}

// describe gives a value's properties, the same memory for the same text.
func (d *dump) describe(id string, v *value, block string) irgraph.Properties {
	key := id + " " + block + " " + v.line + " " + v.label
	if v.dead {
		key += " DEAD"
	}
	p, ok := d.known[key]
	if !ok {
		p = v.properties(d.pool, block)
		d.known[key] = p
	}
	return p
}

func (v *value) properties(pool irgraph.Pool, block string) irgraph.Properties {
	category, access := classify(v.op, v.typ)
	p := make(irgraph.Properties, 0, 12) // with room for the file, see code.finish
	add := func(key, text string) {
		if text != "" {
			p = append(p, irgraph.Property{Key: key, Value: pool.Text(text)})
		}
	}
	add(irgraph.KeyName, v.op)
	add(irgraph.KeyLabel, v.label)
	add(irgraph.KeyType, v.typ)
	add(irgraph.KeyCategory, category)
	add(irgraph.KeyAccess, access)
	add(irgraph.KeyLine, v.line)
	add(irgraph.KeyBlock, block)
	add("aux", v.aux)
	add("register", v.register)
	add("variables", v.names)
	if v.dead {
		add("dead", "true")
	}
	return p
}

func (b *block) properties(pool irgraph.Pool, id string) irgraph.Properties {
	kind := b.end.kind
	if kind == "" {
		kind = "Block"
	}
	p := irgraph.Properties{{Key: irgraph.KeyName, Value: pool.Text(kind)},
		{Key: irgraph.KeyLabel, Value: pool.Text(b.id + ": " + b.end.label)},
		{Key: irgraph.KeyCategory, Value: "control"}, {Key: irgraph.KeyBlock, Value: id}}
	if b.dead {
		p = append(p, irgraph.Property{Key: "dead", Value: "true"})
	}
	return p
}

// generations distinguishes values of one number: by number, what was last seen under it.
type generations map[string]generation

type generation struct {
	n             int
	op, typ, line string
	gone          bool // not in the last snapshot
}

// take gives the ID of a value of the next snapshot, past being the one before.
func (next generations) take(past generations, raw, op, typ, line string) string {
	g := generation{n: 1, op: op, typ: typ, line: line}
	if before, ok := past[raw]; ok {
		g.n = before.n
		same := before.op == op && before.typ == typ || before.line == line && (before.op == op || before.typ == typ)
		if before.gone || !same {
			g.n++
		}
	}
	next[raw] = g
	return g.id(raw)
}

// id is the ID of this generation of a number.
func (g generation) id(raw string) string {
	if g.n == 1 {
		return raw
	}
	return raw + "#" + strconv.Itoa(g.n)
}

// keep remembers the numbers that are not in this snapshot.
func (next generations) keep(past generations) {
	for raw, g := range past {
		if _, ok := next[raw]; !ok {
			g.gone = true
			next[raw] = g
		}
	}
}
