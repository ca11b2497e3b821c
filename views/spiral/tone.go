package spiral

import (
	"image"
	"image/color"
	"math"
	"slices"

	"orrery/views/link"
	"orrery/views/scene"
)

// tone draws a curve whose turns lie closer than pixels: what shows there is not turns but how many of them, and in
// what colours, pass a place. Passes are counted in rings cut into cells (see disc), exactly and with as much work as
// there are windows and pixels, however many turns there are.
//
// Lines of opacity a that lie on each other let (1-a)^k of the light through where k pass, so a pass has the depth
// -ln(1-a), depths add up, and the colour is that of the passes, by their depth. (Laid one over the other the later
// pass counts more; but it passes farther out, so that within a pixel nobody can tell.)
//
// Each interval of angles that a ring's windows pass raises the sum of the cells where it begins and lowers it where it
// ends. A line is wider than a ring: a ring's sum is that of the rings around it as well.
type tone struct {
	p      *plot
	scale  float64
	disc   disc
	center scene.Point // in device pixels
	box    image.Rectangle
	near   int // rings that the pane shows
	far    int

	span    int          // rings that a line is wide
	few     bool         // turns pass each ring
	unit    float64      // a depth of 1, as it is counted
	ring    int          // the ring that is being filled, -1 before the first
	cells   int          // in that ring
	depth   [256]float64 // of a line by its opacity
	sum     []packed     // differences from each cell to the next of the last span rings
	rings   []passed     // what each of these contributed, the ring now last
	next    passed       // what the ring after it will have
	low     int          // the rings that have cells in pixels, from low
	high    int          // to high
	pixels  []uint32     // by cell, from the first of low's pack on
	shade   *[depths]shade
	used    bool
	run     interval // what is not counted yet
	running bool
}

// packed are four sums in two words: red and green, blue and depth. Sums are never negative, so that parts which are do
// no harm.
type packed struct{ rg, bd uint64 }

// spot is where the curve is: angle and distance from the centre, in device pixels.
type spot struct{ turn, r float64 }

// interval is a piece of the curve of one colour within one ring.
type interval struct {
	from, to spot
	ring     int
	up       bool // angles grow
	ink      color.NRGBA
	width    float64 // of the line
}

// passed is what passes a ring: whole turns, and where the rest begins and ends.
type passed struct {
	whole packed
	ends  []end
}

// end is where an interval begins or ends: what it adds to a cell's difference and to the next one's.
type end struct {
	cell         int32
	here, beyond packed
}

// shade is how a depth shows.
type shade struct {
	opacity uint32  // 0..255
	factor  float32 // what a sum of colours weighted by counted depth is to be multiplied with
}

const (
	depths  = 4096
	few     = 16
	deepest = 8.0 // a depth of 8 lets a third of a thousandth through
)

// tonal reports whether a picture is within what rings of cells can show.
func (p *plot) tonal() bool { return 2*math.Pi/1.3*(p.l.r1*p.l.scale+4) < mostCells }

// newTone makes a tone for the windows of the plot. Its picture is made by image.
func newTone(p *plot) *tone {
	s := p.l.scale
	t := &tone{p: p, scale: s, ring: -1, center: scene.Point{X: p.l.c.X * s, Y: p.l.c.Y * s}}
	t.span = max(1, int(p.width()*s+0.5))
	t.disc = newDisc(int(p.l.r1*s) + 2 + t.span)
	t.box = box(t.center.X, t.center.Y, float64(t.disc.rings), math.Round(p.l.w*s), math.Round(p.l.h*s))
	near, far := p.l.reach()
	t.near, t.far = int(max(0, near*s))-t.span, int(far*s)+t.span
	t.low, t.high = t.reached()
	t.cells = 1
	t.sum = make([]packed, cellsOf(t.disc.rings)+1)
	t.rings = make([]passed, t.span)
	for a := range t.depth {
		t.depth[a] = depthOf(uint8(a))
	}
	passes := t.passes()
	t.few = passes < few
	t.unit = min(4096,
		math.MaxUint32/255/((passes*float64(t.span)+1)*depthOf(uint8(255*min(1, max(p.alpha, 0.26))))*p.width()*s))
	t.shade = shades(t.unit)
	return t
}

