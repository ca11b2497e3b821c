// Package graphs is a compiler's graphs as the window sees them: which function, phase, nodes and filters are chosen,
// the pictures that background jobs make of them, and the panes that show these: graph, control flow, phases,
// properties, source and timeline. A file of graphs is a Document of its own; an open recording uses an Explorer beside
// its own panes and lends nodes its references and misses.
package graphs

import (
	"context"
	"reflect"
	"slices"

	"orrery/analysis/depgraph"
	"orrery/analysis/depgraph/filter"
	"orrery/analysis/heat"
	"orrery/app/jobs"
	"orrery/app/panes"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/traceio"
	"orrery/traceio/irgraph"
	"orrery/views/codegraph"
	"orrery/views/link"
	"orrery/views/palette"
)

// Entry is a function with its graphs.
type Entry struct {
	*irgraph.Group
	Path string // with the folders around it
}

// Entries are the functions of a document.
func Entries(doc *irgraph.Document) (out []Entry) {
	doc.Walk(func(path []string, g *irgraph.Group) {
		name := ""
		for _, p := range path {
			name += p + " / "
		}
		out = append(out, Entry{g, name + g.Name})
	})
	return out
}

// Explorer is what the panes share. Its methods belong to the interface's goroutine.
type Explorer struct {
	host shell.Host
	set  *panes.Set
	key  string // before the names of jobs
	link *link.Link
	tell func(...shell.Slot)

	// Phased hears of another phase or function; nil for nobody.
	Phased func()
	// Line is what a source line is to the other panes.
	Line func(file string, line int) link.Thing
	// Place is the source line of a recorded instruction to the other panes; nil without a recording.
	Place func(pc traceio.Addr) link.Thing
	// Lend gives what a recording says of a function's snapshots, nil where it says nothing.
	Lend  func(g *irgraph.Group) func(s *irgraph.Snapshot) *heat.Joined
	Level int // of the caches, whose misses are lent, and its name
	Cache string
	// Seen is called when the pane of the graph is drawn for the first time; nil for nobody.
	Seen func()
	// Empty is said in the graph's pane while there is no function.
	Empty string
	// Idle says in a few words why there is no function, and whether that matters to the graph's own pane; nil folds no
	// pane.
	Idle func(graph bool) string

	entries  []Entry
	at       int
	phase    int
	shown    choices
	drawn    *session.GraphPictures
	of       request // what is drawn
	asked    request // what has been asked for
	recent   recent
	home     home
	troubled string // why nothing is drawn
	stopped  bool

	stretches []int // first phases of the function's stretches
	stretchOf *irgraph.Group

	selected depgraph.Set
	chosen   map[link.Thing]depgraph.Set // nodes that were selected here, by what they are to the other panes
	telling  bool                        // the other panes are told of a selection
	lit      depgraph.Set
	marks    []place
	past     []place // for back and forward
	future   []place
	backTo   codegraph.View // of the place that is gone back to, when its drawing is there
	effort   float64        // of the search for few crossings, see layout.Options
	after    func()         // runs when the next drawing is there; nil for nothing
	told     toldFilters

	code *codeView
	flow *flowView
}

// choices are what the user chose; each change is a step that can be taken back.
type choices struct {
	set     depgraph.Set
	base    snapshotRef // of a difference
	differs bool
	blocks  bool
	whole   bool // long edges
	steady  steady
	color   codegraph.ColorBy
	heat    codegraph.ColorBy // what coloured the nodes before the difference does
	dim     map[string]bool
	filters []filter.Filter // replaced, never changed
}

// steady says over which phases nodes keep their places.
type steady uint8

const (
	overStretch steady = iota // those between which little changes
	overAll
	overNone
)

// snapshotRef names a snapshot.
type snapshotRef struct{ entry, phase int }

// request is what a drawing depends on.
type request struct {
	group   *irgraph.Group
	from    *irgraph.Snapshot
	first   int // of the phases that are drawn together
	behind  int
	set     depgraph.Set
	filters []filter.Filter
	blocks  bool
	whole   bool
	lent    bool
	level   int
}

// place is somewhere that can be gone back to.
type place struct {
	entry, phase int
	set          depgraph.Set
	view         codegraph.View
	node         string
}

// home says what the view does when a new drawing arrives.
type home uint8

const (
	stay     home = iota
	fresh         // another function: from the beginning
	found         // shows what is selected
	widened       // all of it, where that can be read; else stays
	returned      // as it was at the place gone back to
	compared      // stays where something differs, else goes to where it does
)

