package recording

import (
	"fmt"
	"strings"

	"orrery/app/panes"
	"orrery/app/session"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/rings"
	"orrery/views/scene"
)

// cacheView is the data glyphs on cache rings at the time cursor.
type cacheView struct {
	panes.Base
	d       *Document
	shown   cacheChoices
	masked  *panes.Lazy[masking, []bool]
	aside   *panes.Lazy[masking, []bool] // of the code that is selected
	beyond  *panes.Lazy[masking, []bool] // of the baseline
	filters map[string]*session.CacheFilter
	code    session.CacheFilter // which that is
	camera  camera
	moved   scene.Point // the camera's shift when the drag began
	grab    bool        // the drag moves the picture

	frames    session.Frames
	story     story
	baselines *panes.Lazy[challenge, *baseline]
	beside    []string // recordings of the same folder
}

func newCacheView(d *Document, b panes.Base) *cacheView {
	v := &cacheView{Base: b, d: d, shown: firstChoices(), camera: camera{zoom: 1},
		filters: map[string]*session.CacheFilter{}}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption, Controls: v.controls, Press: v.press, Drag: v.drag,
		Wheel: func(e pane.Event, _, dy float64) { v.Zoom(e, wheelFactor(dy)) },
		Hover: func(e pane.Event) link.Thing { return v.hit(e).Thing }, Tip: v.tip}
	v.masked, v.aside, v.beyond = newMask(d, "filter"), newMask(d, "touched"), newMask(d, "filter beside")
	v.baselines = newBaselines(v)
	return v
}

func (v *cacheView) caption() string {
	config := v.d.hierarchy
	var levels []string
	for i := config.Entry(traceio.Load); i >= 0 && i < len(config.Levels); i = config.Next(i) {
		l := config.Levels[i]
		levels = append(levels, fmt.Sprintf("%s %d × %d × %s", l.Name, l.Sets(), l.Ways, l.Block))
	}
	if n := v.d.link.State().Stride; n > 1 {
		levels = append(levels, fmt.Sprintf("time-lapse ×%d", n))
	}
	if !v.shown.against.nothing() {
		levels = append(levels, "against "+v.shown.against.title())
	}
	if !v.shown.filter.All() {
		levels = append(levels, "only "+v.shown.filter.String())
	}
	return strings.Join(append(levels, fmt.Sprintf("tail %d", v.shown.tail)), " · ")
}

// look is what the user chose, for a frame of the document's caches.
func (v *cacheView) look() session.CacheLook {
	c := &v.shown
	return session.CacheLook{Tail: c.tail, Speed: v.d.link.State().Stride, Mean: c.mean, Weights: c.weights,
		Core: c.core, Regions: c.hidden,
		Hidden: v.mask(v.masked, v.d.caches(), c.filter)}
}

// frame is the state of the picture at the present; tools is the corner that the chips take of it.
func (v *cacheView) frame(theme palette.Theme, tools scene.Rect) rings.State {
	l := v.d.link.State()
	s, err := v.frames.Frame(v.d.caches(), v.look(), theme, l.Cursor, l.Part)
	s.Hover, s.Selected = l.Hover.AsMemory(), l.Selected.AsMemory()
	s.Aside = v.mask(v.aside, v.d.caches(), v.code)
	s.Zoom, s.Pan = v.camera.zoom, scene.Point{X: v.camera.panX, Y: v.camera.panY}
	s.Tools = tools
	s.Caption = v.pending()
	if err != nil {
		s.Caption = err.Error()
	}
	return s
}

// simulating says how far the chosen hierarchy is while no other is shown, and what to do when it will not be.
func (v *cacheView) simulating() string {
	doing := "Simulating " + v.d.hierarchy.Name
	switch {
	case v.d.simulated.Err() != nil:
		return doing + " failed: " + v.d.simulated.Err().Error() + ". Press F5 to try again, or choose another hierarchy."
	case v.d.set.Stopped():
		return doing + " " + goOn
	}
	return doing + " …"
}

// pending says what of the choices is not in the picture yet, and how to go on when it was cancelled; "" when all is.
func (v *cacheView) pending() string {
	doing := ""
	switch c := &v.shown; {
	case v.d.simulated.Err() != nil:
		return "Simulating " + v.d.hierarchy.Name + " failed; F5 tries again"
	case v.d.caches().Grain != c.grain:
		doing = "Dividing memory into glyphs"
	case !c.filter.All() && !v.masked.Has(v.masking(v.d.caches(), c.filter)):
		doing = "Looking for " + c.filter.String()
	case !v.d.rec.Live() && v.d.link.State().Cursor >= v.d.caches().Of.Extent(): // of a file of which more is indexed now
		doing = "Simulating " + v.d.hierarchy.Name
	default:
		return ""
	}
	if v.d.set.Stopped() {
		return doing + " " + goOn
	}
	return doing + " …"
}

func (v *cacheView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	if none := v.d.lacking(); none != "" {
		return message(size, theme, none)
	}
	if v.d.caches() == nil {
		return message(size, theme, v.simulating())
	}
	var d scene.Drawing
	if v.compares(size) {
		d = v.drawBoth(size, theme)
	} else {
		d = rings.Scene(v.frame(theme, v.tools(theme, size)), size)
	}
	return d
}

func (v *cacheView) hit(e pane.Event) rings.Target {
	t, isBaseline := v.under(e)
	if isBaseline {
		t.Thing, t.Level = v.baselineThing(t.Thing), -1
		if v.baseline().file != nil {
			t.Legend, t.Low, t.High = nil, 0, 0
		}
	}
	return t
}

