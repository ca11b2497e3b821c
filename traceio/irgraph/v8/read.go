// Package v8 reads what V8's optimizing compiler dumps with --trace-turbo: node --trace-turbo program.js writes a file
// turbo-FUNCTION-0.json for each compilation, with a graph after every phase. A schedule becomes a snapshot too, with
// the nodes that it has, and with blocks. Numbers of nodes are never used again, so they are the IDs. Lines count from
// the function's first, because the file does not say where in the script that is.
package v8

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// Sniff reports whether a file begins like one of --trace-turbo.
func Sniff(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	if !bytes.HasPrefix(head, []byte("{")) {
		return false
	}
	i, j := bytes.Index(head, []byte(`"phases"`)), bytes.Index(head, []byte(`"function"`))
	return i >= 0 && j >= 0 || j == 1 && bytes.Contains(head, []byte(`"functionName"`))
}

// largest is how many bytes one phase, or another value that is read in one piece, may take; the largest graphs have
// some ten million.
const largest = 128 << 20

// Read reads one file. A damaged one is read up to the damage; the error is an *traceio.Error, for one without any
// graph.
func Read(r io.Reader, name string) (*irgraph.Document, error) {
	return readValues(r, name, largest)
}

// readValues is Read with a limit to each value.
func readValues(r io.Reader, name string, most int64) (*irgraph.Document, error) {
	lines := &lineCounter{r: r, most: most}
	x := &reader{doc: &irgraph.Document{Path: name, Format: "v8"}, budget: irgraph.NewBudget(irgraph.MaxElements),
		pool: irgraph.Pool{},
		dec:  json.NewDecoder(lines), lines: lines, group: &irgraph.Group{}}
	lines.taken = x.dec.InputOffset
	err := x.top()
	if len(x.group.Snapshots) == 0 {
		msg := "no graph is in the file"
		if err != nil {
			msg = sentence(err)
		}
		return nil, &traceio.Error{File: name, Line: x.end(err).Line, Msg: msg,
			Hint: "was it cut? write it again with node --trace-turbo", Err: err}
	}
	if err != nil {
		x.doc.Truncated(x.end(err), "%s%s", x.where(), sentence(err))
	}
	x.finish()
	x.doc.Groups = []*irgraph.Group{x.group}
	return x.doc, nil
}

// sentence is an error's text for people.
func sentence(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the file ends before its values do"
	}
	var shape *json.UnmarshalTypeError
	if errors.As(err, &shape) {
		return misshapen(shape.Field, shape)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// misshapen says of a field that it is not what it should be, in the words of JSON.
func misshapen(field string, e *json.UnmarshalTypeError) string {
	value, _, _ := strings.Cut(e.Value, " ") // "number 1.5"
	is := map[string]string{"object": "an object", "array": "an array", "bool": "a truth value"}[value]
	if is == "" {
		is = "a " + value
	}
	should := "a number"
	switch e.Type.Kind() {
	case reflect.Struct, reflect.Map:
		should = "an object"
	case reflect.Slice, reflect.Array:
		should = "an array"
	case reflect.String:
		should = "a string"
	case reflect.Bool:
		should = "a truth value"
	}
	if is == should {
		should = "a whole number that is small enough"
	}
	if field == "" {
		return fmt.Sprintf("what stands there is %s and not %s", is, should)
	}
	return fmt.Sprintf("field %q is %s and not %s", field, is, should)
}

type reader struct {
	doc    *irgraph.Document
	budget *irgraph.Budget
	pool   irgraph.Pool
	dec    *json.Decoder
	lines  *lineCounter
	group  *irgraph.Group
	phase  string // being read

	function  source
	sources   map[string]source
	bytecodes map[string]bytecodes
	inlinings map[string]inlining
	code      code
}

// source is a function's text, which begins at a byte of its script.
type source struct {
	Name  string `json:"functionName"`
	File  string `json:"sourceName"`
	Text  string `json:"sourceText"`
	Start int    `json:"startPosition"`

	ends []int // of lines in the text
}

type bytecodes struct {
	Source struct {
		Data []struct {
			Offset      int    `json:"offset"`
			Disassembly string `json:"disassembly"`
		} `json:"data"`
	} `json:"bytecodeSource"`
}

// inlining is one call that was inlined: of which source, and where in which inlining, -1 being the function itself.
type inlining struct {
	Function flexible  `json:"sourceId"`
	Position *position `json:"inliningPosition"`
}

type position struct {
	Offset   int      `json:"scriptOffset"`
	Inlining flexible `json:"inliningId"`
}

// flexible is a number or a text, as text.
type flexible string

// UnmarshalJSON takes whatever stands there.
func (f *flexible) UnmarshalJSON(b []byte) error {
	*f = flexible(strings.Trim(string(b), `"`))
	return nil
}

// at is where the decoder stands.
func (x *reader) at() irgraph.Position {
	return irgraph.Position{Line: x.lines.line(x.dec.InputOffset())}
}

// end is where an error stands: at the end of the file when it was cut.
func (x *reader) end(err error) irgraph.Position {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return irgraph.Position{Line: x.lines.line(x.lines.read)}
	}
	return x.at()
}

