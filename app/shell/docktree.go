package shell

import (
	"encoding/json"
	"fmt"
	"slices"
)

// node is one part of the arrangement: a leaf shows a group of tabs, an inner node lays its kids out in a row or in a
// column. It is a plain value that is saved as it is; package-private widgets hang on the leaves elsewhere.
//
//	column
//	+- row: [ column: recording, gallery | column: row: cycles, cache / heap | column: source, explain ]
//	+- timeline
type node struct {
	Column bool    `json:"column,omitempty"`
	Kids   []*node `json:"kids,omitempty"`
	Weight float32 `json:"weight"`         // share of the room among the siblings
	Low    float32 `json:"low,omitempty"`  // least and greatest extent in units, 0 for none
	High   float32 `json:"high,omitempty"` //
	Side   string  `json:"side,omitempty"` // "left" or "right": folds when the window is narrow
	Tabs   []Slot  `json:"tabs,omitempty"`
	Shown  int     `json:"shown,omitempty"` // index of the tab in front
	// the tab that is not folded though its pane has nothing to show, see Placed.Idle
	Asked Slot `json:"asked,omitempty"`

	folded bool
	gone   bool // none of its panes has a tab
	group  *group
	at     box
}

// box is a rectangle in window units.
type box struct{ x, y, w, h float32 }

func (b box) has(x, y float32) bool { return x >= b.x && x < b.x+b.w && y >= b.y && y < b.y+b.h }

// leaf reports whether the node shows tabs.
func (n *node) leaf() bool { return len(n.Kids) == 0 }

// walk visits the node and everything below it.
func (n *node) walk(f func(*node)) {
	f(n)
	for _, k := range n.Kids {
		k.walk(f)
	}
}

// leaves lists the leaves in order.
func (n *node) leaves() []*node {
	var out []*node
	n.walk(func(m *node) {
		if m.leaf() {
			out = append(out, m)
		}
	})
	return out
}

// parent finds the node that m is a kid of; nil for the root.
func (n *node) parent(m *node) *node {
	var found *node
	n.walk(func(p *node) {
		if slices.Contains(p.Kids, m) {
			found = p
		}
	})
	return found
}

// prune removes leaves without tabs and inner nodes with fewer than two kids; it gives nil when nothing is left.
func (n *node) prune() *node {
	if n.leaf() {
		if len(n.Tabs) == 0 {
			return nil
		}
		n.Shown = min(max(0, n.Shown), len(n.Tabs)-1)
		return n
	}
	kids := n.Kids[:0]
	for _, k := range n.Kids {
		if k = k.prune(); k != nil {
			kids = append(kids, k)
		}
	}
	n.Kids = kids
	switch len(kids) {
	case 0:
		return nil
	case 1:
		k := kids[0]
		k.Weight, k.Low, k.High = n.Weight, n.Low, n.High
		if k.Side == "" {
			k.Side = n.Side
		}
		return k
	}
	return n
}

// Metrics of the arrangement in units.
const (
	gap    = 7  // between panels
	strip  = 34 // width of a folded side
	little = 48 // least extent of anything that has no bound of its own
)

// place gives every node below n its rectangle.
func (n *node) place(at box) {
	n.at = at
	if n.leaf() {
		return
	}
	room := at.w
	if n.Column {
		room = at.h
	}
	seen := 0
	for _, k := range n.Kids {
		if !k.gone {
			seen++
		}
	}
	sizes := n.shares(room - gap*float32(seen-1))
	pos := float32(0)
	for i, k := range n.Kids {
		if n.Column {
			k.place(box{at.x, at.y + pos, at.w, sizes[i]})
		} else {
			k.place(box{at.x + pos, at.y, sizes[i], at.h})
		}
		if !k.gone {
			pos += sizes[i] + gap
		}
	}
}

// shares divides the room by weight within the bounds: kids that hit a bound are fixed and the rest is divided again.
func (n *node) shares(room float32) []float32 {
	sizes := make([]float32, len(n.Kids))
	fixed := make([]bool, len(n.Kids))
	for i, k := range n.Kids {
		switch {
		case k.gone:
			fixed[i] = true
		case k.folded:
			sizes[i], fixed[i] = strip, true
			room -= strip
		}
	}
	for range n.Kids {
		weight, repeat := float32(0), false
		for i, k := range n.Kids {
			if !fixed[i] {
				weight += max(0.01, k.Weight)
			}
		}
		for i, k := range n.Kids {
			if fixed[i] {
				continue
			}
			sizes[i] = room * max(0.01, k.Weight) / weight
			bound := max(sizes[i], k.Low, little)
			if k.High > 0 {
				bound = min(bound, k.High)
			}
			if bound != sizes[i] && !n.last(fixed) {
				sizes[i], fixed[i] = bound, true
				room -= bound
				repeat = true
				break
			}
		}
		if !repeat {
			break
		}
	}
	for i := range sizes {
		sizes[i] = max(0, float32(int(sizes[i]+0.5)))
	}
	return sizes
}

