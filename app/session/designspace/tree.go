package designspace

import (
	"fmt"
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"orrery/analysis/dse"
	"orrery/app/session/toolbar"
	"orrery/app/shell"
	"orrery/views/dsetree"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/words"
)

// treeView is the VMODEX tree.
type treeView struct {
	e   *Explorer
	bar toolbar.Bar

	zoom, origin float64
	pointer      scene.Point
	hover        int32
	edge         int32
	counted      int32
	focus        int32
	drag         dsetree.Drag
	grip         grip
	size         scene.Size // of the last picture

	selected link.Thing // whose nodes are kept
	of       *dse.Tree
	nodes    []int32

	fresh    []int32
	blink    float64
	blinking *fyne.Animation
}

// grip is what a drag moves.
type grip struct {
	what   gripped
	origin float64 // of the picture, when the drag began
}

type gripped uint8

const (
	gripNothing gripped = iota
	gripPicture
	gripLevel
	gripSatellite
)

func newTreeView(e *Explorer) *treeView {
	v := &treeView{e: e, zoom: 1, hover: dse.None, edge: dse.None, counted: dse.None, focus: dse.None}
	e.treeView = v
	return v
}

// bar is how tall the row of chips is.
const bar = 28

func (v *treeView) Title() string { return "Designs" }

func (v *treeView) Caption() string {
	s := v.e.space
	if s == nil {
		return ""
	}
	front := 0
	for _, g := range s.Global {
		if g {
			front++
		}
	}
	return fmt.Sprintf("%s on the front of %s", words.Count(front), words.Count(s.N)) + v.e.when()
}

// when says which generation is shown.
func (e *Explorer) when() string {
	switch {
	case e.space == nil || !e.space.Generations.Known():
		return ""
	case e.now < 0:
		return fmt.Sprintf(" · all %d generations", e.space.Generations.Count)
	}
	return fmt.Sprintf(" · generation %d of %d", e.now, e.space.Generations.Count-1)
}

// state is the picture.
func (v *treeView) state(theme palette.Theme) dsetree.State {
	e := v.e
	s := dsetree.State{Theme: theme, Shade: e.shade, Passing: e.passing, Look: e.shown.look, Zoom: v.zoom, Origin: v.origin, Bird: e.shown.bird, Pointer: v.pointer,
		Satellite: e.shown.satellite && v.zoom > 1.01, Counted: v.counted, Edge: v.edge, Hover: v.hover, Focus: v.focus, Fresh: v.fresh, Blink: v.blink,
		Drag: v.drag, Empty: e.empty, Top: bar}
	if e.shade == nil {
		if h := e.hunt; h != nil && h.work == nil {
			s.Empty = "No cache hierarchies were searched for this recording yet. Click here to search: NSGA-II tries them on it, and their tree grows while it runs."
			if why := h.why(); why != "" {
				s.Empty = why
			}
		}
		return s
	}
	if e.shade.Layout.Tree != e.tree { // another tree is being laid out
		s.Passing = nil
	}
	s.Collapsed = e.foldedNow()
	s.Selected = v.selection()
	s.Words = e.counts()
	s.Note = e.space.Note
	return s
}

// selection are the nodes of what is selected.
func (v *treeView) selection() []int32 {
	thing, t := v.e.link.State().Selected, v.e.shade.Layout.Tree
	if thing == v.selected && t == v.of {
		return v.nodes
	}
	v.selected, v.of, v.nodes = thing, t, nil
	switch {
	case v.e.space != t.Space:
	case thing.What == link.Design && v.e.Point() >= 0:
		v.nodes = t.Nodes(v.e.Point())
		slices.Sort(v.nodes)
	case thing.What == link.Subspace && v.e.Subspace() >= 0:
		level := len(t.Order)
		for n := t.Start[level]; n < t.Start[level+1]; n++ {
			if t.Subspace[n] == v.e.Subspace() {
				v.nodes = []int32{n}
			}
		}
	}
	if len(v.nodes) > 0 && v.e.link.State().Origin != "designs" {
		v.reveal(v.nodes[0])
	}
	return v.nodes
}

// reveal brings a node into the picture.
func (v *treeView) reveal(n int32) {
	l := v.e.shade.Layout
	i := l.Find(n)
	if i < 0 {
		return
	}
	if width, shown := v.room(); shown < width && (l.X[i] < v.origin || l.X[i] > v.origin+shown) {
		v.move(l.X[i] - shown/2)
	}
}