// reached are the rings that may have something: from where the first window lies that is counted to the last, a line's
// width more.
func (t *tone) reached() (low, high int) {
	p := t.p
	low, high = t.disc.rings, 0
	for i := 1; i < len(p.turn); i++ {
		if p.dense[i] > 1 {
			low = min(low, int(p.r[i-1]*t.scale))
			break
		}
	}
	for i := len(p.turn) - 1; i > 0; i-- {
		if p.dense[i] > 1 {
			high = int(p.r[i]*t.scale) + 1
			break
		}
	}
	low, high = max(low-t.span-1, t.near-1, 0), min(high+t.span+2, t.far+2, t.disc.rings-1)
	return low, max(low, high)
}

// passes is how often the curve passes the ring that it passes most often.
func (t *tone) passes() float64 {
	p, sum, most, ring := t.p, 0.0, 0.0, -1
	for i := 1; i < len(p.turn); i++ {
		if p.dense[i] > 1 {
			if now := int((p.r[i-1] + p.r[i]) / 2 * t.scale); now != ring {
				most, sum, ring = max(most, sum), 0, now
			}
			sum += math.Abs(p.turn[i] - p.turn[i-1])
		}
	}
	return max(most, sum)
}

// depthOf is the depth of ink with an opacity, which is finite here.
func depthOf(a uint8) float64 { return -math.Log(1 - min(254, float64(a))/255) }

func shades(unit float64) *[depths]shade {
	out := new([depths]shade)
	for i := range out {
		depth := (float64(i) + 0.5) * deepest / depths
		a := 255 * (1 - math.Exp(-depth))
		out[i] = shade{opacity: uint32(a + 0.5), factor: float32(a / (depth * unit * 255))}
	}
	return out
}

// step takes the step to time index i, drawn as a line of a width.
func (t *tone) step(i int, ink color.NRGBA, width float64) {
	p := t.p
	a := spot{p.turn[i-1], p.r[i-1] * t.scale}
	b := spot{p.turn[i], p.r[i] * t.scale}
	if b.r-a.r <= 1 {
		t.piece(a, b, ink, width)
		return
	}
	n := math.Ceil(b.r - a.r)
	for k := range int(n) { // as it passes one ring after the other
		t.piece(a.mix(b, float64(k)/n), a.mix(b, float64(k+1)/n), ink, width)
	}
}

func (a spot) mix(b spot, f float64) spot {
	return spot{a.turn + f*(b.turn-a.turn), a.r + f*(b.r-a.r)}
}

// piece takes a step that is not longer than a ring is wide.
func (t *tone) piece(from, to spot, ink color.NRGBA, width float64) {
	ring, up := int((from.r+to.r)/2), to.turn > from.turn
	if ring < t.near || ring > t.far || from.turn == to.turn {
		return
	}
	v := &t.run
	if t.running {
		if v.ink == ink && v.ring == ring && v.to == from && v.up == up && v.width == width && t.joins(to) {
			v.to = to
			return
		}
		t.close()
	}
	v.from, v.to, v.ring, v.up, v.ink, v.width, t.running = from, to, ring, up, ink, width, true
}

// joins reports whether the last interval may go on to a place: so far that it still has one distance from the centre.
func (t *tone) joins(to spot) bool { return !t.few || math.Abs(to.turn-t.run.from.turn) < 0.125 }

