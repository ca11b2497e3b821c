package recording

import (
	"context"
	"fmt"

	"orrery/app/panes"
	"orrery/app/session"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/curve"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/words"
)

// curveView is the miss ratio over the size of caches, with the levels of the present hierarchy and the load of their
// sets. What it shows is computed when it is looked at for the first time.
type curveView struct {
	panes.Base
	d     *Document
	shown curve.State // the user's choices and what is under the pointer

	preview  *panes.Lazy[curveKey, *session.MissCurve] // estimated
	exact    *panes.Lazy[curveKey, *session.MissCurve] // of full associativity
	ways     *panes.Lazy[waysKey, *session.MissCurve]
	pressure *panes.Lazy[*session.Caches, *session.Pressure]
	levels   []curve.Level // for
	of       *session.Caches
	with     *session.Pressure
}

// curveKey is what a curve depends on.
type curveKey struct {
	rec   *session.Recording
	block cachesim.Size
}

// waysKey is what the curve of associativities depends on.
type waysKey struct {
	rec   *session.Recording
	exact *session.MissCurve
}

func newCurveView(d *Document, b panes.Base) *curveView {
	v := &curveView{Base: b, d: d, shown: curve.State{Over: -1}}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	v.preview = panes.NewLazy(d.set, panes.Work[curveKey, *session.MissCurve]{Name: "curve preview", Quiet: true,
		Title: func(curveKey) string { return "estimating the miss curve" },
		Run: func(ctx context.Context, k curveKey, report func(done, total int64)) (*session.MissCurve, error) {
			return k.rec.PreviewCurve(ctx, k.block, report)
		}})
	v.exact = panes.NewLazy(d.set, panes.Work[curveKey, *session.MissCurve]{Name: "curve", Quiet: true,
		Title: func(curveKey) string { return "computing the miss curve" },
		Run: func(ctx context.Context, k curveKey, report func(done, total int64)) (*session.MissCurve, error) {
			return k.rec.FindMissCurve(ctx, k.block, report)
		}})
	v.ways = panes.NewLazy(d.set, panes.Work[waysKey, *session.MissCurve]{Name: "curve ways", Quiet: true,
		Title: func(waysKey) string { return "computing the miss curve of associativities" },
		Run: func(ctx context.Context, k waysKey, report func(done, total int64)) (*session.MissCurve, error) {
			return k.rec.FindWays(ctx, k.exact, report)
		}})
	v.pressure = panes.NewLazy(d.set, panes.Work[*session.Caches, *session.Pressure]{Name: "pressure", Quiet: true,
		Title: func(*session.Caches) string { return "counting by set" },
		Run: func(ctx context.Context, c *session.Caches, report func(done, total int64)) (*session.Pressure, error) {
			return c.Of.FindPressure(ctx, c.Config(), report)
		}})
	return v
}

// key is what the curve depends on now; false where there can be none.
func (v *curveView) key() (curveKey, bool) {
	d := v.d
	entry := d.hierarchy.Entry(traceio.Load)
	if d.rec.Live() || d.lacking() != "" || entry < 0 {
		return curveKey{}, false
	}
	return curveKey{d.rec, d.hierarchy.Levels[entry].Block}, true
}

// found is the best curve that is at hand, nil for none; partly says that a better one is to come.
func (v *curveView) found() (m *session.MissCurve, partly bool) {
	key, ok := v.key()
	if !ok {
		return nil, false
	}
	estimate, _ := v.preview.For(key)
	if exact, ok := v.exact.For(key); ok {
		if all, ok := v.ways.For(waysKey{key.rec, exact}); ok {
			return all, false
		}
		return exact, true
	}
	return estimate, true
}

func (v *curveView) caption() string {
	m, _ := v.found()
	if m == nil {
		return ""
	}
	kind := "exact"
	if m.Preview {
		kind = "preview"
	}
	return fmt.Sprintf("LRU · blocks of %s · %s", words.Bytes(uint64(m.Block)), kind)
}