func (x *reader) where() string {
	if x.phase == "" {
		return ""
	}
	return fmt.Sprintf("in phase %q: ", x.phase)
}

// top reads the outermost object.
func (x *reader) top() error {
	return x.object(func(key string) error {
		switch key {
		case "function":
			return x.value(key, &x.function)
		case "phases":
			return x.array(x.onePhase)
		case "sources":
			return x.value(key, &x.sources)
		case "bytecodeSources":
			return x.value(key, &x.bytecodes)
		case "inlinings":
			return x.value(key, &x.inlinings)
		}
		var skip json.RawMessage
		return x.dec.Decode(&skip)
	})
}

// value reads the value of a key. One of another shape than expected is a problem, not the end of the file.
func (x *reader) value(key string, into any) error {
	at := x.at()
	err := x.dec.Decode(into)
	var shape *json.UnmarshalTypeError
	if errors.As(err, &shape) {
		if shape.Field != "" {
			key += "." + shape.Field
		}
		x.doc.Problem(at, "it is left out", "%s%s", x.where(), misshapen(key, shape))
		return nil
	}
	return err
}

// object reads an object and gives each key to f, which must read the value.
func (x *reader) object(f func(key string) error) error {
	return x.between('{', func() error {
		t, err := x.dec.Token()
		if err != nil {
			return err
		}
		key, _ := t.(string)
		return f(key)
	})
}

func (x *reader) array(f func() error) error { return x.between('[', f) }

func (x *reader) between(open json.Delim, f func() error) error {
	t, err := x.dec.Token()
	if err != nil {
		return err
	}
	if t != open {
		return fmt.Errorf("%v stands where a %v should", t, open)
	}
	for x.dec.More() {
		if err := f(); err != nil {
			return err
		}
	}
	_, err = x.dec.Token()
	return err
}

// phase is one phase of any type.
type phase struct {
	Name       string                     `json:"name"`
	Type       string                     `json:"type"`
	Data       json.RawMessage            `json:"data"`
	NodeRange  map[string][2]int          `json:"nodeIdToInstructionRange"`
	InstrToPCs map[string]json.RawMessage `json:"instructionOffsetToPCOffset"`
}

