package graphs

import (
	"fmt"
	"math"

	"orrery/analysis/depgraph"
	"orrery/analysis/depgraph/layout"
	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	"orrery/views/codegraph"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/words"
)

// codeView is the pane of the graph.
type codeView struct {
	panes.Base
	e         *Explorer
	view      codegraph.View
	satellite codegraph.Satellite
	size      scene.Size // of the last drawing
	hover     codegraph.Target
	bar       toolbar.Bar
	last      *codegraph.Picture // that was drawn
	flying    *flight            // on the way to the view; nil when there
	drawn     bool
	pending   func() // waits for the first drawing, when the pane has a size

	from    codegraph.View // when the button went down
	pressed codegraph.Target
	moved   bool // by the drag that is under way
}

// bar is how tall the bar with the chips is.
const barTall = 27.0

// legible is the zoom at which texts are easily read.
const legible = 0.85

// Caption tells the function, the phase and how much of it is there.
func (v *codeView) caption() string {
	e := v.e
	g, p := e.group(), e.picture()
	if g == nil {
		return ""
	}
	if p == nil && e.coming() {
		return fmt.Sprintf("%s · %s · drawing …", g.Name, e.phaseName())
	}
	if p == nil {
		return g.Name
	}
	text := fmt.Sprintf("%s · %s · %s", g.Name, e.phaseName(), sizeOf(len(p.Graph.Nodes), len(p.Graph.Edges)))
	if i := e.index(); i < len(e.drawn.Guessed) && e.drawn.Guessed[i] {
		text += " · approximate blocks"
	}
	if n := p.Chases(); n > 0 {
		text += " · pointer chase"
	}
	return text
}

// sizeOf tells how large a graph is.
func sizeOf(nodes, edges int) string {
	return words.Plural(nodes, "node") + ", " + words.Plural(edges, "edge")
}

// phaseName is that of the phase, or the two of a difference.
func (e *Explorer) phaseName() string {
	s := e.snapshot()
	if s == nil {
		return ""
	}
	if from := e.wanted().from; from != nil {
		return from.Name + " → " + s.Name
	}
	return s.Name
}

func (v *codeView) state(theme palette.Theme) codegraph.State {
	e := v.e
	l := e.link.State()
	s := codegraph.State{Theme: theme, Picture: e.picture(), View: v.view, Color: e.shown.color, Level: e.Cache,
		Satellite: v.satellite, Top: barTall,
		Selected: e.selected, Lit: e.lit, Marked: e.marked(), Dim: e.shown.dim, Hover: v.hover, Empty: e.why()}
	if s.Picture != nil && v.hover.Node >= len(s.Picture.Graph.Nodes) || s.Picture != nil &&
		v.hover.Edge >= len(s.Picture.Graph.Edges) {
		s.Hover = codegraph.Nowhere()
	}
	if under := l.Hover.AsLine(); under.What == link.Line && v.hover.Node < 0 {
		s.HoverFile, s.HoverLine = under.File, under.Line
	}
	if s.Picture == nil && e.coming() { // better the graph before than none
		s.Picture, s.Hover = v.last, codegraph.Nowhere()
	}
	return s
}

// coming tells whether the drawing of another phase is on its way.
func (e *Explorer) coming() bool {
	return e.drawn != nil && e.of.group == e.group() && e.asked.group == e.group() && !e.stopped && e.troubled == ""
}

// why is what is said where there is no graph.
func (e *Explorer) why() string {
	switch {
	case e.group() == nil && e.Empty != "":
		return e.Empty
	case e.group() == nil:
		return "No graph yet."
	case e.stopped:
		return "The graph was cancelled. Press F5 to draw it again."
	case e.troubled != "":
		return e.troubled
	}
	return "Drawing the graph of " + e.group().Name + " …"
}

// beside is what another pane says where there is no graph: while there is no function, what would be in it.
func (e *Explorer) beside(what string) string {
	if e.group() == nil {
		return what
	}
	return e.why()
}

