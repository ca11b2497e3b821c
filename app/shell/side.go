package shell

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// side is a folded side: a strip with one short word for each pane; a click unfolds.
type side struct {
	widget.BaseWidget
	node *node
	back *canvas.Rectangle
	open *press
	list []*press
}

func newSide(d *dock, n *node) *side {
	s := &side{node: n, back: canvas.NewRectangle(color.Transparent)}
	s.back.CornerRadius = 6
	arrow := iconUnfold
	if n.Side == "right" {
		arrow = iconFold
	}
	s.open = newPress(d.ui, "", arrow, func() { d.toggle(n.Side) })
	s.open.pad = 7
	s.open.tips = func() []string { return []string{"Unfold this side"} }
	for _, l := range n.leaves() {
		for _, t := range l.Tabs {
			if d.unseen(l, t) {
				continue
			}
			title := d.tabs[t].view.Title()
			short := []rune(title)
			p := newPress(d.ui, string(short[:min(2, len(short))]), nil, func() { d.bring(t) })
			p.pad = 6
			p.tips = func() []string { return []string{title} }
			s.list = append(s.list, p)
		}
	}
	s.ExtendBaseWidget(s)
	return s
}

func (s *side) CreateRenderer() fyne.WidgetRenderer { return renderer{s} }

func (s *side) layOut(z fyne.Size) {
	s.back.Resize(z)
	y := float32(4)
	for _, p := range append([]*press{s.open}, s.list...) {
		p.Resize(fyne.NewSize(z.Width-4, 24))
		p.Move(fyne.NewPos(2, y))
		y += 28
	}
}

func (s *side) update() {
	s.back.FillColor = s.open.ui.look.Panel
	s.back.Refresh()
	for _, o := range s.parts()[1:] {
		o.Refresh()
	}
}
func (s *side) MinSize() fyne.Size { return fyne.NewSize(strip, 60) }
func (s *side) parts() []fyne.CanvasObject {
	out := []fyne.CanvasObject{s.back, s.open}
	for _, p := range s.list {
		out = append(out, p)
	}
	return out
}
