package subspaces

import (
	"fmt"
	"math"

	"orrery/analysis/dse"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// mostShown is how many points of a set stand in a row of dominance at most; there is no room for more.
const mostShown = 48

// dominance draws two local Pareto sets as rows, with an arrow from each point to every one that it weakly dominates
// and a cross on those that are dominated. Points stand in the order of their first objective, the best one left.
func (c *canvas) dominance(at scene.Rect) {
	s, p := c.s, c.s.Compared
	if len(p.Sets) < 2 {
		c.note(at, "Two subspaces are needed to compare their points.")
		return
	}
	i, j := c.pairShown()
	a, b := c.ordered(p.Sets[i], at), c.ordered(p.Sets[j], at)
	gutter := min(150, at.W()*0.3)
	upper, lower := at.Min.Y+min(34, at.H()*0.2), at.Max.Y-min(46, at.H()*0.3)
	label := func(k int, y float64, set []int32) {
		c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: y - 4}, Face: scene.Bold, Size: 11, Color: c.ink(k), S: name(k)})
		for l, line := range scene.Wrap(scene.Sans, 10, Words(s.Space, p.Subspaces[k]), gutter-8) {
			if l < 2 {
				c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: y + 9 + 12*float64(l)}, Size: 10, Color: s.Theme.Dim,
					S: line, Max: gutter - 8})
			}
		}
		if more := len(p.Sets[k]) - len(set); more > 0 {
			c.Add(scene.Text{At: scene.Point{X: at.Min.X + 24, Y: y - 4}, Size: 9.5, Color: s.Theme.Dim,
				S: "and " + words.Count(more) + " more", Max: gutter - 30})
		}
		c.tooltip(scene.R(at.Min.X, y-14, gutter-6, 40), c.thing(k), c.about(k)...)
	}
	label(i, upper, a)
	label(j, lower, b)
	place := func(set []int32, k int, y float64) scene.Point {
		left := at.Min.X + gutter + 8
		return scene.Point{X: left + (at.Max.X-14-left)*(float64(k)+0.5)/float64(max(1, len(set))), Y: y}
	}
	crossed := c.arrows(a, b, func(k int) scene.Point { return place(a, k, upper) },
		func(k int) scene.Point { return place(b, k, lower) }, c.ink(i))
	for q := range c.arrows(b, a, func(k int) scene.Point { return place(b, k, lower) },
		func(k int) scene.Point { return place(a, k, upper) }, c.ink(j)) {
		crossed[q] = true
	}
	half := max(2.5, min(7, (at.W()-gutter)/float64(2*max(1, len(a), len(b)))-1))
	for k, q := range a {
		c.solution(q, place(a, k, upper), half, crossed[q])
	}
	for k, q := range b {
		c.solution(q, place(b, k, lower), half, crossed[q])
	}
	text := fmt.Sprintf("C(%s, %s) = %s · C(%s, %s) = %s", name(i), name(j), digits(p.C[i][j], 2), name(j), name(i),
		digits(p.C[j][i], 2))
	c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: at.Max.Y - 2}, Size: 9.5, Color: s.Theme.Dim,
		S: text + " · arrows: weakly dominates · cross: dominated", Max: at.W()})
}

// pairShown are the two sets, the first and the last when none are chosen.
func (c *canvas) pairShown() (i, j int) {
	n := len(c.s.Compared.Sets)
	i, j = c.s.Pair[0], c.s.Pair[1]
	if i < 0 || j < 0 || i >= n || j >= n || i == j {
		return 0, n - 1
	}
	return i, j
}

// ordered are the points of a set as they stand in a row: the best of the first objective first, so many as there is
// room for.
func (c *canvas) ordered(set []int32, at scene.Rect) []int32 {
	out := append([]int32(nil), set...)
	if len(c.s.Space.F) > 0 {
		f := c.s.Space.F[0]
		sortBy(out, func(p int32) float64 { return f[p] })
	}
	return out[:min(len(out), mostShown, max(1, int(at.W()/12)))]
}

