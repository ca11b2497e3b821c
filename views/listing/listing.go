// Package listing draws grouped rows of named things with their colour and a number: the regions of a recording, its
// lines, its findings. In: rows; out: a display list that scrolls by whole units.
package listing

import (
	"image/color"

	"orrery/views/controls"
	"orrery/views/palette"
	"orrery/views/scene"
)

// Row is one named thing. Its identity is of a type of the list's own: a link.Thing where other views know it too. The
// zero identity is that of rows that stand for nothing.
type Row[K comparable] struct {
	Color color.NRGBA
	Name  string
	Note  string // said of it after its name, where there is room: "52 variables"
	Value string // at the right, in figures of equal width
	Thing K
	Tip   []string
	Fold  Fold
	Part  bool // belongs to the fold above it
}

// Fold says whether a row stands for others that can be unfolded below it.
type Fold uint8

// The kinds of row.
const (
	Single Fold = iota
	Folded
	Unfolded
)

// Group is rows under a heading.
type Group[K comparable] struct {
	Title string
	Rows  []Row[K]
}

// State is everything that the list shows. Scroll is how far it is moved up, in units.
type State[K comparable] struct {
	Theme    palette.Theme
	Groups   []Group[K]
	Scroll   float64
	Selected K
	Hover    K
	Empty    string // said when there is no row
}

const (
	rowHeight   = 22.0
	titleHeight = 26.0
	margin      = 10.0
	chip        = 10.0
)

// Height is how tall the whole list is, in units.
func Height[K comparable](s State[K]) float64 {
	h := 0.0
	for _, g := range s.Groups {
		h += titleHeight + rowHeight*float64(len(g.Rows))
	}
	return h
}

// Reveal is how far the list has to be scrolled for the row of a thing to be seen: as far as it is if that is seen now,
// else so that it stands in the middle.
func Reveal[K comparable](s State[K], size scene.Size, thing K) float64 {
	y := 0.0
	for _, g := range s.Groups {
		y += titleHeight
		for i := range g.Rows {
			if g.Rows[i].Thing == thing {
				if y >= s.Scroll && y+rowHeight <= s.Scroll+size.H {
					return s.Scroll
				}
				return max(0, min(y-(size.H-rowHeight)/2, Height(s)-size.H))
			}
			y += rowHeight
		}
	}
	return s.Scroll
}

// each calls f with the place of every row and heading (row < 0) that can be seen.
func each[K comparable](s State[K], size scene.Size, f func(r scene.Rect, group, row int)) {
	y := -s.Scroll
	visit := func(h float64, group, row int) {
		if y+h > 0 && y < size.H {
			f(scene.R(0, y, size.W, h), group, row)
		}
		y += h
	}
	for g := range s.Groups {
		visit(titleHeight, g, -1)
		for i := range s.Groups[g].Rows {
			visit(rowHeight, g, i)
		}
	}
}

// Scene draws the state into the room given.
func Scene[K comparable](s State[K], size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	if len(s.Groups) == 0 {
		line := scene.LineHeight(scene.Sans, 12)
		d.Paragraph(scene.Text{At: scene.Point{X: margin, Y: margin + line}, Size: 12, Color: s.Theme.Dim, S: s.Empty,
			Max: size.W - 2*margin}, line)
		return d
	}
	each(s, size, func(r scene.Rect, group, row int) {
		g := &s.Groups[group]
		if row < 0 {
			d.Add(scene.Text{At: scene.Point{X: margin, Y: r.Max.Y - 8}, Face: scene.Bold, Size: 10, Color: s.Theme.Dim,
				S: g.Title, Max: size.W - 2*margin})
			return
		}
		d.Add(drawRow(s, &g.Rows[row], r)...)
	})
	d.Add(controls.ScrollBar(s.Theme, size, s.Scroll, Height(s))...)
	return d
}

func drawRow[K comparable](s State[K], row *Row[K], r scene.Rect) []scene.Shape {
	var out []scene.Shape
	var nothing K
	selected := row.Thing != nothing && row.Thing == s.Selected
	hovered := row.Thing != nothing && row.Thing == s.Hover
	if selected || hovered {
		back := palette.Alpha(s.Theme.Accent, 0.16)
		if !selected {
			back = palette.Alpha(s.Theme.Faint, 0.22)
		}
		out = append(out, scene.Fill{Path: scene.RoundBox(scene.R(r.Min.X+4, r.Min.Y+1, r.W()-8, r.H()-2), 4), Color: back})
	}
	middle := r.Center().Y
	base := middle + scene.Middle(scene.Sans, 12)
	width := scene.Measure(scene.Mono, 11, row.Value)
	left := margin
	if row.Part {
		left += chip + 4
	}
	if row.Fold != Single {
		out = append(out, scene.Fill{Path: caret(middle, row.Fold == Unfolded), Color: s.Theme.Dim})
	}
	if row.Color.A > 0 {
		out = append(out, scene.Fill{Path: scene.RoundBox(scene.R(left, middle-chip/2, chip, chip), 2.5), Color: row.Color})
		left += chip + 8
	}
	room := max(1, r.W()-left-width-margin-8)
	if name := scene.Measure(scene.Sans, 12, row.Name) + 8; row.Note != "" && name+scene.Measure(scene.Sans,
		11, row.Note) < room {
		out = append(out, scene.Text{At: scene.Point{X: left + name, Y: base}, Size: 11, Color: s.Theme.Dim, S: row.Note})
	}
	return append(out,
		scene.Text{At: scene.Point{X: left, Y: base}, Size: 12, Color: s.Theme.Text, S: row.Name, Max: room},
		scene.Text{At: scene.Point{X: r.W() - margin, Y: base}, Face: scene.Mono, Size: 11, Color: s.Theme.Dim,
			Align: 1, S: row.Value})
}

// caret is the triangle before a row that can be unfolded, left of its colour.
func caret(middle float64, open bool) scene.Path {
	var p scene.Path
	if open {
		p.Move(1.5, middle-2)
		p.Line(8, middle-2)
		p.Line(4.75, middle+2.5)
	} else {
		p.Move(2.5, middle-3.25)
		p.Line(7, middle)
		p.Line(2.5, middle+3.25)
	}
	p.Close()
	return p
}

// Hit is the row at p, nil where there is none.
func Hit[K comparable](s State[K], size scene.Size, p scene.Point) *Row[K] {
	var hit *Row[K]
	each(s, size, func(r scene.Rect, group, row int) {
		if row >= 0 && r.Contains(p) {
			hit = &s.Groups[group].Rows[row]
		}
	})
	return hit
}
