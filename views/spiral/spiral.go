// Package spiral draws recurrent behaviour as a curve: what comes in is an angle for every window of references (from
// analysis/topology) and the source line at which it begins, what goes out is a picture in which the angle is where in
// the recurring behaviour the program is. One turn is one recurrence. On a spiral the distance from the centre is time,
// early inside; on a circle all turns lie on each other and contours sum them up; on a plane a projection says where
// windows lie.
//
// See Choudhury, Wang, Rosen, Pascucci, "Topological analysis and visualization of cyclical behavior in memory
// reference traces" (PacificVis 2012), sections 5.1 (circular plot) and 5.2 (spiral plot, source lines as colours,
// morphing). The angle that a morph interpolates is the one unwrapped in time, which removes the jumps that the paper
// admits. Cycles of further classes can be attached to the curve (Loop), the paper's open problem of splicing
// parameterizations.
package spiral

import (
	"math"

	"image/color"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// Mode says what the colour of the curve shows.
type Mode uint8

// The colour modes.
const (
	ByLine  Mode = iota // the source line at which a window begins
	ByAngle             // the angle itself, on a cyclic map
	Single              // nothing: one colour
	ByKey               // Keys
)

// Angles is one parameterization. Turns[i] is the angle of time index i in turns, unwrapped in time; NaN where the
// class says nothing about it. Members[i] reports whether it belongs to the cycle, rather than leading in or out. Nil
// Members means that all are.
type Angles struct {
	Turns   []float64
	Members []bool
}

// Line is a source line as the legend shows it. Windows without a known line refer to a Line with Number 0.
type Line struct {
	File     string
	Number   int
	Function string
	Text     string // the source text; indentation is trimmed
	Color    color.NRGBA
	Hidden   bool // its windows are drawn like those that are not members
}

// State is everything that the picture depends on. The slices are read only.
type State struct {
	Theme palette.Theme
	Shape Shape

	Seq  []traceio.Seq // by time index, ascending: the reference at which the window begins
	From Angles        // drawn at Morph 0
	To   Angles        // drawn at Morph 1; without Turns there is no morph
	// Morph is how far the picture is on the way between the two, 0..1.
	Morph float64

	Loops []Loop        // further classes attached to the spiral; Spiral only
	Top   float64       // kept free above the plane, for controls; Plane only
	Place []scene.Point // by time index: in units of the distance of windows, y upward; Plane only

	Mode  Mode
	Keys  []Key   // what Mode ByKey shows, in order of rank
	Key   []int32 // by time index: indexes Keys, -1 for none
	Lines []Line  // in order of rank, the most frequent first
	Line  []int32 // by time index: indexes Lines, -1 for unknown
	// Describe says in a few words what reference the window begins with, "load a[2]"; nil or "" is nothing. It is
	// only asked by Hit, and must answer the same for the same index.
	Describe func(i int) string

	Cursor   traceio.Seq
	Selected link.Thing
	// Lit tells by time index which windows a selected region, block or address means; the rest is dimmed. Nil, or of
	// another length, when the selection is not about data.
	Lit   []bool
	Hover link.Thing
	// Under is what Lit is for instructions under the pointer: the other windows step back a little.
	Under []bool

	Zoom float64     // 1 or 0 fits the picture
	Pan  scene.Point // shift of the centre, in units of the size

	Bare    bool   // the curve alone, as on thumbnails, at any size
	Legend  bool   // wanted; left out anyway where there is no room
	Caption string // at the lower right: what else should be known
	Empty   string // why there is nothing to draw, and what to change; used when Seq is empty
}

// small is the size below which a picture is a thumbnail: the curve alone.
const small = 200.0

// layout is where things are on the picture.
type layout struct {
	w, h    float64
	scale   float64     // device pixels per unit
	c       scene.Point // the centre
	r0, r1  float64     // where the first and the last window lie
	thumb   bool
	legend  scene.Rect // empty when not drawn
	entries int
	first   float64 // time at r0
	span    float64 // time from r0 to r1
}

const (
	margin    = 14.0
	legendRow = 17.0
	legendMax = 10 // rows
)

func newLayout(s *State, size scene.Size) layout {
	l := layout{w: size.W, h: size.H, scale: max(size.Scale, 0.1)}
	short := min(size.W, size.H)
	l.thumb = short < small || s.Bare
	edge := margin + 6.0
	if l.thumb {
		edge = 3 + short*0.04
	}
	r := max(1, short/2-edge)
	l.c = scene.Point{X: size.W / 2, Y: size.H / 2}
	if s.Legend && !l.thumb {
		r = l.placeLegend(s, r)
	}
	zoom := s.Zoom
	if !(zoom > 0) {
		zoom = 1
	}
	// The whole picture is scaled about the middle of the pane, then shifted.
	l.c.X = size.W/2 + (l.c.X-size.W/2)*zoom + s.Pan.X
	l.c.Y = size.H/2 + (l.c.Y-size.H/2)*zoom + s.Pan.Y
	l.r1 = r * zoom
	l.r0 = l.r1 * 0.07
	if n := len(s.Seq); n > 0 {
		l.first = float64(s.Seq[0])
		l.span = max(1, float64(s.Seq[n-1])-l.first)
	}
	return l
}

// placeLegend puts the legend at the lower left and gives it room: it moves the circle of radius r aside, and returns
// the radius that is left.
func (l *layout) placeLegend(s *State, r float64) float64 {
	if s.Mode == Single || s.Mode != ByAngle && s.entries() == 0 {
		return r
	}
	if s.Mode == ByAngle {
		l.legend = scene.R(margin, l.h-margin-56, 92, 56)
		return r
	}
	l.entries = min(s.entries(), legendMax, int((l.h*0.6)/legendRow))
	wide := 0.0
	for i := range l.entries {
		e := s.entry(i)
		wide = max(wide, scene.Measure(scene.Mono, 10.5, e.text))
	}
	wide = min(legendText0(s, l.entries)+wide+16, max(120, l.w-2*r-2*margin-8), 260)
	tall := float64(l.entries)*legendRow + 8
	if more(s, l.entries) != "" {
		tall += legendRow
	}
	l.legend = scene.R(margin-6, l.h-margin-tall+4, wide, tall)
	if free := l.w/2 - r; l.w > l.h {
		l.c.X += min(max(0, free-margin), max(0, l.legend.Max.X-free))
	}
	return l.clear(r)
}

// clear makes the circle smaller, and moves it to the right, until it leaves the legend free; at most by a third: then
// the legend stands on it.
func (l *layout) clear(r float64) float64 {
	right := l.w - margin - 6
	for least := r * 2 / 3; r > least; r *= 0.98 {
		nearX := l.c.X - min(max(l.c.X, l.legend.Min.X), l.legend.Max.X)
		nearY := l.c.Y - min(max(l.c.Y, l.legend.Min.Y), l.legend.Max.Y)
		if math.Hypot(nearX, nearY) >= r+4 {
			break
		}
		l.c.X = max(l.c.X, right-r)
	}
	return r
}

// radius is the distance from the centre at which time t lies.
func (l *layout) radius(t float64) float64 { return l.r0 + (l.r1-l.r0)*(t-l.first)/l.span }

// Scene draws the state into a picture of the given size.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	if s.blank() {
		drawEmpty(&d, &s)
		return d
	}
	l := newLayout(&s, size)
	p := newPlot(&s, &l)
	defer p.release()
	switch s.Shape {
	case Spiral:
		drawGuides(&d, &s, &l)
	case Circle:
		p.drawSummary(&d)
	}
	p.draw(&d)
	if s.Shape == Spiral && !l.thumb {
		drawTimes(&d, &s, &l)
	}
	p.drawSelection(&d)
	p.drawCursor(&d)
	if !l.thumb {
		drawLegend(&d, &s, &l)
		p.drawCaption(&d)
	}
	return d
}

// blank reports whether there is nothing to draw.
func (s *State) blank() bool {
	n := len(s.Seq)
	return n == 0 || len(s.From.Turns) != n || s.Shape == Plane && len(s.Place) != n
}
