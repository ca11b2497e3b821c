package designspace

import (
	"fmt"
	"slices"
	"strings"

	"orrery/analysis/dse"
	"orrery/app/session/toolbar"
	"orrery/app/shell"
	"orrery/views/dsetree"
	"orrery/views/pane"
	"orrery/views/words"
)

// chips are the choices of the tree.
func (v *treeView) chips() []toolbar.Chip {
	var out []toolbar.Chip
	if v.e.hunt != nil {
		out = append(out, v.e.hunt.chip())
	}
	if v.e.space == nil {
		return out
	}
	return append(out, v.toneChip(), v.channelChip(), v.edgeChip(), v.showChip(), v.partsChip())
}

func (v *treeView) toneChip() toolbar.Chip {
	e := v.e
	chip := toolbar.Chip{Name: "color", About: "colour", Word: "by " + dsetree.ToneNames[e.shown.look.Tone]}
	if o := e.shown.look.Of[dsetree.Face]; o >= 0 && e.shown.look.Tone != dsetree.ByCoverage {
		chip.Word = e.space.Objectives[o].Name + ", " + dsetree.ToneNames[e.shown.look.Tone]
	}
	for i, name := range dsetree.ToneNames {
		t := dsetree.Tone(i)
		chip.List = append(chip.List, toolbar.Option{ID: strings.ReplaceAll(name, " ", "-"), Title: "Parameter nodes show the " + name + " below", On: e.shown.look.Tone == t,
			Off: t == dsetree.ByCoverage && !e.space.Generations.Known(), Run: func() { e.choose("colours of the tree", func(c *choices) { c.look.Tone = t }) }})
	}
	return chip
}

func (v *treeView) channelChip() toolbar.Chip {
	e := v.e
	chip := toolbar.Chip{Name: "channels", Word: "channels"}
	for c := range dsetree.Channels {
		for o := -1; o < len(e.space.Objectives); o++ {
			name, id := "nothing", "nothing"
			if o >= 0 {
				name, id = e.space.Objectives[o].Name, fmt.Sprint(o)
				if e.space.Objectives[o].Architecture && c != dsetree.Face && c != dsetree.Side { // it has a level of its own
					continue
				}
			}
			chip.List = append(chip.List, toolbar.Option{ID: dsetree.ChannelNames[c] + "." + id, Title: dsetree.ChannelNames[c] + " shows " + name, On: e.shown.look.Of[c] == o,
				Run: func() { e.choose("what the nodes show", func(s *choices) { s.look.Of[c] = o }) }})
		}
	}
	return chip
}

func (v *treeView) edgeChip() toolbar.Chip {
	e := v.e
	chip := toolbar.Chip{Name: "edges", Word: "edges: distance"}
	if e.shown.look.Edges == dse.ByGeneration {
		chip.Word = "edges: generation"
	}
	for i, title := range []string{"Edges by the least distance to the Pareto set", "Edges by the last generation below"} {
		by := dse.Importance(i)
		chip.List = append(chip.List, toolbar.Option{ID: []string{"distance", "generation"}[i], Title: title, On: e.shown.look.Edges == by,
			Off: by == dse.ByGeneration && !e.space.Generations.Known(), Run: func() { e.choose("edges of the tree", func(c *choices) { c.look.Edges = by }) }})
	}
	return chip
}

// showNames are the results of a filter in words.
var showNames = []string{"all points", "local fronts", "global front"}

func (v *treeView) showChip() toolbar.Chip {
	e := v.e
	chip := toolbar.Chip{Name: "show", About: "points shown", Word: showNames[e.shown.criteria.show]}
	for i, title := range []string{"Show all points that pass", "Show local Pareto points only", "Show global Pareto points only"} {
		show := dse.Show(i)
		chip.List = append(chip.List, toolbar.Option{ID: []string{"all", "local", "global"}[i], Title: title, On: e.shown.criteria.show == show,
			Run: func() { e.choose("filter", func(c *choices) { c.criteria.show = show }) }})
	}
	return chip
}