// close counts the last interval. Where few turns pass a ring, it belongs to two rings by how far it is from either's
// middle: else there would be a turn more or less in this ring and that, which shows.
func (t *tone) close() {
	if !t.running {
		return
	}
	t.running = false
	v := &t.run
	x := (v.from.r+v.to.r)/2 - 0.5*float64(t.span%2)
	depth := t.depth[v.ink.A] * v.width * t.scale / float64(t.span) * t.unit
	if !t.few {
		t.advance(int(math.Round(x)))
		t.count(v, depth, false)
		return
	}
	ring := math.Floor(x)
	t.advance(int(ring))
	t.count(v, depth*(ring+1-x), false)
	t.count(v, depth*(x-ring), true)
}

// count adds an interval to the ring that is being filled, or to the next one.
func (t *tone) count(v *interval, depth float64, next bool) {
	low, high := min(v.from.turn, v.to.turn), max(v.from.turn, v.to.turn)
	ink := packed{uint64(v.ink.R)<<32 | uint64(v.ink.G), uint64(v.ink.B)<<32 | 1}
	whole := math.Floor(high - low)
	from, to := low-math.Floor(low), high-whole
	to -= math.Floor(to)
	if to < from { // across the beginning of a turn
		whole++
	}
	ring := &t.rings[t.span-1]
	if next {
		ring = &t.next
	}
	if v.up {
		t.end(&ring.ends, from, depth, 1, ink)
		t.end(&ring.ends, to, depth, -1, ink)
	} else {
		t.end(&ring.ends, to, depth, -1, ink)
		t.end(&ring.ends, from, depth, 1, ink)
	}
	if whole > 0 {
		ring.whole.add(ink, int64(whole*depth+0.5))
	}
}

// end makes the cells from an angle on deeper, or less deep; the cell in which it lies by the share that lies beyond.
// One piece often begins where the last one ends.
func (t *tone) end(list *[]end, turn, depth float64, sign int64, ink packed) {
	at := turn * float64(t.cells)
	cell := min(int(at), t.cells-1)
	beyond := int64(depth*(at-float64(cell)) + 0.5)
	here := int64(depth+0.5) - beyond
	if n := len(*list); n > 0 && (*list)[n-1].cell == int32(cell) {
		last := &(*list)[n-1]
		last.here.add(ink, sign*here)
		last.beyond.add(ink, sign*beyond)
		return
	}
	up, down := uint64(sign*here), uint64(sign*beyond)
	*list = append(*list, end{int32(cell), packed{ink.rg * up, ink.bd * up}, packed{ink.rg * down, ink.bd * down}})
}

// put adds what passes a ring to the sums, or takes it away.
func (t *tone) put(ring *passed, sign int64) {
	t.sum[0].add(ring.whole, sign)
	for i := range ring.ends {
		e := &ring.ends[i]
		t.sum[e.cell].add(e.here, sign)
		t.sum[e.cell+1].add(e.beyond, sign)
	}
}

func (s *packed) add(p packed, times int64) {
	s.rg += p.rg * uint64(times)
	s.bd += p.bd * uint64(times)
}

// advance completes rings until one can be filled.
func (t *tone) advance(ring int) {
	if !t.used {
		t.used = true
		t.pixels = make([]uint32, t.disc.beyond(t.high)-t.disc.before(t.low))
	}
	for t.ring < ring && t.pending() {
		t.forward()
	}
	if t.ring < ring {
		t.ring = ring
		t.refine()
	}
}

// forward completes a ring and goes on to the next.
func (t *tone) forward() {
	t.put(&t.rings[t.span-1], 1)
	t.complete()
	t.ring++
	t.refine()
	t.rings[t.span-1], t.next = t.next, t.rings[t.span-1]
}

// pending reports whether any of the last rings, or the next, has something.
func (t *tone) pending() bool {
	return t.next.any() || slices.ContainsFunc(t.rings, passed.any)
}

func (r passed) any() bool { return len(r.ends) > 0 || r.whole != packed{} }

