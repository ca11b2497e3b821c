package rings

import (
	"math"
	"math/bits"

	"orrery/traceio"
	"orrery/views/scene"
)

// layout is where everything lies in a picture of one size. It depends on the shape of the hierarchy and on the items,
// not on what the caches hold.
type layout struct {
	size  scene.Size
	zoom  float64
	c     scene.Point
	dot   float64 // radius of a glyph where there is room for it, the same at every level
	core  float64 // radius of the CPU
	grain uint64  // bytes that one glyph in a cache stands for
	base  uint64  // the smallest block
	bits  uint    // log2 of it
	broad uint64  // the largest block
	rings []ring
	mem   memory
}

// ring is the annulus of one level with its arms. Position p on an arm counts in ranks, 0 at the inner end and ways at
// the outer one. Arms are Archimedean, theta = turn + sweep*(r - r0), and r*r grows linearly with p, so that positions
// are evenly spaced along an arm and arms evenly spaced beside each other.
type ring struct {
	r0, r1  float64 // boundaries
	a0, a1  float64 // the part of it that glyphs stand in, squared
	inner   float64 // sqrt(a0)
	c       scene.Point
	sets    int
	ways    int
	per     int     // glyphs in a line
	turn    float64 // angle of set 0
	sweep   float64 // radians per unit of radius
	dot     float64 // radius of a glyph here
	merge   int     // when there is no room for a dot for each line: dots along an arm that become one
	strand  int     // and arms that become one
	pitch   float64 // distance between neighbours
	fold    int     // glyphs of a line that share a dot because there is no room for each, a power of two
	folds   uint    // log2 of it
	stagger int     // arms side by side whose ranks are shifted against each other
}

const (
	topRoom  = 24.0 // for the caption
	cacheEnd = 0.71 // outer boundary of the slowest cache, as a share of the memory ring's radius
	memEnd   = 0.80 // how far inward rows of memory may reach
	// fineDot is the smallest radius that is still a dot; below it neighbours are merged into one whose tone is their
	// mean.
	fineDot = 0.85
	// lineDot is the radius below which a line is drawn as one dot rather than item by item.
	lineDot = 1.25
	// sparse is how many times what the recording can fill a level holds for its dots to be no smaller than sparseDot.
	sparse    = 8
	sparseDot = 1.9
	// memPitch is the distance of dots in memory below which neighbours share one.
	memPitch = 2.9
)

func newLayout(s *State, size scene.Size) *layout {
	l := &layout{size: size, zoom: max(1, s.Zoom)}
	l.c = Middle(size, s.Tools)
	l.c.X, l.c.Y = l.c.X+s.Pan.X, l.c.Y+s.Pan.Y
	outer := l.zoom * extent(size)
	l.dot = min(6.5, max(1.6, outer/66))
	l.core = max(2.5, l.dot)
	l.grain, l.base, l.broad = grain(s)
	l.bits = uint(bits.TrailingZeros64(l.base))
	l.levels(s, outer*cacheEnd)
	l.mem.place(s, l, outer)
	return l
}

// block is the number of the smallest block that address a lies in.
func (l *layout) block(a traceio.Addr) uint64 { return uint64(a) >> (l.bits & 63) }

// sideRoom is for the names of regions at both sides; a narrow picture has little for them.
func sideRoom(size scene.Size) float64 { return min(64, max(14, size.W*0.15)) }

// extent is the radius of the memory ring that fits into a picture.
func extent(size scene.Size) float64 {
	return max(30, min(size.W/2-sideRoom(size), (size.H-topRoom)/2-28))
}

// Middle is where the CPU is in a picture of that size that is not shifted, with such a corner for the application's
// controls: the point that Zoom keeps in its place. A high pane's picture makes room for the controls.
func Middle(size scene.Size, tools scene.Rect) scene.Point {
	aside := 0.0
	if tools.W() > 0 { // however wide: the picture stays when a control's words change
		aside = min(40, max(0, size.W/2-sideRoom(size)-extent(size)))
	}
	return scene.Point{X: size.W/2 - aside, Y: topRoom + (size.H-topRoom)/2}
}

// grain is the number of bytes behind one glyph in a cache: an item, or a whole block where items are larger than that;
// and the smallest and the largest block.
func grain(s *State) (grain, base, broad uint64) {
	base = s.Levels[0].Block
	for i := range s.Levels {
		base, broad = min(base, s.Levels[i].Block), max(broad, s.Levels[i].Block)
	}
	grain = base
	if s.Items != nil {
		grain = min(base, s.Items.unit)
	}
	return grain, base, broad
}

