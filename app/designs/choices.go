package designs

import (
	"maps"
	"math"
	"reflect"
	"slices"

	"orrery/analysis/dse"
	"orrery/views/dsetree"
	"orrery/views/link"
)

// choices are what the user chose. Each change is an undoable step; maps and slices are replaced, never changed.
type choices struct {
	look      dsetree.Look
	order     []int // of parameters; nil for that of the table
	threshold float64
	hideEmpty bool
	asOf      bool            // fronts are those of the generation that is shown
	folded    map[string]bool // collapsed nodes, by their way from the root
	criteria  criteria
	satellite bool
	bird      bool
}

// criteria are a filter as the user sees it.
type criteria struct {
	ranges   []span // by objective, normalised; nil for all
	distance span
	values   [][]bool // by parameter, the values that are allowed; nil for all
	mapping  []dse.Constraint
	show     dse.Show
}

// span is a range of [0, 1]; the zero value is all of it.
type span struct{ low, cut float64 }

// spanOf is the range from low to high.
func spanOf(low, high float64) span { return span{max(0, low), max(0, 1-high)} }

func (s span) high() float64 { return 1 - s.cut }

// all tells whether the range leaves nothing out.
func (s span) all() bool { return s == span{} }

func firstChoices() choices { return choices{threshold: dse.DefaultThreshold, satellite: true} }

func choicesOf(s *dse.Space) choices {
	c := firstChoices()
	c.look = dsetree.DefaultLook(s)
	return c
}

// fits tells whether the choices mean something in a space.
func (c *choices) fits(s *dse.Space) bool {
	for _, o := range c.look.Of {
		if o >= len(s.Objectives) {
			return false
		}
	}
	return (c.order == nil || len(c.order) == len(s.Parameters)) && len(c.criteria.ranges) <= len(s.Objectives) &&
		len(c.criteria.values) <= len(s.Parameters)
}

// choose makes an undoable step; name says what it changes.
func (e *Explorer) choose(name string, change func(c *choices)) {
	next := e.shown
	change(&next)
	link.Choose(e.link, name, &e.shown, next, e.chosen)
}

// slide changes a choice as the continuation of the step that began a drag.
func (e *Explorer) slide(change func(c *choices)) {
	change(&e.shown)
	e.chosen()
}

// chosen follows from a choice, made, undone or redone.
func (e *Explorer) chosen() {
	if e.space == nil {
		return
	}
	e.apply()
	if e.tree == nil || !slices.Equal(e.tree.Order, e.order()) || e.tree.Threshold != e.shown.threshold ||
		e.tree.Space.UpTo != e.upTo() {
		e.grow()
		return
	}
	e.arrange()
}

// order is that of the parameters' levels.
func (e *Explorer) order() []int {
	if e.shown.order != nil {
		return e.shown.order
	}
	out := make([]int, len(e.space.Parameters))
	for i := range out {
		out[i] = i
	}
	return out
}

// apply brings the filter to the criteria; what has not changed is not computed again.
func (e *Explorer) apply() {
	want, have := &e.shown.criteria, &e.applied
	at := func(list []span, i int) span {
		if i < len(list) {
			return list[i]
		}
		return span{}
	}
	for o := range e.space.Objectives {
		if s := at(want.ranges, o); s != at(have.ranges, o) {
			if s.all() {
				e.filter.Range(o, math.Inf(-1), math.Inf(1))
				e.filter.Normalised(o, math.Inf(-1), math.Inf(1))
			} else {
				e.filter.Normalised(o, s.low, s.high())
			}
		}
	}
	if want.distance != have.distance {
		low, high := want.distance.low*e.farthest(), want.distance.high()*e.farthest()
		if want.distance.cut == 0 {
			high = math.Inf(1)
		}
		if want.distance.all() {
			low = math.Inf(-1)
		}
		e.filter.Distance(low, high)
	}
	for p := range e.space.Parameters {
		var now, was []bool
		if p < len(want.values) {
			now = want.values[p]
		}
		if p < len(have.values) {
			was = have.values[p]
		}
		if !slices.Equal(now, was) || (now == nil) != (was == nil) {
			e.filter.Parameter(p, now)
		}
	}
	if !slices.EqualFunc(want.mapping, have.mapping, sameConstraint) {
		e.filter.Mapping(want.mapping...)
	}
	e.filter.Show(want.show)
	if e.now != e.passed {
		e.filter.Generation(e.now)
		e.passed = e.now
	}
	e.applied = *want
}

