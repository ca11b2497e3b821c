package controls

import (
	"image/color"

	"orrery/views/palette"
	"orrery/views/scene"
)

// Choices is a row of words of which one is chosen, or a column of them: the list that a word opens. Title, if there is
// one, stands before it.
type Choices struct {
	Theme  palette.Theme
	Title  string
	Words  []string
	Chosen int  // index into Words
	Hover  int  // index into Words, -1 for none
	Column bool // one below the other
	Opens  bool // the words open lists

	// Marks stand before the words of a column, one for each; nil leaves no room for them. Inks, where there are any,
	// are the colours of their boxes, one for each.
	Marks []Mark
	Inks  []color.NRGBA
}

// Mark stands before a word of a column.
type Mark uint8

// The marks.
const (
	NoMark    Mark = iota
	Unchecked      // an empty box
	Checked        // a box with a tick
	Dot            // the chosen one of a group
)

const (
	wordMargin = 7.0  // from a word to the edge of its cell
	caretWidth = 10.0 // room for the mark of a word that opens a list
	markWidth  = 16.0 // room for the marks of a column
)

// Width is how wide the row or column is.
func (s Choices) Width() float64 {
	if len(s.Words) == 0 {
		return 0
	}
	f := s.cells(scene.Point{})
	return f[len(f)-1].Max.X
}

// Height is how tall the row or column is.
func (s Choices) Height() float64 {
	if s.Column {
		return RowHeight * float64(len(s.Words))
	}
	return RowHeight
}

// cells are the places of the words, the row's upper left corner at at.
func (s *Choices) cells(at scene.Point) []scene.Rect {
	x := at.X
	if s.Title != "" {
		x += scene.Measure(scene.Sans, textSize, s.Title) + wordMargin
	}
	out := make([]scene.Rect, len(s.Words))
	for i, w := range s.Words {
		wide := scene.Measure(scene.Sans, textSize, w) + 2*wordMargin
		if s.Opens {
			wide += caretWidth
		}
		if s.Marks != nil {
			wide += markWidth
		}
		out[i] = scene.R(x, at.Y, wide, RowHeight)
		x += wide
	}
	if s.Column {
		stack(out)
	}
	return out
}

// stack puts cells below each other, all as wide as the widest.
func stack(f []scene.Rect) {
	wide := 0.0
	for _, r := range f {
		wide = max(wide, r.W())
	}
	for i := range f {
		f[i] = scene.R(f[0].Min.X, f[0].Min.Y+float64(i)*RowHeight, wide, RowHeight)
	}
}

// Shapes draws the row with its upper left corner at at.
func (s Choices) Shapes(at scene.Point) []scene.Shape {
	if len(s.Words) == 0 {
		return nil
	}
	base := at.Y + RowHeight/2 + scene.Middle(scene.Sans, textSize)
	f := s.cells(at)
	all := scene.Rect{Min: f[0].Min, Max: f[len(f)-1].Max}
	out := []scene.Shape{scene.Fill{Path: scene.RoundBox(all, 5),
		Color: palette.Alpha(palette.Mix(s.Theme.Panel, s.Theme.Line, 0.55), 0.92)}}
	if s.Column { // over a picture
		out = []scene.Shape{scene.Fill{Path: scene.RoundBox(all, 5), Color: palette.Mix(s.Theme.Panel, s.Theme.Line, 0.55)},
			scene.Stroke{Path: scene.RoundBox(all, 5), Width: 1, Color: s.Theme.Line}}
	}
	if s.Title != "" {
		out = append(out, scene.Text{At: scene.Point{X: at.X, Y: base}, Size: textSize, Color: s.Theme.Dim, S: s.Title})
	}
	for i, w := range s.Words {
		ink := s.Theme.Dim
		switch i {
		case s.Chosen:
			ink = s.Theme.Text
			r := f[i]
			out = append(out, scene.Fill{Path: scene.RoundBox(scene.R(r.Min.X+1.5, r.Min.Y+1.5, r.W()-3, r.H()-3), 4),
				Color: palette.Mix(s.Theme.Line, s.Theme.Faint, 0.35)})
		case s.Hover:
			ink = s.Theme.Text
		}
		y := f[i].Min.Y - at.Y + base
		switch {
		case s.Column && i < len(s.Marks):
			if s.Marks[i] > Unchecked {
				ink = s.Theme.Text
			}
			empty, full := s.Theme.Faint, s.Theme.Accent
			if i < len(s.Inks) && s.Inks[i].A > 0 {
				empty, full = s.Inks[i], s.Inks[i]
			}
			out = append(out, mark(s.Marks[i], scene.Point{X: f[i].Min.X + wordMargin, Y: f[i].Center().Y}, empty,
				full, s.Theme.Panel)...)
			out = append(
				out,
				scene.Text{At: scene.Point{X: f[i].Min.X + wordMargin + markWidth, Y: y}, Size: textSize, Color: ink, S: w},
			)
		case s.Column:
			out = append(out, scene.Text{At: scene.Point{X: f[i].Min.X + wordMargin, Y: y}, Size: textSize, Color: ink, S: w})
		case s.Opens:
			out = append(out, scene.Text{At: scene.Point{X: f[i].Min.X + wordMargin, Y: y}, Size: textSize, Color: ink, S: w},
				down(f[i].Max.X-wordMargin-2.5, f[i].Center().Y, ink))
		default:
			out = append(
				out,
				scene.Text{At: scene.Point{X: f[i].Center().X, Y: y}, Size: textSize, Color: ink, Align: 0.5, S: w},
			)
		}
	}
	return out
}

// mark is what stands before a word, its left edge at the middle of at's height: a box in the colours of one that is
// empty or full.
func mark(m Mark, at scene.Point, empty, full, tick color.NRGBA) []scene.Shape {
	const side = 10.0
	box := scene.RoundBox(scene.R(at.X+0.5, at.Y-side/2+0.5, side-1, side-1), 2)
	switch m {
	case Unchecked:
		return []scene.Shape{scene.Stroke{Path: box, Width: 1, Color: empty}}
	case Checked:
		var p scene.Path
		p.Move(at.X+2.6, at.Y+0.2)
		p.Line(at.X+4.4, at.Y+2.2)
		p.Line(at.X+7.6, at.Y-2.3)
		return []scene.Shape{scene.Fill{Path: box, Color: full}, scene.Stroke{Path: p, Width: 1.4, Color: tick}}
	case Dot:
		return []scene.Shape{scene.Fill{Path: scene.Circle(at.X+side/2, at.Y, 2.6), Color: full}}
	}
	return nil
}

// down is a small angle that points downward, its tip below (x, y).
func down(x, y float64, ink color.NRGBA) scene.Shape {
	var p scene.Path
	p.Move(x-3, y-1.5)
	p.Line(x, y+1.5)
	p.Line(x+3, y-1.5)
	return scene.Stroke{Path: p, Width: 1.2, Color: ink}
}

// Hit is the word at p, -1 for none.
func (s Choices) Hit(at, p scene.Point) int {
	for i, r := range s.cells(at) {
		if r.Contains(p) {
			return i
		}
	}
	return -1
}
