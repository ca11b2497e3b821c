package document

import (
	"context"
	"fmt"

	"orrery/app/jobs"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/cachesim"
	"orrery/views/barcode"
	"orrery/views/chooser"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/spiral"
)

// cyclesPicture says what the cycles pane draws.
type cyclesPicture int

// The pictures.
const (
	asSpiral cyclesPicture = iota
	asCircle
	asPlane
	asDiagram
)

var pictureNames = []string{"Spiral", "Circle", "ISOMAP", "Diagram"}

// samplings are the choices of how many references one stands for.
var samplings = []int{1, 2, 5, 10, 20, 50, 100}

// scales are the choices of the scale at which angles are computed, from birth to death.
var scales = []struct {
	title string
	scale float64
}{{"at birth", 0}, {"a quarter on", 0.25}, {"half-way", 0.5}, {"near death", 0.9}}

// choices are what the user chose in the cycles pane.
type choices struct {
	picture cyclesPicture
	by      session.ColorBy
	groups  []session.Group
	hidden  map[string]bool // labels of keys
	spliced map[int]bool    // ranks of the classes hung on the spiral
}

// extras are what some pictures need beside the analysis.
type extras struct {
	served   []cachesim.Served // for servedOf
	servedOf servedKey
	plane    *session.Plane // for planeOf
	planeOf  *session.Cycles
	refused  string          // why there is no plane
	asked    *session.Cycles // of which a plane was asked for
}

type servedKey struct {
	found  *session.Cycles
	caches *session.Caches
}

// choosers is the row of pictures at the top of the pane.
func (v *cyclesView) choosers(theme palette.Theme, size scene.Size) (row chooser.State, at scene.Point) {
	row = chooser.State{Theme: theme, Words: pictureNames, Chosen: int(v.shown.picture), Hover: v.over}
	return row, scene.Point{X: 10, Y: 8}
}

// colorChooser is at the right, where there is room for it.
func (v *cyclesView) colorChooser(theme palette.Theme, size scene.Size) (row chooser.State, at scene.Point, ok bool) {
	if v.shown.picture == asDiagram {
		return row, at, false
	}
	for _, c := range session.ColorChoices {
		if c.By == v.shown.by || c.By == session.ByLine && v.shown.by == "" {
			row = chooser.State{Theme: theme, Words: []string{"colour: " + c.Title}, Chosen: -1, Hover: v.overColor - 1}
		}
	}
	left, _ := v.choosers(theme, size)
	at = scene.Point{X: size.W - chooser.Width(row) - 10, Y: 8}
	return row, at, at.X > 10+chooser.Width(left)+12
}

// tools draws the choosers over a picture; small panes have the menu alone.
func (v *cyclesView) tools(d *scene.Drawing, theme palette.Theme) {
	if !roomy(d.Size) {
		return
	}
	row, at := v.choosers(theme, d.Size)
	d.Add(chooser.Shapes(row, at)...)
	if row, at, ok := v.colorChooser(theme, d.Size); ok {
		d.Add(chooser.Shapes(row, at)...)
	}
}

func roomy(size scene.Size) bool { return size.W >= 300 && size.H >= 240 }

// tool answers a press on the choosers; false when it was elsewhere.
func (v *cyclesView) tool(e pane.Event) bool {
	if !roomy(e.Size) {
		return false
	}
	row, at := v.choosers(v.d.theme, e.Size)
	if i := chooser.Hit(row, at, e.At); i >= 0 {
		v.show(cyclesPicture(i))
		return true
	}
	if row, at, ok := v.colorChooser(v.d.theme, e.Size); ok && chooser.Hit(row, at, e.At) >= 0 {
		v.nextColor()
		return true
	}
	return false
}

// overTools tells which chooser is under the pointer, and redraws when that changes.
func (v *cyclesView) overTools(e pane.Event) bool {
	over, color := -1, 0
	if roomy(e.Size) {
		row, at := v.choosers(v.d.theme, e.Size)
		over = chooser.Hit(row, at, e.At)
		if row, at, ok := v.colorChooser(v.d.theme, e.Size); ok {
			color = chooser.Hit(row, at, e.At) + 1
		}
	}
	if over != v.over || color != v.overColor {
		v.over, v.overColor = over, color
		v.d.changed(shell.Cycles)
	}
	return over >= 0 || color > 0
}

func (v *cyclesView) show(p cyclesPicture) {
	v.shown.picture, v.camera = p, camera{zoom: 1}
	v.d.changed(shell.Cycles)
}

