package subspaces

import (
	"fmt"
	"math"

	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// thing is subspace i of the chosen ones.
func (c *canvas) thing(i int) link.Thing {
	return link.OfSubspace(int(c.s.Compared.Subspaces[i]))
}

// distances draws the local Pareto sets over their distance to the global front: filled points are in it. Under each
// set stands how many are, and a mark at the mean with its value.
func (c *canvas) distances(at scene.Rect) {
	s, p := c.s, c.s.Compared
	most := 1e-9
	for i := range p.Sets {
		for _, q := range p.Sets[i] {
			most = max(most, s.Space.ToFront[q])
		}
	}
	most *= 1.02
	left := at.Min.X + 26
	x := func(v float64) float64 { return left + 6 + v/most*(at.Max.X-left-12) }
	tall := min(52, (at.H()-18)/float64(len(p.Sets)))
	for i, set := range p.Sets {
		y := at.Min.Y + tall*(float64(i)+0.36)
		c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: y + scene.Middle(scene.Bold, 11)}, Face: scene.Bold, Size: 11,
			Color: c.ink(i), S: name(i)},
			scene.Stroke{Path: scene.Segment(left, y, at.Max.X, y), Width: 1, Color: s.Theme.Line})
		c.tooltip(scene.R(at.Min.X, y-tall*0.36, at.W(), tall), c.thing(i), c.about(i)...)
		alpha := max(0.25, min(0.9, 5/math.Sqrt(float64(len(set))+1)))
		for _, q := range set {
			o := scene.Point{X: x(s.Space.ToFront[q]), Y: y}
			if s.Space.Global[q] {
				c.Add(scene.Discs{Centers: []scene.Point{o}, Radii: []float64{4}, Colors: []colour{c.ink(i)}})
			} else {
				c.Add(scene.Stroke{Path: scene.Circle(o.X, o.Y, 3.4), Width: 1.4, Color: palette.Alpha(c.ink(i), alpha)})
			}
			c.design(q, o, 4)
		}
		if len(set) == 0 {
			c.Add(scene.Text{At: scene.Point{X: left + 6, Y: y + 14}, Size: 10, Color: s.Theme.Dim,
				S: "no design was evaluated here", Max: at.Max.X - left})
			continue
		}
		m := x(p.Mean[i])
		c.Add(scene.Stroke{Path: scene.Segment(m, y-8, m, y+8), Width: 2, Color: s.Theme.Text})
		if tall >= 26 {
			c.measures(at, left, m, y+17, i)
		}
	}
	y := at.Max.Y - 3
	c.Add(scene.Text{At: scene.Point{X: left, Y: y}, Face: scene.Mono, Size: 9.5, Color: s.Theme.Dim, S: "0"},
		scene.Text{At: scene.Point{X: at.Max.X, Y: y}, Face: scene.Mono, Size: 9.5, Color: s.Theme.Dim, Align: 1,
			S: digits(most, 3)},
		scene.Text{At: scene.Point{X: (left + at.Max.X) / 2, Y: y}, Size: 9.5, Color: s.Theme.Dim, Align: 0.5,
			S: "normalised distance, filled: on the front", Max: at.Max.X - left - 70})
}

// measures writes the two measures of set i below it, the mean near its mark.
func (c *canvas) measures(at scene.Rect, left, m, y float64, i int) {
	p := c.s.Compared
	mean, share := "mean "+digits(p.Mean[i], 3), fmt.Sprintf("%d of %d global", p.InGlobal[i], len(p.Sets[i]))
	a, b := scene.Measure(scene.Mono, 10, mean), scene.Measure(scene.Sans, 10, share)
	room := at.Max.X - left
	x := max(left, min(m-a/2, at.Max.X-a))
	if a+b+12 > room {
		c.Add(scene.Text{At: scene.Point{X: x, Y: y}, Face: scene.Mono, Size: 10, Color: c.s.Theme.Text, S: mean})
		return
	}
	other := at.Max.X - b
	if x+a+10 > other {
		other = left
		x = max(x, left+b+10)
	}
	c.Add(scene.Text{At: scene.Point{X: x, Y: y}, Face: scene.Mono, Size: 10, Color: c.s.Theme.Text, S: mean},
		scene.Text{At: scene.Point{X: other, Y: y}, Size: 10, Color: c.s.Theme.Dim, S: share})
}

