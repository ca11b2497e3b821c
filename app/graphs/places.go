package graphs

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"orrery/analysis/depgraph"
	"orrery/app/shell"
)

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
	e.decide("place", func(c *choices) { c.set = p.set })
	e.home, e.backTo = stay, p.view
	if e.drawn == nil || !reflect.DeepEqual(e.of, e.asked) {
		e.home = returned
	}
	was := e.code.view
	e.code.view = p.view
	if e.home == stay {
		e.code.fly(was, nil)
	}
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
