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
	UpTo      int32          // the generation of the animation, in which parts that are reached later are not searched yet; negative for none
	Show      Show           // ShowGlobal leaves out all below global points
}

// Hide is what the filter hides of t. The caller adds Empty and Collapsed.
func (f *Filter) Hide(t *Tree) Hide {
	return Hide{Passing: t.Passing(f.Pass(), nil), Allowed: f.allowed, UpTo: f.upTo, Show: f.show}
}

// Layout are the positions of the visible nodes. X grows by at least 1 from each node of a level to the next; levels are
// rows. The order is that of the tree whatever is hidden.
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

// Layout places the visible nodes with the algorithm of C. Buchheim, M. Jünger, S. Leipert, Improving Walker's algorithm to
// run in linear time, GD 2002, here without recursion: breadth-first numbers let one pass backwards do the first walk and one
// pass forwards the second.
func (t *Tree) Layout(h Hide) *Layout {
	l := &Layout{Tree: t}
	first, children := l.choose(h)
	w := newWalk(l, first, children)
	for v := len(l.Nodes) - 1; v >= 0; v-- {
		w.place(int32(v))
	}
	w.settle()
	return l
}

// choose collects the visible nodes and, of each, its first visible child and their number. Breadth-first order keeps children
// of one node together.
func (l *Layout) choose(h Hide) (first, children []int32) {
	t := l.Tree
	n := t.Len()
	at := make([]int32, n) // of each node of the tree its index among the visible, None when hidden
	l.Nodes, l.Up = make([]int32, 0, n), make([]int32, 0, n)
	first, children = make([]int32, 0, n), make([]int32, 0, n)
	for level := range t.Levels {
		l.Start = append(l.Start, int32(len(l.Nodes)))
		for v := t.Start[level]; v < t.Start[level+1]; v++ {
			at[v] = None
			up := None
			if v > 0 {
				if up = at[t.Parent[v]]; up == None || h.Collapsed[t.Parent[v]] {
					continue
				}
			}
			if !t.visible(v, level, &h) {
				continue
			}
			i := int32(len(l.Nodes))
			at[v] = i
			l.Nodes, l.Up = append(l.Nodes, v), append(l.Up, up)
			first, children = append(first, None), append(children, 0)
			if up != None {
				if first[up] == None {
					first[up] = i
				}
				children[up]++
			}
		}
	}
	l.Start = append(l.Start, int32(len(l.Nodes)))
	return first, children
}

// visible tells whether a node whose parent is visible is so too.
func (t *Tree) visible(v int32, level int, h *Hide) bool {
	switch {
	case t.Kind[v] == RootNode:
		return true
	case h.Show == ShowGlobal && t.Kind[v] >= LocalNode:
		return false
	case h.Passing == nil && t.Points[v] > 0, h.Passing != nil && h.Passing[v] > 0:
		return true
	case t.Kind[v] != ParameterNode || h.Empty:
		return false
	}
	if later := h.UpTo >= 0 && t.First[v] > h.UpTo; t.Points[v] > 0 && !later {
		return false // searched, and filtered away
	}
	j := t.Levels[level].Index
	return h.Allowed == nil || h.Allowed[j] == nil || h.Allowed[j][t.Item[v]]
}

// walk holds the numbers of Walker's algorithm by visible node; names are the paper's.
type walk struct {
	*Layout
	first, children []int32
	prelim, mod     []float64
	shift, change   []float64
	thread          []int32
	ancestor        []int32
	middle          []float64 // of the children, before the node is placed among its siblings
}

func newWalk(l *Layout, first, children []int32) *walk {
	n := len(l.Nodes)
	w := &walk{Layout: l, first: first, children: children,
		prelim: make([]float64, n), mod: make([]float64, n), shift: make([]float64, n), change: make([]float64, n),
		thread: make([]int32, n), ancestor: make([]int32, n), middle: make([]float64, n)}
	for v := range n {
		w.thread[v], w.ancestor[v] = None, int32(v)
	}
	return w
}