// thresholds part Low from High.
var thresholds = []float64{0.02, 0.05, 0.1, 0.2, 0.4}

func (v *treeView) partsChip() toolbar.Chip {
	e := v.e
	chip := toolbar.Chip{Name: "parts", About: "view", Word: "view"}
	add := func(id, title string, on, off bool, run func()) {
		chip.List = append(chip.List, toolbar.Option{ID: id, Title: title, On: on, Off: off, Run: run})
	}
	flip := func(id, title string, on, off bool, name string, at func(c *choices) *bool) {
		add(id, title, on, off, func() { e.choose(name, func(c *choices) { *at(c) = !*at(c) }) })
		chip.List[len(chip.List)-1].Check = true
	}
	flip("empty", "Hide what nobody searched", e.shown.hideEmpty, false, "parts of the tree", func(c *choices) *bool { return &c.hideEmpty })
	flip("hexagons", "Hexagons: first and last generation", e.shown.look.Hexagons, !e.space.Generations.Known(), "generations on the tree", func(c *choices) *bool { return &c.look.Hexagons })
	flip("as-of", "Fronts as of the generation that is shown", e.shown.asOf, !e.space.Generations.Known(), "fronts of the tree", func(c *choices) *bool { return &c.asOf })
	flip("satellite", "Satellite view when zoomed", e.shown.satellite, false, "satellite view", func(c *choices) *bool { return &c.satellite })
	flip("lens", "Bird view: a lens follows the pointer", e.shown.bird, false, "lens", func(c *choices) *bool { return &c.bird })
	add("fold", "Collapse all subspaces", false, false, v.foldSubspaces)
	add("unfold", "Expand everything", false, len(e.shown.folded) == 0, func() { e.choose("parts of the tree", func(c *choices) { c.folded = nil }) })
	for _, t := range thresholds {
		add(fmt.Sprintf("threshold-%g", t), fmt.Sprintf("High means farther than %g from the point above", t), e.shown.threshold == t, false, func() {
			e.choose("threshold", func(c *choices) { c.threshold = t })
		})
	}
	return chip
}

// foldSubspaces collapses the lowest parameter level.
func (v *treeView) foldSubspaces() {
	t := v.e.tree
	if t == nil {
		return
	}
	level := len(t.Order)
	folded := map[string]bool{}
	for n := t.Start[level]; n < t.Start[level+1]; n++ {
		if t.Points[n] > 0 {
			folded[way(t, n)] = true
		}
	}
	v.e.choose("parts of the tree", func(c *choices) { c.folded = folded })
}

// Menu offers details of what is under the pointer, and the choices.
func (v *treeView) Menu(e pane.Event) []pane.MenuItem {
	if v.e.shade == nil {
		return nil
	}
	var items []pane.MenuItem
	if t := v.hit(e); t.Node >= 0 && t.Merged < 2 {
		items = v.nodeMenu(t.Node)
	}
	items = append(items, pane.MenuItem{Title: "Show the whole tree", Run: v.Fit}, pane.MenuItem{Title: "Take all filters away", Off: !v.e.shown.criteria.any(), Run: v.e.resetFilter})
	return append(items, toolbar.Menu([]toolbar.Chip{v.toneChip(), v.edgeChip(), v.showChip(), v.partsChip()})...)
}

