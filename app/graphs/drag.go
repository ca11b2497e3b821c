package graphs

import (
	"math"

	"orrery/analysis/depgraph/layout"
	"orrery/views/codegraph"
	"orrery/views/pane"
	"orrery/views/scene"
)

// Dragged moves the graph along with the pointer, in the satellite the frame.
func (v *codeView) Dragged(e pane.Event, from scene.Point) {
	if v.pressed.Key != 0 || v.e.picture() == nil {
		return
	}
	v.land()
	if v.pressed.Small {
		v.steer(codegraph.Meant(v.state(e.Theme), e.Size, e.At))
	} else {
		z := max(v.view.Zoom, 1e-6)
		v.view.Center.X, v.view.Center.Y = v.from.Center.X-(e.At.X-from.X)/z, v.from.Center.Y-(e.At.Y-from.Y)/z
	}
	v.moved = v.moved || math.Hypot(e.At.X-from.X, e.At.Y-from.Y) > 3
	v.Redraw()
}

// steer brings the view to a place that the pointer means in the satellite: the frame goes along with it where it was
// seized, and comes to lie around it from beside.
func (v *codeView) steer(to layout.Point) {
	v.view.Center = to
	if at := v.pressed.Place; v.from.Contains(at, v.size, barTall) {
		v.view.Center = layout.Point{X: v.from.Center.X + (to.X - at.X), Y: v.from.Center.Y + (to.Y - at.Y)}
	}
}

// Released lets go of the selection after a click beside everything, and leaves the satellite view for the place
// clicked.
func (v *codeView) Released(e pane.Event) {
	t := v.pressed
	if v.moved || e.Button != pane.Primary || v.e.picture() == nil {
		return
	}
	switch {
	case t.Small && v.satellite == codegraph.Whole && t.Key == 0:
		v.view.Center = t.Place
		v.satellite = codegraph.Corner
	case t.Node < 0 && t.Edge < 0 && t.Key == 0 && !t.Small && len(v.e.selected) > 0:
		v.e.choosing(nil)
	}
	v.Redraw()
}
