package recording

import (
	"fmt"
	"path"

	"orrery/app/panes"
	"orrery/app/session"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/source"
)

// sourceView is the source text with the heat of each line. It follows the time cursor and the selection until the user
// scrolls, and again when either moves to another line. A file in which neither is opens at its hottest line.
type sourceView struct {
	panes.Base
	d      *Document
	file   string // chosen by the user, "" follows
	scroll float64
	misses bool            // the heat is misses
	folded map[string]bool // functions
	shown  link.Thing      // the line that was brought into view last
	room   scene.Size      // in which it was

	base source.State // for
	key  sourceKey
}

type sourceKey struct {
	rec    *session.Recording
	misses *uint64
	found  *session.Cycles // whose stretch the lines are coloured for
	theme  string
	file   string
	tint   int // counts changes of what the cycles' colours show
}

func newSourceView(d *Document, b panes.Base) *sourceView {
	v := &sourceView{Base: b, d: d}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	return v
}

func (v *sourceView) caption() string {
	s := v.state(v.Theme())
	if t := s.Selected; t.What == link.Line && t.Line > 0 && t.File != s.File && v.d.rec.Text(t.File) == "" {
		return fmt.Sprintf("no text of %s:%d · %s", path.Base(t.File), t.Line, v.d.rec.Remarked(s.File))
	}
	return v.d.rec.Remarked(s.File)
}

func (v *sourceView) state(theme palette.Theme) source.State {
	l := v.d.link.State()
	now, selected := v.d.lineAt(l.Cursor), v.d.rec.CodeOf(l.Selected)
	file := v.file
	switch {
	case selected.What == link.Line && v.d.rec.Text(selected.File) != "":
		file = selected.File
	case file == "" && v.d.rec.Text(now.File) != "":
		file = now.File
	case file == "":
		file = v.base.File // stay with the last one while the program is elsewhere
	}
	var misses *uint64
	if len(v.d.misses()) > 0 {
		misses = &v.d.misses()[0]
	}
	if key := (sourceKey{v.d.rec, misses, v.d.cycles.found, theme.Name, file, v.d.cycles.recoloured}); key != v.key ||
		v.base.Files == nil {
		v.base, v.key = v.d.rec.SourceText(theme, file, l.Cursor, v.d.misses(), v.d.cycles.colors), key
		v.tint(theme)
	}
	s := v.base
	s.Now = 0
	if now.File == s.File {
		s.Now = now.Line
	}
	s.Selected, s.Hover, s.Scroll = selected, l.Hover.AsLine(), v.scroll
	s.Folded, s.ByMisses = v.folded, v.misses
	return s
}

// tint gives lines the colours that the cycles have, where these show functions, files or groups.
func (v *sourceView) tint(theme palette.Theme) {
	c := &v.d.cycles
	c.tint.Read()
	if c.found == nil {
		return
	}
	tints := v.d.rec.Tints(theme, c.found, c.coloring)
	for n, h := range v.base.Heat {
		if id := int(v.d.rec.Lines.Find(v.base.File, n)); id >= 0 && id < len(tints) {
			h.Color = tints[id]
			v.base.Heat[n] = h
		}
	}
}

// heat chooses what the bars of the lines show.
func (v *sourceView) heat(misses bool) {
	link.Choose(v.d.link, "heat of the lines", &v.misses, misses, func() { v.Redraw() })
}

// fold folds a function, or unfolds it.
func (v *sourceView) fold(function string) {
	folded := map[string]bool{function: !v.folded[function]}
	for f, is := range v.folded {
		if f != function {
			folded[f] = is
		}
	}
	v.folded = folded
	v.Redraw()
}

// foldAll folds every function of the file, or unfolds them all.
func (v *sourceView) foldAll(fold bool) {
	v.folded = map[string]bool{}
	for _, h := range v.base.Heat {
		if fold && h.Function != "" {
			v.folded[h.Function] = true
		}
	}
	v.Redraw()
}

// lineAt is the source line of the reference at s, the zero Thing when unknown.
func (d *Document) lineAt(s traceio.Seq) link.Thing {
	if s >= d.rec.Len() {
		return d.rec.EventLine(s)
	}
	a, err := d.rec.At(s)
	if err != nil {
		return link.Thing{}
	}
	return d.lineOf(a.PC)
}

// lineOf is the line that an instruction comes from.
func (d *Document) lineOf(pc traceio.Addr) link.Thing {
	id := d.rec.Lines.Of(pc)
	if id < 0 {
		return link.Thing{}
	}
	l := d.rec.Lines.At(id)
	return link.OfLine(l.File, l.Line)
}

