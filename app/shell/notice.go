package shell

import (
	"image/color"
	"strings"
	"time"

	"orrery/app/form"
	"orrery/views/scene"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"
)

// notice is one sentence for the user, kept in the log pane.
type notice struct {
	at   time.Time
	text string
	bad  bool
}

// notify shows a sentence in the banner and keeps it.
func (w *window) notify(text string, bad bool) {
	w.notices = append(w.notices, notice{time.Now(), text, bad})
	w.log.write("notice", "text", text, "error", bad)
	w.banner.show(text, bad)
	w.relayout()
}

// banner is the dismissible line under the header.
type banner struct {
	widget.BaseWidget
	ui    *window
	back  *canvas.Rectangle
	mark  *canvas.Rectangle
	full  string
	bad   bool
	lines []*label
	log   *press
	close *press
}

func newBanner(ui *window) *banner {
	b := &banner{ui: ui, back: canvas.NewRectangle(color.Transparent), mark: canvas.NewRectangle(color.Transparent)}
	b.back.CornerRadius, b.mark.CornerRadius = 6, 2
	b.log = newPress(ui, "Log", nil, func() { ui.reg.Run("help.log") })
	b.close = newPress(ui, "", iconClose, func() { b.Hide(); ui.relayout() })
	b.close.pad = 4
	b.ExtendBaseWidget(b)
	b.Hide()
	return b
}

func (b *banner) show(text string, bad bool) {
	b.full, b.bad = text, bad
	b.Show()
}

// bannerText and bannerLine are the size and the leading of the sentence.
const (
	bannerText = 12.5
	bannerLine = 18
)

// height is what the sentence needs at this width; it breaks the text.
func (b *banner) height(width float32) float32 {
	lines := wrap(b.full, width-150, bannerText, 4)
	for len(b.lines) < len(lines) {
		b.lines = append(b.lines, newLabel(b.ui.look, "", bannerText, plain, scene.Sans))
	}
	b.lines = b.lines[:len(lines)]
	for i, s := range lines {
		b.lines[i].full = s
	}
	return float32(len(lines))*bannerLine + 14
}

func (b *banner) MinSize() fyne.Size { return fyne.NewSize(200, 32) }

func (b *banner) CreateRenderer() fyne.WidgetRenderer { return renderer{b} }

func (b *banner) layOut(s fyne.Size) {
	b.back.Resize(s)
	b.mark.Move(fyne.NewPos(8, 8))
	b.mark.Resize(fyne.NewSize(3, s.Height-16))
	for i, l := range b.lines {
		l.Move(fyne.NewPos(20, 7+bannerLine*float32(i)))
		l.Resize(fyne.NewSize(s.Width-140, bannerLine))
	}
	b.close.Resize(fyne.NewSize(23, 22))
	b.close.Move(fyne.NewPos(s.Width-29, 5))
	m := b.log.MinSize()
	b.log.Resize(m)
	b.log.Move(fyne.NewPos(s.Width-34-m.Width, 5))
}

func (b *banner) update() {
	b.back.FillColor, b.mark.FillColor = b.ui.look.Raised(), b.ui.look.Accent
	if b.bad {
		b.mark.FillColor = b.ui.look.Miss
	}
	for _, o := range b.parts() {
		o.Refresh()
	}
	b.layOut(b.Size())
	canvas.Refresh(b)
}
func (b *banner) parts() []fyne.CanvasObject {
	out := []fyne.CanvasObject{b.back, b.mark, b.log, b.close}
	for _, l := range b.lines {
		out = append(out, l)
	}
	return out
}

// wrap breaks a text into lines of at most the width; the last of at most n lines takes the rest with an ellipsis (the
// label cuts it).
func wrap(s string, width float32, size float64, n int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		next := strings.TrimSpace(line + " " + word)
		if line != "" && len(lines) < n-1 && scene.Measure(scene.Sans, size, next) > float64(width) {
			lines = append(lines, line)
			next = word
		}
		line = next
	}
	return append(lines, line)
}

// sheet is a panel over the window: help, log, about. A click beside it or Escape closes it.
type sheet struct {
	widget.BaseWidget
	ui    *window
	veil  *canvas.Rectangle
	back  *canvas.Rectangle
	title *label
	close *press
	body  fyne.CanvasObject
	list  *container.Scroll // what the arrows move; nil for nothing
	size  fyne.Size
	below []func() // present again what a question has covered
}

func newSheet(ui *window) *sheet {
	s := &sheet{ui: ui, veil: canvas.NewRectangle(color.NRGBA{A: 110}), back: canvas.NewRectangle(color.Transparent)}
	s.back.CornerRadius, s.back.StrokeWidth = 8, 1
	s.title = newLabel(ui.look, "", 14, plain, scene.Bold)
	s.close = newPress(ui, "", iconClose, s.dismiss)
	s.close.pad = 4
	s.body = container.NewWithoutLayout()
	s.ExtendBaseWidget(s)
	s.Hide()
	return s
}