// room is the width of the tree and how much of it is shown.
func (v *treeView) room() (width, shown float64) {
	s := dsetree.State{Shade: v.e.shade, Zoom: v.zoom, Top: bar}
	return dsetree.Room(&s, v.size)
}

// move shows the picture from a coordinate of the tree on.
func (v *treeView) move(origin float64) {
	width, shown := v.room()
	v.origin = max(0, min(origin, width-shown))
}

func (v *treeView) Draw(size scene.Size, theme palette.Theme) scene.Drawing {
	v.e.theme, v.size = theme, size
	s := v.state(theme)
	d := dsetree.Scene(s, size)
	v.bar.Draw(&d, v.controls(theme), theme)
	return d
}

func (v *treeView) controls(theme palette.Theme) []toolbar.Placed {
	return v.bar.Left(v.chips(), theme)
}

func (v *treeView) hit(e pane.Event) dsetree.Target {
	return dsetree.Hit(v.state(v.e.theme), e.Size, e.At)
}

func (v *treeView) Moved(e pane.Event) {
	v.size = e.Size
	inside, changed := v.bar.Moved(v.controls(v.e.theme), v.e.theme, e)
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
		v.e.changed(shell.Designs)
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
		return link.Thing{What: link.Subspace, ID: int(k)}
	}
	return link.Thing{}
}

func (v *treeView) Left() {
	v.bar.Forget()
	v.hover = dse.None
	v.e.link.SetHover(link.Thing{})
	v.e.changed(shell.Designs)
}

func (v *treeView) Tip(e pane.Event) []string {
	if v.e.shade == nil || v.bar.Open != "" || v.grip.what != gripNothing || toolbar.At(v.controls(v.e.theme), e.At) != nil {
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
	defer v.e.changed(shell.Designs)
	v.grip = grip{}
	if v.bar.Press(v.controls(v.e.theme), v.e.theme, e) {
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
		v.grip.what = gripSatellite
		v.center(t.Place)
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
		v.grip = grip{gripPicture, v.origin}
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

// center shows a coordinate of the tree in the middle.
func (v *treeView) center(place float64) {
	_, shown := v.room()
	v.move(place - shown/2)
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
			v.center(t.Place)
		}
	default:
		return
	}
	v.e.changed(shell.Designs)
}

func (v *treeView) Released(e pane.Event) {
	if v.grip.what == gripLevel {
		order := dsetree.Drop(v.state(v.e.theme), e.Size)
		v.drag = dsetree.Drag{}
		if order != nil && !slices.Equal(order, v.e.order()) {
			v.e.choose("order of the parameters", func(c *choices) { c.order = order })
		}
		v.e.changed(shell.Designs)
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
		v.e.changed(shell.Designs)
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
	v.e.changed(shell.Designs)
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
	v.e.changed(shell.Designs)
}

// Pan implements pane.Zoomer.
func (v *treeView) Pan(dx, _ float64) {
	if v.e.shade == nil {
		return
	}
	_, shown := v.room()
	v.move(v.origin + dx*shown)
	v.e.changed(shell.Designs)
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
	v.e.changed(shell.Designs)
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

// escape closes what is open; false when nothing is.
func (v *treeView) escape() bool {
	switch {
	case v.bar.Close():
	case v.drag.Level > 0:
		v.drag, v.grip = dsetree.Drag{}, grip{}
	case v.edge >= 0 || v.counted >= 0:
		v.edge, v.counted = dse.None, dse.None
	case v.focus >= 0:
		v.focus = dse.None
	default:
		return false
	}
	v.e.changed(shell.Designs)
	return true
}

func (v *treeView) Concerns(old, now link.State) bool {
	return old.Selected != now.Selected || v.e.hunt == nil && old.Cursor != now.Cursor
}

// pulse lets nodes blink three times.
func (v *treeView) pulse(fresh []int32) {
	if v.blinking != nil {
		v.blinking.Stop()
	}
	v.fresh, v.blink = fresh, 1
	if len(fresh) == 0 || fyne.CurrentApp() == nil || !fyne.CurrentApp().Settings().ShowAnimations() {
		v.blink = 0.35
		return
	}
	v.blinking = fyne.NewAnimation(1200*time.Millisecond, func(done float32) {
		if v.blink = triangleWave(3 * float64(done)); done >= 1 {
			v.blink = 0.35
		}
		v.e.changed(shell.Designs)
	})
	v.blinking.Curve = fyne.AnimationLinear
	v.blinking.Start()
}

// triangleWave falls from 1 to 0 and rises again once in each unit.
func triangleWave(x float64) float64 {
	x -= float64(int(x))
	return max(2*x-1, 1-2*x)
}
