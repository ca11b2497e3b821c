package document

import (
	"context"
	"fmt"

	"orrery/app/jobs"
	"orrery/app/panes"
	"orrery/app/session"
	"orrery/app/shell"
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

	found    *session.MissCurve
	partly   bool // there is more to come
	asked    curveKey
	pressure *session.Pressure
	pressed  *session.Caches // of which the pressure was asked for
	levels   []curve.Level   // for
	of       *session.Caches
	with     *session.Pressure
	problem  string
}

// curveKey is what a curve depends on.
type curveKey struct {
	rec   *session.Recording
	block cachesim.Size
}

func newCurveView(d *Document, b panes.Base) *curveView {
	v := &curveView{Base: b, d: d, shown: curve.State{Over: -1}}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	return v
}

func (v *curveView) caption() string {
	if v.found == nil {
		return ""
	}
	kind := "exact"
	if v.found.Preview {
		kind = "preview"
	}
	return fmt.Sprintf("LRU · blocks of %s · %s", words.Bytes(uint64(v.found.Block)), kind)
}

// ask starts what is not there and not on its way.
func (v *curveView) ask() {
	d := v.d
	entry := d.hierarchy.Entry(traceio.Load)
	if d.stopped || d.rec.Live() || d.lacking() != "" || entry < 0 {
		return
	}
	rec := d.rec
	if key := (curveKey{rec, d.hierarchy.Levels[entry].Block}); key != v.asked {
		v.asked, v.problem = key, ""
		v.found, v.partly = nil, false
		take := func(m *session.MissCurve, partly bool, err error) {
			switch {
			case key != v.asked || m == nil && err == nil || m != nil && m.Preview && v.found != nil:
				return
			case err != nil:
				v.problem = words.Sentence(err.Error())
			default:
				v.found, v.partly = m, partly
			}
			d.changed(shell.Curve)
		}
		run := func(what, title string, find func(context.Context,
			func(done, total int64)) (*session.MissCurve, error), then func(*session.MissCurve, error)) {
			jobs.Start(d.host.Engine, d.key(what), title, find, then)
		}
		run("curve preview", "estimating the miss curve",
			func(ctx context.Context, report func(done, total int64)) (*session.MissCurve, error) {
				return rec.PreviewCurve(ctx, key.block, report)
			}, func(m *session.MissCurve, err error) { take(m, true, err) })
		run("curve", "computing the miss curve",
			func(ctx context.Context, report func(done, total int64)) (*session.MissCurve, error) {
				return rec.FindMissCurve(ctx, key.block, report)
			}, func(bound *session.MissCurve, err error) {
				if take(bound, true, err); err != nil {
					return
				}
				run("curve", "computing the miss curve of associativities",
					func(ctx context.Context, report func(done, total int64)) (*session.MissCurve, error) {
						return rec.FindWays(ctx, bound, report)
					}, func(m *session.MissCurve, err error) { take(m, false, err) })
			})
	}
	if c := d.caches; c != nil && c != v.pressed {
		v.pressed = c
		jobs.Start(d.host.Engine, d.key("pressure"), "counting by set",
			func(ctx context.Context, report func(done, total int64)) (*session.Pressure, error) {
				return rec.FindPressure(ctx, c.Config(), report)
			}, func(p *session.Pressure, err error) {
				if err != nil {
					v.problem = words.Sentence(err.Error())
				} else if c == v.pressed {
					v.pressure = p
				}
				d.changed(shell.Curve)
			})
	}
}

// again forgets what was asked for and has not come.
func (v *curveView) again() {
	if v.found == nil || v.partly {
		v.asked = curveKey{}
	}
	if v.pressure == nil || v.pressed != v.d.caches {
		v.pressed = nil
	}
}

func (v *curveView) state(theme palette.Theme) curve.State {
	d := v.d
	s, l := v.shown, d.link.State()
	s.Theme, s.Hover, s.Selected = theme, l.Hover, l.Selected
	switch {
	case d.lacking() != "":
		s.Empty = d.lacking()
	case d.rec.Live():
		s.Empty = "The miss ratio of caches of every size will be here when the recorder is done."
	case v.problem != "":
		s.Empty = v.problem
	case d.stopped && v.found == nil:
		s.Empty = "The miss curve " + goOn
	default:
		s.Empty = "Computing the miss ratio of caches of every size …"
	}
	if v.found == nil {
		return s
	}
	s.Lines, s.Block, s.Preview = v.found.Lines, uint64(v.found.Block), v.found.Preview
	switch {
	case !v.partly || d.stopped:
	case s.Preview:
		s.Note = "the exact curve is being computed"
	default:
		s.Note = "associativities are being computed"
	}
	if d.caches != nil && (v.of != d.caches || v.with != v.pressure) {
		p := v.pressure
		if v.pressed != d.caches {
			p = nil
		}
		levels, err := d.caches.Of.CurveLevels(d.caches, p)
		if err != nil {
			v.problem = words.Sentence(err.Error())
		}
		v.levels, v.of, v.with = levels, d.caches, v.pressure
	}
	s.Levels = v.levels
	return s
}

func (v *curveView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	v.ask()
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
