package table

import (
	"image/color"
	"math"
	"strconv"

	"orrery/views/controls"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

const (
	bar      = 27.0 // the choices and the filter
	head     = 22.0
	row      = 20.0
	margin   = 10.0
	pad      = 9.0 // left and right of a number
	size     = 11.5
	headSize = 10.5
	chip     = 9.0
	leastW   = 44.0
)

// layout is where the columns are.
type layout struct {
	size    scene.Size
	name    float64   // right end of the names
	right   []float64 // right ends of the columns, moved by Across
	left    []float64
	extent  float64 // of all columns together
	most    []float64
	order   []int
	visible float64 // height of the rows' room
	top     float64 // of the rows
}

func place(s *State, room scene.Size) layout {
	l := layout{size: room, order: s.order(), top: bar + head}
	l.visible = max(0, room.H-l.top)
	widths := make([]float64, len(s.Columns))
	l.most = make([]float64, len(s.Columns))
	for k, c := range s.Columns {
		widest := 0.0
		for i := range s.Rows {
			if v := s.Rows[i].Values[k]; math.Abs(v) > l.most[k] {
				l.most[k], widest = math.Abs(v), v
			}
		}
		widths[k] = max(leastW, scene.Measure(scene.Sans, headSize, c.Title)+10, scene.Measure(scene.Mono, size,
			write(c.Format, widest))) + 2*pad
		l.extent += widths[k]
	}
	l.name = max(120, room.W-l.extent-6)
	if least := min(170, room.W*0.45); l.name < least {
		l.name = least
	}
	if room.W < 200 {
		l.name = room.W * 0.6
	}
	spare := max(0, room.W-l.extent-6-420) // very wide panes give the columns some of the room
	if n := float64(len(widths)); n > 0 && spare > 0 {
		more := min(34, spare/n)
		for k := range widths {
			widths[k] += more
		}
		l.extent += more * n
		l.name = room.W - l.extent - 6
	}
	x := l.name - min(s.Across, max(0, l.name+l.extent+6-room.W))
	for _, w := range widths {
		l.left = append(l.left, x)
		x += w
		l.right = append(l.right, x)
	}
	return l
}

// Overflow is how far the rows can be scrolled, and how far the columns.
func Overflow(s State, room scene.Size) (down, across float64) {
	l := place(&s, room)
	return max(0, row*float64(len(l.order))+4-l.visible), max(0, l.name+l.extent+6-room.W)
}

// Reveal is the scroll that shows a thing's row, changed as little as possible.
func Reveal(s State, room scene.Size, t link.Thing) float64 {
	l := place(&s, room)
	for k, i := range l.order {
		if s.Rows[i].Thing != t {
			continue
		}
		y := row * float64(k)
		switch {
		case y < s.Scroll:
			return y
		case y+row > s.Scroll+l.visible:
			return y + row + 4 - l.visible
		}
	}
	return s.Scroll
}

// write is a number as the column has it.
func write(f Format, v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case f == Tenths:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case f == Share:
		return strconv.FormatFloat(100*v, 'f', 1, 64) + " %"
	case f == Number:
		return words.Number(v)
	case f == Change && v > 0:
		return "+" + words.Count(int64(v))
	}
	return words.Count(int64(v))
}

// Scene draws the state into the room given.
func Scene(s State, room scene.Size) scene.Drawing {
	d := scene.Drawing{Size: room, Background: s.Theme.Panel}
	l := place(&s, room)
	drawBar(&d, &s, room)
	if len(s.Rows) == 0 {
		said(&d, &s, room, s.Empty)
		return d
	}
	if len(l.order) == 0 {
		said(&d, &s, room, "Nothing here has \""+s.Filter+"\" in it. Escape clears the filter.")
	}
	drawHeads(&d, &s, &l)
	first := max(0, int(s.Scroll/row))
	var rows []scene.Shape
	for k := first; k < len(l.order); k++ {
		y := l.top + row*float64(k) - s.Scroll
		if y > room.H {
			break
		}
		rows = append(rows, drawRow(&s, &l, &s.Rows[l.order[k]], y)...)
	}
	d.Add(scene.Group{Clip: scene.R(0, l.top, room.W, l.visible), Shapes: rows})
	if total := row * float64(len(l.order)); total > l.visible && l.visible > 24 {
		h := max(20, l.visible*l.visible/total)
		y := l.top + (l.visible-h)*min(1, s.Scroll/max(1, total-l.visible))
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(room.W-4, y, 3, h), 1.5), Color: palette.Alpha(s.Theme.Faint, 0.7)})
	}
	if over := l.name + l.extent + 6 - room.W; over > 0 && room.W-l.name > 40 { // columns beyond the edge
		wide := room.W - l.name
		part := max(20, wide*wide/(wide+over))
		x := l.name + (wide-part)*min(1, s.Across/over)
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(x, bar+head-2.5, part, 2.5), 1.25),
			Color: palette.Alpha(s.Theme.Faint, 0.8)})
	}
	return d
}

func said(d *scene.Drawing, s *State, room scene.Size, text string) {
	d.Paragraph(scene.Text{At: scene.Point{X: room.W / 2, Y: max(bar+head+20, room.H/2)}, Size: 12.5, Color: s.Theme.Dim,
		Align: 0.5, S: text, Max: room.W - 32}, 18)
}

