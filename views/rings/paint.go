package rings

import (
	"image/color"
	"math"
	"slices"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// drawBackdrop paints what lies behind the glyphs: the temperature disks, the arms, the boundaries.
func drawBackdrop(d *scene.Drawing, s *State, l *layout) {
	for i := len(l.rings) - 1; i >= 0; i-- {
		g := &l.rings[i]
		t := s.Levels[i].Temperature
		if math.Abs(t) < 0.005 {
			continue
		}
		inner := g.r0
		if i == 0 {
			inner = 0
		}
		d.Add(scene.Glow{Center: l.c, Inner: inner, Outer: g.r1, Color: warmth(s.Theme, t)})
	}
	for i := range l.rings {
		drawArms(d, s, s.Levels[i].Name, &l.rings[i])
	}
	faint := scene.Curves{Width: 0.75}
	circle(&faint, l.c, l.rings[0].r0, 0, 2*math.Pi, palette.Alpha(s.Theme.Faint, 0.4))
	d.Add(faint)
	edges := scene.Curves{Width: 1}
	for i := range l.rings {
		circle(&edges, l.c, l.rings[i].r1, 0, 2*math.Pi, palette.Alpha(s.Theme.Faint, 0.8))
	}
	d.Add(edges)
	homes := scene.Curves{Width: 1.5}
	for i := range l.mem.arcs {
		a := &l.mem.arcs[i]
		r := s.arc(i)
		c := palette.Alpha(r.Color, 0.7)
		if r.Hidden {
			c = palette.Alpha(s.Theme.Faint, 0.4)
		}
		circle(&homes, l.c, l.mem.r+l.dot*0.9+3.5, a.from, a.to, c)
	}
	if len(homes.Points) > 0 {
		d.Add(homes)
	}
	cpu := s.Theme.Text
	d.Add(scene.Discs{Centers: []scene.Point{l.c}, Radii: []float64{l.core}, Colors: []color.NRGBA{cpu}})
}

// circle adds a part of a circle, from one angle to another, as a line of so many pieces that none departs from it by
// more than a twentieth of a unit.
func circle(c *scene.Curves, at scene.Point, r, from, to float64, ink color.NRGBA) {
	n := max(2, int(math.Ceil((to-from)/math.Sqrt(0.4/max(1, r)))))
	c.Starts = append(c.Starts, len(c.Points))
	for i := range n + 1 {
		sin, cos := math.Sincos(from + (to-from)*float64(i)/float64(n))
		c.Points = append(c.Points, scene.Point{X: at.X + r*cos, Y: at.Y + r*sin})
		c.Colors = append(c.Colors, ink)
	}
}

// warmth is the colour of a temperature disk: blue below zero, red above, fading to nothing at zero.
func warmth(th palette.Theme, t float64) color.NRGBA {
	cold, warm := color.NRGBA{R: 0x2f, G: 0x6f, B: 0xd8, A: 255}, color.NRGBA{R: 0xe0, G: 0x4a, B: 0x3c, A: 255}
	strength := 0.55
	if !th.Dark {
		cold, warm = color.NRGBA{R: 0x4d, G: 0x8f, B: 0xea, A: 255}, color.NRGBA{R: 0xee, G: 0x6a, B: 0x5a, A: 255}
	}
	c := warm
	if t < 0 {
		c = cold
	}
	return palette.Alpha(c, strength*math.Pow(min(1, math.Abs(t)), 0.7))
}

// armsShown is the largest number of arms of a level whose course is drawn; more would be a tone, not lines.
const armsShown = 96

// faintest is how faint arms may become before they are left out: under the glyphs nobody sees them, and they are long.
const faintest = 0.3

// drawArms draws the course of each set of a level, faintly, and those of the selected set and of the one under the
// pointer in amber.
func drawArms(d *scene.Drawing, s *State, name string, g *ring) {
	for _, t := range [2]*link.Thing{&s.Selected, &s.Hover} {
		if t.What == link.Set && t.Name == name && t.ID >= 0 && t.ID < g.sets {
			d.Add(scene.Curves{Width: 1.5, Starts: []int{0}, Points: g.course(t.ID),
				Colors: []color.NRGBA{palette.Alpha(s.Theme.Accent, 0.7)}})
		}
	}
	if g.sets > armsShown || g.merge > 1 || g.strand > 1 {
		return
	}
	// The nearer the arms (or the windings of one), the fainter.
	apart := min(1, 2*math.Pi/(float64(g.sets)*g.sweep)/14)
	if apart < faintest {
		return
	}
	arms := scene.Curves{Width: 0.75, Colors: []color.NRGBA{palette.Alpha(s.Theme.Faint, 0.5*apart)}}
	for set := range g.sets {
		arms.Starts = append(arms.Starts, len(arms.Points))
		arms.Points = append(arms.Points, g.course(set)...)
	}
	d.Add(arms)
}

// course is the line of a set's arm from its inner to its outer end.
func (g *ring) course(set int) []scene.Point {
	turn := g.sweep * (math.Sqrt(g.a1) - g.inner)
	n := 6 + int(turn/min(0.12, math.Sqrt(0.8/g.r1)))
	points := make([]scene.Point, n+1)
	for i := range points {
		// Even steps of radius, for the position is even in its square.
		r := g.inner + (math.Sqrt(g.a1)-g.inner)*float64(i)/float64(n)
		points[i] = g.at(float64(set), (r*r-g.a0)/(g.a1-g.a0)*float64(g.ways))
	}
	return points
}

// drawGlyphs paints all dots: ghosts, those at rest, pathlines, those that move or are marked.
func drawGlyphs(d *scene.Drawing, f *frame) {
	var live, ring scene.Discs
	ghosts, rest := discs(f.dotCount()/2), discs(f.dotCount())
	f.glyphs(func(p *glyph) {
		to := &rest
		switch {
		case p.ghost:
			to = &ghosts
		case p.live:
			to = &live
		}
		if f.ringed(p) {
			ring.Centers = append(ring.Centers, p.at)
			ring.Radii = append(ring.Radii, p.r+1.8)
		}
		to.Centers = append(to.Centers, p.at)
		to.Radii = append(to.Radii, p.r)
		to.Colors = append(to.Colors, p.color)
	})
	if len(ring.Centers) > 0 {
		ring.Colors = []color.NRGBA{f.s.Theme.Accent}
		d.Add(ring)
	}
	for _, l := range []scene.Discs{ghosts, rest} {
		if len(l.Centers) > 0 {
			d.Add(l)
		}
	}
	if len(f.trails.Points) > 0 {
		d.Add(f.trails)
	}
	if len(live.Centers) > 0 {
		d.Add(live)
	}
	drawCoherence(d, f)
	drawNow(d, f)
}

// drawCoherence marks the glyphs of blocks whose state between the cores is more than exclusive: a core of the
// background's colour for shared ones, a bright one for modified ones.
func drawCoherence(d *scene.Drawing, f *frame) {
	if !f.s.coherent() {
		return
	}
	var marks scene.Discs
	f.glyphs(func(p *glyph) {
		if p.ghost || p.level >= len(f.levels) {
			return
		}
		state := f.s.Levels[p.level].coherence(p.addr)
		if state != 'M' && state != 'S' {
			return
		}
		marks.Centers = append(marks.Centers, p.at)
		marks.Radii = append(marks.Radii, 0.45*p.r)
		marks.Colors = append(marks.Colors, f.s.coherenceColor(state))
	})
	if len(marks.Centers) > 0 {
		d.Add(marks)
	}
}

// coherent reports whether blocks have states between cores.
func (s *State) coherent() bool {
	return slices.ContainsFunc(s.Levels, func(v Level) bool { return v.Coherence != nil })
}

func (s *State) coherenceColor(state byte) color.NRGBA {
	if state == 'M' {
		return s.Theme.Text
	}
	return s.Theme.Panel
}

// dotCount is about how many glyphs the picture has.
func (f *frame) dotCount() int {
	n := 256
	for i := range f.l.mem.arcs {
		n += f.s.Items.arcs[i].items / f.l.mem.arcs[i].merge
	}
	for i := range f.levels {
		g := &f.l.rings[i]
		n += min(len(f.levels[i].lines), n) * g.dots() / (g.merge * g.strand)
	}
	return n
}

// discs has room for n circles.
func discs(n int) scene.Discs {
	return scene.Discs{Centers: make([]scene.Point, 0, n), Radii: make([]float64, 0, n), Colors: make([]color.NRGBA, 0, n)}
}

// ringed reports whether a glyph lies in the addresses that are selected or under the pointer.
func (f *frame) ringed(p *glyph) bool {
	for _, t := range [2]*link.Thing{&f.s.Selected, &f.s.Hover} {
		if t.What == link.Address || t.What == link.Block {
			if p.addr < t.High && p.addr+traceio.Addr(max(f.l.grain, p.span)) > t.Low {
				return true
			}
		}
	}
	return false
}

// drawNow rings the glyph of the reference in progress in amber.
func drawNow(d *scene.Drawing, f *frame) {
	r := f.reference()
	if r == nil {
		return
	}
	item := f.find(r.Addr)
	i := f.by.get(f.l.block(r.Addr))
	if i < 0 || !f.shown(item) {
		return
	}
	b := &f.lines[i]
	was, is := f.fastest(&b.before), f.fastest(&b.after)
	if item < 0 && is == len(f.levels) {
		return
	}
	a := r.Addr &^ traceio.Addr(f.l.grain-1)
	at := f.path(b, a, item, was, is)(f.moved)
	d.Add(scene.Stroke{Path: scene.Circle(at.X, at.Y, f.dot(is, item)*f.pulse(a)+2.4), Width: 1.4,
		Color: f.s.Theme.Accent})
}

// reference is the one in progress, nil when the state does not have it.
func (f *frame) reference() *traceio.Access {
	for i := len(f.s.Refs) - 1; i >= 0; i-- {
		if f.s.Refs[i].Seq == f.s.At {
			return &f.s.Refs[i]
		}
	}
	return nil
}
