// Package barcode draws the persistent classes of a recording, as bars over the scales at which they live and as points
// of birth against death. What comes in is the barcode of analysis/topology with the class that is shown elsewhere;
// what goes out is the picture, and for a point or a drag the class or classes meant there. Both pictures show the same
// State, so that what is chosen in one is marked in the other.
//
// See Choudhury, Wang, Rosen, Pascucci (PacificVis 2012), section 4.2: persistence, the length of a bar and the
// distance of a point from the diagonal, tells significant recurrences from noise.
package barcode

import (
	"cmp"
	"fmt"
	"math"

	"orrery/views/palette"
	"orrery/views/scene"
)

// Bar is one class, in order of rank.
type Bar struct {
	Birth, Death float64 // Death is +Inf while it lives at the largest scale
	// Shown is its place among the parameterizations, -1 for a class without an angle.
	Shown int
	Turns float64 // of the parameterization
	Note  string  // why it has no angle
}

// Picture says which picture is drawn.
type Picture uint8

// The pictures.
const (
	Both    Picture = iota // side by side, or one above the other
	Diagram                // death over birth
	Bars                   // a bar for each class
)

// State is everything that the picture depends on.
type State struct {
	Theme   palette.Theme
	Picture Picture
	Bars    []Bar
	Top     float64 // the largest scale: where bars without end are cut; for windows at most their length
	Unit    string  // of scales: "edits"
	Current int     // index into Bars of the class that is shown, -1 for none
	Other   int     // the one it is morphed from, -1 for none
	Hover   int     // index into Bars, -1 for none
	// Low and High are the brush: scales between which bars are brushed. Low >= High is no brush.
	Low, High float64
	// Scale is that of the angles of the current class, marked by a line; 0 is none.
	Scale   float64
	Caption string
	Empty   string // said when there are no bars
}

const (
	margin = 14.0
	axis   = 30.0 // room for an axis with its name
	thin   = 5.0  // least distance of two bars
	thick  = 15.0
)

// frame is one plot area with its scales.
type frame struct {
	scene.Rect
	top  float64 // of scales
	bars bool
	row  float64 // from bar to bar
	rows []row   // those for which there is room
	rest int     // bars that are not in them
}

// row is one bar, or several of classes without an angle that live at the same scales.
type row struct{ first, count int }

// rows lists the bars; bars that look the same are one.
func (s *State) rows() []row {
	var out []row
	for i := range s.Bars {
		b := &s.Bars[i]
		if n := len(out); n > 0 && b.Shown < 0 && i != s.Current {
			if a := &s.Bars[out[n-1].first]; a.Shown < 0 && a.Birth == b.Birth && a.Death == b.Death {
				out[n-1].count++
				continue
			}
		}
		out = append(out, row{i, 1})
	}
	return out
}

// x is where a scale lies.
func (f *frame) x(v float64) float64 { return f.Min.X + f.W()*min(v, f.top)/f.top }

// y is where a death lies in the diagram, or where bar i lies among the bars.
func (f *frame) y(v float64) float64 { return f.Max.Y - f.H()*min(v, f.top)/f.top }

func (f *frame) rowY(i int) float64 { return f.Min.Y + (float64(i)+0.5)*f.row }

// scale is the scale at a place along the axis.
func (f *frame) scale(x float64) float64 { return f.top * (x - f.Min.X) / f.W() }

// frames places the pictures: diagram first, then the bars.
func frames(s *State, size scene.Size) []frame {
	room := scene.R(margin, margin+12, size.W-2*margin, size.H-2*margin-28)
	top := s.top()
	diagram := func(r scene.Rect) frame {
		side := max(1, min(r.W()-axis, r.H()-axis))
		return frame{Rect: scene.R(r.Min.X+axis+max(0, r.W()-axis-side)/2, r.Min.Y+max(0, r.H()-axis-side)/2, side, side),
			top: top}
	}
	bars := func(r scene.Rect) frame {
		words := 8.0 // at the right of the longest bars
		if r.W() > 200 {
			words = 62
		}
		f := frame{Rect: scene.R(r.Min.X+34, r.Min.Y, max(1, r.W()-34-words), max(1, r.H()-axis)), top: top, bars: true}
		f.rows = s.rows()
		f.row = min(thick, max(thin, f.H()/float64(len(f.rows))))
		for n := max(0, int(f.H()/f.row+1e-9)); len(f.rows) > n; f.rows = f.rows[:len(f.rows)-1] {
			f.rest += f.rows[len(f.rows)-1].count
		}
		return f
	}
	switch {
	case s.Picture == Diagram:
		return []frame{diagram(room)}
	case s.Picture == Bars:
		return []frame{bars(room)}
	case size.W >= size.H:
		left := min(room.H(), room.W()*0.5)
		return []frame{diagram(scene.R(room.Min.X, room.Min.Y, left, room.H())),
			bars(scene.R(room.Min.X+left+margin, room.Min.Y, room.W()-left-margin, room.H()))}
	}
	above := min(room.W(), room.H()*0.55)
	return []frame{diagram(scene.R(room.Min.X, room.Min.Y, room.W(), above)),
		bars(scene.R(room.Min.X, room.Min.Y+above+margin, room.W(), room.H()-above-margin))}
}

