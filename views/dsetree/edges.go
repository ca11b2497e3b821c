package dsetree

import (
	"image/color"
	"math"
	"sort"

	"orrery/analysis/dse"
	"orrery/views/palette"
	"orrery/views/scene"
)

// crossing is the run of nodes of a level whose edges upwards can be seen. Nodes and their parents stand in the same
// order, so it is one run.
func (f *frame) crossing(level int) (low, high int) {
	start, end := int(f.l.Start[level]), int(f.l.Start[level+1])
	left, right := f.place(f.area.Min.X), f.place(f.area.Max.X)
	low = start + sort.Search(end-start, func(k int) bool {
		return max(f.l.X[start+k], f.l.X[f.l.Up[start+k]]) >= left
	})
	high = start + sort.Search(end-start, func(k int) bool {
		return min(f.l.X[start+k], f.l.X[f.l.Up[start+k]]) > right
	})
	return low, max(low, high)
}

// join is the end of the run of edges from i that look like one: both of their ends stay within a merged node.
func (f *frame) join(i, end int, x, up float64) int {
	next := f.from(i, end, x+bundle)
	if next <= i+1 {
		return i + 1
	}
	limit := f.place(up + bundle)
	return i + max(1, sort.Search(next-i, func(k int) bool { return f.l.X[f.l.Up[i+k]] >= limit }))
}

// edges draws the edges from a level upwards.
func (f *frame) edges(p *painter, level int) []scene.Shape {
	low, high := f.crossing(level)
	var classes [perTone]scene.Curves
	var none scene.Path
	y0, y1 := f.rows[level-1], f.rows[level]
	over := 0
	for i := low; i < high; {
		x, up := f.x(f.l.X[i]), f.x(f.l.X[f.l.Up[i]])
		next := f.join(i, high, x, up)
		w := f.shade.of(i, next)
		over++
		faded := next == i+1 && f.faded(f.l.Nodes[i])
		close := next > i+1 || i+1 < high && f.x(f.l.X[i+1])-x < glyph
		switch {
		case close && w.edge < 0:
			p.line(up, y0, x, y1, palette.Alpha(f.s.Theme.Faint, 0.35))
		case close:
			c := f.s.edgeColor(w.edge)
			c.A = uint8(70 + 150*w.edge)
			p.line(up, y0, x, y1, c)
		case w.edge < 0:
			none.Move(up, y0)
			none.Line(x, y1)
		default:
			c := f.s.edgeColor(w.edge)
			if faded {
				c.A = 40
			}
			k := min(perTone-1, int(w.edge*perTone))
			if i+1 < high { // close neighbours leave each other room
				k = min(k, int((f.x(f.l.X[i+1])-x)/3))
			}
			if i > low {
				k = min(k, int((x-f.x(f.l.X[i-1]))/3))
			}
			e := &classes[k]
			e.Starts = append(e.Starts, len(e.Points))
			e.Points = append(e.Points, scene.Point{X: up, Y: y0}, scene.Point{X: x, Y: y1})
			e.Colors = append(e.Colors, c, c)
		}
		i = next
	}
	p.flush()
	var out []scene.Shape
	if len(none.Points) > 0 {
		out = append(out, scene.Stroke{Path: none, Width: 1, Color: f.s.Theme.Faint, Dash: []float64{4, 3}})
	}
	for k, e := range classes {
		if len(e.Points) > 0 {
			e.Width = edgeWidth((float32(k) + 0.5) / perTone)
			out = append(out, e)
		}
	}
	return out
}

// edgeWidth is linear in the importance.
func edgeWidth(importance float32) float64 {
	return thinnest + (thickest-thinnest)*float64(importance)
}

// edgeColor grows from grey to full saturation with the importance.
func (s *State) edgeColor(importance float32) color.NRGBA {
	return palette.Mix(palette.Mix(s.Theme.Faint, s.Theme.Dim, 0.25), s.strong(), float64(importance))
}

// faded reports whether the filter hides a node that the layout still has.
func (f *frame) faded(v int32) bool {
	return f.s.Passing != nil && f.t.Points[v] > 0 && f.s.Passing[v] == 0
}

// nearEdge is the node whose edge upwards passes a point, -1 when none is near.
func (f *frame) nearEdge(at scene.Point) int32 {
	level := sort.SearchFloat64s(f.rows, at.Y)
	if level == 0 || level >= len(f.rows) {
		return dse.None
	}
	low, high := f.crossing(level)
	part := (at.Y - f.rows[level-1]) / (f.rows[level] - f.rows[level-1])
	pass := func(i int) float64 {
		up := f.x(f.l.X[f.l.Up[i]])
		return up + part*(f.x(f.l.X[i])-up)
	}
	k := low + sort.Search(high-low, func(k int) bool { return pass(low+k) >= at.X })
	best, away := dse.None, reach
	for i := max(low, k-1); i < min(high, k+1); i++ {
		if d := math.Abs(pass(i) - at.X); d <= away {
			best, away = f.l.Nodes[i], d
		}
	}
	return best
}
