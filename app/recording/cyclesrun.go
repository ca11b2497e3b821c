package recording

import (
	"context"
	"fmt"

	"orrery/analysis/topology"
	"orrery/app/panes"
	"orrery/app/session"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/phases"
	"orrery/views/scene"
	"orrery/views/words"
)

// run is the picture of the whole run in the cycles pane, and the way from there into a phase:
//
//	whole run ──enter──> long phase ──enter──> ... ──enter──> exact window, drawn as a spiral
//	          <──leave──            <──leave──     <──leave──
type run struct {
	way     way
	outside link.Range // the window of time before an exact window was entered
	found   map[link.Range]*session.Phases
	of      *session.Recording // whose phases were found
	search  *panes.Lazy[stretchOf, *session.Phases]

	chosen int // the phase that Enter enters
	hover  phases.Target
	drawn  phases.State // for
	key    runKey
}

// way is how far in we are.
type way struct {
	spans  [8]link.Range // phases that were entered, from outside in
	depth  int           // how many of them
	window link.Range    // the exact window in the last one; empty without
	asOne  bool          // it is longer than those that are analysed at once, and few of its windows of references differ
}

type runKey struct {
	found *session.Phases
	theme string
}

// stretchOf is a stretch of a recording.
type stretchOf struct {
	rec  *session.Recording
	span link.Range
}

func newRun(d *Document) run {
	return run{chosen: -1, hover: phases.Nowhere,
		search: panes.NewLazy(d.set, panes.Work[stretchOf, *session.Phases]{Name: "phases", Quiet: true,
			Title: func(k stretchOf) string { return "finding phases in " + spanned(k.span.From, k.span.To) },
			Run: func(ctx context.Context, k stretchOf, report func(done, total int64)) (*session.Phases, error) {
				return k.rec.FindPhases(ctx, k.span.From, int(k.span.To-k.span.From), report)
			}})}
}

// level is the stretch whose phases are shown.
func (r *run) level(d *Document) link.Range {
	if r.way.depth > 0 {
		return r.way.spans[r.way.depth-1]
	}
	return link.Range{To: d.rec.Len()}
}

// phases are those of the level; nil until they come.
func (r *run) phases(d *Document) *session.Phases {
	if r.of != d.rec {
		r.of, r.found = d.rec, map[link.Range]*session.Phases{}
	}
	level := r.level(d)
	if p := r.found[level]; p != nil || d.lacking() != "" || d.rec.Live() {
		return p
	}
	p, ok := r.search.For(stretchOf{d.rec, level})
	if ok {
		r.found[level] = p
	}
	return p
}

// state is the picture.
func (r *run) state(v *cyclesView, theme palette.Theme, size scene.Size) phases.State {
	d := v.d
	p := r.phases(d)
	s := phases.State{Theme: theme, Chosen: -1, Hover: phases.Nowhere, Empty: r.why(d)}
	if p != nil {
		if key := (runKey{p, theme.Name}); key != r.key {
			r.drawn, r.key = p.State(theme), key
		}
		s = r.drawn
	}
	l := d.link.State()
	s.Cursor, s.Window, s.Chosen, s.Hover, s.Top = l.Cursor, l.Window, r.chosen, r.hover, top(size)
	s.Path = []string{"whole run"}
	for _, span := range r.way.spans[:r.way.depth] {
		s.Path = append(s.Path, fmt.Sprintf("%s to %s", words.Count(span.From), words.Count(span.To)))
	}
	return s
}

// why says why there are no phases.
func (r *run) why(d *Document) string {
	switch {
	case d.lacking() != "":
		return d.lacking()
	case d.rec.Live():
		return "The phases of the run are found when its recorder is done."
	case r.search.WasStopped():
		return "Finding phases " + goOn
	}
	return r.search.Say("Finding the phases of the run")
}

func (r *run) caption(v *cyclesView) string {
	p := r.phases(v.d)
	if p == nil {
		return ""
	}
	if len(p.Phases) == 1 {
		return fmt.Sprintf("1 phase · %s references", words.Count(p.To-p.From))
	}
	return fmt.Sprintf("%d phases · kinds: %d · %s references", len(p.Phases), len(p.Kinds), words.Count(p.To-p.From))
}

func (r *run) hit(v *cyclesView, e pane.Event) phases.Target {
	return phases.Hit(r.state(v, e.Theme, e.Size), e.Size, e.At)
}

func (r *run) moved(v *cyclesView, e pane.Event) {
	if at := r.hit(v, e); at != r.hover {
		r.hover = at
		v.Redraw()
	}
}

func (r *run) tip(v *cyclesView, e pane.Event) []string {
	t := r.hit(v, e)
	switch {
	case t.Phase >= 0:
		return r.drawn.Phases[t.Phase].Tip
	case t.Kind >= 0:
		return append([]string{r.drawn.Kinds[t.Kind].Name}, append(r.drawn.Kinds[t.Kind].Words,
			"click chooses its longest phase, double click enters the window that stands for it")...)
	}
	return nil
}

