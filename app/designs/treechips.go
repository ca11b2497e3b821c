package designs

import (
	"fmt"
	"slices"
	"strings"

	"orrery/analysis/dse"
	"orrery/app/panes/toolbar"
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

// toneTitle is what a tone is called in a menu.
func toneTitle(name string) string { return "Parameter nodes show the " + name + " below" }

func (v *treeView) toneChip() toolbar.Chip {
	e := v.e
	chip := toolbar.Chip{Name: "color", About: "colour", Word: "by " + dsetree.ToneNames[e.shown.look.Tone]}
	if o := e.shown.look.Of[dsetree.Face]; o >= 0 && e.shown.look.Tone != dsetree.ByCoverage {
		chip.Word = e.space.Objectives[o].Name + ", " + dsetree.ToneNames[e.shown.look.Tone]
	}
	for i, name := range dsetree.ToneNames {
		t := dsetree.Tone(i)
		chip.List = append(chip.List, toolbar.Choice{ID: strings.ReplaceAll(name, " ", "-"), Title: toneTitle(name),
			On:  e.shown.look.Tone == t,
			Off: t == dsetree.ByCoverage && !e.space.Generations.Known(), Run: func() {
				e.choose("colours of the tree", func(c *choices) { c.look.Tone = t })
			}})
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
			}
			chip.List = append(chip.List, toolbar.Choice{ID: dsetree.ChannelNames[c] + "." + id, Title: dsetree.ChannelNames[c] +
				" shows " + name, On: e.shown.look.Of[c] == o,
				Run: func() { e.choose("what the nodes show", func(s *choices) { s.look.Give(e.space, c, o) }) }})
		}
	}
	return chip
}

// What edges and a filter show, by the ends of their commands' names and as a menu calls it.
var (
	edgeIDs    = []string{"distance", "generation"}
	edgeTitles = []string{"Edges by the least distance to the Pareto set", "Edges by the last generation below"}
	showIDs    = []string{"all", "local", "global"}
	showTitles = []string{"Show all points that pass", "Show local Pareto points only", "Show global Pareto points only"}
)

func (v *treeView) edgeChip() toolbar.Chip {
	e := v.e
	chip := toolbar.Chip{Name: "edges", Word: "edges: distance"}
	if e.shown.look.Edges == dse.ByGeneration {
		chip.Word = "edges: generation"
	}
	for i, title := range edgeTitles {
		by := dse.Importance(i)
		chip.List = append(chip.List, toolbar.Choice{ID: edgeIDs[i], Title: title, On: e.shown.look.Edges == by,
			Off: by == dse.ByGeneration && !e.space.Generations.Known(), Run: func() {
				e.choose("edges of the tree", func(c *choices) { c.look.Edges = by })
			}})
	}
	return chip
}

// showNames are the results of a filter in words.
var showNames = []string{"all points", "local fronts", "global front"}

func (v *treeView) showChip() toolbar.Chip {
	e := v.e
	chip := toolbar.Chip{Name: "show", About: "points shown", Word: showNames[e.shown.criteria.show]}
	for i, title := range showTitles {
		show := dse.Show(i)
		chip.List = append(chip.List, toolbar.Choice{ID: showIDs[i], Title: title, On: e.shown.criteria.show == show,
			Run: func() { e.choose("filter", func(c *choices) { c.criteria.show = show }) }})
	}
	return chip
}

// thresholds part Low from High.
var thresholds = []float64{0.02, 0.05, 0.1, 0.2, 0.4}

// parts are what may be seen of the tree and how it is seen, as a menu and the keys have it.
var parts = []struct{ id, title, keys string }{
	{"empty", "Hide what nobody searched", "Shift+E"}, {"hexagons", "Hexagons: first and last generation", "Shift+X"},
	{"as-of", "Fronts as of the generation that is shown", "Shift+F"}, {"satellite", "Satellite view when zoomed", ""},
	{"lens", "Bird view: a lens follows the pointer", "Shift+L"}, {"fold", "Collapse all subspaces", ""},
	{"unfold", "Expand everything", ""},
}

