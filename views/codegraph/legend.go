package codegraph

import (
	"image"
	"image/color"
	"math"

	"orrery/analysis/depgraph"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// key is one entry of the legend.
type key struct {
	category string
	text     string
	color    color.NRGBA
	at       scene.Rect
}

const (
	legendRow  = 17.0
	legendSize = 10.5
)

// keys are the categories that the picture has, where colours stand for them, at the bottom left one beside the other.
func (s *State) keys(size scene.Size) (out []key) {
	if s.Color != ByFilters {
		return nil
	}
	p := s.Picture
	if len(p.kinds) < 2 && !p.differs() {
		return nil
	}
	// by category: a node, and whether others are of other colours
	one, mixed := make([]int, len(p.kinds)), make([]bool, len(p.kinds))
	for k := range one {
		one[k] = -1
	}
	count := make([]int, len(p.kinds))
	for v, k := range p.kind {
		count[k]++
		if one[k] < 0 {
			one[k] = v
		} else if p.Graph.Nodes[v].Color != p.Graph.Nodes[one[k]].Color {
			mixed[k] = true // coloured by filters, not by category
		}
	}
	x, y := 12.0, size.H-legendRow-5
	for k, name := range p.kinds {
		_, ink := s.tone(one[k])
		if mixed[k] {
			ink = s.Theme.Faint
		}
		text := name
		if p.differs() {
			text = words.Count(uint64(count[k])) + " " + name
		}
		wide := scene.Measure(scene.Sans, legendSize, text) + 14
		if x+wide > size.W-12 {
			break
		}
		out = append(out, key{name, text, ink, scene.R(x, y, wide, legendRow)})
		x += wide + 12
	}
	return out
}

// differs reports whether the graph is the difference of two: its nodes are grouped by their state, with counts.
func (p *Picture) differs() bool {
	return len(p.Graph.Nodes) > 0 && p.Graph.Nodes[0].Properties.Get(depgraph.KeyState) != ""
}

func (s *State) drawLegend(d *scene.Drawing, size scene.Size) {
	t := &s.Theme
	if s.Color != ByFilters {
		s.drawScale(d, size)
		return
	}
	keys := s.keys(size)
	if len(keys) == 0 {
		return
	}
	s.backLegend(d, size, keys[len(keys)-1].at.Max.X+6)
	for i, k := range keys {
		ink := t.Dim
		if s.Hover.Key == i+1 {
			ink = t.Text
		}
		chip := k.color
		if s.Dim[k.category] {
			chip, ink = palette.Alpha(chip, 0.3), palette.Alpha(ink, 0.5)
		}
		y := k.at.Center().Y
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(k.at.Min.X, y-4, 8, 8), 2), Color: chip},
			scene.Text{At: scene.Point{X: k.at.Min.X + 13, Y: y + scene.Middle(scene.Sans, legendSize)}, Size: legendSize,
				Color: ink, S: k.text})
	}
}

// drawScale is the colours of amounts with their numbers.
func (s *State) drawScale(d *scene.Drawing, size scene.Size) {
	t := &s.Theme
	most := s.Picture.Most(s.Color)
	title := "references"
	if s.Color == ByMisses {
		title = "misses"
		if s.Level != "" {
			title = s.Level + " misses"
		}
	}
	y := size.H - legendRow/2 - 6
	base := y + scene.Middle(scene.Sans, legendSize)
	var scale []scene.Shape
	text := func(x float64, what string) float64 {
		scale = append(scale, scene.Text{At: scene.Point{X: x, Y: base}, Size: legendSize, Color: t.Dim, S: what})
		return x + scene.Measure(scene.Sans, legendSize, what)
	}
	x := 12.0
	if most == 0 {
		x = text(x, "no node here has "+title+" of a recording")
	} else {
		x = text(x, title+" of a node  0 ") + 4
		for i := range 48 {
			scale = append(scale, scene.Fill{Path: scene.Box(scene.R(x+2*float64(i), y-4, 2, 8)),
				Color: s.gradient(math.Sqrt((float64(i) + 0.5) / 48))})
		}
		x = text(x+100, words.Count(uint64(most)))
	}
	s.backLegend(d, size, x+6)
	d.Add(scale...)
}

// backLegend is a background for the legend, which ends at right.
func (s *State) backLegend(d *scene.Drawing, size scene.Size, right float64) {
	d.Add(scene.Fill{Path: scene.RoundBox(scene.R(6, size.H-legendRow-7, right-6, legendRow+3), 5), Color: s.Theme.Panel})
}

// Satellite's measures.
const (
	smallWide = 190.0
	smallTall = 130.0
)

// small is the rectangle of the satellite; false when the whole graph is in view, or there is no room.
func (s *State) small(size scene.Size) (scene.Rect, bool) {
	if s.Picture == nil || s.Satellite != Corner || size.W < 3*smallWide*0.75 || size.H-s.Top < 1.7*smallTall {
		return scene.Rect{}, false
	}
	f := s.frame(size)
	all := f.rect(s.Picture.bounds)
	if all.Min.X >= 0 && all.Max.X <= size.W && all.Min.Y >= s.Top && all.Max.Y <= size.H {
		return scene.Rect{}, false
	}
	return s.corner(size), true
}

