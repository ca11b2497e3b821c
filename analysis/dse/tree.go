package dse

import (
	"fmt"
	"math"
	"slices"
)

// NodeKind says what a node of the tree stands for.
type NodeKind uint8

// The kinds of node, in the order of the segments: the root; parameters (2); architecture-dependent objectives (11);
// design points (4).
const (
	RootNode      NodeKind = iota
	ParameterNode          // Item is an index into the parameter's Values
	ObjectiveNode          // Item is the first point of the subspace, whose value the node shows
	GlobalNode             // Item is a point of GP
	RelationNode           // R: local Pareto points that are not global hang below it
	LocalNode              // Item is a point of LP
	DistanceNode           // Item is 0 for Low, 1 for High (10)
	PointNode              // Item is a point of NP
)

// String gives "parameter", "global" and so on.
func (k NodeKind) String() string {
	return [...]string{"root", "parameter", "objective", "global", "relation", "local", "distance",
		"point"}[min(k, PointNode)]
}

// Level is one level of the tree, the root's included.
type Level struct {
	Kind  NodeKind // of its nodes; GlobalNode for the level of global points and relation nodes
	Index int      // parameter or objective; 0 for the others
	Name  string
}

// Tree is the VMODEX tree (2) over all points and all feasible combinations:
//
//	root                        number of processors | types | memories      parameters, in the user's order
//	 2 --- ASIP+mP --- S --- (195) --- * --- * --- Low --- .  .              objective, GP, LP, distance, NP
//	                                \- R --- * --- High -- .
//
// Nodes are numbered breadth first, so that each level and the children of each node are runs of numbers; every column
// has one entry a node. The order never changes under filters, hiding or animation. A Tree is not changed after
// NewTree.
type Tree struct {
	Space     *Space
	Order     []int   // parameter of each parameter level
	Threshold float64 // distance to the parent beyond which a point is High
	Levels    []Level
	Start     []int32 // nodes of level l are Start[l] to Start[l+1]

	Kind     []NodeKind
	Item     []int32
	Parent   []int32 // None for the root
	Child    []int32 // first child; children are Child[v] to Child[v]+Children[v]
	Children []int32
	Subspace []int32 // the subspace that a node belongs to or is; None above the last parameter

	Size   []int32   // nodes below (the node itself not counted)
	Points []int32   // design points at or below; 0 marks a part of the space that nobody searched
	First  []int32   // first generation of a point at or below (D5); None without points or generations
	Last   []int32   // last generation of a point at or below; None without
	Near   []float64 // least distance of a point at or below to the global Pareto set (D4); NaN without points

	// of each point, its node at the level of local or of non-Pareto points; None for those that were not found yet
	Of []int32
}

// NewTree builds the tree with the parameters in the given order, nil for that of the table; order must name each
// parameter once.
func NewTree(s *Space, order []int, threshold float64) (*Tree, error) {
	if order == nil {
		for j := range s.Parameters {
			order = append(order, j)
		}
	}
	if sorted := slices.Sorted(slices.Values(order)); len(sorted) != len(s.Parameters) || len(slices.Compact(sorted)) !=
		len(order) || len(order) > 0 && (sorted[0] < 0 || sorted[len(sorted)-1] >= len(order)) {
		return nil, fmt.Errorf("the order of levels %v does not name each of %d parameters once", order, len(s.Parameters))
	}
	t := &Tree{Space: s, Order: slices.Clone(order), Threshold: threshold}
	g := grower{Tree: t}
	g.parameters()
	g.objectives()
	g.points()
	g.summarise()
	return t, nil
}

// Len is the number of nodes.
func (t *Tree) Len() int { return len(t.Kind) }

// Level is the level of a node.
func (t *Tree) Level(v int32) int {
	l, found := slices.BinarySearch(t.Start, v)
	for found && l+1 < len(t.Start) && t.Start[l+1] == v { // an empty level
		l++
	}
	if !found {
		l--
	}
	return l
}

// Point is the design point that a node shows, None for nodes that show none.
func (t *Tree) Point(v int32) int32 {
	switch t.Kind[v] {
	case GlobalNode, LocalNode, PointNode:
		return t.Item[v]
	}
	return None
}