func (x *reader) onePhase() error {
	var p phase
	if err := x.value("phases", &p); err != nil {
		return err
	}
	x.phase = p.Name
	defer func() { x.phase = "" }()
	at := x.at()
	switch p.Type {
	case "graph", "turboshaft_graph":
		var g graph
		if err := json.Unmarshal(p.Data, &g); err != nil {
			x.doc.Problem(at, "the phase is left out", "%s%s", x.where(), sentence(err))
			return nil
		}
		x.graph(p.Name, &g, at)
	case "schedule":
		var text string
		if err := json.Unmarshal(p.Data, &text); err != nil {
			x.doc.Problem(at, "the phase is left out", "%s%s", x.where(), sentence(err))
			return nil
		}
		x.schedule(p.Name, text, at)
	case "instructions":
		x.code.instructions(&p)
	case "disassembly":
		var text string
		if json.Unmarshal(p.Data, &text) == nil {
			x.code.text = text
		}
	}
	return nil
}

// graph is a phase's data.
type graph struct {
	Nodes  []node  `json:"nodes"`
	Edges  []edge  `json:"edges"`
	Blocks []block `json:"blocks"` // of turboshaft
}

type node struct {
	ID         flexible  `json:"id"`
	Label      string    `json:"label"`
	Title      string    `json:"title"`
	Opcode     string    `json:"opcode"`
	Properties string    `json:"properties"`
	Type       string    `json:"type"`
	Control    bool      `json:"control"`
	Live       *bool     `json:"live"`
	OpInfo     string    `json:"opinfo"`
	Position   *position `json:"sourcePosition"`
	Block      *flexible `json:"block_id"`
	Origin     *struct {
		Bytecode *int   `json:"bytecodePosition"`
		Reducer  string `json:"reducer"`
		Phase    string `json:"phase"`
	} `json:"origin"`
}

type edge struct {
	Source flexible `json:"source"`
	Target flexible `json:"target"`
	Index  *int32   `json:"index"`
	Type   string   `json:"type"`
}

type block struct {
	ID           flexible   `json:"id"`
	Predecessors []flexible `json:"predecessors"`
}

func (x *reader) graph(name string, g *graph, at irgraph.Position) {
	if x.budget.Exhausted() {
		return
	}
	d := irgraph.NewDraft(x.doc, x.budget, x.pool.Text(name))
	for i := range g.Blocks {
		d.AddBlock(string(g.Blocks[i].ID))
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.ID == "" || n.ID == "null" {
			x.doc.Problem(at, "it is left out", "%snode %d has no id", x.where(), i)
			continue
		}
		id := x.pool.Text(string(n.ID))
		if d.AddNode(id, x.properties(n), at) && n.Block != nil {
			d.AddToBlock(d.AddBlock(string(*n.Block)), id, at)
		}
	}
	slots := map[flexible]int32{}
	for i := range g.Edges {
		e := &g.Edges[i]
		slot := slots[e.Target]
		if slots[e.Target]++; e.Index != nil {
			slot = max(*e.Index, 0)
		}
		d.AddEdge(x.pool.Text(string(e.Source)), x.pool.Text(string(e.Target)), 0, slot, edgeType(x.pool.Text(e.Type)), at)
	}
	for i := range g.Blocks {
		for _, from := range g.Blocks[i].Predecessors {
			d.AddSuccessor(d.AddBlock(string(from)), string(g.Blocks[i].ID), at)
		}
	}
	if !x.budget.Exhausted() || len(x.group.Snapshots) == 0 {
		x.group.Snapshots = append(x.group.Snapshots, d.Snapshot())
	}
}

// edgeTypes are shared by all edges.
var edgeTypes = shared("value", "context", "frame-state", "effect", "control")

func shared(types ...string) map[string]irgraph.Properties {
	out := map[string]irgraph.Properties{}
	for _, t := range types {
		out[t] = irgraph.Properties{{Key: irgraph.KeyType, Value: t}}
	}
	return out
}

func edgeType(t string) irgraph.Properties {
	if t == "" {
		t = "value"
	}
	if p, ok := edgeTypes[t]; ok {
		return p
	}
	return irgraph.Properties{{Key: irgraph.KeyType, Value: t}}
}

