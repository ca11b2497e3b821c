package spiral

import (
	"image/color"
	"math"
	"sort"
	"sync"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// plot is the curve of a state: for each time index a radius, an angle in turns and how much it is a member.
type plot struct {
	s *State
	l *layout
	*scratch
	place []scene.Point // Plane only
	unit  float64       // Plane only: length of one edit
	loops []epicycle
	ended bool // first and last are known, see ends
	first int
	last  int
	drawn []float64 // heights of the contours
	led   bool      // a circle's way in and out is drawn as it is, whatever lies on each other on the circle
	plain bool      // nothing is selected or hidden: all members are bright
	alpha float64   // of the curve, less where lines pile up
	gap   float64   // mean length of a step in pixels
	every []int32   // by time index: one of so many turns is drawn there; nil when all are
	dense []int32   // by time index: more than 1 where turns lie so close that only their tone is drawn; nil when nowhere
}

// scratch is the memory of a plot for each window, reused by the next picture.
type scratch struct {
	turn   []float64
	r      []float64 // distances from the centre
	member []float32 // 0 leads in or out or is off the class, 1 is a member

	strides []int32 // room for every, dense
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// release gives the scratch memory back; the plot must not be used after it.
func (p *plot) release() {
	scratches.Put(p.scratch)
	p.scratch = nil
}

// resize is a list of n elements of undefined contents, in list's memory if that is large enough.
func resize[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	return list[:n]
}

// zeros is a list of n zeros, in list's memory if that is large enough.
func zeros[T any](list []T, n int) []T {
	list = resize(list, n)
	clear(list)
	return list
}

func newPlot(s *State, l *layout) *plot {
	n := len(s.Seq)
	p := &plot{s: s, l: l, scratch: scratches.Get().(*scratch)}
	p.turn, p.member, p.r = resize(p.turn, n), resize(p.member, n), resize(p.r, n)
	t := s.Morph
	if !(t > 0) || len(s.To.Turns) != n {
		t = 0
	}
	p.plain = !p.sorted()
	p.mix(min(1, t))
	p.radii(p.r)
	switch s.Shape {
	case Spiral:
		p.loops = p.prepare()
	case Plane:
		p.place = p.fit()
	}
	p.density()
	return p
}

// width is the curve's: thinner on thumbnails, a little wider on large pictures.
func (p *plot) width() float64 {
	if min(p.l.w, p.l.h) < small {
		return 1
	}
	return max(1.25, min(2, min(p.l.w, p.l.h)/420))
}

// mid is where the step from time index i-1 to i is after a share f of it.
func (p *plot) mid(i int, f float64) scene.Point {
	if p.place != nil {
		a, b := p.place[i-1], p.place[i]
		return scene.Point{X: a.X + f*(b.X-a.X), Y: a.Y + f*(b.Y-a.Y)}
	}
	turn, r := p.turn[i-1]+f*(p.turn[i]-p.turn[i-1]), p.r[i-1]+f*(p.r[i]-p.r[i-1])
	if len(p.loops) > 0 {
		return p.withLoops(turn, r, func(l *epicycle) float64 { return l.turn[i-1] + f*(l.turn[i]-l.turn[i-1]) })
	}
	return p.at(turn, r)
}

func (p *plot) at(turn, r float64) scene.Point {
	sin, cos := math.Sincos(2 * math.Pi * turn)
	return scene.Point{X: p.l.c.X + r*cos, Y: p.l.c.Y + r*sin}
}

// layers of the curve, from below.
const (
	quiet  = iota // not members
	faded         // members that are not selected, while something is
	bright        // the rest
	layers
)

func (p *plot) layer(i int) int {
	s := p.s
	if p.member[i] < 0.5 {
		return quiet
	}
	if p.plain {
		return bright
	}
	if p.hidden(i) {
		return quiet
	}
	switch s.Selected.What {
	case link.Line, link.Function, link.Time:
		if !p.selected(i, s.Selected) {
			return faded
		}
	default:
		if len(s.Lit) == len(s.Seq) && !s.Lit[i] {
			return faded
		}
	}
	return bright
}

func (p *plot) hidden(i int) bool {
	if p.s.keyed() {
		k := p.keyOf(i)
		return k >= 0 && p.s.Keys[k].Hidden
	}
	k := p.lineOf(i)
	return k >= 0 && p.s.Lines[k].Hidden
}

func (p *plot) lineOf(i int) int {
	if i >= len(p.s.Line) || p.s.Line[i] < 0 || int(p.s.Line[i]) >= len(p.s.Lines) {
		return -1
	}
	return int(p.s.Line[i])
}

// selected reports whether a thing means time index i.
func (p *plot) selected(i int, t link.Thing) bool {
	switch t.What {
	case link.Time:
		return t.Span.Has(p.s.Seq[i])
	case link.Line, link.Function:
		k := p.lineOf(i)
		return k >= 0 && p.s.Lines[k].is(t)
	}
	return false
}

func (l *Line) is(t link.Thing) bool {
	switch t = t.AsLine(); t.What {
	case link.Line:
		return l.Number == t.Line && l.File == t.File
	case link.Function:
		return l.Function != "" && l.Function == t.Name
	}
	return false
}

// under reports whether instructions lie under the pointer, which are told apart window by window.
func (p *plot) under() bool { return len(p.s.Under) == len(p.s.Seq) && len(p.s.Under) > 0 }

// quietColor is what does not belong to the cycle.
func quietColor(t palette.Theme) color.NRGBA { return palette.Mix(t.Faint, t.Dim, 0.35) }

func (p *plot) color(i, layer int) color.NRGBA {
	s := p.s
	alpha := p.opacity(i)
	if layer == quiet {
		return palette.Alpha(quietColor(s.Theme), 0.75*alpha)
	}
	c := palette.Qualitative(s.Theme, 0)
	switch s.Mode {
	case ByLine:
		c = palette.Others(s.Theme)
		if k := p.lineOf(i); k >= 0 {
			c = s.Lines[k].Color
		}
	case ByKey:
		c = palette.Others(s.Theme)
		if k := p.keyOf(i); k >= 0 {
			c = s.Keys[k].Color
		}
	case ByAngle:
		c = palette.Cyclic(s.Theme, p.turn[i])
	}
	if m := float64(p.member[i]); m < 1 { // half-way between two parameterizations that disagree
		c = palette.Mix(quietColor(s.Theme), c, m)
	}
	if layer == faded {
		return palette.Alpha(c, 0.26*max(0.5, alpha))
	}
	if s.Hover.What == link.Line && !p.selected(i, s.Hover) || p.under() && !s.Under[i] {
		return palette.Alpha(c, 0.45*alpha)
	}
	return palette.Alpha(c, alpha)
}

// draw adds the curve and, where they are far enough apart, its points.
func (p *plot) draw(d *scene.Drawing) {
	var curves [2 * layers]scene.Curves // each layer's where turns are left out, then the others
	for k := range curves {
		curves[k].Width = p.lineWidth(k / 2)
		if k%2 == 0 {
			curves[k].Width *= dense
		}
	}
	b := newBuilder(p)
	most := &curves[2*bright+1]
	if p.dense == nil {
		most.Points, most.Colors = make([]scene.Point, 0, len(p.turn)/4), make([]color.NRGBA, 0, len(p.turn)/4)
	}
	tones, alike, k := p.tones(), p.alike(), 0
	for i := 1; i < len(p.turn); i++ {
		if !alike(i) {
			k = p.layer(i)
			b.ink = b.color(i, k)
		}
		switch {
		case tones != nil && p.dense[i] > 1:
			tones[k].step(i, b.ink, curves[2*k+1].Width)
		case p.s.Shape == Spiral && p.stride(i) > 1:
			b.arc(&curves[2*k], i)
		default:
			b.arc(&curves[2*k+1], i)
		}
	}
	b.chain.flush()
	b.course.flush()
	for k := range curves {
		if tones != nil && k%2 == 0 && (k == 0 || tones[k/2] != tones[k/2-1]) {
			if im, ok := tones[k/2].image(); ok {
				d.Add(im)
			}
		}
		if len(curves[k].Points) > 1 {
			d.Add(curves[k])
		}
	}
	p.drawPoints(d)
}

// lineWidth is the width of the curve in a layer.
func (p *plot) lineWidth(layer int) float64 {
	if p.place != nil {
		return 0.75 // the windows are what counts; the way between them is told faintly
	}
	w := p.width()
	if layer == quiet {
		w *= 0.75
	}
	if p.s.Shape == Circle && !p.l.thumb {
		w *= 1.6
	}
	return w
}

// reach is the range of distances from the centre that the pane shows.
func (l *layout) reach() (near, far float64) {
	c := l.c
	dx, dy := max(0, -c.X, c.X-l.w), max(0, -c.Y, c.Y-l.h)
	far = math.Hypot(max(math.Abs(c.X), math.Abs(l.w-c.X)), max(math.Abs(c.Y), math.Abs(l.h-c.Y)))
	return math.Hypot(dx, dy) - 4, far + 4
}

// index is the last time index at or before s; -1 when s lies before all.
func index(seq []traceio.Seq, s traceio.Seq) int {
	return sort.Search(len(seq), func(i int) bool { return seq[i] > s }) - 1
}
