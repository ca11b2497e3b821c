package heapmap

import (
	"image/color"
	"math"

	"orrery/views/palette"
	"orrery/views/scene"
)

// The paper's cushion cursors (section 4.1.4): bands whose opacity falls with the logarithm of the distance from the
// middle, drawn over all views that are correlated. They disturb what is below less than lines do, and several can
// stand side by side.

// bandStrength is the opacity of a band beside its line.
const bandStrength = 0.34

// shadow is how much stronger the band of a height is, which darkens what is below.
const shadow = 2.4

// bandOpacity is the profile of a band at distance x, 0..1, from its middle.
func bandOpacity(x float64) float64 {
	const steep = 12.0
	return bandStrength * max(0, 1-math.Log1p(steep*x)/math.Log1p(steep))
}

// softness is half the width of a band in units.
func (s *State) softness() float64 {
	if s.Softness <= 0 {
		return cursorWidth
	}
	return s.Softness
}

// mostBand is how much of an area half a band may take: in the small map of a bin it would be all that is seen.
const mostBand = 1.0 / 12

// drawBands draws the cursor and the marks that stay, across an area: times from above to below, heights from left to
// right.
func drawBands(d *scene.Drawing, s *State, l *layout, area scene.Rect) {
	var shapes []scene.Shape
	scale := max(l.size.Scale, 0.1)
	band := func(at float64, across bool, strength float64) {
		line := func(c color.NRGBA, p, w, a float64) {
			r := scene.R(p, area.Min.Y, w, area.H())
			if across {
				r = scene.R(area.Min.X, p, area.W(), w)
			}
			shapes = append(shapes, scene.Fill{Path: scene.Box(r), Color: palette.Alpha(c, a)})
		}
		tone := s.Theme.Accent
		if across { // most blocks are stripes across, among which one more would not be seen: it lies in a shadow
			tone = s.Theme.Background
			at = math.Round(at*scale) / scale
		}
		room := area.W()
		if across {
			room = area.H()
		}
		for i, soft := 0.0, min(s.softness(), room*mostBand); i < soft; i++ {
			a := strength * bandOpacity((i+0.5)/soft)
			if across {
				a *= shadow
			}
			line(tone, at-i-1, 1, a)
			line(tone, at+i, 1, a)
		}
		if across {
			line(s.Theme.Accent, at-1, 2, 1)
			return
		}
		line(tone, at-0.5, 1, strength)
	}
	for _, t := range s.Cursors {
		if t >= l.from && t <= l.to {
			band(l.x(float64(t)), false, 0.8)
		}
	}
	for _, share := range s.Levels {
		band(area.Max.Y-share*area.H(), true, 0.8)
	}
	if !s.NoCursor && s.Cursor >= l.from && s.Cursor <= l.to {
		band(l.x(float64(s.Cursor)), false, 1)
	}
	if len(shapes) > 0 {
		d.Add(scene.Group{Clip: area, Shapes: shapes})
	}
}

// drawCursor draws now over the map, the bar and the context.
func drawCursor(d *scene.Drawing, s *State, l *layout) {
	drawBands(d, s, l, scene.Rect{Min: l.plot.Min, Max: scene.Point{X: l.plot.Max.X, Y: l.bar.Max.Y}})
	if l.curves.H() > 0 {
		times := *s
		times.Levels = nil
		drawBands(d, &times, l, l.curves)
	}
	if s.NoCursor || l.context.W() <= 0 {
		return
	}
	x := l.context.Min.X + float64(s.Cursor)/float64(s.horizon())*l.context.W()
	d.Add(scene.Group{Clip: l.context, Shapes: []scene.Shape{scene.Stroke{Path: scene.Segment(x, l.context.Min.Y, x,
		l.context.Max.Y), Width: 1, Color: palette.Alpha(s.Theme.Accent, 0.8)}}})
}