func (v *sourceView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	v.d.cycles.read(v.d)
	s := v.state(theme)
	want := link.OfLine(s.File, s.Now)
	if s.Selected.What == link.Line && s.Selected.File == s.File {
		want.Line = s.Selected.Line
	}
	if want.Line == 0 && v.shown.File != s.File && v.scroll == 0 { // else a session has scrolled it
		want.Line = v.hottest()
	}
	if want.Line == 0 && v.shown.Line > 0 {
		want = v.shown
	}
	if want.Line > 0 && (want != v.shown || size != v.room && v.seen(s)) {
		s.Scroll = v.scroll
		v.scroll = source.Reveal(s, size, want.Line)
		v.shown = want
	}
	v.room = size
	v.scroll = max(0, min(v.scroll, source.Overflow(s, size)))
	s.Scroll = v.scroll
	return source.Scene(s, size)
}

// seen tells whether the line that was brought into view is still there, in the room of the last picture: the user may
// have scrolled it away.
func (v *sourceView) seen(s source.State) bool {
	s.Scroll = v.scroll
	return v.shown.File == s.File && source.Reveal(s, v.room, v.shown.Line) == v.scroll
}

// hottest is the line of the file with the most references, the first of them; 0 where none has any.
func (v *sourceView) hottest() (line int) {
	most := uint64(0)
	for n, h := range v.base.Heat {
		if h.References > most || h.References == most && most > 0 && n < line {
			line, most = n, h.References
		}
	}
	return line
}

func (v *sourceView) hit(e pane.Event) source.Target {
	return source.Hit(v.state(e.Theme), e.Size, e.At)
}

func (v *sourceView) Moved(e pane.Event)        { v.d.link.SetHover(v.hit(e).Thing) }
func (v *sourceView) Left()                     { v.d.link.SetHover(link.Thing{}) }
func (v *sourceView) Tip(e pane.Event) []string { return v.hit(e).Lines }

// Pressed selects the line; a second press on it lets go. A press on a file's name shows that file.
func (v *sourceView) Pressed(e pane.Event) {
	if e.Button != pane.Primary {
		return
	}
	t := v.hit(e)
	switch {
	case t.File != "":
		v.file, v.scroll, v.shown = t.File, 0, link.Thing{}
		v.d.link.Clear()
		v.Redraw()
	case t.Thing == v.d.link.State().Selected:
		v.d.link.Clear()
	case t.Thing.What != link.Nothing:
		v.shown = t.Thing // it is in view already
		v.d.link.Select(t.Thing, "source")
	}
}

// DoubleTapped opens a line in the compiler's graph: its loads and stores.
func (v *sourceView) DoubleTapped(e pane.Event) {
	if t := v.hit(e); t.Thing.What == link.Line && v.d.compiled.functionOf(t.Thing) != "" {
		v.d.link.Select(t.Thing, "source")
		v.d.compiled.openLine(t.Thing)
	}
}

// Menu offers to go to the next reference that a line makes, and to fold its function.
func (v *sourceView) Menu(e pane.Event) []pane.MenuItem {
	hit := v.hit(e)
	t := hit.Thing
	if t.What != link.Line {
		return nil
	}
	items := []pane.MenuItem{
		{Title: fmt.Sprintf("Next reference of line %d", t.Line), Run: func() { v.d.seek(t, 1) }},
		{Title: fmt.Sprintf("Previous reference of line %d", t.Line), Run: func() { v.d.seek(t, -1) }},
		{Title: "Open its loads and stores in the compiler's graph", Off: v.d.compiled.functionOf(t) == "" &&
			v.d.compiled.file == "", Run: func() { v.d.compiled.openLine(t) }},
		{},
	}
	if f := hit.Function; f != "" {
		what := "Fold "
		if v.folded[f] {
			what = "Unfold "
		}
		items = append(items, pane.MenuItem{Title: what + f, Run: func() { v.fold(f) }})
	}
	items = append(items, pane.MenuItem{Title: "Heat: references", On: !v.misses, Run: func() { v.heat(false) }},
		pane.MenuItem{Title: "Heat: misses of the first level", On: v.misses, Off: v.d.misses() == nil,
			Run: func() { v.heat(true) }}, pane.MenuItem{})
	return append(items, pane.MenuItem{Title: "Fold all functions", Run: func() { v.foldAll(true) }},
		pane.MenuItem{Title: "Unfold all functions", Run: func() { v.foldAll(false) }})
}

func (v *sourceView) Scrolled(_ pane.Event, _, dy float64) {
	v.scroll -= dy * 54
	v.Redraw()
}
