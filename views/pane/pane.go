package pane

import (
	"image"
	"image/draw"
	"math"
	"slices"

	"orrery/views/scene"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Pane is the widget. It never takes the keyboard focus, so that the window's own keys work everywhere; the stage's
// active pane answers them.
type Pane struct {
	widget.BaseWidget

	stage   *Stage
	content Content
	raster  *canvas.Raster
	tips    *Tips // nil for the stage's own

	front, spare    *image.RGBA // shown; being written or free
	blank           *image.RGBA
	pixW, pixH      int // of the picture: device pixels, divided by coarse
	coarse          float64
	dirty           bool
	pictures, shown int // pictures so far, and which of them Fyne has

	at      scene.Point   // of the pointer
	origin  fyne.Position // of the pane in its window, as of the pointer's last word
	inside  bool
	button  Button
	pressed bool
	from    scene.Point // of the press
	wheel   scene.Point // notches since the last frame
}

// Add puts a new pane with the given content on the stage.
func (s *Stage) Add(c Content) *Pane {
	p := &Pane{stage: s, content: c, dirty: true}
	p.newRaster()
	p.ExtendBaseWidget(p)
	s.panes = append(s.panes, p)
	return p
}

// newRaster makes the object that carries the pane's picture.
func (p *Pane) newRaster() {
	p.raster = canvas.NewRaster(p.generate)
	p.raster.ScaleMode = canvas.ImageScalePixels
}

// Content is what the pane shows.
func (p *Pane) Content() Content { return p.content }

// CreateRenderer implements fyne.Widget.
func (p *Pane) CreateRenderer() fyne.WidgetRenderer { return paneRenderer{p} }

// paneRenderer shows the raster that the pane has now.
type paneRenderer struct{ p *Pane }

func (r paneRenderer) Layout(z fyne.Size)           { r.p.raster.Resize(z) }
func (r paneRenderer) MinSize() fyne.Size           { return r.p.MinSize() }
func (r paneRenderer) Refresh()                     { r.p.Refresh() }
func (r paneRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.p.raster} }
func (r paneRenderer) Destroy()                     {}

// MinSize is small: the docks decide.
func (p *Pane) MinSize() fyne.Size { return fyne.NewSize(16, 16) }

// Show makes the pane take part in redraws.
func (p *Pane) Show() {
	if p.Visible() {
		return
	}
	p.BaseWidget.Show()
	if p.dirty {
		p.stage.Invalidate(p)
	} else if p.shown != p.pictures {
		p.stage.refresh(p)
	}
}

// Hide lets the pane sleep; changes are drawn when it is shown again.
func (p *Pane) Hide() {
	p.BaseWidget.Hide()
	p.spare = nil
	p.stage.forget(p)
	p.overlay().Drop(p)
}

// MoveTo says that the pane moves to another window: that which t lies over, where the pane's tooltips are shown from
// now on, or nil for the stage's own. The picture gets a new object to carry it, since Fyne keeps redrawing the
// window that it first saw an object in. An overlay that no pane uses is dropped.
func (p *Pane) MoveTo(t *Tips) {
	p.overlay().Drop(p)
	was := p.tips
	p.tips = t
	size := p.raster.Size()
	p.newRaster()
	p.raster.Resize(size)
	if s := p.stage; was != nil && was != t && !slices.ContainsFunc(s.panes, func(q *Pane) bool { return q.tips == was }) {
		s.others = slices.DeleteFunc(s.others, func(o *Tips) bool { return o == was })
	}
}

// overlay is where the pane's tooltips are shown.
func (p *Pane) overlay() *Tips {
	if p.tips != nil {
		return p.tips
	}
	return p.stage.tips
}

// Refresh draws the pane again.
func (p *Pane) Refresh() { p.stage.Invalidate(p) }

// mostPixels is how many pixels the pictures of a window have together, or a few more: those of a screen of 8K. A
// window that is larger than any screen gets coarser ones.
const mostPixels = 7680 * 4320

// coarseness is how many device pixels there are for one of the picture, in each direction.
func (p *Pane) coarseness() float64 {
	c := p.overlay().canvas
	if c == nil {
		return 1
	}
	z, scale := c.Size(), float64(c.Scale())
	return math.Max(1, math.Sqrt(float64(z.Width)*scale*float64(z.Height)*scale/mostPixels))
}

// generate is called by Fyne's painter when the texture is needed; w and h are device pixels. A picture of
// another size is stretched.
func (p *Pane) generate(w, h int) image.Image {
	if w <= 0 || h <= 0 {
		p.pixW, p.pixH = w, h
		return image.NewRGBA(image.Rect(0, 0, 1, 1))
	}
	p.coarse = p.coarseness()
	w, h = max(1, int(float64(w)/p.coarse)), max(1, int(float64(h)/p.coarse))
	if w != p.pixW || h != p.pixH {
		p.pixW, p.pixH = w, h
		p.dirty = true
	}
	if p.dirty || p.stage.flight != nil {
		p.stage.flush()
	}
	p.shown = p.pictures
	p.stage.arrived()
	if p.front == nil {
		return p.empty(w, h)
	}
	p.blank = nil
	return p.front
}

// empty is the panel's colour, until the first picture is ready.
func (p *Pane) empty(w, h int) image.Image {
	if p.blank == nil || p.blank.Rect.Dx() != w || p.blank.Rect.Dy() != h {
		p.blank = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	draw.Draw(p.blank, p.blank.Rect, image.NewUniform(p.stage.theme.Panel), image.Point{}, draw.Src)
	return p.blank
}

// sceneSize is the pane's size in units and the device pixels for each.
func (p *Pane) sceneSize() scene.Size {
	scale := 1.0
	if w := float64(p.Size().Width); w > 0 && p.pixW > 0 {
		if c := p.overlay().canvas; c != nil {
			scale = float64(c.Scale()) / p.coarse
		} else {
			scale = float64(p.pixW) / w
		}
	}
	// whole device pixels: what is drawn fills the texture exactly
	return scene.Size{W: float64(p.pixW) / scale, H: float64(p.pixH) / scale, Scale: scale}
}

func (p *Pane) event(at scene.Point, b Button) Event {
	e := Event{At: at, Size: p.sceneSize(), Button: b, Theme: p.stage.theme}
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		e.Mods = mods(d.CurrentKeyModifiers())
	}
	return e
}

// Pointer is an event at the pointer if it is over the pane, else at the middle: what keyboard commands are about.
func (p *Pane) Pointer() Event {
	if p.inside {
		return p.event(p.at, Primary)
	}
	z := p.sceneSize()
	return p.event(scene.Point{X: z.W / 2, Y: z.H / 2}, Primary)
}

// tip asks the content what lies under the pointer and shows it.
func (p *Pane) tip() {
	t, ok := p.content.(Tipper)
	if !ok || !p.inside || p.pressed {
		return
	}
	lines := t.Tip(p.event(p.at, Primary))
	if len(lines) == 0 {
		p.overlay().hide()
		return
	}
	p.overlay().show(p, lines, p.origin.AddXY(float32(p.at.X), float32(p.at.Y)))
}
