package recording

import (
	"orrery/analysis/heap"
	"orrery/app/panes"
	"orrery/views/explain"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// explainView says in words what is selected and what the chosen cycle is.
type explainView struct {
	panes.Base
	d      *Document
	scroll float64
	about  topic // what the text is about: of another it is read from its beginning
}

// topic is what was selected; moving the cursor changes the text and not what is read.
type topic struct {
	selected link.Thing
	finding  string
}

func (v *explainView) caption() string {
	if origin := v.d.link.State().Origin; origin != "" {
		return "selected in " + origin
	}
	return ""
}

func (v *explainView) state(theme palette.Theme) explain.State {
	l := v.d.link.State()
	s := explain.State{Theme: theme, Scroll: v.scroll,
		Empty: "Select a line, a region, a block of the heap or a cache set to read about it here."}
	if found, ok := v.d.noticed.section(); ok {
		s.Sections = append(s.Sections, found)
	}
	s.Sections = append(s.Sections, v.d.rec.Explain(theme, l.Selected, v.d.caches(), v.use(l.Selected), l.Cursor,
		v.d.cycles.colors)...)
	if c := v.d.cycles.explain(v.d); c.Title != "" {
		s.Sections = append(s.Sections, c)
	}
	return s
}

// use is which bytes of blocks are touched, which is found when a block is selected; nil before.
func (v *explainView) use(selected link.Thing) *heap.Usage {
	if selected.AsMemory().What == link.Block {
		return v.d.blockUse()
	}
	return v.d.knownUse()
}

func (v *explainView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	v.d.cycles.read(v.d)
	s := v.state(theme) // once: what served a reference is replayed from the state before it
	about := topic{selected: v.d.link.State().Selected}
	if found, ok := v.d.noticed.section(); ok {
		about.finding = found.Title
	}
	if about != v.about {
		v.about, v.scroll = about, 0
	}
	v.scroll = max(0, min(v.scroll, explain.Height(s, size)-size.H))
	s.Scroll = v.scroll
	return explain.Scene(s, size)
}

func (v *explainView) Scrolled(_ pane.Event, _, dy float64) {
	v.scroll -= dy * 36
	v.Redraw()
}

func (v *explainView) Concerns(old, now link.State) bool {
	return old.Selected != now.Selected || old.Cursor != now.Cursor && now.Selected.What == link.Nothing
}

func newExplainView(d *Document, b panes.Base) *explainView {
	v := &explainView{Base: b, d: d}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	return v
}