// Nodes are the nodes that show point p: one, or two when it is on the global front, the higher one first; none when it
// was not found yet.
func (t *Tree) Nodes(p int32) []int32 {
	v := t.Of[p]
	if v == None {
		return nil
	}
	if up := t.Parent[v]; t.Kind[up] == GlobalNode && t.Kind[v] == LocalNode {
		return []int32{up, v}
	}
	return []int32{v}
}

// Path is the way from the root to a node, both included.
func (t *Tree) Path(v int32) []int32 {
	var out []int32
	for ; v != None; v = t.Parent[v] {
		out = append(out, v)
	}
	slices.Reverse(out)
	return out
}

// Value is the text of a node: a parameter's value, a point's label, R, Low or High; "" for the root.
func (t *Tree) Value(v int32) string {
	item := t.Item[v]
	switch t.Kind[v] {
	case ParameterNode:
		return t.Space.Parameters[t.Levels[t.Level(v)].Index].Values[item]
	case ObjectiveNode:
		return fmt.Sprintf("%g", t.Space.Objectives[t.Levels[t.Level(v)].Index].Values[item])
	case RelationNode:
		return "R"
	case DistanceNode:
		return [...]string{"Low", "High"}[item]
	case RootNode:
		return ""
	}
	return t.Space.Label(int(item))
}

// grower appends level after level.
type grower struct {
	*Tree
	sorted []int32 // subspaces in the order of the levels
}

func (g *grower) level(k NodeKind, index int, name string) {
	g.Levels = append(g.Levels, Level{k, index, name})
	g.Start = append(g.Start, int32(len(g.Kind)))
}

// room makes place for n more nodes.
func (g *grower) room(n int) {
	g.Kind, g.Item = slices.Grow(g.Kind, n), slices.Grow(g.Item, n)
	g.Parent, g.Child, g.Children = slices.Grow(g.Parent, n), slices.Grow(g.Child, n), slices.Grow(g.Children, n)
	g.Tree.Subspace = slices.Grow(g.Tree.Subspace, n)
}

func (g *grower) add(k NodeKind, item, parent, subspace int32) int32 {
	v := int32(len(g.Kind))
	g.Kind, g.Item = append(g.Kind, k), append(g.Item, item)
	g.Parent, g.Child, g.Children = append(g.Parent, parent), append(g.Child, None), append(g.Children, 0)
	g.Tree.Subspace = append(g.Tree.Subspace, subspace)
	if parent != None {
		if g.Child[parent] == None {
			g.Child[parent] = v
		}
		g.Children[parent]++
	}
	return v
}

// parameters makes the root and the levels of the parameters: a node for each combination of the values so far.
func (g *grower) parameters() {
	combos := g.Space.Combos
	g.sorted = make([]int32, len(combos))
	for k := range g.sorted {
		g.sorted[k] = int32(k)
	}
	slices.SortFunc(g.sorted, func(a, b int32) int {
		for _, j := range g.Order {
			if c := combos[a][j] - combos[b][j]; c != 0 {
				return int(c)
			}
		}
		return 0
	})
	g.level(RootNode, 0, "")
	g.add(RootNode, 0, None, None)
	at := make([]int32, len(combos)) // node of each sorted subspace on the last level
	for l, j := range g.Order {
		g.level(ParameterNode, j, g.Space.Parameters[j].Name)
		for i, k := range g.sorted {
			above := at[i]
			if i > 0 && above == g.Parent[at[i-1]] && combos[k][j] == g.Item[at[i-1]] {
				at[i] = at[i-1]
				continue
			}
			subspace := None
			if l == len(g.Order)-1 {
				subspace = k
			}
			at[i] = g.add(ParameterNode, combos[k][j], above, subspace)
		}
	}
	if len(g.Order) == 0 && len(combos) > 0 {
		g.Tree.Subspace[0] = 0
	}
}

// lowest are the nodes of the last level so far.
func (g *grower) lowest() (from, to int32) {
	return g.Start[len(g.Start)-1], int32(len(g.Kind))
}

// objectives makes a level for each architecture-dependent objective, with a node for each subspace that has points.
func (g *grower) objectives() {
	for j := range g.Space.Objectives {
		if !g.Space.Objectives[j].Architecture {
			continue
		}
		from, to := g.lowest()
		g.level(ObjectiveNode, j, g.Space.Objectives[j].Name)
		for v := from; v < to; v++ {
			if k := g.Tree.Subspace[v]; k != None && g.Space.Start[k] < g.Space.Start[k+1] {
				g.add(ObjectiveNode, g.Space.Order[g.Space.Start[k]], v, k)
			}
		}
	}
}

