package depgraph

import (
	"slices"
	"strconv"

	"orrery/traceio/irgraph"
)

// Values of the property category and of an edge's type that matter for the schedule.
const (
	control = "control"
	phi     = "phi"
)

// Schedule gives a snapshot without blocks approximate ones, since the compiler has not decided yet. Nodes with control
// over others, joined by edges of type control (or, where edges have no such type, of category control themselves),
// form the blocks; a node with a control input stays with it; every other node goes as late as its uses allow, and from
// there up to where loops are shallowest, but not above its inputs (C. Click, "Global code motion, global value
// numbering", 1995). Without any control all nodes are in one block. A snapshot that has blocks is returned as it is.
func Schedule(s *irgraph.Snapshot) *irgraph.Snapshot {
	if len(s.Blocks) > 0 || len(s.Nodes) == 0 {
		return s
	}
	p := &scheduler{s: withControlFlow(s), given: s}
	p.findControl()
	p.makeBlocks()
	p.dominate()
	p.placeControlled()
	p.placeRest()
	return p.result()
}

// scheduler is a schedule being made.
type scheduler struct {
	s        *irgraph.Snapshot // with edges as control flows
	given    *irgraph.Snapshot
	in, out  [][]int32 // node -> edges
	control  []bool    // edge
	skeleton []bool    // node: has control over others

	block  []int32   // node -> block, -1 when not decided
	leader []int32   // block -> its first node
	next   [][]int32 // block -> blocks that may follow
	prev   [][]int32
	*dominators
}

// findControl finds the edges and nodes of the flow of control.
func (p *scheduler) findControl() {
	s := p.s
	p.in, p.out = make([][]int32, len(s.Nodes)), make([][]int32, len(s.Nodes))
	p.control, p.skeleton = make([]bool, len(s.Edges)), make([]bool, len(s.Nodes))
	category := func(v int32) string { return s.Nodes[v].Properties.Get(irgraph.KeyCategory) }
	typed := false
	for i, e := range s.Edges {
		p.in[e.To], p.out[e.From] = append(p.in[e.To], int32(i)), append(p.out[e.From], int32(i))
		p.control[i] = e.Properties.Get(irgraph.KeyType) == control
		typed = typed || p.control[i]
	}
	for v := range s.Nodes {
		p.skeleton[v] = category(int32(v)) == control
	}
	for i, e := range s.Edges {
		if !typed {
			p.control[i] = p.skeleton[e.From]
		}
		p.skeleton[e.From] = p.skeleton[e.From] || typed && p.control[i]
	}
}

// skeletonNeighbours are the nodes of the skeleton before or after one.
func (p *scheduler) skeletonNeighbours(v int32, edges []int32) []int32 {
	var all []int32
	for _, e := range edges {
		x := p.s.Edges[e]
		if w := x.From + x.To - v; p.control[e] && p.skeleton[w] && w != v {
			all = append(all, w)
		}
	}
	return all
}

// makeBlocks cuts the skeleton where control divides or joins.
func (p *scheduler) makeBlocks() {
	n := len(p.s.Nodes)
	p.block = make([]int32, n)
	for v := range p.block {
		p.block[v] = -1
	}
	begin := func(v int32) {
		b := int32(len(p.leader))
		p.leader = append(p.leader, v)
		for p.block[v] < 0 {
			p.block[v] = b
			next := p.skeletonNeighbours(v, p.out[v])
			if len(next) != 1 || len(p.skeletonNeighbours(next[0], p.in[next[0]])) != 1 {
				return
			}
			v = next[0]
		}
	}
	for v := range int32(n) {
		if !p.skeleton[v] {
			continue
		}
		before := p.skeletonNeighbours(v, p.in[v])
		if len(before) != 1 || len(p.skeletonNeighbours(before[0], p.out[before[0]])) > 1 {
			begin(v)
		}
	}
	for v := range int32(n) { // a cycle of control without an entry
		if p.skeleton[v] && p.block[v] < 0 {
			begin(v)
		}
	}
	if len(p.leader) == 0 {
		p.leader = append(p.leader, -1)
	}
	p.next, p.prev = make([][]int32, len(p.leader)), make([][]int32, len(p.leader))
	for v := range int32(n) {
		if !p.skeleton[v] {
			continue
		}
		for _, w := range p.skeletonNeighbours(v, p.out[v]) {
			a, b := p.block[v], p.block[w]
			if w == p.leader[b] && !slices.Contains(p.next[a], b) {
				p.next[a], p.prev[b] = append(p.next[a], b), append(p.prev[b], a)
			}
		}
	}
}

