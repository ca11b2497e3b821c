package shell

import (
	"image/color"
	"slices"

	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// dock is the arrangement of one document's panes: panels in rows and columns with dividers between them, one of them
// maximised if the user wants, sides folded to strips when the window is narrow.
type dock struct {
	widget.BaseWidget
	ui        *window
	name      string // of the document
	root      *node
	wide      *node // the usual arrangement, while the one for half a window is used
	slim      *node // that one, while the usual one is
	tabs      map[Slot]*tab
	order     []Slot
	placed    []Placed
	transport fyne.CanvasObject
	position  *label

	own      map[Slot]*ownWindow
	idle     map[Slot]string // why a pane has nothing to show
	full     Slot            // the maximised pane, "" for none
	shown    bool            // the document is the one in front
	fold     map[string]fold
	objects  []fyne.CanvasObject
	groups   []*group
	dividers []*divider
	strips   []*side
	ghost    *canvas.Rectangle // where a dragged tab would go
	target   *node
	zone     zone
	logged   []place // the last arrangement in the event log
}

// fold is what the user wants of a side; automatic folds when the window is narrow.
type fold uint8

const (
	automatic fold = iota
	open
	folded
)

// Below these widths the sides fold by themselves: the right one first, since what it shows explains rather than shows.
const (
	foldRight = 1120
	foldLeft  = 900
)

func newDock(ui *window, doc Document, transport fyne.CanvasObject, position *label) *dock {
	d := &dock{ui: ui, name: doc.Name(), tabs: map[Slot]*tab{}, own: map[Slot]*ownWindow{}, transport: transport,
		position: position, fold: map[string]fold{},
		ghost: canvas.NewRectangle(color.Transparent)}
	for _, p := range doc.Views() {
		if d.tabs[p.Slot] != nil {
			continue
		}
		d.tabs[p.Slot] = &tab{slot: p.Slot, view: p.View, idle: p.Idle, pane: ui.stage.Add(p.View)}
		d.order, d.placed = append(d.order, p.Slot), append(d.placed, p)
	}
	d.root = standard(d.placed)
	d.survey()
	d.ghost.CornerRadius = 6
	d.ghost.Hide()
	d.ExtendBaseWidget(d)
	return d
}

// build makes the widgets for the present tree.
func (d *dock) build() {
	d.groups, d.dividers, d.strips, d.objects = nil, nil, nil, nil
	if d.root == nil {
		return
	}
	d.root.walk(func(n *node) {
		if n.gone = d.away(n); n.gone {
			return
		}
		if n.leaf() {
			n.group = newGroup(d, n)
			d.groups = append(d.groups, n.group)
			d.objects = append(d.objects, n.group)
			return
		}
		for i := range n.Kids[1:] {
			v := newDivider(d, n, i)
			d.dividers = append(d.dividers, v)
			d.objects = append(d.objects, v)
		}
		for _, k := range n.Kids {
			if k.Side != "" && !d.away(k) {
				s := newSide(d, k)
				d.strips = append(d.strips, s)
				d.objects = append(d.objects, s)
			}
		}
	})
	d.gather()
	d.objects = append(d.objects, d.ghost)
}

// arranged lays everything out again after a change of the tree, a fold or a tab.
func (d *dock) arranged() {
	d.ui.stage.Tips().Clear()
	d.Refresh()
	d.ui.keep()
}

// maximise shows one pane alone, or all of them again.
func (d *dock) maximise(s Slot) {
	if d.full != "" {
		s = ""
	}
	d.full = s
	d.ui.log.write("maximised", "slot", string(s))
	d.arranged()
}

// bring shows the pane of a slot, whatever hides it, and makes it the keyboard's; asked for the active pane it
// maximises.
func (d *dock) bring(s Slot) {
	t := d.tabs[s]
	if t == nil {
		return
	}
	if o := d.own[s]; o != nil {
		o.win.RequestFocus()
		d.ui.stage.Activate(t.pane)
		return
	}
	if d.ui.stage.Active() == t.pane || d.full == s {
		d.maximise(s)
		return
	}
	if d.full != "" {
		d.full = s
	}
	d.admit(s)
	d.ask(s)
	for _, n := range d.root.leaves() {
		if i := slices.Index(n.Tabs, s); i >= 0 {
			n.Shown = i
			if side := d.side(n); side != nil && side.folded {
				d.fold[side.Side] = open
			}
		}
	}
	d.ui.stage.Activate(t.pane)
	d.arranged()
}

// forget lets go of a closed document: Fyne remembers the widgets of its panels for a minute.
func (d *dock) forget() {
	for _, t := range d.tabs {
		t.view, t.idle = closed{t.view.Title()}, nil
	}
	d.placed = nil
}

// closed is a view of a document that has been closed.
type closed struct{ title string }

func (c closed) Title() string { return c.title }
func (closed) Caption() string { return "" }

// Draw implements pane.Content.
func (closed) Draw(size scene.Size, theme palette.Theme) scene.Drawing {
	return scene.Drawing{Size: size, Background: theme.Panel}
}

// has reports whether a pane is one of the document's.
func (d *dock) has(p *pane.Pane) bool {
	for _, t := range d.tabs {
		if t.pane == p {
			return p != nil
		}
	}
	return false
}

// side is the foldable part that a leaf belongs to, or nil.
func (d *dock) side(leaf *node) *node {
	for n := leaf; n != nil; n = d.root.parent(n) {
		if n.Side != "" {
			return n
		}
	}
	return nil
}

// toggle folds or unfolds a side.
func (d *dock) toggle(side string) {
	d.root.walk(func(n *node) {
		if n.Side == side {
			d.fold[side] = folded
			if n.folded {
				d.fold[side] = open
			}
		}
	})
	d.arranged()
}

// show wakes or hides all panes: a document behind another one draws nothing.
func (d *dock) show(on bool) {
	d.shown = on
	if on {
		d.Show()
	} else {
		d.Hide()
	}
	for _, o := range d.own {
		d.showOwn(o, on)
	}
	d.Refresh()
}

// captions brings the headers up to date.
func (d *dock) captions() {
	for _, g := range d.groups {
		g.label()
	}
}

// drag shows where a tab would go if it were dropped now.
func (d *dock) drag(abs fyne.Position) {
	at := abs.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(d))
	d.target = nil
	for _, g := range d.groups {
		if g.Visible() && g.node.at.has(at.X, at.Y) {
			d.target, d.zone = g.node, zoneAt(g.node.at, at.X, at.Y)
		}
	}
	if d.target == nil || d.full != "" {
		d.target = nil
		d.ghost.Hide()
		return
	}
	b := d.target.at
	switch d.zone {
	case before:
		b.w /= 2
	case after:
		b.x, b.w = b.x+b.w/2, b.w/2
	case above:
		b.h /= 2
	case below:
		b.y, b.h = b.y+b.h/2, b.h/2
	}
	d.ghost.FillColor, d.ghost.StrokeColor, d.ghost.StrokeWidth = palette.Alpha(d.ui.look.Accent, 0.16), d.ui.look.Accent,
		1
	d.ghost.Move(fyne.NewPos(b.x, b.y))
	d.ghost.Resize(fyne.NewSize(b.w, b.h))
	d.ghost.Show()
	d.ghost.Refresh()
}

