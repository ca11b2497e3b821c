package designs

import (
	"slices"

	"orrery/analysis/dse"
	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/views/dsetree"
	"orrery/views/link"
	"orrery/views/pane"
	"orrery/views/scene"
)

// What the pointer, the wheel and the keys do to the tree.

func (v *treeView) hit(e pane.Event) dsetree.Target {
	return dsetree.Hit(v.state(e.Theme), e.Size, e.At)
}

func (v *treeView) Moved(e pane.Event) {
	v.size = e.Size
	inside, changed := v.bar.Moved(v.controls(e.Theme), e.Theme, e)
	t := dsetree.Nowhere
	if !inside && v.e.shade != nil {
		t = v.hit(e)
	}
	v.hoverThing(t.Node)
	if changed || t.Node != v.hover || v.e.shown.bird && !inside {
		v.hover = t.Node
		if !inside {
			v.pointer = e.At
		}
		v.Redraw()
	}
}

// hoverThing tells the other views what is under the pointer.
func (v *treeView) hoverThing(n int32) {
	thing := link.Thing{}
	if n >= 0 {
		thing = v.thing(n)
	}
	v.e.link.SetHover(thing)
}

// thing is what a node stands for in all views.
func (v *treeView) thing(n int32) link.Thing {
	t := v.e.shade.Layout.Tree
	if p := t.Point(n); p != dse.None {
		return Design(p)
	}
	if k := t.Subspace[n]; k != dse.None {
		return link.OfSubspace(int(k))
	}
	return link.Thing{}
}

func (v *treeView) Left() {
	v.bar.Forget()
	v.hover = dse.None
	v.e.link.SetHover(link.Thing{})
	v.Redraw()
}

func (v *treeView) Tip(e pane.Event) []string {
	if v.e.shade == nil || v.bar.Open != "" || v.grip.what != gripNothing ||
		toolbar.At(v.controls(e.Theme), e.At) != nil {
		return nil
	}
	t := v.hit(e)
	if t.Node >= 0 && t.Merged < 2 && v.e.RunDesign != nil && v.e.shade.Layout.Tree.Point(t.Node) >= 0 {
		return append(t.Lines, "click to run this hierarchy in the cache view")
	}
	return t.Lines
}

func (v *treeView) Pressed(e pane.Event) {
	v.size = e.Size
	if e.Button != pane.Primary {
		return
	}
	defer v.Redraw()
	v.grip = grip{}
	if v.bar.Press(v.controls(e.Theme), e.Theme, e) {
		return
	}
	if v.e.shade == nil {
		if h := v.e.hunt; h != nil && h.work == nil && h.why() == "" {
			h.ask()
		}
		return
	}
	t := v.hit(e)
	switch {
	case t.Satellite:
		_, shown := v.room()
		// beside the frame
		if v.grip = (grip{gripSatellite, v.origin, t.Place}); t.Place < v.origin || t.Place > v.origin+shown {
			v.move(t.Place - shown/2)
			v.grip.origin = v.origin
		}
	case t.Level > 0 && v.e.shade.Layout.Tree.Levels[t.Level].Kind == dse.ParameterNode:
		v.grip.what = gripLevel
		v.drag = dsetree.Drag{Level: t.Level, Y: e.At.Y}
	case t.Triangle:
		v.counted = other(v.counted, t.Node)
	case t.Node >= 0 && t.Merged < 2:
		v.choose(t.Node)
	case t.Node < 0 && t.Edge >= 0:
		v.edge = other(v.edge, t.Edge)
	case t.Level < 0:
		v.grip = grip{what: gripPicture, origin: v.origin}
		v.edge, v.counted = dse.None, dse.None
	}
}

// other is next, or nothing when that is so already.
func other(now, next int32) int32 {
	if now == next {
		return dse.None
	}
	return next
}

// choose selects what a node stands for.
func (v *treeView) choose(n int32) {
	v.focus = n
	thing := v.thing(n)
	if thing.What == link.Nothing {
		return
	}
	v.e.link.Select(thing, "designs")
	if thing.What == link.Design && v.e.RunDesign != nil {
		v.e.RunDesign(v.e.space.Set, thing.ID)
	}
}

func (v *treeView) Dragged(e pane.Event, from scene.Point) {
	switch v.grip.what {
	case gripPicture:
		width, shown := v.room()
		if shown < width {
			v.move(v.grip.origin - (e.At.X-from.X)*shown/max(1, e.Size.W-130))
		}
	case gripLevel:
		v.drag.Y = e.At.Y
	case gripSatellite:
		if t := v.hit(e); t.Satellite {
			v.move(v.grip.origin + t.Place - v.grip.place) // the frame goes along from where it was seized
		}
	default:
		return
	}
	v.Redraw()
}

