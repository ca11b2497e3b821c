package heapmap

import (
	"image/color"

	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// Reallocations are drawn as arcs from the end of one block to the beginning of the next one of its chain: all of the
// chain of the selected or hovered block, and, where they are wanted and few enough to be told apart, all in the
// window.

// mostLinks is how many arcs say something; of more the first are drawn.
const mostLinks = 400

// drawLinks draws the arcs.
func drawLinks(d *scene.Drawing, s *State, l *layout) {
	if len(s.Heap.Links) == 0 {
		return
	}
	var shapes []scene.Shape
	if s.Links {
		faint := scene.Curves{Width: 1, Colors: []color.NRGBA{palette.Alpha(s.Theme.Text, 0.45)}}
		for n, i := 0, 0; i < len(s.Heap.Links) && n < mostLinks; i++ {
			x := s.Heap.Links[i]
			if from := s.Heap.Block(int(x.From)).To; from < l.from || from > l.to {
				continue
			}
			if l.arc(s, int(x.From), int(x.To), &faint) {
				n++
			}
		}
		if len(faint.Points) > 0 {
			shapes = append(shapes, faint)
		}
	}
	for _, t := range []link.Thing{s.Hover, s.Selected} {
		if t.What != link.Block || t.ID < 0 || t.ID >= s.Heap.Count() {
			continue
		}
		bright := scene.Curves{Width: 1.5, Colors: []color.NRGBA{s.Theme.Accent}}
		first := t.ID
		for n := 0; n < mostLinks && s.Heap.Previous(first) >= 0; n++ {
			first = s.Heap.Previous(first)
		}
		for n, id := 0, first; n < 2*mostLinks; n++ {
			next := s.Heap.Next(id)
			if next < 0 {
				break
			}
			l.arc(s, id, next, &bright)
			id = next
		}
		if len(bright.Points) > 0 {
			shapes = append(shapes, bright)
		}
	}
	if len(shapes) > 0 {
		d.Add(scene.Group{Clip: l.plot, Shapes: shapes})
	}
}

// arc adds the way from a block to the one it was reallocated to; false when it stays where it is or is out of sight.
func (l *layout) arc(s *State, from, to int, out *scene.Curves) bool {
	a, ok := l.blockRect(s, BlockThing(s.Heap, from))
	if !ok {
		return false
	}
	b, ok := l.blockRect(s, BlockThing(s.Heap, to))
	if !ok || s.Heap.Block(from).Low == s.Heap.Block(to).Low {
		return false
	}
	const steps = 12
	p, q := scene.Point{X: a.Max.X, Y: a.Center().Y}, scene.Point{X: b.Min.X, Y: b.Center().Y}
	bend := min(24, 6+0.15*max(p.Y-q.Y, q.Y-p.Y))
	out.Starts = append(out.Starts, len(out.Points))
	for i := range steps + 1 {
		t := float64(i) / steps
		out.Points = append(out.Points, scene.Point{X: p.X + (q.X-p.X)*t + 4*bend*t*(1-t), Y: p.Y + (q.Y-p.Y)*t*t*(3-2*t)})
	}
	return true
}
