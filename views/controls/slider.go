package controls

import (
	"math"

	"orrery/views/palette"
	"orrery/views/scene"
)

// Slider is a horizontal track with a knob, and on the track the values that it can take where these are few.
type Slider struct {
	Theme palette.Theme
	Low   float64 // value at the left end
	High  float64 // value at the right end
	Value float64
	Marks []float64 // values to mark on the track; many are left out
}

// knobRadius is also how far the knob stands out over the ends of the track.
const knobRadius = 6.0

// X is where a value lies on a slider that fills room.
func (s Slider) X(room scene.Rect, value float64) float64 {
	x0, x1 := room.Min.X+knobRadius, room.Max.X-knobRadius
	if s.High <= s.Low {
		return x1
	}
	return x0 + (x1-x0)*min(1, max(0, (value-s.Low)/(s.High-s.Low)))
}

// ValueAt is the value at x of a slider that fills room, within its ends.
func (s Slider) ValueAt(room scene.Rect, x float64) float64 {
	x0, x1 := room.Min.X+knobRadius, room.Max.X-knobRadius
	return s.Low + (s.High-s.Low)*min(1, max(0, (x-x0)/math.Max(1, x1-x0)))
}

// Shapes draws the slider in the middle of room.
func (s Slider) Shapes(room scene.Rect) []scene.Shape {
	y := room.Center().Y
	knob := s.X(room, s.Value)
	out := []scene.Shape{scene.Stroke{Path: scene.Segment(room.Min.X+knobRadius, y, room.Max.X-knobRadius, y), Width: 3,
		Color: s.Theme.Line}}
	if knob > room.Min.X+knobRadius {
		out = append(
			out,
			scene.Stroke{Path: scene.Segment(room.Min.X+knobRadius, y, knob, y), Width: 3, Color: s.Theme.Accent},
		)
	}
	if float64(len(s.Marks)) < room.W()/6 {
		for _, m := range s.Marks {
			x := s.X(room, m)
			out = append(out, scene.Stroke{Path: scene.Segment(x, y+4, x, y+7), Width: 1, Color: s.Theme.Faint})
		}
	}
	return append(out, scene.Fill{Path: scene.Circle(knob, y, knobRadius), Color: s.Theme.Accent})
}
