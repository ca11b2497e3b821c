package graphs

import (
	"fmt"
	"slices"
	"strings"

	"orrery/analysis/depgraph"
	"orrery/analysis/depgraph/filter"
	"orrery/app/panes/toolbar"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/codegraph"
	"orrery/views/pane"
)

// chipTips say what the chips are about.
var chipTips = map[string]string{
	"phase":      "the compiler's phase whose graph is shown",
	"color":      "what gives nodes their colour",
	"places":     "blocks, long edges and where nodes are",
	"difference": "what has changed since another phase",
	"filters":    "what is done with the graph before it is drawn",
	"set":        "which nodes are open",
}

// chips are the lists above the graph.
func (e *Explorer) chips() []toolbar.Chip {
	return []toolbar.Chip{e.phaseChip(), e.colorChip(), e.placesChip(), e.filterChip(), e.differenceChip(), e.setChip()}
}

func (e *Explorer) phaseChip() toolbar.Chip {
	c := toolbar.Chip{Name: "phase", Word: e.phaseName()}
	if g := e.group(); g != nil {
		for i, s := range g.Snapshots {
			c.List = append(c.List, toolbar.Choice{Title: fmt.Sprintf("%d  %s", i+1, s.Name), On: i == e.phase, Run: func() {
				e.Step(i)
			}})
		}
	}
	return c
}

func (e *Explorer) colorChip() toolbar.Chip {
	c := toolbar.Chip{Name: "color", About: "colour", Word: "by " + codegraph.ColorNames[e.shown.color]}
	for i, title := range []string{"Colours of the filters", "Heat: misses of the recording",
		"Heat: references of the recording"} {
		c.List = append(c.List, toolbar.Choice{ID: codegraph.ColorNames[i], Title: title, On: int(e.shown.color) == i,
			Off: i > 0 && e.Lend == nil,
			Run: func() { e.decide("colours of the graph", func(c *choices) { c.color = codegraph.ColorBy(i) }) }})
	}
	return c
}

func (e *Explorer) placesChip() toolbar.Chip {
	c := toolbar.Chip{Name: "places", About: "graph", Word: "graph"}
	if e.shown.blocks {
		c.Word = "in blocks"
	}
	flip := func(id, title, name string, on bool, change func(c *choices)) {
		c.List = append(c.List, toolbar.Choice{ID: id, Title: title, On: on, Check: true, Run: func() {
			e.decide(name, change)
		}})
	}
	flip("blocks", "Nodes in their basic blocks", "blocks", e.shown.blocks, func(c *choices) { c.blocks = !c.blocks })
	flip("long", "Long edges whole, not cut", "long edges", e.shown.whole, func(c *choices) { c.whole = !c.whole })
	for i, title := range []string{"Nodes stay while phases change little", "Nodes stay in all phases",
		"Each phase by itself, most compact"} {
		c.List = append(c.List, toolbar.Choice{ID: []string{"steady", "fixed", "compact"}[i], Title: title,
			On: int(e.shown.steady) == i, Run: func() {
				e.decide("places of nodes", func(c *choices) { c.steady = steady(i) })
			}})
	}
	for i, title := range []string{"Satellite in the corner", "Satellite view: all of the graph", "No satellite"} {
		c.List = append(c.List, toolbar.Choice{ID: []string{"corner", "satellite", "nosatellite"}[i], Title: title,
			On: int(e.code.satellite) == i, Run: func() { e.see(codegraph.Satellite(i)) }})
	}
	return c
}

// see chooses how the whole graph is shown.
func (e *Explorer) see(s codegraph.Satellite) {
	e.code.satellite = s
	e.tell(shell.Code)
}

func (e *Explorer) filterChip() toolbar.Chip {
	on, failed := 0, 0
	results := e.results()
	c := toolbar.Chip{Name: "filters", List: []toolbar.Choice{{ID: "filters.edit", Title: "Edit filters and profiles…",
		Run: e.editFilters}}}
	for i, f := range e.shown.filters {
		if f.On {
			on++
		}
		title := f.Name
		if results != nil && results[i].Err != nil {
			failed++
			title += " (" + stopped(results[i].Err) + ")"
		}
		c.List = append(c.List, toolbar.Choice{ID: "filter." + slug(f.Name), Title: title, On: f.On, Check: true,
			Run: func() { e.switchFilter(i) }})
	}
	c.Word = fmt.Sprintf("%d filters", on)
	if on == 1 {
		c.Word = "1 filter"
	}
	if failed > 0 {
		c.Word += fmt.Sprintf(", %d stopped", failed)
	}
	return c
}