// choosing is the row of words above the table.
func (s *State) choosing() (controls.Choices, scene.Point) {
	return controls.Choices{Theme: s.Theme, Words: s.Words, Chosen: s.Chosen, Hover: s.Over}, scene.Point{X: margin, Y: 4}
}

// field is where the filter is written; it has no extent where there is no room for it.
func (s *State) field(room scene.Size) scene.Rect {
	c, at := s.choosing()
	return controls.RightTextField(max(at.X+c.Width(), s.Taken)+14, room.W-margin, 4, controls.RowHeight)
}

func drawBar(d *scene.Drawing, s *State, room scene.Size) {
	c, at := s.choosing()
	d.Add(c.Shapes(at)...)
	d.Add(controls.TextField{Theme: s.Theme, Text: s.Filter, Hint: "filter", Typing: s.Typing}.Shapes(s.field(room))...)
}

func drawHeads(d *scene.Drawing, s *State, l *layout) {
	base := bar + head/2 + scene.Middle(scene.Sans, headSize)
	d.Add(scene.Stroke{Path: scene.Segment(margin, bar+head-0.5, l.size.W-margin, bar+head-0.5), Width: 1,
		Color: s.Theme.Line})
	ink := func(column int) color.NRGBA {
		if column == s.Sort {
			return s.Theme.Text
		}
		return s.Theme.Dim
	}
	d.Add(scene.Text{At: scene.Point{X: margin, Y: base}, Size: headSize, Color: ink(-1), S: s.Title,
		Max: l.name - margin - 16})
	if s.Sort < 0 {
		d.Add(arrow(margin+min(l.name-margin-16, scene.Measure(scene.Sans, headSize, s.Title))+7, bar+head/2,
			s.Upward, s.Theme.Accent))
	}
	var heads []scene.Shape
	for k, c := range s.Columns {
		heads = append(heads, scene.Text{At: scene.Point{X: l.right[k] - pad, Y: base}, Size: headSize, Color: ink(k),
			Align: 1, S: c.Title})
		if k == s.Sort {
			heads = append(heads, arrow(l.right[k]-pad+5, bar+head/2, s.Upward, s.Theme.Accent))
		}
	}
	d.Add(scene.Group{Clip: scene.R(l.name, bar, l.size.W-l.name, head), Shapes: heads})
}

// arrow points to where the numbers grow.
func arrow(x, y float64, upward bool, c color.NRGBA) scene.Shape {
	var p scene.Path
	h := 2.5
	if upward {
		h = -h
	}
	p.Move(x-3, y-h)
	p.Line(x+3, y-h)
	p.Line(x, y+h)
	p.Close()
	return scene.Fill{Path: p, Color: c}
}

func drawRow(s *State, l *layout, r *Row, y float64) []scene.Shape {
	var out []scene.Shape
	if r.Thing.What != link.Nothing && (r.Thing == s.Selected || r.Thing == s.Hover) {
		back := palette.Alpha(s.Theme.Faint, 0.22)
		if r.Thing == s.Selected {
			back = palette.Alpha(s.Theme.Accent, 0.16)
		}
		out = append(out, scene.Fill{Path: scene.RoundBox(scene.R(4, y+0.5, l.size.W-8, row-1), 4), Color: back})
	}
	middle := y + row/2
	x := margin
	if r.Color.A > 0 {
		out = append(out, scene.Fill{Path: scene.RoundBox(scene.R(x, middle-chip/2, chip, chip), 2.5), Color: r.Color})
		x += chip + 7
	}
	out = append(out, scene.Text{At: scene.Point{X: x, Y: middle + scene.Middle(scene.Sans, size)}, Size: size,
		Color: s.Theme.Text, S: r.label(), Max: max(1, l.name-x-6)})
	if r.Note != "" {
		if x += scene.Measure(scene.Sans, size, r.label()) + 10; l.name-x > 40 {
			out = append(out, scene.Text{At: scene.Point{X: x, Y: middle + scene.Middle(scene.Mono, size-1)}, Face: scene.Mono,
				Size: size - 1, Color: s.Theme.Dim, S: r.Note, Max: l.name - x - 8})
		}
	}
	base := middle + scene.Middle(scene.Mono, size-0.5)
	var cells []scene.Shape
	for k, c := range s.Columns {
		if l.right[k] < l.name || l.left[k] > l.size.W {
			continue
		}
		v := r.Values[k]
		if v != 0 && l.most[k] > 0 && v == v {
			tone := palette.Alpha(s.Theme.Faint, 0.35)
			if c.Red && v > 0 {
				tone = palette.Alpha(s.Theme.Miss, 0.32)
			}
			wide := max(1, (l.right[k]-l.left[k]-6)*math.Abs(v)/l.most[k])
			cells = append(cells, scene.Fill{Path: scene.RoundBox(scene.R(l.right[k]-3-wide, y+2.5, wide, row-5), 2),
				Color: tone})
		}
		ink := s.Theme.Text
		if v == 0 || v != v {
			ink = s.Theme.Dim
		}
		cells = append(cells, scene.Text{At: scene.Point{X: l.right[k] - pad, Y: base}, Face: scene.Mono, Size: size - 0.5,
			Color: ink, Align: 1, S: write(c.Format, v)})
	}
	return append(out, scene.Group{Clip: scene.R(l.name, y, l.size.W-l.name, row), Shapes: cells})
}
