package dsetree

import (
	"image/color"
	"maps"
	"math"
	"slices"

	"orrery/analysis/dse"
	"orrery/views/palette"
	"orrery/views/scene"
)

// nodes draws a level.
func (f *frame) nodes(p *painter, level int, out []scene.Shape) []scene.Shape {
	f.row(level, func(it item) {
		if it.high > it.low+1 || it.size < glyph {
			f.pixels(p, level, it)
			return
		}
		out = f.shapes(out, level, it)
	})
	return out
}

// pixels paints a node that is too small for a shape, or several.
func (f *frame) pixels(p *painter, level int, it item) {
	w := f.shade.of(it.low, it.high)
	half := max(it.size/2, 0.75)
	tall := min(f.tall*0.3, 11)
	y := f.rows[level]
	c := f.mean(level, w)
	if it.high == it.low+1 && f.faded(f.l.Nodes[it.low]) {
		c.A = 45
	}
	p.box(it.x-half, y-tall/2, it.x+half, y+tall/2, c)
	if w.sides > 0 {
		k := w.side / float64(w.sides)
		p.box(it.x-half, y-tall/2-1-3*k, it.x+half, y-tall/2, palette.Objective(f.s.Look.Of[Side], k))
	}
	if it.high > it.low+1 && f.holds(f.s.Selected, it) || it.high == it.low+1 && f.holds(f.s.Selected, it) {
		p.box(it.x-1.5, y-tall/2-4, it.x+1.5, y+tall/2+4, f.s.Theme.Accent)
	}
	if f.s.Blink > 0.5 && f.holds(f.s.Fresh, it) {
		p.box(it.x-half, y-tall/2, it.x+half, y+tall/2, f.s.Theme.Accent)
	}
	if it.high == it.low+1 && f.s.Collapsed[f.l.Nodes[it.low]] && !f.roomy() {
		p.box(it.x-half, y+tall/2+2, it.x+half, y+tall/2+5, f.s.folded())
	}
}

// roomy reports whether collapsed nodes that are pixels have triangles: where there are many these would hide each
// other.
func (f *frame) roomy() bool { return float64(len(f.s.Collapsed)) <= f.area.W()/roomy }

// triangles draws those of collapsed nodes that are pixels.
func (f *frame) triangles(out []scene.Shape) []scene.Shape {
	if !f.roomy() {
		return out
	}
	for _, v := range slices.Sorted(maps.Keys(f.s.Collapsed)) {
		i := f.l.Find(v)
		if i < 0 {
			continue
		}
		level := f.t.Level(v)
		at := scene.Point{X: f.x(f.l.X[i]), Y: f.rows[level] + min(f.tall*0.3, 11)/2 - glyph}
		if min(f.most(level), f.gap(v)*0.62) < glyph && at.X >= f.area.Min.X && at.X <= f.area.Max.X {
			n := node{f: f, v: v, level: level, at: at, half: glyph}
			n.triangle(&out)
		}
	}
	return out
}

// holds reports whether one of a growing list of nodes is among those of an item.
func (f *frame) holds(list []int32, it item) bool {
	i, _ := slices.BinarySearch(list, f.l.Nodes[it.low])
	return i < len(list) && list[i] <= f.l.Nodes[it.high-1]
}

// mean is the colour of some nodes of a level.
func (f *frame) mean(level int, w sum) color.NRGBA {
	if w.n == 0 {
		if w.data > 0 {
			return f.s.Theme.Dim
		}
		return palette.Alpha(f.s.blank(), 0.8)
	}
	return f.tint(level, float32(w.face/float64(w.n)))
}

// tint is the colour of a value at a level.
func (f *frame) tint(level int, x float32) color.NRGBA {
	if x != x {
		return f.s.Theme.Dim
	}
	kind := f.t.Levels[level].Kind
	if f.s.Look.Tone == ByCoverage && (kind == dse.ParameterNode || kind == dse.RootNode) {
		return palette.Generation(float64(x))
	}
	return palette.Objective(f.s.Look.Of[Face], float64(x))
}

// folded is the colour of the triangle below a collapsed node.
func (s *State) folded() color.NRGBA {
	if s.Theme.Dark {
		return color.NRGBA{R: 0x6f, G: 0x9c, B: 0xff, A: 255}
	}
	return color.NRGBA{R: 0x2b, G: 0x55, B: 0xd6, A: 255}
}

// shapes draws one node.
func (f *frame) shapes(out []scene.Shape, level int, it item) []scene.Shape {
	v := f.l.Nodes[it.low]
	c := scene.Point{X: it.x, Y: f.rows[level]}
	n := node{f: f, v: v, level: level, at: c, half: it.size / 2, ink: f.tint(level, f.shade.Columns.Face[v])}
	if f.faded(v) {
		n.fade = true
	}
	n.around(&out)
	switch f.t.Kind[v] {
	case dse.ObjectiveNode:
		n.objective(&out)
	case dse.RelationNode, dse.DistanceNode:
		n.word(&out)
	default:
		n.box(&out)
	}
	n.label()
	n.ornaments(&out)
	n.triangle(&out)
	return out
}

