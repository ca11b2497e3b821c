package dse

import (
	"math"
	"slices"
)

// Hide says what of a tree is not laid out.
type Hide struct {
	Passing   []int32        // of Tree.Passing; nil lets all pass
	Empty     bool           // parameter nodes that nobody searched (D10)
	Collapsed map[int32]bool // nodes whose children are hidden (D10)
	Allowed   [][]bool       // by parameter and value, for nodes that nobody searched; nil allows all
	// the generation of the animation, in which parts that are reached later are not searched yet; negative for none
	UpTo int32
	Show Show // ShowGlobal leaves out all below global points
}

// Hide is what the filter hides of t. The caller adds Empty and Collapsed.
func (f *Filter) Hide(t *Tree) Hide {
	return Hide{Passing: t.Passing(f.Pass(), nil), Allowed: f.allowed, UpTo: f.upTo, Show: f.show}
}

// Layout are the positions of the visible nodes. X grows by at least 1 from each node of a level to the next; levels
// are rows. The order is that of the tree whatever is hidden.
type Layout struct {
	Tree  *Tree
	Nodes []int32   // visible nodes, growing, so level by level
	Start []int32   // of level l, Nodes[Start[l]:Start[l+1]]
	X     []float64 // of each visible node
	Up    []int32   // its parent as an index into Nodes; None for the root
	Left  []float64 // extent of the visible subtree: everything at or below lies in [Left, Right]
	Right []float64
	Width float64 // X lies in [0, Width]
}

// separation of neighbours in one row: siblings, and nodes of two parents.
const (
	siblings = 1
	cousins  = 1.4
)

// Layout places the visible nodes with the algorithm of C. Buchheim, M. Jünger, S. Leipert, Improving Walker's
// algorithm to run in linear time, GD 2002, here without recursion: breadth-first numbers let one pass backwards do the
// first walk and one pass forwards the second.
func (t *Tree) Layout(h Hide) *Layout {
	l := &Layout{Tree: t}
	w := newWalk(l, l.choose(h))
	for v := len(l.Nodes) - 1; v >= 0; v-- {
		w.place(int32(v))
	}
	w.settle()
	return l
}

// choose collects the visible nodes. Breadth-first order keeps the children of one node together and those of its
// successors behind them: the visible children of node i are first[i] to first[i+1].
func (l *Layout) choose(h Hide) (first []int32) {
	t := l.Tree
	l.Nodes, l.Up = make([]int32, 1, t.Len()), make([]int32, 1, t.Len())
	l.Up[0] = None
	first = make([]int32, 0, t.Len()+1)
	l.Start = make([]int32, 1, len(t.Levels)+1)
	for level := range t.Levels {
		from, to := l.Start[level], int32(len(l.Nodes))
		l.Start = append(l.Start, to)
		for i := from; i < to; i++ {
			first = append(first, int32(len(l.Nodes)))
			if v := l.Nodes[i]; t.Children[v] > 0 && !(len(h.Collapsed) > 0 && h.Collapsed[v]) {
				l.family(i, level+1, &h)
			}
		}
	}
	return append(first, int32(len(l.Nodes)))
}

// family collects the visible children of visible node i, which stand on a level.
func (l *Layout) family(i int32, level int, h *Hide) {
	t, u := l.Tree, l.Nodes[i]
	nodes, up := l.Nodes, l.Up
	parameters := t.Levels[level].Kind == ParameterNode
	if !parameters && h.Show == ShowGlobal && t.Levels[level].Kind >= LocalNode {
		return
	}
	for v := t.Child[u]; v < t.Child[u]+t.Children[u]; v++ {
		if h.Passing == nil && !parameters || h.Passing != nil && h.Passing[v] > 0 || parameters && t.visible(v, level, h) {
			nodes, up = append(nodes, v), append(up, i)
		}
	}
	l.Nodes, l.Up = nodes, up
}