func (v *codeView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	if !v.drawn && v.e.Seen != nil {
		v.drawn = true
		v.e.set.After(v.e.Seen)
	}
	if p := v.e.picture(); p != nil && v.size.W > 1 && v.view == p.Fit(v.size, barTall) {
		v.view = p.Fit(size, barTall) // all of it, also in a pane that has grown or shrunk
	}
	v.size = size
	if p := v.e.picture(); p != nil && v.pending != nil {
		v.pending()
		v.pending = nil
	}
	v.takeOff()
	s := v.state(theme)
	v.onTheWay(&s)
	d := codegraph.Scene(s, size)
	if p := v.e.picture(); p != nil {
		v.last = p
	}
	if v.e.group() != nil {
		v.bar.Draw(&d, v.controls(theme), theme)
	}
	return d
}

func (v *codeView) controls(theme palette.Theme) []toolbar.Placed {
	if v.e.group() == nil {
		return nil
	}
	all := v.bar.Left(v.e.chips(), theme)
	for i, c := range all { // what has no room is in the menu
		if c.At.X+c.Row.Width() > v.size.W-8 {
			return all[:i]
		}
	}
	return all
}

// begin shows a function for the first time: all of it where that can be read, else as much as can, from the hot place
// on.
func (v *codeView) begin() {
	v.wait(func() {
		p := v.e.picture()
		if p == nil {
			return
		}
		if len(v.e.selected) > 0 {
			if view, ok := p.FitNodes(v.e.selected, v.size, barTall, 1); ok {
				v.view = view
				v.view.Zoom = max(view.Zoom, 0.5)
				return
			}
		}
		v.view = p.Fit(v.size, barTall)
		if v.view.Zoom >= 0.5 {
			return
		}
		if hot := p.Hottest(codegraph.ByMisses); hot >= 0 {
			v.view, _ = p.FitNodes(depgraph.NewSet(p.Graph.Nodes[hot].ID), v.size, barTall, legible*0.85)
			return
		}
		v.view = p.Start(v.size, barTall, legible*0.85)
	})
}

// reveal brings nodes into view: the view stays when they are in it and can be read. What is around open nodes comes
// along where there is room for all of it.
func (v *codeView) reveal(ids depgraph.Set) {
	v.wait(func() {
		p := v.e.picture()
		if p == nil {
			return
		}
		was := v.view
		defer func() { v.fly(was, nil) }()
		if whole := p.Fit(v.size, barTall); len(v.e.shown.set) > 0 && whole.Zoom >= 0.5 {
			v.view = whole
			return
		}
		view, ok := p.FitNodes(ids, v.size, barTall, legible)
		if ok && view.Zoom < 0.55 { // their texts could not be read: the hottest of them is in the middle
			view, _ = p.FitNodes(p.HottestOf(ids), v.size, barTall, 0.6)
		}
		if ok && !p.ShowsReadable(v.view, v.size, barTall, ids) {
			v.view = view
		}
	})
}

// widen shows all of the graph where that can be read.
func (v *codeView) widen() bool {
	p := v.e.picture()
	if p == nil || v.size.W < 1 {
		return false
	}
	whole := p.Fit(v.size, barTall)
	if whole.Zoom < 0.5 {
		return false
	}
	v.view = whole
	return true
}

// look goes to where the nodes are, when a phase that is drawn together with the one before has none in view.
func (v *codeView) look() {
	if p := v.e.picture(); p != nil && v.size.W > 1 && v.view.Zoom > 0 && len(p.Graph.Nodes) > 0 &&
		!p.ShowsAny(v.view, v.size, barTall) {
		was := v.view
		v.begin()
		v.fly(was, nil)
	}
}

// hold keeps a node where it was when another drawing of the function has come: of the anchors that there still are,
// the one with which most of the others stay in view.
func (v *codeView) hold(anchors []anchored) {
	p := v.e.picture()
	if p == nil {
		return
	}
	at := make(map[string]layout.Point, len(p.Graph.Nodes))
	for i := range p.Graph.Nodes {
		b := p.Box(i)
		at[p.Graph.Nodes[i].ID] = layout.Point{X: (b.Min.X + b.Max.X) / 2, Y: (b.Min.Y + b.Max.Y) / 2}
	}
	w, h := v.size.W/2/max(v.view.Zoom, 1e-9), (v.size.H-barTall)/2/max(v.view.Zoom, 1e-9)
	best, most := layout.Point{}, -1
	for _, a := range anchors {
		now, there := at[a.id]
		if !there {
			continue
		}
		center, n := layout.Point{X: now.X - a.dx, Y: now.Y - a.dy}, 0
		for _, o := range anchors {
			if q, there := at[o.id]; there && math.Abs(q.X-center.X) < w && math.Abs(q.Y-center.Y) < h {
				n++
			}
		}
		if n > most {
			best, most = center, n
		}
	}
	if most < 0 {
		v.begin()
		return
	}
	v.view.Center = best
	if v.size.W > 1 && !p.ShowsAny(v.view, v.size, barTall) {
		v.begin() // it was out of view itself
	}
}

