package graphs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"orrery/analysis/depgraph"
	"orrery/analysis/depgraph/layout"
	"orrery/app/jobs"
	"orrery/app/panes"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/traceio/irgraph"
	"orrery/views/codegraph"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/words"
)

// flowView is the control flow: the basic blocks of the phase, approximate ones where the compiler has none yet. A
// block stands for its nodes: selecting one selects them, and the blocks of selected nodes are lit.
type flowView struct {
	panes.Base
	e     *Explorer
	view  codegraph.View
	size  scene.Size
	fit   bool
	hover codegraph.Target
	from  codegraph.View

	pictures []*codegraph.Picture
	members  [][][]string           // by picture and block, the IDs of its nodes
	guessed  []bool                 // by picture: the schedule is an approximation
	of       *session.GraphPictures // what they were made from
	last     *codegraph.Picture     // that was drawn
	lit      string                 // the blocks that were brought into view last
}

func (v *flowView) caption() string {
	i, ok := v.index()
	if !ok {
		return ""
	}
	text := v.e.phaseName() + " · " + words.Plural(len(v.members[i]), "block")
	if v.guessed[i] || v.e.drawn.Guessed[i] {
		text += " · approximate schedule"
	}
	return text
}

// index is that of the phase's picture.
func (v *flowView) index() (int, bool) {
	if v.e.drawn == nil || v.of != v.e.drawn {
		return 0, false
	}
	i := v.e.index()
	return i, i >= 0 && i < len(v.pictures)
}

// flowDrawing is what the job makes.
type flowDrawing struct {
	pictures []*codegraph.Picture
	members  [][][]string
	guessed  []bool
}

// redraw makes the pictures of the snapshots that are drawn now, unless they are there.
func (v *flowView) redraw() {
	e, drawn, effort := v.e, v.e.drawn, v.e.effort
	if v.of != nil && slices.Equal(v.of.Snapshots, drawn.Snapshots) {
		v.of = drawn
		return
	}
	jobs.Start(e.host.Engine, e.key+"#flow", "finding the control flow of "+e.of.group.Name,
		func(ctx context.Context, report func(done, total int64)) (*flowDrawing, error) {
			return drawFlow(ctx, drawn.Snapshots, effort, report)
		}, func(f *flowDrawing, err error) {
			if err != nil {
				e.host.Failed("The control flow was not drawn: " + err.Error())
				return
			}
			v.fit = v.fit || v.pictures == nil || e.drawn != v.of
			v.pictures, v.members, v.guessed, v.of = f.pictures, f.members, f.guessed, drawn
			e.tell(shell.Flow)
		})
}

// drawFlow draws phases that follow each other and have the same blocks together, so that these stay where they are.
// Others have nothing to do with each other: guessed blocks have no names of their own, and together all would take the
// room of each of them.
func drawFlow(ctx context.Context, snapshots []*irgraph.Snapshot, effort float64,
	report func(done, total int64)) (*flowDrawing, error) {
	out := &flowDrawing{}
	var graphs []*depgraph.Graph
	for _, s := range snapshots {
		scheduled := depgraph.Schedule(s)
		g, members := flowOf(scheduled)
		graphs = append(graphs, g)
		out.members = append(out.members, members)
		out.guessed = append(out.guessed, len(s.Blocks) == 0 && len(scheduled.Blocks) > 0)
	}
	a := depgraph.Arrangement{Size: codegraph.Measure, Options: layout.Options{NodeGap: 18, LayerGap: 20, Effort: effort}}
	for first := 0; first < len(graphs); {
		behind := first + 1
		for behind < len(graphs) && sameFlow(graphs[first], graphs[behind]) {
			behind++
		}
		series, err := depgraph.Arrange(ctx, graphs[first:behind], a, nil)
		if err != nil {
			return nil, err
		}
		index := layout.NewIndex(series.Layout)
		for i, g := range graphs[first:behind] {
			out.pictures = append(out.pictures, codegraph.NewPicture(g, nil, series, i, index))
		}
		first = behind
		report(int64(first), int64(len(graphs)))
	}
	return out, nil
}

// sameFlow tells whether two graphs of blocks have the same blocks with the same ways between them.
func sameFlow(a, b *depgraph.Graph) bool {
	return slices.EqualFunc(a.Nodes, b.Nodes, func(x, y depgraph.Node) bool { return x.ID == y.ID }) &&
		slices.EqualFunc(a.Edges, b.Edges, func(x, y depgraph.Edge) bool { return x.From == y.From && x.To == y.To })
}

// flowOf makes a graph of blocks.
func flowOf(s *irgraph.Snapshot) (*depgraph.Graph, [][]string) {
	g := &depgraph.Graph{Name: s.Name}
	members := make([][]string, len(s.Blocks))
	for b, x := range s.Blocks {
		access := 0
		lines := ""
		for _, n := range x.Nodes {
			members[b] = append(members[b], s.Nodes[n].ID)
			p := s.Nodes[n].Properties
			if p.Get(irgraph.KeyAccess) != "" {
				access++
			}
			lines += s.Nodes[n].ID + " " + s.Nodes[n].Name() + "; "
		}
		name := words.Plural(len(x.Nodes), "node")
		if access > 0 {
			name += fmt.Sprintf(", %d of memory", access)
		}
		g.Nodes = append(g.Nodes, depgraph.Node{ID: x.Name, Block: -1, Properties: irgraph.Properties{{Key: irgraph.KeyName,
			Value: name}, {Key: irgraph.KeyLabel, Value: cut(lines, 160)}}})
		for i, to := range x.Successors {
			g.Edges = append(g.Edges, depgraph.Edge{From: int32(b), To: to, FromSlot: int32(i), Of: -1,
				Properties: irgraph.Properties{{Key: irgraph.KeyType, Value: "control"}}})
		}
	}
	g.CountSlots()
	return g, members
}

