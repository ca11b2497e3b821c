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

	into    *scene.Curves // where the last arc went
	index   int           // its time index
	turn, r float64       // and its angle and radius

	chain chain
	bend  float64 // turns up to which an arc anywhere on the picture is one chord

	inks []ink // by row of what colours show, the first for none: the last arc's
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
}

// still is how far, in units, the curve may go before a window is drawn.
const still = 0.25

// color is that of the arc to time index i, the last one's of its row where nothing is different.
func (b *builder) color(i, layer int) color.NRGBA {
	p := b.p
	if p.s.Mode == ByAngle {
		return p.color(i, layer)
	}
	key := inkKey{layer: layer, member: p.member[i], row: -1}
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

// sag is how far a chord may lie from its arc: a tenth of a pixel does not show.
const sag = 0.1

// arc adds the step from time index i-1 to i. Radius and angle go evenly from one to the other, so that a step is a
// piece of a spiral; angles are unwrapped, so this is the shorter way round. Where turns are left out, a part of it may be
// drawn, or none.
func (b *builder) arc(c *scene.Curves, i, layer int) {
	p := b.p
	if p.place != nil {
		if m := p.stride(i); m > 1 && !picked(i, m) {
			b.into = nil
			return
		}
		b.way(c, i, layer, 1, func(f float64) scene.Point { return p.mid(i, f) })
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
		b.spliced(c, i, layer)
		return
	}
	t0, t1 := p.turn[i-1], p.turn[i]
	if b.into == c && b.index == i-1 && i+1 < len(p.turn) && (math.Abs(t1-b.turn)*2*math.Pi*r1+r1-b.r) < still && b.color(i, layer) == b.chain.ink {
		b.index = i // the next one goes on from here
		return
	}
	if m := p.stride(i); m > 1 {
		b.thinned(c, i, layer, m, t0, r0, t1, r1)
		return
	}
	b.piece(c, i, layer, t0, r0, t1, r1)
}

// thinned adds what falls into the turns that are drawn, one of each m.
func (b *builder) thinned(c *scene.Curves, i, layer int, m, t0, r0, t1, r1 float64) {
	low, high := min(t0, t1), max(t0, t1)
	first, last := math.Floor(low/m), math.Floor(high/m)
	for k := range int(min(last-first, 1e6)) + 1 {
		g := first + float64(k)
		if t1 < t0 {
			g = last - float64(k)
		}
		start := shown(g, m)
		from, to := max(low, start), min(high, start+1)
		if from >= to {
			continue
		}
		if t1 < t0 {
			from, to = to, from
		}
		if from != t0 {
			b.into = nil
		}
		at := func(u float64) float64 { return r0 + (r1-r0)*(u-t0)/(t1-t0) }
		b.piece(c, i, layer, from, at(from), to, at(to))
		if to != t1 {
			b.into = nil
		}
	}
	if b.index != i {
		b.into = nil
	}
}

// piece adds a part of the step that ends at time index i.
func (b *builder) piece(c *scene.Curves, i, layer int, t0, r0, t1, r1 float64) {
	p := b.p
	if b.turn, b.r = t1, r1; b.into == c && b.index == i-1 && math.Abs(t1-t0) <= b.bend { // most arcs of a long recording
		next := p.at(t1, r1)
		if b.index = i; b.outside(b.chain.end, next) {
			b.into = nil
			return
		}
		b.chain.add(next, b.color(i, layer))
		return
	}
	b.way(c, i, layer, b.chords(t1-t0, r1), func(f float64) scene.Point { return p.at(t0+(t1-t0)*f, r0+(r1-r0)*f) })
}

// way adds n chords of a path that at gives from 0 to 1, a part of the step that ends at time index i.
func (b *builder) way(c *scene.Curves, i, layer, n int, at func(f float64) scene.Point) {
	open := b.into == c && b.index == i-1
	ink := b.color(i, layer)
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
			b.chain.add(next, ink)
			open = true
		}
		before = next
	}
	b.into, b.index = nil, i
	if open {
		b.into = c
	}
}

// chords is into how many straight pieces an arc is cut: an arc of angle a has the sagitta r a^2 / 8.
func (b *builder) chords(turns, r float64) int {
	a := math.Abs(turns) * 2 * math.Pi
	return max(1, int(math.Ceil(min(4096, a*math.Sqrt(max(r, 1)/(8*sag))))))
}

// outside tells whether a piece lies wholly beyond one edge of the pane.
func (b *builder) outside(p, q scene.Point) bool {
	const room = 4
	return max(p.X, q.X) < -room || max(p.Y, q.Y) < -room || min(p.X, q.X) > b.w+room || min(p.Y, q.Y) > b.h+room
}
