package pane

import (
	"image/color"
	"math"
	"slices"

	"orrery/views/palette"
	"orrery/views/scene"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Tips is the tooltip overlay of a window: a small panel beside the pointer, never over it and never outside the
// window. It does not catch the pointer.
type Tips struct {
	widget.BaseWidget

	theme  palette.Theme
	canvas fyne.Canvas // of the window; nil before it has one
	owner  any         // the pane (or other widget) that the shown tip belongs to, nil for none
	lines  []string
	box    *canvas.Rectangle
	texts  []*Line
	ring   *canvas.Circle // where the keyboard's pointer is
}

func newTips(t palette.Theme) *Tips {
	tips := &Tips{theme: t, box: canvas.NewRectangle(t.Background)}
	tips.box.CornerRadius, tips.box.StrokeWidth = 5, 1
	tips.box.Hide()
	tips.ring = canvas.NewCircle(color.Transparent)
	tips.ring.StrokeWidth = 2
	tips.ring.Hide()
	tips.ExtendBaseWidget(tips)
	return tips
}

// Sizes of the tooltip in units.
const (
	tipText = 11.5
	tipPadX = 9
	tipPadY = 6
	tipLine = 16
	tipAway = 14 // from the pointer
)

// On says which canvas the overlay lies on, and with it the panes whose tips it shows.
func (t *Tips) On(c fyne.Canvas) { t.canvas = c }

// Say shows a tip for a widget of the window's chrome; the same owner must Drop it.
func (t *Tips) Say(owner any, lines []string, at fyne.Position) { t.show(owner, lines, at) }

// Drop takes the owner's tip away, if it is the one shown.
func (t *Tips) Drop(owner any) {
	if t.owner == owner {
		t.hide()
	}
}

// ringSize is the diameter of the ring around the keyboard's pointer.
const ringSize = 14

// Ring shows where the keyboard's pointer is, until the mouse moves.
func (t *Tips) Ring(at fyne.Position) {
	t.ring.StrokeColor = t.theme.Accent
	t.ring.Resize(fyne.NewSquareSize(ringSize))
	t.ring.Move(at.SubtractXY(ringSize/2, ringSize/2))
	t.ring.Show()
	t.ring.Refresh()
	canvas.Refresh(t)
}

// unring takes the ring away.
func (t *Tips) unring() {
	if t.ring.Visible() {
		t.ring.Hide()
		canvas.Refresh(t)
	}
}

// Clear takes any tip and the ring away: something has come over what they were about, or it is elsewhere now.
func (t *Tips) Clear() {
	t.hide()
	t.unring()
}

// Lines is what is shown now; nil for nothing.
func (t *Tips) Lines() []string { return t.lines }

func (t *Tips) setTheme(theme palette.Theme) {
	t.theme = theme
	if t.lines != nil {
		lines := t.lines
		t.lines = nil
		t.show(t.owner, lines, t.box.Position())
	}
}

func (t *Tips) hide() {
	if t.owner == nil {
		return
	}
	t.owner, t.lines = nil, nil
	t.box.Hide()
	for _, x := range t.texts {
		x.Hide()
	}
	canvas.Refresh(t)
}

// show places the lines beside a point of the window.
func (t *Tips) show(owner any, lines []string, at fyne.Position) {
	t.owner = owner
	if !slices.Equal(lines, t.lines) {
		t.lines = slices.Clone(lines)
		t.fill()
	}
	w, h := float32(0), float32(len(lines))*tipLine+2*tipPadY
	for _, x := range t.texts[:len(lines)] {
		w = max(w, x.Natural().Width+2*tipPadX)
	}
	w = float32(math.Ceil(float64(w)))
	room := t.Size()
	x, y := at.X+tipAway, at.Y+tipAway
	if x+w > room.Width-4 {
		x = max(4, at.X-tipAway-w)
	}
	if y+h > room.Height-4 {
		y = max(4, at.Y-tipAway-h)
	}
	t.box.Resize(fyne.NewSize(w, h))
	t.box.Move(fyne.NewPos(x, y))
	for i, s := range t.texts[:len(lines)] {
		s.Resize(fyne.NewSize(w-2*tipPadX, tipLine))
		s.Move(fyne.NewPos(x+tipPadX, y+tipPadY+float32(i)*tipLine))
	}
}

// fill gives the text objects their lines: the first bright, the others dim.
func (t *Tips) fill() {
	t.box.FillColor, t.box.StrokeColor = palette.Alpha(t.theme.Background, 0.96), t.theme.Line
	t.box.Show()
	t.box.Refresh()
	for len(t.texts) < len(t.lines) {
		t.texts = append(t.texts, NewLine(scene.Sans, tipText))
	}
	for i, x := range t.texts {
		if i >= len(t.lines) {
			x.Hide()
			continue
		}
		ink := t.theme.Dim
		if i == 0 {
			ink = t.theme.Text
		}
		x.Show()
		x.Say(t.lines[i], ink)
	}
	t.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (t *Tips) CreateRenderer() fyne.WidgetRenderer { return &tipsRenderer{t} }

// MinSize leaves the window's size alone.
func (t *Tips) MinSize() fyne.Size { return fyne.NewSize(0, 0) }

type tipsRenderer struct{ t *Tips }

func (r *tipsRenderer) Layout(fyne.Size)   {}
func (r *tipsRenderer) MinSize() fyne.Size { return fyne.NewSize(0, 0) }
func (r *tipsRenderer) Refresh()           { canvas.Refresh(r.t) }
func (r *tipsRenderer) Destroy()           {}
func (r *tipsRenderer) Objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{r.t.ring, r.t.box}
	for _, x := range r.t.texts {
		out = append(out, x)
	}
	return out
}