// pressed chooses the phase under the pointer, whose time is then selected in every view, or of a kind the phase that
// stands for it, or goes back up the way.
func (r *run) pressed(v *cyclesView, e pane.Event) {
	t := r.hit(v, e)
	switch {
	case t.Path >= 0 && t.Path < r.way.depth:
		r.walk(v, "leave a phase", way{spans: r.way.spans, depth: t.Path})
	case t.Phase >= 0:
		r.choose(v, t.Phase)
	case t.Kind >= 0:
		if p := r.phases(v.d); p != nil {
			r.choose(v, p.Standing(t.Kind))
		}
	}
}

func (r *run) choose(v *cyclesView, phase int) {
	r.chosen = phase
	span := r.drawn.Phases[phase].Span
	v.d.link.SetCursor(span.From)
	v.d.link.Select(link.OfTime(span), "cycles")
	v.Redraw()
}

// step chooses the next or previous phase.
func (r *run) step(v *cyclesView, by int) {
	if p := r.phases(v.d); p != nil {
		r.choose(v, max(0, min(r.chosen+by, len(p.Phases)-1)))
	}
}

func (r *run) doubleTapped(v *cyclesView, e pane.Event) {
	t := r.hit(v, e)
	p := r.phases(v.d)
	switch {
	case p == nil:
	case t.Phase >= 0:
		r.enter(v, t.Phase)
	case t.Kind >= 0:
		r.standing(v, &p.Phases[p.Standing(t.Kind)])
	}
}

// enter goes into a phase: a long one is cut into phases of its own, of a short one the exact window is shown.
func (r *run) enter(v *cyclesView, phase int) {
	p := r.phases(v.d)
	if p == nil || phase < 0 || phase >= len(p.Phases) {
		return
	}
	x := &p.Phases[phase]
	span := link.Range{From: x.From, To: x.To}
	switch {
	case span.To-span.From <= whole:
		r.window(v, span)
	case len(p.Phases) == 1 || r.way.depth == len(r.way.spans):
		r.standing(v, x)
	default:
		to := way{spans: r.way.spans, depth: r.way.depth + 1}
		to.spans[r.way.depth] = span
		r.walk(v, "enter a phase", to)
	}
}

// window enters an exact window.
func (r *run) window(v *cyclesView, span link.Range) {
	to := r.way
	to.window, to.asOne = span, false
	r.walk(v, "enter a phase", to)
}

// standing enters the window that stands for a phase. It can be a long one, where only so long a one has something that
// goes round.
func (r *run) standing(v *cyclesView, x *topology.Phase) {
	to := r.way
	to.window = link.Range{From: x.WindowFrom, To: x.WindowTo}
	to.asOne = to.window.To-to.window.From > whole && r.phases(v.d).Kinds[x.Kind].Alphabet == v.d.cycles.lens.alphabet
	r.walk(v, "enter a phase", to)
}

// walk changes how far in we are, as an undoable step.
func (r *run) walk(v *cyclesView, name string, to way) {
	link.Choose(v.d.link, name, &r.way, to, func() { r.arrive(v) })
}

// arrive shows what there is at this point of the way.
func (r *run) arrive(v *cyclesView) {
	r.chosen, r.hover = -1, phases.Nowhere
	v.shown.picture, v.camera = asRun, camera{zoom: 1}
	switch l := v.d.link; {
	case !r.way.window.Empty():
		if r.outside.Empty() {
			r.outside = l.State().Window
		}
		v.shown.picture = asSpiral
		if r.way.asOne {
			v.d.cycles.asOne = asOne{r.way.window, v.d.cycles.lens}
		}
		l.SlideWindow(r.way.window)
		l.SetCursor(r.way.window.From)
	case !r.outside.Empty():
		l.SlideWindow(r.outside)
		r.outside = link.Range{}
	}
	v.Redraw()
}

// inside tells whether there is a way out: a phase that was entered, or an exact window that is still shown.
func (r *run) inside(v *cyclesView) bool {
	if !r.way.window.Empty() {
		return v.d.link.State().Window == r.way.window
	}
	return v.shown.picture == asRun && r.way.depth > 0
}

// leave goes one step out; false when we are outside.
func (r *run) leave(v *cyclesView) bool {
	if !r.inside(v) {
		return false
	}
	to := r.way
	if !to.window.Empty() {
		to.window, to.asOne = link.Range{}, false
	} else {
		to.depth--
		to.spans[to.depth] = link.Range{}
	}
	r.walk(v, "leave a phase", to)
	return true
}

// menu offers the way in and out.
func (r *run) menu(v *cyclesView, e pane.Event) []pane.MenuItem {
	t := r.hit(v, e)
	return []pane.MenuItem{{}, {Title: "Enter the phase", Off: t.Phase < 0, Run: func() { r.enter(v, t.Phase) }},
		{Title: "Leave the phase", Off: !r.inside(v), Run: func() { r.leave(v) }}}
}
