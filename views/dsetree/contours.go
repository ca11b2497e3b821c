package dsetree

import (
	"fmt"
	"image/color"

	"orrery/analysis/dse"
	"orrery/views/palette"
	"orrery/views/scene"
)

// contours encloses the compared subspaces in dashed lines (D14; paper, figure 20): each with its name above, and below
// its local Pareto set how far that is from the global front on average and how many of its points are on it. Names are
// those of views/subspaces.
func (f *frame) contours(d *scene.Drawing) {
	c := f.s.Compared
	if c == nil {
		return
	}
	level := len(f.t.Order)
	for i, k := range c.Subspaces {
		v := f.subspace(k)
		if v == dse.None || f.l.Find(v) < 0 {
			continue
		}
		at := f.l.Find(v)
		half := f.most(level)/2 + 5
		left, right := f.x(f.l.Left[at])-half, f.x(f.l.Right[at])+half
		if right < f.area.Min.X || left > f.area.Max.X {
			continue
		}
		last := f.lowest(level, at)
		box := scene.R(left, f.rows[level]-half-8, right-left, f.rows[last]-f.rows[level]+2*half+20)
		ink := palette.Qualitative(f.s.Theme, i)
		d.Add(scene.Group{Clip: f.area, Shapes: []scene.Shape{scene.Stroke{Path: scene.RoundBox(box, 10), Width: 1.3,
			Color: ink, Dash: []float64{5, 4}}}})
		f.caption(d, scene.Point{X: box.Center().X, Y: box.Min.Y - 4}, ink, fmt.Sprintf("S%d", i+1), true)
		if n := len(c.Sets[i]); n > 0 && last > level {
			y := box.Max.Y + 11
			for _, line := range []string{fmt.Sprintf("mean distance %.2f", c.Mean[i]),
				fmt.Sprintf("%d of %d global", c.InGlobal[i], n)} {
				f.caption(d, scene.Point{X: box.Center().X, Y: y}, f.s.Theme.Text, line, false)
				y += 12
			}
		}
	}
}

// subspace is the node of a subspace at the level of the last parameter, None where the tree has none.
func (f *frame) subspace(k int32) int32 {
	v := int32(0)
	for _, parameter := range f.t.Order {
		value, next := f.t.Space.Combos[k][parameter], dse.None
		for u := f.t.Child[v]; u < f.t.Child[v]+f.t.Children[v]; u++ {
			if f.t.Item[u] == value {
				next = u
				break
			}
		}
		if next == dse.None {
			return dse.None
		}
		v = next
	}
	return v
}

// lowest is the last level that has visible nodes at or below a visible node.
func (f *frame) lowest(level, at int) int {
	last := level
	for below := level + 1; below < len(f.rows); below++ {
		if low, high := f.l.Row(below, f.l.Left[at], f.l.Right[at]); low < high {
			last = below
		}
	}
	return last
}

// caption writes a word on the panel's colour, so that edges do not cross it.
func (f *frame) caption(d *scene.Drawing, at scene.Point, ink color.NRGBA, text string, bold bool) {
	face, size := scene.Sans, 10.0
	if bold {
		face, size = scene.Bold, 11
	}
	wide := scene.Measure(face, size, text) + 6
	if at.X < f.area.Min.X || at.X > f.area.Max.X {
		return
	}
	d.Add(scene.Fill{Path: scene.RoundBox(scene.R(at.X-wide/2, at.Y-9, wide, 12), 3),
		Color: palette.Alpha(f.s.Theme.Panel, 0.85)},
		scene.Text{At: at, Face: face, Size: size, Color: ink, Align: 0.5, S: text})
}
