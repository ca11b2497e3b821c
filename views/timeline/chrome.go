package timeline

import (
	"fmt"
	"math"
	"strconv"

	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// Amount writes a lane's value with three digits or so: "0.61", "12", "1.3 K"; of bytes with binary units: "1.2 KiB".
func Amount(v float64, bytes bool) string {
	size, units := 1000.0, []string{"", " K", " M", " G", " T"}
	if bytes {
		size, units = 1024, []string{" B", " KiB", " MiB", " GiB", " TiB"}
	}
	k := 0
	for v >= 0.9995*size && k < len(units)-1 {
		v /= size
		k++
	}
	digits := 0
	switch {
	case v == math.Trunc(v) || v >= 100:
	case v >= 10 || k > 0:
		digits = 1
	default:
		digits = 2
	}
	return strconv.FormatFloat(v, 'f', digits, 64) + units[k]
}

// drawWindow shades the selected stretch behind the lanes.
func drawWindow(d *scene.Drawing, s *State, g geometry) {
	w := s.Window
	if w.Empty() || (w.From == 0 && w.To >= s.Len) {
		return
	}
	x0, x1 := g.x(float64(w.From)), g.x(float64(w.To))
	if x1 < g.plot.Min.X || x0 > g.plot.Max.X {
		return
	}
	a, b := max(x0, g.plot.Min.X), min(x1, g.plot.Max.X)
	y0, y1 := g.plot.Min.Y-4, g.plot.Max.Y+1
	d.Add(scene.Fill{Path: scene.Box(scene.R(a, y0, max(1, b-a), y1-y0)), Color: palette.Alpha(s.Theme.Accent, 0.13)})
	for _, x := range []float64{x0, x1} {
		if x >= g.plot.Min.X && x <= g.plot.Max.X {
			d.Add(scene.Stroke{Path: scene.Segment(x, y0, x, y1), Width: 1, Color: palette.Alpha(s.Theme.Accent, 0.45)})
		}
	}
}

// drawChosen draws the time of what is selected as a bar along the top of the lanes; for code, one wherever it runs.
func drawChosen(d *scene.Drawing, s *State, g geometry) {
	end := math.Inf(-1)
	for i := -1; i < len(s.Runs); i++ {
		r := s.Chosen
		if i >= 0 {
			r = s.Runs[i]
		}
		a, b := max(g.x(float64(r.From)), g.plot.Min.X), min(g.x(float64(r.To)), g.plot.Max.X)
		if r.Empty() || b < a || i >= 0 && b < end+0.5 { // of what is narrower than a pixel, one is enough
			continue
		}
		box := scene.R(a, g.plot.Min.Y-4, max(2, b-a), 2.5)
		end = box.Max.X
		d.Add(scene.Fill{Path: scene.RoundBox(box, 1.25), Color: s.Theme.Accent})
	}
}

// unit names what time counts.
func (s *State) unit() string {
	if s.Unit == "" {
		return "references"
	}
	return s.Unit
}

// drawRuler writes the ticks below the lanes, in units of time.
func drawRuler(d *scene.Drawing, s *State, g geometry) {
	if g.size.H < 64 {
		return
	}
	step := ticks(&g, 84)
	y := g.plot.Max.Y
	for n := (g.view.From + step - 1) / step * step; n <= g.view.To; n += step {
		x := math.Round(g.x(float64(n))) + 0.5
		d.Add(scene.Stroke{Path: scene.Segment(x, y+1, x, y+4), Width: 1, Color: s.Theme.Faint})
		t := scene.Text{At: scene.Point{X: x, Y: y + 14.5}, Face: scene.Mono, Size: 9.5, Color: s.Theme.Dim,
			Align: 0.5, S: tick(n, step)}
		if half := scene.Measure(t.Face, t.Size, t.S) / 2; x+half > g.size.W-4 {
			t.Align, t.At.X = 1, g.size.W-4
		}
		d.Add(t)
	}
	if step := step / 5; step > 0 {
		for n := (g.view.From + step - 1) / step * step; n <= g.view.To; n += step {
			x := math.Round(g.x(float64(n))) + 0.5
			d.Add(scene.Stroke{Path: scene.Segment(x, y+1, x, y+2.5), Width: 1, Color: palette.Alpha(s.Theme.Faint, 0.6)})
		}
	}
}

// drawMarks puts a small flag above the lanes for every mark in view, at most one for each two pixels.
func drawMarks(d *scene.Drawing, s *State, g geometry) {
	last := math.Inf(-1)
	for _, m := range s.Marks {
		x := g.x(float64(m.Seq))
		if x < g.plot.Min.X || x > g.plot.Max.X || x < last+2 {
			continue
		}
		last = x
		y := g.plot.Min.Y - 4
		var p scene.Path
		p.Move(x-3, y-4)
		p.Line(x+3, y-4)
		p.Line(x, y)
		p.Close()
		d.Add(scene.Fill{Path: p, Color: m.Color})
	}
}

// drawCursor draws now: the amber line, and its position in words at the right.
func drawCursor(d *scene.Drawing, s *State, g geometry) {
	a := s.Theme.Accent
	if s.Hover != nil {
		if x := g.x(float64(*s.Hover) + 0.5); x >= g.plot.Min.X && x <= g.plot.Max.X {
			d.Add(scene.Stroke{Path: scene.Segment(x, g.plot.Min.Y-4, x, g.plot.Max.Y+2), Width: 1,
				Color: palette.Alpha(s.Theme.Dim, 0.5)})
		}
	}
	if x := g.x(float64(s.Cursor)); x >= g.plot.Min.X-0.5 && x <= g.plot.Max.X+0.5 {
		d.Add(scene.Stroke{Path: scene.Segment(x, g.plot.Min.Y-6, x, g.plot.Max.Y+4), Width: 1.5, Color: a})
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(x-3, g.plot.Min.Y-9, 6, 5), 1.5), Color: a})
	}
	if s.Bare {
		return
	}
	t := scene.Text{At: scene.Point{X: g.plot.Max.X, Y: g.readout}, Face: scene.Mono, Size: 11, Color: a, Align: 1,
		S: fmt.Sprintf("%s of %s", words.Count(s.Cursor), words.Count(s.Len))}
	d.Add(t)
	x := t.At.X - scene.Measure(t.Face, t.Size, t.S) - 16
	for _, note := range Notes(*s) {
		d.Add(scene.Text{At: scene.Point{X: x, Y: g.readout}, Size: 10.5, Color: s.Theme.Dim, Align: 1,
			Max: max(1, x-g.plot.Min.X), S: note})
		x -= scene.Measure(scene.Sans, 10.5, note) + 16
	}
}

