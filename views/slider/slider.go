// Package slider draws a horizontal slider, small enough to stand in the corner of a picture: a track with a knob, and
// on the track the values that it can take where these are few.
package slider

import (
	"math"

	"orrery/views/palette"
	"orrery/views/scene"
)

// State is what the slider shows.
type State struct {
	Theme palette.Theme
	Low   float64 // value at the left end
	High  float64 // value at the right end
	Value float64
	Marks []float64 // values to mark on the track; many are left out
}

// reach is how far the knob stands out over the ends of the track, thick how tall the slider is.
const (
	reach = 6.0
	thick = 19.0
)

// Height is how tall a slider is.
func Height() float64 { return thick }

// X is where a value lies on a slider that fills room.
func X(s State, room scene.Rect, value float64) float64 {
	x0, x1 := room.Min.X+reach, room.Max.X-reach
	if s.High <= s.Low {
		return x1
	}
	return x0 + (x1-x0)*min(1, max(0, (value-s.Low)/(s.High-s.Low)))
}

// At is the value at x of a slider that fills room, within its ends.
func At(s State, room scene.Rect, x float64) float64 {
	x0, x1 := room.Min.X+reach, room.Max.X-reach
	return s.Low + (s.High-s.Low)*min(1, max(0, (x-x0)/math.Max(1, x1-x0)))
}

// Shapes draws the slider in the middle of room.
func Shapes(s State, room scene.Rect) []scene.Shape {
	y := room.Center().Y
	knob := X(s, room, s.Value)
	out := []scene.Shape{scene.Stroke{Path: scene.Segment(room.Min.X+reach, y, room.Max.X-reach, y), Width: 3,
		Color: s.Theme.Line}}
	if knob > room.Min.X+reach {
		out = append(out, scene.Stroke{Path: scene.Segment(room.Min.X+reach, y, knob, y), Width: 3, Color: s.Theme.Accent})
	}
	if float64(len(s.Marks)) < room.W()/6 {
		for _, m := range s.Marks {
			x := X(s, room, m)
			out = append(out, scene.Stroke{Path: scene.Segment(x, y+4, x, y+7), Width: 1, Color: s.Theme.Faint})
		}
	}
	return append(out, scene.Fill{Path: scene.Circle(knob, y, reach), Color: s.Theme.Accent})
}
