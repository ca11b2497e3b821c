package recording

import (
	"context"
	"fmt"
	"path"
	"slices"

	analysis "orrery/analysis/findings"
	"orrery/analysis/region"
	"orrery/app/panes"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/traceio"
	"orrery/views/explain"
	"orrery/views/findings"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/words"
)

// findingsView is the list of what the engine noticed, ranked by what it costs.
type findingsView struct {
	panes.Base
	d      *Document
	listed panes.Readers // of the list and of what is chosen in it
	search *panes.Lazy[simulation, []analysis.Finding]
	long   bool // too long to be looked through without being asked
	list   []analysis.Finding
	chased []analysis.Finding // the part that the compiler's graphs tell
	chosen int                // -1 for none
	hover  int
	scroll float64
	reveal bool // the chosen one is to be brought into view
}

// unasked is up to how many references are looked through without being asked: a few seconds' work.
const unasked traceio.Seq = 20_000_000

func newFindingsView(d *Document, b panes.Base) *findingsView {
	v := &findingsView{Base: b, d: d, chosen: -1, hover: -1, listed: panes.ReadersOf(d.set)}
	v.search = panes.NewLazy(d.set, panes.Work[simulation, []analysis.Finding]{Name: "findings",
		Title: func(simulation) string { return "looking for findings" },
		Run: func(ctx context.Context, k simulation, report func(done, total int64)) ([]analysis.Finding, error) {
			return k.rec.Findings(ctx, *k.config, report)
		},
		Then: func(_ []analysis.Finding, err error) { v.merge() }})
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	return v
}

// seek looks for findings in the present hierarchy. Long recordings wait until they are asked for.
func (v *findingsView) seek(asked bool) {
	d := v.d
	v.scroll = 0
	if v.long = d.rec.Len() > unasked && !asked; v.long {
		v.search.Forget()
	} else {
		config := d.hierarchy
		v.search.Restart(simulation{rec: d.rec, config: &config})
	}
	v.merge()
}

// found is the part that the references tell; ok is false while it is not there.
func (v *findingsView) found() (list []analysis.Finding, ok bool) {
	list, _, ok = v.search.Newest()
	if v.search.Running() || v.search.WasStopped() || v.search.Err() != nil {
		return nil, false
	}
	return list, ok
}

// merge lists both parts; what was chosen stays so.
func (v *findingsView) merge() {
	was := analysis.Finding{}
	if v.chosen >= 0 && v.chosen < len(v.list) {
		was = v.list[v.chosen]
	}
	found, _ := v.found()
	v.list = analysis.Merge(found, v.chased)
	v.chosen = slices.IndexFunc(v.list, func(f analysis.Finding) bool {
		return f.Kind == was.Kind && f.Title == was.Title && f.File == was.File && f.Line == was.Line
	})
	v.Redraw()
	v.listed.Changed()
}

func (v *findingsView) caption() string {
	_, ok := v.found()
	switch {
	case ok && len(v.list) > 0:
		return v.d.hierarchy.Caches() + " · " + v.d.hierarchy.Name // the sizes first: a narrow pane cuts the end
	case v.search.Running():
		return "looking"
	}
	return ""
}

// say is why there is no list.
func (v *findingsView) say() string {
	_, ok := v.found()
	if none := v.d.lacking(); none != "" && ok && !v.d.rec.EventsOnly() {
		return none
	}
	switch {
	case v.search.Running():
		return "Looking for what costs…"
	case v.search.WasStopped() || v.search.Err() != nil:
		return "The search for findings " + goOn
	case v.long:
		return fmt.Sprintf("%s references take a while to be looked through. Click here to begin.",
			words.Count(v.d.rec.Len()))
	case ok:
		return "Nothing found: " + v.d.rec.NoFindings(v.d.hierarchy) + "."
	}
	return "Once every reference has been counted, what costs will be listed here."
}

func (v *findingsView) shown(theme palette.Theme) findings.State {
	return findings.State{Theme: theme, List: v.list, Chosen: v.lit(), Hover: v.hover, Scroll: v.scroll, Say: v.say()}
}

func (v *findingsView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	if v.reveal {
		v.scroll, v.reveal = findings.Reveal(v.shown(theme), size, v.chosen), false
	}
	v.scroll = max(0, min(v.scroll, findings.Overflow(v.shown(theme), size)))
	return findings.Scene(v.shown(theme), size)
}

func (v *findingsView) hit(e pane.Event) int { return findings.Hit(v.shown(e.Theme), e.Size, e.At) }

func (v *findingsView) Moved(e pane.Event) {
	if i := v.hit(e); i != v.hover {
		v.hover = i
		v.Redraw()
	}
}

func (v *findingsView) Left() {
	v.hover = -1
	v.Redraw()
}

func (v *findingsView) Tip(e pane.Event) []string {
	i := v.hit(e)
	if i < 0 {
		return nil
	}
	f := &v.list[i]
	tip := []string{f.Title, session.CostOf(f)}
	for _, x := range f.Evidence {
		tip = append(tip, session.EvidenceOf(x))
	}
	return append(tip, "click to see it in the other panes")
}

func (v *findingsView) Pressed(e pane.Event) {
	switch i := v.hit(e); {
	case e.Button != pane.Primary:
	case i >= 0:
		v.choose(i)
	case v.long:
		v.seek(true)
	}
}

