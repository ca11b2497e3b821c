package curve

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"orrery/views/controls"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// colour is that of line i: the bound that all others are held against is as bright as text, the others go from few
// ways to many.
func (s *State) colour(i int) color.NRGBA {
	if s.Lines[i].Ways == 0 {
		return s.Theme.Text
	}
	n := max(1, len(s.Lines)-2)
	t := float64(i-1) / float64(n)
	if s.Theme.Dark {
		return palette.Sequential(0.32 + 0.5*t)
	}
	return palette.Sequential(0.12 + 0.5*t)
}

func (l Line) name() string {
	switch l.Ways {
	case 0:
		return "fully associative"
	case 1:
		return "direct mapped"
	}
	return fmt.Sprintf("%d ways", l.Ways)
}

func drawLines(d *scene.Drawing, s *State, g geometry) {
	var shapes []scene.Shape
	for i := len(s.Lines) - 1; i >= 0; i-- {
		l := s.Lines[i]
		c := scene.Curves{Starts: []int{0}, Colors: []color.NRGBA{s.colour(i)}, Width: 1.2}
		if l.Ways == 0 {
			c.Width = 1.8
		}
		for k, p := range l.Points {
			at := scene.Point{X: g.x(p.Bytes), Y: g.y(p.Ratio)}
			if k > 0 && l.Ways == 0 { // every size up to the next one has been looked at: a stair
				c.Points = append(c.Points, scene.Point{X: at.X, Y: c.Points[len(c.Points)-1].Y})
			}
			c.Points = append(c.Points, at)
		}
		if n := len(c.Points); n > 0 && l.Ways == 0 {
			c.Points = append(c.Points, scene.Point{X: g.plot.Max.X, Y: c.Points[n-1].Y})
		}
		if len(c.Points) > 1 {
			shapes = append(shapes, c)
		}
		if l.Ways > 0 {
			dots := scene.Discs{Radii: []float64{2}, Colors: []color.NRGBA{s.colour(i)}}
			for _, p := range l.Points {
				dots.Centers = append(dots.Centers, scene.Point{X: g.x(p.Bytes), Y: g.y(p.Ratio)})
			}
			shapes = append(shapes, dots)
		}
	}
	clip := g.plot
	clip.Min.Y, clip.Max.Y = clip.Min.Y-3, clip.Max.Y+3
	d.Add(scene.Group{Clip: clip, Shapes: shapes})
}

// drawLevels marks the present configuration: what has been simulated, at its size and its ratio.
func drawLevels(d *scene.Drawing, s *State, g geometry) {
	order := make([]int, len(s.Levels))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return s.Levels[order[a]].Bytes < s.Levels[order[b]].Bytes })
	var ends [6]float64 // of the labels in each row
	var labels []scene.Shape
	for _, i := range order {
		l := s.Levels[i]
		x := math.Round(g.x(l.Bytes)) + 0.5
		label := fmt.Sprintf("%s  %s · %s", l.Name, words.Bytes(l.Bytes), percent(l.Ratio))
		wide := scene.Measure(scene.Sans, 11, label)
		left := min(x+6, g.plot.Max.X-wide)
		row := 0
		for row < len(ends)-1 && left < ends[row]+10 {
			row++
		}
		ends[row] = left + wide
		y := g.plot.Min.Y + 12 + 15*float64(row)
		labels = append(labels, scene.Fill{Path: scene.RoundBox(scene.R(left-4, y-11, wide+8, 15), 3),
			Color: palette.Alpha(s.Theme.Panel, 0.85)},
			scene.Text{At: scene.Point{X: left, Y: y}, Size: 11, Color: s.Theme.Accent, S: label})
		at := scene.Point{X: x, Y: g.y(l.Ratio)}
		d.Add(scene.Stroke{Path: scene.Segment(x, g.plot.Min.Y, x, g.plot.Max.Y), Width: 1,
			Color: palette.Alpha(s.Theme.Accent, 0.6), Dash: []float64{3, 3}})
		labels = append(labels, scene.Discs{Centers: []scene.Point{at, at}, Radii: []float64{5.5, 4},
			Colors: []color.NRGBA{s.Theme.Panel, s.Theme.Accent}})
	}
	d.Add(labels...)
}