// corner is the satellite's rectangle.
func (s *State) corner(size scene.Size) scene.Rect {
	b := s.Picture.bounds
	w, h := max(1, b.Max.X-b.Min.X), max(1, b.Max.Y-b.Min.Y)
	zoom := min(smallWide/w, smallTall/h)
	return scene.R(size.W-10-max(40, w*zoom)-8, size.H-10-max(30, h*zoom)-8, max(40, w*zoom)+8, max(30, h*zoom)+8)
}

// inside is a frame that shows the whole graph in a rectangle.
func (s *State) inside(r scene.Rect, pad float64) frame {
	b := s.Picture.bounds
	w, h := max(1, b.Max.X-b.Min.X), max(1, b.Max.Y-b.Min.Y)
	f := frame{size: scene.Size{W: r.Max.X, H: r.Max.Y}, top: r.Min.Y, mid: r.Center()}
	f.view = s.Picture.Fit(scene.Size{W: 1, H: 1}, 0)
	f.view.Zoom = min((r.W()-2*pad)/w, (r.H()-2*pad)/h)
	return f
}

func (s *State) drawSatellite(d *scene.Drawing, size scene.Size) {
	r, ok := s.small(size)
	if !ok {
		return
	}
	t := &s.Theme
	group := scene.Group{Clip: r}
	group.Shapes = append(group.Shapes, scene.Fill{Path: scene.RoundBox(r, 6),
		Color: palette.Mix(t.Panel, t.Background, 0.75)})
	in := s.inside(r, 4)
	group.Shapes = append(group.Shapes, s.sketch(&in, r, max(1, d.Size.Scale)))
	group.Shapes = append(group.Shapes, s.viewFrame(&in, size, r)...)
	d.Add(group, scene.Stroke{Path: scene.RoundBox(scene.R(r.Min.X+0.5, r.Min.Y+0.5, r.W()-1, r.H()-1), 6),
		Width: 1, Color: t.Line})
}

// sketch is all nodes as plain boxes of pixels: there may be more of them than the satellite has.
func (s *State) sketch(in *frame, at scene.Rect, scale float64) scene.Shape {
	p := s.Picture
	w, h := max(1, int(math.Round(at.W()*scale))), max(1, int(math.Round(at.H()*scale)))
	im := image.NewRGBA(image.Rect(0, 0, w, h))
	pixel := func(v float64) int { return int(math.Round(v * scale)) }
	paint := func(v int, ink color.NRGBA) {
		r := in.rect(p.Layout.Nodes[p.phase.Node[v]])
		x0, y0 := pixel(r.Min.X-at.Min.X), pixel(r.Min.Y-at.Min.Y)
		x1, y1 := max(x0+1, pixel(r.Max.X-at.Min.X)), max(y0+1, pixel(r.Max.Y-at.Min.Y))
		for y := max(0, y0); y < min(h, y1); y++ {
			for x := max(0, x0); x < min(w, x1); x++ {
				o := im.PixOffset(x, y)
				im.Pix[o], im.Pix[o+1], im.Pix[o+2], im.Pix[o+3] = ink.R, ink.G, ink.B, 255
			}
		}
	}
	border := s.tones().border
	for v := range p.Graph.Nodes {
		ink := border[v]
		if s.ghost(int32(v)) {
			ink = palette.Mix(ink, s.Theme.Panel, 0.6)
		}
		paint(v, ink)
	}
	for v := range p.Graph.Nodes { // on top, for they are few
		if len(s.Selected) > 0 && s.Selected.Has(p.Graph.Nodes[v].ID) {
			paint(v, s.Theme.Accent)
		}
	}
	return scene.Image{At: at, Pixels: im, Name: "all nodes"}
}

// viewFrame is the frame around the part in view.
func (s *State) viewFrame(in *frame, size scene.Size, clip scene.Rect) []scene.Shape {
	f := s.frame(size)
	r := in.rect(f.seen())
	r.Min.X, r.Min.Y = max(clip.Min.X+1, r.Min.X), max(clip.Min.Y+1, r.Min.Y)
	r.Max.X, r.Max.Y = min(clip.Max.X-1, r.Max.X), min(clip.Max.Y-1, r.Max.Y)
	if r.W() < 3 || r.H() < 3 {
		c := r.Center()
		r = scene.R(c.X-3, c.Y-3, 6, 6)
	}
	return []scene.Shape{scene.Fill{Path: scene.Box(r), Color: palette.Alpha(s.Theme.Accent, 0.1)},
		scene.Stroke{Path: scene.Box(r), Width: 1.2, Color: s.Theme.Accent}}
}

// drawWhole is the satellite in the whole pane, with a frame around the part that the normal view shows.
func (s *State) drawWhole(d *scene.Drawing, size scene.Size) {
	r := scene.R(0, s.Top, size.W, max(1, size.H-s.Top))
	in := s.inside(r, 18)
	whole := *s
	whole.View = in.view
	in.size, in.top = size, s.Top
	group := scene.Group{Clip: r, Shapes: whole.contents(&in)}
	group.Shapes = append(group.Shapes, s.viewFrame(&in, size, r)...)
	d.Add(group)
	s.drawLegend(d, size)
}

// Toggle is the categories that are dimmed after a press on one in the legend: all others; a second press undoes that.
func (p *Picture) Toggle(dim map[string]bool, chosen string) map[string]bool {
	alone := map[string]bool{}
	same := !dim[chosen]
	for _, c := range p.kinds {
		if c != chosen {
			alone[c] = true
			same = same && dim[c]
		}
	}
	if same {
		return nil
	}
	return alone
}
