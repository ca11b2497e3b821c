package design

import (
	"context"
	"fmt"
	"math"
	"sort"

	"orrery/analysis/depgraph/layout"
	"orrery/views/scene"
)

// Sizes in the picture: what a node needs for its words, and how large it becomes at most.
const (
	leastWide, leastTall = 56.0, 24.0
	mostWide, mostTall   = 92.0, 44.0
)

// arrange lays the network of processes out in layers, once downward and once to the right.
func (c *Case) arrange(ctx context.Context) error {
	for across := range 2 {
		g, wide, tall := layout.Graph{}, 70.0, 36.0
		if across == 1 { // the picture is turned
			wide, tall = tall, wide
		}
		p := c.Space.Platform
		out, in := make([]int, len(p.Processes)), make([]int, len(p.Processes))
		for _, ch := range p.Channels {
			out[ch.From]++
			in[ch.To]++
		}
		for range p.Processes {
			g.Nodes = append(g.Nodes, layout.Node{Width: wide, Height: tall, Block: -1})
		}
		done, taken := make([]int, len(out)), make([]int, len(in))
		for _, ch := range p.Channels {
			done[ch.From]++
			taken[ch.To]++
			g.Edges = append(g.Edges, layout.Edge{From: int32(ch.From), To: int32(ch.To),
				FromX: wide * float64(done[ch.From]) / float64(out[ch.From]+1),
				ToX:   wide * float64(taken[ch.To]) / float64(in[ch.To]+1)})
		}
		l, err := layout.Compute(ctx, g, layout.Options{NodeGap: 22, LayerGap: 30}, nil)
		if err != nil {
			return fmt.Errorf("laying out the processes: %w", err)
		}
		c.flow[across] = l
	}
	l := c.flow[0]
	for i := range l.Nodes {
		c.ring = append(c.ring, i)
	}
	sort.SliceStable(c.ring, func(a, b int) bool {
		x, y := c.ring[a], c.ring[b]
		return l.Layer[x] < l.Layer[y] || l.Layer[x] == l.Layer[y] && l.Nodes[x].Min.X < l.Nodes[y].Min.X
	})
	return nil
}

// place gives the processes their boxes and the channels their lines within at: in layers where that leaves room for
// the words, on a ring in the order of the flow otherwise.
func (c *Case) place(at scene.Rect) (boxes []scene.Rect, lines [][]scene.Point) {
	best, size := -1, 1.0
	for across, l := range c.flow {
		if w, h := scaled(l, at, across == 1); min(w/leastWide, h/leastTall) >= size {
			best, size = across, min(w/leastWide, h/leastTall)
		}
	}
	if best < 0 && len(c.ring) <= 24 {
		return c.around(at)
	}
	return c.layered(at, max(0, best))
}

// scaled is how large a node is when a layout fills a place.
func scaled(l *layout.Layout, at scene.Rect, across bool) (w, h float64) {
	n, b := l.Nodes[0], l.Bounds
	w, h = (n.Max.X-n.Min.X)/max(1, b.Max.X-b.Min.X), (n.Max.Y-n.Min.Y)/max(1, b.Max.Y-b.Min.Y)
	if across {
		w, h = h, w
	}
	return w * at.W(), h * at.H()
}

func (c *Case) layered(at scene.Rect, across int) (boxes []scene.Rect, lines [][]scene.Point) {
	l := c.flow[across]
	point := func(q layout.Point) scene.Point {
		x, y := (q.X-l.Bounds.Min.X)/max(1, l.Bounds.Max.X-l.Bounds.Min.X),
			(q.Y-l.Bounds.Min.Y)/max(1, l.Bounds.Max.Y-l.Bounds.Min.Y)
		if across == 1 {
			x, y = y, x
		}
		return scene.Point{X: at.Min.X + x*at.W(), Y: at.Min.Y + y*at.H()}
	}
	for _, r := range l.Nodes {
		a, b := point(r.Min), point(r.Max)
		w, h := min(b.X-a.X, mostWide), min(b.Y-a.Y, mostTall)
		boxes = append(boxes, scene.R((a.X+b.X-w)/2, (a.Y+b.Y-h)/2, w, h))
	}
	for i, r := range l.Routes {
		ch := c.Space.Platform.Channels[i]
		line := []scene.Point{boxes[ch.From].Center()}
		for _, q := range r.Points {
			line = append(line, point(q))
		}
		lines = append(lines, outside(append(line, boxes[ch.To].Center()), boxes[ch.From], boxes[ch.To]))
	}
	return boxes, lines
}

