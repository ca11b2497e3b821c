package subspaces

import (
	"fmt"

	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// frequencies draws, for each subspace, how many of its designs have which value of each objective that mappings
// change. All designs count, not only local Pareto points. The axes run from the best to the worst of the whole design
// space.
func (c *canvas) frequencies(at scene.Rect) {
	s, p := c.s, c.s.Compared
	list := dependent(s.Space)
	if len(list) == 0 {
		c.note(at, "Every objective depends on the parameters only: it has one value in a subspace.")
		return
	}
	left := at.Min.X + 26
	rows, cols := float64(len(p.Subspaces)), float64(len(list))
	wide, tall := (at.Max.X-left-(cols-1)*12)/cols, (at.H()-30)/rows
	for k, o := range list {
		x := left + float64(k)*(wide+12)
		c.Add(scene.Text{At: scene.Point{X: x, Y: at.Min.Y + 8}, Size: 10, Color: s.Theme.Dim,
			S: s.Space.Objectives[o].Name, Max: wide})
		for i := range p.Subspaces {
			c.histogram(scene.R(x, at.Min.Y+13+tall*float64(i), wide, tall-4), i, o)
		}
		low, high := "0", "1"
		if s.Exact {
			low, high = ends(s, o)
		}
		y := at.Min.Y + 13 + tall*rows + 9
		c.Add(scene.Text{At: scene.Point{X: x, Y: y}, Face: scene.Mono, Size: 9.5, Color: s.Theme.Dim, S: low},
			scene.Text{At: scene.Point{X: x + wide, Y: y}, Face: scene.Mono, Size: 9.5, Color: s.Theme.Dim, Align: 1, S: high})
	}
	for i := range p.Subspaces {
		c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: at.Min.Y + 13 + tall*(float64(i)+0.5) + scene.Middle(scene.Bold,
			11)}, Face: scene.Bold, Size: 11, Color: c.ink(i), S: name(i)})
	}
}

// ends are the best and the worst value of an objective, with its unit.
func ends(s *State, o int) (best, worst string) {
	b := &s.Space.Objectives[o]
	low, high := s.Space.Extent[o].Min, s.Space.Extent[o].Max
	if b.Maximise {
		low, high = -low, -high
	}
	worst = words.Number(high)
	if b.Unit != "" {
		worst += " " + b.Unit
	}
	return words.Number(low), worst
}

// histogram is one distribution: bars over a coloured axis, as high as their share of the largest bar.
func (c *canvas) histogram(at scene.Rect, i, o int) {
	s := c.s
	k := int(s.Compared.Subspaces[i])
	bins := max(8, min(50, int(at.W()/7)))
	counts := s.Space.Frequency(k, o, bins)
	most, all := 1, 0
	for _, n := range counts {
		most, all = max(most, n), all+n
	}
	const axis = 4.0
	floor, tall := at.Max.Y-axis, at.H()-axis-11
	if tall < 4 {
		return
	}
	c.tooltip(at, c.thing(i), c.about(i)...)
	wide := at.W() / float64(bins)
	for b, n := range counts {
		x := at.Min.X + wide*float64(b)
		ink := palette.Objective(o, (float64(b)+0.5)/float64(bins))
		c.Add(scene.Fill{Path: scene.Box(scene.R(x, floor, wide+0.3, axis)), Color: ink})
		if n == 0 {
			continue
		}
		h := max(1.5, tall*float64(n)/float64(most))
		c.Add(scene.Fill{Path: scene.Box(scene.R(x+0.5, floor-h, wide-1, h)), Color: ink})
		if !s.Theme.Dark {
			c.Add(scene.Stroke{Path: scene.Box(scene.R(x+0.5, floor-h, wide-1, h)), Width: 0.6,
				Color: palette.Mix(ink, s.Theme.Text, 0.4)})
		}
		c.tooltip(scene.R(x, floor-tall, wide, tall+axis), c.thing(i), fmt.Sprintf("%s of the %s of %s", words.Count(n),
			count(all, "design"), name(i)), c.between(o, float64(b)/float64(bins), float64(b+1)/float64(bins)))
	}
	if all == 0 {
		c.Add(scene.Text{At: scene.Point{X: at.Min.X + 2, Y: floor - 3}, Size: 10, Color: s.Theme.Dim,
			S: "no design was evaluated here", Max: at.W()})
		return
	}
	c.Add(scene.Text{At: scene.Point{X: at.Max.X, Y: at.Min.Y + 8}, Face: scene.Mono, Size: 9, Color: s.Theme.Dim,
		Align: 1, S: "most " + words.Count(most) + " of " + words.Count(all), Max: at.W()})
}

// between is a stretch of an objective, normalised and as evaluated.
func (c *canvas) between(o int, from, to float64) string {
	b, e := &c.s.Space.Objectives[o], c.s.Space.Extent[o]
	value := func(v float64) string {
		v = e.Min + v*(e.Max-e.Min)
		if b.Maximise {
			v = -v
		}
		return words.Number(v)
	}
	text := fmt.Sprintf("%s %s to %s", b.Name, value(from), value(to))
	if b.Unit != "" {
		text += " " + b.Unit
	}
	return fmt.Sprintf("%s (normalised %s to %s)", text, digits(from, 2), digits(to, 2))
}