// nextColor goes through the choices; the group is left out while there is none, misses while nothing is simulated.
func (v *cyclesView) nextColor() {
	now := 0
	for i, c := range session.ColorChoices {
		if c.By == v.shown.by {
			now = i
		}
	}
	for k := 1; k <= len(session.ColorChoices); k++ {
		if by := session.ColorChoices[(now+k)%len(session.ColorChoices)].By; v.possible(by) {
			v.color(by)
			return
		}
	}
}

func (v *cyclesView) possible(by session.ColorBy) bool {
	return (by != session.ByGroup || len(v.shown.groups) > 0) && (by != session.ByMiss || v.d.caches != nil)
}

func (v *cyclesView) color(by session.ColorBy) {
	v.shown.by, v.shown.hidden = by, nil
	v.key = spiralKey{}
	v.d.cycles.coloring = session.Coloring{By: by, Groups: v.shown.groups}
	v.d.cycles.recoloured++
	v.d.changed(shell.Cycles, shell.Source)
}

// served are the cache levels that had the data of the windows' references; nil while nothing is simulated.
func (d *Document) served(found *session.Cycles) []cachesim.Served {
	p := &d.cycles.extras
	if found == nil || d.caches == nil {
		return nil
	}
	if of := (servedKey{found, d.caches}); of != p.servedOf {
		p.servedOf, p.served = of, nil
		if last := found.Seqs[len(found.Seqs)-1]; last < d.caches.Len() { // the simulation may still be of a shorter beginning
			p.served, _ = d.rec.Served(found, d.caches)
		}
	}
	return p.served
}

// project asks for the windows' places in the plane, unless they are at hand or on their way.
func (d *Document) project(found *session.Cycles) {
	p := &d.cycles.extras
	if found == nil || p.asked == found {
		return
	}
	p.asked = found
	rec := d.rec
	jobs.Start(d.host.Engine, d.key("plane"), "laying out windows by ISOMAP", func(ctx context.Context, report func(done, total int64)) (*session.Plane, error) {
		return rec.Project(ctx, found, report)
	}, func(plane *session.Plane, err error) {
		p.plane, p.planeOf, p.refused = plane, found, ""
		if err != nil {
			p.refused = err.Error()
		}
		d.changed(shell.Cycles)
	})
}

// onPlane turns the state of a spiral into that of the projection.
func (v *cyclesView) onPlane(s *spiral.State, found *session.Cycles) {
	v.d.project(found)
	p := &v.d.cycles.extras
	s.Shape, s.Top = spiral.Plane, lower-8
	switch {
	case p.planeOf != found:
		s.Empty = "Laying out windows by ISOMAP …"
	case p.plane == nil:
		s.Empty = p.refused
	default:
		p.plane.On(s)
	}
}

// diagram is the state of the persistence diagram and barcode.
func (v *cyclesView) diagram(theme palette.Theme) barcode.State {
	c := &v.d.cycles
	if c.found == nil {
		why := c.problem
		if why == "" {
			why = "Finding cycles …"
		}
		return barcode.State{Theme: theme, Empty: why, Current: -1, Other: -1, Hover: -1}
	}
	other := -1
	if c.from != c.to && c.morph < 1 {
		other = c.from
	}
	s := c.found.Diagram(theme, c.to, other)
	s.Hover, s.Low, s.High = v.bar, v.low, v.high
	return s
}

// lower is where pictures that fill the pane begin below the choosers.
const lower = 26.0

// below is the part of the pane below the choosers.
func below(size scene.Size) scene.Size {
	if roomy(size) {
		size.H -= lower
	}
	return size
}

// drawDiagram draws the diagram below the choosers.
func (v *cyclesView) drawDiagram(size scene.Size, theme palette.Theme) scene.Drawing {
	d := barcode.Scene(v.diagram(theme), below(size))
	d.Shapes = scene.Move(d.Shapes, 0, size.H-below(size).H)
	d.Size = size
	return d
}

func (v *cyclesView) hitBar(e pane.Event) barcode.Target {
	size := below(e.Size)
	return barcode.Hit(v.diagram(v.d.theme), size, scene.Point{X: e.At.X, Y: e.At.Y - (e.Size.H - size.H)})
}

// pressBar shows the class under the pointer and begins a brush of scales.
func (v *cyclesView) pressBar(e pane.Event) {
	t := v.hitBar(e)
	v.low, v.high, v.begun = 0, 0, t.Scale
	v.showBar(t.Bar)
	v.d.changed(shell.Cycles)
}

