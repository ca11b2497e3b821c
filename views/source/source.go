// Package source draws source text with what the recording says of each line: the colour that the line has in the
// spiral, its references as heat, the line that runs now and the one that is selected. In: text and counts; out: a
// display list, and for a point the line there.
package source

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// Heat is what one line of the source does.
type Heat struct {
	References uint64
	Misses     uint64 // of the first cache level; 0 while unknown
	Color      color.NRGBA
	Function   string
}

// State is everything that the pane shows.
type State struct {
	Theme    palette.Theme
	File     string          // as link.Thing names it
	Files    []string        // all files with text, for the tabs above
	Text     []string        // lines of the file, tabs expanded
	Heat     map[int]Heat    // by line number from 1
	ByMisses bool            // the heat is the misses, not the references
	Folded   map[string]bool // functions that take one row
	Now      int             // the line that the cursor's reference comes from, 0 for none in this file
	Scroll   float64         // how far the text is moved up
	Selected link.Thing
	Hover    link.Thing
	Empty    string // said when there is no text
}

const (
	row     = 18.0
	top     = 6.0
	tabs    = 24.0 // the row of files, when there are several
	size    = 11.5
	heatMax = 58.0  // the longest bar; shorter in a narrow pane
	narrow  = 360.0 // below this width there is no column of bars: the heat lies behind the text
)

// Lines cuts a text into lines and expands tabs to columns of four.
func Lines(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = expand(strings.TrimSuffix(l, "\r"))
	}
	return lines
}

func expand(line string) string {
	if !strings.Contains(line, "\t") {
		return line
	}
	var b strings.Builder
	column := 0
	for _, r := range line {
		if r != '\t' {
			b.WriteRune(r)
			column++
			continue
		}
		for b.WriteByte(' '); ; b.WriteByte(' ') {
			if column++; column%4 == 0 {
				break
			}
		}
	}
	return b.String()
}

// layout is where the columns are.
type layout struct {
	head   float64 // above the text
	number float64 // right end of the line numbers
	text   float64 // left end of the text
	edge   float64 // right end of the text
	heat   float64 // left end of the heat bars
	bar    float64 // the longest one
	behind bool    // the bars lie behind the text
	indent float64 // how much of the indentation is kept
	size   float64 // of the text
}

func place(s *State, room scene.Size) layout {
	l := layout{head: top, size: size, indent: 1, behind: room.W < narrow}
	if len(s.Files) > 1 {
		l.head += tabs
	}
	digits := max(2, len(strconv.Itoa(len(s.Text))))
	gap := 12.0
	if l.behind {
		gap, l.size, l.indent = 7, size-1, 0.5
	}
	l.number = 14 + float64(digits)*scene.Measure(scene.Mono, l.size-1, "0")
	l.text = l.number + gap
	if l.behind {
		l.heat, l.bar, l.edge = l.text-3, room.W-l.text, room.W-4
		return l
	}
	l.bar = min(heatMax, room.W*0.11)
	l.heat = room.W - l.bar - 8
	l.edge = l.heat - 6
	return l
}

// code is where line n's text begins, what it says without its indentation, and how wide it may be.
func (l *layout) code(s *State, n int) (x float64, text string, room float64) {
	line := s.Text[n-1]
	text = strings.TrimLeft(line, " ")
	x = l.text + l.indent*scene.Measure(scene.Mono, l.size, line[:len(line)-len(text)])
	edge := l.edge
	if _, runs := s.Heat[n]; !runs && !l.behind {
		edge = l.heat + l.bar // there is no bar to keep clear
	}
	return x, text, max(1, edge-x)
}

// Overflow is how far the text can be scrolled in the room given.
func Overflow(s State, room scene.Size) float64 {
	return max(0, place(&s, room).head+row*float64(len(s.visible()))+top-room.H)
}

// Reveal is the scroll that shows a line, changed as little as possible.
func Reveal(s State, room scene.Size, line int) float64 {
	head := place(&s, room).head
	y := row * float64(rowOf(s.visible(), line))
	visible := room.H - head
	switch {
	case y < s.Scroll:
		return max(0, y-2*row)
	case y+row > s.Scroll+visible:
		return min(Overflow(s, room), y+3*row-visible)
	}
	return s.Scroll
}

// Scene draws the state into the room given.
func Scene(s State, room scene.Size) scene.Drawing {
	d := scene.Drawing{Size: room, Background: s.Theme.Panel}
	if len(s.Text) == 0 {
		d.Paragraph(scene.Text{At: scene.Point{X: room.W / 2, Y: room.H/2 - 10}, Size: 12.5, Color: s.Theme.Dim, Align: 0.5,
			S: s.Empty, Max: room.W - 32}, row)
		return d
	}
	l := place(&s, room)
	var shapes []scene.Shape
	most := uint64(1)
	visible := s.visible()
	for n := range s.Heat {
		h, _, _ := s.heat(n)
		most = max(most, s.amount(h))
	}
	for i := max(0, int(s.Scroll/row)-1); i < len(visible); i++ {
		n, y := visible[i], l.head+row*float64(i)-s.Scroll
		if y > room.H {
			break
		}
		shapes = append(shapes, drawLine(&s, l, room, n, y, most)...)
	}
	d.Add(scene.Group{Clip: scene.R(0, l.head-top, room.W, room.H), Shapes: shapes})
	drawTabs(&d, &s, room)
	if end := l.head + row*float64(len(visible)) - s.Scroll; len(s.Heat) > 0 && end+row < room.H {
		d.Add(scene.Text{At: scene.Point{X: room.W - 8, Y: room.H - 8}, Size: 10.5, Color: s.Theme.Dim, Align: 1,
			S: s.measure() + " per line", Max: room.W - 16})
	}
	return d
}

