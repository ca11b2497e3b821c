package shell

import (
	"fmt"
	"image/color"
	"path/filepath"
	"slices"

	"orrery/views/scene"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// welcome is the page of a window without a document: the shipped recordings as cards, the recent files, how to record.
type welcome struct {
	widget.BaseWidget
	ui      *window
	scroll  *container.Scroll // what the page is shown in
	title   *label
	sub     *label
	tour    *press // nil without a tour
	cards   []*card
	recent  []*press
	heads   []*label
	how     []*label
	chosen  int      // by the keyboard: a card, or behind them a recent file; -1 for none
	columns int      // of cards
	high    float32  // of all the parts at the present width
	logged  [][4]int // the cards' places in the event log
}

func newWelcome(ui *window) *welcome {
	w := &welcome{ui: ui, chosen: -1, columns: 1}
	w.title = newLabel(ui.look, "See how a program moves through memory", 22, plain, scene.Bold)
	w.sub = newLabel(ui.look, "One recording, linked views: cycles, caches, heap, designs, code. Pick one to begin, by "+
		"a click or with the arrows.", 13, dim, scene.Sans)
	if n := len(ui.opt.Tour); n > 0 {
		w.tour = newPress(ui, fmt.Sprintf("Take the tour, %d stops", n), nil, func() {
			ui.tour.stop = noTour
			ui.reg.Run("tour.next")
		})
		w.tour.word.tone = accent
		w.tour.keys = newLabel(ui.look, "F2", 11, dim, scene.Sans)
	}
	for _, e := range ui.opt.Examples {
		w.cards = append(w.cards, newCard(ui, e))
	}
	recent := ui.app.Preferences().StringList(prefRecent)
	for _, path := range recent[:min(len(recent), 6)] {
		p := newPress(ui, filepath.Base(path), nil, func() { ui.open(path) })
		p.keys = newLabel(ui.look, filepath.Dir(path), 11, dim, scene.Sans)
		p.tips = func() []string { return []string{path} }
		w.recent = append(w.recent, p)
	}
	for _, s := range []string{"RECORDINGS", "RECENT", "RECORD YOUR OWN"} {
		w.heads = append(w.heads, newLabel(ui.look, s, 10.5, dim, scene.Bold))
	}
	w.how = []*label{
		newLabel(ui.look, "orrery record -- ./your-program its arguments", 12.5, accent, scene.Mono),
		newLabel(ui.look, "writes a recording that opens here: drop the file on this window, or press Ctrl+O. Ctrl+R "+
			"records from within the window.", 12.5, dim, scene.Sans),
	}
	w.ExtendBaseWidget(w)
	w.scroll = container.NewVScroll(w)
	return w
}

// MinSize is as high as the page at its present width; what does not fit is scrolled to.
func (w *welcome) MinSize() fyne.Size { return fyne.NewSize(300, max(200, w.high)) }

func (w *welcome) CreateRenderer() fyne.WidgetRenderer { return renderer{w} }

// layOut stacks the parts in a column of readable width and skips what there is nothing to say about.
func (w *welcome) layOut(s fyne.Size) {
	width := min(s.Width-60, 1040)
	x := (s.Width - width) / 2
	y := max(20, w.ui.body.Size().Height*0.07)
	at := func(l *label, h float32) {
		l.Move(fyne.NewPos(x, y))
		l.Resize(fyne.NewSize(width, h))
		y += h
	}
	at(w.title, 30)
	at(w.sub, 28)
	if w.tour != nil {
		w.tour.Move(fyne.NewPos(x-7, y))
		w.tour.Resize(fyne.NewSize(min(width, w.tour.MinSize().Width+60), 24))
		y += 24 + 10
	} else {
		y += 6
	}
	visible(w.heads[0], len(w.cards) > 0)
	if len(w.cards) > 0 {
		at(w.heads[0], 22)
		columns := max(1, int((width+10)/250))
		w.columns = columns
		cw := (width - 10*float32(columns-1)) / float32(columns)
		for i, c := range w.cards {
			c.Move(fyne.NewPos(x+float32(i%columns)*(cw+10), y+float32(i/columns)*(cardHeight+10)))
			c.Resize(fyne.NewSize(cw, cardHeight))
		}
		y += float32((len(w.cards)+columns-1)/columns)*(cardHeight+10) + 14
	}
	visible(w.heads[1], len(w.recent) > 0)
	if len(w.recent) > 0 {
		at(w.heads[1], 22)
		for _, p := range w.recent {
			p.Move(fyne.NewPos(x-7, y))
			p.Resize(fyne.NewSize(width+14, 24))
			y += 24
		}
		y += 18
	}
	w.logPlaces()
	at(w.heads[2], 22)
	at(w.how[0], 20)
	at(w.how[1], 20)
	if y += margin; y != w.high {
		w.high = y
		w.scroll.Refresh()
	}
}

// logPlaces logs where the cards lie in the window whenever that changes, so that tests know where to click.
func (w *welcome) logPlaces() {
	var cards [][4]int
	at := w.ui.body.Position()
	for _, c := range w.cards {
		p, z := c.Position(), c.Size()
		cards = append(cards, [4]int{int(at.X + p.X), int(at.Y + p.Y), int(z.Width), int(z.Height)})
	}
	if w.ui.body.Size().Width >= 100 && !slices.Equal(cards, w.logged) {
		w.logged = cards
		w.ui.log.write("welcome", "cards", cards)
	}
}

func (w *welcome) update() {
	for _, o := range w.parts() {
		o.Refresh()
	}
	w.layOut(w.Size())
	canvas.Refresh(w)
}
func (w *welcome) parts() []fyne.CanvasObject {
	out := []fyne.CanvasObject{w.title, w.sub}
	for _, l := range append(w.heads, w.how...) {
		out = append(out, l)
	}
	for _, c := range w.cards {
		out = append(out, c)
	}
	for _, p := range w.recent {
		out = append(out, p)
	}
	if w.tour != nil {
		out = append(out, w.tour)
	}
	return out
}

// cardHeight holds a title and three lines.
const cardHeight = 98

// card is one shipped recording; a click opens it.
type card struct {
	widget.BaseWidget
	ui     *window
	of     Example
	back   *canvas.Rectangle
	icon   *canvas.Image
	name   *label
	lines  [3]*label
	hover  bool
	chosen bool // by the keyboard
}

func newCard(ui *window, e Example) *card {
	c := &card{ui: ui, of: e, back: canvas.NewRectangle(color.Transparent),
		icon: canvas.NewImageFromResource(tinted{iconOrbit, ui.look.Dim})}
	c.back.CornerRadius, c.back.StrokeWidth = 6, 1
	c.icon.FillMode = canvas.ImageFillContain
	c.name = newLabel(ui.look, e.Name, 13, plain, scene.Bold)
	for i := range c.lines {
		c.lines[i] = newLabel(ui.look, "", 11.5, dim, scene.Sans)
	}
	c.ExtendBaseWidget(c)
	return c
}

func (c *card) MouseDown(*desktop.MouseEvent) {}
func (c *card) MouseUp(ev *desktop.MouseEvent) {
	if b := (box{0, 0, c.Size().Width, c.Size().Height}); b.has(ev.Position.X, ev.Position.Y) {
		c.ui.open(c.of.Path)
	}
}
func (c *card) MouseIn(*desktop.MouseEvent)    { c.hover = true; c.Refresh() }
func (c *card) MouseMoved(*desktop.MouseEvent) {}
func (c *card) MouseOut()                      { c.hover = false; c.Refresh() }
func (c *card) Cursor() desktop.Cursor         { return desktop.PointerCursor }

func (c *card) CreateRenderer() fyne.WidgetRenderer { return renderer{c} }

func (c *card) layOut(s fyne.Size) {
	c.back.Resize(s)
	c.icon.Move(fyne.NewPos(12, 11))
	c.icon.Resize(fyne.NewSize(16, 16))
	c.name.Move(fyne.NewPos(36, 10))
	c.name.Resize(fyne.NewSize(s.Width-48, 18))
	text := wrap(c.of.What, s.Width-24, 11.5, len(c.lines))
	for i, l := range c.lines {
		l.full = ""
		if i < len(text) {
			l.full = text[i]
		}
		l.Move(fyne.NewPos(12, 36+17*float32(i)))
		l.Resize(fyne.NewSize(s.Width-24, 17))
	}
}

func (c *card) update() {
	l := c.ui.look
	c.back.FillColor, c.back.StrokeColor = l.Panel, l.Line
	c.icon.Resource = tinted{iconOrbit, l.Dim}
	if c.hover || c.chosen {
		c.back.FillColor, c.back.StrokeColor = l.Raised(), l.Accent
		c.icon.Resource = tinted{iconOrbit, l.Accent}
	}
	c.layOut(c.Size())
	for _, o := range c.parts() {
		o.Refresh()
	}
}
func (c *card) MinSize() fyne.Size { return fyne.NewSize(160, cardHeight) }
func (c *card) parts() []fyne.CanvasObject {
	return []fyne.CanvasObject{c.back, c.icon, c.name, c.lines[0], c.lines[1], c.lines[2]}
}