// nodeMenu is the menu of a node.
func (v *treeView) nodeMenu(n int32) []pane.MenuItem {
	t := v.e.shade.Layout.Tree
	var items []pane.MenuItem
	add := func(title string, run func()) { items = append(items, pane.MenuItem{Title: title, Run: run}) }
	if p := t.Point(n); p >= 0 {
		add("Details of design "+t.Space.Label(int(p)), func() {
			v.e.link.Select(Design(p), "designs")
			v.e.show(shell.Design)
		})
		if v.e.RunDesign != nil {
			add("Run this hierarchy in the cache view", func() { v.e.RunDesign(v.e.space.Set, int(p)) })
		}
	}
	if k := t.Subspace[n]; k >= 0 {
		add("Compare its subspace with others", func() {
			v.e.link.Select(v.thing(n), "designs")
			v.e.show(shell.Subspaces)
		})
	}
	if level := t.Levels[t.Level(n)]; level.Kind == dse.ParameterNode {
		add(fmt.Sprintf("Only %s %s", level.Name, t.Value(n)), func() { v.e.only(level.Index, int(t.Item[n])) })
		add(fmt.Sprintf("Without %s %s", level.Name, t.Value(n)), func() {
			v.e.choose("filter", func(c *choices) {
				c.criteria.allow(level.Index, len(v.e.space.Parameters[level.Index].Values), int(t.Item[n]), false)
			})
		})
	}
	if t.Children[n] > 0 && v.e.tree == t {
		title := fmt.Sprintf("Collapse %s nodes below", words.Count(uint64(t.Size[n])))
		if v.e.foldedNow()[n] {
			title = fmt.Sprintf("Expand %s nodes below", words.Count(uint64(t.Size[n])))
		}
		add(title, func() { v.e.fold(n) })
	}
	return append(items, pane.MenuItem{})
}

// only keeps one value of a parameter.
func (e *Explorer) only(parameter, value int) {
	e.choose("filter", func(c *choices) {
		n := len(e.space.Parameters[parameter].Values)
		for k := range n {
			c.criteria.allow(parameter, n, k, k == value)
		}
	})
}

// resetFilter lets all points pass.
func (e *Explorer) resetFilter() {
	e.choose("filter", func(c *choices) { c.criteria = criteria{} })
}

// counts say how much of the space is shown.
func (e *Explorer) counts() string {
	pass := e.Pass()
	if pass == nil {
		return ""
	}
	return fmt.Sprintf("%s of %s designs", words.Count(pass.Count()), words.Count(e.space.N))
}

// commands are the choices on the keyboard and in the palette.
func (v *treeView) commands() []shell.Command {
	some := func() bool { return v.e.space != nil }
	list := []shell.Command{
		{ID: "view.show.designs", Title: "Show the tree of designs", Menu: "View", Keys: "Ctrl+Shift+T", Run: func() { v.e.show(shell.Designs) }},
		{ID: "designs.reset", Title: "Take all filters of designs away", Menu: "Edit", Run: v.e.resetFilter, Enabled: func() bool { return some() && v.e.shown.criteria.any() }},
	}
	for _, f := range []struct{ chip, id, title, keys string }{
		{"color", "minimum", "Colour nodes by the minimum below", ""}, {"color", "average", "Colour nodes by the average below", ""}, {"color", "maximum", "Colour nodes by the maximum below", ""},
		{"color", "first-generation", "Colour nodes by their first generation", "Shift+G"},
		{"edges", "distance", "Edges by distance to the Pareto set", ""}, {"edges", "generation", "Edges by last generation", ""},
		{"show", "all", "Show all designs", ""}, {"show", "local", "Show local Pareto points", ""}, {"show", "global", "Show global Pareto points", ""},
		{"parts", "empty", "Hide what nobody searched", "Shift+E"}, {"parts", "hexagons", "Hexagons of generations", "Shift+X"}, {"parts", "as-of", "Fronts as of the generation that is shown", "Shift+F"}, {"parts", "satellite", "Satellite view", ""}, {"parts", "lens", "Bird view", "Shift+L"},
		{"parts", "fold", "Collapse all subspaces", ""}, {"parts", "unfold", "Expand everything", ""},
	} {
		list = append(list, shell.Command{ID: "designs." + f.chip + "." + f.id, Title: "Designs: " + strings.ToLower(f.title[:1]) + f.title[1:], Keys: f.keys, Enabled: some, Run: func() {
			for _, c := range v.chips() {
				if i := slices.IndexFunc(c.List, func(o toolbar.Option) bool { return c.Name == f.chip && o.ID == f.id && !o.Off }); i >= 0 {
					c.List[i].Run()
				}
			}
		}})
	}
	return list
}
