package heapmap

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// drawGaps marks where addresses were left out.
func drawGaps(d *scene.Drawing, s *State, l *layout) {
	for i := 1; i < len(l.axis.segments); i++ {
		upper, lower := &l.axis.segments[i], &l.axis.segments[i-1]
		if lower.top-upper.bottom < 2 {
			continue
		}
		y := l.plot.Min.Y + (lower.top+upper.bottom)/2
		d.Add(scene.Stroke{Path: scene.Segment(l.plot.Min.X, y, l.plot.Max.X, y), Width: 1, Color: s.Theme.Line,
			Dash: []float64{2, 4}})
	}
}

// drawAddresses writes where each span begins and, where there is room, round distances from there.
func drawAddresses(d *scene.Drawing, s *State, l *layout) {
	if l.plot.Min.X < gutterWide {
		return
	}
	room := l.plot.Min.X - pad - 6
	last := math.Inf(1) // the height of the label below
	for i := range l.axis.segments {
		g := &l.axis.segments[i]
		base := l.plot.Min.Y + g.bottom
		if last-base < 12 {
			continue
		}
		d.Add(scene.Text{At: scene.Point{X: l.plot.Min.X - 6, Y: base - 1}, Face: scene.Mono, Size: 9.5, Color: s.Theme.Dim,
			Align: 1, Max: room, S: shortAddr(s.Heap, g.Low, room)})
		last = base
		step := niceBytes(float64(g.Size()) / max(1, (g.bottom-g.top)/34))
		for off := step; off < g.Size(); off += step {
			y := l.plot.Min.Y + g.y(g.Low+traceio.Addr(off))
			if last-y < 20 || y < l.plot.Min.Y+g.top+6 {
				continue
			}
			d.Add(scene.Stroke{Path: scene.Segment(l.plot.Min.X-4, y, l.plot.Min.X-1, y), Width: 1, Color: s.Theme.Faint},
				scene.Text{At: scene.Point{X: l.plot.Min.X - 6, Y: y + 3.5}, Face: scene.Mono, Size: 9.5, Color: s.Theme.Dim,
					Align: 1, Max: room, S: "+" + distance(off, step)})
			last = y
		}
	}
}

// shortAddr is an address that fits: with its leading digits left out where it is long.
func shortAddr(h *heap.Heap, a traceio.Addr, room float64) string {
	whole := ownAddr(h, a)
	t := whole
	for cut := 2; scene.Measure(scene.Mono, 9.5, t) > room && cut < len(whole)-4; cut++ {
		t = "…" + whole[cut+1:]
	}
	return t
}

// niceBytes is the power of two of bytes at or above v, at least 16.
func niceBytes(v float64) uint64 {
	n := uint64(16)
	for float64(n) < v && n < 1<<62 {
		n *= 2
	}
	return n
}

