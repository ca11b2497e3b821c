package raster

import (
	"image/color"
	"math"
	"testing"

	"orrery/views/scene"
)

// TestRingsAreTheStroke compares thin circles with the same circles left open by a hair's breadth, which the pen of gg
// draws.
func TestRingsAreTheStroke(t *testing.T) {
	for _, width := range []float64{0.5, 0.75, 1.25, 2, 3.5} {
		for _, r := range []float64{9, 40.3, 137.9, 260} { // the last leaves the picture
			closed := scene.Circle(150.3, 149.8, r)
			open := scene.Path{Ops: closed.Ops[:len(closed.Ops)-1], Points: closed.Points}
			paint := func(p scene.Path) []uint8 {
				d := scene.Drawing{Size: scene.Size{W: 300, H: 300}, Background: color.NRGBA{20, 24, 30, 255}}
				d.Add(scene.Stroke{Path: p, Width: width, Color: color.NRGBA{220, 180, 90, 200}})
				return Render(d, 1, nil).Pix
			}
			got, want := paint(closed), paint(open)
			sum, inked := 0.0, 0
			for i := range want {
				x, y := i/4%300, i/1200
				if x >= 300 || math.Hypot(float64(x)-150.3-r, float64(y)-149.8) < 4 {
					continue // where the open one begins and ends
				}
				diff := math.Abs(float64(want[i]) - float64(got[i]))
				if diff > 40 {
					t.Fatalf("width %g, radius %g: pixel %d, %d: channel %d is %d, want %d", width, r, x, y, i%4, got[i], want[i])
				}
				if i%4 == 0 && want[i] != 20 {
					inked++
					sum += diff
				}
			}
			if mean := sum / float64(max(1, inked)); mean > 4 {
				t.Errorf("width %g, radius %g: pixels are off by %.2f on average", width, r, mean)
			}
		}
	}
}

// TestRingsHaveNoCorners: what has corners or ends goes to the pen, which forms them.
func TestRingsHaveNoCorners(t *testing.T) {
	c := &canvas{scale: 1}
	for _, row := range []struct {
		name   string
		path   scene.Path
		width  float64
		smooth bool
	}{
		{"circle", scene.Circle(20, 20, 15), 1, true},
		{"round box", scene.RoundBox(scene.R(3, 3, 30, 20), 5), 1, true},
		{"box", scene.Box(scene.R(3, 3, 30, 20)), 1, false},
		{"line", scene.Segment(3, 3, 30, 20), 1, false},
		{"sharp corners of a round box", scene.RoundBox(scene.R(3, 3, 30, 20), 0.01), 1, false},
	} {
		pieces := c.flatten(row.path)
		got := len(pieces) > 0
		for _, p := range pieces {
			got = got && p.smooth(row.width/2)
		}
		if got != row.smooth {
			t.Errorf("%s: smooth is %v", row.name, got)
		}
	}
}
