package document

import (
	"fmt"

	"orrery/app/shell"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// heapView is the map of the heap's blocks over time and address.
type heapView struct {
	d      *Document
	draw   heapmap.Renderer
	base   heapmap.State // what does not depend on the link
	hidden map[int]bool
	start  heapmap.State // when the drag began
	part   heapmap.Part
}

func newHeapView(d *Document) *heapView {
	return &heapView{d: d, base: d.rec.HeapMap(d.theme, 0), hidden: map[int]bool{}}
}

func (v *heapView) Title() string   { return "Heap" }
func (v *heapView) Caption() string { return heapmap.Caption(v.state(v.d.theme)) }

func (v *heapView) state(theme palette.Theme) heapmap.State {
	if v.base.Theme != theme || v.base.Heap != v.d.rec.Heap {
		fresh := v.d.rec.HeapMap(theme, 0)
		v.base.Theme, v.base.Sites, v.base.Heap, v.base.Use = theme, fresh.Sites, fresh.Heap, fresh.Use
	}
	s, l := v.base, v.d.link.State()
	s.Cursor, s.Hover, s.Selected = s.Heap.Axis.At(l.Cursor), l.Hover, l.Selected
	s.Hidden = nil
	for i, h := range v.hidden {
		if h {
			if s.Hidden == nil {
				s.Hidden = make([]bool, len(heapmap.Legend(s)))
			}
			if i < len(s.Hidden) {
				s.Hidden[i] = true
			}
		}
	}
	return s
}

func (v *heapView) Draw(size scene.Size, theme palette.Theme) scene.Drawing {
	v.d.theme = theme
	return v.draw.Scene(v.state(theme), size)
}

func (v *heapView) hit(e pane.Event) heapmap.Target {
	return heapmap.Hit(v.state(v.d.theme), e.Size, e.At)
}

func (v *heapView) Moved(e pane.Event)        { v.d.link.SetHover(v.hit(e).Thing) }
func (v *heapView) Left()                     { v.d.link.SetHover(link.Thing{}) }
func (v *heapView) Tip(e pane.Event) []string { return v.hit(e).Lines }

// Pressed selects the block under the pointer and moves the time cursor there; in the strip at the right it moves the
// window, in the legend it hides a class.
func (v *heapView) Pressed(e pane.Event) {
	if e.Button != pane.Primary {
		return
	}
	t := v.hit(e)
	v.start, v.part = v.state(v.d.theme), t.Part
	switch t.Part {
	case heapmap.Context:
		v.show(heapmap.CenterContext(v.start, e.Size, e.At))
	case heapmap.LegendPart:
		if e.Mods.Shift {
			v.hidden[t.Entry] = !v.hidden[t.Entry]
			v.d.changed(shell.Heap)
			return
		}
		v.d.link.Select(t.Thing, "heap")
	case heapmap.Map:
		v.d.link.Select(t.Thing, "heap")
		v.d.link.SetCursor(min(t.Seq, max(1, v.d.rec.Extent())-1))
	case heapmap.Bar:
		v.d.link.SetCursor(min(t.Seq, max(1, v.d.rec.Extent())-1))
	}
}

func (v *heapView) Dragged(e pane.Event, from scene.Point) {
	switch v.part {
	case heapmap.Context:
		v.show(heapmap.CenterContext(v.start, e.Size, e.At))
	case heapmap.Bar:
		if t := v.hit(e); t.Part != heapmap.Nowhere {
			v.d.link.SetCursor(min(t.Seq, max(1, v.d.rec.Extent())-1))
		}
	case heapmap.Map:
		v.show(heapmap.Pan(v.start, e.Size, (from.X-e.At.X)/max(1, e.Size.W), (e.At.Y-from.Y)/max(1, e.Size.H)))
	}
}

// show takes the window of a state.
func (v *heapView) show(s heapmap.State) {
	v.base.From, v.base.To, v.base.Low, v.base.High = s.From, s.To, s.Low, s.High
	v.d.changed(shell.Heap)
}

// Scrolled zooms time, with Shift addresses, with Control both.
func (v *heapView) Scrolled(e pane.Event, _, dy float64) {
	times, addrs := !e.Mods.Shift, e.Mods.Shift || e.Mods.Control
	v.show(heapmap.Zoom(v.state(v.d.theme), e.Size, e.At, wheelFactor(dy), times, addrs))
}

func (v *heapView) Zoom(e pane.Event, factor float64) {
	v.show(heapmap.Zoom(v.state(v.d.theme), e.Size, e.At, factor, true, true))
}

func (v *heapView) Pan(dx, dy float64) {
	v.show(heapmap.Pan(v.state(v.d.theme), scene.Size{W: 1, H: 1, Scale: 1}, dx, -dy))
}

func (v *heapView) Fit() { v.show(heapmap.Fit(v.base)) }

func (v *heapView) DoubleTapped(pane.Event) { v.Fit() }

// Menu offers colours, cushions and the weight of thin blocks.
func (v *heapView) Menu(pane.Event) []pane.MenuItem {
	var items []pane.MenuItem
	add := func(title string, on bool, set func()) {
		items = append(items, pane.MenuItem{Title: title, Off: on, Run: func() {
			set()
			v.d.changed(shell.Heap)
		}})
	}
	for c := heapmap.Site; c <= heapmap.Waste; c++ {
		add("Colour by "+c.String(), v.base.Color == c, func() { v.base.Color = c; clear(v.hidden) })
	}
	items = append(items, pane.MenuItem{})
	for _, c := range []heapmap.Cushion{heapmap.Plateau, heapmap.Parabolic, heapmap.Flat} {
		add(c.String(), v.base.Cushion == c, func() { v.base.Cushion = c })
	}
	items = append(items, pane.MenuItem{})
	for _, a := range []float64{0.15, heapmap.DefaultAlpha, 0.6, 1} {
		now := v.base.Alpha == a || v.base.Alpha == 0 && a == heapmap.DefaultAlpha
		add(fmt.Sprintf("Thin blocks: alpha %.2f", a), now, func() { v.base.Alpha = a })
	}
	add("Show all classes", len(v.hidden) == 0, func() { clear(v.hidden) })
	return items
}
