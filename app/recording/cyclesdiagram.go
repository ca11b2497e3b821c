package recording

import (
	"orrery/views/barcode"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

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
	s.Hover, s.Low, s.High = v.hovered, v.low, v.high
	if p := c.target(); p != nil {
		s.Scale = p.Scale
	}
	return s
}

// drawDiagram draws the diagram below the choices.
func (v *cyclesView) drawDiagram(size scene.Size, theme palette.Theme) scene.Drawing {
	d := barcode.Scene(v.diagram(theme), below(size))
	d.Shapes = scene.Move(d.Shapes, 0, top(size))
	d.Size = size
	return d
}

func (v *cyclesView) hitBar(e pane.Event) barcode.Target {
	size := below(e.Size)
	return barcode.Hit(v.diagram(e.Theme), size, scene.Point{X: e.At.X, Y: e.At.Y - top(e.Size)})
}

// pressBar shows the class under the pointer and begins a brush of scales.
func (v *cyclesView) pressBar(e pane.Event) {
	t := v.hitBar(e)
	if v.sliding = t.Grip; v.sliding {
		return
	}
	v.low, v.high, v.begun = 0, 0, t.Scale
	v.showBar(t.Bar)
	v.Redraw()
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
// Begun at the line of the angles' scale, the drag moves that.
func (v *cyclesView) dragBar(e pane.Event) {
	t := v.hitBar(e)
	if v.sliding {
		v.slideTo(t.Scale)
		return
	}
	if t.Scale != t.Scale || v.begun != v.begun {
		return
	}
	v.low, v.high = min(v.begun, t.Scale), max(v.begun, t.Scale)
	v.Redraw()
}
