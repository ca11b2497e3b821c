package designs

import (
	"fmt"
	"slices"
	"time"

	"orrery/analysis/dse"
	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	"orrery/views/dsetree"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/words"

	"fyne.io/fyne/v2"
)

// treeView is the VMODEX tree.
type treeView struct {
	panes.Base
	e   *Explorer
	bar toolbar.Bar

	zoom, origin float64
	pointer      scene.Point
	hover        int32
	edge         int32
	counted      int32
	focus        int32
	drag         dsetree.Drag
	grip         grip
	size         scene.Size // of the last picture
	paper        *dsetree.Paper

	selected link.Thing // whose nodes are kept
	of       *dse.Tree
	nodes    []int32

	fresh    []int32
	blink    float64
	blinking *fyne.Animation
}

// grip is what a drag moves.
type grip struct {
	what   gripped
	origin float64 // of the picture, when the drag began
	place  float64 // in the satellite, where it did
}

type gripped uint8

const (
	gripNothing gripped = iota
	gripPicture
	gripLevel
	gripSatellite
)

func newTreeView(e *Explorer, b panes.Base) *treeView {
	v := &treeView{Base: b, e: e, zoom: 1, hover: dse.None, edge: dse.None, counted: dse.None, focus: dse.None,
		paper: new(dsetree.Paper)}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	e.treeView = v
	return v
}

// bar is how tall the row of chips is.
const bar = 28

func (v *treeView) caption() string {
	s := v.e.then
	if v.e.space == nil {
		return ""
	}
	front := 0
	for _, g := range s.Global {
		if g {
			front++
		}
	}
	text := fmt.Sprintf("%s on the front of %s", words.Count(front), words.Count(len(s.Order))) + v.e.when()
	if s.UpTo != dse.None {
		text += ", fronts as of then"
	}
	return text
}

// when says which generation is shown.
func (e *Explorer) when() string {
	switch {
	case e.space == nil || !e.space.Generations.Known():
		return ""
	case e.now < 0:
		return fmt.Sprintf(" · all %d generations", e.space.Generations.Count)
	}
	return fmt.Sprintf(" · generation %d of %d", e.now, e.space.Generations.Count-1)
}

// state is the picture.
func (v *treeView) state(theme palette.Theme) dsetree.State {
	e := v.e
	s := dsetree.State{Theme: theme, Shade: e.shade, Passing: e.passing, Look: e.shown.look, Zoom: v.zoom,
		Origin: v.origin, Bird: e.shown.bird, Pointer: v.pointer,
		Satellite: e.shown.satellite && v.zoom > 1.01, Counted: v.counted, Edge: v.edge, Hover: v.hover, Focus: v.focus,
		Fresh: v.fresh, Blink: v.blink,
		Drag: v.drag, Paper: v.paper, Empty: e.empty, Top: bar}
	if e.shade == nil {
		if h := e.hunt; h != nil && h.work == nil {
			s.Empty = "No cache hierarchies were searched for this recording yet. Click here to search: NSGA-II tries them on " +
				"it, and their tree grows while it runs."
			if why := h.why(); why != "" {
				s.Empty = why
			}
		}
		return s
	}
	if e.shade.Layout.Tree != e.tree { // another tree is being laid out
		s.Passing = nil
	}
	s.Collapsed = e.foldedNow()
	if side := e.side.subspaces; side.shown.chosen != nil && e.space.Set == e.shade.Layout.Tree.Space.Set {
		s.Compared = side.comparison()
	}
	s.Selected = v.selection()
	s.Words = e.counts()
	s.Note = e.space.Note
	return s
}

// selection are the nodes of what is selected.
func (v *treeView) selection() []int32 {
	thing, t := v.e.link.State().Selected, v.e.shade.Layout.Tree
	if thing == v.selected && t == v.of {
		return v.nodes
	}
	v.selected, v.of, v.nodes = thing, t, nil
	switch {
	case v.e.space.Set != t.Space.Set:
	case thing.What == link.Design && v.e.Point() >= 0:
		v.nodes = t.Nodes(v.e.Point())
		slices.Sort(v.nodes)
	case thing.What == link.Subspace && v.e.Subspace() >= 0:
		level := len(t.Order)
		for n := t.Start[level]; n < t.Start[level+1]; n++ {
			if t.Subspace[n] == v.e.Subspace() {
				v.nodes = []int32{n}
			}
		}
	}
	if len(v.nodes) > 0 && v.e.link.State().Origin != "designs" {
		v.reveal(v.nodes[0])
	}
	return v.nodes
}

// reveal brings a node into the picture.
func (v *treeView) reveal(n int32) {
	l := v.e.shade.Layout
	i := l.Find(n)
	if i < 0 {
		return
	}
	if width, shown := v.room(); shown < width && (l.X[i] < v.origin || l.X[i] > v.origin+shown) {
		v.move(l.X[i] - shown/2)
	}
}

// room is the width of the tree and how much of it is shown.
func (v *treeView) room() (width, shown float64) {
	s := dsetree.State{Shade: v.e.shade, Zoom: v.zoom, Top: bar}
	return dsetree.Room(&s, v.size)
}

// move shows the picture from a coordinate of the tree on.
func (v *treeView) move(origin float64) {
	width, shown := v.room()
	v.origin = max(0, min(origin, width-shown))
}

func (v *treeView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	v.size = size
	if v.zoom > 1 && v.e.shade != nil { // of a session, or of a tree that is narrower now
		v.move(v.origin)
	}
	s := v.state(theme)
	d := dsetree.Scene(s, size)
	v.bar.Draw(&d, v.controls(theme), theme)
	return d
}

// Print implements shell.Printer: a picture that is kept has pixels of its own.
func (v *treeView) Print(size scene.Size, theme palette.Theme) func() scene.Drawing {
	paper := v.paper
	v.paper = nil
	d := v.Draw(size, theme)
	v.paper = paper
	return func() scene.Drawing { return d }
}

func (v *treeView) controls(theme palette.Theme) []toolbar.Placed {
	return v.bar.Left(v.chips(), theme)
}

func (v *treeView) Concerns(old, now link.State) bool {
	return old.Selected != now.Selected || v.e.hunt == nil && old.Cursor != now.Cursor
}

// pulse lets nodes blink three times.
func (v *treeView) pulse(fresh []int32) {
	if v.blinking != nil {
		v.blinking.Stop()
	}
	v.fresh, v.blink = fresh, still
	if len(fresh) == 0 || fyne.CurrentApp() == nil {
		return
	}
	v.blinking = pane.Glide(1200*time.Millisecond, func(done float32) {
		if v.blink = triangleWave(3 * float64(done)); done >= 1 {
			v.blink = still
		}
		v.Redraw()
	})
}

// still is how bright fresh nodes stay when they have blinked, or where the user wants no motion.
const still = 0.35

// triangleWave falls from 1 to 0 and rises again once in each unit.
func triangleWave(x float64) float64 {
	x -= float64(int(x))
	return max(2*x-1, 1-2*x)
}
