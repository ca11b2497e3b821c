package document

import (
	"slices"
	"strings"

	"orrery/analysis/heap"
	"orrery/app/panes"
	"orrery/app/panes/toolbar"
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
	shown  flameChoices
	bar    toolbar.Bar
	filter toolbar.Text
	scroll float64
	over   *heap.Node

	of    *heap.Node // what the focus leads through
	found *flame.Found
	key   flameKey // of found
}

// flameChoices are what the user chose: each change is a step that can be taken back.
type flameChoices struct {
	metric heap.Metric
	color  flame.ColorBy
	focus  []int // replaced, never changed
}

type flameKey struct {
	tree   *heap.Node
	last   *heap.Node
	metric heap.Metric
	filter string
}

func newFlameView(d *Document, b panes.Base) *flameView {
	v := &flameView{Base: b, d: d}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	return v
}

func (v *flameView) caption() string {
	if v.d.rec.Heap.Count() == 0 {
		return ""
	}
	return flame.Words(v.shown.metric) + " by call stack"
}

func (v *flameView) state(theme palette.Theme) flame.State {
	d := v.d
	l := d.link.State()
	s := flame.State{Theme: theme, Metric: v.shown.metric, Color: v.shown.color, Top: flame.Bar, Scroll: v.scroll,
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
		v.shown.focus = flame.Follow(s.Root, s.Root, v.shown.focus)
	}
	if v.of != s.Root { // a recording that is being written has grown
		v.shown.focus = flame.Follow(v.of, s.Root, v.shown.focus)
		v.of, v.over, s.Over = s.Root, nil, nil
	}
	m := d.rec.HeapMap(theme, 0)
	s.Focus, s.Sites, s.Places = v.shown.focus, m.Sites, m.Regions
	nodes := s.Nodes()
	if key := (flameKey{s.Root, nodes[len(nodes)-1], s.Metric, s.Filter}); key != v.key {
		v.found, v.key = flame.Search(s), key
	}
	s.Found = v.found
	for _, c := range v.controls(theme) {
		s.Taken = c.At.X + c.Row.Width()
	}
	return s
}

func (v *flameView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	s := v.state(theme)
	v.scroll = max(0, min(v.scroll, flame.Tall(s, size)-(size.H-flame.Bar-8)))
	s.Scroll = v.scroll
	d := flame.Scene(s, size)
	if v.d.rec.Heap.Count() > 0 {
		v.bar.Draw(&d, v.controls(theme), theme)
	}
	return d
}

func (v *flameView) hit(e pane.Event) flame.Target {
	return flame.Hit(v.state(e.Theme), e.Size, e.At)
}

// controls are the chips at the left of the bar.
func (v *flameView) controls(theme palette.Theme) []toolbar.Placed {
	return v.bar.Left(v.chips(), theme)
}

func (v *flameView) chips() []toolbar.Chip {
	width := toolbar.Chip{Name: "width", Word: v.shown.metric.String()}
	if v.shown.metric == heap.ByBlocks {
		width.Word = "calls"
	}
	for _, m := range flame.Metrics {
		width.List = append(width.List, toolbar.Choice{ID: m.String(), Title: "Width: " + flame.Words(m),
			On: v.shown.metric == m, Run: func() {
				v.choose("width of the flame graph", func(c *flameChoices) { c.metric = m })
			}})
	}
	colors := toolbar.Chip{Name: "color", About: "colour", Word: "by " + flame.ColorNames[v.shown.color]}
	for i, what := range []string{"Colours by function", "Colours by source file",
		"Colours of the sites in the heap map"} {
		colors.List = append(colors.List, toolbar.Choice{ID: flame.ColorNames[i], Title: what,
			On: int(v.shown.color) == i, Run: func() {
				v.choose("colours of the flame graph", func(c *flameChoices) { c.color = flame.ColorBy(i) })
			}})
	}
	return []toolbar.Chip{width, colors}
}

// choose makes an undoable step; name says what it changes.
func (v *flameView) choose(name string, change func(c *flameChoices)) {
	next := v.shown
	change(&next)
	link.Choose(v.d.link, name, &v.shown, next, func() { v.Redraw() })
}