// drop ends a drag.
func (d *dock) drop(t *tab) {
	d.ghost.Hide()
	to := d.target
	d.target = nil
	if to == nil {
		return
	}
	d.move(t.slot, to, d.zone)
}

// move takes a pane to another place.
func (d *dock) move(s Slot, to *node, z zone) {
	d.root = d.root.drop(s, to, z)
	d.ask(s)
	d.ui.log.write("moved", "slot", string(s))
	d.build()
	d.arranged()
}

// reset goes back to the standard arrangement.
func (d *dock) reset() {
	d.takeIn()
	d.full = ""
	if d.root = standard(d.placed); d.wide != nil {
		d.root = beside(d.placed)
	}
	clear(d.fold)
	d.build()
	d.arranged()
}

func (d *dock) MinSize() fyne.Size { return fyne.NewSize(320, 200) }

// CreateRenderer implements fyne.Widget. Fyne asks again after it has dropped a renderer that it did not paint for a
// minute: what was built and laid out then stays.
func (d *dock) CreateRenderer() fyne.WidgetRenderer {
	if d.objects == nil {
		d.build()
	}
	return renderer{d}
}

func (d *dock) layOut(s fyne.Size) {
	if d.root == nil || s.Width < 1 {
		return
	}
	d.root.walk(func(n *node) {
		limit := map[string]float32{"left": foldLeft, "right": foldRight}[n.Side]
		n.folded = n.Side != "" && (d.fold[n.Side] == folded || d.fold[n.Side] == automatic && s.Width < limit)
	})
	d.root.place(box{0, 0, s.Width, s.Height})
	for _, g := range d.groups {
		at, on := g.node.at, true
		if side := d.side(g.node); side != nil && side.folded {
			on = false
		}
		if d.full != "" {
			at, on = box{0, 0, s.Width, s.Height}, g.front().slot == d.full
		}
		put(g, at, on)
		g.sync(on && d.shown)
	}
	for _, v := range d.dividers {
		a, b := v.node.Kids[v.index], v.node.Kids[v.index+1]
		put(v, v.box(), d.full == "" && !a.folded && !b.folded && !a.gone && !b.gone && !d.hidden(v.node))
	}
	for _, v := range d.strips {
		put(v, v.node.at, d.full == "" && v.node.folded)
	}
	d.logged = d.ui.log.arranged(d, d.logged)
}

