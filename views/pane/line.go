package pane

import (
	"image"
	"image/color"
	"math"

	"orrery/views/raster"
	"orrery/views/scene"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Line is one line of text among Fyne's objects, in the middle of its height, drawn as the panes draw theirs:
// Fyne itself takes a millisecond or two of the interface's thread for every text that it has not drawn before,
// and a caption that tells where the cursor is has a new one in every frame. A text of which our typefaces lack a
// character is left to Fyne after all, since it can look for it in those of the system.
type Line struct {
	widget.BaseWidget
	face    scene.Face
	size    float64
	align   float64
	text    string
	ink     color.NRGBA
	raster  *canvas.Raster
	scale   float64      // device pixels for each unit
	foreign *canvas.Text // Fyne's own, for what our typefaces lack
}

// NewLine is an empty line in a typeface, size units high.
func NewLine(face scene.Face, size float64) *Line {
	l := &Line{face: face, size: size, scale: 1, foreign: canvas.NewText("", color.Transparent)}
	l.raster = canvas.NewRaster(l.generate)
	l.raster.ScaleMode = canvas.ImageScalePixels
	l.foreign.TextSize, l.foreign.TextStyle = float32(size), fyne.TextStyle{Bold: face == scene.Bold,
		Monospace: face == scene.Mono}
	l.foreign.Hide()
	l.ExtendBaseWidget(l)
	return l
}

// Say changes the text and its colour.
func (l *Line) Say(text string, ink color.NRGBA) {
	if text != l.text || ink != l.ink {
		l.text, l.ink = text, ink
		l.Refresh()
	}
}

// Align says how much of the room that the text leaves lies before it, 0 (as it is without) to 1.
func (l *Line) Align(share float64) {
	if share != l.align {
		l.align = share
		l.Refresh()
	}
}

// Text is what the line says.
func (l *Line) Text() string { return l.text }

// Natural is the size at which nothing is cut.
func (l *Line) Natural() fyne.Size {
	return fyne.NewSize(l.measure(l.text), float32(scene.LineHeight(l.face, l.size)))
}

// Cut reports whether the text is shown with an ellipsis.
func (l *Line) Cut() bool { return l.measure(l.text) > l.Size().Width+slack }

// slack is by how much a text may be wider than its room before it is cut: Fyne counts in single precision.
const slack = 0.1

// ours reports whether our typefaces have all of the text.
func (l *Line) ours() bool { return scene.Has(l.face, l.text) }

func (l *Line) measure(s string) float32 {
	if l.ours() {
		return float32(scene.Measure(l.face, l.size, s))
	}
	return fyne.MeasureText(s, l.foreign.TextSize, l.foreign.TextStyle).Width
}

// generate draws the text on nothing, as many device pixels as Fyne asks for. The picture is not kept:
// Fyne copies it, and holds every object of a closed document for a minute longer.
func (l *Line) generate(w, h int) image.Image {
	if c := fyne.CurrentApp().Driver().CanvasForObject(l); c != nil && float64(c.Scale()) != l.scale {
		l.scale = float64(c.Scale())
		l.place(l.Size())
	}
	size := scene.Size{W: float64(w) / l.scale, H: float64(h) / l.scale, Scale: l.scale}
	d := scene.Drawing{Size: size}
	d.Add(scene.Text{At: scene.Point{X: l.align * size.W, Y: size.H/2 + scene.Middle(l.face, l.size)},
		Face: l.face, Size: l.size,
		Color: l.ink, Align: l.align, Max: size.W + slack, S: l.text})
	return raster.Render(d, l.scale, nil)
}

// place gives the picture whole device pixels: of others Fyne stretches what it has been given.
func (l *Line) place(room fyne.Size) {
	whole := func(v float32) float32 { return float32(math.Ceil(float64(v)*l.scale-slack) / l.scale) }
	l.raster.Resize(fyne.NewSize(whole(room.Width), whole(room.Height)))
}

// MinSize leaves the size to what the line is part of.
func (l *Line) MinSize() fyne.Size { return fyne.NewSize(0, float32(scene.LineHeight(l.face, l.size))) }

// CreateRenderer implements fyne.Widget.
func (l *Line) CreateRenderer() fyne.WidgetRenderer { return &lineRenderer{l} }

type lineRenderer struct{ l *Line }

func (r *lineRenderer) Layout(s fyne.Size) {
	l := r.l
	l.place(s)
	if l.foreign.Visible() {
		r.leave(s)
	}
}

// leave gives Fyne the text, as much of it as fits.
func (r *lineRenderer) leave(room fyne.Size) {
	l := r.l
	runes := []rune(l.text)
	shown := l.text
	for n := len(runes); n > 0 && l.measure(shown) > room.Width+slack; n-- {
		shown = string(runes[:n-1]) + "…"
	}
	l.foreign.Text, l.foreign.Color = shown, l.ink
	free := max(0, room.Width-l.measure(shown))
	l.foreign.Move(fyne.NewPos(free*float32(l.align), 0))
	l.foreign.Resize(fyne.NewSize(room.Width, room.Height))
	l.foreign.Refresh()
}

func (r *lineRenderer) Refresh() {
	l := r.l
	if l.ours() {
		l.foreign.Hide()
		l.raster.Show()
		l.raster.Refresh()
		return
	}
	l.raster.Hide()
	l.foreign.Show()
	r.leave(l.Size())
}

func (r *lineRenderer) MinSize() fyne.Size { return r.l.MinSize() }
func (r *lineRenderer) Destroy()           {}
func (r *lineRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.l.raster, r.l.foreign}
}
