// Package bgv reads the binary graphs that GraalVM's compiler dumps with -Dgraal.Dump, in the versions 1 to 8 of the
// format.
package bgv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// signature in front of a file, and again where files were put behind each other.
const magic = "BIGV"

// newest is the latest major version that is known.
const newest = 8

// Sniff reports whether a file begins like BGV.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// Read reads a document. A damaged one is read up to the damage; the error is an *traceio.Error, for one without any
// group and for one whose damage left no graph.
func Read(in io.Reader, name string) (*irgraph.Document, error) {
	r := newReader(in, name)
	r.document()
	if len(r.doc.Groups) == 0 {
		msg := "no group is in the file"
		if r.err != nil {
			msg = r.sentence()
		}
		return nil, &traceio.Error{File: name, Offset: r.offset, Msg: msg, Hint: "was it cut? dump again with -Dgraal.Dump",
			Err: r.err}
	}
	if r.err != nil && r.doc.Empty() {
		return nil, r.doc.NoGraphs(r.at(), "was it cut or damaged? dump again with -Dgraal.Dump", r.err, "%s%s",
			r.where(), r.sentence())
	}
	r.close()
	return r.doc, nil
}

type reader struct {
	*stream
	doc       *irgraph.Document
	budget    *irgraph.Budget
	texts     irgraph.Pool
	major     int
	pool      map[int]*object
	nested    int
	open      []*irgraph.Group
	account   irgraph.Account
	poolBytes int // bytes that the pool takes
}

func newReader(in io.Reader, name string) *reader {
	return &reader{stream: newStream(in), doc: &irgraph.Document{Path: name, Format: "bgv"},
		budget: irgraph.NewBudget(irgraph.MaxElements), texts: irgraph.Pool{}, pool: map[int]*object{}}
}

func (r *reader) at() irgraph.Position { return irgraph.Position{Offset: r.offset} }

// sentence is what ended the document, for people.
func (r *reader) sentence() string {
	if errors.Is(r.err, io.EOF) {
		return "the file ends in the middle"
	}
	return r.err.Error()
}

// close notes what ended the document.
func (r *reader) close() {
	if r.err != nil {
		r.doc.Truncated(r.at(), "%s%s", r.where(), r.sentence())
	}
}

// where names the group that is being read.
func (r *reader) where() string {
	if n := len(r.open); n > 0 {
		return fmt.Sprintf("in group %.60q: ", r.open[n-1].Name)
	}
	return ""
}

// The objects at the outside.
const (
	beginGroup = iota
	beginGraph
	closeGroup
	documentProperties
)

// document reads to the end of the stream; err stays nil where that is between groups.
func (r *reader) document() {
	for r.err == nil {
		// One byte, for a stream may have no more for now: the kinds of objects are small numbers, and no letters.
		head, err := r.r.Peek(1)
		if len(head) == 1 && head[0] == magic[0] {
			r.header()
			continue
		}
		if len(head) == 0 {
			if err != io.EOF || len(r.open) > 0 {
				r.err = err
			}
			return
		}
		if r.major == 0 {
			r.fail("the file does not begin with %s", magic)
			return
		}
		switch kind := r.byte(); kind {
		case beginGroup:
			r.group()
		case beginGraph:
			r.graph()
		case closeGroup:
			r.closeGroup()
		case documentProperties:
			r.doc.Properties = r.properties()
		default:
			r.fail("%d begins neither a group nor a graph", kind)
		}
	}
}

// header reads the signature and the version; the pool begins anew.
func (r *reader) header() {
	if head := r.fill(4); string(head) != magic {
		r.fail("the file does not begin with %s", magic)
	}
	r.major = r.byte()
	r.byte()
	clear(r.pool)
	r.holdPool(-r.poolBytes)
	if r.err == nil && (r.major < 1 || r.major > newest) {
		r.fail("version %d of the format is not known; 1 to %d are", r.major, newest)
	}
}

func (r *reader) closeGroup() {
	n := len(r.open)
	if n == 0 {
		r.fail("a group ends that was not begun")
		return
	}
	if n == 1 && r.account.To != nil {
		r.endWith(r.account.Report())
		if r.err != nil {
			return
		}
		r.handOut()
	}
	r.open = r.open[:n-1]
}