// fill moves the view over the graph where that brings more nodes into it: of what filters have left most may lie
// beside the pane.
func (v *codeView) fill() {
	if p := v.e.picture(); p != nil && v.size.W > 1 {
		if full := p.Within(v.view, v.size, barTall); p.CountInView(full, v.size, barTall) >
			p.CountInView(v.view, v.size, barTall) {
			v.view = full
		}
	}
}

// seekChange goes to the nearest node that differs, where none of them is in view.
func (v *codeView) seekChange() {
	p := v.e.picture()
	if p == nil || v.size.W < 1 {
		return
	}
	near, best := math.Inf(1), v.view.Center
	for i := range p.Graph.Nodes {
		if state := p.Graph.Nodes[i].Properties.Get(depgraph.KeyState); state == "" || state == depgraph.Same {
			continue
		}
		b := p.Box(i)
		at := layout.Point{X: (b.Min.X + b.Max.X) / 2, Y: (b.Min.Y + b.Max.Y) / 2}
		if v.view.Contains(at, v.size, barTall) {
			return
		}
		if d := math.Hypot(at.X-v.view.Center.X, at.Y-v.view.Center.Y); d < near {
			near, best = d, at
		}
	}
	was := v.view
	v.view.Center = best
	v.fly(was, nil)
}

// wait runs what needs the pane's size, now or when it is known.
func (v *codeView) wait(do func()) {
	if v.size.W < 1 || v.e.picture() == nil {
		v.pending = do
		return
	}
	do()
	v.Redraw()
}

func (v *codeView) hit(e pane.Event) codegraph.Target {
	if v.e.picture() == nil {
		return codegraph.Nowhere()
	}
	return codegraph.Hit(v.state(e.Theme), e.Size, e.At)
}

func (v *codeView) Moved(e pane.Event) {
	inside, changed := v.bar.Moved(v.controls(e.Theme), e.Theme, e)
	t := codegraph.Nowhere()
	if !inside {
		t = v.hit(e)
	}
	v.e.hovered(t)
	was := v.hover
	v.hover = t
	was.Place, t.Place = v.from.Center, v.from.Center // where exactly does not show
	if changed || was != t {
		v.Redraw()
	}
}

// hovered tells the other panes what lies under the pointer, as they would know it if it were chosen.
func (e *Explorer) hovered(t codegraph.Target) {
	thing := link.Thing{}
	if p := e.picture(); p != nil && t.Node >= 0 && t.Node < len(p.Graph.Nodes) {
		thing = e.brushOf([]int32{int32(t.Node)})
	}
	e.link.SetHover(thing)
}

func (v *codeView) Left() {
	v.bar.Forget()
	v.hover = codegraph.Nowhere()
	v.e.link.SetHover(link.Thing{})
	v.Redraw()
}

func (v *codeView) Tip(e pane.Event) []string {
	p := v.e.picture()
	if c := toolbar.At(v.controls(e.Theme), e.At); v.bar.Open != "" || c != nil || p == nil {
		if c != nil && v.bar.Open == "" {
			return []string{chipTips[c.Name]}
		}
		return nil
	}
	return p.Words(v.hit(e))
}

