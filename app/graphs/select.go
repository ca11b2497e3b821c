package graphs

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"orrery/analysis/depgraph"
	"orrery/app/shell"
	"orrery/traceio/irgraph"
	"orrery/views/link"
)

// origin is what the explorer's own selections come from.
const origin = "graph"

// choosing selects nodes, and with them what the other panes know of them (see brush).
func (e *Explorer) choosing(ids depgraph.Set) {
	e.selected = ids
	thing := e.brush(ids)
	if e.chosen == nil {
		e.chosen = map[link.Thing]depgraph.Set{}
	}
	e.chosen[thing] = ids
	if thing != e.link.State().Selected {
		e.telling = true
		e.link.Select(thing, origin)
		e.telling = false
	}
	e.tell(shell.Code, shell.Flow, shell.Properties, shell.Source)
}

// lineOf is the source line of a node for the other panes.
func (e *Explorer) lineOf(p irgraph.Properties) link.Thing {
	line, _ := strconv.Atoi(p.Get(irgraph.KeyLine))
	if line <= 0 {
		return link.Thing{}
	}
	return e.Line(p.Get(irgraph.KeyFile), line)
}

// comesFrom tells whether a line is among those of a node.
func (e *Explorer) comesFrom(p irgraph.Properties, t link.Thing) bool {
	lines := p.Lines()
	return slices.Contains(lines, t.Line) && e.Line(p.Get(irgraph.KeyFile), t.Line) == t
}

// linked follows what is selected and looked at elsewhere: the nodes of a line, or of instructions.
func (e *Explorer) linked(old, now link.State) {
	if old.Selected != now.Selected && !e.telling {
		e.selected = e.nodesOf(now.Selected)
		if was, ok := e.chosen[now.Selected]; ok && now.Origin == origin { // a step is taken back
			e.selected = was
		}
		if len(e.selected) > 0 {
			e.code.reveal(e.selected)
		}
		e.tell(shell.Code, shell.Flow, shell.Properties)
	}
}

// nodesOf are the nodes that come from a line, or of which instructions are.
func (e *Explorer) nodesOf(t link.Thing) (out depgraph.Set) {
	p := e.picture()
	if p == nil || t.What != link.Line && t.What != link.Instructions {
		return nil
	}
	if ids := e.madeBy(t.PCs()); len(ids) > 0 {
		return ids
	}
	t = t.AsLine()
	var ids []string
	for v := range p.Graph.Nodes {
		if n := &p.Graph.Nodes[v]; e.comesFrom(n.Properties, t) {
			ids = append(ids, n.ID)
		}
	}
	return depgraph.NewSet(ids...)
}

// open shows nodes fully and their neighbours semi-transparent; none shows everything.
func (e *Explorer) open(name string, set depgraph.Set) {
	e.keepPlace()
	e.decide(name, func(c *choices) { c.set = set })
}

// toggle is a double click on a node.
func (e *Explorer) toggle(id string) {
	name := "open " + id
	if e.shown.set.Has(id) {
		name = "close " + id
	}
	if len(e.shown.set) == 0 {
		e.home = widened
	}
	e.open(name, e.shown.set.Toggle(id))
}

// everything is all nodes of the phase, for a set that leaves some out.
func (e *Explorer) everything() depgraph.Set {
	if len(e.shown.set) > 0 {
		return e.shown.set
	}
	var ids []string
	if p := e.picture(); p != nil {
		for v := range p.Graph.Nodes {
			ids = append(ids, p.Graph.Nodes[v].ID)
		}
	}
	return depgraph.NewSet(ids...)
}

// grow opens the neighbours of nodes in a direction, those of the whole phase, whether they are in view or not.
func (e *Explorer) grow(name string, d depgraph.Direction, of depgraph.Set) {
	s := e.snapshot()
	if s == nil || len(of) == 0 {
		return
	}
	set := e.shown.set
	if len(set) == 0 {
		set = of
	}
	e.home = widened
	e.open(name, set.With(of...).Grow(depgraph.Display(s), d, of...))
}

// neighbours selects the nodes before or behind those that are selected.
func (e *Explorer) neighbours(d depgraph.Direction) {
	if p := e.picture(); p != nil && len(e.selected) > 0 {
		e.choosing(e.selected.Grow(p.Graph, d))
	}
}

// memory are the loads and stores of the nodes of a line; all of its nodes where none refers to memory.
func (e *Explorer) memory(s *irgraph.Snapshot, t link.Thing) depgraph.Set {
	var refer, ids []string
	for v := range s.Nodes {
		n := &s.Nodes[v]
		if !e.comesFrom(n.Properties, t) {
			continue
		}
		ids = append(ids, n.ID)
		if n.Properties.Get(irgraph.KeyAccess) != "" {
			refer = append(refer, n.ID)
		}
	}
	if len(refer) > 0 {
		ids = refer
	}
	return depgraph.NewSet(ids...)
}

// OpenLine opens the loads and stores of a source line, in another function where the one that is shown has none of it;
// false where all have none.
func (e *Explorer) OpenLine(t link.Thing) bool {
	s := e.snapshot()
	if s == nil {
		return false
	}
	set := e.memory(s, t)
	for i := 0; len(set) == 0 && i < len(e.entries); i++ {
		all := e.entries[i].Snapshots
		if set = e.memory(all[len(all)-1], t); len(set) > 0 {
			e.keepPlace()
			e.choose(i, -1)
		}
	}
	if len(set) == 0 {
		return false
	}
	e.selected, e.home = set, found
	e.open("open a line", set)
	return true
}

// anchors are the nodes that are in view, those nearest to its middle first, with where they are: one of them should
// stay there when the drawing changes. The selected ones alone, where there are such; where none is in view the
// nearest.
func (e *Explorer) anchors() (all []anchored) {
	p := e.code.last
	if p == nil {
		return nil
	}
	v := e.code
	z := max(v.view.Zoom, 1e-9)
	for i := range p.Graph.Nodes {
		b := p.Box(i)
		a := anchored{id: p.Graph.Nodes[i].ID, dx: (b.Min.X+b.Max.X)/2 - v.view.Center.X,
			dy: (b.Min.Y+b.Max.Y)/2 - v.view.Center.Y}
		a.seen = math.Abs(a.dx) < v.size.W/2/z && math.Abs(a.dy) < (v.size.H-barTall)/2/z
		a.chosen = a.seen && e.selected.Has(a.id)
		all = append(all, a)
	}
	slices.SortStableFunc(all, func(a, b anchored) int {
		return cmp.Or(cmp.Compare(order(b.chosen), order(a.chosen)), cmp.Compare(order(b.seen), order(a.seen)),
			cmp.Compare(math.Hypot(a.dx, a.dy), math.Hypot(b.dx, b.dy)))
	})
	n := 0
	for n < len(all) && n < mostAnchors && all[n].seen && all[n].chosen == all[0].chosen {
		n++
	}
	return all[:min(len(all), max(1, n))]
}

// mostAnchors bounds how many nodes are tried.
const mostAnchors = 150

func order(b bool) int {
	if b {
		return 1
	}
	return 0
}

// anchored is a node and how far it was from the middle of the pane.
type anchored struct {
	id           string
	dx, dy       float64
	seen, chosen bool
}
