package recording

import (
	"slices"

	"orrery/analysis/heap"
	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	flamepane "orrery/app/recording/flame"
	"orrery/app/shell"
	"orrery/views/flame"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// flameView is the flame graph of the calls that allocate.
type flameView struct {
	panes.Base
	d      *Document
	shown  *panes.Chosen[flamepane.Choices]
	filter toolbar.Text
	scroll float64
	over   *heap.Node

	of    *heap.Node // what the focus leads through
	found *flame.Found
	key   flameKey // of found
}

type flameKey struct {
	tree   *heap.Node
	last   *heap.Node
	metric heap.Metric
	filter string
}

func newFlameView(d *Document, b panes.Base) *flameView {
	v := &flameView{Base: b, d: d}
	v.shown = panes.NewChosen(&v.Base, flamepane.Choices{}, nil)
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption, Chips: v.chips, Hover: v.hover, Leave: v.leave,
		Press: v.press, Wheel: v.wheel, Menu: v.menu,
		Tip: func(e pane.Event) []string { return v.hit(e).Lines },
		Concerns: func(old, now link.State) bool {
			return old.Selected != now.Selected || old.Hover != now.Hover
		}}
	return v
}

func (v *flameView) caption() string {
	if v.d.rec.Heap.Count() == 0 {
		return ""
	}
	return flame.Words(v.shown.Now.Metric) + " by call stack"
}

func (v *flameView) state(theme palette.Theme) flame.State {
	d := v.d
	l := d.link.State()
	s := flame.State{Theme: theme, Metric: v.shown.Now.Metric, Color: v.shown.Now.Color, Top: flame.Bar, Scroll: v.scroll,
		Filter: v.filter.Content, Typing: v.filter.Typing,
		Hover: l.Hover, Selected: l.Selected, Over: v.over}
	switch {
	case d.rec.Heap.Count() == 0:
		s.Empty = "No allocations in this recording."
		return s
	case d.calls.WasStopped():
		s.Empty = "The flame graph " + goOn
	}
	if s.Root = d.callTree(); s.Root == nil {
		return s
	}
	if v.of == nil { // what a session focuses on
		v.of = s.Root
		v.shown.Now.Focus = flame.Follow(s.Root, s.Root, v.shown.Now.Focus)
	}
	if v.of != s.Root { // a recording that is being written has grown
		v.shown.Now.Focus = flame.Follow(v.of, s.Root, v.shown.Now.Focus)
		v.of, v.over, s.Over = s.Root, nil, nil
	}
	m := d.rec.HeapMap(theme, 0)
	s.Focus, s.Sites, s.Places = v.shown.Now.Focus, m.Sites, m.Regions
	nodes := s.Nodes()
	if key := (flameKey{s.Root, nodes[len(nodes)-1], s.Metric, s.Filter}); key != v.key {
		v.found, v.key = flame.Search(s), key
	}
	s.Found = v.found
	for _, c := range v.Bar.Left(v.chips(), theme) {
		s.Taken = c.At.X + c.Row.Width()
	}
	return s
}

func (v *flameView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	s := v.state(theme)
	v.scroll = max(0, min(v.scroll, flame.Tall(s, size)-(size.H-flame.Bar-8)))
	s.Scroll = v.scroll
	d := flame.Scene(s, size)
	return d
}

func (v *flameView) hit(e pane.Event) flame.Target {
	return flame.Hit(v.state(e.Theme), e.Size, e.At)
}

func (v *flameView) chips() []toolbar.Chip {
	if v.d.rec.Heap.Count() == 0 {
		return nil
	}
	return []toolbar.Chip{flamepane.Widths.Chip(v.shown), flamepane.Colors.Chip(v.shown)}
}

// zoom fills the width with a function.
func (v *flameView) zoom(way []int) {
	if !slices.Equal(way, v.shown.Now.Focus) {
		v.shown.Choose("part of the flame graph", func(c *flamepane.Choices) { c.Focus = way })
	}
}

// back goes to the function above; false when there is none.
func (v *flameView) back() bool {
	n := len(v.shown.Now.Focus)
	if n > 0 {
		v.zoom(v.shown.Now.Focus[: n-1 : n-1])
	}
	return n > 0
}

func (v *flameView) hover(e pane.Event) link.Thing {
	t := v.hit(e)
	if t.Node != v.over {
		v.over = t.Node
		v.Redraw()
	}
	return t.Thing
}

func (v *flameView) leave() { v.over = nil }

// press selects a function and fills the width with it, or goes back to one above; on the root it shows all.
func (v *flameView) press(e pane.Event) {
	defer v.Redraw()
	t := v.hit(e)
	v.filter.Typing = t.Filter
	if t.Way != nil {
		v.zoom(t.Way)
		if t.Node != nil {
			v.d.link.Select(t.Thing, "flame graph")
		}
	}
}

func (v *flameView) wheel(_ pane.Event, _, dy float64) {
	v.scroll -= dy * 54
	v.Redraw()
}

// Fit implements pane.Zoomer: the whole graph.
func (v *flameView) Fit() { v.zoom(nil) }

// Zoom implements pane.Zoomer: toward the function under the pointer, or back.
func (v *flameView) Zoom(e pane.Event, factor float64) {
	switch t := v.hit(e); {
	case factor < 1:
		v.back()
	case len(t.Way) > len(v.shown.Now.Focus):
		v.zoom(slices.Clone(t.Way[:len(v.shown.Now.Focus)+1]))
	}
}

// Pan implements pane.Zoomer: along the stacks.
func (v *flameView) Pan(_, dy float64) {
	v.scroll += dy * 180
	v.Redraw()
}

// Typing implements pane.Keyer.
func (v *flameView) Typing() bool { return v.filter.Typing }

// Key implements pane.Keyer: the filter takes what is written; Escape and BackSpace go back to the function above.
func (v *flameView) Key(name string, r rune) bool {
	defer v.Redraw()
	if v.filter.Typing {
		taken, _ := v.filter.Write(name, r)
		return taken
	}
	switch {
	case name == "Escape" && v.filter.Content != "":
		v.filter.Content = ""
	case name == "Escape" || name == "BackSpace":
		return v.back()
	default:
		return false
	}
	return true
}

// startTyping begins to write the filter.
func (v *flameView) startTyping() {
	v.Show()
	v.filter.Typing = true
	v.Redraw()
}

func (v *flameView) menu(pane.Event) []pane.MenuItem {
	return []pane.MenuItem{{Title: "Find functions", Run: v.startTyping}, {Title: "Back to the function above",
		Off: len(v.shown.Now.Focus) == 0, Run: func() { v.back() }},
		{Title: "Show the whole graph", Off: len(v.shown.Now.Focus) == 0, Run: v.Fit}}
}

// commands are the choices on the keyboard and in the palette.
func (v *flameView) commands() []shell.Command {
	some := func() bool { return v.d.rec.Heap.Count() > 0 }
	list := []shell.Command{
		{ID: "flame.find", Title: "Find functions in the flame graph", Menu: "Edit", Run: v.startTyping, Enabled: some},
		{ID: "flame.back", Title: "Back in the flame graph", Menu: "View", Run: func() { v.back() }, Enabled: func() bool {
			return len(v.shown.Now.Focus) > 0
		}},
	}
	return append(list, v.Commands("Flame graph: ", some)...)
}
