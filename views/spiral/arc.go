package spiral

import (
	"image/color"
	"math"

	"orrery/views/link"
	"orrery/views/scene"
)

// builder appends the curve, arc by arc, to one Curves for each layer. What cannot be seen is not made: arcs outside
// the pane, and steps so short that several fall on one pixel.
type builder struct {
	p         *plot
	w, h      float64
	near, far float64 // distances from the centre that the pane shows

	into  *scene.Curves // where the last arc went
	index int           // its time index
	clear gap           // nothing is drawn there

	bend float64 // the share of a turn that one chord may take anywhere on the picture

	chain  chain  // of what has places, or loops
	course course // of what goes around the centre

	ink   color.NRGBA // of the next arc
	round bool        // all arcs go round the centre, as parts of one curve
	inks  []ink       // by row of what colours show, the first for none: the last arc's
}

// ink is a colour and what it is of.
type ink struct {
	of    inkKey
	color color.NRGBA
}

// inkKey is what the colour of most arcs depends on.
type inkKey struct {
	layer, row int
	member     float32
	stride     int32
	lead       bool
}

// newBuilder makes one for a plot.
func newBuilder(p *plot) *builder {
	b := &builder{p: p, w: p.l.w, h: p.l.h}
	b.near, b.far = p.l.reach()
	b.bend, b.course.b = bendAt(p.r[len(p.r)-1]), b
	b.round = p.place == nil && p.every == nil && len(p.loops) == 0 && b.near <= 0 && b.far >= p.l.r1
	return b
}

// alike tells by time index which windows are drawn as the one before is, in the same layer and colour.
func (p *plot) alike() func(i int) bool {
	s := p.s
	var rows []int32
	switch s.Mode {
	case ByLine:
		rows = s.Line
	case ByKey:
		rows = s.Key
	case ByAngle:
		return func(int) bool { return false }
	}
	if !p.plain || p.under() || s.Hover.What == link.Line || s.Mode != Single && len(rows) != len(p.turn) {
		return func(int) bool { return false }
	}
	member, every := p.member, p.every
	return func(i int) bool {
		return i > 1 && i != p.first+1 && member[i] == member[i-1] && (rows == nil || rows[i] == rows[i-1]) &&
			(every == nil || every[i] == every[i-1])
	}
}

// color is that of the arc to time index i, the last one's of its row where nothing is different.
func (b *builder) color(i, layer int) color.NRGBA {
	p := b.p
	if p.s.Mode == ByAngle || p.under() {
		return p.color(i, layer)
	}
	key := inkKey{layer: layer, member: p.member[i], row: -1, lead: p.lead(i)}
	if p.s.Mode == ByLine {
		key.row = p.lineOf(i)
	} else if p.s.Mode == ByKey {
		key.row = p.keyOf(i)
		if p.s.Hover.What == link.Line { // which dims by line
			return p.color(i, layer)
		}
	}
	if p.every != nil {
		key.stride = p.every[i]
	}
	if b.inks == nil {
		b.inks = make([]ink, max(len(p.s.Lines), len(p.s.Keys))+1)
	}
	slot := &b.inks[key.row+1]
	if key != slot.of || slot.color.A == 0 {
		*slot = ink{key, p.color(i, layer)}
	}
	return slot.color
}

// arc adds the step from time index i-1 to i. Radius and angle go evenly from one to the other, so that a step is a
// piece of a spiral; angles are unwrapped, so this is the shorter way round. Where turns are left out, a part of it may
// be drawn, or none.
func (b *builder) arc(c *scene.Curves, i int) {
	p := b.p
	// nearly all of a long recording
	if b.round && b.into == c && b.index == i-1 && math.Abs(p.turn[i]-p.turn[i-1]) <= b.bend {
		b.course.add(spot{p.turn[i], p.r[i]}, b.ink)
		b.index = i
		return
	}
	if p.place != nil {
		if m := p.stride(i); m > 1 && !picked(i, m) {
			b.into = nil
			return
		}
		b.way(c, i, 1, func(f float64) scene.Point { return p.mid(i, f) })
		return
	}
	r0, r1 := p.r[i-1], p.r[i]
	height := 0.0 // of the loops
	for k := range p.loops {
		height += 3 * p.loops[k].rho
	}
	if r1+height < b.near || r0-height > b.far {
		b.into = nil
		return
	}
	if len(p.loops) > 0 {
		b.spliced(c, i)
		return
	}
	from, to := spot{p.turn[i-1], r0}, spot{p.turn[i], r1}
	if m := p.stride(i); m > 1 {
		b.thinned(c, i, m, from, to)
		return
	}
	b.piece(c, i, from, to)
}

