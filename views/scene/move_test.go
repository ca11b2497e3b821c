package scene

import (
	"image"
	"reflect"
	"testing"
)

// TestMoveThereAndBack moves one shape of every type; moving back must restore it, and the original must not change.
func TestMoveThereAndBack(t *testing.T) {
	make := func() []Shape {
		return []Shape{
			Fill{Path: Box(R(3, 4, 2, 2))}, Stroke{Path: Segment(1, 2, 3, 4)}, Curves{Points: []Point{{1, 2}, {3, 4}}},
			Discs{Centers: []Point{{5, 6}}}, Boxes{Rects: []Rect{R(1, 2, 3, 4)}}, Glow{Center: Point{7, 8}},
			Image{At: R(0, 0, 4, 4), Pixels: image.NewRGBA(image.Rect(0, 0, 4, 4))},
			Text{At: Point{1, 1}, S: "a"}, Mosaic{At: R(0, 0, 1, 1), Width: 1, Field: []int32{0}, Colors: []uint32{5}},
			Group{Clip: R(0, 0, 8, 8), Shapes: []Shape{Text{At: Point{2, 2}}}},
		}
	}
	original := make()
	moved := Move(original, 10, 20)
	if !reflect.DeepEqual(original, make()) {
		t.Error("Move changed its input")
	}
	if !reflect.DeepEqual(Move(moved, -10, -20), original) {
		t.Error("moving back does not restore the shapes")
	}
	if got := moved[9].(Group).Shapes[0].(Text).At; got != (Point{12, 22}) {
		t.Errorf("text inside a group is at %v, want {12 22}", got)
	}
}
