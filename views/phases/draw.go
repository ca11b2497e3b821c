package phases

import (
	"cmp"
	"fmt"
	"image/color"
	"math"

	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/spiral"
	"orrery/views/words"
)

// Scene draws the state.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	l := place(&s, size)
	drawPath(&d, &s, &l)
	if len(s.Phases) == 0 {
		d.Say(cmp.Or(s.Empty, "The phases of the run appear here, once they are found."), s.Theme.Dim)
		return d
	}
	drawRun(&d, &s, &l)
	drawRounds(&d, &s, &l)
	drawRuler(&d, &s, &l)
	drawNow(&d, &s, &l)
	for i, r := range l.rows {
		drawKind(&d, &s, i, r)
	}
	note := s.Note
	if rest := len(s.Kinds) - len(l.rows); rest > 0 {
		note = fmt.Sprintf("%d rarer kinds not listed · %s", rest, note)
	}
	d.Add(scene.Text{At: scene.Point{X: size.W - margin, Y: size.H - margin + 2}, Size: 10, Color: s.Theme.Dim, Align: 1,
		Max: max(1, size.W-2*margin), S: note})
	return d
}

// drawPath writes the way in; its last part is where we are.
func drawPath(d *scene.Drawing, s *State, l *layout) {
	for i, r := range l.way {
		ink := s.Theme.Dim
		if i == len(l.way)-1 || i == s.Hover.Path {
			ink = s.Theme.Text
		}
		base := r.Center().Y + scene.Middle(scene.Sans, text)
		d.Add(scene.Text{At: scene.Point{X: r.Min.X, Y: base}, Size: text, Color: ink, S: s.Path[i]})
		if i+1 < len(l.way) {
			d.Add(scene.Text{At: scene.Point{X: r.Max.X + 8, Y: base}, Size: text, Color: s.Theme.Faint, Align: 0.5, S: "›"})
		}
	}
}

// drawRun draws the strip of the whole run and the lanes of the kinds.
func drawRun(d *scene.Drawing, s *State, l *layout) {
	for _, r := range l.lanes {
		d.Add(scene.Stroke{Path: scene.Segment(r.Min.X, r.Center().Y, r.Max.X, r.Center().Y), Width: 0.5,
			Color: palette.Alpha(s.Theme.Faint, 0.45)})
	}
	for _, c := range columns(s, l) {
		p := &s.Phases[c.phase]
		ink := s.Kinds[p.Kind].Color
		if !s.lit(p.Kind) {
			ink = palette.Alpha(ink, 0.25)
		}
		wide := max(0.6, c.x1-c.x0-c.gap)
		d.Add(scene.Fill{Path: scene.Box(scene.R(c.x0, l.strip.Min.Y, wide, l.strip.H())), Color: ink})
		if p.Kind < len(l.lanes) {
			d.Add(scene.Fill{Path: scene.Box(scene.R(c.x0, l.lanes[p.Kind].Min.Y, wide, l.lanes[p.Kind].H())), Color: ink})
		}
	}
	s.frame(d, l, s.Hover.Phase, palette.Alpha(s.Theme.Text, 0.6))
	s.frame(d, l, s.Chosen, s.Theme.Accent)
}

// frame marks a phase in the strip.
func (s *State) frame(d *scene.Drawing, l *layout, i int, ink color.NRGBA) {
	if i < 0 || i >= len(s.Phases) {
		return
	}
	x0, x1 := l.x(s.Phases[i].Span.From), l.x(s.Phases[i].Span.To)
	d.Add(scene.Stroke{Path: scene.Box(scene.R(x0-1, l.strip.Min.Y-1, max(3, x1-x0+1), l.strip.H()+2)),
		Width: 1.5, Color: ink})
}

// column is a stretch of the strip: one phase, or the longest of those that share a pixel.
type column struct {
	x0, x1, gap float64
	phase       int
}

// columns are what the pixels can show of the phases.
func columns(s *State, l *layout) []column {
	var out []column
	longest := 0.0
	for i := range s.Phases {
		x0, x1 := l.x(s.Phases[i].Span.From), l.x(s.Phases[i].Span.To)
		if n := len(out); n > 0 && x1-out[n-1].x0 < 1 {
			out[n-1].x1 = x1
			if x1-x0 > longest {
				out[n-1].phase, longest = i, x1-x0
			}
			continue
		}
		out = append(out, column{x0: x0, x1: x1, phase: i})
		longest = x1 - x0
	}
	for i := range out {
		if out[i].x1-out[i].x0 > 4 {
			out[i].gap = 1
		}
	}
	return out
}

