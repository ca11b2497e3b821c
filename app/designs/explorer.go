// Package designs is a design space as the window sees it: the document of a table of evaluated designs, and the
// panes that a recording's document shows for the cache hierarchies that are searched for it. An Explorer holds the
// space with everything the user chose of it; its panes share nothing else but the link.
package designs

import (
	"context"
	"encoding/json"

	"orrery/analysis/dse"
	"orrery/app/jobs"
	"orrery/app/panes"
	"orrery/app/shell"
	"orrery/traceio/designs"
	"orrery/views/dsetree"
	"orrery/views/link"
	"orrery/views/words"
)

// Explorer is one design space. Its methods belong to the interface's goroutine.
type Explorer struct {
	host  shell.Host
	panes *panes.Set
	link  *link.Link
	path  string // what its jobs are called by
	tell  func(...shell.Slot)

	space   *dse.Space // nil until it is known
	then    *dse.Space // space, or that as of the generation that is shown: what tree and filter are of
	tree    *dse.Tree
	columns *dsetree.Columns
	shade   *dsetree.Shade
	filter  *dse.Filter
	passing []int32 // of Tree.Passing for the filter now; nil while all pass
	shown   choices
	applied criteria // what the filter has
	passed  int32    // the generation that the filter has
	now     int32    // the generation of the animation; negative for all
	far     float64  // the greatest distance from the Pareto set of farOf
	farOf   *dse.Space
	empty   string // why there is nothing to see

	blinks   int32 // the generation whose new nodes are to blink when its tree is there; negative for none
	treeView *treeView
	askRoles func() // asks what the columns of the table mean; nil where nobody can say
	side     side
	views    []shell.Placed
	wanted   json.RawMessage // choices of a session, until there is a space to choose in
	hunt     *hunt           // the search that finds the designs; nil for those of a table
	folded   map[int32]bool  // the collapsed nodes of foldedOf
	foldedOf foldedKey

	// RunDesign runs the hierarchy of a design in the cache view (D17); nil where designs are no hierarchies.
	RunDesign func(set *designs.Set, point int)
}

// NewExplorer is an explorer without a space. path is what its jobs are called by.
func NewExplorer(host shell.Host, l *link.Link, path string) *Explorer {
	e := &Explorer{host: host, link: l, path: path, now: dse.None, blinks: dse.None,
		shown: firstChoices(), empty: "The design space is being prepared …"}
	e.panes = panes.NewSet(l, &e.host, e.key(""))
	return e
}

// Watch sets who hears of new pictures.
func (e *Explorer) Watch(changed func(...shell.Slot)) {
	e.tell = changed
	e.panes.Watch(changed)
}

// Space is what is explored, nil while there is none.
func (e *Explorer) Space() *dse.Space { return e.space }

// Pass are the points that the filter keeps, nil for all. They are good until the filter changes.
func (e *Explorer) Pass() *dse.Bits {
	if e.filter == nil || !e.filter.Active() {
		return nil
	}
	return e.filter.Pass()
}

// changed tells that pictures have changed, all of them when no slot is named.
func (e *Explorer) changed(slots ...shell.Slot) {
	if e.tell != nil {
		e.tell(slots...)
	}
}

// key names a job.
func (e *Explorer) key(what string) string { return e.path + "#designs " + what }

// few is how many nodes a tree has at most of which everything is computed at once, without a job.
const few = 60_000

// Take makes another space the one that is explored. What the user chose stays as far as it has a meaning there.
func (e *Explorer) Take(space *dse.Space) {
	first := e.space == nil
	if e.space = space; first || len(e.shown.look.Of) == 0 || !e.shown.fits(space) {
		e.shown = choicesOf(space)
	}
	if e.wanted != nil {
		e.takeUp()
	}
	e.see(space)
	e.grow()
}

// see makes a space, or as what it was known, the one that tree and filter are of.
func (e *Explorer) see(then *dse.Space) {
	e.then, e.filter, e.applied, e.passed = then, dse.NewFilter(then), criteria{}, dse.None
	e.apply()
}

