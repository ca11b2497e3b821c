package rings

import (
	"fmt"
	"math"
	"strings"

	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/scene"
	"orrery/views/words"
)

// Target is what lies under the pointer: the thing to select and the lines of its tooltip. Legend is the numbers of the
// regions whose legend entry it is, nil elsewhere; the application hides or isolates them on a click. Of a glyph, Item
// is its number, -1 for none, and Low to High are its addresses. Level is the configuration's index of the level whose
// temperature it is, -1 elsewhere.
type Target struct {
	Thing     link.Thing
	Lines     []string
	Legend    []int
	Item      int
	Low, High traceio.Addr
	Level     int
}

// reach is how near to a glyph's edge the pointer must come.
const reach = 4.0

// Hit returns what lies at p: a glyph (link.Address), else a set, a region's arc or label, or nothing.
func Hit(s State, size scene.Size, p scene.Point) Target {
	none := Target{Item: -1, Level: -1}
	if len(s.Levels) == 0 {
		return none
	}
	l := newLayout(&s, size)
	if box := legendBox(&s, l); box.Contains(p) {
		k := byCount(&s, l)[int((p.Y-box.Min.Y)/legendRow)]
		t := arcTarget(&s, k)
		t.Legend = s.members(k)
		return t
	}
	if l.zoom > 1 && header(l).Contains(p) {
		return none
	}
	f := newFrame(&s, l)
	if g, ok := f.nearest(p); ok {
		return f.target(&g)
	}
	if chip := chipBox(&s, l); chip.Contains(p) {
		heated := s.heated()
		i := heated[min(len(heated)-1, int((p.Y-chip.Min.Y)/(chipH+chipGap)))]
		none.Lines, none.Level = f.temperature(i), s.Levels[i].Index
		return none
	}
	r, angle := polar(l.c, p)
	for i := range l.rings {
		if g := &l.rings[i]; r >= g.r0 && r < g.r1 {
			return f.setTarget(i, g.arm(r, angle))
		}
	}
	if r >= l.mem.low-6 && r < l.mem.r+24 {
		for i := range l.mem.arcs {
			a := &l.mem.arcs[i]
			if at := a.from + math.Mod(angle-a.from+4*math.Pi, 2*math.Pi); at <= a.to {
				return arcTarget(&s, i)
			}
		}
	}
	return none
}

// arm is the set whose arm passes nearest to the point at r and angle.
func (g *ring) arm(r, angle float64) int {
	r = min(max(r, g.inner), math.Sqrt(g.a1))
	share := (angle - g.turn - g.sweep*(r-g.inner)) / (2 * math.Pi)
	set := int(math.Round((share - math.Floor(share)) * float64(g.sets)))
	return set % g.sets
}

// nearest is the glyph nearest to p within reach; a bright one goes before a ghost at the same distance.
func (f *frame) nearest(p scene.Point) (glyph, bool) {
	var best glyph
	least := math.Inf(1)
	f.glyphs(func(g *glyph) {
		away := math.Hypot(g.at.X-p.X, g.at.Y-p.Y)
		if away > g.r+reach {
			return
		}
		if g.ghost {
			away += 0.5
		}
		if away < least {
			least, best = away, *g
		}
	})
	return best, !math.IsInf(least, 1)
}

// target describes a glyph: its name, its region, the levels that hold it and its rank there.
func (f *frame) target(g *glyph) Target {
	s := f.s
	grain := f.l.grain
	switch {
	case g.level == len(f.levels) && s.Items != nil:
		grain = s.Items.unit
	case g.span > 0:
		grain = g.span
	}
	high := g.addr + traceio.Addr(grain)
	t := Target{Item: g.item, Level: -1, Low: g.addr, High: high, Thing: link.OfBytes(g.addr, high)}
	name := dataName(s, g.addr)
	if hex := g.addr.String(); name != hex {
		name += "  " + hex
	}
	region := "no region"
	if g.item >= 0 {
		if r := s.Items.Region(g.item); r >= 0 && r < len(s.Regions) {
			region = s.Regions[r].Name
		}
	}
	t.Lines = append(t.Lines, name, fmt.Sprintf("%s, %d bytes", region, grain))
	t.Lines = append(t.Lines, f.residency(g.addr)...)
	return t
}