// slug is a name as a part of a command's ID.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' {
			return '-'
		}
		return r
	}, strings.ToLower(name))
}

// switchFilter checks a filter, or takes the check away.
func (e *Explorer) switchFilter(i int) {
	list := slices.Clone(e.shown.filters)
	list[i].On = !list[i].On
	e.useFilters("filter: "+list[i].Name, list)
}

// useFilters takes another list.
func (e *Explorer) useFilters(name string, list []filter.Filter) {
	e.decide(name, func(c *choices) { c.filters = list })
	e.keepFilters()
}

func (e *Explorer) differenceChip() toolbar.Chip {
	c := toolbar.Chip{Name: "difference", Word: "no difference"}
	if e.shown.differs {
		c.Word = "difference"
	}
	c.List = append(c.List, toolbar.Choice{ID: "none", Title: "The phase itself", On: !e.shown.differs,
		Run: e.endDifference})
	if g := e.group(); g != nil {
		for i, s := range g.Snapshots {
			c.List = append(c.List, toolbar.Choice{Title: "Difference from " + s.Name, On: e.shown.differs &&
				e.shown.base == snapshotRef{e.at, i}, Off: i == e.phase,
				Run: func() { e.compare(e.at, i) }})
		}
	}
	return c
}

// compare shows what has changed from a snapshot to the one that is shown, in the colours of the filter that tells it.
func (e *Explorer) compare(entry, phase int) {
	e.home = compared
	e.decide("difference", func(c *choices) {
		if !c.differs {
			c.heat = c.color
		}
		c.base, c.differs, c.color = snapshotRef{entry, phase}, true, codegraph.ByFilters
		c.checkDifference(true)
	})
}

// endDifference shows the phase itself again.
func (e *Explorer) endDifference() {
	e.decide("difference", func(c *choices) { c.endDifference() })
}

func (c *choices) endDifference() {
	if !c.differs {
		return
	}
	if c.differs = false; c.color == codegraph.ByFilters {
		c.color = c.heat
	}
	c.checkDifference(false)
}

// checkDifference checks the filter of the difference, or not.
func (c *choices) checkDifference(on bool) {
	c.filters = slices.Clone(c.filters)
	for i := range c.filters {
		if c.filters[i].Name == session.DifferenceFilter {
			c.filters[i].On = on
		}
	}
}

func (e *Explorer) setChip() toolbar.Chip {
	c := toolbar.Chip{Name: "set", Word: "all nodes"}
	if n := len(e.shown.set); n > 0 {
		c.Word = fmt.Sprintf("%d open", n)
	}
	for _, a := range e.setActions() {
		c.List = append(c.List, toolbar.Choice{ID: a.id, Title: a.title, Off: !a.on, Run: a.run})
	}
	return c
}

// action is something to do with nodes.
type action struct {
	id, title, keys string
	on              bool
	run             func()
}

// setActions open and close nodes.
func (e *Explorer) setActions() []action {
	some := len(e.selected) > 0
	return []action{
		{"only", "Show only the selected nodes", "", some, func() { e.open("show only", e.selected) }},
		{"predecessors", "Open predecessors", "", some, func() {
			e.grow("open predecessors", depgraph.Predecessors, e.selected)
		}},
		{"successors", "Open successors", "", some, func() { e.grow("open successors", depgraph.Successors, e.selected) }},
		{"hide", "Hide the selected nodes", "", some, func() { e.open("hide", e.everything().Without(e.selected...)) }},
		{"all", "Show all nodes", "Ctrl+Shift+A", len(e.shown.set) > 0, func() { e.home = widened; e.open("show all", nil) }},
		{"select.predecessors", "Select predecessors too", "", some, func() { e.neighbours(depgraph.Predecessors) }},
		{"select.successors", "Select successors too", "", some, func() { e.neighbours(depgraph.Successors) }},
		{"mark", "Bookmark the selected nodes, or not", "Ctrl+G", some, e.mark},
	}
}

