package spiral

import (
	"image/color"

	"orrery/views/scene"
)

// contour is the closed lines at which the field passes a height, higher ground on their left: lines around a hollow
// run the other way, so that the path's inside is the higher ground (marching squares, linear along the edges of
// cells). Points that nobody would miss are left out.
//
//	0 --- 1     an edge of the grid is named by its upper or left end and its direction;
//	|     |     in every cell a line goes from one edge to another, and the lines of
//	3 --- 2     neighbours meet on the edge that they share
func (f *field) contour(height float64) scene.Curves {
	next := make([]int32, 2*len(f.v)) // edge to edge, plus one
	var starts []int32
	upper, lower := make([]uint8, f.w), f.above(0, height, nil)
	for j := range f.h - 1 {
		upper, lower = lower, f.above(j+1, height, upper)
		for i := range f.w - 1 {
			kind := int(upper[i] | upper[i+1]<<1 | lower[i+1]<<2 | lower[i]<<3)
			if kind == 0 || kind == 15 {
				continue
			}
			k := j*f.w + i
			corners := [4]float64{f.v[k], f.v[k+1], f.v[k+f.w+1], f.v[k+f.w]}
			edges := [4]int32{int32(2 * k), int32(2*(k+1) + 1), int32(2 * (k + f.w)), int32(2*k + 1)} // top, right, bottom, left
			joined := corners[0]+corners[1]+corners[2]+corners[3] > 4*height
			for _, l := range lines(kind, joined) {
				from, to := edges[l[0]], edges[l[1]]
				next[from] = to + 1
				starts = append(starts, from)
			}
		}
	}
	var out scene.Curves
	var line chain
	for _, s := range starts {
		if next[s] == 0 {
			continue
		}
		first, start := true, scene.Point{}
		for e := s; ; {
			to := next[e] - 1
			if to < 0 {
				break
			}
			next[e] = 0
			if at := f.crossing(e, height); first {
				line.start(&out, at)
				start, first = at, false
			} else {
				line.add(at, color.NRGBA{})
			}
			e = to
		}
		line.add(start, color.NRGBA{})
	}
	line.flush()
	return out
}

// above is 1 for the points of row j that are higher than a height; it is written to out, if that is large enough.
func (f *field) above(j int, height float64, out []uint8) []uint8 {
	if out == nil {
		out = make([]uint8, f.w)
	}
	for i, v := range f.v[j*f.w : (j+1)*f.w] {
		out[i] = 0
		if v > height {
			out[i] = 1
		}
	}
	return out
}

// outline is the closed path of some curves, or that the other way round.
func outline(c scene.Curves, back bool) scene.Path {
	var path scene.Path
	for k, from := range c.Starts {
		to := len(c.Points) - 1 // the last is the first
		if k+1 < len(c.Starts) {
			to = c.Starts[k+1] - 1
		}
		for i := from; i < to; i++ {
			at := c.Points[i]
			if back {
				at = c.Points[to+from-1-i]
			}
			if i == from {
				path.Move(at.X, at.Y)
			} else {
				path.Line(at.X, at.Y)
			}
		}
		path.Close()
	}
	return path
}

// lines are the pieces in a cell whose corners above the height are the bits of kind, as edges from and to. Where
// opposite corners are high, the two are joined when the middle is.
func lines(kind int, joined bool) [][2]int {
	const top, right, bottom, left = 0, 1, 2, 3
	switch kind {
	case 1:
		return [][2]int{{top, left}}
	case 2:
		return [][2]int{{right, top}}
	case 3:
		return [][2]int{{right, left}}
	case 4:
		return [][2]int{{bottom, right}}
	case 6:
		return [][2]int{{bottom, top}}
	case 7:
		return [][2]int{{bottom, left}}
	case 8:
		return [][2]int{{left, bottom}}
	case 9:
		return [][2]int{{top, bottom}}
	case 11:
		return [][2]int{{right, bottom}}
	case 12:
		return [][2]int{{left, right}}
	case 13:
		return [][2]int{{top, right}}
	case 14:
		return [][2]int{{left, top}}
	case 5: // upper left and lower right
		if joined {
			return [][2]int{{top, right}, {bottom, left}}
		}
		return [][2]int{{top, left}, {bottom, right}}
	}
	if joined { // 10: upper right and lower left
		return [][2]int{{left, top}, {right, bottom}}
	}
	return [][2]int{{right, top}, {left, bottom}}
}

// crossing is where the field has a height on an edge.
func (f *field) crossing(edge int32, height float64) scene.Point {
	k := int(edge / 2)
	other, dx, dy := k+1, 1.0, 0.0
	if edge%2 == 1 {
		other, dx, dy = k+f.w, 0, 1
	}
	t := (height - f.v[k]) / (f.v[other] - f.v[k])
	return scene.Point{X: f.origin.X + cell*(float64(k%f.w)+t*dx), Y: f.origin.Y + cell*(float64(k/f.w)+t*dy)}
}
