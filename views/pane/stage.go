package pane

import (
	"image"
	"slices"
	"sync"
	"time"

	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/raster"
	"orrery/views/scene"

	"fyne.io/fyne/v2"
)

// Frame is what one redraw of a pane cost: Draw is the time of Content.Draw on the interface's goroutine, Raster
// that of making pixels beside it. Late says that the pixels missed the frame that asked for them.
type Frame struct {
	Draw, Raster time.Duration
	Late         bool
}

// budget is how long a repaint waits for pixels: what a frame of 60 Hz leaves after drawing, upload and composition.
// Pixels that take longer are shown a frame later, all panes together.
const budget = 11 * time.Millisecond

// Stage holds the panes of one window and draws all that are dirty for the same frame.
type Stage struct {
	// Drawn hears of every finished redraw, on the interface's goroutine.
	Drawn func(p *Pane, f Frame)
	// Pointed hears which pane the pointer has come to or pressed in.
	Pointed func(p *Pane)

	theme    palette.Theme
	panes    []*Pane
	tips     *Tips
	others   []*Tips // of further windows
	active   *Pane
	flight   *batch
	pending  pendingMotion
	retry    retry
	dispatch func(func())
	render   func(scene.Drawing, float64, *image.RGBA) *image.RGBA
	refresh  func(*Pane) // has Fyne ask for a pane's picture
}

// batch is one set of panes being turned into pixels.
type batch struct {
	items []*item
	done  chan struct{}
	late  bool
}

type item struct {
	pane    *Pane
	drawing scene.Drawing
	pixels  *image.RGBA
	frame   Frame
}

// NewStage is a stage without panes. dispatch runs a function on the interface's goroutine later (fyne.Do).
func NewStage(theme palette.Theme, dispatch func(func())) *Stage {
	return &Stage{
		theme:    theme,
		tips:     newTips(theme),
		pending:  pendingMotion{begin: frameClock},
		retry:    retry{after: time.AfterFunc},
		dispatch: dispatch,
		render:   raster.Render,
		refresh:  refresh,
	}
}

// refresh has Fyne ask for a pane's picture. It goes to the canvas itself: Raster.Refresh looks in a table on which
// canvas the raster lies, from which Fyne drops what was not looked for in a minute, and then does nothing.
func refresh(p *Pane) {
	if c := p.overlay().canvas; c != nil {
		c.Refresh(p.raster)
	}
}

// Tips is the overlay that shows tooltips; it belongs on top of the window's content.
func (s *Stage) Tips() *Tips { return s.tips }

// NewTips is the overlay of a further window, for panes that are shown there; see Pane.MoveTo.
func (s *Stage) NewTips(c fyne.Canvas) *Tips {
	t := newTips(s.theme)
	t.canvas = c
	s.others = append(s.others, t)
	return t
}

// Theme is the present theme.
func (s *Stage) Theme() palette.Theme { return s.theme }

// SetTheme redraws everything in other colours.
func (s *Stage) SetTheme(t palette.Theme) {
	s.theme = t
	for _, tips := range slices.Concat(s.others, []*Tips{s.tips}) {
		tips.setTheme(t)
	}
	s.Invalidate()
}

// Remove takes a pane off the stage.
func (s *Stage) Remove(p *Pane) {
	s.panes = slices.DeleteFunc(s.panes, func(q *Pane) bool { return q == p })
	if s.active == p {
		s.active = nil
	}
	s.forget(p)
	p.MoveTo(nil)
	p.overlay().Drop(p)
	p.content, p.front, p.spare, p.blank = gone{}, nil, nil, nil // Fyne remembers widgets for a while
}

// gone is the content of a removed pane.
type gone struct{}

// Draw implements Content.
func (gone) Draw(size scene.Size, theme palette.Theme) scene.Drawing {
	return scene.Drawing{Size: size, Background: theme.Panel}
}

// Active is the pane that the keyboard means: the one under the pointer, or the last one that was; nil for none.
func (s *Stage) Active() *Pane { return s.active }

// Activate makes a pane the one that the keyboard means.
func (s *Stage) Activate(p *Pane) {
	if s.active == p {
		return
	}
	s.active = p
	if s.Pointed != nil {
		s.Pointed(p)
	}
}

