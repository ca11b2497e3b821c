package recording

import (
	"orrery/app/panes/toolbar"
	"orrery/app/session"
	"orrery/views/link"
	"orrery/views/pane"
	"orrery/views/scene"
)

// cyclesPicture says what the cycles pane draws.
type cyclesPicture int

// The pictures.
const (
	asSpiral cyclesPicture = iota
	asCircle
	asPlane
	asDiagram
	asRun
)

var pictureNames = []string{"Spiral", "Circle", "ISOMAP", "Diagram", "Run"}

// choices are what the user chose in the cycles pane. Each is changed by an undoable step.
type choices struct {
	picture cyclesPicture
	colours colours
	spliced map[int]bool // ranks of the classes hung on the spiral
}

// colours are what the colours of the curve show.
type colours struct {
	by     session.ColorBy
	groups []session.Group
	hidden map[string]bool // labels of keys
}

// Room that the controls take above and below pictures that fill the pane.
const (
	lower = 26.0
	foot  = 28.0
)

func roomy(size scene.Size) bool { return size.W >= 300 && size.H >= 240 }

// inner is the part of the pane above the controls at the bottom.
func inner(size scene.Size) scene.Size {
	if roomy(size) {
		size.H -= foot
	}
	return size
}

// top is how far down pictures that fill the pane begin.
func top(size scene.Size) float64 {
	if roomy(size) {
		return lower
	}
	return 0
}

// below is the part of the pane between the controls.
func below(size scene.Size) scene.Size {
	at := top(size)
	size = inner(size)
	size.H -= at
	return size
}

func (v *cyclesView) show(p cyclesPicture) {
	if p != v.shown.picture {
		link.Choose(v.d.link, "picture of the cycles", &v.shown.picture, p, func() {
			v.camera = camera{zoom: 1}
			v.Redraw()
		})
	}
}

// step shows the next (1) or previous (-1) parameterization; in the picture of the whole run it chooses a phase.
func (v *cyclesView) step(by int) {
	if v.shown.picture == asRun {
		v.run.step(v, by)
		return
	}
	v.d.cycles.choose(v.d, v.d.cycles.to+by)
}

// CloseList implements pane.Closer.
func (v *cyclesView) CloseList() bool { return v.bar.Close() }

// next draws the next picture.
func (v *cyclesView) next() { v.show((v.shown.picture + 1) % cyclesPicture(len(pictureNames))) }

func (v *cyclesView) possible(by session.ColorBy) bool {
	return (by != session.ByGroup || len(v.shown.colours.groups) > 0) && (by != session.ByMiss || v.d.caches() != nil)
}

func (v *cyclesView) color(by session.ColorBy) {
	if by != v.shown.colours.by {
		link.Choose(v.d.link, "colours", &v.shown.colours, colours{by: by, groups: v.shown.colours.groups}, v.recolour)
	}
}

// recolour draws in the colours that were chosen.
func (v *cyclesView) recolour() {
	v.key = spiralKey{}
	v.d.cycles.coloring = session.Coloring{By: v.shown.colours.by, Groups: v.shown.colours.groups}
	v.d.cycles.recoloured++
	v.Redraw()
	v.d.cycles.tint.Changed()
}

// hide takes a key's windows back, or shows them again.
func (v *cyclesView) hide(label string) {
	now := v.shown.colours
	hidden := map[string]bool{label: !now.hidden[label]}
	for l, h := range now.hidden {
		if l != label {
			hidden[l] = h
		}
	}
	now.hidden = hidden
	link.Choose(v.d.link, "what is hidden", &v.shown.colours, now, v.recolour)
}

// Menu offers pictures, groups, what is spliced in, cycles to accept, and the choices whose controls have no room in
// the pane.
func (v *cyclesView) Menu(e pane.Event) []pane.MenuItem {
	var pictures []pane.MenuItem
	for i, name := range pictureNames {
		pictures = append(pictures, pane.MenuItem{Title: name, On: int(v.shown.picture) == i, Run: func() {
			v.show(cyclesPicture(i))
		}})
	}
	items := []pane.MenuItem{{Title: "Draw as", Items: pictures}}
	if v.shown.picture == asRun {
		return append(items, v.run.menu(v, e)...)
	}
	items = append(items, v.groupMenu(e)...)
	items = append(items, v.spliceMenu()...)
	items = append(items, v.acceptMenu()...)
	return append(items, toolbar.Menu(v.chips()[len(v.controls(e.Theme, e.Size)):])...)
}
