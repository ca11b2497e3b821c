package shell

import (
	"image/color"

	"orrery/views/pane"
	"orrery/views/scene"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// tone is the role of a text: the theme gives the colour.
type tone uint8

const (
	plain tone = iota
	dim
	faint
	accent
	alarm
)

func (l *look) tone(t tone) color.NRGBA {
	switch t {
	case dim:
		return l.Dim
	case faint:
		return l.Faint
	case accent:
		return l.Accent
	case alarm:
		return l.Miss
	}
	return l.Text
}

// label is one line of text that is cut with an ellipsis when the room is too small. full is what it says when it is
// refreshed next.
type label struct {
	widget.BaseWidget
	look *look
	full string
	tone tone
	line *pane.Line
}

func newLabel(l *look, s string, size float64, t tone, face scene.Face) *label {
	x := &label{look: l, full: s, tone: t, line: pane.NewLine(face, size)}
	x.line.Say(s, l.tone(t))
	x.ExtendBaseWidget(x)
	return x
}

// set changes the text.
func (x *label) set(s string) {
	if s == x.full {
		return
	}
	x.full = s
	x.Refresh()
}

// natural is the size of the uncut text.
func (x *label) natural() fyne.Size {
	x.Refresh()
	return x.line.Natural()
}

// cut reports whether the text is shown with an ellipsis.
func (x *label) cut() bool { return x.line.Cut() }

// MinSize is as high as the text and as wide as an ellipsis.
func (x *label) MinSize() fyne.Size { return fyne.NewSize(8, x.line.MinSize().Height) }

func (x *label) Refresh() { x.line.Say(x.full, x.look.tone(x.tone)) }

func (x *label) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(x.line) }

// press is anything small that can be clicked: a word of the menu bar, an icon, a row. It reacts to the button going
// down, shows that it is hovered and may have a tooltip.
type press struct {
	widget.BaseWidget
	ui   *window
	tap  func()
	tips func() []string // nil for none
	on   func() bool     // nil is always
	over func()          // the pointer has come; nil for nothing

	back  *canvas.Rectangle
	icon  *canvas.Image
	res   fyne.Resource
	word  *label
	keys  *label // at the right, dim
	pad   float32
	wide  float32 // least width
	lit   bool    // drawn as chosen
	hover bool
}

func newPress(ui *window, word string, icon fyne.Resource, tap func()) *press {
	p := &press{ui: ui, tap: tap, pad: 7, res: icon, back: canvas.NewRectangle(color.Transparent)}
	p.back.CornerRadius = 5
	if word != "" {
		p.word = newLabel(ui.look, word, 12.5, dim, scene.Sans)
	}
	if icon != nil {
		p.icon = canvas.NewImageFromResource(tinted{icon, ui.look.Dim})
		p.icon.FillMode = canvas.ImageFillContain
	}
	p.ExtendBaseWidget(p)
	return p
}

// enabled reports whether a click would do something.
func (p *press) enabled() bool { return p.on == nil || p.on() }

func (p *press) MouseDown(ev *desktop.MouseEvent) {
	if ev.Button == desktop.MouseButtonPrimary && p.enabled() {
		p.ui.stage.Tips().Drop(p)
		p.tap()
	}
}
func (p *press) MouseUp(*desktop.MouseEvent) {}

func (p *press) MouseIn(ev *desktop.MouseEvent) {
	p.hover = true
	p.Refresh()
	if p.over != nil {
		p.over()
	}
	if p.tips != nil {
		p.ui.stage.Tips().Say(p, p.tips(), ev.AbsolutePosition)
	}
}
func (p *press) MouseMoved(*desktop.MouseEvent) {}
func (p *press) MouseOut() {
	p.hover = false
	p.Refresh()
	p.ui.stage.Tips().Drop(p)
}

func (p *press) MinSize() fyne.Size {
	w, h := 2*p.pad, float32(22)
	if p.icon != nil {
		w += 15
	}
	if p.word != nil {
		w += p.word.natural().Width
	}
	if p.keys != nil {
		w += p.keys.natural().Width + 18
	}
	return fyne.NewSize(max(w, p.wide), h)
}

func (p *press) CreateRenderer() fyne.WidgetRenderer { return renderer{p} }

func (p *press) layOut(s fyne.Size) {
	p.back.Resize(s)
	x, right := p.pad, s.Width-p.pad
	if p.icon != nil {
		p.icon.Resize(fyne.NewSize(15, 15))
		p.icon.Move(fyne.NewPos(x, (s.Height-15)/2))
		x += 15 + 6
	}
	if p.keys != nil {
		n := p.keys.natural()
		if p.word != nil { // what the line is comes before what is said of it
			n.Width = min(n.Width, max(0, right-x-12-min(p.word.natural().Width, 0.6*(right-x))))
		}
		p.keys.Resize(n)
		p.keys.Move(fyne.NewPos(right-n.Width, (s.Height-n.Height)/2))
		right -= n.Width + 12
	}
	if p.word != nil {
		h := p.word.natural().Height
		p.word.Resize(fyne.NewSize(max(0, right-x), h))
		p.word.Move(fyne.NewPos(x, (s.Height-h)/2))
	}
}

func (p *press) update() {
	l := p.ui.look
	on := p.enabled()
	p.back.FillColor = color.Transparent
	switch {
	case p.lit:
		p.back.FillColor = l.Raised()
	case p.hover && on:
		p.back.FillColor = l.Raised()
	}
	p.back.Refresh()
	if p.word != nil {
		t := dim
		switch {
		case !on:
			t = faint
		case p.hover || p.lit:
			t = plain
		}
		p.word.tone = t
		p.word.Refresh()
	}
	if p.icon != nil {
		c := l.Dim
		switch {
		case !on:
			c = l.Faint
		case p.hover || p.lit:
			c = l.Text
		}
		p.icon.Resource = tinted{p.res, c}
		p.icon.Refresh()
	}
	if p.keys != nil {
		p.keys.Refresh()
	}
	p.layOut(p.Size())
}

func (p *press) parts() []fyne.CanvasObject {
	out := []fyne.CanvasObject{p.back}
	if p.icon != nil {
		out = append(out, p.icon)
	}
	if p.word != nil {
		out = append(out, p.word)
	}
	if p.keys != nil {
		out = append(out, p.keys)
	}
	return out
}