func sameConstraint(a, b dse.Constraint) bool {
	return a.Kind == b.Kind && a.Type == b.Type && slices.Equal(a.Processes, b.Processes)
}

// farthest is the greatest distance from the Pareto set.
func (e *Explorer) farthest() float64 {
	if e.farOf != e.space {
		e.farOf, e.far = e.space, farthest(e.space)
	}
	return e.far
}

// farthest is the greatest distance of a space from its Pareto set.
func farthest(s *dse.Space) float64 {
	if far := dse.Range(s.ToFront).Max; far > 0 {
		return far
	}
	return 1 // all are on the front; any distance does
}

// Limit keeps points whose normalised objective lies in [low, high]; 0 and 1 take the limit away. It is one undoable
// step.
func (e *Explorer) Limit(objective int, low, high float64) {
	e.choose("filter", func(c *choices) { c.criteria.limit(objective, low, high) })
}

// SlideLimit is Limit as the continuation of the Limit that began a drag.
func (e *Explorer) SlideLimit(objective int, low, high float64) {
	e.slide(func(c *choices) { c.criteria.limit(objective, low, high) })
}

// Limits is the range of the normalised objective that the filter keeps.
func (e *Explorer) Limits(objective int) (low, high float64) {
	if r := e.shown.criteria.ranges; objective < len(r) {
		return r[objective].low, r[objective].high()
	}
	return 0, 1
}

func (c *criteria) limit(objective int, low, high float64) {
	r := make([]span, max(len(c.ranges), objective+1))
	copy(r, c.ranges)
	r[objective] = spanOf(low, high)
	c.ranges = r
}

// allow lets a value of a parameter pass, or not.
func (c *criteria) allow(parameter, values, value int, yes bool) {
	all := make([][]bool, max(len(c.values), parameter+1))
	copy(all, c.values)
	list := make([]bool, values)
	for i := range list {
		list[i] = all[parameter] == nil || all[parameter][i]
	}
	list[value] = yes
	if !slices.Contains(list, false) {
		list = nil
	}
	all[parameter] = list
	c.values = all
}

// allows tells whether a value of a parameter passes.
func (c *criteria) allows(parameter, value int) bool {
	return parameter >= len(c.values) || c.values[parameter] == nil || c.values[parameter][value]
}

// any tells whether something is filtered, the animation aside.
func (c *criteria) any() bool {
	return slices.ContainsFunc(c.ranges, func(s span) bool { return !s.all() }) || !c.distance.all() ||
		slices.ContainsFunc(c.values, func(l []bool) bool { return l != nil }) || len(c.mapping) > 0 || c.show != dse.ShowAll
}

// way is a node's way from the root, which is the same in every tree that has it.
func way(t *dse.Tree, v int32) string {
	out := ""
	for _, u := range t.Path(v)[1:] {
		out += "/" + t.Kind[u].String() + " " + t.Value(u)
	}
	return out
}

// find is the node that a way leads to, None where the tree has it not.
func find(t *dse.Tree, where string) int32 {
	v := int32(0)
	for where != "" {
		next := dse.None
		for u := t.Child[v]; u < t.Child[v]+t.Children[v]; u++ {
			step := "/" + t.Kind[u].String() + " " + t.Value(u)
			if len(where) >= len(step) && where[:len(step)] == step && (len(where) == len(step) || where[len(step)] == '/') {
				next, where = u, where[len(step):]
				break
			}
		}
		if next == dse.None {
			return dse.None
		}
		v = next
	}
	return v
}

// foldedKey tells for which tree and which choice the collapsed nodes were found: choices replace the map.
type foldedKey struct {
	tree *dse.Tree
	ways uintptr
}

// foldedNow are the nodes whose children are hidden.
func (e *Explorer) foldedNow() map[int32]bool {
	key := foldedKey{e.tree, reflect.ValueOf(e.shown.folded).Pointer()}
	if key != e.foldedOf {
		e.foldedOf, e.folded = key, map[int32]bool{}
		for where := range e.shown.folded {
			if v := find(e.tree, where); v != dse.None {
				e.folded[v] = true
			}
		}
	}
	return e.folded
}

// fold hides the children of a node, or shows them again.
func (e *Explorer) fold(v int32) {
	if e.tree.Children[v] == 0 {
		return
	}
	where := way(e.tree, v)
	folded := maps.Clone(e.shown.folded)
	if folded == nil {
		folded = map[string]bool{}
	}
	if folded[where] {
		delete(folded, where)
	} else {
		folded[where] = true
	}
	e.choose("part of the tree", func(c *choices) { c.folded = folded })
}