// top is the end of the axes.
func (s *State) top() float64 {
	top := 0.0
	for _, b := range s.Bars {
		top = max(top, b.Birth)
		if !math.IsInf(b.Death, 1) {
			top = max(top, b.Death)
		}
	}
	if s.Top > top && !math.IsInf(s.Top, 1) {
		top = s.Top
	}
	return max(top, 1e-9)
}

// brushed reports whether a bar lies in the brush.
func (s *State) brushed(b *Bar) bool {
	return s.High <= s.Low || b.Birth < s.High && b.Death > s.Low
}

// Scene draws the state.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	if len(s.Bars) == 0 {
		d.Say(cmp.Or(s.Empty, "The classes of recurrent behaviour appear here, once they are found."), s.Theme.Dim)
		return d
	}
	for _, f := range frames(&s, size) {
		if f.bars {
			drawBars(&d, &s, &f)
		} else {
			drawDiagram(&d, &s, &f)
		}
	}
	caption := fmt.Sprintf("%d classes", len(s.Bars))
	if s.Caption != "" {
		caption = s.Caption + " · " + caption
	}
	d.Add(scene.Text{At: scene.Point{X: size.W - margin, Y: size.H - margin + 2}, Size: 10, Color: s.Theme.Dim, Align: 1,
		Max: max(1, size.W-2*margin), S: caption})
	return d
}

// Target is what lies under the pointer.
type Target struct {
	Bar   int      // index into Bars, -1 for none
	Scale float64  // on the axis there; NaN outside the pictures
	Grip  bool     // the line of the angles' scale, among the bars
	Lines []string // of the tooltip
}

// grip is how far the pointer may be from the line of the angles' scale to move it.
const grip = 4.0

// near is how far the pointer may be from a point of the diagram.
const near = 9.0

// Hit returns what lies at p.
func Hit(s State, size scene.Size, p scene.Point) Target {
	t := Target{Bar: -1, Scale: math.NaN()}
	if len(s.Bars) == 0 {
		return t
	}
	for _, f := range frames(&s, size) {
		if p.X < f.Min.X-8 || p.X > f.Max.X+8 && !(f.bars && p.X < f.Max.X+60) || p.Y < f.Min.Y-8 || p.Y > f.Max.Y+axis {
			continue
		}
		t.Scale = max(0, min(f.top, f.scale(p.X)))
		if f.bars {
			t.Grip = s.Scale > 0 && math.Abs(p.X-f.x(s.Scale)) < grip
			if i := int(math.Floor((p.Y - f.Min.Y) / f.row)); p.Y >= f.Min.Y && i < len(f.rows) {
				t.Bar = f.rows[i].first
			}
			continue
		}
		best := near * near
		for i, at := range spots(&s, &f) {
			if q := (at.X-p.X)*(at.X-p.X) + (at.Y-p.Y)*(at.Y-p.Y); q < best { // the first of equally near ones has the best rank
				t.Bar, best = i, q
			}
		}
	}
	switch {
	case t.Grip:
		t.Lines = []string{"angles at scale " + amount(s.Scale, s.Unit), "drag to another scale of its life"}
	case t.Bar >= 0:
		t.Lines = tip(&s, t.Bar)
	}
	return t
}

func tip(s *State, i int) []string {
	b := &s.Bars[i]
	lines := []string{fmt.Sprintf("#%d", i+1)}
	if b.Shown >= 0 {
		lines[0] += fmt.Sprintf("  %.1f turns", b.Turns)
	}
	if math.IsInf(b.Death, 1) {
		lines = append(lines, fmt.Sprintf("born at %s, alive at the largest scale", amount(b.Birth, s.Unit)))
	} else {
		lines = append(lines, fmt.Sprintf("from %.4g to %s, persistence %.4g", b.Birth,
			amount(b.Death, s.Unit), b.Death-b.Birth))
	}
	switch {
	case b.Shown >= 0:
		lines = append(lines, "click to show it")
	case b.Note != "":
		lines = append(lines, b.Note)
	}
	return lines
}

func amount(v float64, unit string) string {
	if unit == "" {
		return fmt.Sprintf("%.4g", v)
	}
	return fmt.Sprintf("%.4g %s", v, unit)
}