// levels shares the radius out. A level's thickness grows with the eighth root of the lines that it can hold of the
// recording: in proportion it would leave the small levels, where most happens, no room at all.
func (l *layout) levels(s *State, outer float64) {
	inner := max(7, 0.11*outer)
	total := 0.0
	weight, spare := make([]float64, len(s.Levels)), make([]float64, len(s.Levels))
	for i := range s.Levels {
		v := &s.Levels[i]
		room := float64(v.Sets) * float64(v.Ways) * float64(v.Block/l.base)
		lines := room
		if s.Items != nil && len(s.Items.addr) > 0 {
			// What the recording never fills needs no room; its lines are at most so many, if half of each is used.
			lines = min(lines, max(1, 2*float64(len(s.Items.addr))*float64(s.Items.unit)/float64(l.base)))
		}
		weight[i], spare[i] = math.Pow(lines, 0.12), room/lines
		total += weight[i]
	}
	r := inner
	l.rings = make([]ring, len(s.Levels))
	for i := range s.Levels {
		next := r + (outer-inner)*weight[i]/total
		l.rings[i] = l.ring(&s.Levels[i], r, next, float64(i)*0.6)
		if spare[i] >= sparse { // few dots in a wide ring: that they are seen counts for more than that none touch
			l.rings[i].dot = max(l.rings[i].dot, min(l.dot, sparseDot))
		}
		r = next
	}
}

func (l *layout) ring(v *Level, r0, r1, turn float64) ring {
	g := ring{r0: r0, r1: r1, c: l.c, sets: v.Sets, ways: v.Ways, per: max(1, int(v.Block/l.grain)),
		turn: turn - math.Pi/2}
	inset := min(l.dot+1.5, (r1-r0)*0.14)
	g.a0, g.a1 = (r0+inset)*(r0+inset), (r1-inset)*(r1-inset)
	g.inner = math.Sqrt(g.a0)
	slots := float64(g.ways * g.per)
	room := math.Pi * (g.a1 - g.a0) / (float64(g.sets) * slots)
	for g.fold = 1; g.fold < g.per && 0.42*math.Sqrt(room*float64(g.fold)) < lineDot; {
		g.fold = min(2*g.fold, g.per)
	}
	g.folds = uint(bits.TrailingZeros(uint(g.fold)))
	n := slots / float64(g.fold)
	g.pitch = math.Sqrt(room * float64(g.fold))
	// Equal distance along an arm and between arms: sweep*(r1²-r0²)/(2n) = 2π/(sets*sweep).
	g.sweep = math.Sqrt(4 * math.Pi * n / (float64(g.sets) * (g.a1 - g.a0)))
	lateral, radial := math.Pi*(g.inner+math.Sqrt(g.a1))/float64(g.sets), (math.Sqrt(g.a1)-g.inner)/n
	g.merge, g.strand, g.stagger = 1, 1, 1
	g.dot = min(l.dot, 0.42*g.pitch) // glyphs of one line may touch, lines may not
	if g.dot < fineDot {
		cell := 2 * fineDot / 0.84
		g.merge = int(min(n, math.Ceil(cell/radial)))
		g.strand = int(min(float64(g.sets), math.Ceil(cell*cell/(radial*float64(g.merge)*lateral))))
		g.dot = fineDot * 1.1
	}
	// Many sets of few ways would stand in as many circles as there are ways, each too dense: neighbouring arms are
	// shifted against each other within one rank's room until the distances along and across are alike.
	if ratio := radial * float64(g.merge) / (lateral * float64(g.strand)); ratio > 2 {
		g.stagger = int(math.Round(math.Sqrt(ratio)))
	}
	return g
}

// at is the point at position p of a set's arm; set may lie between two arms.
func (g *ring) at(set, p float64) scene.Point {
	course := g.spiral(p)
	sin, cos := math.Sincos(g.angle(set))
	return scene.Point{X: g.c.X + cos*course.X - sin*course.Y, Y: g.c.Y + cos*course.Y + sin*course.X}
}

// angle is where a set's arm begins.
func (g *ring) angle(set float64) float64 { return g.turn + 2*math.Pi*set/float64(g.sets) }

// spiral is position p of an arm that begins at angle 0, from the centre.
func (g *ring) spiral(p float64) scene.Point {
	r := math.Sqrt(g.a0 + (g.a1-g.a0)*p/float64(g.ways))
	sin, cos := math.Sincos(g.sweep * (r - g.inner))
	return scene.Point{X: r * cos, Y: r * sin}
}

// slot is the position on its set's arm of glyph sub of the line at a rank, with a little air between lines.
func (g *ring) slot(set int, rank float64, sub int) float64 {
	dots := float64(g.dots())
	along := (float64(sub>>g.folds) + 0.5) / dots
	switch {
	case g.stagger > 1:
		return rank + (float64(set/g.strand%g.stagger)+along)/float64(g.stagger)
	case dots == 1:
		return rank + 0.5
	}
	const air = 0.11
	return rank + air + (1-2*air)*along
}

