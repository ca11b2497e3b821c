// Package findings draws the list of what was noticed about a program, the costliest first: what it is, a bar for what
// it costs, and the place.
package findings

import (
	"fmt"
	"image/color"

	"orrery/analysis/findings"
	"orrery/views/palette"
	"orrery/views/scene"
)

// State is the list as it is shown.
type State struct {
	Theme  palette.Theme
	List   []findings.Finding
	Chosen int     // -1 for none
	Hover  int     // -1 for none
	Scroll float64 // units that the list is moved up
	Say    string  // where there is no list: why, and what to do
}

const (
	margin  = 10.0
	body    = 11.5
	leading = 15.5
	lines   = 2 // of a title, at most
	gap     = 9.0
)

// row is where a finding stands, and its title in lines.
type row struct {
	box   scene.Rect
	title []string
}

// lay places the rows from the top, without scrolling.
func lay(s *State, size scene.Size) []row {
	out := make([]row, len(s.List))
	y := 6.0
	for i := range s.List {
		title := scene.Wrap(scene.Sans, body, s.List[i].Title, size.W-2*margin-14)
		if len(title) > lines {
			title = append(title[:lines-1:lines-1], scene.Ellipsis(scene.Sans, body, title[lines-1]+" "+title[lines],
				size.W-2*margin-14))
		}
		h := float64(len(title))*leading + 18
		out[i] = row{scene.R(4, y, size.W-8, h), title}
		y += h + gap - 4
	}
	return out
}

// Overflow is how far the list can be scrolled in the room given.
func Overflow(s State, size scene.Size) float64 {
	rows := lay(&s, size)
	if len(rows) == 0 {
		return 0
	}
	return max(0, rows[len(rows)-1].box.Max.Y+6-size.H)
}

// kindColor is that of misses for what misses in the caches, another for what wastes the heap.
func kindColor(t palette.Theme, k findings.Kind) color.NRGBA {
	switch k {
	case findings.Leak, findings.Untouched, findings.Drag:
		return palette.Qualitative(t, 0)
	case findings.Fusion:
		return t.Accent
	}
	return t.Miss
}

// Scene draws the state into the room given.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	if len(s.List) == 0 {
		d.Paragraph(scene.Text{At: scene.Point{X: margin, Y: margin + 10}, Size: 12, Color: s.Theme.Dim, S: s.Say,
			Max: size.W - 2*margin}, 18)
		return d
	}
	for i, r := range lay(&s, size) {
		r.box = scene.R(r.box.Min.X, r.box.Min.Y-s.Scroll, r.box.W(), r.box.H())
		if r.box.Max.Y > 0 && r.box.Min.Y < size.H {
			s.draw(&d, i, r)
		}
	}
	return d
}

func (s *State) draw(d *scene.Drawing, i int, r row) {
	f := &s.List[i]
	switch {
	case i == s.Chosen:
		d.Add(scene.Fill{Path: scene.RoundBox(r.box, 5), Color: palette.Alpha(s.Theme.Accent, 0.13)})
	case i == s.Hover:
		d.Add(scene.Fill{Path: scene.RoundBox(r.box, 5), Color: palette.Mix(s.Theme.Panel, s.Theme.Line, 0.5)})
	}
	ink := kindColor(s.Theme, f.Kind)
	x, y := r.box.Min.X+6, r.box.Min.Y+13
	d.Add(scene.Fill{Path: scene.Circle(x+3, y-4, 3.4), Color: ink})
	for k, line := range r.title {
		d.Add(scene.Text{At: scene.Point{X: x + 14, Y: y + float64(k)*leading}, Size: body, Color: s.Theme.Text, S: line})
	}
	y = r.box.Max.Y - 8
	share := fmt.Sprintf("%.0f %%", 100*f.Cost.Share)
	wide := scene.Measure(scene.Mono, 9.5, share)
	d.Add(scene.Text{At: scene.Point{X: r.box.Max.X - 6, Y: y + 3}, Face: scene.Mono, Size: 9.5,
		Color: s.Theme.Dim, Align: 1, S: share})
	bar := scene.R(x+14, y-1.5, max(10, r.box.Max.X-12-wide-x-14), 3)
	d.Add(scene.Fill{Path: scene.RoundBox(bar, 1.5), Color: s.Theme.Line})
	bar = scene.R(bar.Min.X, bar.Min.Y, max(3, bar.W()*min(1, f.Cost.Share)), 3)
	d.Add(scene.Fill{Path: scene.RoundBox(bar, 1.5), Color: ink})
}

// Hit is the finding at a point, -1 for none.
func Hit(s State, size scene.Size, p scene.Point) int {
	p.Y += s.Scroll
	for i, r := range lay(&s, size) {
		if r.box.Contains(p) {
			return i
		}
	}
	return -1
}

// Reveal is the scrolling at which a finding is seen whole, as close to the present one as can be.
func Reveal(s State, size scene.Size, i int) float64 {
	rows := lay(&s, size)
	if i < 0 || i >= len(rows) {
		return s.Scroll
	}
	return max(rows[i].box.Max.Y+6-size.H, min(s.Scroll, rows[i].box.Min.Y-6))
}