func (v *findingsView) Scrolled(_ pane.Event, _, dy float64) {
	v.scroll -= dy * 40
	v.Redraw()
}

// Typing implements pane.Keyer.
func (v *findingsView) Typing() bool { return false }

// Key goes through the list.
func (v *findingsView) Key(name string, _ rune) bool {
	switch name {
	case "Down":
		v.step(1)
	case "Up":
		v.step(-1)
	case "Return", "KP_Enter":
		v.step(0)
	default:
		return false
	}
	return true
}

// step chooses the next finding or one before.
func (v *findingsView) step(by int) {
	if at := v.lit(); at >= 0 {
		v.chosen = at
	}
	if len(v.list) > 0 {
		v.choose(max(0, min(v.chosen+by, len(v.list)-1)))
	}
}

// Concerns implements shell.View: the line of a finding is lit while what it is about is selected.
func (v *findingsView) Concerns(was, now link.State) bool { return was.Selected != now.Selected }

// choose arranges the other panes so that they show a finding: its line, data, set or blocks are selected, its stretch
// of time is the window, with the cursor in it, where it is a part of the run, and the pane that shows it best comes to
// the front.
func (v *findingsView) choose(i int) {
	d, f := v.d, &v.list[i]
	v.chosen, v.reveal = i, true
	if r := (link.Range{From: f.Range.From, To: f.Range.To}); !r.Empty() && 2*(r.To-r.From) < d.rec.Extent() {
		d.link.SetWindow(r)
		if c := d.link.State().Cursor; c < r.From || c >= r.To {
			d.link.SetCursor(r.From + (r.To-r.From)/2)
		}
	}
	d.link.Select(v.thing(f), "findings")
	d.rings.brush(d.link.State().Selected) // of two findings about one line each has data of its own
	if d.host.Show != nil {
		d.host.Show(best(f.Kind))
	}
	v.Redraw()
	v.listed.Changed()
}

// best is the pane that shows a kind of finding best.
func best(k analysis.Kind) shell.Slot {
	switch k {
	case analysis.Leak, analysis.Untouched, analysis.Drag:
		return shell.Heap
	case analysis.Fusion:
		return shell.Cycles
	case analysis.Chase:
		return shell.Code
	}
	return shell.Cache
}

// thing is what a finding is about, for the other panes.
func (v *findingsView) thing(f *analysis.Finding) link.Thing {
	switch f.Kind {
	case analysis.FalseSharing:
		return link.OfBytes(f.Low, f.High)
	case analysis.Conflict:
		if len(f.Sets) > 0 {
			return link.OfSet(f.Level, f.Sets[0])
		}
	case analysis.Leak, analysis.Untouched, analysis.Drag:
		regions := v.d.rec.Regions.Regions()
		if i := slices.IndexFunc(regions,
			func(r region.Region) bool { return r.Kind == region.Heap && r.Site == f.Site }); i >= 0 {
			return regionThing(regions[i].Name)
		}
	}
	if f.Kind == analysis.Chase { // the compiler's name of the file
		return v.d.compiled.line(f.File, f.Line)
	}
	return link.OfLine(f.File, f.Line)
}

// lit is the finding that is selected, -1 for none: the chosen one while what it is about is selected; where that was
// selected by an earlier choice that came back, by undoing or with a session, the first that is about it.
func (v *findingsView) lit() int {
	v.listed.Read()
	now := v.d.link.State()
	if now.Selected.What == link.Nothing {
		return -1
	}
	if v.chosen >= 0 && v.chosen < len(v.list) && v.thing(&v.list[v.chosen]) == now.Selected {
		return v.chosen
	}
	if now.Origin != "findings" {
		return -1
	}
	return slices.IndexFunc(v.list, func(f analysis.Finding) bool { return v.thing(&f) == now.Selected })
}

// data are the names of what the finding that is selected is about; none where it is about all that its line uses, or
// nothing is selected.
func (v *findingsView) data() []string {
	if at := v.lit(); at >= 0 {
		return v.list[at].Regions
	}
	return nil
}

// section explains the finding that is selected.
func (v *findingsView) section() (explain.Section, bool) {
	at := v.lit()
	if at < 0 {
		return explain.Section{}, false
	}
	f := &v.list[at]
	s := explain.Section{Title: f.Title, Lines: []string{f.Advice, session.CostOf(f)}}
	for _, x := range f.Evidence {
		s.Lines = append(s.Lines, session.EvidenceOf(x))
	}
	if f.File != "" {
		s.Lines = append(s.Lines, fmt.Sprintf("at %s:%d, references %s to %s", path.Base(f.File), f.Line,
			words.Count(f.Range.From), words.Count(f.Range.To)))
	}
	return s, true
}

func (v *findingsView) commands() []shell.Command {
	some := func() bool { return len(v.list) > 0 }
	return []shell.Command{
		{ID: "findings.next", Title: "Next finding", Menu: "Analyse", Keys: "F8", Enabled: some, Run: func() { v.step(1) }},
		{ID: "findings.previous", Title: "Previous finding", Menu: "Analyse", Keys: "Shift+F8", Enabled: some, Run: func() {
			v.step(-1)
		}},
		{ID: "findings.seek", Title: "Look for findings", Menu: "Analyse",
			Enabled: func() bool { return !v.search.Running() }, Run: func() { v.seek(true) }},
	}
}