// residency says where the data is now, level by level: "L1 set 3, rank 0 of 8, at the head"; nothing where no level of
// the picture has it: the caches of another core may.
func (f *frame) residency(a traceio.Addr) []string {
	var lines []string
	for i := range f.levels {
		rank := int(f.levels[i].rank(a))
		if rank < 0 {
			continue
		}
		ways := f.s.Levels[i].Ways
		text := fmt.Sprintf("%s set %d, rank %d of %d", f.s.Levels[i].Name, f.setOf(i, a), rank, ways)
		switch {
		case rank == 0:
			text += ", at the head"
		case rank == ways-1:
			text += ", next to go"
		}
		switch f.s.Levels[i].coherence(a) {
		case 'M':
			text += "; modified: no other core has it"
		case 'E':
			text += "; exclusive: no other core has it, and it is not written"
		case 'S':
			text += "; shared: other cores may have it"
		}
		lines = append(lines, text)
	}
	return lines
}

// coherence is the state of the block that holds address a, 0 for none.
func (v *Level) coherence(a traceio.Addr) byte { return v.Coherence[uint64(a)/v.Block+1] }

// setTarget describes one set: how full it is and what happened to it in the state's span.
func (f *frame) setTarget(level, set int) Target {
	v, c := &f.s.Levels[level], &f.levels[level]
	used := 0
	for _, e := range c.lines[set*c.ways : (set+1)*c.ways] {
		if e != 0 {
			used++
		}
	}
	hits, fills := 0, 0
	for i := range f.s.Events {
		e := &f.s.Events[i]
		if e.Seq <= f.s.At && int(e.Level) == v.Index && int(e.Set) == v.First+set {
			switch e.Op {
			case cachesim.Hit:
				hits++
			case cachesim.Miss, cachesim.Allocate:
				fills++
			}
		}
	}
	t := Target{Item: -1, Level: -1, Thing: link.OfSet(v.Name, set)}
	t.Lines = []string{fmt.Sprintf("%s set %d of %d", v.Name, set, v.Sets),
		fmt.Sprintf("%d of %d ways filled, %d-byte lines", used, v.Ways, v.Block)}
	if hits+fills > 0 {
		t.Lines = append(t.Lines, fmt.Sprintf("%s, %s in the last %s", words.Plural(hits, "hit"), words.Plural(fills, "fill"),
			words.Plural(uint64(f.s.At-f.s.From)+1, "reference")))
	}
	return t
}

func (f *frame) temperature(level int) []string {
	v := &f.s.Levels[level]
	what := "neither hits nor misses prevail"
	switch {
	case v.Temperature >= 0.005:
		what = "warm: hits outweigh misses"
	case v.Temperature <= -0.005:
		what = "cold: misses outweigh hits"
	}
	lines := []string{v.Name + " temperature " + strings.TrimSpace(signed(v.Temperature)), what}
	if f.s.Mean > 0 {
		lines = append(lines, "mean score of the last "+words.Plural(f.s.Mean, "reference"))
	}
	return lines
}

// arcTarget describes an arc of the memory ring.
func arcTarget(s *State, k int) Target {
	t := Target{Item: -1, Level: -1}
	a, r := &s.Items.arcs[k], s.arc(k)
	if a.region >= 0 {
		t.Thing = link.OfRegion(r.Name)
	}
	t.Lines = []string{r.label(), words.Plural(r.Count, "reference") + ", " + words.Plural(a.items, "glyph")}
	if r.High > r.Low {
		t.Lines = append(t.Lines, fmt.Sprintf("%v to %v, %s bytes", r.Low, r.High, words.Count(uint64(r.High-r.Low))))
	}
	const mostNamed = 8
	for i, m := range a.small {
		if i == mostNamed {
			t.Lines = append(t.Lines, fmt.Sprintf("and %d more", len(a.small)-mostNamed))
			break
		}
		if m >= 0 && m < len(s.Regions) {
			t.Lines = append(t.Lines, s.Regions[m].label()+"  "+words.Count(s.Regions[m].Count))
		}
	}
	if r.Hidden {
		t.Lines = append(t.Lines, "hidden; the simulation still sees it")
	}
	return t
}
