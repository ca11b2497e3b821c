// Package inlining draws what a function was compiled from: its bytecodes or its source text, and below each place
// where a call was inlined the same of the method that was. In: lines with their depth; out: a display list that
// scrolls, and for a point the line there.
//
//	▾ Sum.total                       heading of a method
//	    3: aload_1                    its bytecodes, with how many nodes came of each
//	  ▾ Node.value  at 7              what was inlined there
//	      0: aload_0
package inlining

import (
	"image/color"
	"strconv"

	"orrery/views/controls"
	"orrery/views/palette"
	"orrery/views/scene"
)

// Line is one line.
type Line struct {
	Head   bool // names a method, whose lines follow
	Depth  int  // of inlining
	Number string
	Text   string
	Count  int     // nodes that came of it
	Heat   float64 // 0..1, share of the most references
	Folded bool    // of a heading: its lines are not shown
	Shown  bool    // selected nodes came of it
	Hover  bool
}

// State is everything that the picture shows.
type State struct {
	Theme  palette.Theme
	Lines  []Line // those that are shown
	Scroll float64
	Over   int // the line under the pointer, -1 for none
	Empty  string
}

const (
	rowTall = 18.0
	margin  = 10.0
	indent  = 14.0
	size    = 11.0
)

// Overflow is how far the text can be scrolled.
func Overflow(s State, room scene.Size) float64 {
	return max(0, rowTall*float64(len(s.Lines))+8-room.H)
}

// Reveal is the scroll that shows a line, changed as little as possible.
func Reveal(s State, room scene.Size, line int) float64 {
	y := rowTall * float64(line)
	if y < s.Scroll+rowTall || y+2*rowTall > s.Scroll+room.H {
		return max(0, min(y-room.H*0.4, Overflow(s, room)))
	}
	return s.Scroll
}

// Hit is the line at a point, -1 for none.
func Hit(s State, p scene.Point) int {
	if i := int((p.Y - 4 + s.Scroll) / rowTall); p.Y-4+s.Scroll >= 0 && i < len(s.Lines) {
		return i
	}
	return -1
}

// Scene draws the state into the room given.
func Scene(s State, room scene.Size) scene.Drawing {
	d := scene.Drawing{Size: room, Background: s.Theme.Panel}
	if len(s.Lines) == 0 {
		d.Say(s.Empty, s.Theme.Dim)
		return d
	}
	digits := 0.0
	for _, l := range s.Lines {
		if !l.Head {
			digits = max(digits, scene.Measure(scene.Mono, size, l.Number))
		}
	}
	for i := range s.Lines {
		if y := 4 + rowTall*float64(i) - s.Scroll; y+rowTall > 0 && y < room.H {
			s.draw(&d, i, y, digits, room)
		}
	}
	d.Add(controls.ScrollBar(s.Theme, room, s.Scroll, room.H+Overflow(s, room))...)
	return d
}

func (s *State) draw(d *scene.Drawing, i int, y, digits float64, room scene.Size) {
	l, t := &s.Lines[i], &s.Theme
	r := scene.R(4, y, room.W-8, rowTall)
	switch {
	case l.Shown:
		d.Add(scene.Fill{Path: scene.RoundBox(r, 4), Color: palette.Alpha(t.Accent, 0.18)})
	case i == s.Over || l.Hover:
		d.Add(scene.Fill{Path: scene.RoundBox(r, 4), Color: palette.Alpha(t.Faint, 0.22)})
	}
	x, middle := margin+indent*float64(l.Depth), y+rowTall/2
	if l.Head {
		d.Add(scene.Fill{Path: caret(x, middle, !l.Folded), Color: t.Dim},
			scene.Text{At: scene.Point{X: x + 12, Y: middle + scene.Middle(scene.Bold, size)}, Face: scene.Bold, Size: size,
				Color: t.Text, Max: max(1, room.W-x-70), S: l.Text})
		if l.Number != "" {
			d.Add(scene.Text{At: scene.Point{X: room.W - margin - 4, Y: middle + scene.Middle(scene.Sans, 10)}, Size: 10,
				Color: t.Dim, Align: 1, S: l.Number})
		}
		return
	}
	base := middle + scene.Middle(scene.Mono, size)
	figures := ""
	if l.Count > 0 {
		figures = strconv.Itoa(l.Count)
	}
	right := room.W - margin - 4
	if l.Heat > 0 {
		wide := max(2, 60*l.Heat)
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(right-26-wide, middle-4, wide, 8), 2),
			Color: palette.Alpha(palette.Sequential(0.35+0.5*l.Heat), 0.9)})
	}
	ink, number := t.Text, color.NRGBA(t.Dim)
	if l.Count == 0 {
		ink = t.Dim
	}
	d.Add(scene.Text{At: scene.Point{X: x + digits, Y: base}, Face: scene.Mono, Size: size, Color: number,
		Align: 1, S: l.Number},
		scene.Text{At: scene.Point{X: x + digits + 10, Y: base}, Face: scene.Mono, Size: size, Color: ink,
			Max: max(1, right-30-x-digits), S: l.Text},
		scene.Text{At: scene.Point{X: right, Y: base}, Face: scene.Mono, Size: 10, Color: t.Dim, Align: 1, S: figures})
}

// caret is a triangle that points down where something is unfolded.
func caret(x, y float64, open bool) scene.Path {
	var p scene.Path
	if open {
		p.Move(x, y-2.5)
		p.Line(x+7, y-2.5)
		p.Line(x+3.5, y+3)
	} else {
		p.Move(x+1, y-3.5)
		p.Line(x+6.5, y)
		p.Line(x+1, y+3.5)
	}
	p.Close()
	return p
}
