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

func (s *side) CreateRenderer() fyne.WidgetRenderer { return &sideRenderer{s} }

type sideRenderer struct{ s *side }

func (r *sideRenderer) Layout(z fyne.Size) {
	r.s.back.Resize(z)
	y := float32(4)
	for _, p := range append([]*press{r.s.open}, r.s.list...) {
		p.Resize(fyne.NewSize(z.Width-4, 24))
		p.Move(fyne.NewPos(2, y))
		y += 28
	}
}

func (r *sideRenderer) Refresh() {
	r.s.back.FillColor = r.s.open.ui.look.Panel
	r.s.back.Refresh()
	for _, o := range r.Objects()[1:] {
		o.Refresh()
	}
}
func (r *sideRenderer) MinSize() fyne.Size { return fyne.NewSize(strip, 60) }
func (r *sideRenderer) Destroy()           {}
func (r *sideRenderer) Objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{r.s.back, r.s.open}
	for _, p := range r.s.list {
		out = append(out, p)
	}
	return out
}