// distance is so many bytes, a multiple of a step, in the largest unit that does without more than two decimals: "1.25
// MiB".
func distance(off, step uint64) string {
	units := [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	unit := len(units) - 1
	for unit > 0 && (off>>(10*unit) == 0 || 100*(step%(1<<(10*unit)))%(1<<(10*unit)) != 0) {
		unit--
	}
	return trim(float64(off)/float64(uint64(1)<<(10*unit))) + " " + units[unit]
}

// drawTimes labels the time axis. Its unit stands in the gutter, where there is one.
func drawTimes(d *scene.Drawing, s *State, l *layout) {
	if l.times == 0 {
		return
	}
	unit := s.Heap.Axis.Unit()
	end, unitAt := l.plot.Max.X, scene.Point{X: l.plot.Min.X - 6, Y: l.times}
	if unitW := scene.Measure(scene.Sans, labelSize, unit); unitW+4 > unitAt.X {
		unitAt.X = l.plot.Max.X
		end -= unitW + 10
	}
	step := niceCount(float64(l.to-l.from) / max(1, l.plot.W()/88))
	for t := (l.from + step - 1) / step * step; t <= l.to; t += step {
		x := l.x(float64(t))
		label := words.Count(uint64(t))
		w := scene.Measure(scene.Mono, 9.5, label)
		align := 0.5
		if x-w/2 < l.plot.Min.X {
			align = 0
		}
		if x+w*(1-align) > end {
			break
		}
		d.Add(scene.Stroke{Path: scene.Segment(x, l.bar.Max.Y, x, l.bar.Max.Y+3), Width: 1, Color: s.Theme.Faint},
			scene.Text{At: scene.Point{X: x, Y: l.times}, Face: scene.Mono, Size: 9.5, Color: s.Theme.Dim,
				Align: align, S: label})
	}
	d.Add(scene.Text{At: unitAt, Size: labelSize, Color: s.Theme.Dim, Align: 1, S: unit})
}

// niceCount is 1, 2 or 5 times a power of ten at or above v.
func niceCount(v float64) heap.Time {
	for p := heap.Time(1); ; p *= 10 {
		for _, k := range []heap.Time{1, 2, 5} {
			if float64(k*p) >= v || p > 1<<55 {
				return k * p
			}
		}
	}
}

// drawFrame frames, in the context strip, what the map shows.
func drawFrame(d *scene.Drawing, s *State, l *layout) {
	whole := l.wholeAxis(s)
	f := contextFrame(s, l, &whole)
	d.Add(scene.Stroke{Path: scene.RoundBox(f, 2), Width: 1.25, Color: palette.Alpha(s.Theme.Text, 0.75)})
}

// contextFrame is the part of the context strip that the map shows, at least a few pixels wide and high.
func contextFrame(s *State, l *layout, whole *axis) scene.Rect {
	end := float64(s.horizon())
	x := func(t heap.Time) float64 { return l.context.Min.X + float64(t)/end*l.context.W() }
	n := len(l.axis.segments)
	f := scene.Rect{
		Min: scene.Point{X: x(l.from), Y: l.context.Min.Y + whole.y(l.axis.segments[n-1].High)},
		Max: scene.Point{X: x(l.to), Y: l.context.Min.Y + whole.y(l.axis.segments[0].Low)},
	}
	if f.W() < 4 {
		c := f.Center().X
		f.Min.X, f.Max.X = c-2, c+2
	}
	if f.H() < 4 {
		c := f.Center().Y
		f.Min.Y, f.Max.Y = c-2, c+2
	}
	return f
}

// drawMarks outlines the block under the pointer and the selected one, and dots the errors in the log.
func drawMarks(d *scene.Drawing, s *State, l *layout) {
	var marks []scene.Shape
	dots := scene.Discs{Radii: []float64{errorDot}}
	var holes scene.Discs
	for i := range s.Heap.Errors {
		e := &s.Heap.Errors[i]
		at, ok := l.errorPoint(s, e)
		if !ok {
			continue
		}
		dots.Centers = append(dots.Centers, at)
		if s.stray(e) {
			holes.Centers = append(holes.Centers, at)
		}
	}
	if len(dots.Centers) > 0 {
		rim := dots
		rim.Radii = []float64{errorDot + 1.25}
		rim.Colors = append(rim.Colors, ground(s.Theme))
		dots.Colors = append(dots.Colors, s.Theme.Text)
		marks = append(marks, rim, dots)
	}
	if len(holes.Centers) > 0 {
		holes.Radii, holes.Colors = []float64{errorDot - 1.25}, []color.NRGBA{ground(s.Theme)}
		marks = append(marks, holes)
	}
	if r, ok := l.blockRect(s, s.Hover); ok && s.Hover != s.Selected {
		marks = append(marks, scene.Stroke{Path: scene.Box(r), Width: 1, Color: palette.Alpha(s.Theme.Text, 0.9)})
	}
	if r, ok := l.blockRect(s, s.Selected); ok {
		marks = append(marks, scene.Stroke{Path: scene.Box(scene.Rect{Min: scene.Point{X: r.Min.X - 1, Y: r.Min.Y - 1},
			Max: scene.Point{X: r.Max.X + 1, Y: r.Max.Y + 1}}),
			Width: 3, Color: palette.Alpha(ground(s.Theme), 0.8)}, scene.Stroke{Path: scene.Box(r), Width: 1.5,
			Color: s.Theme.Accent})
	}
	if len(marks) > 0 {
		d.Add(scene.Group{Clip: l.plot, Shapes: marks})
	}
}

// errorDot is the radius of an error's dot.
const errorDot = 2.5

// stray reports whether an error is at an address where nothing was ever allocated. It is marked by a ring on the
// nearest edge.
func (s *State) stray(e *heap.Error) bool {
	return !slices.ContainsFunc(s.spans(), func(x heap.Span) bool { return e.Addr >= x.Low && e.Addr < x.High })
}

// errorPoint is where an error of the log is marked, wholly inside the plot; false when it is out of sight.
func (l *layout) errorPoint(s *State, e *heap.Error) (scene.Point, bool) {
	if l.bin >= 0 && (e.Block < 0 || s.Heap.Bin(e.Block) != l.bin) {
		return scene.Point{}, false
	}
	if e.At < l.from || e.At > l.to || !l.axis.shows(e.Addr) && !s.stray(e) {
		return scene.Point{}, false
	}
	const room = errorDot + 1.5
	return scene.Point{X: min(max(l.x(float64(e.At)), l.plot.Min.X+room), l.plot.Max.X-room),
		Y: min(max(l.plot.Min.Y+l.axis.y(e.Addr), l.plot.Min.Y+room), l.plot.Max.Y-room)}, true
}

// shows reports whether an address lies in a span that is shown.
func (a *axis) shows(p traceio.Addr) bool {
	for i := range a.segments {
		if p >= a.segments[i].Low && p < a.segments[i].High {
			return true
		}
	}
	return false
}

// blockRect is where a block is drawn, made large enough to carry an outline; false for other things and when it is out
// of sight.
func (l *layout) blockRect(s *State, t link.Thing) (scene.Rect, bool) {
	if t.What != link.Block || t.ID < 0 || t.ID >= s.Heap.Count() {
		return scene.Rect{}, false
	}
	b := s.Heap.Block(t.ID)
	if l.bin >= 0 && s.Heap.Bin(t.ID) != l.bin {
		return scene.Rect{}, false
	}
	if b.From >= l.to || max(b.To, b.From+1) <= l.from || !l.axis.shows(b.Low) && !l.axis.shows(b.High()-1) {
		return scene.Rect{}, false
	}
	r := scene.Rect{Min: scene.Point{X: l.x(float64(b.From)), Y: l.plot.Min.Y + l.axis.y(b.High())},
		Max: scene.Point{X: l.x(float64(max(b.To, b.From+1))), Y: l.plot.Min.Y + l.axis.y(b.Low)}}
	grow := func(a, b *float64, least float64) {
		if *b-*a < least {
			c := (*a + *b) / 2
			*a, *b = c-least/2, c+least/2
		}
	}
	grow(&r.Min.X, &r.Max.X, 4)
	grow(&r.Min.Y, &r.Max.Y, 4)
	// Far ends beyond the plot need not be drawn at their true distance.
	r.Min.X, r.Max.X = max(r.Min.X, l.plot.Min.X-8), min(r.Max.X, l.plot.Max.X+8)
	return r, true
}

// drawAbsent says where the blocks are when the window shows none, or next to none, of them; with an arrow where they
// begin in it.
func (r *Renderer) drawAbsent(d *scene.Drawing, s *State, l *layout) {
	of := r.totals(s)
	if of == nil {
		return
	}
	text, begin := absence(s, l, of)
	if text == "" {
		return
	}
	t := scene.Text{At: l.plot.Center(), Size: 11.5, Color: s.Theme.Text, Align: 0.5, Max: l.plot.W() - 8, S: text}
	if begin > 0 {
		t.At.X, t.Align = begin-14, 1
		t.Max = t.At.X - l.plot.Min.X - 4
		d.Add(scene.Stroke{Path: arrow(begin-10, t.At.Y-3.5), Width: 1.5, Color: s.Theme.Accent})
	}
	d.Add(t)
}

// absence is what there is to say of a window without blocks, or with a few at its right end: then begin is where these
// begin.
func absence(s *State, l *layout, of totals) (text string, begin float64) {
	h := s.Heap
	count := func(t heap.Time) string { return words.Count(uint64(t)) + " " + h.Axis.Unit() }
	first := of.Block(0).From
	after, within := of.Born(l.to), of.Born(l.from)
	live, _, _ := of.Live(l.from)
	switch at := l.x(float64(first)); {
	case first >= h.Axis.End && l.to >= h.Axis.End:
		bytes := h.TotalBytes
		if s.Bin > 0 {
			bytes = h.Bins[s.Bin-1].Bytes
		}
		return "Nothing is allocated while the program makes references: " + s.blocks(of.Count()) + " of " +
			words.Bytes(bytes) + " at its very end", min(at, l.plot.Max.X)
	case first >= l.to:
		return "No " + s.block() + " is allocated here yet: the first comes at " + count(first) + ", to the right.", 0
	case live == 0 && within == after && after < of.Count():
		return "No " + s.block() + " is live here: the next one comes at " + count(of.Block(after).From) +
			", to the right.", 0
	case live == 0 && within == after:
		return "No " + s.block() + " is live any more: the last one was allocated at " + count(of.Block(of.Count()-1).From) +
			", to the left.", 0
	case at > l.plot.Min.X+0.6*l.plot.W():
		return s.blocks(of.Count()) + ", the first at " + count(first), at
	}
	return "", 0
}

// drawEnded covers what comes after the end of the shorter of two runs.
func drawEnded(d *scene.Drawing, s *State, l *layout) {
	end := max(l.x(float64(s.Heap.Axis.End)), l.plot.Min.X)
	if end >= l.plot.Max.X-1 || s.horizon() == s.Heap.Axis.End {
		return
	}
	after := scene.Rect{Min: scene.Point{X: end, Y: l.plot.Min.Y}, Max: scene.Point{X: l.plot.Max.X, Y: l.bar.Max.Y}}
	d.Add(scene.Fill{Path: scene.Box(after), Color: s.Theme.Panel})
	d.Add(scene.Text{At: scene.Point{X: end + 8, Y: l.plot.Center().Y}, Size: labelSize,
		Color: s.Theme.Dim, Max: after.W() - 12,
		S: "this run ends at " + words.Count(uint64(s.Heap.Axis.End)) + " " + s.Heap.Axis.Unit()})
}

// arrow points to the right.
func arrow(x, y float64) (p scene.Path) {
	p.Move(x, y-4)
	p.Line(x+5, y)
	p.Line(x, y+4)
	return p
}

// drawEmpty says why there is nothing to see.
func drawEmpty(d *scene.Drawing, s *State, size scene.Size) {
	lines := []string{"No recording is open."}
	if s.Heap != nil {
		lines = []string{"No allocations in this recording.",
			"The map of the heap over time appears here once the recording knows of malloc and free:",
			"orrery record -- ./program logs them for every program that uses the C library's shared malloc.",
			"Traces of other tools, and static programs, have none."}
	}
	y := size.H/2 - float64(len(lines)-1)*9
	for i, t := range lines {
		text := scene.Text{At: scene.Point{X: size.W / 2, Y: y}, Size: 12, Color: s.Theme.Dim, Align: 0.5,
			Max: size.W - 2*pad, S: t}
		if i == 0 {
			text.Face, text.Size, text.Color = scene.Bold, 13, s.Theme.Text
		}
		d.Add(text)
		y += 18
		if i == 0 {
			y += 4
		}
	}
}

// Caption is the state in words, for the title of the pane: "colour: allocation site · alpha 0.35 · plateau cushions".
func Caption(s State) string {
	weight := "alpha " + trim(s.alpha())
	if s.Plain {
		weight = "not antialiased"
	}
	list := []string{"colour: " + s.Color.String(), weight, s.Cushion.String()}
	if s.Page == BarsPage { // blocks are not drawn there
		if list = []string{s.Bar.String()}; s.Bar.every() {
			list = append(list, weight)
		}
	}
	if s.Page != MapPage {
		list = append([]string{s.Page.String()}, list...)
	} else if s.Bin > 0 && s.Heap != nil && s.Bin <= len(s.Heap.Bins) {
		list = append([]string{"bin " + s.Heap.Bins[s.Bin-1].Name}, list...)
	}
	return strings.Join(list, " · ")
}