// visible tells whether a node of a parameter level whose parent is visible is so too.
func (t *Tree) visible(v int32, level int, h *Hide) bool {
	switch {
	case h.Passing == nil && t.Points[v] > 0, h.Passing != nil && h.Passing[v] > 0:
		return true
	case h.Empty:
		return false
	}
	if later := h.UpTo >= 0 && t.First[v] > h.UpTo; t.Points[v] > 0 && !later {
		return false // searched, and filtered away
	}
	j := t.Levels[level].Index
	return h.Allowed == nil || h.Allowed[j] == nil || h.Allowed[j][t.Item[v]]
}

// walk holds the numbers of Walker's algorithm by visible node; names are the paper's. What is 0 at first needs no pass
// that sets it.
type walk struct {
	*Layout
	first    []int32   // of choose
	prelim   []float64 // before a node is placed among its siblings, the middle of its children
	mod      []float64
	thread   []int32 // the node that follows, plus 1; 0 for none
	ancestor []int32 // the node, plus 1; 0 for the node itself
	pushes   []push  // of one family
	pushed   bool
}

// push is the paper's shift and change of a child.
type push struct{ shift, change float64 }

func newWalk(l *Layout, first []int32) *walk {
	n := len(l.Nodes)
	w := &walk{Layout: l, first: first, prelim: make([]float64, n), mod: make([]float64, n), thread: make([]int32, n),
		ancestor: make([]int32, n)}
	most := int32(0)
	for v := range n {
		most = max(most, first[v+1]-first[v])
	}
	w.pushes = make([]push, most)
	return w
}

// parent tells whether a node has visible children.
func (w *walk) parent(v int32) bool { return w.first[v+1] > w.first[v] }

// place puts the children of v, whose own children stand already, next to each other.
func (w *walk) place(v int32) {
	low, end := w.first[v], w.first[v+1]
	if low == end {
		return
	}
	if w.first[end] == w.first[low] { // all of them leaves
		for c := low + 1; c < end; c++ {
			w.prelim[c] = w.prelim[c-1] + siblings
		}
		w.prelim[v] = w.prelim[end-1] / 2
		return
	}
	defaultAncestor := low
	for c := low + 1; c < end; c++ {
		middle := w.prelim[c]
		w.prelim[c] = w.prelim[c-1] + siblings
		if w.parent(c) {
			w.mod[c] = w.prelim[c] - middle
		}
		if w.parent(c) || w.parent(c-1) || w.thread[c-1] != 0 {
			defaultAncestor = w.apportion(c, low, defaultAncestor)
		}
	}
	w.share(low, end)
	w.prelim[v] = (w.prelim[low] + w.prelim[end-1]) / 2
}

// share lets siblings between two that were pushed apart have their part of the room: the paper's executeShifts.
func (w *walk) share(low, end int32) {
	if !w.pushed {
		return
	}
	var shift, change float64
	for c := end - 1; c >= low; c-- {
		w.prelim[c] += shift
		w.mod[c] += shift
		p := &w.pushes[c-low]
		change += p.change
		shift += p.shift + change
		*p = push{}
	}
	w.pushed = false
}

func (w *walk) nextLeft(v int32) int32 {
	if w.parent(v) {
		return w.first[v]
	}
	return w.thread[v] - 1
}

func (w *walk) nextRight(v int32) int32 {
	if w.parent(v) {
		return w.first[v+1] - 1
	}
	return w.thread[v] - 1
}

// apportion pushes the subtree of c away from those of its left siblings.
func (w *walk) apportion(c, low, defaultAncestor int32) int32 {
	insideRight, outsideRight := c, c
	insideLeft, outsideLeft := c-1, low
	sir, sor := w.mod[insideRight], w.mod[outsideRight]
	sil, sol := w.mod[insideLeft], w.mod[outsideLeft]
	for {
		left, right := w.nextRight(insideLeft), w.nextLeft(insideRight)
		if left == None || right == None {
			break
		}
		insideLeft, insideRight = left, right
		outsideLeft, outsideRight = w.nextLeft(outsideLeft), w.nextRight(outsideRight)
		w.ancestor[outsideRight] = c + 1
		if shift := w.prelim[insideLeft] + sil - (w.prelim[insideRight] + sir) + cousins; shift > 0 {
			w.move(w.source(insideLeft, c, defaultAncestor), c, low, shift)
			sir += shift
			sor += shift
		}
		sil += w.mod[insideLeft]
		sir += w.mod[insideRight]
		sol += w.mod[outsideLeft]
		sor += w.mod[outsideRight]
	}
	if right := w.nextRight(insideLeft); right != None && w.nextRight(outsideRight) == None {
		w.thread[outsideRight] = right + 1
		w.mod[outsideRight] += sil - sor
	}
	if left := w.nextLeft(insideRight); left != None && w.nextLeft(outsideLeft) == None {
		w.thread[outsideLeft] = left + 1
		w.mod[outsideLeft] += sir - sol
		defaultAncestor = c
	}
	return defaultAncestor
}