// properties gives a node's properties. Lines are added when the function's text is sure to be known, in finish.
func (x *reader) properties(n *node) irgraph.Properties {
	opcode := n.Opcode
	if opcode == "" {
		opcode, _, _ = strings.Cut(n.Title+n.Label, "[")
	}
	category, access := classify(opcode, n.Control)
	p := make(irgraph.Properties, 0, 16)
	add := func(key, text string) {
		if text != "" {
			p = append(p, irgraph.Property{Key: key, Value: x.pool.Text(text)})
		}
	}
	add(irgraph.KeyName, opcode)
	add(irgraph.KeyLabel, firstOf(n.Title, n.Label))
	add(irgraph.KeyType, n.Type)
	add(irgraph.KeyCategory, category)
	add(irgraph.KeyAccess, access)
	add("properties", n.Properties)
	add("opinfo", n.OpInfo)
	if n.Position != nil && n.Position.Offset >= 0 {
		add("offset", strconv.Itoa(n.Position.Offset))
		if n.Position.Inlining != "-1" {
			add("inlining", string(n.Position.Inlining))
		}
	}
	if o := n.Origin; o != nil {
		if o.Bytecode != nil {
			add("bci", strconv.Itoa(*o.Bytecode))
		}
		add("reducer", o.Reducer)
		add("since", o.Phase)
	}
	if n.Live != nil && !*n.Live {
		add("dead", "true")
	}
	return p
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// classify tells what an operation does by its name.
func classify(opcode string, control bool) (category, access string) {
	switch {
	case strings.HasPrefix(opcode, "LoadStackCheckOffset"), opcode == "LoadFramePointer",
		opcode == "LoadParentFramePointer", opcode == "LoadTypedElementLength":
	case strings.Contains(opcode, "Atomic"), opcode == "TransitionAndStoreElement":
		access = "load store"
	case strings.HasPrefix(opcode, "Load"), strings.HasPrefix(opcode, "ProtectedLoad"),
		strings.HasPrefix(opcode, "UnalignedLoad"), strings.HasPrefix(opcode, "JSLoad"):
		access = "load"
	case strings.HasPrefix(opcode, "Store"), strings.HasPrefix(opcode, "ProtectedStore"),
		strings.HasPrefix(opcode, "UnalignedStore"), strings.HasPrefix(opcode, "JSStore"):
		access = "store"
	}
	switch {
	case access != "":
		return "memory", access
	case control, opcode == "LoopExit": // which V8 itself does not count as control, though it hands on nothing else
		return "control", ""
	case opcode == "Phi":
		return "phi", ""
	case strings.HasSuffix(opcode, "Constant"):
		return "constant", ""
	case strings.HasPrefix(opcode, "Effect"), strings.Contains(opcode, "Call"), opcode == "Checkpoint",
		opcode == "BeginRegion", opcode == "FinishRegion", opcode == "LoopExitEffect":
		return "effect", ""
	case strings.Contains(opcode, "State"):
		return "other", ""
	}
	return "data", ""
}

// lineCounter finds the lines of bytes that the decoder has not passed, and bounds what it holds.
type lineCounter struct {
	r     io.Reader
	most  int64        // bytes that may be read beyond those taken
	taken func() int64 // the decoder's place
	read  int64
	lines int     // that end in front of the first of ends
	ends  []int64 // of lines
}

// Read reads on.
func (l *lineCounter) Read(p []byte) (int, error) {
	taken := l.taken()
	if l.read-taken > l.most {
		return 0, fmt.Errorf("a value is longer than %d MiB", l.most>>20)
	}
	past, _ := slices.BinarySearch(l.ends, taken)
	l.lines, l.ends = l.lines+past, l.ends[past:]
	n, err := l.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			l.ends = append(l.ends, l.read+int64(i))
		}
	}
	l.read += int64(n)
	return n, err
}

// line is the line of a byte, from 1.
func (l *lineCounter) line(offset int64) int {
	i, _ := slices.BinarySearch(l.ends, offset)
	return l.lines + i + 1
}