// node is one node that is drawn as a shape.
type node struct {
	f     *frame
	v     int32
	level int
	at    scene.Point
	half  float64
	ink   color.NRGBA
	fade  bool
}

func (n *node) color(c color.NRGBA) color.NRGBA {
	if n.fade {
		c.A = uint8(int(c.A) * 45 / 255)
	}
	return c
}

// empty reports whether nothing below was searched.
func (n *node) empty() bool { return n.f.t.Points[n.v] == 0 }

// edge is the outline of a filled node.
func (n *node) edge() color.NRGBA {
	if n.f.s.Theme.Dark {
		return n.color(color.NRGBA{A: 130})
	}
	return n.color(color.NRGBA{R: 40, G: 40, B: 40, A: 190})
}

// square is the front of the box.
func (n *node) square() scene.Rect {
	return scene.R(n.at.X-n.half, n.at.Y-n.half, 2*n.half, 2*n.half)
}

// box draws a node with its third dimension: the further back, the larger and the darker.
func (n *node) box(out *[]scene.Shape) {
	r := n.square()
	if n.empty() {
		*out = append(*out, scene.Fill{Path: scene.Box(r), Color: n.f.s.blank()}, scene.Stroke{Path: scene.Box(r), Width: 1,
			Color: n.f.s.Theme.Dim, Dash: []float64{2.5, 2}})
		return
	}
	if x := n.f.shade.Columns.Side[n.v]; x == x {
		n.depth(out, r, float64(x))
	}
	*out = append(*out, scene.Fill{Path: scene.Box(r), Color: n.color(n.ink)}, scene.Stroke{Path: scene.Box(r),
		Width: 0.7, Color: n.edge()})
	if p := n.f.t.Point(n.v); p != dse.None {
		n.f.detailed = n.f.detailed || n.half >= hatched
		n.extras(out, p, r)
	}
}

// depth draws the top and the right of the box.
func (n *node) depth(out *[]scene.Shape, r scene.Rect, x float64) {
	d := n.half * (0.22 + 0.75*x)
	ink := palette.Objective(n.f.s.Look.Of[Side], x)
	var top, right scene.Path
	top.Move(r.Min.X, r.Min.Y)
	top.Line(r.Min.X+d, r.Min.Y-d)
	top.Line(r.Max.X+d, r.Min.Y-d)
	top.Line(r.Max.X, r.Min.Y)
	top.Close()
	right.Move(r.Max.X, r.Min.Y)
	right.Line(r.Max.X+d, r.Min.Y-d)
	right.Line(r.Max.X+d, r.Max.Y-d)
	right.Line(r.Max.X, r.Max.Y)
	right.Close()
	*out = append(*out, scene.Fill{Path: top, Color: n.color(ink)},
		scene.Fill{Path: right, Color: n.color(palette.Mix(ink, color.NRGBA{A: 255}, 0.22))})
}

// share is how much of its range a point has of the objective of a channel, 1 for the greatest; below 0 when the
// channel is free or the objective has a level of its own, where the channel's mark stands.
func (n *node) share(c Channel, p int32) float64 {
	o := n.f.s.Look.Of[c]
	s := n.f.t.Space
	if o < 0 || s.Objectives[o].Architecture && (c == Circle || c == Trapezoid) {
		return -1
	}
	if s.Objectives[o].Maximise {
		return 1 - s.Norm[o][p]
	}
	return s.Norm[o][p]
}

// hatched is half the size from which on a point has room for a texture.
const hatched = 4

// extras draws what further objectives have on a point: texture inside, a glow around (see around), circle and
// trapezoid above.
func (n *node) extras(out *[]scene.Shape, p int32, r scene.Rect) {
	if x := n.share(Texture, p); x >= 0 && n.half >= hatched {
		lines := 1 + int(math.Round(x*5))
		var hatch scene.Path
		for k := 1; k <= lines; k++ {
			y := r.Min.Y + r.H()*float64(k)/float64(lines+1)
			hatch.Move(r.Min.X, y)
			hatch.Line(r.Max.X, y)
		}
		*out = append(*out, scene.Stroke{Path: hatch, Width: 0.8, Color: n.color(color.NRGBA{A: 170})})
	}
	y := r.Min.Y - n.half*1.3
	if x := n.share(Circle, p); x >= 0 {
		*out = append(*out, scene.Fill{Path: scene.Circle(n.at.X-n.half*0.6, y, n.half*(0.2+0.5*x)),
			Color: n.color(n.f.s.Theme.Dim)})
	}
	if x := n.share(Trapezoid, p); x >= 0 {
		*out = append(*out, scene.Fill{Path: trapezoid(n.at.X+n.half*0.6, y, n.half*(0.2+0.5*x)),
			Color: n.color(n.f.s.Theme.Dim)})
	}
}