// New is an explorer without functions. key names its jobs, l is what the panes share.
func New(host shell.Host, key string, l *link.Link, tell func(...shell.Slot)) *Explorer {
	e := &Explorer{host: host, key: key, link: l, tell: tell}
	e.set = panes.NewSet(l, &e.host, key+"#")
	e.set.Watch(tell)
	e.Line = func(file string, line int) link.Thing { return link.OfLine(file, line) }
	e.shown.filters = filter.Shipped()
	e.code = &codeView{e: e, hover: codegraph.Nowhere()}
	e.flow = &flowView{e: e, hover: codegraph.Nowhere()}
	l.Subscribe(e.linked)
	return e
}

// Show takes functions in place of those there are, and draws one of them from its phase, -1 for the last.
func (e *Explorer) Show(entries []Entry, at, phase int) {
	e.entries = entries
	e.past, e.future, e.chosen = nil, nil, nil
	e.shown.set = nil
	e.shown.endDifference()
	e.at = -1
	e.choose(at, phase)
}

// Add takes another function behind the others. The first one is drawn.
func (e *Explorer) Add(entry Entry) {
	e.entries = append(e.entries, entry)
	if len(e.entries) == 1 {
		e.Show(e.entries, 0, 0)
		return
	}
	e.tell(shell.Phases)
}

// group is the function that is shown, nil for none.
func (e *Explorer) group() *irgraph.Group {
	if e.at < 0 || e.at >= len(e.entries) {
		return nil
	}
	return e.entries[e.at].Group
}

// Phases is how many phases the function has; 0 without one.
func (e *Explorer) Phases() int {
	if g := e.group(); g != nil {
		return len(g.Snapshots)
	}
	return 0
}

// Phase is the phase that is shown.
func (e *Explorer) Phase() int { return e.phase }

// snapshot is the data graph of the phase.
func (e *Explorer) snapshot() *irgraph.Snapshot {
	if g := e.group(); g != nil && e.phase < len(g.Snapshots) {
		return g.Snapshots[e.phase]
	}
	return nil
}

// choose shows a phase of a function; a phase of -1 is its last.
func (e *Explorer) choose(entry, phase int) {
	if entry < 0 || entry >= len(e.entries) {
		return
	}
	if entry != e.at {
		e.at, e.home = entry, fresh
		e.shown.set, e.selected, e.lit = nil, nil, nil
	}
	n := len(e.group().Snapshots)
	if phase < 0 || phase >= n {
		phase = n - 1
	}
	e.phase = phase
	e.draw()
	e.code.look()
	if e.Phased != nil {
		e.Phased()
	}
	e.tell(all...)
}

// all are the panes that may show something else after a step.
var all = []shell.Slot{shell.Code, shell.Flow, shell.Phases, shell.Properties, shell.Source, shell.Timeline}

// Step shows another phase of the function.
func (e *Explorer) Step(phase int) {
	if phase != e.phase && phase >= 0 && phase < e.Phases() {
		e.choose(e.at, phase)
	}
}

// wanted is what is to be drawn now.
func (e *Explorer) wanted() request {
	r := request{group: e.group(), set: e.shown.set, filters: e.shown.filters, blocks: e.shown.blocks,
		whole: e.shown.whole, lent: e.Lend != nil, level: e.Level}
	if e.shown.differs && e.shown.base.entry < len(e.entries) {
		if g := e.entries[e.shown.base.entry].Group; e.shown.base.phase < len(g.Snapshots) {
			r.from = g.Snapshots[e.shown.base.phase]
		}
	}
	if r.group == nil {
		return r
	}
	switch {
	case e.shown.steady == overNone || r.from != nil:
		r.first, r.behind = e.phase, e.phase+1
	case e.shown.steady == overAll:
		r.behind = len(r.group.Snapshots)
	case len(r.set) > 0:
		r.first, r.behind = r.set.Together(r.group.Snapshots, e.phase)
	default:
		r.first, r.behind = e.stretch(r.group)
	}
	return r
}

// draw asks for the drawing of what is chosen, unless that is there or on its way.
func (e *Explorer) draw() {
	want := e.wanted()
	if want.group == nil || reflect.DeepEqual(want, e.asked) {
		return
	}
	e.asked, e.stopped, e.troubled = want, false, ""
	q := session.GraphRequest{Group: want.group, Set: want.set, Filters: want.filters, Blocks: want.blocks,
		Whole: want.whole, Level: e.Level, Effort: e.effort}
	switch {
	case want.from != nil:
		q.From, q.To, q.Pairing = want.from, e.snapshot(), depgraph.ByID
		if !slices.Contains(want.group.Snapshots, want.from) {
			q.Pairing = depgraph.Approximate
		}
	default:
		q.First, q.Behind = want.first, want.behind
	}
	if e.Lend != nil {
		q.Join = e.Lend(want.group)
	}
	if e.drawn != nil && e.of.group == want.group {
		q.Earlier = e.drawn.Series
	}
	known := e.recent.find(want)
	jobs.Start(e.host.Engine, e.key+"#graph", "drawing the graph of "+want.group.Name,
		func(ctx context.Context, report func(done, total int64)) (*session.GraphPictures, error) {
			if known != nil {
				return known, nil
			}
			return session.DrawGraphs(ctx, q, report)
		}, func(p *session.GraphPictures, err error) {
			if err != nil {
				e.troubled = err.Error()
				e.host.Failed(e.troubled)
				e.tell(shell.Code)
				return
			}
			e.arrived(want, p)
		})
}

