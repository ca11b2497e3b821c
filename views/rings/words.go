package rings

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strings"

	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// drawLabels writes what the picture shows: levels, sets, regions, temperatures and the reference in progress.
func drawLabels(d *scene.Drawing, s *State, f *frame) {
	l := f.l
	corners := []scene.Rect{s.Tools, chipBox(s, l), scaleBox(l)}
	var tags []tag
	var names []scene.Rect // where they are written
	name := func(text string, r float64) {
		if t, ok := newTag(l, corners, names, text, r); ok {
			tags, names = append(tags, t), append(names, t.box)
		}
	}
	for i := range l.rings {
		name(levelName(s, l, i), l.rings[i].r1)
	}
	if last := l.rings[len(l.rings)-1].r1; len(l.mem.arcs) > 0 && l.mem.r-last > 28 {
		name("memory", max((last+l.mem.low)/2, last+16))
	}
	taken := slices.Concat(corners, names)
	for i := range l.rings {
		drawSets(d, s, l, i, &taken)
	}
	for _, t := range tags {
		d.Add(scene.Fill{Path: scene.RoundBox(t.box, 8), Color: palette.Alpha(s.Theme.Panel, 0.82)},
			scene.Text{At: scene.Point{X: t.at.X, Y: t.at.Y + 4}, Size: 11, Color: s.Theme.Dim, Align: 0.5, S: t.name})
	}
	side := legendBox(s, l)
	marks := keysBox(s, l, side)
	drawRegions(d, s, l, side.W() == 0, append(names, marks))
	drawLegend(d, s, l, side)
	drawKeys(d, s, marks)
	drawChips(d, s, l)
	drawScale(d, s, l)
	drawCaption(d, f)
}

// levelName is a level's name, with its sets and ways where its circle is large enough to carry them.
func levelName(s *State, l *layout, i int) string {
	v := &s.Levels[i]
	if l.rings[i].r1 < 120 {
		return v.Name
	}
	return v.Name + "  " + words.Plural(v.Sets, "set") + " × " + words.Plural(v.Ways, "way")
}

// labelAngle is where the names of the levels stand on their circles: at the top, where words run along the circles and
// hide least.
const labelAngle = -math.Pi / 2

// tag is a name on a circle, on a patch of the background so that it can be read over glyphs.
type tag struct {
	name string
	at   scene.Point
	box  scene.Rect
}

// newTag places a name: at the top of its circle, or where the circle comes into the pane when the top does not, off
// the corners and never on another name.
func newTag(l *layout, corners, names []scene.Rect, name string, r float64) (t tag, ok bool) {
	w := scene.Measure(scene.Sans, 11, name)
	inside := scene.R(w/2+6, topRoom+8, l.size.W-w-12, l.size.H-topRoom-24)
	for k := range 72 {
		turn := float64((k+1)/2) * math.Pi / 36
		sin, cos := math.Sincos(labelAngle + turn*float64(1-2*(k%2)))
		t = tag{name: name, at: scene.Point{X: l.c.X + r*cos, Y: l.c.Y + r*sin}}
		t.box = scene.R(t.at.X-w/2-4, t.at.Y-8, w+8, 16)
		if !overlaps(t.box, names) && (l.zoom == 1 || inside.Contains(t.at) && !overlaps(t.box, corners)) {
			return t, true
		}
	}
	return tag{}, false
}

// regionSpot is where the label of a region stands beside the middle of its arc, and how it is aligned.
func regionSpot(l *layout, arc int) (at scene.Point, align float64) {
	a := &l.mem.arcs[arc]
	angle := (a.from + a.to) / 2
	sin, cos := math.Sincos(angle)
	r := l.mem.r + l.dot + 13
	at = scene.Point{X: l.c.X + r*cos, Y: l.c.Y + r*sin + 4 + 3*sin}
	// Continuous in the angle: beside the ring at left and right, centred above and below.
	return at, 0.5 - 0.5*math.Copysign(math.Pow(math.Abs(cos), 0.35), cos)
}

// drawRegions writes the names around the memory ring, those with most references first; one that would lie on another
// or on what else is written is left out.
func drawRegions(d *scene.Drawing, s *State, l *layout, counts bool, taken []scene.Rect) {
	taken = append(taken, chipBox(s, l), header(l), scaleBox(l), s.Tools)
	for _, k := range byCount(s, l) {
		r := s.arc(k)
		name, count, c := r.label(), "", palette.Mix(r.Color, s.Theme.Text, 0.45)
		if counts && r.Count > 0 {
			count = "  " + words.Count(r.Count)
		}
		at, align := regionSpot(l, k)
		if l.zoom > 1 && !scene.R(0, 0, l.size.W, l.size.H).Contains(at) {
			continue
		}
		room := min(150, at.X*min(1, align*2+0.001)+(l.size.W-at.X)*min(1, 2-2*align)) - 8
		if align > 0 && align < 1 {
			room = 150
		}
		wn := min(scene.Measure(scene.Sans, 10.5, name), room)
		wc := scene.Measure(scene.Mono, 9.5, count)
		if wn+wc > room {
			wc, count = 0, ""
		}
		x := min(max(8, at.X-align*(wn+wc)), l.size.W-8-wn-wc)
		box := scene.R(x-2, at.Y-11, wn+wc+4, 15)
		if room < 16 || overlaps(box, taken) || l.mem.r > away(l.c, box) {
			continue
		}
		taken = append(taken, box)
		d.Add(scene.Text{At: scene.Point{X: x, Y: at.Y}, Size: 10.5, Color: c, Max: wn + 0.5, S: name})
		if count != "" {
			d.Add(scene.Text{At: scene.Point{X: x + wn, Y: at.Y}, Face: scene.Mono, Size: 9.5, Color: s.Theme.Dim, S: count})
		}
	}
}