// maxGroups bounds how deep groups nest.
const maxGroups = 256

func (r *reader) group() {
	r.hold(irgraph.CostGroup)
	g := &irgraph.Group{Name: r.string()}
	short := r.string()
	m := r.object()
	bci := r.int()
	g.Properties = r.properties()
	if short != "" {
		g.Properties = g.Properties.With("shortName", short)
	}
	if m != nil && m.method != nil {
		if r.hold(irgraph.CostMethod + len(m.method.code)*irgraph.CostBytecode); r.err != nil {
			return
		}
		g.Method = &irgraph.Method{Name: m.method.String(), At: max(bci, -1), Bytecodes: codes(m.method.code)}
	}
	n := len(r.open)
	switch {
	case n >= maxGroups:
		r.fail("more than %d groups are nested", maxGroups)
		return
	case n > 0:
		r.open[n-1].Groups = append(r.open[n-1].Groups, g)
	default:
		r.doc.Groups = append(r.doc.Groups, g)
		if r.account.To != nil && r.err == nil {
			r.account.To.Began(g)
		}
	}
	r.open = append(r.open, g)
}

// graph reads a graph at the outside of a group.
func (r *reader) graph() {
	name := ""
	if r.major < 2 {
		name = r.string()
	} else {
		id := r.int()
		format := r.text()
		var args []string
		for n := r.int(); n > 0 && r.err == nil; n-- {
			r.hold(irgraph.CostMember)
			if r.major == 2 {
				args = append(args, r.string())
			} else {
				args = append(args, r.property())
			}
		}
		name = strconv.Itoa(id) + ": " + printed(format, args)
	}
	at := r.at()
	s := r.contents(name)
	if len(r.open) == 0 {
		r.doc.Problem(at, "it is left out", "graph %.60q stands outside of groups", name)
		return
	}
	if !r.budget.Exhausted() {
		g := r.open[len(r.open)-1]
		g.Snapshots = append(g.Snapshots, s)
	}
}

// maxName bounds the names of graphs and nodes.
const maxName = 4096

// printed puts arguments where the format has %s or the like.
func printed(format string, args []string) string {
	var b strings.Builder
	for i := 0; i < len(format) && b.Len() < maxName; i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		switch {
		case format[i] == '%':
			b.WriteByte('%')
		case len(args) > 0:
			b.WriteString(cut(args[0], maxWord))
			args = args[1:]
		}
	}
	return b.String()
}

// contents reads what is in a graph. What is read up to an error makes a snapshot too.
func (r *reader) contents(name string) *irgraph.Snapshot {
	d := irgraph.NewDraft(r.doc, r.budget, r.pooled(name))
	if r.hold(irgraph.CostSnapshot); r.err != nil {
		return d.Snapshot()
	}
	d.Properties = r.properties()
	for n := r.int(); n > 0 && r.err == nil; n-- {
		r.node(d)
	}
	for n := r.int(); n > 0 && r.err == nil; n-- {
		at := r.at()
		r.hold(irgraph.CostBlock)
		b := d.AddBlock("B" + strconv.Itoa(r.int()))
		for n := r.int(); n > 0 && r.err == nil; n-- {
			r.hold(irgraph.CostMember)
			if id := r.int(); id >= 0 && r.err == nil {
				d.AddToBlock(b, strconv.Itoa(id), at)
			}
		}
		for n := r.int(); n > 0 && r.err == nil; n-- {
			r.hold(irgraph.CostMember)
			if to := r.int(); r.err == nil {
				d.AddSuccessor(b, "B"+strconv.Itoa(to), at)
			}
		}
	}
	return d.Snapshot()
}