// present shows a body of the wanted size.
func (s *sheet) present(title string, body fyne.CanvasObject, size fyne.Size) {
	s.title.set(title)
	s.body, s.size = body, size
	s.list, _ = body.(*container.Scroll)
	s.ui.search.Disable() // Tab stays in the sheet
	s.ui.stage.Tips().Clear()
	s.Show()
	s.Refresh()
	s.ui.comeForward()
	s.ui.repaint()
	s.ui.log.write("sheet", "title", title)
}

// ask presents a question over what is presented, which comes back when the question is dismissed.
func (s *sheet) ask(title string, body fyne.CanvasObject, size fyne.Size) {
	if s.Visible() {
		title, body, size, focus := s.title.full, s.body, s.size, s.ui.win.Canvas().Focused()
		s.below = append(s.below, func() {
			s.present(title, body, size)
			if focus != nil {
				s.ui.win.Canvas().Focus(focus)
			}
		})
	}
	s.present(title, body, size)
}

func (s *sheet) dismiss() {
	if n := len(s.below); n > 0 {
		present := s.below[n-1]
		s.below = s.below[:n-1]
		present()
		return
	}
	s.ui.win.Canvas().Unfocus() // what has been written in is gone
	s.ui.search.Enable()
	s.Hide()
	s.ui.repaint()
	s.ui.log.write("sheet", "title", "")
}

// scroll moves a body that is longer than the sheet.
func (s *sheet) scroll(name fyne.KeyName) {
	body := s.list
	if body == nil {
		return
	}
	page := body.Size().Height * 0.9
	by := map[fyne.KeyName]float32{fyne.KeyUp: -40, fyne.KeyDown: 40, fyne.KeyPageUp: -page, fyne.KeyPageDown: page,
		fyne.KeyHome: -1e6, fyne.KeyEnd: 1e6}[name]
	room := max(0, body.Content.MinSize().Height-body.Size().Height)
	body.ScrollToOffset(fyne.NewPos(0, max(0, min(body.Offset.Y+by, room))))
}

// Tapped implements fyne.Tappable: beside the panel it closes.
func (s *sheet) Tapped(ev *fyne.PointEvent) {
	p, z := s.back.Position(), s.back.Size()
	if b := (box{p.X, p.Y, z.Width, z.Height}); !b.has(ev.Position.X, ev.Position.Y) {
		s.dismiss()
	}
}

// Scrolled implements fyne.Scrollable, so that the panes below stay where they are.
func (s *sheet) Scrolled(*fyne.ScrollEvent) {}

// MouseIn, MouseMoved and MouseOut implement desktop.Hoverable, so that the panes below do not hear of the pointer and
// show no tips over the sheet.
func (s *sheet) MouseIn(*desktop.MouseEvent) {}

// MouseMoved implements desktop.Hoverable.
func (s *sheet) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (s *sheet) MouseOut() {}

func (s *sheet) MinSize() fyne.Size { return fyne.NewSize(0, 0) }

func (s *sheet) CreateRenderer() fyne.WidgetRenderer { return renderer{s} }

func (s *sheet) layOut(z fyne.Size) {
	s.veil.Resize(z)
	w, h := min(s.size.Width, z.Width-40), min(s.size.Height, z.Height-60)
	x, y := (z.Width-w)/2, (z.Height-h)/2.4
	s.back.Move(fyne.NewPos(x, y))
	s.back.Resize(fyne.NewSize(w, h))
	s.title.Move(fyne.NewPos(x+20, y+14))
	s.title.Resize(fyne.NewSize(w-80, 20))
	s.close.Move(fyne.NewPos(x+w-34, y+12))
	s.close.Resize(fyne.NewSize(23, 22))
	s.body.Move(fyne.NewPos(x+20, y+46))
	s.body.Resize(fyne.NewSize(w-40, h-60))
}

func (s *sheet) update() {
	s.back.FillColor, s.back.StrokeColor = s.ui.look.Panel, s.ui.look.Line
	s.layOut(s.Size())
	for _, o := range s.parts() {
		o.Refresh()
	}
	canvas.Refresh(s)
}
func (s *sheet) parts() []fyne.CanvasObject {
	return []fyne.CanvasObject{s.veil, s.back, s.title, s.close, s.body}
}

// showLog shows every sentence so far, newest first.
func (w *window) showLog() {
	var b strings.Builder
	for i := len(w.notices) - 1; i >= 0; i-- {
		n := w.notices[i]
		b.WriteString(n.at.Format("15:04:05  ") + n.text + "\n")
	}
	if b.Len() == 0 {
		b.WriteString("Nothing has been reported. Errors and warnings stay readable here.")
	}
	text := widget.NewLabel(b.String())
	text.Wrapping = fyne.TextWrapWord
	list := container.NewVScroll(text)
	copied := form.NewAction("Copy", func() { w.app.Clipboard().SetContent(b.String()) }, w.sheet.dismiss)
	w.sheet.present("Log", container.NewBorder(nil, container.NewHBox(layout.NewSpacer(), copied), nil, nil, list),
		fyne.NewSize(760, 460))
	w.sheet.list = list
}