// header is the strip of the caption. A larger picture than the pane ends below it; else names of regions may reach
// into its lower edge.
func header(l *layout) scene.Rect {
	if l.zoom > 1 {
		return scene.R(0, 0, l.size.W, topRoom)
	}
	return scene.R(0, 0, l.size.W, topRoom-6)
}

// away is the distance of a point from a box, 0 inside.
func away(p scene.Point, r scene.Rect) float64 {
	return math.Hypot(max(r.Min.X-p.X, p.X-r.Max.X, 0), max(r.Min.Y-p.Y, p.Y-r.Max.Y, 0))
}

func overlaps(r scene.Rect, all []scene.Rect) bool {
	for _, o := range all {
		if r.Min.X < o.Max.X && o.Min.X < r.Max.X && r.Min.Y < o.Max.Y && o.Min.Y < r.Max.Y {
			return true
		}
	}
	return false
}

// byCount is the arcs' numbers, those with most references first.
func byCount(s *State, l *layout) []int {
	order, count := make([]int, len(l.mem.arcs)), make([]uint64, len(l.mem.arcs))
	for i := range order {
		order[i], count[i] = i, s.arc(i).Count
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(count[b], count[a]) })
	return order
}

// drawCaption writes the reference in progress at the top: "t 529  load a[2]  bubble.c:12  L1 hit".
func drawCaption(d *scene.Drawing, f *frame) {
	s := f.s
	at := scene.Point{X: 12, Y: 16}
	room := f.l.size.W - 24
	if f.l.zoom > 1 { // glyphs pass below
		d.Add(scene.Fill{Path: scene.Box(header(f.l)), Color: s.Theme.Panel})
	}
	put := func(face scene.Face, c color.NRGBA, text string) {
		w := scene.Measure(face, 11.5, text)
		if text == "" || at.X-12+min(w, 40) > room {
			return
		}
		d.Add(scene.Text{At: at, Face: face, Size: 11.5, Color: c, Max: room - (at.X - 12), S: text})
		at.X += w + 14
	}
	if s.Caption != "" {
		put(scene.Sans, s.Theme.Text, s.Caption)
		return
	}
	put(scene.Mono, s.Theme.Accent, "t "+words.Count(uint64(s.At)))
	r := f.reference()
	if r == nil {
		return
	}
	put(scene.Sans, s.Theme.Text, r.Kind.String()+" "+dataName(s, r.Addr))
	if s.Names != nil {
		put(scene.Sans, s.Theme.Dim, s.Names.Code(r.PC))
	}
	text, miss := f.verdict()
	c := s.Theme.Dim
	if miss {
		c = s.Theme.Miss
	}
	put(scene.Sans, c, text)
}

func dataName(s *State, a traceio.Addr) string {
	if s.Names != nil {
		if n := s.Names.Data(a); n != "" {
			return n
		}
	}
	return a.String()
}

// verdict says where the reference in progress found its data: "L1 hit", "L1 miss, L2 hit", "missed in L1 and L2".
func (f *frame) verdict() (text string, miss bool) {
	s := f.s
	var missed [MaxLevels]bool
	hit := -1
	for i := range s.Events {
		e := &s.Events[i]
		if e.Seq != s.At || !e.Self || (e.Kind == traceio.Fetch) != s.Fetches {
			continue
		}
		switch level := s.ringOf(e); {
		case level < 0:
		case e.Op == cachesim.Miss || e.Op == cachesim.Allocate:
			missed[level] = true
		case e.Op == cachesim.VictimHit:
			missed[level-1], hit = true, max(hit, level)
		case e.Op == cachesim.Hit || e.Op == cachesim.Promote:
			hit = max(hit, level)
		}
	}
	var names []string
	caches := 0
	for i := range s.Levels {
		if s.Levels[i].First == 0 {
			caches++
		}
		if missed[i] {
			names = append(names, s.Levels[i].Name)
		}
	}
	switch {
	case hit == 0 && len(names) == 0:
		return s.Levels[0].Name + " hit", false
	case hit >= 0 && len(names) > 0:
		// A reference that crosses blocks may hit with one part and miss with the other.
		return strings.Join(names, ", ") + " miss, " + s.Levels[hit].Name + " hit", true
	case len(names) == caches && len(names) > 1:
		return "miss in " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1], true
	case len(names) > 0:
		return strings.Join(names, ", ") + " miss", true
	}
	return "", false
}

func drawEmpty(d *scene.Drawing, s State, size scene.Size) {
	c := scene.Point{X: size.W / 2, Y: size.H / 2}
	for _, r := range []float64{0.16, 0.28, 0.4} {
		d.Add(scene.Stroke{Path: scene.Circle(c.X, c.Y, r*min(size.W, size.H)), Width: 1,
			Color: palette.Alpha(s.Theme.Faint, 0.35)})
	}
	words := s.Caption
	if words == "" {
		words = "The caches at work appear here. Open a recording and choose a configuration."
	}
	d.Add(scene.Text{At: scene.Point{X: c.X, Y: c.Y + 4}, Size: 12, Color: s.Theme.Dim, Align: 0.5,
		Max: size.W - 24, S: words})
}