// arrived takes a drawing.
func (e *Explorer) arrived(of request, p *session.GraphPictures) {
	before := e.anchors()
	view, other := e.code.view, e.code.last
	follows := e.drawn != nil && e.of.group == of.group && e.home != fresh && e.drawn.Series.Layout != p.Series.Layout
	filtered := !slices.Equal(e.of.filters, of.filters)
	e.drawn, e.of = p, of
	e.recent.keep(of, p)
	switch {
	case e.home == fresh:
		if len(e.selected) == 0 {
			e.selected = e.nodesOf(e.link.State().Selected)
		}
		e.code.begin()
	case e.home == found:
		e.code.reveal(e.selected)
	case e.home == returned:
		e.code.view = e.backTo
	case e.home == widened && e.code.widen():
	case len(before) > 0:
		if e.code.hold(before); filtered {
			e.code.fill()
		}
		if e.home == compared {
			e.code.seekChange()
		}
	default:
		e.code.begin()
	}
	e.home = stay
	if follows && other != nil {
		e.code.fly(view, other)
	}
	e.host.Log("graph", "function", of.group.Name, "phase", e.phase, "nodes", len(e.picture().Graph.Nodes), "open",
		len(of.set), "crossings", p.Series.Layout.Crossings)
	e.tellStopped()
	e.flow.redraw()
	e.tell(all...)
	if then := e.after; then != nil {
		e.after = nil
		then()
	}
}

// picture is that of the phase, nil while there is none.
func (e *Explorer) picture() *codegraph.Picture {
	if e.drawn == nil || e.of.group != e.group() {
		return nil
	}
	i := e.index()
	if i < 0 || i >= len(e.drawn.Pictures) {
		return nil
	}
	return e.drawn.Pictures[i]
}

// index is that of the phase's picture.
func (e *Explorer) index() int {
	if e.of.from != nil {
		return 0
	}
	return e.phase - e.of.first
}

// stretch is the stretch of phases, between which little changes, that the shown one belongs to.
func (e *Explorer) stretch(g *irgraph.Group) (first, behind int) {
	if e.stretchOf != g {
		e.stretches, e.stretchOf = depgraph.Stretches(g.Snapshots), g
	}
	behind = len(g.Snapshots)
	for _, at := range e.stretches {
		if at > e.phase {
			return first, at
		}
		first = at
	}
	return first, behind
}

// results are what became of the filters in the picture that is shown.
func (e *Explorer) results() []filter.Result {
	if e.drawn == nil || e.index() < 0 || e.index() >= len(e.drawn.Results) ||
		len(e.drawn.Results[e.index()]) != len(e.shown.filters) {
		return nil
	}
	return e.drawn.Results[e.index()]
}

// decide makes an undoable step; name says what it changes.
func (e *Explorer) decide(name string, change func(c *choices)) {
	next := e.shown
	change(&next)
	if reflect.DeepEqual(next, e.shown) {
		return
	}
	link.Choose(e.link, name, &e.shown, next, func() {
		e.draw()
		e.tell(all...)
	})
}

// Stopped says that the user has cancelled the work.
func (e *Explorer) Stopped() {
	if e.drawn == nil || !reflect.DeepEqual(e.of, e.asked) {
		e.stopped, e.asked = true, request{}
	}
}

// Again takes up what was cancelled.
func (e *Explorer) Again() { e.draw() }

// Refresh draws again with what a recording says now.
func (e *Explorer) Refresh() {
	e.asked, e.recent = request{}, nil
	e.draw()
}

// Lends sets what a recording says of nodes: what join gives for a function says it of a snapshot; level is that of the
// caches whose misses are counted, cache its name.
func (e *Explorer) Lends(join func(g *irgraph.Group) func(s *irgraph.Snapshot) *heat.Joined, level int, cache string) {
	e.Lend, e.Level, e.Cache = join, level, cache
}

// ByMisses lets misses give nodes their colour, where a recording is open.
func (e *Explorer) ByMisses() { e.shown.color = codegraph.ByMisses }

// Shown tells whether the pane of the graph has been drawn yet.
func (e *Explorer) Shown() bool { return e.code.drawn }

// State is what the pane of the graph shows.
func (e *Explorer) State(theme palette.Theme) codegraph.State { return e.code.state(theme) }