// dominate orders the blocks by reverse postorder, and finds dominators and loops.
func (p *scheduler) dominate() {
	p.dominators = newDominators(p.next)
}

// placeControlled puts nodes with a control input into its block.
func (p *scheduler) placeControlled() {
	for v := range p.s.Nodes {
		if p.skeleton[v] {
			continue
		}
		for _, e := range p.in[v] {
			if from := p.s.Edges[e].From; p.control[e] && p.skeleton[from] {
				p.block[v] = p.block[from]
				break
			}
		}
	}
}

// placeRest places the other nodes: inputs before uses for the earliest block, uses before inputs for the latest.
func (p *scheduler) placeRest() {
	order := p.topological()
	early := slices.Clone(p.block)
	for _, v := range order {
		if early[v] >= 0 {
			continue
		}
		early[v] = p.first
		for _, e := range p.in[v] {
			if b := early[p.s.Edges[e].From]; b >= 0 && p.depth[b] > p.depth[early[v]] {
				early[v] = b
			}
		}
	}
	for _, v := range slices.Backward(order) {
		if p.block[v] >= 0 {
			continue
		}
		late := int32(-1)
		for _, e := range p.out[v] {
			if b := p.useBlock(e); b >= 0 {
				late = p.common(late, b)
			}
		}
		p.block[v] = p.shallowest(early[v], late)
	}
}

// useBlock is the block in which an edge's value must be available: that of the user; for an input of a phi, the
// predecessor that enters the phi's block at the slot of the same number.
func (p *scheduler) useBlock(e int32) int32 {
	x := p.s.Edges[e]
	b := p.block[x.To]
	if b < 0 || p.s.Nodes[x.To].Properties.Get(irgraph.KeyCategory) != phi || p.leader[b] < 0 {
		return b
	}
	for _, f := range p.in[p.leader[b]] {
		y := p.s.Edges[f]
		if p.control[f] && p.skeleton[y.From] && y.ToSlot == x.ToSlot {
			return p.block[y.From]
		}
	}
	return b
}

// shallowest is the block in the fewest loops on the way from the latest block up to the earliest, the latest of those.
func (p *scheduler) shallowest(early, late int32) int32 {
	if late < 0 {
		return early
	}
	best := late
	for b := late; b != early; b = p.above[b] {
		if p.above[b] < 0 {
			return early
		}
		if up := p.above[b]; p.loops[up] < p.loops[best] {
			best = up
		}
	}
	return best
}

// startsBlock reports whether a node is at the head of its block whatever its inputs are: cycles close through such
// nodes only.
func (p *scheduler) startsBlock(v int32) bool {
	return p.block[v] >= 0 && (p.leader[p.block[v]] == v || p.s.Nodes[v].Properties.Get(irgraph.KeyCategory) == phi)
}

// topological lists all nodes, inputs first; in cycles that remain, in the order of a depth-first search.
func (p *scheduler) topological() []int32 {
	n := len(p.s.Nodes)
	order := make([]int32, 0, n)
	seen, at := make([]bool, n), make([]int, n)
	var stack []int32
	for root := range int32(n) {
		if seen[root] {
			continue
		}
		seen[root] = true
		stack = append(stack, root)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			if at[v] == len(p.in[v]) || p.startsBlock(v) {
				order = append(order, v)
				stack = stack[:len(stack)-1]
				continue
			}
			w := p.s.Edges[p.in[v][at[v]]].From
			if at[v]++; !seen[w] {
				seen[w] = true
				stack = append(stack, w)
			}
		}
	}
	return order
}

// result is the snapshot with the blocks, in the order in which control reaches them.
func (p *scheduler) result() *irgraph.Snapshot {
	number := make([]int32, len(p.leader))
	s := *p.given
	s.Blocks = make([]irgraph.Block, len(p.leader))
	for i, b := range p.order {
		number[b] = int32(i)
	}
	for b, next := range p.next {
		x := &s.Blocks[number[b]]
		x.Name = "B" + strconv.Itoa(int(number[b]))
		for _, c := range next {
			x.Successors = append(x.Successors, number[c])
		}
	}
	s.Nodes = slices.Clone(p.given.Nodes)
	for v := range s.Nodes {
		s.Nodes[v].Block = number[p.block[v]]
	}
	order := p.topological()
	for part := range 3 {
		for _, v := range order {
			at := 2
			if p.leader[p.block[v]] == v {
				at = 0
			} else if p.startsBlock(v) {
				at = 1
			}
			if at == part {
				x := &s.Blocks[s.Nodes[v].Block]
				x.Nodes = append(x.Nodes, v)
			}
		}
	}
	return &s
}