// points makes the four levels of design points (4).
func (g *grower) points() {
	s := g.Space
	from, to := g.lowest()
	g.level(GlobalNode, 0, "global Pareto")
	for v := from; v < to; v++ {
		k := g.Tree.Subspace[v]
		if k == None {
			continue
		}
		rest := false
		for _, p := range s.Points(int(k)) {
			if s.Global[p] {
				g.add(GlobalNode, p, v, k)
			} else if s.Local[p] {
				rest = true
			}
		}
		if rest {
			g.add(RelationNode, 0, v, k)
		}
	}
	from, to = g.lowest()
	g.level(LocalNode, 0, "local Pareto")
	g.Of = slices.Repeat([]int32{None}, s.N)
	for v := from; v < to; v++ {
		if g.Kind[v] == GlobalNode {
			p := g.Item[v]
			g.Of[p] = g.add(LocalNode, p, v, g.Tree.Subspace[v])
			continue
		}
		for _, p := range s.Points(int(g.Tree.Subspace[v])) {
			if s.Local[p] && !s.Global[p] {
				g.Of[p] = g.add(LocalNode, p, v, g.Tree.Subspace[v])
			}
		}
	}
	g.dominated()
}

// dominated makes the levels of distance and of non-Pareto points: below each local point its children, Low ones first.
func (g *grower) dominated() {
	s := g.Space
	start := make([]int32, 2*s.N+1) // children of point p: Low ones from start[2p], High ones from start[2p+1]
	group := func(p int) int32 {
		b := 2 * s.Parent[p]
		if s.ToParent[p] > g.Threshold {
			b++
		}
		return b
	}
	n := 0
	for p := range s.N {
		if s.Parent[p] != None {
			start[group(p)+1]++
			n++
		}
	}
	for b := range 2 * s.N {
		start[b+1] += start[b]
	}
	children, next := make([]int32, n), slices.Clone(start)
	for p := range s.N {
		if s.Parent[p] != None {
			b := group(p)
			children[next[b]] = int32(p)
			next[b]++
		}
	}
	from, to := g.lowest()
	g.level(DistanceNode, 0, "distance")
	for v := from; v < to; v++ {
		for far := range int32(2) {
			if b := 2*g.Item[v] + far; start[b] < start[b+1] {
				g.add(DistanceNode, far, v, g.Tree.Subspace[v])
			}
		}
	}
	from, to = g.lowest()
	g.level(PointNode, 0, "non-Pareto")
	g.room(n)
	for v := from; v < to; v++ {
		b := 2*g.Item[g.Parent[v]] + g.Item[v]
		for _, p := range children[start[b]:start[b+1]] {
			g.Of[p] = g.add(PointNode, p, v, g.Tree.Subspace[v])
		}
	}
	g.Start = append(g.Start, int32(len(g.Kind)))
}

// summarise fills the columns about subtrees, children before parents.
func (g *grower) summarise() {
	s, n := g.Space, g.Len()
	g.Size, g.Points = make([]int32, n), make([]int32, n)
	g.First, g.Last, g.Near = make([]int32, n), make([]int32, n), make([]float64, n)
	for v := range n {
		g.First[v], g.Last[v], g.Near[v] = None, None, math.NaN()
	}
	known := s.Generations.Known()
	for p, v := range g.Of {
		if v == None {
			continue
		}
		g.Points[v], g.Near[v] = 1, s.ToFront[p]
		if of := s.Generations.Of(p); known && len(of) > 0 {
			last := len(of) - 1
			for s.UpTo != None && of[last] > s.UpTo {
				last--
			}
			g.First[v], g.Last[v] = of[0], of[last]
		}
	}
	for v := n - 1; v > 0; v-- {
		up := g.Parent[v]
		g.Size[up] += g.Size[v] + 1
		g.Points[up] += g.Points[v]
		if f := g.First[v]; f != None && (g.First[up] == None || f < g.First[up]) {
			g.First[up] = f
		}
		g.Last[up] = max(g.Last[up], g.Last[v])
		if d := g.Near[v]; !(g.Near[up] <= d) && d == d {
			g.Near[up] = d
		}
	}
}
