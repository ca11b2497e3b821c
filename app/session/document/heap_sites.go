package document

import (
	"context"
	"slices"

	"orrery/analysis/heap"
	"orrery/app/jobs"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/flame"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/table"
)

// heapSites is the flame graph and the table of the places that allocate.
type heapSites struct {
	of     *heap.Heap // what follows is of it
	tree   *heap.Node
	usage  *heap.Usage // nil while it is being observed, or without references
	asked  *heap.Heap
	rows   session.HeapTable
	theme  string
	sort   int
	upward bool
	scroll float64
	across float64
	flamed float64 // how far the graph is scrolled
}

// gather starts what the graph and the table show: the tree, and in a recording with references the use of every block.
func (v *heapView) gather() {
	d, x, h := v.d, &v.sites, v.heap()
	if x.of != h {
		*x = heapSites{of: h, sort: x.sort, upward: x.upward}
	}
	if x.asked == h || d.stopped {
		return
	}
	x.asked = h
	jobs.Start(d.host.Engine, d.key("heap tree"), "gathering call stacks", func(context.Context, func(done, total int64)) (*heap.Node, error) {
		return h.Tree(), nil
	}, func(tree *heap.Node, err error) {
		if err == nil && x.of == h {
			x.tree = tree
			d.changed(shell.Heap)
		}
	})
	rec := d.rec
	if rec.EventsOnly() || rec.Live() || rec.Sampled() {
		return
	}
	jobs.Start(d.host.Engine, d.key("heap use"), "following references into blocks", func(ctx context.Context, report func(done, total int64)) (*heap.Usage, error) {
		return heap.Observe(ctx, h, rec, report)
	}, func(u *heap.Usage, err error) {
		switch {
		case err != nil:
			d.host.Notice(sentence(err))
		case x.of == h:
			x.usage, x.theme = u, ""
			d.changed(shell.Heap)
		}
	})
}

// flame is the graph's state.
func (v *heapView) flame(theme palette.Theme) flame.State {
	v.gather()
	l := v.d.link.State()
	return flame.State{Theme: theme, Root: v.sites.tree, Metric: v.shown.metric, Focus: v.shown.focus, Color: flame.BySite, Sites: v.state(theme).Sites, Top: heapHead, Scroll: v.sites.flamed, Hover: l.Hover, Selected: l.Selected}
}

func (v *heapView) drawFlame(size scene.Size, theme palette.Theme) scene.Drawing {
	return flame.Scene(v.flame(theme), size)
}

func (v *heapView) hitFlame(e pane.Event) flame.Target {
	return flame.Hit(v.flame(v.d.theme), e.Size, e.At)
}

// pressFlame selects a function: the map then lights the blocks that come from it.
func (v *heapView) pressFlame(e pane.Event) {
	v.d.link.Select(v.hitFlame(e).Thing, "heap")
}

// refocus fills the graph's width with a node.
func (v *heapView) refocus(way []int) {
	if !slices.Equal(way, v.shown.focus) {
		v.choose("part of the flame graph", func(c *heapChoices) { c.focus = way })
	}
}

func (v *heapView) scrollFlame(e pane.Event, dy float64) {
	most := max(0, flame.Tall(v.flame(v.d.theme), e.Size)-(e.Size.H-heapHead-8))
	v.sites.flamed = min(max(0, v.sites.flamed-40*dy), most)
	v.d.changed(shell.Heap)
}

// table is the table's state.
func (v *heapView) table(theme palette.Theme) table.State {
	v.gather()
	x := &v.sites
	if x.theme != theme.Name {
		s := v.state(theme)
		x.rows, x.theme = session.HeapSites(s.Heap, x.usage, s.Sites), theme.Name
	}
	l := v.d.link.State()
	s := table.State{Theme: theme, Title: "allocated at", Columns: x.rows.Columns, Rows: x.rows.Rows, Sort: min(x.sort, len(x.rows.Columns)-1), Upward: x.upward, Over: -1,
		Scroll: x.scroll, Across: x.across, Hover: l.Hover, Selected: l.Selected, Empty: "No allocations in this recording."}
	s.Order = table.Arrange(s)
	return s
}

// below is the room of the table: between the controls and the sentences.
func (v *heapView) below(size scene.Size) scene.Size {
	size.H -= heapHead + 16*float64(len(v.sentences()))
	return size
}

// sentences are what is worth saying of how the blocks are used.
func (v *heapView) sentences() []string {
	if v.sites.usage == nil {
		return nil
	}
	return v.sites.usage.Sentences(v.sites.of, 2)
}

func (v *heapView) drawSites(size scene.Size, theme palette.Theme) scene.Drawing {
	d := table.Scene(v.table(theme), v.below(size))
	d.Shapes, d.Size = scene.Move(d.Shapes, 0, heapHead), size
	text := v.sentences()
	for i, s := range text {
		d.Add(scene.Text{At: scene.Point{X: 12, Y: size.H - 5 - 16*float64(len(text)-1-i)}, Size: 11, Color: theme.Text, Max: size.W - 24, S: s})
	}
	return d
}

func (v *heapView) hitSites(e pane.Event) table.Target {
	e.At.Y -= heapHead
	return table.Hit(v.table(v.d.theme), v.below(e.Size), e.At)
}

// pressSites selects a site, or sorts.
func (v *heapView) pressSites(e pane.Event) {
	t := v.hitSites(e)
	if t.Head {
		s := table.Press(v.table(v.d.theme), t.Column)
		next := v.sites
		next.sort, next.upward = s.Sort, s.Upward
		link.Choose(v.d.link, "order of the sites", &v.sites, next, func() { v.d.changed(shell.Heap) })
		return
	}
	v.d.link.Select(t.Thing, "heap")
}

func (v *heapView) scrollSites(e pane.Event, dx, dy float64) {
	s := v.table(v.d.theme)
	down, across := table.Overflow(s, v.below(e.Size))
	v.sites.scroll = min(max(0, v.sites.scroll-40*dy), down)
	v.sites.across = min(max(0, v.sites.across-40*dx), across)
	v.d.changed(shell.Heap)
}
