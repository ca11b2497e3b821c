package rings

import (
	"math"
	"strconv"

	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// The numbers of sets and ranks.
const (
	dialSize = 8.5
	dialRoom = 40.0 // between two numbers on a circle
	dialMost = 16   // numbers on a circle
	dialTop  = 70.0 // free of them on both sides of the level's name
)

// drawSets numbers the arms of a level where they end, on its outer boundary like the hours of a dial: every arm, or of
// many every second, fourth and so on. Of the set that is selected or under the pointer it also numbers the ranks.
func drawSets(d *scene.Drawing, s *State, l *layout, level int, taken *[]scene.Rect) {
	g := &l.rings[level]
	every := 1
	for ; every < g.sets && (2*math.Pi*g.r1*float64(every)/float64(g.sets) < dialRoom || every*dialMost < g.sets &&
		l.zoom == 1); every *= 2 {
	}
	if g.sets > 1 && every < g.sets {
		for set := 0; set < g.sets; set += every {
			at := g.at(float64(set), float64(g.ways))
			_, angle := polar(l.c, at)
			sin, cos := math.Sincos(angle)
			dial(d, s, l, scene.Point{X: l.c.X + g.r1*cos, Y: l.c.Y + g.r1*sin}, strconv.Itoa(set), taken)
		}
	}
	for _, t := range [2]*link.Thing{&s.Selected, &s.Hover} {
		if t.What == link.Set && t.Name == s.Levels[level].Name && t.ID >= 0 && t.ID < g.sets {
			g.ranks(d, s, l, t.ID, taken)
			break
		}
	}
}

// ranks numbers the ways of one set along its arm, the one that goes next last.
func (g *ring) ranks(d *scene.Drawing, s *State, l *layout, set int, taken *[]scene.Rect) {
	last := scene.Point{X: math.Inf(-1)}
	for rank := range g.ways {
		at := g.at(float64(set), float64(rank)+0.5)
		if math.Hypot(at.X-last.X, at.Y-last.Y) < 20 && rank < g.ways-1 {
			continue
		}
		last = at
		_, angle := polar(l.c, at)
		sin, cos := math.Sincos(angle)
		off := g.dot + 8
		dial(d, s, l, scene.Point{X: at.X + off*cos, Y: at.Y + off*sin}, strconv.Itoa(rank), taken)
	}
}

// dial writes one number around a point inside the pane, but not beside a level's name at the top, nor on what is
// taken.
func dial(d *scene.Drawing, s *State, l *layout, at scene.Point, text string, taken *[]scene.Rect) {
	w := scene.Measure(scene.Mono, dialSize, text)
	box := scene.R(at.X-w/2-2, at.Y-5.5, w+4, 11)
	if at.X < 8 || at.X > l.size.W-8 || box.Min.Y < topRoom || at.Y > l.size.H-8 || at.Y < l.c.Y &&
		math.Abs(at.X-l.c.X) < dialTop || overlaps(box, *taken) {
		return
	}
	*taken = append(*taken, box)
	d.Add(scene.Fill{Path: scene.RoundBox(box, 4), Color: palette.Alpha(s.Theme.Panel, 0.82)},
		scene.Text{At: scene.Point{X: at.X, Y: at.Y + 3}, Face: scene.Mono, Size: dialSize, Color: s.Theme.Dim,
			Align: 0.5, S: text})
}
