// Package spread draws how design points lie in the columns of their table: parallel coordinates over all parameters
// and objectives, in which a stretch of an axis is a filter; the matrix of scatter plots of the objectives; and the
// hypervolume over the generations of a search. In: a Table of a dse.Space, the points that pass a filter, choices;
// out: a display list, and for a point the axis, the design or the generation there.
//
// What there are many of is drawn as one image of densities, whose cost depends on the room and not on the number of
// points (density.go); the colour of a place is the mean of an objective there, its strength how many points pass.
package spread

import (
	"image/color"

	"orrery/analysis/dse"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// Picture is one of the three.
type Picture uint8

// The pictures.
const (
	Parallel Picture = iota
	Matrix
	Volume
)

// Pictures names them.
var Pictures = []string{"parallel coordinates", "scatter matrix", "hypervolume"}

// Brush is a stretch of an axis, in positions, that points must lie in to pass.
type Brush struct {
	Axis      int // index into Table.Axes
	Low, High float64
}

// State is everything that the picture shows.
type State struct {
	Theme   palette.Theme
	Table   *Table
	Pass    *dse.Bits // nil lets all pass
	Version int       // changes when Pass does: it keys the Cache
	Picture Picture
	Color   int     // the objective that colours
	Order   []int   // axes from left to right, indexes into Table.Axes; nil for all
	Brushes []Brush // at most one an axis
	Carried int     // index into Order of the axis that is being dragged, -1 for none
	CarryX  float64 // where it is
	Growth  []float64
	Now     int     // generation of the cursor
	Top     float64 // room above for others
	Cache   *Cache  // nil computes everything anew

	Hover    link.Thing
	Selected link.Thing
	Empty    string // said when there is no table
}

// Lines is how many points at most are drawn one by one in parallel coordinates, Dots in scatter plots; more are
// densities.
const (
	Lines = 1500
	Dots  = 20_000
)

// Scene draws the state into the room given.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	switch {
	case s.Table == nil:
		d.Say(s.Empty, s.Theme.Dim)
	case size.W < 60 || size.H < s.Top+60:
	default:
		s.begin()
		s.draw(&d)
	}
	return d
}

func (s *State) draw(d *scene.Drawing) {
	switch {
	case s.Picture == Matrix:
		drawMatrix(d, s)
	case s.Picture == Volume:
		drawVolume(d, s)
	default:
		drawParallel(d, s)
	}
}

// order is that of the axes shown.
func (s *State) order() []int {
	if s.Order != nil {
		return s.Order
	}
	out := make([]int, len(s.Table.Axes))
	for i := range out {
		out[i] = i
	}
	return out
}

func (s *State) passes(p int32) bool { return s.Pass == nil || s.Pass.Has(int(p)) }

// passing is how many points pass.
func (s *State) passing() int {
	if s.Pass == nil {
		return s.Table.Space.N
	}
	return s.Pass.Count()
}

// list are the points that pass, nil for all.
func (s *State) list() []int32 {
	if s.Pass == nil {
		return nil
	}
	out := make([]int32, 0, s.Pass.Count())
	s.Pass.Each(func(p int) { out = append(out, int32(p)) })
	return out
}

// objective is the one that colours.
func (s *State) objective() int { return max(0, min(s.Color, len(s.Table.Space.Objectives)-1)) }

// ink is the colour of a normalised value of the objective that colours, somewhat darker where light points lie on a
// light panel.
func (s *State) ink(v float64) color.NRGBA {
	c := palette.Objective(s.objective(), v)
	if !s.Theme.Dark {
		c = palette.Mix(c, s.Theme.Text, 0.14)
	}
	return c
}

// design is the point that a thing is, -1 for none of the table's.
func (s *State) design(t link.Thing) int32 {
	if t.What != link.Design || t.ID < 0 || t.ID >= s.Table.Space.N {
		return -1
	}
	return int32(t.ID)
}

// marked are the points that stand out and how: the one under the pointer and the chosen one.
func (s *State) marked(each func(p int32, c color.NRGBA)) {
	if p := s.design(s.Hover); p >= 0 {
		each(p, s.Theme.Text)
	}
	if p := s.design(s.Selected); p >= 0 {
		each(p, s.Theme.Accent)
	}
}
