package shell

import (
	"image/color"

	"orrery/views/scene"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// header is the top row: the name, the menu words, the search entry, the facts of the recording in front.
type head struct {
	widget.BaseWidget
	ui    *window
	name  *label
	words []*press
	docs  *press
	facts *label
	hint  *label // the palette's key, inside the entry while there is room
}

func newHead(ui *window) *head {
	h := &head{ui: ui, name: newLabel(ui.look, "Orrery", 14, plain, scene.Bold)}
	h.facts = newLabel(ui.look, "", 11.5, dim, scene.Sans)
	h.hint = newLabel(ui.look, "Ctrl+P", 11, dim, scene.Sans)
	for _, name := range menus {
		var p *press
		p = newPress(ui, name, nil, func() { ui.openMenu(name, p) })
		p.over = func() {
			if ui.menu.Visible() && ui.menu.name != name { // along the bar the open menu follows the pointer
				ui.openMenu(name, p)
			}
		}
		h.words = append(h.words, p)
	}
	h.docs = newPress(ui, " ", nil, func() { ui.documentMenu(h.docs) })
	h.docs.tips = func() []string {
		out := []string{h.docs.word.full}
		if d := ui.front(); d != nil {
			out = append(out, d.path)
		}
		if len(ui.docs) > 1 {
			out = append(out, "click for the other open recordings")
		}
		return out
	}
	h.ExtendBaseWidget(h)
	return h
}

// sync shows the document in front.
func (h *head) sync() {
	d := h.ui.front()
	if d == nil {
		h.docs.word.set("no recording")
		h.facts.set("")
	} else {
		h.docs.word.set(d.doc.Name())
		h.facts.set(d.doc.Facts())
	}
	h.Refresh()
}

func (h *head) MinSize() fyne.Size { return fyne.NewSize(320, 40) }

func (h *head) CreateRenderer() fyne.WidgetRenderer { return renderer{h} }

// layOut gives the menu words what they need, the facts up to a third, the entry the middle. When it gets narrow the
// facts are cut first, then the entry shrinks.
func (h *head) layOut(s fyne.Size) {
	n := h.name.natural()
	h.name.Resize(n)
	h.name.Move(fyne.NewPos(15, (s.Height-n.Height)/2))
	x := 15 + n.Width + 16
	for _, w := range h.words {
		m := w.MinSize()
		w.Resize(m)
		w.Move(fyne.NewPos(x, (s.Height-m.Height)/2))
		x += m.Width + 2
	}
	x += 12
	docs, facts := h.docs.MinSize(), h.facts.natural()
	right := s.Width - 12
	room := max(60, right-x)
	entry := min(480, max(150, room*0.45))
	side := max(0, min(docs.Width+facts.Width+10, room-entry-16))
	factsW := max(0, min(facts.Width, side-min(docs.Width, side*0.6)-10))
	docsW := max(0, min(docs.Width, side-factsW-10))
	visible(h.facts, factsW >= 40)
	visible(h.docs, docsW >= 40)
	h.facts.Resize(fyne.NewSize(factsW, facts.Height))
	h.facts.Move(fyne.NewPos(right-factsW, (s.Height-facts.Height)/2))
	h.docs.Resize(fyne.NewSize(docsW, docs.Height))
	h.docs.Move(fyne.NewPos(right-factsW-10-docsW, (s.Height-docs.Height)/2))
	left := right - side - 16
	if side < 40 {
		left = right
	}
	ex := max(x, min((s.Width-entry)/2, left-entry))
	width := max(40, min(entry, left-ex))
	h.ui.search.ask(width)
	h.ui.search.Resize(fyne.NewSize(width, 27))
	h.ui.search.Move(fyne.NewPos(ex, (s.Height-27)/2))
	m := h.hint.natural()
	h.hint.Resize(m)
	h.hint.Move(fyne.NewPos(ex+h.ui.search.Size().Width-m.Width-10, (s.Height-m.Height)/2))
	visible(h.hint, h.ui.search.Text == "" && width > 440)
}

// visible shows or hides an object.
func visible(o fyne.CanvasObject, on bool) {
	if on {
		o.Show()
	} else {
		o.Hide()
	}
}

func (h *head) update() {
	h.layOut(h.Size())
	for _, o := range h.parts() {
		o.Refresh()
	}
	canvas.Refresh(h)
}
func (h *head) parts() []fyne.CanvasObject {
	out := []fyne.CanvasObject{h.name, h.docs, h.facts, h.ui.search}
	for _, w := range h.words {
		out = append(out, w)
	}
	return out
}

// status is the bottom row: what the engine does, in words, and how to stop it.
type status struct {
	widget.BaseWidget
	ui     *window
	text   *label
	side   *label
	cancel *press
	track  *canvas.Rectangle
	bar    *canvas.Rectangle
	share  float32 // 0..1, negative while nothing is known or nothing runs
}

func newStatus(ui *window) *status {
	s := &status{ui: ui, share: -1, track: canvas.NewRectangle(color.Transparent),
		bar: canvas.NewRectangle(color.Transparent)}
	s.text = newLabel(ui.look, "Ready.", 11.5, dim, scene.Sans)
	s.side = newLabel(ui.look, "engine idle · ? help", 11.5, dim, scene.Sans)
	s.cancel = newPress(ui, "Cancel", nil, func() { ui.reg.Run("jobs.cancel") })
	s.cancel.tips = func() []string { return []string{"Stop the work   Escape"} }
	s.cancel.Hide()
	s.track.CornerRadius, s.bar.CornerRadius = 2, 2
	s.ExtendBaseWidget(s)
	return s
}

func (s *status) MinSize() fyne.Size { return fyne.NewSize(200, 24) }

func (s *status) CreateRenderer() fyne.WidgetRenderer { return renderer{s} }

func (s *status) layOut(z fyne.Size) {
	side := s.side.natural()
	s.side.Resize(side)
	s.side.Move(fyne.NewPos(z.Width-15-side.Width, (z.Height-side.Height)/2))
	room := z.Width - 30 - side.Width - 20
	busy := float32(0)
	if s.cancel.Visible() {
		busy = s.cancel.MinSize().Width + 8
		if s.share >= 0 {
			busy += 120
		}
	}
	n := s.text.natural()
	w := max(0, min(n.Width, room-busy))
	s.text.Resize(fyne.NewSize(w, n.Height))
	s.text.Move(fyne.NewPos(15, (z.Height-n.Height)/2))
	x := 15 + w + 10
	if s.share >= 0 {
		s.track.Move(fyne.NewPos(x, z.Height/2-2))
		s.track.Resize(fyne.NewSize(110, 4))
		s.bar.Move(fyne.NewPos(x, z.Height/2-2))
		s.bar.Resize(fyne.NewSize(110*min(1, s.share), 4))
		x += 118
	}
	s.cancel.Resize(fyne.NewSize(s.cancel.MinSize().Width, 20))
	s.cancel.Move(fyne.NewPos(x, (z.Height-20)/2))
}

func (s *status) update() {
	s.track.FillColor, s.bar.FillColor = color.Transparent, color.Transparent
	if s.share >= 0 {
		s.track.FillColor, s.bar.FillColor = s.ui.look.Line, s.ui.look.Accent
	}
	s.layOut(s.Size())
	for _, o := range s.parts() {
		o.Refresh()
	}
	canvas.Refresh(s)
}
func (s *status) parts() []fyne.CanvasObject {
	return []fyne.CanvasObject{s.text, s.side, s.track, s.bar, s.cancel}
}