// dots is the number of dots that a line has.
func (g *ring) dots() int { return max(1, g.per/g.fold) }

// merged reports whether some glyphs of the level share a dot.
func (g *ring) merged() bool { return g.fold > 1 || g.merge > 1 || g.strand > 1 }

// memory is the outermost ring: one arc for each region, all of the same length.
type memory struct {
	c     scene.Point
	r     float64
	low   float64 // inner radius of the innermost row
	arcs  []memArc
	items *Items
}

// memArc is one region's part. Items go along it in order of address, in columns of rows items each.
type memArc struct {
	from, to   float64 // angles
	start      float64 // angle of the first column
	step       float64 // angle between columns
	rows, cols int
	pitch      float64 // distance between rows
	dot        float64
	merge      int // items that share a dot
}

// gapAngle is where the ring begins and ends: the top.
const gapAngle = -math.Pi / 2

func (m *memory) place(s *State, l *layout, outer float64) {
	m.c, m.r, m.low, m.items = l.c, outer, outer, s.Items
	if s.Items == nil || len(s.Items.arcs) == 0 {
		return
	}
	widths := s.Items.widths()
	from := gapAngle
	m.arcs = make([]memArc, len(widths))
	for i, width := range widths {
		gap := min(0.16*width, 14/outer*l.zoom)
		m.arcs[i] = spread(s.Items.arcs[i].items, from+gap/2, from+width-gap/2, outer, l.dot)
		m.low = min(m.low, outer-float64(m.arcs[i].rows-1)*m.arcs[i].pitch)
		from += width
	}
}

// widths are the angles of the arcs. They grow with the square root of the number of items, so that a matrix has more
// room than a counter and the counter enough to be seen and named.
func (it *Items) widths() []float64 {
	const least = 0.35 // of the mean
	out := make([]float64, len(it.arcs))
	mean, total := 0.0, 0.0
	for i := range it.arcs {
		out[i] = math.Sqrt(float64(it.arcs[i].items))
		mean += out[i] / float64(len(out))
	}
	for i := range out {
		out[i] = max(out[i], least*mean)
		total += out[i]
	}
	for i := range out {
		out[i] *= 2 * math.Pi / total
	}
	return out
}

// spread arranges n items on an arc: as many rows as keep neighbours apart, as long as the rows fit between the ring
// and the caches; after that closer together, and in the end several to a dot.
func spread(n int, from, to, outer, dot float64) memArc {
	a := memArc{from: from, to: to, merge: 1}
	length := (to - from) * outer
	depth := outer * (1 - memEnd)
	pitch := 2.5 * dot
	for {
		a.cols = max(1, int(length/pitch))
		a.rows = max(1, (n+a.cols-1)/a.cols)
		if float64(a.rows-1)*pitch <= depth {
			break
		}
		if pitch <= memPitch {
			a.merge = int(math.Ceil(float64(n) / float64(a.cols*max(1, int(depth/pitch)))))
			n = (n + a.merge - 1) / a.merge
			continue
		}
		pitch = max(memPitch, pitch*0.94)
	}
	a.pitch = pitch
	a.dot = min(dot*0.9, 0.42*pitch)
	a.cols = (n + a.rows - 1) / a.rows
	a.step = min((to-from)/float64(a.cols), 5.5*dot/outer)
	a.start = (from+to)/2 - a.step*float64(a.cols-1)/2
	return a
}

// dots visits the places of an arc's dots; those of dot k are the items [k*merge, (k+1)*merge) of the arc.
func (m *memory) dots(a *memArc, n int, visit func(k int, at scene.Point)) {
	for col := 0; col*a.rows < n; col++ {
		sin, cos := math.Sincos(a.start + float64(col)*a.step)
		for k := col * a.rows; k < min(n, (col+1)*a.rows); k++ {
			r := m.r - float64(k-col*a.rows)*a.pitch
			visit(k, scene.Point{X: m.c.X + r*cos, Y: m.c.Y + r*sin})
		}
	}
}

// at is the place of item i; without an item, the gap at the top where memory without a home comes from.
func (m *memory) at(item int) scene.Point {
	r, angle := m.r, gapAngle
	if item >= 0 {
		p := m.items.place[item]
		a := &m.arcs[p.arc]
		k := int(p.index) / a.merge
		angle = a.start + float64(k/a.rows)*a.step
		r -= float64(k%a.rows) * a.pitch
	}
	sin, cos := math.Sincos(angle)
	return scene.Point{X: m.c.X + r*cos, Y: m.c.Y + r*sin}
}