// hidden reports whether the node lies inside a folded side.
func (d *dock) hidden(n *node) bool {
	s := d.side(n)
	return s != nil && s.folded
}

// put places and shows or hides an object.
func put(o fyne.CanvasObject, at box, on bool) {
	if !on {
		o.Hide()
		return
	}
	o.Move(fyne.NewPos(at.x, at.y))
	o.Resize(fyne.NewSize(at.w, at.h))
	o.Show()
}

func (d *dock) update() {
	d.layOut(d.Size())
	for _, o := range d.objects {
		o.Refresh()
	}
	canvas.Refresh(d)
}

func (d *dock) parts() []fyne.CanvasObject { return d.objects }

// divider is the gap between two neighbours; dragging it moves their border.
type divider struct {
	widget.BaseWidget
	dock  *dock
	node  *node
	index int
	line  *canvas.Rectangle
	hover bool
	by    float32 // how far it has been dragged since the last frame
}

func newDivider(d *dock, n *node, i int) *divider {
	v := &divider{dock: d, node: n, index: i, line: canvas.NewRectangle(color.Transparent)}
	v.line.CornerRadius = 1
	v.ExtendBaseWidget(v)
	return v
}

func (v *divider) box() box {
	a := v.node.Kids[v.index].at
	if v.node.Column {
		return box{a.x, a.y + a.h, a.w, gap}
	}
	return box{a.x + a.w, a.y, gap, a.h}
}

func (v *divider) Dragged(ev *fyne.DragEvent) {
	by := ev.Dragged.DX
	if v.node.Column {
		by = ev.Dragged.DY
	}
	v.by += by
	v.dock.ui.stage.BeforeNextFrame(v, func() {
		v.node.move(v.index, v.by)
		v.by = 0
		v.dock.arranged()
	})
}
func (v *divider) DragEnd() {}

func (v *divider) Cursor() desktop.Cursor {
	if v.node.Column {
		return desktop.VResizeCursor
	}
	return desktop.HResizeCursor
}

func (v *divider) MouseIn(*desktop.MouseEvent)    { v.hover = true; v.Refresh() }
func (v *divider) MouseMoved(*desktop.MouseEvent) {}
func (v *divider) MouseOut()                      { v.hover = false; v.Refresh() }

func (v *divider) CreateRenderer() fyne.WidgetRenderer { return renderer{v} }

func (v *divider) layOut(s fyne.Size) {
	if v.node.Column {
		v.line.Resize(fyne.NewSize(s.Width, 2))
		v.line.Move(fyne.NewPos(0, s.Height/2-1))
	} else {
		v.line.Resize(fyne.NewSize(2, s.Height))
		v.line.Move(fyne.NewPos(s.Width/2-1, 0))
	}
}

func (v *divider) update() {
	v.line.FillColor = color.Transparent
	if v.hover {
		v.line.FillColor = v.dock.ui.look.Faint
	}
	v.line.Refresh()
}
func (v *divider) MinSize() fyne.Size         { return fyne.NewSize(1, 1) }
func (v *divider) parts() []fyne.CanvasObject { return []fyne.CanvasObject{v.line} }
