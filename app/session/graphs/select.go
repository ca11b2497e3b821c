package graphs

import (
	"slices"
	"strconv"
	"strings"

	"orrery/analysis/depgraph"
	"orrery/app/shell"
	"orrery/traceio/irgraph"
	"orrery/views/link"
)

// origin is what the explorer's own selections come from.
const origin = "graph"

// select chooses nodes, and with them the source line of the first that has one: the other panes follow it.
func (e *Explorer) choosing(ids depgraph.Set) {
	e.selected = ids
	thing := link.Thing{}
	if p := e.picture(); p != nil {
		for v := range p.Graph.Nodes {
			if n := &p.Graph.Nodes[v]; ids.Has(n.ID) {
				if thing = e.lineOf(n.Properties); thing.What != link.Nothing {
					break
				}
			}
		}
	}
	if thing != e.link.State().Selected {
		e.link.Select(thing, origin)
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

// linked follows what is selected and looked at elsewhere: the nodes of a line.
func (e *Explorer) linked(old, now link.State) {
	if old.Selected != now.Selected && now.Origin != origin {
		e.selected = e.nodesOf(now.Selected)
		if len(e.selected) > 0 {
			e.code.reveal(e.selected)
		}
		e.tell(shell.Code, shell.Flow, shell.Properties)
	}
}

// nodesOf are the nodes that come from a line.
func (e *Explorer) nodesOf(t link.Thing) (out depgraph.Set) {
	p := e.picture()
	if p == nil || t.What != link.Line {
		return nil
	}
	var ids []string
	for v := range p.Graph.Nodes {
		if n := &p.Graph.Nodes[v]; n.Properties.Get(irgraph.KeyLine) == strconv.Itoa(t.Line) && e.lineOf(n.Properties) == t {
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
		if e.lineOf(n.Properties) != t {
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

// OpenLine opens the loads and stores of a source line; false where the function has none of it.
func (e *Explorer) OpenLine(t link.Thing) bool {
	s := e.snapshot()
	if s == nil {
		return false
	}
	set := e.memory(s, t)
	if len(set) == 0 {
		return false
	}
	e.selected, e.home = set, found
	e.open("open a line", set)
	return true
}

// keepPlace notes where the user is, for Back.
func (e *Explorer) keepPlace() {
	e.past = append(e.past, e.place())
	if len(e.past) > 200 {
		e.past = slices.Delete(e.past, 0, 1)
	}
	e.future = nil
}

func (e *Explorer) place() place {
	p := place{entry: e.at, phase: e.phase, set: e.shown.set, view: e.code.view}
	if len(e.selected) > 0 {
		p.node = e.selected[0]
	}
	return p
}

// goTo shows a place.
func (e *Explorer) goTo(p place) {
	e.choose(p.entry, p.phase)
	e.home = stay
	e.code.view = p.view
	e.decide("place", func(c *choices) { c.set = p.set })
	e.tell(all...)
}

// Back goes to where the user was before; false when there is no such place.
func (e *Explorer) Back() bool { return e.travel(&e.past, &e.future) }

// Forward takes Back back.
func (e *Explorer) Forward() bool { return e.travel(&e.future, &e.past) }

func (e *Explorer) travel(from, to *[]place) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	p := (*from)[n-1]
	*from = (*from)[:n-1]
	*to = append(*to, e.place())
	past, future := e.past, e.future
	e.goTo(p)
	e.past, e.future = past, future
	return true
}

// marked are the bookmarks of the function.
func (e *Explorer) marked() depgraph.Set {
	var ids []string
	for _, m := range e.marks {
		if m.entry == e.at {
			ids = append(ids, m.node)
		}
	}
	return depgraph.NewSet(ids...)
}

// mark sets a bookmark on the selected nodes, or takes it off those that have one.
func (e *Explorer) mark() {
	have := e.marked()
	for _, id := range e.selected {
		if have.Has(id) {
			e.marks = slices.DeleteFunc(e.marks, func(m place) bool { return m.entry == e.at && m.node == id })
		} else {
			e.marks = append(e.marks, place{entry: e.at, phase: e.phase, node: id})
		}
	}
	e.remember()
	e.tell(shell.Code)
}

// nextMark goes to the bookmark behind, or before, the one that is selected.
func (e *Explorer) nextMark(by int) {
	n := len(e.marks)
	if n == 0 {
		return
	}
	at := slices.IndexFunc(e.marks, func(m place) bool { return m.entry == e.at && e.selected.Has(m.node) })
	if at < 0 && by > 0 {
		at = n - 1
	}
	m := e.marks[(max(at, 0)+by+n)%n]
	e.keepPlace()
	phase := m.phase
	if m.entry == e.at && e.has(m.node) {
		phase = e.phase
	}
	e.choose(m.entry, phase)
	e.selected = depgraph.NewSet(m.node)
	e.find(m.node)
}

// has tells whether the phase has a node.
func (e *Explorer) has(id string) bool {
	s := e.snapshot()
	return s != nil && s.Find(id) >= 0
}

// find selects a node and brings it into view; where only a part is open, it is opened too.
func (e *Explorer) find(id string) {
	ids := depgraph.NewSet(id)
	if p := e.picture(); p == nil {
		e.home = found
	} else if _, ok := p.FitNodes(ids, e.code.size, 0, 1); !ok && len(e.shown.set) > 0 {
		e.home = found
		e.open("open "+id, e.shown.set.With(id))
	} else {
		e.code.reveal(ids)
	}
	e.choosing(ids)
}

// anchor is a node that should stay where it is when the drawing changes: one that is selected, else the one nearest to the
// middle of what is seen.
func (e *Explorer) anchor() (a anchored, ok bool) {
	p := e.picture()
	if p == nil {
		return a, false
	}
	nearest := -1.0
	for v := range p.Graph.Nodes {
		n := &p.Graph.Nodes[v]
		b := p.Box(v)
		dx, dy := (b.Min.X+b.Max.X)/2-e.code.view.Center.X, (b.Min.Y+b.Max.Y)/2-e.code.view.Center.Y
		d := dx*dx + dy*dy
		if e.selected.Has(n.ID) {
			d *= 1e-6
		}
		if nearest < 0 || d < nearest {
			nearest, a = d, anchored{n.ID, dx, dy}
		}
	}
	return a, nearest >= 0
}

// anchored is a node and how far it was from the middle of the pane.
type anchored struct {
	id     string
	dx, dy float64
}

// Recall brings back the bookmarks and filters of the file, before anything is shown.
func (e *Explorer) Recall() {
	if e.host.Recall == nil {
		return
	}
	for _, line := range e.host.Recall("graph.bookmarks") {
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			continue
		}
		entry, err1 := strconv.Atoi(f[0])
		phase, err2 := strconv.Atoi(f[1])
		if err1 == nil && err2 == nil && entry >= 0 && phase >= 0 {
			e.marks = append(e.marks, place{entry: entry, phase: phase, node: f[2]})
		}
	}
	e.recallFilters()
}

// remember keeps the bookmarks with the file.
func (e *Explorer) remember() {
	if e.host.Remember == nil {
		return
	}
	var lines []string
	for _, m := range e.marks {
		lines = append(lines, strconv.Itoa(m.entry)+"\t"+strconv.Itoa(m.phase)+"\t"+m.node)
	}
	e.host.Remember("graph.bookmarks", lines)
}
