package irgraph

// Draft builds one snapshot from its parts in whatever order the file has them: an edge may come before its nodes. What
// does not fit becomes a problem of the document and is left out.
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
	gone, old bool // removed; copied from the snapshot before
}

type draftEdge struct {
	from, to         string
	fromSlot, toSlot int32
	properties       Properties
	at               Position
	gone             bool
}

type draftBlock struct {
	name       string
	nodes      []member
	successors []member
}

type member struct {
	name string
	at   Position
}

// NewDraft begins a snapshot of a document.
func NewDraft(doc *Document, budget *Budget, name string) *Draft {
	d := &Draft{Name: name, doc: doc, budget: budget, index: map[string]int32{}, block: map[string]int32{}}
	d.Hold(CostGroup+CostSnapshot, Position{})
	return d
}

// CopyFrom copies the nodes and edges of another snapshot, not its blocks, and reports whether there was room.
func (d *Draft) CopyFrom(s *Snapshot) bool {
	if len(s.Nodes)+len(s.Edges) > d.budget.left {
		d.room(len(s.Nodes)+len(s.Edges), Position{})
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

// room takes n elements from the budget; the first time there are none left it notes a problem.
func (d *Draft) room(n int, at Position) bool {
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

// Hold takes room for bytes that are no nodes and edges, and reports whether there was room.
func (d *Draft) Hold(bytes int, at Position) bool {
	d.budget.bytes += bytes
	n := d.budget.bytes / elementSize
	d.budget.bytes %= elementSize
	return d.room(n, at)
}

// Drop gives room for bytes back.
func (d *Draft) Drop(bytes int) {
	if d.budget.left >= 0 {
		d.budget.left += bytes / elementSize
	}
}

// Size is the memory that properties take, as if their texts were not shared.
func (p Properties) Size() (bytes int) {
	for _, q := range p {
		bytes += CostProperty + len(q.Value)
	}
	return bytes
}

// AddNode adds a node. It replaces one that CopyFrom copied; of two that the file itself has under one ID the first
// stays.
func (d *Draft) AddNode(id string, p Properties, at Position) bool {
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

// SetGuessed says which properties of a node were added by the reader.
func (d *Draft) SetGuessed(id string, g Guess) {
	if i, ok := d.index[id]; ok {
		d.nodes[i].Guessed = g
	}
}

// SetProperties replaces the properties of a node.
func (d *Draft) SetProperties(id string, p Properties) {
	if i, ok := d.index[id]; ok {
		d.nodes[i].Properties = p
	}
}

// RemoveNode removes a node with all its edges that were copied.
func (d *Draft) RemoveNode(id string, at Position) {
	i, ok := d.index[id]
	if !ok {
		d.doc.Problem(at, "was a graph before it left out?", "node %.40q is removed from graph %.60q, which does not have it",
			id, d.Name)
		return
	}
	d.nodes[i].gone = true
	delete(d.index, id)
}

// AddEdge adds an edge. Its nodes may come later.
func (d *Draft) AddEdge(from, to string, fromSlot, toSlot int32, p Properties, at Position) {
	if !d.room(1, at) || !d.Hold(p.Size(), at) {
		return
	}
	d.edges = append(d.edges, draftEdge{from: from, to: to, fromSlot: fromSlot, toSlot: toSlot, properties: p, at: at})
	if d.placed != nil {
		k := d.edges[len(d.edges)-1].key()
		d.placed[k] = append(d.placed[k], int32(len(d.edges)-1))
	}
}

// RemoveEdge removes an edge, the last of several between the same slots with the same type.
func (d *Draft) RemoveEdge(from, to string, fromSlot, toSlot int32, kind string, at Position) {
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

// edgeKey is what distinguishes edges.
type edgeKey struct {
	from, to         string
	fromSlot, toSlot int32
	kind             string
}

func (e *draftEdge) key() edgeKey {
	return edgeKey{e.from, e.to, e.fromSlot, e.toSlot, e.properties.Get(KeyType)}
}

// AddBlock adds a block, or finds the one of that name, and returns its number.
func (d *Draft) AddBlock(name string) int {
	i, ok := d.block[name]
	if !ok && !d.room(1, Position{}) && len(d.blocks) > 0 {
		return 0 // nothing more is kept
	}
	if !ok {
		i = int32(len(d.blocks))
		d.block[name] = i
		d.blocks = append(d.blocks, draftBlock{name: name})
	}
	return int(i)
}

// AddToBlock appends a node, which may come later, to a block.
func (d *Draft) AddToBlock(block int, id string, at Position) {
	if d.room(1, at) {
		d.blocks[block].nodes = append(d.blocks[block].nodes, member{id, at})
	}
}

// AddSuccessor adds a control-flow edge to another block, which may come later.
func (d *Draft) AddSuccessor(block int, name string, at Position) {
	if d.room(1, at) {
		d.blocks[block].successors = append(d.blocks[block].successors, member{name, at})
	}
}

// Snapshot ends the draft: edges and blocks are resolved to nodes.
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

// dangling notes an edge without one of its ends. A copied edge whose node was removed is no fault of the file.
func (d *Draft) dangling(e *draftEdge, fromOK bool) {
	if e.at == (Position{}) || d.full {
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

// finish resolves block i.
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
