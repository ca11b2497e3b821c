package irgraph

import (
	"errors"
	"fmt"

	"orrery/traceio"
)

// MaxElements is how many nodes and edges one document holds at most, all snapshots together: a gigabyte or two. What
// else takes memory counts as elements of elementSize bytes: properties and their texts, groups and graphs. A few bytes
// of a difference-encoded or packed file can ask for a large graph, so the length of a file bounds nothing.
const (
	MaxElements = 1 << 22
	elementSize = 128
)

// MaxHeld is how many bytes a reader that counts what it holds takes for a document, by the costs below.
const MaxHeld = 3 << 29

// ErrHeld is the error of a document that takes more.
var ErrHeld = fmt.Errorf("the document takes more than %d MiB of memory; write fewer functions or phases into one file",
	MaxHeld>>20)

// Full is the error that ends the reading of a document that holds as many nodes and edges as it may, which is among
// its problems by then; nil while there is room.
func (b *Budget) Full() error {
	if b.Spent() {
		return errFull
	}
	return nil
}

var errFull = errors.New("the document is full")

// Place is where something stands in a file: a line from 1, or in binary formats, where Line is 0, a byte.
type Place struct {
	Line   int
	Offset int64
}

// Problem notes what could not be used, as a sentence with its place, and a remedy where there is one.
func (d *Document) Problem(at Place, hint, format string, args ...any) {
	if len(d.Problems) == MaxProblems {
		d.MoreProblems++
		return
	}
	d.Problems = append(d.Problems, &traceio.Error{File: d.Path, Line: at.Line, Offset: at.Offset,
		Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// Broken notes what ended the document, which is told however many problems stand in front of it.
func (d *Document) Broken(at Place, format string, args ...any) {
	d.Problems = append(d.Problems, &traceio.Error{File: d.Path, Line: at.Line, Offset: at.Offset,
		Msg: fmt.Sprintf(format, args...), Hint: "what stands in front of it is kept"})
}

// Nothing is the error for a document that is damaged so that no graph of it could be read: what ended it, and the
// first of the problems in front of that.
func (d *Document) Nothing(at Place, hint string, err error, format string, args ...any) *traceio.Error {
	msg := "no function could be read: " + fmt.Sprintf(format, args...)
	if n := len(d.Problems) + d.MoreProblems; n > 0 {
		first, where := d.Problems[0], ""
		if first.Line > 0 {
			where = fmt.Sprintf("line %d: ", first.Line)
		} else if first.Offset > 0 {
			where = fmt.Sprintf("byte %d: ", first.Offset)
		}
		others := "another fault,"
		if n > 1 {
			others = fmt.Sprintf("%d other faults, the first is", n)
		}
		msg += fmt.Sprintf("; it has %s %s%s", others, where, first.Msg)
	}
	return &traceio.Error{File: d.Path, Line: at.Line, Offset: at.Offset, Msg: msg, Hint: hint, Err: err}
}

// Empty tells whether no group has a graph.
func (d *Document) Empty() bool {
	empty := true
	d.Walk(func([]string, *Group) { empty = false })
	return empty
}

// Draft collects one snapshot from its parts in whatever order the file has them: an edge may come before its nodes.
// What does not fit, it notes as a problem of the document and leaves out.
type Draft struct {
	Name       string
	Properties Properties

	doc    *Document
	budget *Budget
	nodes  []draftNode
	index  map[string]int32 // into nodes, of those that are not gone
	edges  []draftEdge
	placed map[edgeKey][]int32 // into edges; made when the first edge is removed
	blocks []draftBlock
	block  map[string]int32
	full   bool
}

type draftNode struct {
	Node
	gone, old bool // removed; taken over from the snapshot before
}

type draftEdge struct {
	from, to         string
	fromSlot, toSlot int32
	properties       Properties
	at               Place
	gone             bool
}

type draftBlock struct {
	name       string
	nodes      []member
	successors []member
}

type member struct {
	name string
	at   Place
}

// Budget is what the drafts of one document may still hold.
type Budget struct{ all, left, bytes int }

// NewBudget gives the budget of a new document; readers of files use MaxElements.
func NewBudget(elements int) *Budget { return &Budget{all: elements, left: elements} }

// Spent tells whether the document is full.
func (b *Budget) Spent() bool { return b.left < 0 }

// NewDraft begins a snapshot of a document.
func NewDraft(doc *Document, budget *Budget, name string) *Draft {
	d := &Draft{Name: name, doc: doc, budget: budget, index: map[string]int32{}, block: map[string]int32{}}
	d.Hold(CostGroup+CostSnapshot, Place{})
	return d
}

// Start takes over the nodes and edges of another snapshot, not its blocks. It tells whether there was room.
func (d *Draft) Start(s *Snapshot) bool {
	if len(s.Nodes)+len(s.Edges) > d.budget.left {
		d.room(len(s.Nodes)+len(s.Edges), Place{})
		return false
	}
	for i := range s.Nodes {
		n := s.Nodes[i]
		n.Block = -1
		d.index[n.ID] = int32(len(d.nodes))
		d.nodes = append(d.nodes, draftNode{Node: n, old: true})
	}
	for _, e := range s.Edges {
		d.edges = append(d.edges, draftEdge{from: s.Nodes[e.From].ID, to: s.Nodes[e.To].ID, fromSlot: e.FromSlot,
			toSlot: e.ToSlot, properties: e.Properties})
	}
	d.budget.left -= len(s.Nodes) + len(s.Edges)
	return true
}

// room takes n elements from the budget; the first time there are none left it notes that.
func (d *Draft) room(n int, at Place) bool {
	if d.budget.left >= n {
		d.budget.left -= n
		return true
	}
	if d.budget.left > -1 {
		d.doc.Problem(at, "write fewer functions or phases into one file",
			"the document has more than %d nodes and edges, their properties counted by size; the rest is left out",
			d.budget.all)
	}
	d.budget.left, d.full = -1, true
	return false
}

// Hold takes room for bytes that are no nodes and edges. It tells whether there was room.
func (d *Draft) Hold(bytes int, at Place) bool {
	d.budget.bytes += bytes
	n := d.budget.bytes / elementSize
	d.budget.bytes %= elementSize
	return d.room(n, at)
}

// Drop gives room for bytes back that are held no more.
func (d *Draft) Drop(bytes int) {
	if d.budget.left >= 0 {
		d.budget.left += bytes / elementSize
	}
}

// Size is the memory that properties take, as if nobody shared their texts.
func (p Properties) Size() (bytes int) {
	for _, q := range p {
		bytes += CostProperty + len(q.Value)
	}
	return bytes
}

// Node adds a node. One that Start took over it replaces; of two that the file itself has under one ID the first stays.
func (d *Draft) Node(id string, p Properties, at Place) bool {
	if i, ok := d.index[id]; ok {
		if !d.nodes[i].old {
			d.doc.Problem(at, "the first of them stays", "node %.40q stands twice in graph %.60q", id, d.Name)
			return false
		}
		d.nodes[i].Properties, d.nodes[i].Guessed, d.nodes[i].old = p, 0, false
		return true
	}
	if !d.room(1, at) || !d.Hold(len(id)+p.Size(), at) {
		return false
	}
	d.index[id] = int32(len(d.nodes))
	d.nodes = append(d.nodes, draftNode{Node: Node{ID: id, Properties: p, Block: -1}})
	return true
}

// Guess says which properties of a node that is there are not the file's.
func (d *Draft) Guess(id string, g Guess) {
	if i, ok := d.index[id]; ok {
		d.nodes[i].Guessed = g
	}
}

// Describe replaces the properties of a node that is there.
func (d *Draft) Describe(id string, p Properties) {
	if i, ok := d.index[id]; ok {
		d.nodes[i].Properties = p
	}
}

// RemoveNode takes a node out with all its edges that were taken over.
func (d *Draft) RemoveNode(id string, at Place) {
	i, ok := d.index[id]
	if !ok {
		d.doc.Problem(at, "was a graph before it left out?", "node %.40q is removed from graph %.60q, which does not have it",
			id, d.Name)
		return
	}
	d.nodes[i].gone = true
	delete(d.index, id)
}

// Edge adds an edge. Its nodes may come later.
func (d *Draft) Edge(from, to string, fromSlot, toSlot int32, p Properties, at Place) {
	if !d.room(1, at) || !d.Hold(p.Size(), at) {
		return
	}
	d.edges = append(d.edges, draftEdge{from: from, to: to, fromSlot: fromSlot, toSlot: toSlot, properties: p, at: at})
	if d.placed != nil {
		k := d.edges[len(d.edges)-1].key()
		d.placed[k] = append(d.placed[k], int32(len(d.edges)-1))
	}
}

// RemoveEdge takes an edge out, the last of several between the same slots with the same type.
func (d *Draft) RemoveEdge(from, to string, fromSlot, toSlot int32, kind string, at Place) {
	if d.placed == nil {
		d.placed = map[edgeKey][]int32{}
		for i := range d.edges {
			k := d.edges[i].key()
			d.placed[k] = append(d.placed[k], int32(i))
		}
	}
	k := edgeKey{from, to, fromSlot, toSlot, kind}
	list := d.placed[k]
	if len(list) == 0 {
		d.doc.Problem(at, "was a graph before it left out?",
			"the edge from %.40q to %.40q is removed from graph %.60q, which does not have it", from, to, d.Name)
		return
	}
	d.edges[list[len(list)-1]].gone = true
	d.placed[k] = list[:len(list)-1]
}

// edgeKey is what tells edges apart.
type edgeKey struct {
	from, to         string
	fromSlot, toSlot int32
	kind             string
}

func (e *draftEdge) key() edgeKey {
	return edgeKey{e.from, e.to, e.fromSlot, e.toSlot, e.properties.Get(KeyType)}
}

// Block adds a block, or names one that is there, and gives its number.
func (d *Draft) Block(name string) int {
	i, ok := d.block[name]
	if !ok && !d.room(1, Place{}) && len(d.blocks) > 0 {
		return 0 // nothing more is kept
	}
	if !ok {
		i = int32(len(d.blocks))
		d.block[name] = i
		d.blocks = append(d.blocks, draftBlock{name: name})
	}
	return int(i)
}

// Put puts a node, which may come later, at the end of a block.
func (d *Draft) Put(block int, id string, at Place) {
	if d.room(1, at) {
		d.blocks[block].nodes = append(d.blocks[block].nodes, member{id, at})
	}
}

// Successor says that control goes from a block to another one, which may come later.
func (d *Draft) Successor(block int, name string, at Place) {
	if d.room(1, at) {
		d.blocks[block].successors = append(d.blocks[block].successors, member{name, at})
	}
}

// Snapshot ends the draft: edges find their nodes, blocks theirs.
func (d *Draft) Snapshot() *Snapshot {
	s := &Snapshot{Name: d.Name, Properties: d.Properties, Nodes: make([]Node, 0, len(d.index))}
	for i := range d.nodes {
		if !d.nodes[i].gone {
			d.index[d.nodes[i].ID] = int32(len(s.Nodes))
			s.Nodes = append(s.Nodes, d.nodes[i].Node)
		}
	}
	for i := range d.edges {
		e := &d.edges[i]
		if e.gone {
			continue
		}
		from, fromOK := d.index[e.from]
		to, toOK := d.index[e.to]
		if !fromOK || !toOK {
			d.dangling(e, fromOK)
			continue
		}
		s.Edges = append(s.Edges, Edge{From: from, To: to, FromSlot: e.fromSlot, ToSlot: e.toSlot, Properties: e.properties})
	}
	for i := range d.blocks {
		s.Blocks = append(s.Blocks, d.finish(s, i))
	}
	return s
}

// dangling notes an edge without one of its ends. One that was taken over went with its node, which is no fault of the
// file when the node is said to be removed.
func (d *Draft) dangling(e *draftEdge, fromOK bool) {
	if e.at == (Place{}) || d.full {
		return
	}
	if e.from == "" || e.to == "" {
		d.doc.Problem(e.at, "the edge is left out",
			"an edge of graph %.60q from %.40q to %.40q does not name both of its ends", d.Name, e.from, e.to)
		return
	}
	missing := e.to
	if !fromOK {
		missing = e.from
	}
	d.doc.Problem(e.at, "the edge is left out", "an edge goes from %.40q to %.40q, but graph %.60q has no node %.40q",
		e.from, e.to, d.Name, missing)
}

// finish gives block i with what it names.
func (d *Draft) finish(s *Snapshot, i int) Block {
	b := &d.blocks[i]
	out := Block{Name: b.name}
	for _, m := range b.nodes {
		n, ok := d.index[m.name]
		switch {
		case !ok:
			d.doc.Problem(m.at, "", "block %.40q has node %.40q, which graph %.60q does not have", b.name, m.name, d.Name)
		case s.Nodes[n].Block >= 0:
			d.doc.Problem(m.at, "it stays in the first", "node %.40q is in block %.40q and in block %.40q of graph %.60q",
				m.name, d.blocks[s.Nodes[n].Block].name, b.name, d.Name)
		default:
			s.Nodes[n].Block = int32(i)
			out.Nodes = append(out.Nodes, n)
		}
	}
	for _, m := range b.successors {
		if to, ok := d.block[m.name]; ok {
			out.Successors = append(out.Successors, to)
		} else {
			d.doc.Problem(m.at, "", "block %.40q leads to block %.40q, which graph %.60q does not have", b.name, m.name, d.Name)
		}
	}
	return out
}