// arrows draws which points of one row dominate which of the other and gives the dominated.
func (c *canvas) arrows(from, to []int32, at, end func(k int) scene.Point, ink colour) map[int32]bool {
	crossed, index := map[int32]bool{}, map[int32]int{}
	for k, q := range from {
		index[q] = k
	}
	back := map[int32]int{}
	for k, q := range to {
		back[q] = k
	}
	pairs := c.s.Space.Dominance(from, to)
	alpha := max(0.10, min(0.9, 7/math.Sqrt(float64(len(pairs))+1)))
	var tips []scene.Shape
	for _, w := range pairs {
		a, b := at(index[w.A]), end(back[w.B])
		crossed[w.B] = true
		tipArea := c.s.Hover == design(w.A) || c.s.Hover == design(w.B) || c.s.Selected == design(w.A) ||
			c.s.Selected == design(w.B)
		strength, wide := alpha, 1.0
		if tipArea {
			strength, wide = 1, 1.8
		}
		long := math.Hypot(b.X-a.X, b.Y-a.Y)
		cut := 10 / max(10, long)
		a, b = scene.Point{X: a.X + (b.X-a.X)*cut, Y: a.Y + (b.Y-a.Y)*cut}, scene.Point{X: b.X - (b.X-a.X)*cut,
			Y: b.Y - (b.Y-a.Y)*cut}
		c.Add(scene.Stroke{Path: scene.Segment(a.X, a.Y, b.X, b.Y), Width: wide, Color: palette.Alpha(ink, strength)})
		tips = append(tips, c.head(a, b, 6, palette.Alpha(ink, max(0.5, strength))))
	}
	c.Add(tips...)
	return crossed
}

// design is a point as a thing.
func design(p int32) link.Thing { return link.OfDesign(int(p)) }

// design gives the area around a point a tooltip about its design.
func (c *canvas) design(p int32, at scene.Point, half float64) {
	if c.chosen(design(p)) {
		c.Add(scene.Stroke{Path: scene.Circle(at.X, at.Y, half+3), Width: 2, Color: c.s.Theme.Accent})
	}
	c.tooltip(scene.R(at.X-half-1, at.Y-half-1, 2*half+2, 2*half+2), design(p), c.aboutDesign(p)...)
}

// aboutDesign is a design's objectives.
func (c *canvas) aboutDesign(p int32) []string {
	sp := c.s.Space
	lines := []string{"design " + sp.Label(int(p))}
	for o := range sp.Objectives {
		b := &sp.Objectives[o]
		text := b.Name + " " + words.Number(b.Values[p])
		if b.Unit != "" {
			text += " " + b.Unit
		}
		lines = append(lines, text+" (normalised "+digits(sp.Norm[o][p], 3)+")")
	}
	return append(lines, digits(sp.ToFront[p], 3)+" from the global front")
}

// solution is a design point as the tree draws it: its first objective is the colour of the face, the second that and
// the size of the side.
func (c *canvas) solution(p int32, at scene.Point, half float64, crossed bool) {
	sp := c.s.Space
	norm := func(o int) float64 {
		if o < len(sp.Norm) {
			return sp.Norm[o][p]
		}
		return 0
	}
	if deep := half * (0.25 + 0.75*norm(1)); len(sp.Norm) > 1 {
		var side scene.Path
		side.Move(at.X-half, at.Y-half)
		side.Line(at.X-half+deep, at.Y-half-deep)
		side.Line(at.X+half+deep, at.Y-half-deep)
		side.Line(at.X+half+deep, at.Y+half-deep)
		side.Line(at.X+half, at.Y+half)
		side.Close()
		c.Add(scene.Fill{Path: side, Color: palette.Objective(1, norm(1))})
	}
	box := scene.Box(scene.R(at.X-half, at.Y-half, 2*half, 2*half))
	c.Add(scene.Fill{Path: box, Color: palette.Objective(0, norm(0))}, scene.Stroke{Path: box, Width: 0.8,
		Color: palette.Alpha(c.s.Theme.Background, 0.7)})
	if crossed {
		r := half + 2
		for _, w := range []struct {
			wide float64
			ink  colour
		}{{4, c.s.Theme.Panel}, {2, c.s.Theme.Text}} {
			c.Add(scene.Stroke{Path: scene.Segment(at.X-r, at.Y-r, at.X+r, at.Y+r), Width: w.wide, Color: w.ink},
				scene.Stroke{Path: scene.Segment(at.X-r, at.Y+r, at.X+r, at.Y-r), Width: w.wide, Color: w.ink})
		}
	}
	c.design(p, at, half)
}

// note says something in place of a picture.
func (c *canvas) note(at scene.Rect, text string) {
	c.Paragraph(scene.Text{At: scene.Point{X: at.Min.X, Y: at.Min.Y + 14}, Size: 11, Color: c.s.Theme.Dim, S: text,
		Max: at.W()}, 15)
}

// dependent are the objectives that mappings change; all of them when the table does not say.
func dependent(s *dse.Space) (out []int) {
	for o := range s.Objectives {
		if !s.Objectives[o].Architecture {
			out = append(out, o)
		}
	}
	return out
}
