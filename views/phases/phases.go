// Package phases draws a whole run: its phases, in each of which the same code runs, over time, a row for each kind of
// phase, and what recurs in it. In: the phases of analysis/topology with names. Out: the
// picture, and for a point the phase or kind meant there. Of a run with many phases a column of pixels shows the one
// that fills most of it.
//
//	whole run > phase 7                      the path
//	|== A ==|B|== A ==|B|== A ==|== C ==|    the run
//	|=======| |=======| |=======|            kind A
//	        |=|       |=|                    kind B
//	(o) A  mpm.cpp:56   62 % of the run      a window of each kind, small, with its cycles in words
package phases

import (
	"image/color"
	"math"
	"slices"
	"sort"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/spiral"
)

// Phase is one stretch of the run.
type Phase struct {
	Span link.Range
	Kind int      // index into State.Kinds
	Tip  []string // of the tooltip
}

// Kind is what phases of the same code have in common.
type Kind struct {
	Name    string       // "mpm.cpp:56"
	Share   float64      // of the run, 0..1
	Words   []string     // what recurs: "4096 turns, counted at matmul.c:16"; the most important first
	Picture spiral.State // of the window that stands for it; empty without one
	Color   color.NRGBA
}

// Round is a repetition of the phases from First on: Period of them, Times times.
type Round struct{ First, Period, Times int }

// State is everything that the picture depends on.
type State struct {
	Theme  palette.Theme
	Span   link.Range // of the phases, ascending and without a gap
	Phases []Phase
	Kinds  []Kind // the most frequent first
	Rounds []Round
	Cursor traceio.Seq
	Window link.Range // that the other views show; drawn where it is a part of Span
	Chosen int        // the phase that Enter enters, -1 for none
	Hover  Target     // what lies under the pointer
	Path   []string   // the path of entered phases, from the whole run on
	Top    float64    // kept free above, for controls
	Note   string     // how exact all this is
	Empty  string     // why there is nothing, shown instead
}

// Target is what lies at a point. The fields are -1 where nothing of the sort does.
type Target struct {
	Phase int // index into Phases
	Kind  int // index into Kinds
	Path  int // index into Way
}

// Nowhere is the Target of a point where nothing lies.
var Nowhere = Target{-1, -1, -1}

const (
	margin = 14.0
	text   = 10.5
	strip  = 22.0 // height of the whole run
	lane   = 9.0  // of a kind in it
	ruler  = 18.0
	least  = 20.0 // of a kind's row
	most   = 58.0
)

// layout is where things lie.
type layout struct {
	way   []scene.Rect
	strip scene.Rect
	lanes []scene.Rect // of the kinds that have one
	rows  []scene.Rect // of the kinds that have one
	base  float64      // of the ruler
	span  link.Range
}

func place(s *State, size scene.Size) layout {
	l := layout{span: s.Span}
	y := s.Top + 12
	x := margin
	for _, w := range s.Path {
		wide := scene.Measure(scene.Sans, text, w)
		l.way = append(l.way, scene.R(x, y, wide, 16))
		x += wide + 16
	}
	wide := max(1, size.W-2*margin)
	y += 16 + 12
	l.strip = scene.R(margin, y, wide, strip)
	y = l.strip.Max.Y + 4
	room := size.H - margin - 14 - y - ruler
	for i := range s.Kinds {
		if len(s.Kinds) < 2 || float64(i+1)*lane > room*0.35 {
			break
		}
		l.lanes = append(l.lanes, scene.R(margin, y, wide, lane-2))
		y += lane
	}
	l.base = y + 4
	y = l.base + ruler
	columns := max(1, min(3, int(wide/300)))
	rows := max(1, (len(s.Kinds)+columns-1)/columns)
	room = size.H - margin - 14 - y
	tall := min(most, max(least, room/float64(rows)))
	for i := range s.Kinds {
		r := scene.R(margin+float64(i%columns)*wide/float64(columns), y+float64(i/columns)*tall,
			wide/float64(columns)-8, tall)
		if r.Max.Y > y+room+0.5 {
			break
		}
		l.rows = append(l.rows, r)
	}
	return l
}

// x is where a time lies.
func (l *layout) x(t traceio.Seq) float64 {
	return l.strip.Min.X + l.strip.W()*(float64(t)-float64(l.span.From))/math.Max(1, float64(l.span.To-l.span.From))
}

// at is the phase at a time, -1 for none.
func (s *State) at(t traceio.Seq) int {
	i := sort.Search(len(s.Phases), func(i int) bool { return s.Phases[i].Span.To > t })
	if i == len(s.Phases) || t < s.Phases[i].Span.From {
		return -1
	}
	return i
}

// Hit tells what lies at p.
func Hit(s State, size scene.Size, p scene.Point) Target {
	out := Nowhere
	l := place(&s, size)
	out.Path = slices.IndexFunc(l.way, func(r scene.Rect) bool { return r.Contains(p) })
	if len(s.Phases) == 0 {
		return out
	}
	out.Kind = slices.IndexFunc(l.rows, func(r scene.Rect) bool { return r.Contains(p) })
	bottom := l.base
	if p.X >= l.strip.Min.X && p.X < l.strip.Max.X && p.Y >= l.strip.Min.Y-8 && p.Y < bottom {
		share := (p.X - l.strip.Min.X) / l.strip.W()
		out.Phase = s.at(l.span.From + traceio.Seq(share*float64(l.span.To-l.span.From)))
		if k := slices.IndexFunc(l.lanes, func(r scene.Rect) bool { return p.Y >= r.Min.Y && p.Y < r.Max.Y+2 }); k >= 0 &&
			out.Phase >= 0 && s.Phases[out.Phase].Kind != k {
			out.Phase, out.Kind = -1, k // another kind's part of that lane
		}
	}
	return out
}

// lit reports whether a kind is bright: all are, unless one is under the pointer.
func (s *State) lit(kind int) bool {
	h := s.Hover
	switch {
	case h.Kind >= 0:
		return h.Kind == kind
	case h.Phase >= 0 && h.Phase < len(s.Phases):
		return s.Phases[h.Phase].Kind == kind
	}
	return true
}