// under is what lies under the pointer in the picture there, and whether that is the other run's.
func (v *cacheView) under(e pane.Event) (t rings.Target, isBaseline bool) {
	none := rings.Target{Item: -1, Level: -1}
	if v.d.caches() == nil {
		return none, false
	}
	inner, isBaseline, ok := v.where(e)
	switch {
	case !ok:
		return none, false
	case isBaseline:
		return rings.Hit(v.baselineFrame(e.Theme, v.tools(e.Theme, e.Size)), inner.Size, inner.At), true
	}
	return rings.Hit(v.frame(e.Theme, v.tools(e.Theme, e.Size)), inner.Size, inner.At), false
}

func (v *cacheView) tip(e pane.Event) []string {
	if _, _, told := v.halves(e.Size); v.compares(e.Size) && v.baseline() != nil && told.Contains(e.At) {
		return v.told()
	}
	t, isBaseline := v.under(e)
	if t.High > t.Low {
		caches, at := v.d.caches(), v.d.link.State().Cursor
		if isBaseline {
			caches, at = v.baseline().caches, v.baseline().at(caches, min(at, caches.Len()))
		}
		return append(t.Lines, v.story.lines(v.d, caches, at, t.Low, t.High)...)
	}
	if t.Level >= 0 && !isBaseline {
		w := v.weights()[t.Level]
		return append(t.Lines, fmt.Sprintf("a hit counts %+g, a miss %+g", w.Hit, w.Miss),
			"click changes the miss, Shift and click the hit")
	}
	return t.Lines
}

// press selects what lies under the pointer: of the heap the block, else the bytes. On the legend it hides or shows
// regions, with Shift all others; on a temperature it changes the weight of a miss, with Shift that of a hit. Beside
// everything it begins to move the picture.
func (v *cacheView) press(e pane.Event) {
	v.grab = false
	t := v.hit(e)
	switch {
	case t.Legend != nil && e.Mods.Shift:
		v.isolate(t.Legend)
	case t.Legend != nil:
		v.toggle(t.Legend)
	case t.Level >= 0:
		v.weigh(t.Level, e.Mods.Shift)
	default:
		v.grab = t.High == t.Low && v.camera.zoom > 1
		v.moved = scene.Point{X: v.camera.panX, Y: v.camera.panY}
		v.d.link.Select(v.thing(t), "cache")
	}
}

// thing is what a press on a target selects.
func (v *cacheView) thing(t rings.Target) link.Thing {
	if t.High > t.Low {
		if block, ok := v.d.block(t.Low); ok {
			return block
		}
	}
	return t.Thing
}

// block is the heap block that has an address now.
func (d *Document) block(a traceio.Addr) (link.Thing, bool) {
	_, id := d.rec.Regions.Locate(a, d.link.State().Cursor)
	if id < 0 {
		return link.Thing{}, false
	}
	b := d.rec.Heap.Block(id)
	return link.OfBlock(id, b.Low, b.High()), true
}

// drag moves a picture that is larger than the pane.
func (v *cacheView) drag(e pane.Event, from scene.Point) {
	if v.grab {
		v.camera.panX, v.camera.panY = v.moved.X+e.At.X-from.X, v.moved.Y+e.At.Y-from.Y
		v.Redraw()
	}
}

// tools is the corner that the chips take of the picture; of two pictures both leave it, so that they are alike.
func (v *cacheView) tools(theme palette.Theme, size scene.Size) scene.Rect {
	box := toolBox(v.controls(size, theme))
	if v.compares(size) {
		_, right, _ := v.halves(size)
		box = scene.R(box.Min.X-right.Min.X, box.Min.Y-right.Min.Y, box.W(), box.H())
	}
	return box
}

func (v *cacheView) Zoom(e pane.Event, factor float64) {
	inner, _, _ := v.where(e)
	c := rings.Middle(inner.Size, v.tools(e.Theme, e.Size))
	v.camera.about(inner.At.X-c.X, inner.At.Y-c.Y, factor)
	if v.camera.zoom <= 1 {
		v.camera = camera{zoom: 1}
	}
	v.Redraw()
}

func (v *cacheView) Pan(dx, dy float64) {
	if v.camera.zoom > 1 {
		v.camera.panX -= dx * 400
		v.camera.panY -= dy * 400
		v.Redraw()
	}
}

func (v *cacheView) Fit() {
	v.camera = camera{zoom: 1}
	v.Redraw()
}

func (v *cacheView) DoubleTapped(pane.Event) { v.Fit() }

// story keeps what was told of some bytes last: the pointer rests on them for many frames.
type story struct {
	caches    *session.Caches
	low, high traceio.Addr
	at        traceio.Seq
	told      []string
}

func (s *story) lines(d *Document, caches *session.Caches, at traceio.Seq, low, high traceio.Addr) []string {
	if s.caches != caches || s.low != low || s.high != high || s.at != at {
		*s = story{caches: caches, low: low, high: high, at: at}
		if t, err := caches.Story(low, high, at); err == nil {
			s.told = append(t.Residency(), caches.Of.History(&t)...)
		}
		if b, ok := d.block(low); ok && caches.Of == d.rec {
			s.told = append(s.told, fmt.Sprintf("block #%d, %d bytes", b.ID, b.High-b.Low))
		}
	}
	return s.told
}

// message is a picture that only says something.
func message(size scene.Size, theme palette.Theme, text string) scene.Drawing {
	d := scene.Drawing{Size: size, Background: theme.Panel}
	lines := scene.Wrap(scene.Sans, 13, text, min(440, size.W-40))
	y := size.H/2 - float64(len(lines)-1)*10
	for _, line := range lines {
		d.Add(scene.Text{At: scene.Point{X: size.W / 2, Y: y}, Size: 13, Color: theme.Dim, Align: 0.5, S: line})
		y += 20
	}
	return d
}