// CloseLists closes what is open over the pictures of all panes but one, which may be nil, and reports whether anything
// was.
func (s *Stage) CloseLists(but *Pane) bool {
	any := false
	for _, p := range s.panes {
		if c, ok := p.content.(Closer); ok && p != but && c.CloseList() {
			s.Invalidate(p)
			any = true
		}
	}
	return any
}

// Invalidate marks panes (all of them when none is named) as changed. They are drawn at the next repaint; calling this
// many times before costs nothing more.
func (s *Stage) Invalidate(panes ...*Pane) {
	if len(panes) == 0 {
		panes = s.panes
	}
	for _, p := range panes {
		p.dirty = true
		if s.flight == nil && p.Visible() {
			s.refresh(p)
			s.expect()
		}
	}
}

// LinkChanged marks the panes whose picture depends on what has changed.
func (s *Stage) LinkChanged(old, now link.State) {
	for _, p := range s.panes {
		if c, ok := p.content.(Concerner); ok && !c.Concerns(old, now) {
			continue
		}
		s.Invalidate(p)
	}
}

// flush draws every visible dirty pane, starts their rasterising in parallel and waits for it as long as the frame's
// budget allows. It runs inside a repaint; a batch still under way is waited for first.
func (s *Stage) flush() {
	if s.flight != nil {
		s.await(s.flight, 0)
		if s.flight != nil {
			return
		}
	}
	b := &batch{done: make(chan struct{})}
	for _, p := range s.panes {
		if !p.dirty || !p.Visible() || p.pixW <= 0 || p.pixH <= 0 {
			continue
		}
		p.dirty = false
		start := time.Now()
		it := &item{pane: p, drawing: p.content.Draw(p.sceneSize(), s.theme)}
		it.frame.Draw = time.Since(start)
		b.items = append(b.items, it)
	}
	if len(b.items) == 0 {
		return
	}
	s.flight = b
	var all sync.WaitGroup
	for _, it := range b.items {
		spare := it.pane.spare
		it.pane.spare = nil
		scale := it.drawing.Size.Scale
		w, h := it.pane.pixW, it.pane.pixH
		all.Add(1)
		go func() {
			defer all.Done()
			start := time.Now()
			it.pixels = exact(s.render(it.drawing, scale, spare), w, h)
			it.frame.Raster = time.Since(start)
		}()
	}
	go func() { all.Wait(); close(b.done) }()
	s.await(b, budget)
}

// await takes the batch's pixels if they are ready within the time given, else arranges that they are taken later.
func (s *Stage) await(b *batch, patience time.Duration) {
	if patience > 0 {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case <-b.done:
		case <-timer.C:
		}
	}
	select {
	case <-b.done:
		s.take(b)
	default:
		if b.late {
			return
		}
		b.late = true
		go func() {
			<-b.done
			s.dispatch(func() {
				if s.flight == b { // else a repaint was faster
					s.take(b)
				}
				// That repaint may have shown old pixels of these panes, and may have drawn others that changed while
				// the batch was under way: Fyne has not been notified of those.
				for _, p := range s.panes {
					if (p.dirty || p.shown != p.pictures) && p.Visible() {
						s.refresh(p)
					}
				}
			})
		}()
	}
}

// take shows a finished batch.
func (s *Stage) take(b *batch) {
	s.flight = nil
	for _, it := range b.items {
		p := it.pane
		p.spare, p.front = p.front, it.pixels
		p.pictures++
		it.frame.Late = b.late
		if s.Drawn != nil {
			s.Drawn(p, it.frame)
		}
		p.restTip()
	}
}

// exact gives pixels of exactly w by h whose rows follow each other without a gap: the texture upload knows no stride.
func exact(m *image.RGBA, w, h int) *image.RGBA {
	if m.Rect == image.Rect(0, 0, w, h) && m.Stride == 4*w {
		return m
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range min(h, m.Rect.Dy()) {
		from := m.PixOffset(m.Rect.Min.X, m.Rect.Min.Y+y)
		copy(out.Pix[y*out.Stride:y*out.Stride+4*min(w, m.Rect.Dx())], m.Pix[from:])
	}
	return out
}

// mods translates Fyne's modifiers.
func mods(m fyne.KeyModifier) Mods {
	return Mods{Shift: m&fyne.KeyModifierShift != 0, Control: m&fyne.KeyModifierControl != 0,
		Alt: m&fyne.KeyModifierAlt != 0}
}
