// Package design draws one design point in detail, as section 4.2 of T. Taghavi, A. D. Pimentel, M. Sabeghi, VMODEX: a
// novel visualization tool for rapid analysis of heuristic-based multi-objective design space exploration of
// heterogeneous MPSoC architectures, does: where its processes and channels are mapped to, how long each process is
// executed and waits, how busy the components of its platform are and with what, and in which generations a search
// evaluated it. In: a Case made of the space once, and the number of a point; out: a display list, and for a place the
// words that explain it.
package design

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"orrery/analysis/dse"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// Picture is one way to look at a design.
type Picture uint8

// The pictures.
const (
	All         Picture = iota // all of them that have room
	Mapping                    // figure 6
	Execution                  // figure 8
	Latency                    // figure 9
	Platform                   // utilization, figure 7
	Operations                 // figure 10
	Generations                // figure 11
)

// Pictures names them.
var Pictures = []string{"all details", "mapping", "execution time", "read and write latency",
	"utilization of the platform", "operations of processors", "generations"}

// State is everything that the picture shows.
type State struct {
	Theme   palette.Theme
	Case    *Case
	Point   int32 // dse.None for none
	Picture Picture
	Exact   bool    // objectives as evaluated, not normalised
	Top     float64 // room above for others
	Empty   string  // said when there is no point
}

// tipArea is a part of the drawing that has a tooltip.
type tipArea struct {
	at    scene.Rect
	lines []string
}

// canvas is a drawing in the making, with the areas of it that have tooltips; the last of those at a point
// counts.
type canvas struct {
	scene.Drawing
	s       *State
	sp      *dse.Space
	p       int32
	tipArea []tipArea
}

// Scene draws the state into the room given.
func Scene(s State, size scene.Size) scene.Drawing { return draw(&s, size).Drawing }

// Hit gives the lines that explain what lies at p, nil for nothing.
func Hit(s State, size scene.Size, p scene.Point) []string {
	c := draw(&s, size)
	for i := len(c.tipArea) - 1; i >= 0; i-- {
		if c.tipArea[i].at.Contains(p) {
			return c.tipArea[i].lines
		}
	}
	return nil
}

func draw(s *State, size scene.Size) *canvas {
	c := &canvas{Drawing: scene.Drawing{Size: size, Background: s.Theme.Panel}, s: s, p: s.Point}
	if s.Case == nil || s.Point < 0 || int(s.Point) >= s.Case.Space.N {
		c.Say(s.Empty, s.Theme.Dim)
		return c
	}
	if c.sp = s.Case.Space; size.W < 90 || size.H < s.Top+40 {
		return c
	}
	rest := scene.Rect{Min: scene.Point{X: 12, Y: s.Top + 6}, Max: scene.Point{X: size.W - 10, Y: size.H - 6}}
	if size.W > 760 && size.H > 220 { // the facts beside the pictures
		c.facts(scene.Rect{Min: rest.Min, Max: scene.Point{X: 228, Y: rest.Max.Y}})
		rest.Min.X = 246
	} else {
		rest.Min.Y = c.facts(scene.Rect{Min: rest.Min, Max: scene.Point{X: rest.Max.X,
			Y: rest.Min.Y + min(rest.H(), 40+0.42*rest.H())}}) + 8
	}
	c.pictures(rest)
	return c
}

// pictures draws the chosen one, or all that the table has data for and that fit.
func (c *canvas) pictures(at scene.Rect) {
	if at.H() < 60 {
		return
	}
	if c.s.Picture != All {
		if why := c.s.Case.missing(c.s.Picture); why != "" {
			c.note(at, why)
			return
		}
		c.picture(c.s.Picture, at)
		return
	}
	var list []Picture
	for _, p := range []Picture{Mapping, Platform, Latency, Execution, Operations, Generations} {
		if c.s.Case.missing(p) == "" {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		c.note(at, "The table tells no mapping and no generations of its designs. A description beside the table can name "+
			"processes, channels, processors and memories.")
		return
	}
	cols := max(1, min(3, len(list), int(at.W()/260)))
	rows := max(1, min((len(list)+cols-1)/cols, int(at.H()/165)))
	list = list[:min(len(list), cols*rows)]
	wide, tall := (at.W()-float64(cols-1)*16)/float64(cols), (at.H()-float64(rows-1)*12)/float64(rows)
	for i, p := range list {
		c.picture(p, scene.R(at.Min.X+float64(i%cols)*(wide+16), at.Min.Y+float64(i/cols)*(tall+12), wide, tall))
	}
}

func (c *canvas) picture(p Picture, at scene.Rect) {
	title := Pictures[p]
	c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: at.Min.Y + 11}, Face: scene.Bold, Size: 11, Color: c.s.Theme.Text,
		S: title, Max: at.W()})
	at.Min.Y += 18
	switch p {
	case Mapping, Execution, Latency:
		c.network(p, at)
	case Platform:
		c.platform(at)
	case Operations:
		c.operations(at)
	case Generations:
		c.hexagons(at)
	}
}