// matrix draws C(Si, Sj): the share of the points of the column's set that the row's set weakly dominates, and TC
// behind.
func (c *canvas) matrix(at scene.Rect) {
	s, p := c.s, c.s.Compared
	n := len(p.Sets)
	left, tall := at.Min.X+26, min(46, (at.H()-34)/float64(n))
	wide := min(90, (at.Max.X-left-56)/float64(n))
	top := at.Min.Y + 16
	for i := range n {
		y := top + tall*float64(i)
		mid := y + tall/2 + scene.Middle(scene.Mono, 10.5)
		c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: mid}, Face: scene.Bold, Size: 11, Color: c.ink(i), S: name(i)},
			scene.Text{At: scene.Point{X: left + wide*(float64(i)+0.5), Y: top - 5}, Face: scene.Bold, Size: 11, Color: c.ink(i),
				Align: 0.5, S: name(i)})
		for j := range n {
			r := scene.R(left+wide*float64(j)+1, y+1, wide-2, tall-2)
			if i == j {
				c.Add(scene.Fill{Path: scene.RoundBox(r, 3), Color: palette.Alpha(s.Theme.Line, 0.4)})
				continue
			}
			v := p.C[i][j]
			fill := palette.Mix(palette.Mix(s.Theme.Panel, s.Theme.Line, 0.6), palette.Diverging(s.Theme, -1), v)
			c.Add(scene.Fill{Path: scene.RoundBox(r, 3), Color: fill})
			if wide > 27 && tall > 13 {
				c.Add(scene.Text{At: scene.Point{X: r.Center().X, Y: mid}, Face: scene.Mono, Size: 10.5, Color: c.readable(fill),
					Align: 0.5, S: digits(v, 2)})
			}
			c.tooltipOfPair(r, i, j, fmt.Sprintf("C(%s, %s) = %s", name(i), name(j), digits(v, 3)),
				fmt.Sprintf("%.0f of the %s of %s are weakly dominated by a point of %s", math.Round(v*float64(len(p.Sets[j]))),
					count(len(p.Sets[j]), "local Pareto point"), name(j), name(i)),
				fmt.Sprintf("C(%s, %s) = %s the other way", name(j), name(i), digits(p.C[j][i], 3)), "click: which dominates which")
		}
		c.Add(scene.Text{At: scene.Point{X: left + wide*float64(n) + 10, Y: mid}, Face: scene.Mono, Size: 10.5,
			Color: c.sign(p.TC[i]), S: signed(p.TC[i])})
	}
	c.Add(scene.Text{At: scene.Point{X: left + wide*float64(n) + 10, Y: top - 5}, Face: scene.Bold, Size: 10.5,
		Color: s.Theme.Dim, S: "TC"},
		scene.Text{At: scene.Point{X: at.Min.X, Y: at.Max.Y - 3}, Size: 9.5, Color: s.Theme.Dim,
			S: "share of the column's points that the row's weakly dominate", Max: at.W()})
}

// readable is the ink for text on a fill: that of text, or of the panel where the fill is as light or as dark as text.
func (c *canvas) readable(fill colour) colour {
	light := palette.Brightness(fill)
	if text, panel := c.s.Theme.Text, c.s.Theme.Panel; math.Abs(light-palette.Brightness(panel)) >
		math.Abs(light-palette.Brightness(text)) {
		return panel
	}
	return c.s.Theme.Text
}

// sign is blue for more dominating, red for more dominated.
func (c *canvas) sign(v float64) colour {
	switch {
	case v > 1e-9:
		return palette.Mix(palette.Diverging(c.s.Theme, -1), c.s.Theme.Text, 0.15)
	case v < -1e-9:
		return palette.Mix(palette.Diverging(c.s.Theme, 1), c.s.Theme.Text, 0.15)
	}
	return c.s.Theme.Dim
}

