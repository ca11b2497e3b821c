package heapmap

import (
	"math"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/scene"
)

// layout is where the parts of the picture lie, and its axes.
//
//	legend
//	addr  +------------------+  +--+
//	      |       plot       |  |  | context
//	      +------------------+  +--+
//	      [ bar              ]
//	      times
//	footer
type layout struct {
	size     scene.Size
	legend   scene.Rect
	plot     scene.Rect
	bar      scene.Rect
	curves   scene.Rect // empty when they are not wanted or there is no room
	context  scene.Rect // empty when there is no room
	times    float64    // baseline of the time labels, 0 without
	footer   float64    // baseline of the footer, 0 without
	axis     axis
	from, to heap.Time
	// of the plot, in device pixels from time 0: a whole number, so that images of blocks fit when it moves
	left    float64
	perTime float64 // device pixels in one unit of time
	bin     int     // the only one that is shown, -1 for all
}

const (
	pad         = 12.0
	legendH     = 20.0
	barH        = 12.0
	contextW    = 44.0
	labelSize   = 10.5
	gutterWide  = 74.0
	footerRoom  = 20.0
	timesRoom   = 17.0
	gapRoom     = 7.0  // of a gap between address spans
	gapShare    = 0.2  // of the height, for all gaps together
	leastShare  = 0.12 // of the height, for one span, while there are few
	wideEnough  = 460.0
	tallEnough  = 190.0
	cursorWidth = 24.0
)

func newLayout(s *State, size scene.Size) layout {
	l := layout{size: size, bin: s.Bin - 1}
	left, right, bottom := pad, pad, 6.0
	if size.W >= wideEnough {
		left, right = gutterWide, pad+contextW+10
	}
	if size.H >= tallEnough {
		bottom += footerRoom
	}
	if size.H >= tallEnough*0.7 {
		bottom += timesRoom
	}
	curves := 0.0
	if s.Curves {
		curves = curveH*float64(len(metricsOf(s.Heap))) + 4
		if size.H-bottom-curves < 120 {
			curves = 0
		}
		bottom += curves
	}
	scale := max(size.Scale, 0.1)
	snap := func(v float64) float64 { return math.Round(v*scale) / scale }
	x0, x1 := snap(left), snap(max(left, size.W-right))
	y0, y1 := snap(legendH+4), snap(max(legendH+4, size.H-bottom-barH-5))
	l.legend = scene.R(pad, 2, max(0, size.W-2*pad-s.Tools), legendH)
	l.plot = scene.Rect{Min: scene.Point{X: x0, Y: y0}, Max: scene.Point{X: x1, Y: y1}}
	l.bar = scene.Rect{Min: scene.Point{X: x0, Y: snap(y1 + 5)}, Max: scene.Point{X: x1, Y: snap(y1 + 5 + barH)}}
	if size.W >= wideEnough {
		l.context = scene.Rect{Min: scene.Point{X: snap(x1 + 10), Y: y0},
			Max: scene.Point{X: snap(x1 + 10 + contextW), Y: y1}}
	}
	at := l.bar.Max.Y
	if size.H >= tallEnough*0.7 {
		l.times = at + 13
		at += timesRoom
	}
	if curves > 0 {
		l.curves = scene.R(x0, at, x1-x0, curves)
		at += curves
	}
	if size.H >= tallEnough {
		l.footer = at + 14
	}
	l.from, l.to = s.window()
	l.axis = newAxis(visible(s), l.plot.H(), scale)
	l.axis.rebase(s.spans())
	l.perTime = l.pixels() / float64(l.to-l.from)
	l.left = math.Round(float64(l.from) * l.perTime)
	return l
}

// pixels is the width of the plot in device pixels.
func (l *layout) pixels() float64 { return math.Round(l.plot.W() * l.axis.scale) }

// wholeAxis is the address axis of the context strip.
func (l *layout) wholeAxis(s *State) axis {
	return newAxis(s.spans(), l.context.H(), max(l.size.Scale, 0.1))
}

// visible is the spans of addresses that are shown.
func visible(s *State) []heap.Span {
	if s.High <= s.Low {
		return s.spans()
	}
	var out []heap.Span
	for _, x := range s.spans() {
		whole := x.Size()
		if x.Low, x.High = max(x.Low, s.Low), min(x.High, s.High); x.Low < x.High {
			x.Blocks = int(math.Ceil(float64(x.Blocks) * float64(x.Size()) / float64(whole)))
			out = append(out, x)
		}
	}
	if len(out) == 0 { // nothing but unused addresses
		return []heap.Span{{Low: s.Low, High: s.High, Blocks: 1}}
	}
	return out
}