// drawPointer shows where the pointer's size meets the lines.
func drawPointer(d *scene.Drawing, s *State, g geometry) {
	if s.Pointer == 0 {
		return
	}
	x := g.x(s.Pointer)
	d.Add(scene.Stroke{Path: scene.Segment(x, g.plot.Min.Y, x, g.plot.Max.Y), Width: 1, Color: s.Theme.Dim})
	dots := scene.Discs{Radii: []float64{3}}
	for i, l := range s.Lines {
		if r, ok := l.at(s.Pointer); ok {
			dots.Centers = append(dots.Centers, scene.Point{X: x, Y: g.y(r)})
			dots.Colors = append(dots.Colors, s.colour(i))
		}
	}
	if len(dots.Centers) > 0 {
		d.Add(dots)
	}
}

// at is the line's ratio for a size: of the largest cache on it that is not larger, and for sets of a fixed number of
// ways only where there is such a cache.
func (l Line) at(bytes uint64) (ratio float64, ok bool) {
	i := sort.Search(len(l.Points), func(i int) bool { return l.Points[i].Bytes > bytes }) - 1
	if i < 0 || l.Ways > 0 && l.Points[i].Bytes != bytes {
		return 0, false
	}
	return l.Points[i].Ratio, true
}

// drawLegend names the lines at the upper right, as far as there is room, and says what is provisional.
func drawLegend(d *scene.Drawing, s *State, g geometry) {
	row, at := s.axisChoices(g)
	d.Add(row.Shapes(at)...)
	note := s.Note
	if s.Preview {
		note = "preview from a sample of the blocks" + strings.Repeat(" · ", min(1, len(note))) + note
	}
	if note != "" {
		wide := min(g.plot.W(), scene.Measure(scene.Sans, 11, note))
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(g.plot.Max.X-wide-4, g.plot.Max.Y-17, wide+8, 15), 3),
			Color: palette.Alpha(s.Theme.Panel, 0.85)},
			scene.Text{At: scene.Point{X: g.plot.Max.X, Y: g.plot.Max.Y - 6}, Size: 11, Color: s.Theme.Accent, Align: 1,
				S: note, Max: g.plot.W()})
	}
	labels, named, x := s.legend(at.X - 12)
	for _, title := range []string{"miss ratio over cache size", "miss ratio", ""} {
		if 8+scene.Measure(scene.Sans, 11, title)+12 <= x || title == "" {
			d.Add(scene.Text{At: scene.Point{X: 8, Y: 18}, Size: 11, Color: s.Theme.Dim, S: title})
			break
		}
	}
	for _, i := range named {
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(x, 12, 11, 3), 1.5), Color: s.colour(i)},
			scene.Text{At: scene.Point{X: x + 15, Y: 17}, Size: 10.5, Color: s.Theme.Dim, S: labels[i]})
		x += chipWidth(labels[i])
	}
}

// legend tells which lines are named left of an end, how, and where that begins: where there is no room for all of
// them, those between the first and the last ones go.
func (s *State) legend(end float64) (labels []string, named []int, x float64) {
	begin := func() float64 {
		x := end
		for _, i := range named {
			x -= chipWidth(labels[i])
		}
		return x
	}
	for i := range s.Lines {
		named = append(named, i)
	}
	for _, bound := range []string{"fully associative", "full"} {
		if labels = s.labels(bound); begin() >= 4 {
			break
		}
	}
	for len(named) > 0 && begin() < 4 {
		at := min(1, len(named)-1)
		named = slices.Delete(named, at, at+1)
	}
	return labels, named, begin()
}

// labels are the lines' names in the legend, where the numbers of ways stand in a row.
func (s *State) labels(bound string) []string {
	out := make([]string, len(s.Lines))
	for i, l := range s.Lines {
		switch {
		case l.Ways == 0:
			out[i] = bound
		case i == len(s.Lines)-1:
			out[i] = fmt.Sprintf("%d ways", l.Ways)
		default:
			out[i] = strconv.Itoa(l.Ways)
		}
	}
	return out
}

func chipWidth(label string) float64 { return 24 + scene.Measure(scene.Sans, 10.5, label) }

// axisChoices lets the user choose how ratios are spread.
func (s *State) axisChoices(g geometry) (row controls.Choices, at scene.Point) {
	row = controls.Choices{Theme: s.Theme, Words: []string{"%", "log %"}, Hover: -1}
	if s.Log {
		row.Chosen = 1
	}
	if s.Over >= axisWord && s.Over < measureWord {
		row.Hover = s.Over - axisWord
	}
	return row, scene.Point{X: g.plot.Max.X - row.Width(), Y: 4}
}