func (v *treeView) Released(e pane.Event) {
	if v.grip.what == gripLevel {
		order := dsetree.Drop(v.state(e.Theme), e.Size)
		v.drag = dsetree.Drag{}
		if order != nil && !slices.Equal(order, v.e.order()) {
			v.e.choose("order of the parameters", func(c *choices) { c.order = order })
		}
		v.Redraw()
	}
	v.grip = grip{}
}

// DoubleTapped hides what is below a node, or shows it again.
func (v *treeView) DoubleTapped(e pane.Event) {
	if v.e.shade == nil || v.e.tree != v.e.shade.Layout.Tree {
		return
	}
	if t := v.hit(e); t.Node >= 0 && t.Merged < 2 {
		v.e.fold(t.Node)
	} else if t.Node < 0 && t.Level < 0 && !t.Satellite {
		v.Fit()
	}
}

func (v *treeView) Scrolled(e pane.Event, dx, dy float64) {
	if v.bar.Scrolled(dy) || v.e.shade == nil {
		v.Redraw()
		return
	}
	if dx != 0 {
		v.Pan(-dx*0.1, 0)
	}
	for range int(max(dy, -dy) + 0.5) {
		if dy > 0 {
			v.Zoom(e, 1.25)
		} else {
			v.Zoom(e, 1/1.25)
		}
	}
}

// Fit implements pane.Zoomer: the whole tree.
func (v *treeView) Fit() {
	v.zoom, v.origin = 1, 0
	v.Redraw()
}

// Zoom implements pane.Zoomer: what is under the pointer stays there.
func (v *treeView) Zoom(e pane.Event, factor float64) {
	if v.e.shade == nil {
		return
	}
	v.size = e.Size
	s := dsetree.State{Shade: v.e.shade, Zoom: v.zoom, Origin: v.origin, Top: bar}
	at := dsetree.Place(&s, e.Size, e.At.X)
	_, before := v.room()
	v.zoom = max(1, min(v.zoom*factor, dsetree.MostZoom(&s, e.Size)))
	_, after := v.room()
	v.move(at - (at-v.origin)*after/before)
	v.Redraw()
}

// Pan implements pane.Zoomer.
func (v *treeView) Pan(dx, _ float64) {
	if v.e.shade == nil {
		return
	}
	_, shown := v.room()
	v.move(v.origin + dx*shown)
	v.Redraw()
}

// Typing implements pane.Keyer.
func (v *treeView) Typing() bool { return false }

// Key implements pane.Keyer: arrows walk the tree, Return opens, Escape leaves.
func (v *treeView) Key(name string, _ rune) bool {
	if v.e.shade == nil {
		return false
	}
	t, l := v.e.shade.Layout.Tree, v.e.shade.Layout
	i := -1
	if v.focus >= 0 && int(v.focus) < t.Len() {
		i = l.Find(v.focus)
	}
	switch name {
	case "Left", "Right", "Up", "Down":
		if i < 0 {
			v.focus = 0
			break
		}
		v.focus = l.Nodes[step(l, i, name)]
	case "Return", "KP_Enter":
		if i < 0 {
			return false
		}
		if p := t.Point(v.focus); p >= 0 {
			v.choose(v.focus)
			v.e.show(shell.Design)
		} else {
			v.e.fold(v.focus)
		}
		return true
	case "Escape":
		return v.escape()
	default:
		return false
	}
	v.reveal(v.focus)
	if thing := v.thing(v.focus); thing.What != link.Nothing {
		v.e.link.Select(thing, "designs")
	}
	v.Redraw()
	return true
}

// step is the visible node beside, above or below one.
func step(l *dse.Layout, i int, where string) int {
	level := l.Tree.Level(l.Nodes[i])
	switch where {
	case "Left":
		return max(i-1, int(l.Start[level]))
	case "Right":
		return min(i+1, int(l.Start[level+1])-1)
	case "Up":
		if l.Up[i] != dse.None {
			return int(l.Up[i])
		}
		return i
	}
	if level+1 >= len(l.Tree.Levels) {
		return i
	}
	low, high := int(l.Start[level+1]), int(l.Start[level+2])
	k, ok := slices.BinarySearchFunc(l.Up[low:high], int32(i), func(a, b int32) int { return int(a) - int(b) })
	if !ok {
		return i
	}
	for k > 0 && l.Up[low+k-1] == int32(i) {
		k--
	}
	return low + k
}

// CloseList implements pane.Closer.
func (v *treeView) CloseList() bool { return v.bar.Close() }

// escape leaves what was begun; false when nothing was.
func (v *treeView) escape() bool {
	switch {
	case v.drag.Level > 0:
		v.drag, v.grip = dsetree.Drag{}, grip{}
	case v.edge >= 0 || v.counted >= 0:
		v.edge, v.counted = dse.None, dse.None
	case v.focus >= 0:
		v.focus = dse.None
	default:
		return false
	}
	v.Redraw()
	return true
}