// thinned adds what falls into the turns that are drawn, one of each m.
func (b *builder) thinned(c *scene.Curves, i int, m float64, from, to spot) {
	low, high := min(from.turn, to.turn), max(from.turn, to.turn)
	if m == b.clear.stride && low >= b.clear.low && high <= b.clear.high {
		b.into = nil
		return
	}
	first, last := math.Floor(low/m), math.Floor(high/m)
	back := to.turn < from.turn
	for k := range int(min(last-first, 1e6)) + 1 {
		g := first + float64(k)
		if back {
			g = last - float64(k)
		}
		start := shown(g, m)
		t0, t1 := max(low, start), min(high, start+1)
		if t0 >= t1 {
			continue
		}
		if back {
			t0, t1 = t1, t0
		}
		if t0 != from.turn {
			b.into = nil
		}
		at := func(turn float64) spot {
			return spot{turn, from.r + (to.r-from.r)*(turn-from.turn)/(to.turn-from.turn)}
		}
		b.piece(c, i, at(t0), at(t1))
		if t1 != to.turn {
			b.into = nil
		}
	}
	if b.index != i { // nothing is drawn until the turn of this group, or of the next
		b.into = nil
		if start := shown(last, m); last == first && high <= start {
			b.clear = gap{m, last * m, start}
		} else if last == first {
			b.clear = gap{m, start + 1, last*m + m}
		}
	}
}

// gap are angles between turns that are drawn where only one of so many is.
type gap struct{ stride, low, high float64 }

// piece adds a part of the step that ends at time index i.
func (b *builder) piece(c *scene.Curves, i int, from, to spot) {
	if b.into != c || b.index != i-1 {
		b.course.start(c, from)
	}
	if n := b.chords(to.turn-from.turn, to.r); n > 1 {
		for k := 1; k < n; k++ {
			b.course.add(from.mix(to, float64(k)/float64(n)), b.ink)
		}
	}
	b.course.add(to, b.ink)
	b.into, b.index = c, i
}

// way adds n chords of a path that at gives from 0 to 1, a part of the step that ends at time index i.
func (b *builder) way(c *scene.Curves, i, n int, at func(f float64) scene.Point) {
	open := b.into == c && b.index == i-1
	var before scene.Point
	if open {
		before = b.chain.end // the same point, but for rounding
	} else {
		before = at(0)
	}
	for k := 1; k <= n; k++ {
		next := at(float64(k) / float64(n))
		if b.outside(before, next) {
			open = false
		} else {
			if !open {
				b.chain.start(c, before)
			}
			b.chain.add(next, b.ink)
			open = true
		}
		before = next
	}
	b.into, b.index = nil, i
	if open {
		b.into = c
	}
}

// chords is into how many straight pieces an arc is cut.
func (b *builder) chords(turns, r float64) int {
	if turns = math.Abs(turns); turns <= b.bend { // nearly all arcs of a long recording
		return 1
	}
	return max(1, int(math.Ceil(min(4096, turns/bendAt(r)))))
}

// outside reports whether a piece lies wholly beyond one edge of the pane.
func (b *builder) outside(p, q scene.Point) bool {
	const room = 4
	return max(p.X, q.X) < -room || max(p.Y, q.Y) < -room || min(p.X, q.X) > b.w+room || min(p.Y, q.Y) > b.h+room
}