// cut is the beginning of a text.
func cut(s string, n int) string {
	if len(s) > n {
		return s[:n] + "…"
	}
	return s
}

func (v *flowView) state(theme palette.Theme) codegraph.State {
	s := codegraph.State{Theme: theme, View: v.view, Hover: v.hover, Satellite: codegraph.Hidden,
		Empty: v.e.beside("The basic blocks of the function are here.")}
	i, ok := v.index()
	if !ok {
		if v.e.picture() != nil {
			s.Empty = "Finding the control flow …"
		}
		if v.e.coming() { // better the blocks before than none
			s.Picture, s.Hover = v.last, codegraph.Nowhere()
		}
		return s
	}
	if len(v.members[i]) == 0 {
		s.Empty = "This phase has no nodes."
		return s
	}
	s.Picture = v.pictures[i]
	if v.hover.Node >= len(v.members[i]) || v.hover.Edge >= len(s.Picture.Graph.Edges) {
		s.Hover = codegraph.Nowhere()
	}
	var lit []string
	for b, ids := range v.members[i] {
		for _, id := range ids {
			if v.e.selected.Has(id) {
				lit = append(lit, s.Picture.Graph.Nodes[b].ID)
				break
			}
		}
	}
	s.Selected = depgraph.NewSet(lit...)
	return s
}

func (v *flowView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	s := v.state(theme)
	if s.Picture != nil && v.last != nil && s.Picture.Layout != v.last.Layout {
		v.fit = true
	}
	if s.Picture != nil && (v.fit || v.size.W == 0 || v.view == fitFlow(s.Picture, v.size)) {
		v.view, v.fit = fitFlow(s.Picture, size), false
		s.View = v.view
	}
	if now := strings.Join(s.Selected, " "); s.Picture != nil && now != v.lit {
		v.lit = now
		if at, ok := s.Picture.FitNodes(s.Selected, size, 0, v.view.Zoom); ok && !s.Picture.ShowsAll(v.view,
			size, 0, s.Selected) {
			v.view = s.Picture.Within(codegraph.View{Center: at.Center, Zoom: v.view.Zoom}, size, 0)
			s.View = v.view
		}
	}
	if v.size = size; s.Picture != nil {
		v.last = s.Picture
	}
	return codegraph.Scene(s, size)
}

// fitFlow shows all blocks, and in a low pane as many as can be read, from the first one on. There is no legend that
// needs room.
func fitFlow(p *codegraph.Picture, size scene.Size) codegraph.View {
	view := p.Fit(size, -30)
	if view.Zoom >= 0.55 || len(p.Graph.Nodes) == 0 {
		return view
	}
	entry := p.Box(0)
	return p.Within(codegraph.View{Center: layout.Point{X: (entry.Min.X + entry.Max.X) / 2, Y: entry.Min.Y}, Zoom: 0.7},
		size, 0)
}

func (v *flowView) hit(e pane.Event) codegraph.Target {
	if _, ok := v.index(); !ok {
		return codegraph.Nowhere()
	}
	return codegraph.Hit(v.state(e.Theme), e.Size, e.At)
}

func (v *flowView) Moved(e pane.Event) {
	t := v.hit(e)
	t.Place = layout.Point{}
	if t != v.hover {
		v.hover = t
		v.Redraw()
	}
}

func (v *flowView) Left() {
	v.hover = codegraph.Nowhere()
	v.Redraw()
}

func (v *flowView) Tip(e pane.Event) []string {
	if s := v.state(e.Theme); s.Picture != nil {
		return s.Picture.Words(v.hit(e))
	}
	return nil
}

// Pressed selects the nodes of a block.
func (v *flowView) Pressed(e pane.Event) {
	v.from = v.view
	i, ok := v.index()
	if t := v.hit(e); ok && t.Node >= 0 && e.Button == pane.Primary {
		ids := depgraph.NewSet(v.members[i][t.Node]...)
		if e.Mods.Control || e.Mods.Shift {
			ids = ids.With(v.e.selected...)
		}
		v.e.choosing(ids)
		v.e.code.reveal(ids)
	}
}

// DoubleTapped opens the nodes of a block in the graph.
func (v *flowView) DoubleTapped(e pane.Event) {
	i, ok := v.index()
	if t := v.hit(e); ok && t.Node >= 0 {
		v.e.home = found
		v.e.open("open a block", depgraph.NewSet(v.members[i][t.Node]...))
	} else {
		v.Fit()
	}
}

func (v *flowView) Dragged(e pane.Event, from scene.Point) {
	z := max(v.view.Zoom, 1e-6)
	v.view.Center.X, v.view.Center.Y = v.from.Center.X-(e.At.X-from.X)/z, v.from.Center.Y-(e.At.Y-from.Y)/z
	v.Redraw()
}

func (v *flowView) Scrolled(e pane.Event, _, dy float64) {
	if dy > 0 {
		v.Zoom(e, 1.16)
	} else if dy < 0 {
		v.Zoom(e, 1/1.16)
	}
}

// Zoom implements pane.Zoomer.
func (v *flowView) Zoom(e pane.Event, factor float64) {
	v.view = v.view.Zoomed(e.Size, 0, e.At, factor)
	v.Redraw()
}

// Pan implements pane.Zoomer.
func (v *flowView) Pan(dx, dy float64) {
	z := max(v.view.Zoom, 1e-6)
	v.view.Center.X += dx * v.size.W / z
	v.view.Center.Y += dy * v.size.H / z
	v.Redraw()
}

// Fit implements pane.Zoomer.
func (v *flowView) Fit() {
	v.fit = true
	v.Redraw()
}

func (v *flowView) Concerns(_, _ link.State) bool { return false }
