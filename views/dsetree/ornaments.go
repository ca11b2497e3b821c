package dsetree

import (
	"fmt"
	"math"

	"orrery/analysis/dse"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// label writes the value of a parameter or objective below its node, where there is room.
func (n *node) label() {
	var text string
	switch n.f.t.Kind[n.v] {
	case dse.ParameterNode:
		text = n.f.t.Value(n.v)
	case dse.ObjectiveNode:
		if !n.empty() {
			text = words.Number(n.f.t.Space.Objectives[n.f.t.Levels[n.level].Index].Values[n.f.t.Item[n.v]])
		}
	}
	if text == "" || n.f.tall < 34 {
		return
	}
	const size, tall = 9.5, 11.0
	gap, edge := n.f.gap(n.v), min(n.at.X-n.f.area.Min.X, n.f.area.Max.X-n.at.X)
	room := min(gap-3, 150, gap/2+max(edge, 0))
	y := n.at.Y + n.half + 10
	if n.f.s.Look.Hexagons {
		y += 6
	}
	if n.f.s.Collapsed[n.v] {
		y += n.triangleSize() * 1.5
	}
	most := int((n.at.Y + n.f.tall*0.8 + 2 - y) / tall)
	var lines []string
	if wide := scene.Measure(scene.Sans, size, text); wide <= room {
		lines = []string{text}
	} else if room > 24 && wide < room*3 {
		// A value is read to its end where that has room: DFIFO-1 and DFIFO-2 begin alike.
		if lines = scene.Break(scene.Sans, size, text, room); len(lines) > most {
			lines = scene.Wrap(scene.Sans, size, text, room)
		}
	}
	if len(lines) == 0 || len(lines) > most {
		return
	}
	for k, line := range lines {
		wide := scene.Measure(scene.Sans, size, line)
		x := n.at.X
		if x >= n.f.area.Min.X && x <= n.f.area.Max.X { // the edge of the picture cuts no word
			x = max(n.f.area.Min.X+wide/2, min(n.f.area.Max.X-wide/2, x))
		}
		n.f.labels = append(n.f.labels, scene.Fill{Path: scene.RoundBox(scene.R(x-wide/2-2, y-8.5+tall*float64(k), wide+4,
			tall), 3), Color: palette.Alpha(n.f.s.Theme.Panel, 0.82)},
			scene.Text{At: scene.Point{X: x, Y: y + tall*float64(k)}, Size: size, Color: n.color(n.f.s.Theme.Text),
				Align: 0.5, S: line})
	}
}

// gap is how far the nearest neighbour of a visible node is.
func (f *frame) gap(v int32) float64 {
	i := f.l.Find(v)
	level := f.t.Level(v)
	gap := math.Inf(1)
	if i > int(f.l.Start[level]) {
		gap = f.x(f.l.X[i]) - f.x(f.l.X[i-1])
	}
	if i+1 < int(f.l.Start[level+1]) {
		gap = min(gap, f.x(f.l.X[i+1])-f.x(f.l.X[i]))
	}
	return min(gap, 160)
}

// ornaments draws the generations of a node: a hexagon at the left for the first, one at the right for the last.
func (n *node) ornaments(out *[]scene.Shape) {
	t := n.f.t
	if !n.f.s.Look.Hexagons || t.First[n.v] == dse.None || n.half < 4 {
		return
	}
	last := float64(max(1, t.Space.Generations.Count-1))
	r := min(6.5, n.half*0.62)
	for k, g := range []int32{t.First[n.v], t.Last[n.v]} {
		x := n.at.X + float64(2*k-1)*(n.half*0.75)
		y := n.at.Y + n.half*0.9
		path := polygon(6, x, y, r, 0)
		share := float64(g) / last
		*out = append(*out, scene.Fill{Path: path, Color: n.color(palette.Generation(share))},
			scene.Stroke{Path: path, Width: 0.7, Color: n.edge()})
		if r > 5.5 {
			ink := palette.Dark().Background
			if share > 0.55 {
				ink = palette.Light().Panel
			}
			*out = append(*out, scene.Text{At: scene.Point{X: x, Y: y + scene.Middle(scene.Sans, 7)}, Size: 7,
				Color: n.color(ink), Align: 0.5, S: fmt.Sprint(g)})
		}
	}
}

// triangle hangs below a collapsed node, the larger the more is hidden.
func (n *node) triangle(out *[]scene.Shape) {
	s := n.f.s
	if !s.Collapsed[n.v] {
		return
	}
	r := n.triangleSize()
	y := n.at.Y + n.half + 1
	var p scene.Path
	p.Move(n.at.X, y)
	p.Line(n.at.X+r, y+r*1.5)
	p.Line(n.at.X-r, y+r*1.5)
	p.Close()
	ink := s.folded()
	if s.Blink > 0 && n.f.t.Below(n.v, s.Fresh) > 0 {
		ink = palette.Mix(ink, s.Theme.Accent, s.Blink)
	}
	*out = append(*out, scene.Fill{Path: p, Color: n.color(ink)})
	if s.Counted == n.v {
		*out = append(*out, scene.Text{At: scene.Point{X: n.at.X, Y: y + r*1.5 + 11}, Face: scene.Mono, Size: 10,
			Color: s.Theme.Text, Align: 0.5, S: words.Count(uint64(n.f.t.Size[n.v]))})
	}
}

// triangleSize is half of the width of the triangle.
func (n *node) triangleSize() float64 {
	t := n.f.t
	share := math.Log1p(float64(t.Size[n.v])) / math.Log1p(float64(max(1, t.Size[0])))
	return min(n.half*1.3, 11) * (0.35 + 0.65*share*share)
}

// drawOver draws what belongs on top: the value of an edge, the way to what is selected.
func (f *frame) drawOver(d *scene.Drawing) {
	s := f.s
	if len(s.Selected) > 0 {
		f.drawWay(d, s.Selected[len(s.Selected)-1])
	}
	if v := s.Edge; v > 0 && int(v) < f.t.Len() {
		if i := f.l.Find(v); i >= 0 && f.l.Up[i] != dse.None {
			level := f.t.Level(v)
			x := (f.x(f.l.X[i]) + f.x(f.l.X[f.l.Up[i]])) / 2
			y := (f.rows[level] + f.rows[level-1]) / 2
			text := f.edgeWords(v)
			wide := scene.Measure(scene.Mono, 10.5, text) + 12
			x = max(f.area.Min.X+wide/2, min(f.area.Max.X-wide/2, x))
			d.Add(scene.Fill{Path: scene.RoundBox(scene.R(x-wide/2, y-9, wide, 18), 4), Color: s.Theme.Background},
				scene.Stroke{Path: scene.RoundBox(scene.R(x-wide/2, y-9, wide, 18), 4), Width: 1, Color: s.Theme.Accent},
				scene.Text{At: scene.Point{X: x, Y: y + scene.Middle(scene.Mono, 10.5)}, Face: scene.Mono, Size: 10.5,
					Color: s.Theme.Text, Align: 0.5, S: text})
		}
	}
	if s.Words != "" {
		d.Add(scene.Text{At: scene.Point{X: s.wordsAt(f), Y: s.Top - 9}, Size: 10.5, Color: s.Theme.Dim, Align: 1,
			Max: max(60, f.size.W*0.5), S: s.Words})
	}
}

func (s *State) wordsAt(f *frame) float64 { return f.size.W - 10 }

// drawWay draws the way from the root to a node.
func (f *frame) drawWay(d *scene.Drawing, v int32) {
	var p scene.Path
	begun := false
	for level, u := range f.t.Path(v) {
		i := f.l.Find(u)
		if i < 0 {
			break
		}
		if x := f.x(f.l.X[i]); begun {
			p.Line(x, f.rows[level])
		} else {
			p.Move(x, f.rows[level])
			begun = true
		}
	}
	if len(p.Points) > 1 {
		d.Add(scene.Group{Clip: f.area,
			Shapes: []scene.Shape{scene.Stroke{Path: p, Width: 1.2, Color: palette.Alpha(f.s.Theme.Accent, 0.8)}}})
	}
}

// edgeWords is the value of an edge in words.
func (f *frame) edgeWords(v int32) string {
	value := f.shade.Columns.Value[v]
	switch {
	case value != value:
		return "nobody searched here"
	case f.s.Look.Edges == dse.ByGeneration:
		return fmt.Sprintf("last generation %.0f", value)
	case value == 0:
		return "distance 0: on the Pareto set"
	}
	return "distance " + words.Number(value) + " from the Pareto set"
}