// complete writes the pixels of the ring in the middle of the last ones, and forgets the first of these.
func (t *tone) complete() {
	if middle := t.ring - t.span/2; middle >= t.low && middle <= t.high {
		t.write(t.pixels[t.disc.start[middle]-t.disc.before(t.low):], cellsOf(middle))
	}
	first := t.rings[0]
	t.put(&first, -1)
	copy(t.rings, t.rings[1:])
	t.rings[t.span-1] = passed{ends: first.ends[:0]}
}

// write makes a ring's pixels, so many, pack apart, of the sums, which have as many cells or, where the ring is the
// last of its size, twice as many.
func (t *tone) write(out []uint32, cells int) {
	var now packed
	pixel := uint32(0)
	if by := t.cells / cells; by > 1 {
		for k := range cells {
			for _, d := range t.sum[k*by : (k+1)*by] {
				now.rg, now.bd = now.rg+d.rg, now.bd+d.bd
			}
			out[k*pack] = t.pixel(now)
		}
		return
	}
	at := 0
	for _, d := range t.sum[:cells] {
		if d.rg|d.bd != 0 {
			now.rg, now.bd = now.rg+d.rg, now.bd+d.bd
			pixel = t.pixel(now)
		}
		out[at] = pixel
		at += pack
	}
}

// refine cuts the rings that are being summed into as many cells as the one that is being filled.
func (t *tone) refine() {
	n := cellsOf(max(0, min(t.ring, t.disc.rings-1)))
	if n == t.cells {
		return
	}
	by := int32(n / t.cells)
	t.cells = n
	clear(t.sum)
	for _, ring := range append(t.rings, t.next) {
		for k := range ring.ends {
			ring.ends[k].cell *= by
		}
	}
	for k := range t.rings[:t.span-1] { // the last is not in the sums yet
		t.put(&t.rings[k], 1)
	}
}

// pixel is how a sum shows, premultiplied.
func (t *tone) pixel(s packed) uint32 {
	depth := float32(uint32(s.bd))
	sh := t.shade[depths-1]
	if at := depth * float32(depths/deepest/t.unit); at < depths {
		sh = t.shade[int(at)]
	} else { // nothing shines through any more
		sh.factor = 1 / depth
	}
	mix := func(v uint64) uint32 { return min(sh.opacity, uint32(float32(uint32(v))*sh.factor+0.5)) }
	return mix(s.rg>>32) | mix(s.rg)<<8 | mix(s.bd>>32)<<16 | sh.opacity<<24
}

// tones are by layer where what lies too close for lines is counted: in one place, but that what is selected, or not
// hidden, lies on the rest. Nil when there is nothing to count.
func (p *plot) tones() []*tone {
	if p.dense == nil {
		return nil
	}
	below := newTone(p)
	above := below
	if p.sorted() {
		above = newTone(p)
	}
	return []*tone{quiet: below, faded: below, bright: above}
}

// sorted reports whether some windows are to lie on others.
func (p *plot) sorted() bool {
	switch s := p.s; s.Selected.What {
	case link.Line, link.Function, link.Time:
		return true
	default:
		return len(s.Lit) == len(s.Seq) || slices.ContainsFunc(s.Lines, func(l Line) bool { return l.Hidden }) ||
			slices.ContainsFunc(s.Keys, func(k Key) bool { return k.Hidden })
	}
}

// image is what was counted; false when it is nothing.
func (t *tone) image() (scene.Mosaic, bool) {
	t.close()
	if !t.used || t.box.Empty() {
		return scene.Mosaic{}, false
	}
	for t.pending() {
		t.forward()
	}
	w, h, s := t.box.Dx(), t.box.Dy(), t.scale
	return scene.Mosaic{
		At:    scene.R(float64(t.box.Min.X)/s, float64(t.box.Min.Y)/s, float64(w)/s, float64(h)/s),
		Width: w, First: t.disc.before(t.low), Colors: t.pixels, Name: "turns closer than pixels",
		Field: t.disc.cellsIn(view{rings: t.disc.rings, x: t.center.X - float64(t.box.Min.X),
			y: t.center.Y - float64(t.box.Min.Y), width: w, height: h}),
	}, true
}
