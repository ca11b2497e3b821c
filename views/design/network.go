package design

import (
	"fmt"
	"image/color"
	"math"

	"orrery/traceio/designs"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// network draws the processes in the shape and colour of the processors that they are mapped to, and the channels:
// solid in the colour of a processor, dashed in the style and colour of a memory. Over that it shows execution times or
// latencies.
func (c *canvas) network(what Picture, at scene.Rect) {
	cs := c.s.Case
	if len(cs.ring) == 0 {
		c.note(at, "The description names no processes.")
		return
	}
	foot := c.legend(what, at)
	at.Max.Y -= foot
	at.Min.Y += 10 // a side may stand above a node
	at.Max.X -= 8
	boxes, lines := cs.place(at)
	for ch := range c.sp.Platform.Channels {
		c.channel(ch, lines[ch])
	}
	for i, r := range boxes {
		c.process(what, i, r)
	}
}

// channel draws one channel along its line, with its tip.
func (c *canvas) channel(ch int, line []scene.Point) {
	cs, pl := c.s.Case, c.sp.Platform
	on := designs.Unmapped
	if c.sp.Mapping != nil && ch < len(c.sp.Mapping.Channel) {
		on = c.sp.Mapping.Channel[ch][c.p]
	}
	if len(line) < 2 {
		return
	}
	var path scene.Path
	for k, o := range line {
		if k == 0 {
			path.Move(o.X, o.Y)
		} else {
			path.Line(o.X, o.Y)
		}
	}
	stroke := scene.Stroke{Path: path, Width: 1.3, Color: c.s.Theme.Dim}
	where := "where it is mapped is not told"
	if on >= 0 {
		stroke.Color = cs.ink(c.s.Theme, int(on))
		where = "on " + pl.Component(int(on)).Name
		if int(on) >= len(pl.Processors) {
			stroke.Dash, stroke.Width = cs.dash(int(on)), 1.8
		} else {
			where = "internal to " + pl.Component(int(on)).Name
		}
	}
	c.Add(stroke, tip(line[len(line)-2], line[len(line)-1], stroke.Color))
	info := pl.Channels[ch]
	name := info.Name
	if name == "" {
		name = pl.Processes[info.From].Name + " to " + pl.Processes[info.To].Name
	}
	lines := []string{"channel " + name, where}
	if info.Volume > 0 {
		lines = append(lines, "relative volume "+words.Number(info.Volume))
	}
	for k := 1; k < len(line); k++ { // small places along the line answer the pointer
		a, b := line[k-1], line[k]
		n := max(1, int(math.Hypot(b.X-a.X, b.Y-a.Y)/6))
		for i := range n + 1 {
			t := float64(i) / float64(n)
			c.tooltip(scene.R(a.X+(b.X-a.X)*t-3, a.Y+(b.Y-a.Y)*t-3, 6, 6), lines...)
		}
	}
}

func tip(from, to scene.Point, ink color.NRGBA) scene.Shape {
	a := math.Atan2(to.Y-from.Y, to.X-from.X)
	var p scene.Path
	p.Move(to.X, to.Y)
	p.Line(to.X-7*math.Cos(a-0.42), to.Y-7*math.Sin(a-0.42))
	p.Line(to.X-7*math.Cos(a+0.42), to.Y-7*math.Sin(a+0.42))
	p.Close()
	return scene.Fill{Path: p, Color: ink}
}

// process draws one process.
func (c *canvas) process(what Picture, i int, r scene.Rect) {
	cs, t, pl := c.s.Case, c.s.Theme, c.sp.Platform
	on, where, ink := -1, "where it is mapped is not told", t.Faint
	if c.sp.Mapping != nil && i < len(c.sp.Mapping.Process) {
		if on = int(c.sp.Mapping.Process[i][c.p]); on >= 0 {
			where = "on " + pl.Component(on).Name + ", a processor of type " + pl.Component(on).Type
			ink = cs.ink(t, on)
		}
	}
	shape := cs.shape(on, r)
	lines := []string{"process " + pl.Processes[i].Name, where}
	label, under := readable(ink), ""
	switch what {
	case Execution:
		v := value(cs.execution, i, c.p)
		c.Add(scene.Fill{Path: shape, Color: palette.Mix(t.Panel, t.Background, 0.7)})
		c.fill(shape, r, v, ink)
		label, under = t.Text, percent(v)
		lines = append(lines, "executed for "+percent(v)+" of the time")
	case Latency:
		c.latency(&lines, i, on, r, ink)
		label = t.Text
	default:
		c.Add(scene.Fill{Path: shape, Color: ink})
	}
	if what != Latency {
		c.Add(scene.Stroke{Path: shape, Width: 1.2, Color: palette.Mix(ink, t.Text, 0.35)})
	}
	c.label(r, pl.Processes[i].Name, under, label, what != Mapping)
	c.tooltip(r, lines...)
}

// label writes the name of a node in its middle, and a number below it.
func (c *canvas) label(r scene.Rect, name, under string, ink color.NRGBA, patch bool) {
	o, size := r.Center(), max(7.5, min(10, r.H()*0.36))
	lines := []string{name}
	if under != "" && r.H() >= 24 {
		lines = append(lines, under)
	}
	for k, text := range lines {
		y := o.Y + (float64(k)-float64(len(lines)-1)/2)*(size+1.5)
		if wide := min(r.W(), scene.Measure(scene.Sans, size, text)); patch {
			c.Add(scene.Fill{Path: scene.RoundBox(scene.R(o.X-wide/2-2, y-size/2-1, wide+4, size+2), 2),
				Color: palette.Alpha(c.s.Theme.Panel, 0.72)})
		}
		c.Add(scene.Text{At: scene.Point{X: o.X, Y: y + scene.Middle(scene.Sans, size)}, Size: size, Color: ink, Align: 0.5,
			S: text, Max: r.W() - 2})
	}
}

// fill colours a share of a shape, from its bottom.
func (c *canvas) fill(shape scene.Path, r scene.Rect, share float64, ink color.NRGBA) {
	if !(share > 0) {
		return
	}
	from := r.Max.Y - r.H()*min(1, share)
	c.Add(scene.Group{Clip: scene.Rect{Min: scene.Point{X: r.Min.X - 1, Y: from}, Max: scene.Point{X: r.Max.X + 1,
		Y: r.Max.Y + 1}}, Shapes: []scene.Shape{scene.Fill{Path: shape, Color: ink}}})
}

// latency draws the halves of a process: above how long it waits for its writes, below for its reads, from blue to red;
// its side has the colour of its processor.
func (c *canvas) latency(lines *[]string, i, on int, r scene.Rect, ink color.NRGBA) {
	cs, t := c.s.Case, c.s.Theme
	for k := 6.0; k > 0; k -= 0.75 { // the third dimension
		c.Add(scene.Fill{Path: cs.shape(on, scene.R(r.Min.X+k, r.Min.Y-k, r.W(), r.H())), Color: ink})
	}
	shape := cs.shape(on, r)
	half := func(v, from, to float64) {
		tint := palette.Mix(t.Panel, t.Line, 0.6)
		if !math.IsNaN(v) {
			tint = heat(t, v/cs.slow)
		}
		c.Add(scene.Group{Clip: scene.Rect{Min: scene.Point{X: r.Min.X, Y: from}, Max: scene.Point{X: r.Max.X, Y: to}},
			Shapes: []scene.Shape{scene.Fill{Path: shape, Color: tint}}})
	}
	write, read := value(cs.write, i, c.p), value(cs.read, i, c.p)
	half(write, r.Min.Y, r.Center().Y)
	half(read, r.Center().Y, r.Max.Y)
	c.Add(scene.Stroke{Path: shape, Width: 1, Color: palette.Alpha(t.Text, 0.6)}, scene.Stroke{Path: scene.Segment(r.Min.X,
		r.Center().Y, r.Max.X, r.Center().Y), Width: 0.8, Color: palette.Alpha(t.Background, 0.8)})
	*lines = append(*lines, "waits "+words.Number(write)+" for its writes (upper half)", "waits "+words.Number(read)+
		" for its reads (lower half)")
}

// heat is blue for nothing over grey to red for the worst.
func heat(t palette.Theme, v float64) color.NRGBA {
	return palette.Diverging(t, 2*max(0, min(1, v))-1)
}

// legend says below the network what the shapes, colours and dashes are. It gives its height.
func (c *canvas) legend(what Picture, at scene.Rect) float64 {
	cs, pl, t := c.s.Case, c.sp.Platform, c.s.Theme
	x, y := at.Min.X, 0.0
	var shapes []scene.Shape
	next := func(wide float64) {
		if x+wide > at.Max.X && x > at.Min.X {
			x, y = at.Min.X, y+15
		}
	}
	used := c.used()
	for k := range pl.Components() {
		if !used[k] {
			continue
		}
		name := pl.Component(k).Name
		wide := scene.Measure(scene.Sans, 9.5, name) + 32
		next(wide)
		box := scene.R(x, y, 16, 10)
		if k < len(pl.Processors) {
			shapes = append(shapes, scene.Fill{Path: cs.shape(k, box), Color: cs.ink(t, k)})
		} else {
			shapes = append(shapes, scene.Stroke{Path: scene.Segment(x, y+5, x+16, y+5), Width: 1.8,
				Color: cs.ink(t, k), Dash: cs.dash(k)})
		}
		shapes = append(shapes, scene.Text{At: scene.Point{X: x + 20, Y: y + 8.5}, Size: 9.5, Color: t.Dim, S: name})
		x += wide
	}
	if what == Latency {
		high := words.Number(cs.slow)
		wide := 74 + scene.Measure(scene.Mono, 9.5, "0"+high)
		next(wide)
		shapes = append(shapes, scene.Text{At: scene.Point{X: x, Y: y + 8.5}, Face: scene.Mono, Size: 9.5,
			Color: t.Dim, S: "0"})
		x += 9
		for i := range 20 {
			shapes = append(shapes, scene.Fill{Path: scene.Box(scene.R(x+2.5*float64(i), y+1, 2.8, 8)),
				Color: heat(t, (float64(i)+0.5)/20)})
		}
		shapes = append(shapes, scene.Text{At: scene.Point{X: x + 54, Y: y + 8.5}, Face: scene.Mono, Size: 9.5,
			Color: t.Dim, S: "≥ " + high})
	}
	foot := y + 16
	c.Add(scene.Move(shapes, 0, at.Max.Y-foot+5)...)
	return foot
}

// used says which components something is mapped to, or which are busy where the mapping is unknown.
func (c *canvas) used() []bool {
	out := make([]bool, c.sp.Platform.Components())
	mark := func(columns [][]int16) {
		for _, col := range columns {
			if k := col[c.p]; k >= 0 {
				out[k] = true
			}
		}
	}
	if m := c.sp.Mapping; m != nil {
		mark(m.Process)
		mark(m.Channel)
	}
	for k := range out {
		out[k] = out[k] || value(c.s.Case.busy, k, c.p) > 0
	}
	return out
}

// fact is a number with what it is of, for tooltips.
func fact(what string, v float64) string { return fmt.Sprintf("%s %s", what, percent(v)) }