// grow makes the tree anew: another order, another threshold, other points, fronts as of another generation.
func (e *Explorer) grow() {
	space, order, threshold, upTo := e.space, e.shown.order, e.shown.threshold, e.upTo()
	if space == nil {
		return
	}
	take := func(t *dse.Tree, err error) {
		if err != nil {
			e.host.Failed(err.Error())
			return
		}
		if e.space != space {
			return
		}
		if e.then != t.Space {
			e.see(t.Space)
		}
		e.tree, e.columns, e.passing = t, nil, nil
		e.arrange()
		e.blink()
	}
	plant := func(ctx context.Context) (*dse.Tree, error) {
		then, err := space.AsOf(ctx, upTo)
		if err != nil {
			return nil, err
		}
		return dse.NewTree(then, order, threshold)
	}
	if space.N < few/2 {
		take(plant(context.Background()))
		return
	}
	jobs.Start(e.host.Engine, e.key("tree"), "growing the tree of "+words.Count(space.N)+" designs",
		func(ctx context.Context, _ func(done, total int64)) (*dse.Tree, error) {
			return plant(ctx)
		}, take)
}

// arrange lays the visible part of the tree out and colours it. Until that is done what the filter hides is faint.
func (e *Explorer) arrange() {
	t := e.tree
	if t == nil {
		return
	}
	hide, look := e.hide(), e.shown.look
	pass := e.Pass()
	e.passing = hide.Passing
	columns := func(pass *dse.Bits) *dsetree.Columns { return dsetree.NewColumns(t, look, pass) }
	if before := e.columns; before != nil && before.Tree == t {
		columns = func(pass *dse.Bits) *dsetree.Columns { return before.Again(look, pass) }
	}
	if t.Len() < few {
		e.columns = columns(pass)
		e.shade = dsetree.NewShade(t.Layout(hide), e.columns)
		e.arranged()
		return
	}
	var kept *dse.Bits
	if pass != nil { // the filter's own changes
		kept = dse.NewBits(pass.Len())
		kept.Fill()
		kept.And(pass)
	}
	if e.shade == nil {
		e.empty = "The tree is being laid out …"
	}
	e.changed()
	jobs.Start(e.host.Engine, e.key("layout"), "laying out "+words.Count(t.Len())+" nodes",
		func(ctx context.Context, _ func(done, total int64)) (*dsetree.Shade, error) {
			return dsetree.NewShade(t.Layout(hide), columns(kept)), ctx.Err()
		}, func(s *dsetree.Shade, err error) {
			if err == nil && e.tree == t {
				e.shade, e.columns = s, s.Columns
				e.arranged()
			}
		})
}

// arranged tells what is to be seen now.
func (e *Explorer) arranged() {
	if e.host.Log != nil {
		n := e.space.N
		if pass := e.Pass(); pass != nil {
			n = pass.Count()
		}
		e.host.Log("designs", "pass", n, "of", e.space.N, "nodes", len(e.shade.Layout.Nodes))
	}
	e.changed()
}

// hide is what is not laid out now.
func (e *Explorer) hide() dse.Hide {
	h := dse.Hide{UpTo: -1}
	if e.filter.Active() {
		h = e.filter.Hide(e.tree)
	}
	h.Empty, h.Collapsed = e.shown.hideEmpty, e.foldedNow()
	return h
}

// Point is the design that is selected, negative for none.
func (e *Explorer) Point() int32 {
	t := e.link.State().Selected
	if t.What != link.Design || e.space == nil || t.ID < 0 || t.ID >= e.space.N {
		return dse.None
	}
	return int32(t.ID)
}

// Subspace is the subspace that is selected, negative for none: that of the selected design, or one by itself.
func (e *Explorer) Subspace() int32 {
	if p := e.Point(); p >= 0 {
		return e.space.Subspace[p]
	}
	if t := e.link.State().Selected; t.What == link.Subspace && e.space != nil && t.ID >= 0 && t.ID < len(e.space.Combos) {
		return int32(t.ID)
	}
	return dse.None
}

// Design is a point as views agree on it.
func Design(p int32) link.Thing { return link.OfDesign(int(p)) }

// show brings a pane to the front where there is a window.
func (e *Explorer) show(s shell.Slot) {
	if e.host.Show != nil {
		e.host.Show(s)
	}
}

// Close cancels what is under way.
func (e *Explorer) Close() {
	e.tell = nil
	e.host.Engine.CancelUnder(e.path + "#designs ")
}
