package graphs

import (
	"fmt"
	"strings"

	"orrery/app/panes"
	"orrery/views/codegraph"
	"orrery/views/link"
	"orrery/views/listing"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/words"
)

// phasesView lists the functions, and below the one that is shown its phases.
type phasesView struct {
	panes.Base
	e      *Explorer
	scroll float64
	hover  phaseRow
	shown  phaseRow // that was brought into view last
	size   scene.Size

	rows []listing.Group[phaseRow]
	key  phasesKey
}

type phasesKey struct {
	at, entries int
	base        snapshotRef
	differs     bool
	theme       string
}

func newPhasesView(e *Explorer, b panes.Base) *phasesView {
	v := &phasesView{Base: b, e: e}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	return v
}

func (v *phasesView) caption() string {
	n := len(v.e.entries)
	if n == 0 {
		return ""
	}
	phases := words.Plural(v.e.Phases(), "phase")
	if n == 1 {
		return phases
	}
	return fmt.Sprintf("%d of %d · %s", v.e.at+1, n, phases)
}

// phaseRow is what a row of the list stands for: a function, or one of its phases. They belong to this list: other
// panes do not know them.
type phaseRow struct {
	what  phaseRowKind
	entry int // the function
	phase int
}

type phaseRowKind uint8

const (
	noRow phaseRowKind = iota
	functionRow
	phaseOfFunction
)

func (v *phasesView) state(theme palette.Theme) listing.State[phaseRow] {
	e := v.e
	if key := (phasesKey{e.at, len(e.entries), e.shown.base, e.shown.differs, theme.Name}); key != v.key || v.rows == nil {
		v.rows, v.key = v.list(theme), key
	}
	return listing.State[phaseRow]{Theme: theme, Groups: v.rows, Scroll: v.scroll, Selected: phaseRow{phaseOfFunction,
		e.at, e.phase}, Hover: v.hover, Empty: e.beside("Functions and their phases are listed here.")}
}

func (v *phasesView) list(theme palette.Theme) (out []listing.Group[phaseRow]) {
	e := v.e
	functions := listing.Group[phaseRow]{Title: "FUNCTIONS"}
	for i, x := range e.entries {
		if i == e.at {
			continue
		}
		functions.Rows = append(functions.Rows, listing.Row[phaseRow]{Name: x.Path, Value: fmt.Sprint(len(x.Snapshots)),
			Thing: phaseRow{what: functionRow, entry: i},
			Tip:   []string{x.Path, words.Plural(len(x.Snapshots), "phase"), "click: show it"}})
	}
	if g := e.group(); g != nil {
		phases := listing.Group[phaseRow]{Title: e.entries[e.at].Path}
		prefix := e.commonPrefix()
		for i, s := range codegraph.Steps(g) {
			row := listing.Row[phaseRow]{Name: fmt.Sprintf("%d  %s", i+1, strings.TrimPrefix(s.Name, prefix)),
				Value: fmt.Sprint(s.Nodes), Thing: phaseRow{phaseOfFunction, e.at, i},
				Tip: []string{s.Name, sizeOf(s.Nodes, s.Edges), "click: show it; Shift+click: the difference from it"}}
			if i > 0 {
				row.Tip = append(row.Tip[:2:2], fmt.Sprintf("%d new, %d gone", s.New, s.Deleted), row.Tip[2])
			}
			if e.shown.differs && e.shown.base == (snapshotRef{e.at, i}) {
				row.Color = theme.Accent
			}
			phases.Rows = append(phases.Rows, row)
		}
		out = append(out, phases)
	}
	if len(functions.Rows) > 0 {
		out = append(out, functions)
	}
	return out
}

// commonPrefix is what most names of phases begin with, up to a dot and capitals behind it: "V8.TF" of V8.TFInlining.
// It tells nothing and takes the room of what does.
func (e *Explorer) commonPrefix() string {
	count, best := map[string]int{}, ""
	for _, s := range e.group().Snapshots {
		if p := stem(s.Name); p != "" {
			if count[p]++; count[p]*3 > 2*e.Phases() {
				best = p
			}
		}
	}
	return best
}