// facts writes what the design is: its name, its objectives as bars, its parameters. It gives the height at which it
// ends.
func (c *canvas) facts(at scene.Rect) float64 {
	s := c.s
	y := at.Min.Y + 12
	c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: y}, Face: scene.Bold, Size: 13, Color: s.Theme.Text, S: "design " +
		c.sp.Label(int(c.p)), Max: at.W()})
	y = c.Paragraph(scene.Text{At: scene.Point{X: at.Min.X, Y: y + 16}, Size: 10.5, Color: s.Theme.Dim, S: c.class(),
		Max: at.W()}, 14) - 6
	for o := range c.sp.Objectives {
		if y+17 > at.Max.Y {
			return y
		}
		c.objective(scene.R(at.Min.X, y, at.W(), 17), o)
		y += 19
	}
	y += 2
	for i := range c.sp.Parameters {
		q := &c.sp.Parameters[i]
		if y+14 > at.Max.Y {
			return y
		}
		c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: y + 11}, Size: 10.5, Color: s.Theme.Dim, S: q.Name,
			Max: at.W() * 0.45},
			scene.Text{At: scene.Point{X: at.Max.X, Y: y + 11}, Size: 10.5, Color: s.Theme.Text, Align: 1,
				S: q.Values[q.At[c.p]], Max: at.W() * 0.53})
		c.tooltip(scene.R(at.Min.X, y, at.W(), 14), q.Name, q.Values[q.At[c.p]])
		y += 15
	}
	if note := c.sp.Note; note != "" && at.Max.Y-y > 60 { // what must be said of the data
		for _, line := range scene.Wrap(scene.Sans, 9.5, note, at.W()) {
			if y += 12; y < at.Max.Y {
				c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: y + 6}, Size: 9.5, Color: s.Theme.Dim, S: line})
			}
		}
		y += 10
	}
	return y
}

// class says where the design stands.
func (c *canvas) class() string {
	switch c.sp.Class(c.p, dse.DefaultThreshold) {
	case dse.Global:
		return "on the global Pareto front"
	case dse.Local:
		return "local Pareto point, " + strconv.FormatFloat(c.sp.ToFront[c.p], 'f', 3, 64) + " from the front"
	}
	return "dominated by design " + c.sp.Label(int(c.sp.Parent[c.p])) + " of its platform, " +
		strconv.FormatFloat(c.sp.ToFront[c.p], 'f', 3, 64) + " from the front"
}

// objective is a line: name, bar of the normalised value in the objective's colours, the value.
func (c *canvas) objective(at scene.Rect, o int) {
	s, b, v := c.s, &c.sp.Objectives[o], c.sp.Norm[o][c.p]
	exact, norm := strings.TrimSpace(words.Number(b.Values[c.p])+" "+b.Unit), strconv.FormatFloat(v, 'f', 3, 64)
	text := norm
	if s.Exact {
		text = exact
	}
	y := at.Center().Y
	c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: y + scene.Middle(scene.Sans, 10.5)}, Size: 10.5, Color: s.Theme.Text,
		S: b.Name, Max: at.W()*0.4 - 4},
		scene.Text{At: scene.Point{X: at.Max.X, Y: y + scene.Middle(scene.Mono, 10.5)}, Face: scene.Mono, Size: 10.5,
			Color: s.Theme.Text, Align: 1, S: text, Max: at.W() * 0.3})
	bar := scene.R(at.Min.X+at.W()*0.4, y-4, at.W()*0.3-6, 8)
	c.Add(scene.Fill{Path: scene.RoundBox(bar, 2), Color: palette.Alpha(s.Theme.Line, 0.7)})
	if v > 0 {
		c.Add(scene.Fill{Path: scene.RoundBox(scene.R(bar.Min.X, bar.Min.Y, max(3, bar.W()*v), bar.H()), 2),
			Color: palette.Objective(o, v)})
	}
	low, high := c.sp.Extent[o].Min, c.sp.Extent[o].Max
	better := "small is good"
	if b.Maximise {
		low, high, better = -high, -low, "large is good"
	}
	c.tooltip(at, b.Name+": "+exact, "normalised "+norm+", 0 is the best of all designs",
		fmt.Sprintf("all designs: %s to %s, %s", words.Number(low), words.Number(high), better))
}

// tooltip gives an area a tooltip.
func (c *canvas) tooltip(at scene.Rect, lines ...string) {
	c.tipArea = append(c.tipArea, tipArea{at, lines})
}

// note says something in place of a picture.
func (c *canvas) note(at scene.Rect, text string) {
	c.Paragraph(scene.Text{At: scene.Point{X: at.Min.X, Y: at.Min.Y + 16}, Size: 11, Color: c.s.Theme.Dim, S: text,
		Max: at.W()}, 15)
}

// percent writes a share.
func percent(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strconv.FormatFloat(100*v, 'f', 0, 64) + " %"
}

// readable is black or white, whichever can be read on a colour.
func readable(on color.NRGBA) color.NRGBA {
	if palette.Brightness(on) > 140 {
		return color.NRGBA{R: 16, G: 18, B: 22, A: 255}
	}
	return color.NRGBA{R: 255, G: 255, B: 255, A: 255}
}
