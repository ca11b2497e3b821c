package controls

import (
	"orrery/views/palette"
	"orrery/views/scene"
)

// TextField is a field in which a text is written: the filter of a table, the search of a flame graph.
type TextField struct {
	Theme  palette.Theme
	Text   string
	Hint   string // stands there while nothing is written
	Typing bool   // the keyboard is the field's
}

const (
	widestField    = 220.0
	narrowestField = 60.0
)

// RightTextField is the place of a field at the right end of a bar whose room from left to right is free; it has no
// extent where there is no room for one.
func RightTextField(left, right, top, height float64) scene.Rect {
	wide := min(widestField, right-left)
	if wide < narrowestField {
		return scene.Rect{}
	}
	return scene.R(right-wide, top, wide, height)
}

// Shapes draws the field, nothing where it has no extent.
func (s TextField) Shapes(f scene.Rect) []scene.Shape {
	if f.W() == 0 {
		return nil
	}
	edge := s.Theme.Line
	if s.Typing {
		edge = s.Theme.Accent
	}
	inner := scene.R(f.Min.X+0.5, f.Min.Y+0.5, f.W()-1, f.H()-1)
	out := []scene.Shape{scene.Fill{Path: scene.RoundBox(inner, 5), Color: s.Theme.Background},
		scene.Stroke{Path: scene.RoundBox(inner, 5), Width: 1, Color: edge}}
	text, ink := s.Text, s.Theme.Text
	if text == "" && !s.Typing {
		text, ink = s.Hint, s.Theme.Dim
	}
	base := f.Center().Y + scene.Middle(scene.Sans, textSize)
	x, wide := f.Min.X+8, scene.Measure(scene.Sans, textSize, text)
	over := max(0, wide-(f.W()-20)) // the end of a long text is what is being written
	out = append(out, scene.Group{Clip: scene.R(f.Min.X+6, f.Min.Y, f.W()-12, f.H()), Shapes: []scene.Shape{
		scene.Text{At: scene.Point{X: x - over, Y: base}, Size: textSize, Color: ink, S: text}}})
	if s.Typing {
		out = append(out, scene.Stroke{Path: scene.Segment(x-over+wide+1.5, f.Min.Y+4, x-over+wide+1.5, f.Max.Y-4), Width: 1,
			Color: s.Theme.Accent})
	}
	return out
}