// source is the sibling of c under which v lies.
func (w *walk) source(v, c, defaultAncestor int32) int32 {
	a := w.ancestor[v] - 1
	if a < 0 {
		a = v
	}
	if w.Up[a] == w.Up[c] {
		return a
	}
	return defaultAncestor
}

// move shifts the subtree of c, of the family from low on, and lets the siblings between from and c share the room.
func (w *walk) move(from, c, low int32, shift float64) {
	part := shift / float64(c-from)
	w.pushes[c-low].change -= part
	w.pushes[c-low].shift += shift
	w.pushes[from-low].change += part
	w.pushed = true
	w.prelim[c] += shift
	w.mod[c] += shift
}

// settle adds up the shifts from the root down, moves everything to begin at 0 and finds the extents of subtrees. The
// numbers of the first walk turn into those of the second where they stand: prelim into X, mod into the shifts of all
// below a node.
func (w *walk) settle() {
	n := len(w.Nodes)
	low := w.leftmost()
	w.X = w.prelim
	w.X[0] -= low
	for v := 1; v < n; v++ {
		sum := w.mod[w.Up[v]]
		w.X[v] = w.X[v] + sum - low
		w.mod[v] = sum + w.mod[v]
	}
	for level := range w.Tree.Levels {
		if from, to := w.Start[level], w.Start[level+1]; from < to {
			w.Width = max(w.Width, w.X[to-1])
		}
	}
	w.Left, w.Right = slices.Clone(w.X), slices.Clone(w.X)
	for v := n - 1; v > 0; v-- {
		up := w.Up[v]
		w.Left[up], w.Right[up] = min(w.Left[up], w.Left[v]), max(w.Right[up], w.Right[v])
	}
}

// leftmost is the least place, that of the first node of a level, before everything is moved to begin at 0.
func (w *walk) leftmost() float64 {
	low := math.Inf(1)
	for level := range w.Tree.Levels {
		v := w.Start[level]
		if v == w.Start[level+1] {
			break
		}
		var path []int32
		for up := w.Up[v]; up != None; up = w.Up[up] {
			path = append(path, up)
		}
		sum := 0.0
		for _, up := range slices.Backward(path) {
			sum += w.mod[up]
		}
		low = min(low, w.prelim[v]+sum)
	}
	return low
}

// Row are the visible nodes of a level that lie in [from, to], as indexes into Nodes: [low, high).
func (l *Layout) Row(level int, from, to float64) (low, high int) {
	xs := l.X[l.Start[level]:l.Start[level+1]]
	a, _ := slices.BinarySearch(xs, from)
	b, exact := slices.BinarySearch(xs, to)
	if exact {
		b++
	}
	return int(l.Start[level]) + a, int(l.Start[level]) + max(a, b)
}

// Hit is the visible node of a level nearest to x, as an index into Nodes; -1 when none is within half a unit.
func (l *Layout) Hit(level int, x float64) int {
	if level < 0 || level+1 >= len(l.Start) {
		return -1
	}
	best, near := -1, 0.5
	low, high := l.Row(level, x-near, x+near)
	for i := low; i < high; i++ {
		if d := math.Abs(l.X[i] - x); d <= near {
			best, near = i, d
		}
	}
	return best
}

// Find is the index of a node of the tree among the visible, -1 when it is hidden.
func (l *Layout) Find(v int32) int {
	i, found := slices.BinarySearch(l.Nodes, v)
	if !found {
		return -1
	}
	return i
}
