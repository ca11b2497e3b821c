package curve

import (
	"fmt"
	"image/color"

	"orrery/views/controls"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// bar is the sets that one column of a strip stands for: one, or as many as share its pixels.
type bar struct {
	x0, x1   float64
	from, to int    // sets
	most     uint64 // of the fullest one
	mean     float64
	fullest  int
}

// narrowest is the width of a column in units, below which sets share one.
const narrowest = 2

// bars reduces the sets of a level to the columns that its strip has.
func bars(sets []Set, by Measure, r scene.Rect) []bar {
	n := min(len(sets), max(1, int(r.W()/narrowest)))
	out := make([]bar, n)
	for i := range out {
		b := bar{from: i * len(sets) / n, to: (i + 1) * len(sets) / n,
			x0: r.Min.X + r.W()*float64(i)/float64(n), x1: r.Min.X + r.W()*float64(i+1)/float64(n)}
		b.fullest = b.from
		for k := b.from; k < b.to; k++ {
			v := by.of(sets[k])
			b.mean += float64(v)
			if v > b.most {
				b.most, b.fullest = v, k
			}
		}
		b.mean /= float64(b.to - b.from)
		out[i] = b
	}
	return out
}

// column is where a set of a level is drawn.
func column(sets []Set, r scene.Rect, set int) (x0, x1 float64) {
	for _, b := range bars(sets, Requests, r) {
		if set >= b.from && set < b.to {
			return b.x0, b.x1
		}
	}
	return r.Min.X, r.Min.X
}

// summary is a level's sets in a few numbers.
type summary struct {
	total, most uint64
	set         int
}

func summarize(sets []Set, by Measure) summary {
	var m summary
	for i, s := range sets {
		v := by.of(s)
		m.total += v
		if v > m.most {
			m.most, m.set = v, i
		}
	}
	return m
}

func drawStrips(d *scene.Drawing, s *State, g geometry) {
	if len(g.strips) == 0 {
		return
	}
	row, at := s.measureChoices(g)
	d.Add(scene.Text{At: scene.Point{X: 8, Y: g.head}, Size: 11, Color: s.Theme.Dim, S: "each set"})
	if at.X+row.Width() < g.size.W {
		d.Add(row.Shapes(at)...)
	}
	for k, r := range g.strips {
		drawStrip(d, s, &s.Levels[g.levels[k]], r, g)
	}
}

// drawStrip draws a bar for every set, or, where many share a column, the fullest of them pale and their mean in full.
func drawStrip(d *scene.Drawing, s *State, l *Level, r scene.Rect, g geometry) {
	middle := r.Center().Y + scene.Middle(scene.Sans, 11)
	d.Add(scene.Text{At: scene.Point{X: r.Min.X - 7, Y: middle}, Size: 11, Color: s.Theme.Text, Align: 1,
		S: l.Name, Max: gutter - 10})
	d.Add(scene.Fill{Path: scene.Box(r), Color: palette.Mix(s.Theme.Panel, s.Theme.Background, 0.7)})
	m := summarize(l.Sets, s.By)
	ink := palette.Qualitative(s.Theme, 0)
	if s.By == Misses || s.By == Conflicts {
		ink = s.Theme.Miss
	}
	high := func(v float64) float64 { return v / float64(max(1, m.most)) * (r.H() - 2) }
	pale, full := scene.Curves{Colors: []color.NRGBA{palette.Alpha(ink, 0.42)}}, scene.Curves{Colors: []color.NRGBA{ink}}
	for _, b := range bars(l.Sets, s.By, r) {
		shared := b.to-b.from > 1
		c := ink
		if shared {
			c = palette.Alpha(ink, 0.42)
		}
		if wide := b.x1 - b.x0; wide > 3 {
			d.Add(scene.Fill{Path: scene.Box(scene.R(b.x0+0.5, r.Max.Y-high(float64(b.most)), wide-1, high(float64(b.most)))),
				Color: c})
			continue
		}
		x := (b.x0 + b.x1) / 2
		to := &full
		if shared {
			to = &pale
		}
		rise(to, x, b.x1-b.x0, r.Max.Y, high(float64(b.most)))
		if shared {
			rise(&full, x, b.x1-b.x0, r.Max.Y, high(b.mean))
		}
	}
	for _, c := range []scene.Curves{pale, full} {
		if len(c.Points) > 0 {
			d.Add(scene.Group{Clip: r, Shapes: []scene.Shape{c}})
		}
	}
	for _, t := range []struct {
		thing link.Thing
		color color.NRGBA
	}{{s.Hover, s.Theme.Text}, {s.Selected, s.Theme.Accent}} {
		if t.thing.What == link.Set && t.thing.Name == l.Name && t.thing.ID >= 0 && t.thing.ID < len(l.Sets) {
			x0, x1 := column(l.Sets, r, t.thing.ID)
			d.Add(scene.Stroke{Path: scene.Box(scene.R(x0-0.5, r.Min.Y+0.5, max(2, x1-x0)+1, r.H()-1)),
				Width: 1.5, Color: t.color})
		}
	}
	if g.size.W >= 380 {
		d.Add(scene.Text{At: scene.Point{X: r.Max.X + 8, Y: middle}, Size: 10.5, Color: s.Theme.Dim, S: m.words(len(l.Sets)),
			Max: stripRight - 8})
	}
}

// rise adds a column as a stroke of its width.
func rise(c *scene.Curves, x, wide, base, high float64) {
	if high < 0.25 {
		return
	}
	c.Width = wide
	c.Starts = append(c.Starts, len(c.Points))
	c.Points = append(c.Points, scene.Point{X: x, Y: base + 2}, scene.Point{X: x, Y: base - high})
}

// words says how uneven the sets are.
func (m summary) words(sets int) string {
	if m.total == 0 {
		return "none"
	}
	if sets == 1 {
		return words.Count(m.total)
	}
	return fmt.Sprintf("most %.3g × mean", float64(m.most)*float64(sets)/float64(m.total))
}

// measureChoices lets the user choose what the strips show.
func (s *State) measureChoices(g geometry) (row controls.Choices, at scene.Point) {
	row = controls.Choices{Theme: s.Theme, Words: Measures, Chosen: int(s.By), Hover: -1}
	if s.Over >= measureWord {
		row.Hover = s.Over - measureWord
	}
	return row, scene.Point{X: gutter + 12, Y: g.head - 13}
}
