package spiral

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// drawEmpty says in words why there is no picture.
func drawEmpty(d *scene.Drawing, s *State) {
	if min(d.Size.W, d.Size.H) < small {
		return
	}
	const unsaid = "The cycles of a recording appear here. Open a recording, or choose a span of time with at least a " +
		"few references."
	y := d.Say(cmp.Or(s.Empty, unsaid), s.Theme.Dim)
	d.Add(scene.Text{At: scene.Point{X: d.Size.W / 2, Y: y - 22}, Face: scene.Bold, Size: 13, Color: s.Theme.Text,
		Align: 0.5, S: "No cycle to draw"})
}

// drawGuides adds faint circles at round times, and the ray at which a turn begins.
func drawGuides(d *scene.Drawing, s *State, l *layout) {
	if l.thumb {
		return
	}
	step := niceStep(l.span, (l.r1-l.r0)/52)
	ring := palette.Alpha(s.Theme.Faint, 0.42)
	near, far := l.reach()
	guide := func(r float64) {
		if r > near && r < far {
			d.Add(scene.Stroke{Path: circle(l.c, r), Width: 0.5, Color: ring})
		}
	}
	d.Add(scene.Stroke{Path: scene.Segment(l.c.X+l.r0, l.c.Y, l.c.X+l.r1+5, l.c.Y), Width: 0.5, Color: ring})
	for t := math.Ceil(l.first/step) * step; t <= l.first+l.span; t += step {
		r := l.radius(t)
		if t == l.first || l.r1-r < 3 {
			continue
		}
		guide(r)
	}
	guide(l.r1)
}

// circle is a whole circle of any size: the cubics of scene.Circle stray from theirs by 0.0003 of the radius, which
// shows on the circles of a zoomed picture, many panes wide.
func circle(c scene.Point, r float64) scene.Path {
	if r < 1000 {
		return scene.Circle(c.X, c.Y, r)
	}
	const pieces = 16
	var p scene.Path
	for i := range pieces {
		p.Arc(c.X, c.Y, r, 2*math.Pi*float64(i)/pieces, 2*math.Pi*float64(i+1)/pieces)
	}
	p.Close()
	return p
}

// drawTimes writes the guides' times at the top of their circles, on a patch that keeps the curve out of the digits.
func drawTimes(d *scene.Drawing, s *State, l *layout) {
	const size = 9.0
	step := niceStep(l.span, (l.r1-l.r0)/52)
	for t := math.Ceil(l.first/step) * step; t <= l.first+l.span; t += step {
		r := l.radius(t)
		if r < 30 || l.r1-r < 16 {
			continue
		}
		text := count(t)
		w := scene.Measure(scene.Mono, size, text)
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(l.c.X-w/2-3, l.c.Y-r-6, w+6, 12), 3),
			Color: palette.Alpha(s.Theme.Panel, 0.8)},
			scene.Text{At: scene.Point{X: l.c.X, Y: l.c.Y - r + scene.Middle(scene.Mono, size)}, Face: scene.Mono, Size: size,
				Color: s.Theme.Dim, Align: 0.5, S: text})
	}
}

// niceStep is a round number (1, 2 or 5 times a power of ten) that cuts span into at most n parts.
func niceStep(span, n float64) float64 {
	raw := span / max(1, n)
	p := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*p >= raw {
			return max(1, m*p)
		}
	}
	return max(1, 10*p)
}

// count writes a number with thin gaps between thousands.
func count(v float64) string {
	s := strconv.FormatFloat(v, 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

func trim(text string) string {
	return strings.Join(strings.Fields(text), " ")
}

// more says how many rows the legend leaves out.
func more(s *State, entries int) string {
	if rest := s.entries() - entries; rest > 0 {
		return fmt.Sprintf("%d more", rest)
	}
	return ""
}

func drawLegend(d *scene.Drawing, s *State, l *layout) {
	if l.legend.W() <= 0 {
		return
	}
	d.Add(scene.Fill{Path: scene.RoundBox(l.legend, 5), Color: palette.Alpha(s.Theme.Panel, 0.86)})
	if s.Mode == ByAngle {
		drawWheel(d, s, l)
		return
	}
	x := l.legend.Min.X + 6
	middle := scene.Middle(scene.Mono, 10.5)
	text := legendText0(s, l.entries)
	for i := range l.entries {
		e := s.entry(i)
		y := l.legend.Min.Y + 4 + (float64(i)+0.5)*legendRow
		chip, ink, number := e.color, s.Theme.Dim, s.Theme.Dim
		switch {
		case e.off:
			chip, ink, number = palette.Alpha(quietColor(s.Theme), 0.6), palette.Alpha(ink, 0.6), palette.Alpha(ink, 0.6)
		case e.is(s, i, s.Selected):
			ink, number = s.Theme.Text, s.Theme.Accent
		case e.is(s, i, s.Hover):
			ink, number = s.Theme.Text, s.Theme.Text
		case s.Selected.What == link.Line || s.Selected.What == link.Function ||
			s.Selected.What == link.Instructions && len(s.Lit) > 0:
			chip = palette.Alpha(chip, 0.45)
		}
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(x, y-4, 8, 8), 2), Color: chip},
			scene.Text{At: scene.Point{X: x + text - 8, Y: y + middle}, Face: scene.Mono, Size: 10.5, Color: number,
				Align: 1, S: e.head},
			scene.Text{At: scene.Point{X: x + text, Y: y + middle}, Face: scene.Mono, Size: 10.5, Color: ink,
				Max: max(1, l.legend.Max.X-x-text-4), S: e.text})
	}
	if m := more(s, l.entries); m != "" {
		y := l.legend.Min.Y + 4 + (float64(l.entries)+0.5)*legendRow
		d.Add(scene.Text{At: scene.Point{X: x + text, Y: y + scene.Middle(scene.Sans, 10)}, Size: 10,
			Color: s.Theme.Dim, S: m})
	}
}

