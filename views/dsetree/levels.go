package dsetree

import (
	"fmt"
	"image/color"
	"sort"

	"orrery/analysis/dse"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// drawLevels writes the names of the levels at the left, with how many nodes of each are shown.
func (f *frame) drawLevels(d *scene.Drawing) {
	s := f.s
	for level, l := range f.t.Levels {
		y := f.rows[level]
		if level > 0 {
			d.Add(scene.Stroke{Path: scene.Segment(f.area.Min.X, y, f.area.Max.X, y), Width: 0.5,
				Color: palette.Alpha(s.Theme.Line, 0.7)})
		}
		if level == s.Drag.Level && level > 0 {
			continue
		}
		ink := s.Theme.Dim
		if l.Kind == dse.ParameterNode {
			ink = s.Theme.Text
		}
		f.levelName(d, level, y, f.levelWord(level), ink)
	}
	if s.Drag.Level > 0 {
		to := f.drop()
		y := (f.rows[to] + f.rows[to-1]) / 2
		if to > s.Drag.Level {
			y = (f.rows[to] + f.rows[min(to+1, len(f.rows)-1)]) / 2
		}
		d.Add(scene.Stroke{Path: scene.Segment(4, y, f.area.Max.X, y), Width: 2, Color: s.Theme.Accent},
			scene.Fill{Path: scene.RoundBox(scene.R(4, s.Drag.Y-13, f.names-8, 24), 4), Color: s.Theme.Line})
		f.levelName(d, s.Drag.Level, s.Drag.Y, f.levelWord(s.Drag.Level), s.Theme.Accent)
	}
}

func (f *frame) levelWord(level int) string {
	l := f.t.Levels[level]
	if l.Kind == dse.ObjectiveNode {
		if u := f.t.Space.Objectives[l.Index].Unit; u != "" {
			return l.Name + ", " + u
		}
	}
	if level == 0 {
		return "all"
	}
	return l.Name
}

func (f *frame) levelName(d *scene.Drawing, level int, y float64, name string, ink color.NRGBA) {
	room := f.names - 14
	size, base := 10.5, y+1
	if f.tall <= 24 {
		size = max(7, min(size, f.tall*0.75))
		base = y + scene.Middle(scene.Sans, size)
	}
	d.Add(scene.Text{At: scene.Point{X: 10, Y: base}, Size: size, Color: ink, Max: room, S: name})
	if n := f.shade.levels[level].shown; f.tall > 24 && n > 0 {
		d.Add(scene.Text{At: scene.Point{X: 10, Y: y + 13}, Face: scene.Mono, Size: 9, Color: f.s.Theme.Dim,
			Max: room, S: words.Count(n)})
	}
}

// drop is the parameter level at which the dragged one would stand.
func (f *frame) drop() int {
	to := sort.SearchFloat64s(f.rows, f.s.Drag.Y+f.tall/2) - 1
	return max(1, min(to, len(f.t.Order)))
}

// Drop is the order of the parameters when the dragged level is let go.
func Drop(s State, size scene.Size) []int {
	if s.Shade == nil || s.Drag.Level == 0 {
		return nil
	}
	f := newFrame(&s, size)
	order := append([]int(nil), f.t.Order...)
	from, to := s.Drag.Level-1, f.drop()-1
	moved := order[from]
	order = append(order[:from], order[from+1:]...)
	order = append(order[:to], append([]int{moved}, order[to:]...)...)
	return order
}

// atLevel is the level whose name is at a point, -1 for none.
func (f *frame) atLevel(p scene.Point) int {
	if p.X > f.names || p.Y < f.area.Min.Y || p.Y > f.area.Max.Y {
		return -1
	}
	return f.nearRow(p.Y)
}

// nearRow is the level nearest to a height.
func (f *frame) nearRow(y float64) int {
	best := 0
	for level, row := range f.rows {
		if abs(row-y) < abs(f.rows[best]-y) {
			best = level
		}
	}
	return best
}

func abs(x float64) float64 { return max(x, -x) }

// levelLines explain a level.
func (f *frame) levelLines(level int) []string {
	l := f.t.Levels[level]
	total := f.t.Start[level+1] - f.t.Start[level]
	out := []string{f.levelWord(level), fmt.Sprintf("%s of %s nodes shown",
		words.Count(uint64(f.shade.levels[level].shown)), words.Count(uint64(total)))}
	switch l.Kind {
	case dse.ParameterNode:
		out = append(out, "drag to another place to change the order of the parameters")
	case dse.ObjectiveNode:
		out = append(out, "depends on the architecture only")
	case dse.GlobalNode:
		out = append(out, "dominated by no other point; R leads to points that are best in their subspace only")
	case dse.LocalNode:
		out = append(out, "dominated by no other point of their subspace")
	case dse.DistanceNode:
		out = append(out, fmt.Sprintf("Low: within %s of the point above, High: farther", words.Number(f.t.Threshold)))
	case dse.PointNode:
		out = append(out, "each below the nearest point that dominates it")
	}
	return out
}