// last reports whether only one kid is still free: it takes what is left, whatever its bounds.
func (n *node) last(fixed []bool) bool {
	free := 0
	for _, f := range fixed {
		if !f {
			free++
		}
	}
	return free == 1
}

// move shifts the divider behind kid i by d units.
func (n *node) move(i int, d float32) {
	a, b := n.Kids[i], n.Kids[i+1]
	extent := func(k *node) float32 {
		if n.Column {
			return k.at.h
		}
		return k.at.w
	}
	total := float32(0)
	for _, k := range n.Kids {
		k.Weight = extent(k)
		total += k.Weight
	}
	d = max(little-extent(a), min(d, extent(b)-little))
	a.Weight += d
	b.Weight -= d
	for _, k := range []*node{a, b} { // where the user has pulled, the bounds no longer hold
		k.Low, k.High = min(k.Low, k.Weight), 0
	}
	for _, k := range n.Kids {
		k.Weight /= total
	}
}

// Bounds of what is believed of a file.
const (
	mostWeight = 1e6
	mostUnits  = 1e5
)

// restore reads a saved arrangement. It must show exactly the given slots: tabs of other slots are dropped, missing
// ones are an error, since then the standard arrangement is better.
func restore(saved string, slots []Slot) (*node, error) {
	var n node
	if err := json.Unmarshal([]byte(saved), &n); err != nil {
		return nil, fmt.Errorf("the saved arrangement cannot be read: %w", err)
	}
	var seen []Slot
	n.walk(func(m *node) {
		m.Kids = slices.DeleteFunc(m.Kids, func(k *node) bool { return k == nil })
		m.Weight, m.Low, m.High = max(0, min(m.Weight, mostWeight)), max(0, min(m.Low, mostUnits)),
			max(0, min(m.High, mostUnits))
		m.Tabs = slices.DeleteFunc(m.Tabs, func(s Slot) bool {
			if !slices.Contains(slots, s) || slices.Contains(seen, s) {
				return true
			}
			seen = append(seen, s)
			return false
		})
	})
	if len(seen) != len(slots) {
		return nil, fmt.Errorf("the saved arrangement shows %d of %d panes", len(seen), len(slots))
	}
	return n.prune(), nil
}

// zone is where in a group a dragged tab is dropped.
type zone uint8

const (
	onto zone = iota // becomes a tab
	before
	after
	above
	below
)

// zoneAt tells which part of the box the point lies in: a quarter at each edge splits, the middle makes a tab.
func zoneAt(b box, x, y float32) zone {
	fx, fy := (x-b.x)/max(1, b.w), (y-b.y)/max(1, b.h)
	switch {
	case fy > 0 && fy*b.h < 28: // over the other tabs
		return onto
	case fx < 0.25 && fx <= fy && fx <= 1-fy:
		return before
	case fx > 0.75 && 1-fx <= fy && 1-fx <= 1-fy:
		return after
	case fy < 0.25:
		return above
	case fy > 0.75:
		return below
	}
	return onto
}

// drop moves slot s to leaf to and gives the new root.
func (n *node) drop(s Slot, to *node, z zone) *node {
	var from *node
	for _, l := range n.leaves() {
		if slices.Contains(l.Tabs, s) {
			from = l
		}
	}
	if from == nil || from == to && (z == onto || len(to.Tabs) == 1) {
		return n
	}
	from.Tabs = slices.DeleteFunc(slices.Clone(from.Tabs), func(t Slot) bool { return t == s })
	if z == onto {
		to.Tabs = append(slices.Clone(to.Tabs), s)
		to.Shown = len(to.Tabs) - 1
		return n.prune()
	}
	old := &node{Weight: 0.5, Tabs: to.Tabs, Shown: to.Shown, group: to.group}
	fresh := &node{Weight: 0.5, Tabs: []Slot{s}}
	to.Tabs, to.Shown, to.group = nil, 0, nil
	to.Column = z == above || z == below
	to.Kids = []*node{old, fresh}
	if z == before || z == above {
		to.Kids = []*node{fresh, old}
	}
	return n.prune()
}
