package dsetree

import (
	"image/color"

	"orrery/analysis/dse"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// legendItem is one part of the legend: words, a picture, words.
type legendItem struct {
	before, after string
	wide          float64
	draw          func(d *scene.Drawing, x, y float64)
}

// drawLegend explains colours and sizes along the lower edge, what matters most first, as far as there is room.
func (f *frame) drawLegend(d *scene.Drawing) {
	s := f.s
	y := f.size.H - legend + 13
	d.Add(scene.Stroke{Path: scene.Segment(10, y-11, f.size.W-10, y-11), Width: 0.5, Color: s.Theme.Line})
	x := 10.0
	for _, it := range f.legendItems() {
		wide := scene.Measure(scene.Sans, 9.5, it.before) + 5 + it.wide + 5 + scene.Measure(scene.Sans, 9.5, it.after)
		if x+wide > f.size.W-10 {
			if y += 15; y > f.size.H-4 {
				break
			}
			x = 10
			if wide > f.size.W-20 {
				continue
			}
		}
		base := y + scene.Middle(scene.Sans, 9.5)
		d.Add(scene.Text{At: scene.Point{X: x, Y: base}, Size: 9.5, Color: s.Theme.Dim, S: it.before})
		x += scene.Measure(scene.Sans, 9.5, it.before) + 5
		it.draw(d, x, y)
		x += it.wide + 5
		d.Add(scene.Text{At: scene.Point{X: x, Y: base}, Size: 9.5, Color: s.Theme.Dim, S: it.after})
		x += scene.Measure(scene.Sans, 9.5, it.after) + 16
	}
	if s.Note != "" {
		if y < f.size.H-legend+20 { // below the legend
			x = 10
		}
		d.Add(scene.Text{At: scene.Point{X: f.size.W - 10, Y: f.size.H - 7}, Size: 9.5, Color: s.Theme.Dim, Align: 1,
			Max: max(40, f.size.W-x-20), S: s.Note})
	}
}

func (f *frame) legendItems() []legendItem {
	s := f.s
	t := f.t
	var out []legendItem
	ramp := func(o int, said string) {
		if o < 0 {
			return
		}
		low, high, name := ends(t.Space, o)
		out = append(out, legendItem{name + said + " " + low, high, 60, func(d *scene.Drawing, x, y float64) {
			drawRamp(d, x, y, 60, func(v float64) color.NRGBA { return palette.Objective(o, v) })
		}})
	}
	said := ""
	if s.Look.Tone != ByCoverage {
		said = " (" + ToneNames[s.Look.Tone] + " below)"
	}
	ramp(s.Look.Of[Face], said)
	ramp(s.Look.Of[Side], "")
	if s.Look.Tone == ByCoverage || s.Look.Hexagons {
		out = append(out, legendItem{"generation 0", words.Number(float64(max(0, t.Space.Generations.Count-1))), 60,
			func(d *scene.Drawing, x, y float64) { drawRamp(d, x, y, 60, palette.Generation) }})
	}
	rank := 0
	for _, l := range t.Levels {
		if l.Kind == dse.ObjectiveNode {
			out = append(out, f.sizes(l.Index, rank))
			rank++
		}
	}
	near, far := "near the Pareto set", "far"
	if s.Look.Edges == dse.ByGeneration {
		near, far = "last generation late", "early"
	}
	out = append(out, legendItem{near, far, 46, func(d *scene.Drawing, x, y float64) {
		for k := range perTone {
			part := (float32(perTone-1-k) + 0.5) / perTone
			d.Add(scene.Stroke{Path: scene.Segment(x+float64(k)*46/perTone, y, x+float64(k+1)*46/perTone, y),
				Width: edgeWidth(part), Color: s.edgeColor(part)})
		}
	}})
	if t.Space.Covered() < len(t.Space.Combos) {
		out = append(out, legendItem{"", "not searched", 9, func(d *scene.Drawing, x, y float64) {
			r := scene.R(x, y-4.5, 9, 9)
			d.Add(scene.Fill{Path: scene.Box(r), Color: s.blank()}, scene.Stroke{Path: scene.Box(r), Width: 1,
				Color: s.Theme.Dim, Dash: []float64{2.5, 2}})
		}})
	}
	for _, c := range []Channel{Texture, Glow, Circle, Trapezoid} {
		o := s.Look.Of[c]
		if o < 0 || t.Space.Objectives[o].Architecture && (c == Circle || c == Trapezoid) {
			continue
		}
		text := t.Space.Objectives[o].Name + ": " + ChannelNames[c]
		if !f.detailed {
			text += " (on points)"
		}
		out = append(out, legendItem{text, "", 0, func(*scene.Drawing, float64, float64) {}})
	}
	return out
}

// sizes is the legend of an objective of the architecture.
func (f *frame) sizes(o, rank int) legendItem {
	low, high, name := ends(f.t.Space, o)
	if f.t.Space.Objectives[o].Maximise {
		low, high = high, low
	}
	ink := palette.Qualitative(f.s.Theme, 2+rank)
	return legendItem{name + " " + low, high, 34, func(d *scene.Drawing, x, y float64) {
		for k, r := range []float64{2, 4, 6} {
			d.Add(scene.Fill{Path: Mark(f.s.Look.mark(o, rank), x+4+float64(k)*11, y, r), Color: ink})
		}
	}}
}

// ends are the best and the worst value of an objective, with its unit, and its name.
func ends(s *dse.Space, o int) (best, worst, name string) {
	e := s.Extent[o]
	obj := s.Objectives[o]
	low, high := e.Min, e.Max
	if obj.Maximise {
		low, high = -low, -high
	}
	worst = words.Number(high)
	if obj.Unit != "" {
		worst += " " + obj.Unit
	}
	return words.Number(low), worst, obj.Name
}

func drawRamp(d *scene.Drawing, x, y, wide float64, m func(float64) color.NRGBA) {
	const n = 20
	for k := range n {
		d.Add(scene.Fill{Path: scene.Box(scene.R(x+wide*float64(k)/n, y-4, wide/n+0.3, 8)), Color: m((float64(k) + 0.5) / n)})
	}
}