func legendText(e *Line) string {
	switch t := trim(e.Text); {
	case t != "":
		return t
	case e.Number <= 0 && e.Function == "":
		return "unknown line"
	case e.Function != "":
		return e.Function
	}
	return path.Base(e.File)
}

// drawWheel is the legend of the cyclic map.
func drawWheel(d *scene.Drawing, s *State, l *layout) {
	c := scene.Point{X: l.legend.Min.X + 26, Y: l.legend.Center().Y}
	const n = 72
	wheel := scene.Curves{Starts: []int{0}, Width: 6}
	for i := range n + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		wheel.Points = append(wheel.Points, scene.Point{X: c.X + 17*cos, Y: c.Y + 17*sin})
		wheel.Colors = append(wheel.Colors, palette.Cyclic(s.Theme, (float64(i)-0.5)/n))
	}
	d.Add(wheel,
		scene.Text{At: scene.Point{X: c.X + 26, Y: c.Y + scene.Middle(scene.Sans, 10)}, Size: 10, Color: s.Theme.Dim, S: "0"},
		scene.Text{At: scene.Point{X: c.X, Y: c.Y + scene.Middle(scene.Sans, 10)}, Size: 10, Color: s.Theme.Dim,
			Align: 0.5, S: "turn"})
}

// reading says how the picture is to be read.
func (p *plot) reading() string {
	switch {
	case p.s.Shape == Circle:
		return p.summaryWords() + " · lead-in inside, lead-out outside"
	case p.s.Shape == Plane:
		return "distance = edits"
	case len(p.loops) > 0:
		return "radius = time, loops = turns of the spliced cycle"
	}
	return "radius = time"
}

func (p *plot) drawCaption(d *scene.Drawing) {
	s, l := p.s, p.l
	text := p.reading()
	if s.Caption != "" {
		text = s.Caption + " · " + text
	}
	room := l.w - 2*margin
	if l.legend.W() > 0 {
		room = l.w - margin - l.legend.Max.X - 8
	}
	d.Add(scene.Text{At: scene.Point{X: l.w - margin, Y: l.h - margin + 2}, Size: 10, Color: s.Theme.Dim, Align: 1,
		Max: max(1, room), S: text})
}

// drawSelection marks a selected span of time as a ring, and what lies under the pointer.
func (p *plot) drawSelection(d *scene.Drawing) {
	s, l := p.s, p.l
	if s.Selected.What == link.Time && !s.Selected.Span.Empty() && s.Shape == Spiral {
		for _, t := range [2]traceio.Seq{s.Selected.Span.From, s.Selected.Span.To} {
			if r := l.radius(float64(t)); r > 0 && r < l.r1+6 {
				d.Add(scene.Stroke{Path: circle(l.c, r), Width: 1, Color: palette.Alpha(s.Theme.Accent, 0.55)})
			}
		}
	}
	if s.Hover.What == link.Time && !l.thumb {
		if i := index(s.Seq, s.Hover.Span.From); i >= 0 && s.Hover.Span.Has(s.Seq[i]) {
			at := p.pos(i)
			d.Add(scene.Stroke{Path: scene.Circle(at.X, at.Y, 5.5), Width: 1.25, Color: s.Theme.Text})
		}
	}
}

// now is where the cursor is on the curve, false when it lies outside the analysed span.
func (p *plot) now() (scene.Point, float64, bool) {
	s := p.s
	n := len(s.Seq)
	i := index(s.Seq, s.Cursor)
	if i < 0 || i == n-1 && s.Cursor > s.Seq[n-1] {
		return scene.Point{}, 0, false
	}
	if i+1 == n || s.Seq[i+1] <= s.Seq[i] || s.Cursor == s.Seq[i] {
		return p.pos(i), p.r[i], true
	}
	f := float64(s.Cursor-s.Seq[i]) / float64(s.Seq[i+1]-s.Seq[i])
	return p.mid(i+1, f), p.r[i] + f*(p.r[i+1]-p.r[i]), true
}

// drawCursor marks now: a ring at its time and a bright point with a halo on the curve.
func (p *plot) drawCursor(d *scene.Drawing) {
	at, r, ok := p.now()
	if !ok {
		return
	}
	t := p.s.Theme
	if p.l.thumb {
		d.Add(scene.Discs{Centers: []scene.Point{at}, Radii: []float64{2}, Colors: colors(t.Accent)})
		return
	}
	k := max(1, p.width()/1.5)
	if p.s.Shape == Spiral {
		d.Add(scene.Stroke{Path: circle(p.l.c, r), Width: 0.75, Color: palette.Alpha(t.Accent, 0.3)})
	}
	d.Add(scene.Glow{Center: at, Outer: 17 * k, Color: palette.Alpha(t.Accent, 0.55)},
		scene.Discs{Centers: []scene.Point{at, at}, Radii: []float64{5.6 * k, 4.2 * k}, Colors: colors(t.Panel, t.Accent)})
}