// stem is the beginning of a phase's name that others may share: up to the last capital of those that follow its last
// dot.
func stem(name string) string {
	dot := strings.LastIndexByte(name, '.')
	end := dot + 1
	for end+1 < len(name) && isCapital(name[end]) && isCapital(name[end+1]) {
		end++
	}
	if dot < 1 || end >= len(name) {
		return ""
	}
	return name[:end]
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

func (v *phasesView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	v.size = size
	s := v.state(theme)
	if now := s.Selected; now != v.shown && len(s.Groups) > 0 {
		v.shown = now
		v.scroll = listing.Reveal(s, size, now)
	}
	v.scroll = max(0, min(v.scroll, listing.Height(s)-size.H))
	s.Scroll = v.scroll
	return listing.Scene(s, size)
}

func (v *phasesView) row(e pane.Event) *listing.Row[phaseRow] {
	return listing.Hit(v.state(e.Theme), e.Size, e.At)
}

func (v *phasesView) Moved(e pane.Event) {
	now := phaseRow{}
	if r := v.row(e); r != nil {
		now = r.Thing
	}
	if now != v.hover {
		v.hover = now
		v.Redraw()
	}
}

func (v *phasesView) Left() {
	v.hover = phaseRow{}
	v.Redraw()
}

func (v *phasesView) Tip(e pane.Event) []string {
	if r := v.row(e); r != nil {
		return r.Tip
	}
	return nil
}

// Pressed shows a phase or a function; with Shift, the difference from it.
func (v *phasesView) Pressed(e pane.Event) {
	r := v.row(e)
	if r == nil || e.Button != pane.Primary {
		return
	}
	switch x := r.Thing; {
	case e.Mods.Shift:
		v.e.compare(x.entry, v.last(x))
	case x.entry != v.e.at:
		v.e.keepPlace()
		v.e.choose(x.entry, v.last(x))
	default:
		v.e.Step(x.phase)
	}
}

// last is the phase of a row, of a function's its last.
func (v *phasesView) last(x phaseRow) int {
	if x.what == functionRow {
		return len(v.e.entries[x.entry].Snapshots) - 1
	}
	return x.phase
}

// Menu offers the difference from the row.
func (v *phasesView) Menu(e pane.Event) []pane.MenuItem {
	r := v.row(e)
	if r == nil {
		return nil
	}
	entry, phase := r.Thing.entry, v.last(r.Thing)
	return []pane.MenuItem{{Title: "Show", Run: func() { v.e.choose(entry, phase) }},
		{Title: "Difference from here to what is shown", Run: func() { v.e.compare(entry, phase) }},
		{Title: "No difference", Off: !v.e.shown.differs, Run: v.e.endDifference}}
}

func (v *phasesView) Scrolled(_ pane.Event, _, dy float64) {
	v.scroll -= dy * 54
	v.Redraw()
}

func (v *phasesView) Concerns(_, _ link.State) bool { return false }

// timelineView is the phases over the transport.
type timelineView struct {
	panes.Base
	e     *Explorer
	over  int
	steps []codegraph.Step
	of    any
}

func newTimelineView(e *Explorer, b panes.Base) *timelineView {
	v := &timelineView{Base: b, e: e, over: -1}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	return v
}

func (v *timelineView) caption() string { return v.e.phaseName() }

func (v *timelineView) state(theme palette.Theme) codegraph.Timeline {
	g := v.e.group()
	if g == nil {
		return codegraph.Timeline{Theme: theme, Empty: v.e.beside("A column for each phase of the function is here.")}
	}
	if v.of != any(g) {
		v.steps, v.of = codegraph.Steps(g), g
	}
	t := codegraph.Timeline{Theme: theme, Steps: v.steps, Now: v.e.phase, Base: -1, Over: v.over}
	if v.e.shown.differs && v.e.shown.base.entry == v.e.at {
		t.Base = v.e.shown.base.phase
	}
	return t
}

func (v *timelineView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	t := v.state(theme)
	return t.Scene(size)
}

func (v *timelineView) hit(e pane.Event) int {
	t := v.state(e.Theme)
	return t.Hit(e.Size, e.At)
}

func (v *timelineView) Moved(e pane.Event) {
	if now := v.hit(e); now != v.over {
		v.over = now
		v.Redraw()
	}
}

func (v *timelineView) Left() {
	v.over = -1
	v.Redraw()
}

func (v *timelineView) Tip(e pane.Event) []string {
	t := v.state(e.Theme)
	return t.Words(t.Hit(e.Size, e.At))
}

// Pressed shows a phase; with Shift, the difference from it.
func (v *timelineView) Pressed(e pane.Event) {
	if i := v.hit(e); i >= 0 && e.Button == pane.Primary {
		if e.Mods.Shift {
			v.e.compare(v.e.at, i)
		} else {
			v.e.Step(i)
		}
	}
}

// Dragged goes through the phases.
func (v *timelineView) Dragged(e pane.Event, _ scene.Point) {
	if i := v.hit(e); i >= 0 && !e.Mods.Shift {
		v.e.Step(i)
	}
}

// Scrolled goes to the phase before or behind.
func (v *timelineView) Scrolled(_ pane.Event, _, dy float64) {
	if dy > 0 {
		v.e.Step(v.e.phase - 1)
	} else {
		v.e.Step(v.e.phase + 1)
	}
}