// zoom fills the width with a function.
func (v *flameView) zoom(way []int) {
	if !slices.Equal(way, v.shown.focus) {
		v.choose("part of the flame graph", func(c *flameChoices) { c.focus = way })
	}
}

// back goes to the function above; false when there is none.
func (v *flameView) back() bool {
	n := len(v.shown.focus)
	if n > 0 {
		v.zoom(v.shown.focus[: n-1 : n-1])
	}
	return n > 0
}

func (v *flameView) Moved(e pane.Event) {
	inside, changed := v.bar.Moved(v.controls(e.Theme), e.Theme, e)
	var t flame.Target
	if !inside {
		t = v.hit(e)
	}
	v.d.link.SetHover(t.Thing)
	if changed || t.Node != v.over {
		v.over = t.Node
		v.Redraw()
	}
}

func (v *flameView) Left() {
	v.bar.Forget()
	v.over = nil
	v.d.link.SetHover(link.Thing{})
	v.Redraw()
}

func (v *flameView) Tip(e pane.Event) []string {
	if v.bar.Open != "" || toolbar.At(v.controls(e.Theme), e.At) != nil {
		return nil
	}
	return v.hit(e).Lines
}

// Pressed selects a function and fills the width with it, or goes back to one above; on the root it shows all.
func (v *flameView) Pressed(e pane.Event) {
	if e.Button != pane.Primary {
		return
	}
	defer v.Redraw()
	if v.bar.Press(v.controls(e.Theme), e.Theme, e) {
		return
	}
	t := v.hit(e)
	v.filter.Typing = t.Filter
	if t.Way != nil {
		v.zoom(t.Way)
		if t.Node != nil {
			v.d.link.Select(t.Thing, "flame graph")
		}
	}
}

func (v *flameView) Scrolled(e pane.Event, _, dy float64) {
	if !v.bar.Scrolled(dy) {
		v.scroll -= dy * 54
	}
	v.Redraw()
}

// Fit implements pane.Zoomer: the whole graph.
func (v *flameView) Fit() { v.zoom(nil) }

// Zoom implements pane.Zoomer: toward the function under the pointer, or back.
func (v *flameView) Zoom(e pane.Event, factor float64) {
	switch t := v.hit(e); {
	case factor < 1:
		v.back()
	case len(t.Way) > len(v.shown.focus):
		v.zoom(slices.Clone(t.Way[:len(v.shown.focus)+1]))
	}
}

// Pan implements pane.Zoomer: along the stacks.
func (v *flameView) Pan(_, dy float64) {
	v.scroll += dy * 180
	v.Redraw()
}

// Typing implements pane.Keyer.
func (v *flameView) Typing() bool { return v.filter.Typing }

// CloseList implements pane.Closer.
func (v *flameView) CloseList() bool { return v.bar.Close() }

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

// Menu offers the choices.
func (v *flameView) Menu(pane.Event) []pane.MenuItem {
	items := []pane.MenuItem{{Title: "Find functions", Run: v.startTyping}, {Title: "Back to the function above",
		Off: len(v.shown.focus) == 0, Run: func() { v.back() }},
		{Title: "Show the whole graph", Off: len(v.shown.focus) == 0, Run: v.Fit}}
	return append(items, toolbar.Menu(v.chips())...)
}

// commands are the choices on the keyboard and in the palette.
func (v *flameView) commands() []shell.Command {
	some := func() bool { return v.d.rec.Heap.Count() > 0 }
	list := []shell.Command{
		{ID: "flame.find", Title: "Find functions in the flame graph", Menu: "Edit", Run: v.startTyping, Enabled: some},
		{ID: "flame.back", Title: "Back in the flame graph", Menu: "View", Run: func() { v.back() }, Enabled: func() bool {
			return len(v.shown.focus) > 0
		}},
	}
	for _, c := range v.chips() {
		for _, o := range c.List {
			list = append(list, shell.Command{ID: "flame." + c.Name + "." + o.ID, Title: "Flame graph: " +
				strings.ToLower(o.Title[:1]) + o.Title[1:], Run: func() {
				v.Show()
				o.Run()
			}, Enabled: some})
		}
	}
	return list
}

func (v *flameView) Concerns(old, now link.State) bool {
	return old.Selected != now.Selected || old.Hover != now.Hover
}
