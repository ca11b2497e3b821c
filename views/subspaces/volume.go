package subspaces

import (
	"fmt"
	"math"
	"sort"

	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

func sortBy(points []int32, key func(p int32) float64) {
	sort.SliceStable(points, func(a, b int) bool { return key(points[a]) < key(points[b]) })
}

// volumes draws a cube for each local Pareto set, in rows that fill the room.
func (c *canvas) volumes(at scene.Rect) {
	n := len(c.s.Compared.Sets)
	if len(c.s.Space.Norm) < 2 {
		c.note(at, "Two objectives are needed to dominate an area.")
		return
	}
	cols, best := 1, 0.0
	for k := 1; k <= n; k++ {
		rows := (n + k - 1) / k
		if side := min(at.W()/float64(k), (at.H()-14)/float64(rows)*0.92); side > best {
			cols, best = k, side
		}
	}
	rows := (n + cols - 1) / cols
	wide, tall := at.W()/float64(cols), (at.H()-14)/float64(rows)
	for i := range n {
		c.volume(scene.R(at.Min.X+wide*float64(i%cols), at.Min.Y+tall*float64(i/cols), wide, tall), i)
	}
	c.ramps(at)
}

// ramps says below the cubes which colours run along which objective, and of what the numbers are.
func (c *canvas) ramps(at scene.Rect) {
	x, y := at.Min.X, at.Max.Y-1
	for o := range c.s.Space.Objectives[:min(3, len(c.s.Space.Objectives))] {
		text := c.s.Space.Objectives[o].Name
		wide := scene.Measure(scene.Sans, 9.5, text)
		if x+wide+44 > at.Max.X {
			return
		}
		const steps, long = 12, 30.0
		for i := range steps {
			c.Add(scene.Fill{Path: scene.Box(scene.R(x+long*float64(i)/steps, y-7, long/steps+0.3, 7)),
				Color: palette.Objective(o, (float64(i)+0.5)/steps)})
		}
		c.Add(scene.Text{At: scene.Point{X: x + long + 5, Y: y}, Size: 9.5, Color: c.s.Theme.Dim, S: text})
		x += long + 5 + wide + 14
	}
	text := "coloured: dominated · lines: the points"
	if m := len(c.s.Space.Norm); m > 3 {
		text = fmt.Sprintf("the first three of %d objectives; the numbers are of all", m)
	}
	if x+scene.Measure(scene.Sans, 9.5, text) < at.Max.X {
		c.Add(scene.Text{At: scene.Point{X: at.Max.X, Y: y}, Size: 9.5, Color: c.s.Theme.Dim, Align: 1, S: text})
	}
}

// side is a face of the cube in the picture: the corner where both objectives are 0, and the ways that they grow. Its
// colour follows the first of them.
type side struct {
	first, second int
	o, u, v       scene.Point
}

func (f *side) at(x, y float64) scene.Point {
	return scene.Point{X: f.o.X + f.u.X*x + f.v.X*y, Y: f.o.Y + f.u.Y*x + f.v.Y*y}
}

// volume draws the sides of set i's cube that meet at the reference point (1, 1, 1), which is nearest to the eye:
//
//	    0 2 0
//	  /       \        top: objectives 1 and 2 in the plane of the worst 0
//	0    top    0
//	| \       / |
//	|left 111 right    what is dominated reaches to the reference point
//	|    |      |
//	 \   |   /
func (c *canvas) volume(at scene.Rect, i int) {
	s, p := c.s, c.s.Compared
	label := 30.0
	if at.H() < 110 {
		label = 15
	}
	edge := min((at.W()-16)/2/0.866, (at.H()-label-8)/2)
	o := scene.Point{X: at.Center().X, Y: at.Min.Y + 4 + edge}
	right, left, down := scene.Point{X: 0.866 * edge, Y: -0.5 * edge}, scene.Point{X: -0.866 * edge, Y: -0.5 * edge},
		scene.Point{Y: edge}
	neg := func(q scene.Point) scene.Point { return scene.Point{X: -q.X, Y: -q.Y} }
	sum := func(q ...scene.Point) (out scene.Point) {
		out = o
		for _, x := range q {
			out.X, out.Y = out.X+x.X, out.Y+x.Y
		}
		return out
	}
	// the reference point is o; objective 0 falls to the right, 1 to the left, 2 downward
	sides := []side{{0, 1, sum(right, left), neg(right), neg(left)}, {1, 2, sum(left, down), neg(left), neg(down)},
		{2, 0, sum(down, right), neg(down), neg(right)}}
	if len(s.Space.Norm) == 2 {
		edge = min(at.W()-16, at.H()-label-8)
		sides = []side{{0, 1, scene.Point{X: at.Center().X - edge/2, Y: at.Min.Y + 4 + edge}, scene.Point{X: edge},
			scene.Point{Y: -edge}}}
	}
	c.tooltip(at, c.thing(i), c.aboutVolume(i)...)
	for k := range sides {
		c.face(&sides[k], p.Sets[i])
	}
	y := min(at.Max.Y-label+14, o.Y+edge+16)
	if len(sides) == 1 {
		y = at.Min.Y + edge + 18
	}
	c.Add(scene.Text{At: scene.Point{X: at.Center().X, Y: y}, Size: 10.5, Color: s.Theme.Text, Align: 0.5,
		S: name(i) + "  " + digits(p.Volume[i], 3), Max: at.W()})
	if label > 20 {
		c.Add(scene.Text{At: scene.Point{X: at.Center().X, Y: y + 13}, Face: scene.Mono, Size: 9, Color: s.Theme.Dim,
			Align: 0.5, S: c.values(p.Sets[i]), Max: at.W() - 6})
	}
}

// face draws one side: the part of it that the set dominates in its two objectives, and a line at each point's first
// objective.
func (c *canvas) face(f *side, set []int32) {
	s := c.s
	outline := func(pts ...scene.Point) (out scene.Path) {
		for k, q := range pts {
			if k == 0 {
				out.Move(q.X, q.Y)
			} else {
				out.Line(q.X, q.Y)
			}
		}
		out.Close()
		return out
	}
	whole := outline(f.at(0, 0), f.at(1, 0), f.at(1, 1), f.at(0, 1))
	c.Add(scene.Fill{Path: whole, Color: palette.Mix(s.Theme.Panel, s.Theme.Background, 0.8)})
	x, y := s.Space.Norm[f.first], s.Space.Norm[f.second]
	steps := append([]int32(nil), set...)
	sortBy(steps, func(p int32) float64 { return x[p] })
	low := 1.0
	for k, p := range steps { // from each point to the next the best so far of the second decides
		low = min(low, y[p])
		to := 1.0
		if k+1 < len(steps) {
			to = x[steps[k+1]]
		}
		const strip = 1.0 / 48
		// each strip lies over the end of the one before, so that nothing shines through between them
		for from := x[p]; from < to; {
			next := min(to, (math.Floor(from/strip+1e-9)+1)*strip)
			c.Add(scene.Fill{Path: outline(f.at(from, low), f.at(to, low), f.at(to, 1), f.at(from, 1)),
				Color: palette.Objective(f.first, (from+next)/2)})
			from = next
		}
	}
	low = 1
	for _, p := range steps[:min(len(steps), mostShown)] {
		low = min(low, y[p])
		a, b := f.at(x[p], low), f.at(x[p], 1)
		c.Add(scene.Stroke{Path: scene.Segment(a.X, a.Y, b.X, b.Y), Width: 1, Color: colour{A: 190}})
	}
	c.Add(scene.Stroke{Path: whole, Width: 1, Color: s.Theme.Dim})
	mid, text := f.at(0.5, 0.06), c.s.Space.Objectives[f.first].Name
	if long := math.Hypot(f.u.X, f.u.Y); long > 84 && f.u.Y == 0 {
		c.Add(scene.Text{At: scene.Point{X: mid.X, Y: f.at(0, 0).Y - 6}, Size: 9.5, Color: s.Theme.Dim, Align: 0.5,
			S: text, Max: long - 8})
	}
}

// values are the normalised objectives of a set's points: "(0.06 0.11) (0.07 0.09) …".
func (c *canvas) values(set []int32) (text string) {
	for _, p := range set[:min(6, len(set))] {
		text += "("
		for k, o := range dependent(c.s.Space) {
			if k > 0 {
				text += " "
			}
			if c.s.Exact {
				text += words.Number(c.s.Space.Objectives[o].Values[p])
			} else {
				text += digits(c.s.Space.Norm[o][p], 2)
			}
		}
		text += ") "
	}
	if len(set) > 6 {
		text += "…"
	}
	return text
}

func (c *canvas) aboutVolume(i int) []string {
	lines := c.about(i)
	names := ""
	for k, o := range c.s.Space.Objectives {
		if k < 3 {
			names += [...]string{"", ", ", ", "}[k] + o.Name
		}
	}
	return append(lines, "sides: "+names+"; the corner nearest to you is the worst of all")
}