func (r *reader) node(d *irgraph.Draft) {
	at := r.at()
	id := strconv.Itoa(r.int())
	o := r.object()
	hasPredecessor := r.byte()
	p := r.properties()
	if o == nil || o.class == nil {
		if r.err == nil {
			r.fail("node %s has no class", id)
		}
		return
	}
	if r.err != nil && r.err != io.EOF {
		return
	}
	r.hold(irgraph.CostNode + 4*irgraph.CostProperty)
	d.AddNode(r.pooled(id), o.class.describe(p), at)
	slot := int32(0)
	if hasPredecessor > 0 {
		slot = 1 // the first input slot is the predecessor's
	}
	for i := range o.class.inputs {
		r.ends(&o.class.inputs[i], func(other, name string) {
			d.AddEdge(other, id, 0, slot, irgraph.Properties{{Key: irgraph.KeyType, Value: kind(o.class.inputs[i].kind)},
				{Key: irgraph.KeyLabel, Value: name}}, at)
			slot++
		}, func() { slot++ })
	}
	from := int32(0)
	for i := range o.class.next {
		r.ends(&o.class.next[i], func(other, name string) {
			d.AddEdge(id, other, from, 0, irgraph.Properties{{Key: irgraph.KeyType, Value: "control"},
				{Key: irgraph.KeyLabel, Value: name}}, at)
			from++
		}, func() { from++ })
	}
}

// ends reads the nodes at one port, of which -1 is none.
func (r *reader) ends(p *port, edge func(other, name string), none func()) {
	n := 1
	if p.list {
		n = r.short()
	}
	for k := range n {
		id := r.int()
		switch {
		case r.err != nil:
			return
		case id < 0:
			none()
			continue
		case p.list:
			edge(r.pooled(strconv.Itoa(id)), r.pooled(fmt.Sprintf("%s[%d]", p.name, k)))
		default:
			edge(r.pooled(strconv.Itoa(id)), p.name)
		}
		r.hold(irgraph.CostEdge + 2*irgraph.CostProperty)
	}
}

// kind is an input's type in the words of the other formats.
func kind(input string) string {
	if input == "" {
		return "value"
	}
	return input
}

// describe adds to a node's properties what its class tells.
func (c *nodeClass) describe(p irgraph.Properties) irgraph.Properties {
	name := c.named(p)
	category, access := c.classify()
	out := irgraph.Properties{{Key: irgraph.KeyName, Value: name}, {Key: "class", Value: c.name},
		{Key: irgraph.KeyCategory, Value: category}}
	if access != "" {
		out = append(out, irgraph.Property{Key: irgraph.KeyAccess, Value: access})
	}
	for _, q := range p {
		if _, ok := out.Lookup(q.Key); !ok {
			out = append(out, q)
		}
	}
	return out
}

// named fills in the class's template: {p#key} is a property, {i#name} inputs, which the edges show.
func (c *nodeClass) named(p irgraph.Properties) string {
	if c.template == "" {
		return c.short()
	}
	var b strings.Builder
	for rest := c.template; rest != "" && b.Len() < maxName; {
		before, behind, ok := strings.Cut(rest, "{")
		b.WriteString(cut(before, maxName))
		if !ok {
			break
		}
		mark, after, ok := strings.Cut(behind, "}")
		if !ok {
			break
		}
		if key, isProperty := strings.CutPrefix(mark, "p#"); isProperty {
			key, _, _ = strings.Cut(key, "/")
			b.WriteString(cut(p.Get(key), maxWord))
		}
		rest = after
	}
	return b.String()
}

func (c *nodeClass) classify() (category, access string) {
	name := c.short()
	switch {
	case strings.Contains(name, "CompareAndSwap"), strings.Contains(name, "Atomic"),
		strings.Contains(name, "LogicCompareAndSwap"):
		access = "load store"
	case strings.HasPrefix(name, "Load"), strings.HasSuffix(name, "Read"), strings.HasPrefix(name, "RawLoad"):
		access = "load"
	case strings.HasPrefix(name, "Store"), strings.HasSuffix(name, "Write"), strings.HasPrefix(name, "RawStore"):
		access = "store"
	}
	switch {
	case access != "":
		return "memory", access
	case strings.HasSuffix(name, "Phi"):
		return "phi", ""
	case name == "Constant":
		return "constant", ""
	case strings.Contains(name, "FrameState"):
		return "other", ""
	case len(c.next) > 0, strings.Contains(name, "End"), strings.Contains(name, "Return"), strings.Contains(name, "Merge"),
		strings.Contains(name, "Begin"):
		return "control", ""
	}
	return "data", ""
}