// Pressed selects nodes, follows the stub of a cut edge, goes to a place of the satellite, or shows a category alone.
func (v *codeView) Pressed(e pane.Event) {
	if e.Button == pane.Secondary {
		if t := v.hit(e); t.Node >= 0 && !v.e.selected.Has(v.e.picture().Graph.Nodes[t.Node].ID) {
			v.e.choosing(depgraph.NewSet(v.e.picture().Graph.Nodes[t.Node].ID))
		}
		return
	}
	defer v.Redraw()
	v.from, v.moved = v.view, false
	v.pressed = codegraph.Nowhere()
	if v.bar.Press(v.controls(e.Theme), e.Theme, e) {
		v.pressed.Key = -1 // a drag from here moves nothing
		return
	}
	v.pressed = v.hit(e)
	t, p := v.pressed, v.e.picture()
	switch {
	case p == nil:
	case t.Category != "":
		v.e.decide("categories", func(c *choices) { c.dim = p.Toggle(c.dim, t.Category) })
	case t.Small && v.satellite != codegraph.Whole:
		v.steer(t.Place)
	case t.Stub > 0:
		v.follow(p, t)
	case t.Node >= 0:
		v.pick(p.Graph.Nodes[t.Node].ID, e.Mods)
	}
}

// follow goes to the other end of a cut edge.
func (v *codeView) follow(p *codegraph.Picture, t codegraph.Target) {
	other := p.Follow(t)
	v.e.keepPlace()
	b, was := p.Box(other), v.view
	v.view.Center.X, v.view.Center.Y = (b.Min.X+b.Max.X)/2, (b.Min.Y+b.Max.Y)/2
	v.fly(was, nil)
	v.e.choosing(depgraph.NewSet(p.Graph.Nodes[other].ID))
}

// pick selects a node; with Ctrl or Shift it joins those that are selected, or leaves them.
func (v *codeView) pick(id string, mods pane.Mods) {
	switch {
	case mods.Control || mods.Shift:
		v.e.choosing(v.e.selected.Toggle(id))
	case len(v.e.selected) == 1 && v.e.selected.Has(id):
	default:
		v.e.choosing(depgraph.NewSet(id))
	}
}

// DoubleTapped opens a node, or closes one that is open; beside all nodes it shows the whole graph.
func (v *codeView) DoubleTapped(e pane.Event) {
	t, p := v.hit(e), v.e.picture()
	switch {
	case p == nil || t.Key != 0 || t.Small || toolbar.At(v.controls(e.Theme), e.At) != nil:
	case t.Node >= 0:
		v.e.toggle(p.Graph.Nodes[t.Node].ID)
	case t.Edge < 0:
		v.Fit()
	}
}

// Scrolled zooms about the pointer.
func (v *codeView) Scrolled(e pane.Event, dx, dy float64) {
	if v.bar.Scrolled(dy) {
		v.Redraw()
		return
	}
	if e.Mods.Shift {
		v.Pan(-0.08*(dx+dy), 0)
		return
	}
	v.Zoom(e, math.Pow(1.16, dy))
}

// Zoom implements pane.Zoomer.
func (v *codeView) Zoom(e pane.Event, factor float64) {
	v.land()
	v.view = v.view.Zoomed(e.Size, barTall, e.At, factor)
	v.Redraw()
}

// Pan implements pane.Zoomer.
func (v *codeView) Pan(dx, dy float64) {
	v.land()
	z := max(v.view.Zoom, 1e-6)
	v.view.Center.X += dx * v.size.W / z
	v.view.Center.Y += dy * v.size.H / z
	v.Redraw()
}

// Fit implements pane.Zoomer: the whole graph.
func (v *codeView) Fit() {
	if p := v.e.picture(); p != nil {
		was := v.view
		v.view = p.Fit(v.size, barTall)
		v.fly(was, nil)
		v.Redraw()
	}
}

// Typing implements pane.Keyer.
func (v *codeView) Typing() bool { return false }

// CloseList implements pane.Closer.
func (v *codeView) CloseList() bool { return v.bar.Close() }

// Key implements pane.Keyer: BackSpace goes back, Escape lets go of what is selected.
func (v *codeView) Key(name string, _ rune) bool {
	switch {
	case name == "Escape" && len(v.e.selected) > 0:
		v.e.choosing(nil)
	case name == "Escape" && len(v.e.lit) > 0:
		v.e.lit = nil
	case name == "BackSpace":
		return v.e.Back()
	default:
		return false
	}
	v.Redraw()
	return true
}

func (v *codeView) Concerns(old, now link.State) bool {
	return old.Selected != now.Selected || old.Hover != now.Hover
}