// Notes are the remarks on what is selected and shown, the most important first.
func Notes(s State) []string {
	view := View(s)
	var all []string
	if w := s.Window; !w.Empty() && (w.From > 0 || w.To < s.Len) {
		all = append(all, fmt.Sprintf("selected %s to %s, %s %s", words.Count(w.From), words.Count(w.To-1),
			words.Count(w.To-w.From), s.unit()))
	}
	if view.From > 0 || view.To < s.Len {
		all = append(all, fmt.Sprintf("showing %s to %s", words.Count(view.From), words.Count(view.To-1)))
	}
	if s.Note != "" {
		all = append(all, s.Note)
	}
	return all
}

func drawEmpty(d *scene.Drawing, s *State, g geometry) {
	d.Add(scene.Stroke{Path: scene.Segment(g.gutter, g.plot.Max.Y-0.5, g.plot.Max.X, g.plot.Max.Y-0.5), Width: 1,
		Color: palette.Alpha(s.Theme.Faint, 0.45)})
	words := "The recording's references, misses and heap over time appear here. Open a recording to begin."
	if s.Note != "" {
		words = s.Note
	}
	d.Add(scene.Text{At: scene.Point{X: g.size.W / 2, Y: g.size.H/2 + 4}, Size: 12, Color: s.Theme.Dim, Align: 0.5,
		Max: g.size.W - 24, S: words})
}