// Menu is what can be done with the nodes under the pointer.
func (v *codeView) Menu(pane.Event) []pane.MenuItem {
	e := v.e
	if e.group() == nil {
		return nil
	}
	var items []pane.MenuItem
	for _, a := range e.setActions() {
		items = append(items, pane.MenuItem{Title: a.title, Off: !a.on, Run: a.run})
	}
	items = append(items, pane.MenuItem{}, pane.MenuItem{Title: "Back", Off: len(e.past) == 0, Run: func() { e.Back() }},
		pane.MenuItem{Title: "Forward", Off: len(e.future) == 0, Run: func() { e.Forward() }},
		pane.MenuItem{Title: "Show the whole graph", Run: v.Fit}, pane.MenuItem{Title: "Edit filters and profiles…",
			Run: e.editFilters})
	return append(items, toolbar.Menu([]toolbar.Chip{e.colorChip(), e.placesChip()})...)
}

// Commands are the explorer's own.
func (e *Explorer) Commands() []shell.Command {
	some := func() bool { return e.group() != nil }
	show := func(id, title string, slot shell.Slot) shell.Command {
		return shell.Command{ID: "graph.show." + id, Title: title, Menu: "View", Run: func() {
			if e.host.Show != nil {
				e.host.Show(slot)
			}
		}}
	}
	list := []shell.Command{
		show("code", "Show the compiler's graph", shell.Code), show("flow", "Show the control flow", shell.Flow),
		{ID: "graph.back", Title: "Back in the graph", Menu: "View", Keys: "Alt+,", Run: func() { e.Back() },
			Enabled: func() bool { return len(e.past) > 0 }},
		{ID: "graph.forward", Title: "Forward in the graph", Menu: "View", Keys: "Alt+.", Run: func() { e.Forward() },
			Enabled: func() bool { return len(e.future) > 0 }},
		{ID: "graph.mark.next", Title: "Next bookmark of the graph", Menu: "View", Keys: "B", Run: func() { e.nextMark(1) },
			Enabled: func() bool { return len(e.marks) > 0 }},
		{ID: "graph.mark.previous", Title: "Previous bookmark of the graph", Menu: "View", Keys: "Shift+B",
			Run: func() { e.nextMark(-1) }, Enabled: func() bool { return len(e.marks) > 0 }},
		{ID: "graph.satellite", Title: "Satellite view of the graph, or normal", Menu: "View", Keys: "Shift+S",
			Enabled: some, Run: func() {
				e.see(map[bool]codegraph.Satellite{true: codegraph.Corner,
					false: codegraph.Whole}[e.code.satellite == codegraph.Whole])
			}},
	}
	list = append(list,
		shell.Command{ID: "graph.difference.before", Also: "compare diff", Title: "Graph: difference from the phase before",
			Enabled: func() bool { return e.group() != nil && e.phase > 0 },
			Run:     func() { e.compare(e.at, e.phase-1) }},
		shell.Command{ID: "graph.difference.none", Also: "no", Title: "Graph: end the difference",
			Enabled: func() bool { return e.shown.differs }, Run: e.endDifference})
	for _, i := range []int{0, 1, 2, 3, 4, 5, 6, 7} {
		a := e.setActions()[i]
		list = append(list, shell.Command{ID: "graph." + a.id, Title: a.title, Menu: "Edit", Keys: a.keys,
			Run: func() { e.setActions()[i].run() }, Enabled: func() bool { return e.setActions()[i].on }})
	}
	seen := []string{}
	for _, c := range []toolbar.Chip{e.colorChip(), e.placesChip(), e.filterChip()} {
		for i, o := range c.List {
			id := "graph." + c.Name + "." + o.ID
			if slices.Contains(seen, id) {
				continue
			}
			seen = append(seen, id)
			list = append(list, shell.Command{ID: id, Title: "Graph: " + strings.ToLower(o.Title[:1]) + o.Title[1:],
				Enabled: some, Run: func() {
					for _, now := range []toolbar.Chip{e.colorChip(), e.placesChip(), e.filterChip()} {
						if now.Name == c.Name && i < len(now.List) && !now.List[i].Off {
							now.List[i].Run()
						}
					}
				}})
		}
	}
	return list
}