func (v *cyclesView) showBar(bar int) {
	c := &v.d.cycles
	if bar < 0 || c.found == nil {
		return
	}
	for i := range c.found.Parameterizations {
		if c.found.Parameterizations[i].Rank == bar+1 {
			c.choose(v.d, i)
		}
	}
}

// dragBar brushes from the scale where the drag began to the one under the pointer; bars that live elsewhere step back.
func (v *cyclesView) dragBar(e pane.Event) {
	t := v.hitBar(e)
	if t.Scale != t.Scale || v.begun != v.begun {
		return
	}
	v.low, v.high = min(v.begun, t.Scale), max(v.begun, t.Scale)
	v.d.changed(shell.Cycles)
}

// pictureMenu offers pictures, colours, sampling, the scale of angles, groups and what is spliced in.
func (v *cyclesView) pictureMenu(e pane.Event) []pane.MenuItem {
	var items []pane.MenuItem
	for i, name := range pictureNames {
		items = append(items, pane.MenuItem{Title: "Draw as " + name, Off: int(v.shown.picture) == i, Run: func() { v.show(cyclesPicture(i)) }})
	}
	items = append(items, pane.MenuItem{})
	for _, c := range session.ColorChoices {
		items = append(items, pane.MenuItem{Title: "Colour by " + c.Title, Off: v.shown.by == c.By || !v.possible(c.By), Run: func() { v.color(c.By) }})
	}
	items = append(items, v.groupMenu(e)...)
	return append(items, v.spliceMenu()...)
}

// groupMenu puts the line under the pointer into a group of the user's.
func (v *cyclesView) groupMenu(e pane.Event) []pane.MenuItem {
	t := v.hit(e)
	if t.Thing.Line == 0 {
		return nil
	}
	items := []pane.MenuItem{{}}
	m := session.Member{File: t.Thing.File, Low: t.Thing.Line, High: t.Thing.Line}
	for i := range v.shown.groups {
		items = append(items, pane.MenuItem{Title: fmt.Sprintf("Put line %d into %s", t.Thing.Line, v.shown.groups[i].Name), Run: func() { v.group(i, m) }})
	}
	return append(items, pane.MenuItem{Title: fmt.Sprintf("Put line %d into a new group", t.Thing.Line), Run: func() { v.group(len(v.shown.groups), m) }})
}

func (v *cyclesView) group(i int, m session.Member) {
	groups := make([]session.Group, 0, len(v.shown.groups)+1) // a line is in one group
	for _, g := range v.shown.groups {
		var rest []session.Member
		for _, old := range g.Members {
			if old != m {
				rest = append(rest, old)
			}
		}
		groups = append(groups, session.Group{Name: g.Name, Members: rest})
	}
	if i == len(groups) {
		groups = append(groups, session.Group{Name: fmt.Sprintf("group %c", 'A'+i%26)})
	}
	groups[i].Members = append(groups[i].Members, m)
	v.shown.groups = groups
	v.color(session.ByGroup)
}

// spliceMenu hangs the cycles of other classes on the spiral, or takes them off.
func (v *cyclesView) spliceMenu() []pane.MenuItem {
	c := &v.d.cycles
	if v.shown.picture != asSpiral || c.count() < 2 {
		return nil
	}
	items := []pane.MenuItem{{}}
	for i := range min(c.count(), 6) {
		p := &c.found.Parameterizations[i]
		if i == c.to {
			continue
		}
		title := fmt.Sprintf("Expand the cycle of #%d, %.1f turns", p.Rank, p.Turns)
		if v.shown.spliced[p.Rank] {
			title = fmt.Sprintf("Collapse the cycle of #%d", p.Rank)
		}
		items = append(items, pane.MenuItem{Title: title, Run: func() { v.splice(p.Rank) }})
	}
	return items
}

// splice expands a class if it is collapsed, and the other way round.
func (v *cyclesView) splice(rank int) {
	spliced := map[int]bool{rank: !v.shown.spliced[rank]}
	for r, on := range v.shown.spliced {
		if r != rank {
			spliced[r] = on
		}
	}
	v.shown.spliced = spliced
	v.grow()
}

// loops are the classes that are spliced into the picture.
func (v *cyclesView) loops() []spiral.Loop {
	c := &v.d.cycles
	var out []spiral.Loop
	for i := range c.found.Parameterizations {
		if rank := c.found.Parameterizations[i].Rank; i != c.to {
			if amount := v.grown(rank); amount > 0 {
				out = append(out, c.found.Loop(i, amount))
			}
		}
	}
	return out
}