// thresholdTitle is what a threshold is called in a menu.
func thresholdTitle(t float64) (id, title string) {
	return fmt.Sprintf("threshold-%g", t), fmt.Sprintf("High means farther than %g from the point above", t)
}

func (v *treeView) partsChip() toolbar.Chip {
	e := v.e
	chip := toolbar.Chip{Name: "parts", About: "view", Word: "view"}
	add := func(id, title string, on, off, check bool, run func()) {
		chip.List = append(chip.List, toolbar.Choice{ID: id, Title: title, On: on, Off: off, Check: check, Run: run})
	}
	flip := func(name string, at func(c *choices) *bool) func() {
		return func() { e.choose(name, func(c *choices) { *at(c) = !*at(c) }) }
	}
	now, still := &e.shown, !e.space.Generations.Known()
	for _, p := range parts {
		switch p.id {
		case "empty":
			add(p.id, p.title, now.hideEmpty, false, true, flip("parts of the tree", func(c *choices) *bool {
				return &c.hideEmpty
			}))
		case "hexagons":
			add(p.id, p.title, now.look.Hexagons, still, true, flip("generations on the tree", func(c *choices) *bool {
				return &c.look.Hexagons
			}))
		case "as-of":
			add(p.id, p.title, now.asOf, still, true, flip("fronts of the tree", func(c *choices) *bool { return &c.asOf }))
		case "satellite":
			add(p.id, p.title, now.satellite, false, true, flip("satellite view", func(c *choices) *bool {
				return &c.satellite
			}))
		case "lens":
			add(p.id, p.title, now.bird, false, true, flip("lens", func(c *choices) *bool { return &c.bird }))
		case "fold":
			add(p.id, p.title, false, false, false, v.foldSubspaces)
		case "unfold":
			add(p.id, p.title, false, len(now.folded) == 0, false, func() {
				e.choose("parts of the tree", func(c *choices) { c.folded = nil })
			})
		}
	}
	for _, t := range thresholds {
		id, title := thresholdTitle(t)
		add(id, title, now.threshold == t, false, false, func() {
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
	items = append(items, pane.MenuItem{Title: "Show the whole tree", Run: v.Fit},
		pane.MenuItem{Title: "Take all filters away", Off: !v.e.shown.criteria.any(), Run: v.e.resetFilter})
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
		{ID: "designs.reset", Title: "Take all filters of designs away", Menu: "Edit", Run: v.e.resetFilter,
			Enabled: func() bool { return some() && v.e.shown.criteria.any() }},
	}
	add := func(chip, id, title, keys, also string) {
		list = append(list, shell.Command{ID: "designs." + chip + "." + id, Title: "Designs: " +
			strings.ToLower(title[:1]) + title[1:], Keys: keys, Also: also, Enabled: some, Run: func() {
			for _, c := range v.chips() {
				if i := slices.IndexFunc(c.List,
					func(o toolbar.Choice) bool { return c.Name == chip && o.ID == id && !o.Off }); i >= 0 {
					c.List[i].Run()
				}
			}
		}})
	}
	for i, name := range dsetree.ToneNames {
		keys := ""
		if dsetree.Tone(i) == dsetree.ByCoverage {
			keys = "Shift+G"
		}
		add("color", strings.ReplaceAll(name, " ", "-"), toneTitle(name), keys, "colour nodes coverage")
	}
	for i, id := range edgeIDs {
		add("edges", id, edgeTitles[i], "", "importance")
	}
	for i, id := range showIDs {
		add("show", id, showTitles[i], "", "designs filter")
	}
	for _, p := range parts {
		add("parts", p.id, p.title, p.keys, "")
	}
	for _, t := range thresholds {
		id, title := thresholdTitle(t)
		add("parts", id, title, "", "threshold low")
	}
	return list
}