// graph draws TC: a node is as large as its TC is high, blue above 0 and red below, an arrow leads from the set
// that dominates to the one that is dominated.
func (c *canvas) graph(at scene.Rect) {
	s, p := c.s, c.s.Compared
	n := len(p.Sets)
	o := scene.Point{X: at.Center().X, Y: at.Min.Y + (at.H()-14)/2}
	big := min(26, min(at.W(), at.H())/9)
	side := big + 6
	if at.W() > 400 { // the name of a small node stands outside of it
		side = max(side, 66)
	}
	rx, ry := max(4, min(at.W()/2-side, 1.5*(at.H()/2-big-9))), max(4, at.H()/2-big-14)
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range p.TC {
		least, most = min(least, v), max(most, v)
	}
	radius := func(i int) float64 {
		if most-least < 1e-9 {
			return big * 0.7
		}
		return big * math.Sqrt(0.16+0.84*(p.TC[i]-least)/(most-least))
	}
	place := func(i int) scene.Point {
		a := 2*math.Pi*float64(i)/float64(n) - math.Pi/2
		return scene.Point{X: o.X + rx*math.Cos(a), Y: o.Y + ry*math.Sin(a)}
	}
	if n == 1 {
		rx, ry = 0, 0
	}
	for i := range n {
		for j := range n {
			if p.C[i][j] > 0 {
				c.arrow(place(i), place(j), radius(i), radius(j), i, j)
			}
		}
	}
	for i := range n {
		q, r := place(i), radius(i)
		if c.chosen(c.thing(i)) {
			c.Add(scene.Stroke{Path: scene.Circle(q.X, q.Y, r+4), Width: 2, Color: s.Theme.Accent})
		}
		fill := palette.Mix(palette.Diverging(s.Theme, -1), s.Theme.Panel, 0.25)
		switch {
		case p.TC[i] < -1e-9:
			fill = palette.Mix(palette.Diverging(s.Theme, 1), s.Theme.Panel, 0.25)
		case p.TC[i] <= 1e-9:
			fill = palette.Mix(s.Theme.Faint, s.Theme.Panel, 0.3)
		}
		c.Add(scene.Fill{Path: scene.Circle(q.X, q.Y, r), Color: fill}, scene.Stroke{Path: scene.Circle(q.X, q.Y, r),
			Width: 1.2, Color: palette.Mix(fill, s.Theme.Text, 0.5)})
		label, y := name(i), q.Y+scene.Middle(scene.Bold, 11)
		if r > 15 {
			c.Add(scene.Text{At: scene.Point{X: q.X, Y: y - 6}, Face: scene.Bold, Size: 11, Color: c.readable(fill),
				Align: 0.5, S: label},
				scene.Text{At: scene.Point{X: q.X, Y: y + 7}, Face: scene.Mono, Size: 9.5, Color: c.readable(fill), Align: 0.5,
					S: signed(p.TC[i])})
		} else {
			label += " " + signed(p.TC[i])
			w, x := scene.Measure(scene.Mono, 9.5, label), q.X+r+4
			// on the outside, where no arrow goes
			if left := q.X - r - 4 - w; x+w > at.Max.X || q.X < o.X-r && left >= at.Min.X {
				x = left
			}
			c.Add(scene.Fill{Path: scene.RoundBox(scene.R(x-2, q.Y-7, w+4, 14), 3), Color: palette.Alpha(s.Theme.Panel, 0.85)},
				scene.Text{At: scene.Point{X: x, Y: y}, Face: scene.Mono, Size: 9.5, Color: s.Theme.Text, S: label})
		}
		c.tooltip(scene.R(q.X-r, q.Y-r, 2*r, 2*r), c.thing(i), c.about(i)...)
	}
	c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: at.Max.Y - 2}, Size: 9.5, Color: s.Theme.Dim,
		S: "size: TC · blue dominates more than it is dominated, red less", Max: at.W()})
}

// arrow draws the edge from set i to set j, bent so that the one back stands beside it, with its weight.
func (c *canvas) arrow(a, b scene.Point, ra, rb float64, i, j int) {
	s, w := c.s, c.s.Compared.C[i][j]
	dx, dy := b.X-a.X, b.Y-a.Y
	long := math.Hypot(dx, dy)
	if long < ra+rb+4 {
		return
	}
	ux, uy := dx/long, dy/long
	bend := 0.10 * long
	mid := scene.Point{X: (a.X+b.X)/2 - uy*bend, Y: (a.Y+b.Y)/2 + ux*bend}
	toward := func(from, to scene.Point, r float64) scene.Point {
		l := math.Hypot(to.X-from.X, to.Y-from.Y)
		return scene.Point{X: from.X + (to.X-from.X)/l*r, Y: from.Y + (to.Y-from.Y)/l*r}
	}
	from, to := toward(a, mid, ra+2), toward(b, mid, rb+3)
	ink := palette.Mix(s.Theme.Faint, s.Theme.Text, 0.25+0.5*w)
	var path scene.Path
	path.Move(from.X, from.Y)
	path.Cubic((from.X+2*mid.X)/3, (from.Y+2*mid.Y)/3, (to.X+2*mid.X)/3, (to.Y+2*mid.Y)/3, to.X, to.Y)
	c.Add(scene.Stroke{Path: path, Width: 0.8 + 1.8*w, Color: ink}, c.head(mid, to, 7+2*w, ink))
	at := scene.Point{X: from.X/4 + mid.X/2 + to.X/4, Y: from.Y/4 + mid.Y/2 + to.Y/4}
	text := digits(w, 2)
	wide := scene.Measure(scene.Mono, 9, text)
	r := scene.R(at.X-wide/2-3, at.Y-6.5, wide+6, 13)
	c.Add(scene.Fill{Path: scene.RoundBox(r, 3), Color: palette.Alpha(s.Theme.Panel, 0.88)},
		scene.Text{At: scene.Point{X: at.X, Y: at.Y + scene.Middle(scene.Mono, 9)}, Face: scene.Mono, Size: 9,
			Color: s.Theme.Text, Align: 0.5, S: text})
	c.tooltipOfPair(r, i, j, fmt.Sprintf("C(%s, %s) = %s", name(i), name(j), digits(w, 3)),
		fmt.Sprintf("%s weakly dominates this share of the local Pareto points of %s", name(i), name(j)),
		"click: which dominates which")
}

// head is the tip of an arrow that comes from one point to another.
func (c *canvas) head(from, to scene.Point, long float64, ink colour) scene.Shape {
	a := math.Atan2(to.Y-from.Y, to.X-from.X)
	var p scene.Path
	p.Move(to.X, to.Y)
	p.Line(to.X-long*math.Cos(a-0.4), to.Y-long*math.Sin(a-0.4))
	p.Line(to.X-long*math.Cos(a+0.4), to.Y-long*math.Sin(a+0.4))
	p.Close()
	return scene.Fill{Path: p, Color: ink}
}
