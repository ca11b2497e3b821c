package design

import (
	"image/color"
	"math"

	"orrery/views/palette"
	"orrery/views/scene"
)

// platform draws the components of the architecture, processors above and memories below, each filled as far as it was
// busy, and who reads and writes which memory. What is not allocated has a grey border.
func (c *canvas) platform(at scene.Rect) {
	cs, pl, t := c.s.Case, c.sp.Platform, c.s.Theme
	used := c.used()
	at.Max.Y -= 16
	at.Min.Y += 4
	n := pl.Components()
	rows := [2][]int{}
	for k := range n {
		row := 0
		if k >= len(pl.Processors) {
			row = 1
		}
		rows[row] = append(rows[row], k)
	}
	boxes := make([]scene.Rect, n)
	for row, list := range rows {
		for i, k := range list {
			cell := at.W() / float64(len(list))
			w, h := min(78, cell-8), min(46, at.H()*0.32)
			x := at.Min.X + cell*(float64(i)+0.5)
			y := at.Min.Y + h/2
			if row == 1 {
				y = at.Max.Y - h/2
			}
			boxes[k] = scene.R(x-w/2, y-h/2, w, h)
		}
	}
	c.wires(boxes)
	sum, allocated := 0.0, 0
	for k, r := range boxes {
		info, v, ink := pl.Component(k), value(cs.busy, k, c.p), cs.ink(t, k)
		shape := cs.shape(k, r)
		if k >= len(pl.Processors) {
			shape = scene.RoundBox(r, 5)
		}
		c.Add(scene.Fill{Path: shape, Color: palette.Mix(t.Panel, t.Background, 0.7)})
		border, state := palette.Mix(t.Panel, t.Faint, 0.8), "not allocated"
		under := ""
		if used[k] {
			c.fill(shape, r, v, ink)
			border, under, state = ink, percent(v), "busy for "+percent(v)+" of the time"
			if !math.IsNaN(v) {
				sum, allocated = sum+v, allocated+1
			}
		}
		c.Add(scene.Stroke{Path: shape, Width: 1.5, Color: border})
		label := t.Text
		if !used[k] {
			label = t.Dim
		}
		c.label(r, info.Name, under, label, used[k])
		c.tooltip(r, info.Name+", type "+info.Type, state)
	}
	if allocated > 0 {
		c.Add(scene.Text{At: scene.Point{X: at.Min.X, Y: at.Max.Y + 13}, Size: 10, Color: t.Dim, S: "average utilization " +
			percent(sum/float64(allocated)) + " · fill: share of the time busy · grey: not allocated", Max: at.W()})
	}
}

// wires draws who writes and reads which memory, as far as a channel is mapped there.
func (c *canvas) wires(boxes []scene.Rect) {
	if c.sp.Mapping == nil {
		return
	}
	pl, m := c.sp.Platform, c.sp.Mapping
	type wire struct {
		processor, memory int
		writes            bool
	}
	seen := map[wire]int{}
	var order []wire
	add := func(w wire) {
		if seen[w]++; seen[w] == 1 {
			order = append(order, w)
		}
	}
	for ch := range m.Channel {
		on := int(m.Channel[ch][c.p])
		from, to := int(m.Process[pl.Channels[ch].From][c.p]), int(m.Process[pl.Channels[ch].To][c.p])
		if on >= len(pl.Processors) && from >= 0 && to >= 0 {
			add(wire{from, on, true})
			add(wire{to, on, false})
		}
	}
	for _, w := range order {
		a, b := boxes[w.processor], boxes[w.memory]
		off := 6.0
		if w.writes {
			off = -6
		}
		from, to := scene.Point{X: a.Center().X + off, Y: a.Max.Y + 1}, scene.Point{X: b.Center().X + off, Y: b.Min.Y - 1}
		what := "reads"
		if w.writes {
			what = "writes"
		} else {
			from, to = to, from
		}
		ink := c.s.Case.ink(c.s.Theme, w.memory)
		c.Add(scene.Stroke{Path: scene.Segment(from.X, from.Y, to.X, to.Y), Width: 1 + math.Log2(float64(seen[w]))*0.5,
			Color: palette.Alpha(ink, 0.9)}, tip(from, to, ink))
		mid := scene.Point{X: (from.X + to.X) / 2, Y: (from.Y + to.Y) / 2}
		c.tooltip(scene.R(mid.X-8, mid.Y-8, 16, 16), pl.Component(w.processor).Name+" "+what+" "+pl.Component(w.memory).Name,
			number(seen[w], "channel"))
	}
}

// operations draws a stacked bar for each processor: how much of the time it executed, read and wrote.
func (c *canvas) operations(at scene.Rect) {
	cs, pl, t := c.s.Case, c.sp.Platform, c.s.Theme
	names := [3]string{"executing", "reading", "writing"}
	inks := [3]color.NRGBA{palette.Sequential(0.85), palette.Sequential(0.55), palette.Sequential(0.28)}
	x := at.Min.X
	for k, name := range names {
		c.Add(scene.Fill{Path: scene.RoundBox(scene.R(x, at.Max.Y-10, 10, 8), 2), Color: inks[k]},
			scene.Text{At: scene.Point{X: x + 14, Y: at.Max.Y - 3}, Size: 9.5, Color: t.Dim, S: name})
		x += 26 + scene.Measure(scene.Sans, 9.5, name)
	}
	plot := scene.Rect{Min: scene.Point{X: at.Min.X + 36, Y: at.Min.Y + 6},
		Max: scene.Point{X: at.Max.X, Y: at.Max.Y - 32}}
	if plot.H() < 20 {
		return
	}
	for k := range 5 {
		y := plot.Max.Y - plot.H()*float64(k)/4
		if k%2 == 0 || plot.H() > 90 {
			c.Add(scene.Stroke{Path: scene.Segment(plot.Min.X, y, plot.Max.X, y), Width: 0.5, Color: t.Faint},
				scene.Text{At: scene.Point{X: plot.Min.X - 5, Y: y + scene.Middle(scene.Mono, 9)}, Face: scene.Mono, Size: 9,
					Color: t.Dim, Align: 1, S: percent(float64(k) / 4)})
		}
	}
	used := c.used()
	cell := plot.W() / float64(len(pl.Processors))
	for i, q := range pl.Processors {
		o, wide := plot.Min.X+cell*(float64(i)+0.5), min(38, cell*0.6)
		label := t.Text
		if !used[i] {
			label = t.Dim
		}
		c.Add(scene.Text{At: scene.Point{X: o, Y: plot.Max.Y + 12}, Size: 9.5, Color: label, Align: 0.5,
			S: q.Name, Max: cell - 3})
		lines := []string{q.Name}
		floor := plot.Max.Y
		for k := range names {
			v := value(cs.doing[k], i, c.p)
			lines = append(lines, fact(names[k], v))
			if v > 0 {
				h := plot.H() * v
				c.Add(scene.Fill{Path: scene.Box(scene.R(o-wide/2, floor-h, wide, h)), Color: inks[k]})
				floor -= h
			}
		}
		idle := max(0, (floor-plot.Min.Y)/plot.H())
		if !used[i] {
			lines = append(lines[:1], "not allocated")
		} else {
			lines = append(lines, fact("idle", idle))
			c.Add(scene.Stroke{Path: scene.Box(scene.R(o-wide/2, plot.Min.Y, wide, plot.H())), Width: 1, Color: cs.ink(t, i)})
		}
		c.tooltip(scene.R(o-cell/2, plot.Min.Y, cell, plot.H()+16), lines...)
	}
}
