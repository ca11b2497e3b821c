package shell

import (
	"image/color"
	"slices"

	"orrery/views/pane"
	"orrery/views/scene"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// tab is one view in its pane.
type tab struct {
	slot  Slot
	view  View
	idle  func() string // see Placed.Idle; may be nil
	pane  *pane.Pane
	title *grip
}

// group is one panel: a header with the titles of its tabs, the caption of the one in front and a maximise button,
// and below it that tab's pane.
type group struct {
	widget.BaseWidget
	dock *dock
	node *node

	back    *canvas.Rectangle
	grip    *grip // the free part of the header
	caption *label
	big     *press
	extra   fyne.CanvasObject // beside the title: the transport
	tail    *label            // at the right: the position
	tabs    []*tab
	folded  []Slot // see Placed.Idle
	chip    *press // for them; nil without
}

const (
	header = 28 // height of a panel's header
	inset  = 6  // between a panel's edge and its picture
)

func newGroup(d *dock, n *node) *group {
	g := &group{dock: d, node: n, back: canvas.NewRectangle(d.ui.look.Panel)}
	g.back.CornerRadius = 6
	g.grip = newGrip(d, g, nil)
	g.caption = newLabel(d.ui.look, "", 11.5, dim, scene.Sans)
	g.caption.line.Align(1)
	g.big = newPress(d.ui, "", iconMaximise, func() { d.maximise(g.front().slot) })
	g.big.pad = 4
	g.big.tips = func() []string { return []string{"Maximise " + g.front().view.Title(), "or double click its title"} }
	for _, s := range n.Tabs {
		if d.unseen(n, s) {
			continue
		}
		t := d.tabs[s]
		t.title = newGrip(d, g, t)
		g.tabs = append(g.tabs, t)
	}
	for _, t := range g.tabs {
		if t.slot == Timeline {
			g.extra, g.tail = d.transport, d.position
			g.caption.line.Align(0)
			if d.wide != nil {
				t.title.title.full = d.name
			}
		}
	}
	g.ExtendBaseWidget(g)
	return g
}

// front is the tab that is shown: the one that was chosen or, while that is folded or in a window of its own, the first
// one.
func (g *group) front() *tab {
	n := g.node
	if n.Shown < len(n.Tabs) {
		if i := slices.IndexFunc(g.tabs, func(t *tab) bool { return t.slot == n.Tabs[n.Shown] }); i >= 0 {
			return g.tabs[i]
		}
	}
	return g.tabs[0]
}

// choose brings a tab to the front.
func (g *group) choose(t *tab) {
	if i := slices.Index(g.node.Tabs, t.slot); i >= 0 && g.node.Shown != i {
		g.node.Shown = i
		if g.dock.full != "" { // and this group is all that is seen
			g.dock.full = t.slot
		}
		g.dock.arranged()
	}
}

// sync shows the pane in front, hides the others and brings the header up to date.
func (g *group) sync(shown bool) {
	for _, t := range g.tabs {
		if shown && t == g.front() {
			t.pane.Show()
		} else {
			t.pane.Hide()
		}
	}
	g.label()
}

// label brings the caption up to date.
func (g *group) label() {
	caption := g.front().view.Caption()
	if g.dock.wide != nil && g == g.dock.groups[0] { // of two recordings it must be seen which this is
		caption = g.dock.name + " · " + caption
	}
	if caption != g.caption.full {
		g.caption.set(caption)
	}
}

func (g *group) MinSize() fyne.Size { return fyne.NewSize(24, header) }

func (g *group) CreateRenderer() fyne.WidgetRenderer { return renderer{g} }

func (g *group) layOut(s fyne.Size) {
	g.back.Resize(s)
	g.grip.Resize(fyne.NewSize(s.Width, header))
	right := s.Width - 5
	g.big.Resize(fyne.NewSize(23, 22))
	g.big.Move(fyne.NewPos(right-23, 3))
	right -= 23 + 3
	if g.tail != nil {
		n := g.tail.natural()
		w := min(n.Width, max(0, right-140))
		g.tail.Resize(fyne.NewSize(w, n.Height))
		g.tail.Move(fyne.NewPos(right-w, (header-n.Height)/2))
		right -= w + 12
	}
	x := float32(4)
	need := float32(0)
	for _, t := range g.tabs {
		need += t.title.MinSize().Width
	}
	chip := float32(0)
	if g.chip != nil {
		chip = g.chip.MinSize().Width + 4
	}
	squeeze := min(1, max(0, right-x-chip)/max(1, need)) // titles are cut only when nothing else is left to give
	for _, t := range g.tabs {
		w := t.title.MinSize().Width * squeeze
		t.title.Resize(fyne.NewSize(w, header))
		t.title.Move(fyne.NewPos(x, 0))
		x += w
	}
	x = g.layoutChip(x, right-x)
	if g.extra != nil {
		n := g.extra.MinSize()
		g.extra.Resize(n)
		g.extra.Move(fyne.NewPos(x+4, (header-n.Height)/2))
		x += n.Width + 16
	}
	w, h := max(0, right-x-8), g.caption.natural().Height
	g.caption.Resize(fyne.NewSize(w, h))
	g.caption.Move(fyne.NewPos(right-w, (header-h)/2))
	if w < 24 { // less than an ellipsis and a letter tells nothing
		g.caption.Hide()
	} else {
		g.caption.Show()
	}
	for _, t := range g.tabs {
		t.pane.Move(fyne.NewPos(inset, header))
		t.pane.Resize(fyne.NewSize(max(1, s.Width-2*inset), max(1, s.Height-header-inset)))
	}
}

func (g *group) update() {
	g.back.FillColor, g.back.StrokeWidth = g.dock.ui.look.Panel, 0
	if p := g.front().pane; p == g.dock.ui.focus.marked {
		g.back.StrokeColor, g.back.StrokeWidth = g.dock.ui.look.Accent, 1.5
	}
	g.back.Refresh()
	g.big.res = iconMaximise
	if g.dock.full != "" {
		g.big.res = iconRestore
	}
	g.big.Refresh()
	g.caption.Refresh()
	for _, t := range g.tabs {
		t.title.Refresh()
	}
	if g.tail != nil {
		g.tail.Refresh()
	}
	if g.chip != nil {
		g.chip.Refresh()
	}
	g.layOut(g.Size())
}

func (g *group) parts() []fyne.CanvasObject {
	out := []fyne.CanvasObject{g.back, g.grip, g.caption, g.big}
	for _, t := range g.tabs {
		out = append(out, t.title, t.pane)
	}
	if g.extra != nil {
		out = append(out, g.extra, g.tail)
	}
	if g.chip != nil {
		out = append(out, g.chip)
	}
	return out
}

// grip is a tab's title or, without a tab, the free part of a header: a press chooses the tab, a double click
// maximises, a drag takes the tab elsewhere.
type grip struct {
	widget.BaseWidget
	dock  *dock
	group *group
	tab   *tab
	title *label
	mark  *canvas.Rectangle
}

func newGrip(d *dock, g *group, t *tab) *grip {
	x := &grip{dock: d, group: g, tab: t, mark: canvas.NewRectangle(color.Transparent)}
	if t != nil {
		x.title = newLabel(d.ui.look, t.view.Title(), 12.5, plain, scene.Bold)
	}
	x.ExtendBaseWidget(x)
	return x
}

func (x *grip) MouseDown(ev *desktop.MouseEvent) {
	if ev.Button == desktop.MouseButtonSecondary {
		x.dock.ui.tabMenu(x.dock, x.dragged().slot, ev.AbsolutePosition)
		return
	}
	if x.tab != nil && ev.Button == desktop.MouseButtonPrimary {
		x.group.choose(x.tab)
		x.dock.ui.stage.Activate(x.tab.pane)
	}
}
func (x *grip) MouseUp(*desktop.MouseEvent) {}

func (x *grip) DoubleTapped(*fyne.PointEvent) { x.dock.maximise(x.group.front().slot) }

func (x *grip) MouseIn(ev *desktop.MouseEvent) {
	if c := x.group.caption; x.tab == nil && c.cut() && c.Visible() {
		x.dock.ui.stage.Tips().Say(x, []string{c.full}, ev.AbsolutePosition)
	}
}
func (x *grip) MouseMoved(*desktop.MouseEvent) {}
func (x *grip) MouseOut()                      { x.dock.ui.stage.Tips().Drop(x) }

func (x *grip) Dragged(ev *fyne.DragEvent) {
	if x.dragged() != nil {
		x.dock.drag(ev.AbsolutePosition)
	}
}

func (x *grip) DragEnd() {
	if t := x.dragged(); t != nil {
		x.dock.drop(t)
	}
}

func (x *grip) dragged() *tab {
	if x.tab != nil {
		return x.tab
	}
	return x.group.front()
}

func (x *grip) MinSize() fyne.Size {
	if x.title == nil {
		return fyne.NewSize(0, header)
	}
	return fyne.NewSize(x.title.natural().Width+14, header)
}

func (x *grip) CreateRenderer() fyne.WidgetRenderer { return renderer{x} }

func (x *grip) layOut(s fyne.Size) {
	if t := x.title; t != nil {
		h := t.natural().Height
		t.Resize(fyne.NewSize(max(0, s.Width-14), h))
		t.Move(fyne.NewPos(7, (s.Height-h)/2))
		x.mark.Resize(fyne.NewSize(max(0, s.Width-14), 1.5))
		x.mark.Move(fyne.NewPos(7, s.Height-4))
	}
}

func (x *grip) update() {
	if x.title == nil {
		return
	}
	x.title.tone, x.mark.FillColor = dim, color.Transparent
	if x.group.front() == x.tab {
		x.title.tone = plain
		if len(x.group.tabs) > 1 {
			x.mark.FillColor = x.dock.ui.look.Accent
		}
	}
	x.title.Refresh()
	x.mark.Refresh()
}

func (x *grip) parts() []fyne.CanvasObject {
	if x.title == nil {
		return nil
	}
	return []fyne.CanvasObject{x.title, x.mark}
}
