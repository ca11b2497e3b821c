package rings

import (
	"image/color"
	"math"

	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/scene"
)

// path is the way of a block's bright glyph during the step, by the share 0..1 of the step: straight inward on a miss,
// a circular sweep outward on an eviction, straight to the head of its set on a hit, along the arm when others pass it.
func (f *frame) path(b *special, a traceio.Addr, item, was, is int) func(float64) scene.Point {
	memory := len(f.levels)
	if was == is {
		return f.within(b, a, item, is)
	}
	rank := func(ranks *[MaxLevels]int32, level int) float64 {
		if level == memory {
			return 0
		}
		return float64(ranks[level])
	}
	from := f.spot(a, item, was, rank(&b.before, was))
	to := f.spot(a, item, is, rank(&b.after, is))
	if is < was {
		return straight(from, to)
	}
	return f.sweep(from, to)
}

// within is the way of a copy that stays in its level; one that comes or goes stands still while it fades.
func (f *frame) within(b *special, a traceio.Addr, item, level int) func(float64) scene.Point {
	if level >= len(f.levels) {
		home := f.l.mem.at(item)
		return func(float64) scene.Point { return home }
	}
	before, after := b.before[level], b.after[level]
	if before < 0 {
		before = after
	}
	if after < 0 {
		after = before
	}
	from, to := float64(before), float64(after)
	if after < before {
		return straight(f.spot(a, item, level, from), f.spot(a, item, level, to))
	}
	return func(t float64) scene.Point { return f.spot(a, item, level, from+(to-from)*t) }
}

func straight(from, to scene.Point) func(float64) scene.Point {
	return func(t float64) scene.Point {
		return scene.Point{X: from.X + (to.X-from.X)*t, Y: from.Y + (to.Y-from.Y)*t}
	}
}

// sweep goes out to the larger radius first and round on it, the short way round but never straight: where the end lies
// nearly on the same ray the way is bowed.
func (f *frame) sweep(from, to scene.Point) func(float64) scene.Point {
	c := f.l.c
	r0, a0 := polar(c, from)
	r1, a1 := polar(c, to)
	turn := math.Remainder(a1-a0, 2*math.Pi)
	away := math.Hypot(to.X-from.X, to.Y-from.Y)
	bow := math.Copysign(0.4*away/max(1, r0+r1)*math.Exp(-math.Abs(turn)), turn)
	return func(t float64) scene.Point {
		switch t {
		case 0:
			return from
		case 1:
			return to
		}
		r := r0 + (r1-r0)*math.Sin(math.Pi/2*t)
		sin, cos := math.Sincos(a0 + turn*t*t*(2-t) + bow*math.Sin(math.Pi*t))
		return scene.Point{X: c.X + r*cos, Y: c.Y + r*sin}
	}
}

func polar(c, p scene.Point) (r, angle float64) {
	return math.Hypot(p.X-c.X, p.Y-c.Y), math.Atan2(p.Y-c.Y, p.X-c.X)
}

// bundles is the number of references up to which every glyph of a line leaves its own pathline; longer tails draw one
// for the line, or the picture would be nothing but lines.
const bundles = 32

// strands is how many pathlines a line leaves at most; a bundle of four is seen as one.
const strands = 4

// trail adds the pathlines of a block that changed its level or went to the head of its set.
func (f *frame) trail(b *special, was, is int, current bool, age float64, asked bool) {
	horizon := f.horizon()
	if horizon == 0 {
		return
	}
	// Age counts from the end of the move and from the oldest of the references that one frame of a time-lapse skips.
	age = max(0, age-f.speed())
	if age >= horizon {
		return
	}
	fade := math.Pow(1-age/horizon, 2)
	end := 1.0
	if current {
		end = f.moved
	}
	if f.lone(b.addr) {
		if f.shown(-1) {
			f.line(f.path(b, b.addr, -1, was, is), f.trailColor(-1, was, is, asked), was-is, end, fade)
		}
		return
	}
	shown := 0
	f.glyphsOf(b.addr, f.l.base, func(a traceio.Addr) {
		if i := f.find(a); i >= 0 && f.shown(i) {
			shown++
		}
	})
	every := max(1, (shown+f.strands(min(was, is))-1)/f.strands(min(was, is)))
	if horizon > bundles {
		every = max(1, shown)
	}
	k := 0
	f.glyphsOf(b.addr, f.l.base, func(a traceio.Addr) {
		item := f.find(a)
		if item < 0 || !f.shown(item) {
			return
		}
		if k%every == 0 {
			f.line(f.path(b, a, item, was, is), f.trailColor(item, was, is, asked), was-is, end, fade)
		}
		k++
	})
}

// strands is how many pathlines a line leaves that comes to or from a level: no more than it has dots there.
func (f *frame) strands(level int) int {
	if level >= len(f.l.rings) {
		return strands
	}
	return min(strands, f.l.rings[level].dots())
}

// trailColor is red for a miss, the glyph's own colour for other moves; evictions are quieter.
func (f *frame) trailColor(item, was, is int, asked bool) color.NRGBA {
	switch {
	case is < was && asked:
		return palette.Alpha(f.s.Theme.Miss, 0.85)
	case is > was:
		return palette.Alpha(f.tint(item), 0.55)
	}
	return palette.Alpha(f.tint(item), 0.75)
}

// straightShares are where a straight pathline has points, for its fading only. The first and the last piece are short
// because the rasteriser takes longer for ends.
var straightShares = []float64{0, 0.004, 0.2, 0.4, 0.6, 0.8, 0.996, 1}

// sweepShares are the same for a sweep, as many as its bend needs to look round.
func sweepShares(way func(float64) scene.Point) []float64 {
	length, last := 0.0, way(0)
	for i := 1; i <= 6; i++ {
		p := way(float64(i) / 6)
		length += math.Hypot(p.X-last.X, p.Y-last.Y)
		last = p
	}
	n := int(min(64, max(8, length/16)))
	shares := append(make([]float64, 0, n+3), 0, 0.004)
	for i := 1; i < n; i++ {
		shares = append(shares, float64(i)/float64(n))
	}
	return append(shares, 0.996, 1)
}

// line adds one pathline up to the share end of its way, fainter at its beginning.
func (f *frame) line(way func(float64) scene.Point, c color.NRGBA, inward int, end, fade float64) {
	if fade*float64(c.A) < 5 || end == 0 {
		return
	}
	shares := straightShares
	if inward < 0 {
		shares = sweepShares(way)
	}
	t := &f.trails
	t.Starts = append(t.Starts, len(t.Points))
	for _, share := range shares {
		share *= end
		t.Points = append(t.Points, way(share))
		t.Colors = append(t.Colors, palette.Alpha(c, fade*(0.3+0.7*share)))
	}
}
