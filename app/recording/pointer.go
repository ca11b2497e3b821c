package recording

import "math"

// wheelFactor is how much closer dy notches of the wheel come.
func wheelFactor(dy float64) float64 { return math.Pow(1.2, dy) }

// camera is a zoom and shift about a picture's middle: a point p of the picture is drawn at middle + (p-middle)*zoom +
// pan.
type camera struct{ zoom, panX, panY float64 }

// The closest and farthest a picture may be brought.
const (
	minZoom = 0.5
	maxZoom = 64
)

// about zooms by a factor and keeps the point at (x, y), measured from the middle of the pane, where it is.
func (c *camera) about(x, y, factor float64) {
	if c.zoom == 0 {
		c.zoom = 1
	}
	next := math.Max(minZoom, math.Min(maxZoom, c.zoom*factor))
	f := next / c.zoom
	c.panX, c.panY = x-(x-c.panX)*f, y-(y-c.panY)*f
	c.zoom = next
}