// around draws what is behind a node: a glow, the light of what is selected, new or under the pointer.
func (n *node) around(out *[]scene.Shape) {
	s := n.f.s
	if p := n.f.t.Point(n.v); p != dse.None {
		if x := n.share(Glow, p); x >= 0 {
			*out = append(*out, scene.Glow{Center: n.at, Outer: n.half * (1.5 + 1.6*x),
				Color: n.color(palette.Alpha(palette.Objective(n.f.s.Look.Of[Glow], 0.45), 0.85))})
		}
	}
	r := n.square()
	ring := func(by, width float64, c color.NRGBA) {
		*out = append(*out, scene.Stroke{Path: scene.RoundBox(scene.R(r.Min.X-by, r.Min.Y-by, r.W()+2*by, r.H()+2*by), 3),
			Width: width, Color: c})
	}
	if _, fresh := slices.BinarySearch(s.Fresh, n.v); fresh {
		*out = append(*out, scene.Fill{Path: scene.RoundBox(scene.R(r.Min.X-4, r.Min.Y-4, r.W()+8, r.H()+8), 4),
			Color: palette.Alpha(s.Theme.Accent, 0.25+0.6*s.Blink)})
	}
	if _, chosen := slices.BinarySearch(s.Selected, n.v); chosen {
		ring(3.5, 2, s.Theme.Accent)
	}
	switch n.v {
	case s.Focus:
		ring(5.5, 1.2, s.Theme.Accent)
	case s.Hover:
		ring(2, 1.2, s.Theme.Text)
	}
}

// objective draws what depends on the architecture: a circle, the second one of them a trapezoid, the third one a
// pentagon.
func (n *node) objective(out *[]scene.Shape) {
	t := n.f.t
	o := t.Levels[n.level].Index
	if n.empty() {
		path := scene.Circle(n.at.X, n.at.Y, n.half*0.5)
		*out = append(*out, scene.Fill{Path: path, Color: n.f.s.blank()}, scene.Stroke{Path: path, Width: 1,
			Color: n.f.s.Theme.Dim, Dash: []float64{2.5, 2}})
		return
	}
	x := t.Space.Norm[o][t.Item[n.v]]
	if t.Space.Objectives[o].Maximise {
		x = 1 - x
	}
	path := Mark(n.f.s.Look.mark(o, n.rank()), n.at.X, n.at.Y, n.half*(0.35+0.75*x))
	*out = append(*out, scene.Fill{Path: path, Color: n.color(palette.Qualitative(n.f.s.Theme, 2+n.rank()))},
		scene.Stroke{Path: path, Width: 0.7, Color: n.edge()})
}

// rank is which of the objective levels this one is.
func (n *node) rank() (k int) {
	for _, l := range n.f.t.Levels[:n.level] {
		if l.Kind == dse.ObjectiveNode {
			k++
		}
	}
	return k
}

// Mark is the outline that stands for the k-th objective of the architecture.
func Mark(k int, x, y, r float64) scene.Path {
	switch k % 3 {
	case 1:
		return trapezoid(x, y, r)
	case 2:
		return polygon(5, x, y, r, -math.Pi/2)
	}
	return scene.Circle(x, y, r)
}

func trapezoid(x, y, r float64) scene.Path {
	var p scene.Path
	p.Move(x-r*0.55, y-r*0.8)
	p.Line(x+r*0.55, y-r*0.8)
	p.Line(x+r, y+r*0.8)
	p.Line(x-r, y+r*0.8)
	p.Close()
	return p
}

func polygon(n int, x, y, r, turn float64) scene.Path {
	var p scene.Path
	for k := range n {
		a := turn + 2*math.Pi*float64(k)/float64(n)
		px, py := x+r*math.Cos(a), y+r*math.Sin(a)
		if k == 0 {
			p.Move(px, py)
		} else {
			p.Line(px, py)
		}
	}
	p.Close()
	return p
}

// word draws a node that only parts points: R, Low, High.
func (n *node) word(out *[]scene.Shape) {
	r := n.half * 0.8
	ink := n.f.s.Theme.Faint
	*out = append(*out, scene.Fill{Path: scene.Circle(n.at.X, n.at.Y, r), Color: n.color(palette.Mix(n.f.s.Theme.Panel,
		ink, 0.45))}, scene.Stroke{Path: scene.Circle(n.at.X, n.at.Y, r), Width: 1, Color: n.color(ink)})
	if n.half < 5 {
		return
	}
	size := min(10, n.half*1.15)
	*out = append(*out, scene.Text{At: scene.Point{X: n.at.X, Y: n.at.Y + scene.Middle(scene.Bold, size)},
		Face: scene.Bold, Size: size, Color: n.color(n.f.s.Theme.Text), Align: 0.5, S: n.f.t.Value(n.v)[:1]})
}