// around puts the processes on an ellipse, the first at the left, and bends the channels toward its middle, so that two
// between the same processes stand apart.
func (c *Case) around(at scene.Rect) (boxes []scene.Rect, lines [][]scene.Point) {
	n := len(c.ring)
	boxes = make([]scene.Rect, n)
	w := max(24, min(76, at.W()/(float64(n)/2+0.6)))
	h := max(14, min(32, at.H()/(float64(n)/2+1)))
	o, rx, ry := at.Center(), max(1, (at.W()-w)/2), max(1, (at.H()-h)/2)
	for k, i := range c.ring {
		a := math.Pi + 2*math.Pi*float64(k)/float64(n)
		boxes[i] = scene.R(o.X+rx*math.Cos(a)-w/2, o.Y+ry*math.Sin(a)-h/2, w, h)
	}
	seen := map[[2]int]int{}
	for _, ch := range c.Space.Platform.Channels {
		a, b := boxes[ch.From].Center(), boxes[ch.To].Center()
		twin := seen[[2]int{ch.From, ch.To}]
		seen[[2]int{ch.From, ch.To}]++
		long := max(1, math.Hypot(b.X-a.X, b.Y-a.Y))
		mid := scene.Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}
		bend := 9 + 13*float64(twin)
		mid.X += 0.4*(o.X-mid.X) - (b.Y-a.Y)/long*bend
		mid.Y += 0.4*(o.Y-mid.Y) + (b.X-a.X)/long*bend
		var line []scene.Point
		const steps = 28
		for k := range steps + 1 {
			t := float64(k) / steps
			u, v, x := (1-t)*(1-t), 2*t*(1-t), t*t
			line = append(line, scene.Point{X: u*a.X + v*mid.X + x*b.X, Y: u*a.Y + v*mid.Y + x*b.Y})
		}
		lines = append(lines, outside(line, boxes[ch.From], boxes[ch.To]))
	}
	return boxes, lines
}

// outside cuts the ends of a line off that lie in the boxes that it joins.
func outside(line []scene.Point, from, to scene.Rect) []scene.Point {
	for len(line) > 2 && from.Contains(line[1]) {
		line = line[1:]
	}
	for len(line) > 2 && to.Contains(line[len(line)-2]) {
		line = line[:len(line)-1]
	}
	if len(line) < 2 {
		return line
	}
	out := append([]scene.Point(nil), line...)
	out[0] = edgeOf(from, out[1], out[0])
	out[len(out)-1] = edgeOf(to, out[len(out)-2], out[len(out)-1])
	return out
}

// edgeOf is where the way from a point outside of a box to one inside enters it.
func edgeOf(r scene.Rect, outer, inner scene.Point) scene.Point {
	if !r.Contains(inner) || r.Contains(outer) {
		return inner
	}
	low, high := 0.0, 1.0 // of the way from outer to inner
	for range 20 {
		mid := (low + high) / 2
		if r.Contains(scene.Point{X: outer.X + (inner.X-outer.X)*mid, Y: outer.Y + (inner.Y-outer.Y)*mid}) {
			high = mid
		} else {
			low = mid
		}
	}
	return scene.Point{X: outer.X + (inner.X-outer.X)*high, Y: outer.Y + (inner.Y-outer.Y)*high}
}