// Height is how many bytes of addresses the map's height stands for, without the gaps that are cut out.
func Height(s State) uint64 {
	sum := uint64(0)
	if s.Heap != nil {
		for _, x := range visible(&s) {
			sum += x.Size()
		}
	}
	return sum
}

// axis maps addresses to heights: spans one above the other, low addresses at the bottom, gaps cut out. Each span has
// its own scale: its height is the geometric mean of its shares of bytes and of blocks, so that a mapped block of a
// gigabyte does not squeeze the ten thousand small ones of the brk area into a line; and never so small that it cannot
// be seen. Spans begin and end on device pixels, so that each row of pixels belongs to one span.
type axis struct {
	segments []segment // from low addresses (bottom) to high ones (top)
	scale    float64   // device pixels per unit
}

type segment struct {
	heap.Span
	top, bottom float64      // in units from the top of the plot
	rows        [2]int       // the same in device pixels
	base        traceio.Addr // where the span begins of which this is a part,
	roof        traceio.Addr // and where it ends
	perAddr     float64      // device pixels of a byte
	under       float64      // device pixels of the part of the span below what is shown, a whole number like layout.left
	scale       float64
}

// rebase measures segments from the beginnings of the spans that they are parts of.
func (a *axis) rebase(spans []heap.Span) {
	for i := range a.segments {
		g := &a.segments[i]
		for _, x := range spans {
			if g.Low >= x.Low && g.Low < x.High {
				g.base, g.roof = x.Low, x.High
			}
		}
		g.under = math.Round(float64(g.Low-g.base) * g.perAddr)
	}
}

func newAxis(spans []heap.Span, height, scale float64) axis {
	n := len(spans)
	a := axis{scale: scale}
	if n == 0 {
		return a
	}
	gap := min(gapRoom, gapShare*height/float64(max(1, n-1)))
	room := height - gap*float64(n-1)
	total := 0.0
	for _, x := range spans {
		total += weight(x)
	}
	least := min(leastShare, 0.5/float64(n))
	share := make([]float64, n)
	sum := 0.0
	for i, x := range spans {
		share[i] = least + (1-least*float64(n))*weight(x)/total
		sum += share[i]
	}
	at := height
	for i, x := range spans {
		h := room * share[i] / sum
		g := segment{Span: x, base: x.Low, roof: x.High, scale: scale}
		g.rows = [2]int{int(math.Round((at - h) * scale)), int(math.Round(at * scale))}
		if i == n-1 {
			g.rows[0] = 0
		}
		g.rows[0] = min(g.rows[0], g.rows[1])
		g.top, g.bottom = float64(g.rows[0])/scale, float64(g.rows[1])/scale
		g.perAddr = float64(g.rows[1]-g.rows[0]) / float64(max(x.Size(), 1))
		a.segments = append(a.segments, g)
		at -= h + gap
	}
	return a
}

func weight(x heap.Span) float64 { return math.Sqrt(float64(x.Size()) * float64(max(x.Blocks, 1))) }

// y is the height of address p above the top of the plot, in units downward.
func (a *axis) y(p traceio.Addr) float64 {
	for i := range a.segments {
		g := &a.segments[i]
		if p < g.Low { // in the gap below
			return g.bottom
		}
		if p <= g.High {
			return g.y(p)
		}
	}
	return 0
}

func (g *segment) y(p traceio.Addr) float64 {
	return g.bottom - (float64(int64(p-g.base))*g.perAddr-g.under)/g.scale
}

// addr is the address at height y, which may lie outside of the plot.
func (a *axis) addr(y float64) traceio.Addr {
	n := len(a.segments)
	if n == 0 {
		return 0
	}
	for i := range a.segments {
		g := &a.segments[i]
		if y > g.bottom && i > 0 {
			return g.Low
		}
		if y >= g.top || i == n-1 {
			at := ((g.bottom-y)*g.scale + g.under) / max(g.perAddr, 1e-18)
			if at < 0 && -at > float64(g.base) {
				return 0
			}
			if at < 0 {
				return g.base - traceio.Addr(-at)
			}
			return g.base + traceio.Addr(min(at, 1<<62))
		}
	}
	return a.segments[n-1].High
}

// x is the position of time t in units from the left of the drawing.
func (l *layout) x(t float64) float64 {
	return l.plot.Min.X + (t*l.perTime-l.left)/l.axis.scale
}

// time is the position on the heap's axis at x.
func (l *layout) time(x float64) float64 {
	return ((x-l.plot.Min.X)*l.axis.scale + l.left) / l.perTime
}