func (v *curveView) state(theme palette.Theme) curve.State {
	d := v.d
	s, l := v.shown, d.link.State()
	s.Theme, s.Hover, s.Selected = theme, l.Hover, l.Selected
	m, partly := v.found()
	switch {
	case d.lacking() != "":
		s.Empty = d.lacking()
	case d.rec.Live():
		s.Empty = "The miss ratio of caches of every size will be here when the recorder is done."
	case v.exact.Err() != nil:
		s.Empty = v.exact.Say("")
	case v.exact.WasStopped():
		s.Empty = "The miss curve " + goOn
	default:
		s.Empty = "Computing the miss ratio of caches of every size …"
	}
	if m == nil {
		return s
	}
	s.Lines, s.Block, s.Preview = m.Lines, uint64(m.Block), m.Preview
	switch {
	case !partly || d.set.Stopped():
	case s.Preview:
		s.Note = "the exact curve is being computed"
	default:
		s.Note = "associativities are being computed"
	}
	s.Levels = v.marks()
	return s
}

// marks are the levels of the hierarchy on the curve, with the load of their sets where that is known.
func (v *curveView) marks() []curve.Level {
	c := v.d.caches()
	if c == nil || v.d.rec.Live() {
		return v.levels
	}
	if p, _ := v.pressure.For(c); v.of != c || v.with != p {
		levels, err := c.Of.CurveLevels(c, p)
		if err != nil {
			v.d.host.Failed(err.Error())
		}
		v.levels, v.of, v.with = levels, c, p
	}
	return v.levels
}

func (v *curveView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	return curve.Scene(v.state(theme), size)
}

func (v *curveView) hit(e pane.Event) curve.Target {
	return curve.Hit(v.state(e.Theme), e.Size, e.At)
}

func (v *curveView) Moved(e pane.Event) {
	t := v.hit(e)
	v.d.link.SetHover(t.Thing)
	if t.Bytes != v.shown.Pointer || t.Word != v.shown.Over {
		v.shown.Pointer, v.shown.Over = t.Bytes, t.Word
		v.Redraw()
	}
}

func (v *curveView) Left() {
	v.shown.Pointer, v.shown.Over = 0, -1
	v.d.link.SetHover(link.Thing{})
	v.Redraw()
}

func (v *curveView) Tip(e pane.Event) []string { return v.hit(e).Lines }

// Pressed selects a set, chooses a word, or offers a hierarchy with a level of the size that was pressed.
func (v *curveView) Pressed(e pane.Event) {
	t := v.hit(e)
	switch {
	case e.Button != pane.Primary:
	case t.Word >= 0:
		was := v.shown
		now := curve.Choose(was, t.Word)
		if was.By != now.By || was.Log != now.Log {
			link.Choose(v.d.link, "what the curve shows", &v.shown, now, func() { v.Redraw() })
		}
	case t.Thing.What != link.Nothing:
		v.d.link.Select(t.Thing, "curve")
	case t.Bytes > 0:
		config, i := session.Resize(v.d.hierarchy, cachesim.Size(t.Bytes))
		v.d.editHierarchy(config, i, "size")
	}
}

// Menu offers the size under the pointer for each level.
func (v *curveView) Menu(e pane.Event) []pane.MenuItem {
	t := v.hit(e)
	if t.Bytes == 0 {
		return nil
	}
	var items []pane.MenuItem
	for _, i := range session.DataLevels(v.d.hierarchy) {
		size := session.Fitting(v.d.hierarchy.Levels[i], cachesim.Size(t.Bytes))
		items = append(items, pane.MenuItem{Title: fmt.Sprintf("Simulate %s with %s", v.d.hierarchy.Levels[i].Name,
			words.Bytes(uint64(size))), Run: func() {
			v.d.useHierarchy(session.WithSize(v.d.hierarchy, i, size))
		}})
	}
	return items
}

func (v *curveView) Concerns(old, now link.State) bool {
	return old.Selected != now.Selected || old.Hover != now.Hover
}