// place puts the children of v, whose own children stand already, next to each other.
func (w *walk) place(v int32) {
	n := w.children[v]
	if n == 0 {
		return
	}
	low := w.first[v]
	defaultAncestor := low
	for c := low; c < low+n; c++ {
		if c == low {
			w.prelim[c] = w.middle[c]
			continue
		}
		w.prelim[c] = w.prelim[c-1] + siblings
		if w.children[c] > 0 {
			w.mod[c] = w.prelim[c] - w.middle[c]
		}
		if w.children[c] > 0 || w.children[c-1] > 0 || w.thread[c-1] != None {
			defaultAncestor = w.apportion(c, low, defaultAncestor)
		}
	}
	var shift, change float64 // executeShifts
	for c := low + n - 1; c >= low; c-- {
		w.prelim[c] += shift
		w.mod[c] += shift
		change += w.change[c]
		shift += w.shift[c] + change
	}
	w.middle[v] = (w.prelim[low] + w.prelim[low+n-1]) / 2
}

func (w *walk) nextLeft(v int32) int32 {
	if w.children[v] > 0 {
		return w.first[v]
	}
	return w.thread[v]
}

func (w *walk) nextRight(v int32) int32 {
	if n := w.children[v]; n > 0 {
		return w.first[v] + n - 1
	}
	return w.thread[v]
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
		w.ancestor[outsideRight] = c
		if shift := w.prelim[insideLeft] + sil - (w.prelim[insideRight] + sir) + cousins; shift > 0 {
			w.move(w.source(insideLeft, c, defaultAncestor), c, shift)
			sir += shift
			sor += shift
		}
		sil += w.mod[insideLeft]
		sir += w.mod[insideRight]
		sol += w.mod[outsideLeft]
		sor += w.mod[outsideRight]
	}
	if right := w.nextRight(insideLeft); right != None && w.nextRight(outsideRight) == None {
		w.thread[outsideRight] = right
		w.mod[outsideRight] += sil - sor
	}
	if left := w.nextLeft(insideRight); left != None && w.nextLeft(outsideLeft) == None {
		w.thread[outsideLeft] = left
		w.mod[outsideLeft] += sir - sol
		defaultAncestor = c
	}
	return defaultAncestor
}

// source is the sibling of c under which v lies.
func (w *walk) source(v, c, defaultAncestor int32) int32 {
	if a := w.ancestor[v]; w.Up[a] == w.Up[c] {
		return a
	}
	return defaultAncestor
}

// move shifts the subtree of c and lets the siblings between from and c share the room.
func (w *walk) move(from, c int32, shift float64) {
	part := shift / float64(c-from)
	w.change[c] -= part
	w.shift[c] += shift
	w.change[from] += part
	w.prelim[c] += shift
	w.mod[c] += shift
}

// settle adds up the shifts from the root down, moves everything to begin at 0 and finds the extents of subtrees.
func (w *walk) settle() {
	n := len(w.Nodes)
	w.X, w.Left, w.Right = make([]float64, n), make([]float64, n), make([]float64, n)
	if n == 0 {
		return
	}
	w.prelim[0] = w.middle[0]
	low := math.Inf(1)
	sum := w.shift // of the shifts above each node; the shifts themselves are done with
	sum[0] = 0
	for v := range n {
		if up := w.Up[v]; up != None {
			sum[v] = sum[up] + w.mod[up]
		}
		w.X[v] = w.prelim[v] + sum[v]
		low = min(low, w.X[v])
	}
	for v := range n {
		w.X[v] -= low
		w.Width = max(w.Width, w.X[v])
		w.Left[v], w.Right[v] = w.X[v], w.X[v]
	}
	for v := n - 1; v > 0; v-- {
		up := w.Up[v]
		w.Left[up], w.Right[up] = min(w.Left[up], w.Left[v]), max(w.Right[up], w.Right[v])
	}
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
