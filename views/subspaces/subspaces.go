// Package subspaces draws chosen subspaces of a design space side by side, as section 7 of T. Taghavi, A. D. Pimentel,
// M. Sabeghi, VMODEX: a novel visualization tool for rapid analysis of heuristic-based multi-objective design space
// exploration of heterogeneous MPSoC architectures, does: how far their local Pareto sets are from the global one
// (7.1), how much of each other they cover (7.2), how much of the objective space they dominate (7.3), and how much
// their mappings matter (7.4). In: a dse.Space and a dse.Comparison; out: a display list, and for a point the subspace
// or the design there.
package subspaces

import (
	"strings"

	"orrery/analysis/dse"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// Picture is one way to compare.
type Picture uint8

// The pictures.
const (
	All       Picture = iota // all of them that have room
	Distance                 // count in the global front, distances to it
	Matrix                   // C of (12)
	Graph                    // TC of (13), figure 21
	Dominance                // which point of one set dominates which of another, figure 22
	Volume                   // the cube of figure 24
	Frequency                // figure 25
)

// Pictures names them.
var Pictures = []string{"all measures", "distance to the front", "coverage C", "total coverage TC", "dominance",
	"hypervolume", "frequencies"}

// State is everything that the picture shows.
type State struct {
	Theme    palette.Theme
	Space    *dse.Space
	Compared *dse.Comparison // nil when none is chosen
	Picture  Picture
	Pair     [2]int  // those of Dominance, indexes into Compared.Subspaces
	Exact    bool    // numbers as evaluated, not normalised
	Top      float64 // room above for others

	Hover    link.Thing
	Selected link.Thing
	Empty    string // said when there is nothing to compare
}

// tipArea is a part of the drawing that has a tooltip.
type tipArea struct {
	at    scene.Rect
	thing link.Thing // of one subspace or design
	pair  [2]int     // or two sets
	lines []string
}

// noPair is no two sets.
var noPair = [2]int{-1, -1}

// canvas is a drawing in the making, with the areas of it that have tooltips; the last of those at a point
// counts.
type canvas struct {
	scene.Drawing
	s       *State
	tipArea []tipArea
}

// Scene draws the state into the room given.
func Scene(s State, size scene.Size) scene.Drawing { return draw(&s, size).Drawing }

func draw(s *State, size scene.Size) *canvas {
	c := &canvas{Drawing: scene.Drawing{Size: size, Background: s.Theme.Panel}, s: s}
	switch {
	case s.Space == nil || s.Compared == nil || len(s.Compared.Subspaces) == 0:
		c.Say(s.Empty, s.Theme.Dim)
	case size.W < 120 || size.H < s.Top+60:
	default:
		c.arrange()
	}
	return c
}

// legendRow is the height of a line of the legend.
const legendRow = 20.0

// arrange puts the legend left, or above where the room is narrow, and the pictures in the rest.
func (c *canvas) arrange() {
	s, n := c.s, float64(len(c.s.Compared.Subspaces))
	rest := scene.Rect{Min: scene.Point{X: 12, Y: s.Top + 8}, Max: scene.Point{X: c.Size.W - 10, Y: c.Size.H - 8}}
	switch {
	case c.Size.W >= 560:
		wide := min(196, c.Size.W*0.22)
		c.legend(scene.Rect{Min: rest.Min, Max: scene.Point{X: rest.Min.X + wide, Y: rest.Max.Y}}, 3)
		rest.Min.X += wide + 18
	case rest.H() > n*legendRow+150:
		tall := n*legendRow + 6
		c.legend(scene.Rect{Min: rest.Min, Max: scene.Point{X: rest.Max.X, Y: rest.Min.Y + tall}}, 1)
		rest.Min.Y += tall
	}
	if s.Picture != All {
		c.picture(s.Picture, rest)
		return
	}
	list := []Picture{Distance, Graph, Matrix, Volume, Frequency, Dominance}
	cols := max(1, min(3, int(rest.W()/255)))
	rows := max(1, min((len(list)+cols-1)/cols, int(rest.H()/165)))
	wide, tall := (rest.W()-float64(cols-1)*14)/float64(cols), (rest.H()-float64(rows-1)*14)/float64(rows)
	for i, p := range list[:min(len(list), cols*rows)] {
		x, y := rest.Min.X+float64(i%cols)*(wide+14), rest.Min.Y+float64(i/cols)*(tall+14)
		c.picture(p, scene.R(x, y, wide, tall))
	}
}

// titles stand above the pictures.
var titles = [...]string{Distance: "distance to the global front", Matrix: "coverage C(row, column)",
	Graph:     "total coverage TC",
	Dominance: "dominance", Volume: "hypervolume of the local fronts", Frequency: "designs by objective"}

func (c *canvas) picture(p Picture, at scene.Rect) {
	c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: at.Min.Y + 11}, Face: scene.Bold, Size: 11, Color: c.s.Theme.Text,
		S: titles[p], Max: at.W()})
	at.Min.Y += 20
	switch p {
	case Distance:
		c.distances(at)
	case Matrix:
		c.matrix(at)
	case Graph:
		c.graph(at)
	case Dominance:
		c.dominance(at)
	case Volume:
		c.volumes(at)
	case Frequency:
		c.frequencies(at)
	}
}