// amount is what the heat shows of a line.
func (s *State) amount(h Heat) uint64 {
	if s.ByMisses {
		return h.Misses
	}
	return h.References
}

// measure names it.
func (s *State) measure() string {
	if s.ByMisses {
		return "misses"
	}
	return "references"
}

func drawLine(s *State, l layout, room scene.Size, n int, y float64, most uint64) []scene.Shape {
	var out []scene.Shape
	heat, runs, folded := s.heat(n)
	thing := link.OfLine(s.File, n)
	selected := s.Selected == thing
	now := n == s.Now
	band := func(c color.NRGBA) {
		out = append(out, scene.Fill{Path: scene.Box(scene.R(0, y, room.W, row)), Color: c})
	}
	switch {
	case selected:
		band(palette.Alpha(s.Theme.Accent, 0.20))
	case now:
		band(palette.Alpha(s.Theme.Accent, 0.11))
	case s.Hover == thing:
		band(palette.Alpha(s.Theme.Faint, 0.18))
	}
	base := y + row/2 + scene.Middle(scene.Mono, l.size)
	if runs && s.amount(heat) > 0 {
		out = append(out, drawHeat(s, l, y, heat, most)...)
	}
	if selected && l.behind { // a long bar hides the band
		out = append(out, scene.Stroke{Path: scene.RoundBox(scene.R(1.5, y+0.5, room.W-3, row-1), 3), Width: 1,
			Color: palette.Alpha(s.Theme.Accent, 0.75)})
	}
	if runs {
		out = append(out, scene.Fill{Path: scene.RoundBox(scene.R(5, y+3.5, 4, row-7), 2), Color: heat.Color})
	}
	number, text := s.Theme.Faint, s.Theme.Text
	if !runs {
		text = s.Theme.Dim
	}
	if now || selected {
		number = s.Theme.Accent
	} else if runs {
		number = s.Theme.Dim
	}
	x, code, wide := l.code(s, n)
	if folded > 0 {
		code = fmt.Sprintf("%s …  %d lines", traceio.ShortFunction(heat.Function), folded+1)
	}
	return append(out,
		scene.Text{At: scene.Point{X: l.number, Y: base}, Face: scene.Mono, Size: l.size - 1, Color: number, Align: 1,
			S: strconv.Itoa(n)},
		scene.Text{At: scene.Point{X: x, Y: base}, Face: scene.Mono, Size: l.size, Color: text, S: code, Max: wide})
}

// drawHeat draws a line's references as a bar, the part of them that missed in red; or its misses, all in red.
func drawHeat(s *State, l layout, y float64, heat Heat, most uint64) []scene.Shape {
	w := max(1.5, l.bar*float64(s.amount(heat))/float64(most))
	if s.ByMisses {
		heat.Color, heat.Misses = s.Theme.Miss, 0
	}
	m := max(1.5, w*float64(heat.Misses)/float64(max(heat.Misses, heat.References)))
	if l.behind {
		tone := 0.22
		if s.Theme.Dark {
			tone = 0.26
		}
		out := []scene.Shape{scene.Fill{Path: scene.RoundBox(scene.R(l.heat, y+1.5, w, row-3), 3),
			Color: palette.Alpha(heat.Color, tone)}}
		if heat.Misses > 0 {
			out = append(out, scene.Fill{Path: scene.RoundBox(scene.R(l.heat, y+row-3, m, 1.5), 0.75), Color: s.Theme.Miss})
		}
		return out
	}
	out := []scene.Shape{scene.Fill{Path: scene.RoundBox(scene.R(l.heat, y+row/2-3.5, w, 7), 2),
		Color: palette.Alpha(heat.Color, 0.85)}}
	if heat.Misses > 0 {
		out = append(out, scene.Fill{Path: scene.RoundBox(scene.R(l.heat, y+row/2+4.5, m, 2), 1), Color: s.Theme.Miss})
	}
	return out
}

// Target is what lies under the pointer: a line, or the name of another file ("" for none).
type Target struct {
	Thing    link.Thing
	File     string
	Function string   // that the line belongs to
	Lines    []string // of the tooltip
}

// Hit returns what lies at p.
func Hit(s State, room scene.Size, p scene.Point) Target {
	for _, t := range layTabs(&s, room) {
		if t.Contains(p) {
			return Target{File: s.Files[t.file], Lines: []string{t.tip(&s)}}
		}
	}
	l := place(&s, room)
	visible := s.visible()
	i := int((p.Y - l.head + s.Scroll) / row)
	if p.Y < l.head || p.Y >= room.H || p.X < 0 || p.X >= room.W || i < 0 || i >= len(visible) {
		return Target{}
	}
	n := visible[i]
	t := Target{Thing: link.OfLine(s.File, n), Lines: []string{fmt.Sprintf("%s:%d", s.File, n)}}
	heat, runs, folded := s.heat(n)
	if folded > 0 {
		t.Lines[0] = fmt.Sprintf("%s:%d-%d, folded", s.File, n, n+folded)
	}
	if _, code, wide := l.code(&s, n); scene.Measure(scene.Mono, l.size, code) > wide {
		t.Lines = append(t.Lines, code) // it is cut in the picture
	}
	if !runs {
		t.Lines = append(t.Lines, "makes no recorded references")
		return t
	}
	t.Function = heat.Function
	t.Lines = append(t.Lines, "in "+traceio.ShortFunction(heat.Function), words.Plural(heat.References, "reference"))
	if heat.Misses > 0 {
		t.Lines = append(t.Lines, fmt.Sprintf("%d misses in the first level", heat.Misses))
	}
	return t
}