// drawRounds puts a bracket over phases that repeat.
func drawRounds(d *scene.Drawing, s *State, l *layout) {
	for _, r := range s.Rounds {
		last := r.First + r.Period*r.Times - 1
		if last >= len(s.Phases) {
			continue
		}
		x0, x1, y := l.x(s.Phases[r.First].Span.From), l.x(s.Phases[last].Span.To), l.strip.Min.Y-5
		ink := palette.Alpha(s.Theme.Dim, 0.8)
		var p scene.Path
		p.Move(x0+0.5, y+3)
		p.Line(x0+0.5, y)
		p.Line(x1-0.5, y)
		p.Line(x1-0.5, y+3)
		d.Add(scene.Stroke{Path: p, Width: 0.75, Color: ink})
		label := fmt.Sprintf("%d × %d phases", r.Times, r.Period)
		if wide := scene.Measure(scene.Sans, 9.5, label) + 8; wide < x1-x0 {
			d.Add(scene.Fill{Path: scene.Box(scene.R((x0+x1-wide)/2, y-6, wide, 9)), Color: s.Theme.Panel},
				scene.Text{At: scene.Point{X: (x0 + x1) / 2, Y: y + 1}, Size: 9.5, Color: s.Theme.Dim, Align: 0.5, S: label})
		}
	}
}

func drawRuler(d *scene.Drawing, s *State, l *layout) {
	span := float64(s.Span.To - s.Span.From)
	raw := span / max(1, l.strip.W()/90)
	step := math.Pow(10, math.Floor(math.Log10(max(1, raw))))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*step >= raw {
			step *= m
			break
		}
	}
	for t := math.Ceil(float64(s.Span.From)/step) * step; t <= float64(s.Span.To); t += step {
		x, align := l.x(traceio.Seq(t)), 0.5
		label := words.Count(traceio.Seq(t))
		if wide := scene.Measure(scene.Mono, 9, label) / 2; x-wide < l.strip.Min.X {
			align = 0
		} else if x+wide > l.strip.Max.X {
			align = 1
		}
		d.Add(scene.Stroke{Path: scene.Segment(x, l.base-3, x, l.base), Width: 0.75, Color: s.Theme.Faint},
			scene.Text{At: scene.Point{X: x, Y: l.base + 9}, Face: scene.Mono, Size: 9, Color: s.Theme.Dim,
				Align: align, S: label})
	}
}

// drawNow marks the window that the other views show, and the cursor.
func drawNow(d *scene.Drawing, s *State, l *layout) {
	w := s.Window
	if all := w.From <= s.Span.From && w.To >= s.Span.To; !all && w.From < s.Span.To && w.To > s.Span.From {
		x0, x1 := l.x(max(w.From, s.Span.From)), l.x(min(w.To, s.Span.To))
		d.Add(scene.Fill{Path: scene.Box(scene.R(x0, l.strip.Min.Y-3, max(2, x1-x0), l.base-l.strip.Min.Y+1)),
			Color: palette.Alpha(s.Theme.Accent, 0.16)})
	}
	if s.Span.Has(s.Cursor) {
		x := l.x(s.Cursor)
		d.Add(scene.Stroke{Path: scene.Segment(x, l.strip.Min.Y-4, x, l.base), Width: 1.25, Color: s.Theme.Accent})
	}
}

// drawKind is the row of one kind: its window as a small spiral, its name, its share of the run, and what recurs.
func drawKind(d *scene.Drawing, s *State, i int, r scene.Rect) {
	k := &s.Kinds[i]
	ink, dim := s.Theme.Text, s.Theme.Dim
	if !s.lit(i) {
		ink, dim = palette.Alpha(ink, 0.45), palette.Alpha(dim, 0.6)
	}
	if s.Hover.Kind == i {
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(r.Min.X-6, r.Min.Y, r.W()+10, r.H()), 5),
			Color: palette.Alpha(s.Theme.Line, 0.5)})
	}
	side := r.H() - min(8, r.H()/5)
	x := r.Min.X
	if picture := scene.R(x, r.Min.Y+(r.H()-side)/2, side, side); len(k.Picture.Seq) > 0 {
		small := spiral.Scene(k.Picture, scene.Size{W: side, H: side, Scale: d.Size.Scale})
		d.Add(scene.Group{Clip: picture, Shapes: scene.Move(small.Shapes, picture.Min.X, picture.Min.Y)})
	}
	x += side + 8
	lines := max(0, min(len(k.Words), int((r.H()-20)/13)))
	y := r.Min.Y + (r.H()-float64(lines)*13-12)/2 + 9
	share := fmt.Sprintf("%.0f %%", 100*k.Share)
	if k.Share < 0.01 {
		share = "< 1 %"
	}
	name := max(1, r.Max.X-x-14-46)
	d.Add(scene.Fill{Path: scene.RoundBox(scene.R(x, y-7.5, 8, 8), 2), Color: palette.Alpha(k.Color, float64(ink.A)/255)},
		scene.Text{At: scene.Point{X: x + 14, Y: y}, Size: 11, Color: ink, Max: name, S: k.Name},
		scene.Text{At: scene.Point{X: r.Max.X, Y: y}, Face: scene.Mono, Size: 10, Color: dim, Align: 1, S: share})
	if taken := scene.Measure(scene.Sans, 11, k.Name) + 10; lines == 0 && len(k.Words) > 0 && taken < name-60 {
		d.Add(scene.Text{At: scene.Point{X: x + 14 + taken, Y: y}, Size: 10, Color: dim, Max: name - taken, S: k.Words[0]})
	}
	for _, line := range k.Words[:lines] {
		y += 13
		d.Add(scene.Text{At: scene.Point{X: x + 14, Y: y}, Size: 10, Color: dim, Max: max(1, r.Max.X-x-14), S: line})
	}
}