// name is what subspace i of the chosen ones is called in the pictures.
func name(i int) string { return "S" + string(rune('1'+i)) }

// Most is how many subspaces can be compared at once: names and colours are told apart up to here.
const Most = 8

// Words is the parameters of subspace k: "2 · mP + ASIP · 1 · SRAM".
func Words(s *dse.Space, k int32) string {
	var out []string
	for j, v := range s.Combos[k] {
		out = append(out, s.Parameters[j].Values[v])
	}
	return strings.Join(out, " · ")
}

// legend says which subspace is which.
func (c *canvas) legend(at scene.Rect, lines int) {
	s := c.s
	y := at.Min.Y
	for i, k := range s.Compared.Subspaces {
		text := []string{Words(s.Space, k)}
		if lines > 1 {
			text = scene.Wrap(scene.Sans, 10.5, text[0], at.W()-32)
			text = text[:min(lines, len(text))]
		}
		tall := float64(len(text))*13 + legendRow - 16
		if y+tall > at.Max.Y+4 {
			return
		}
		thing := link.OfSubspace(int(k))
		if c.chosen(thing) {
			c.Add(scene.Fill{Path: scene.RoundBox(scene.R(at.Min.X-5, y-3, at.W()+10, tall+1), 4),
				Color: palette.Alpha(s.Theme.Accent, 0.18)})
		}
		c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: y + 9}, Face: scene.Bold, Size: 11, Color: c.ink(i), S: name(i)})
		for l, t := range text {
			c.Add(scene.Text{At: scene.Point{X: at.Min.X + 26, Y: y + 9 + 13*float64(l)}, Size: 10.5, Color: s.Theme.Text,
				S: t, Max: at.W() - 28})
		}
		c.tooltip(scene.R(at.Min.X-4, y-3, at.W()+8, tall), thing, c.about(i)...)
		y += tall + 3
		if lines > 1 {
			y += 5
		}
	}
}

// chosen reports whether a thing, or the subspace of the chosen design, is selected or under the pointer.
func (c *canvas) chosen(t link.Thing) bool { return t == c.s.Selected || t == c.s.Hover }

// ink is the colour of subspace i.
func (c *canvas) ink(i int) colour { return palette.Qualitative(c.s.Theme, i) }

// about is the measures of subspace i.
func (c *canvas) about(i int) []string {
	p, sp := c.s.Compared, c.s.Space
	k := p.Subspaces[i]
	lines := []string{name(i) + ": " + Words(sp, k), count(len(sp.Points(int(k))), "design") + ", " + count(len(p.Sets[i]),
		"local Pareto point")}
	if len(p.Sets[i]) == 0 {
		return append(lines, "nobody evaluated a design here")
	}
	return append(lines, inGlobal(p.InGlobal[i], len(p.Sets[i])), "mean distance to the front "+digits(p.Mean[i], 3),
		"total coverage "+signed(p.TC[i]), "hypervolume "+digits(p.Volume[i], 4))
}

// tooltip gives an area a tooltip about a subspace or a design.
func (c *canvas) tooltip(at scene.Rect, t link.Thing, lines ...string) {
	c.tipArea = append(c.tipArea, tipArea{at, t, noPair, lines})
}

// tooltipOfPair gives an area a tooltip about two sets.
func (c *canvas) tooltipOfPair(at scene.Rect, i, j int, lines ...string) {
	c.tipArea = append(c.tipArea, tipArea{at, link.Thing{}, [2]int{i, j}, lines})
}

// Target is what lies under the pointer.
type Target struct {
	Thing link.Thing // a subspace or a design
	Pair  [2]int     // the sets of a cell or an edge, -1 for none
	Lines []string
}

// Hit returns what lies at p.
func Hit(s State, size scene.Size, p scene.Point) Target { return draw(&s, size).under(p) }

// under is the tooltip area at a place of the drawing.
func (c *canvas) under(p scene.Point) Target {
	for i := len(c.tipArea) - 1; i >= 0; i-- {
		if h := c.tipArea[i]; h.at.Contains(p) {
			return Target{Thing: h.thing, Pair: h.pair, Lines: h.lines}
		}
	}
	return Target{Pair: noPair}
}
