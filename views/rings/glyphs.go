package rings

import (
	"image/color"
	"slices"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// ghostly is the opacity of a copy that a slower level holds.
const ghostly = 1.0 / 3

// glyphs visits every dot of the frame: those at rest level by level, memory last, then what moves or is marked. The
// glyph passed is reused.
func (f *frame) glyphs(visit func(*glyph)) {
	cached := make([]bool, f.itemCount())
	for i := range f.lines {
		f.markCached(&f.lines[i], cached)
	}
	for i := range f.levels {
		f.resting(i, cached, visit)
	}
	f.inMemory(cached, visit)
	for i := range f.lines {
		f.marked(&f.lines[i], visit)
	}
}

func (f *frame) itemCount() int {
	if f.s.Items == nil {
		return 0
	}
	return f.s.Items.Len()
}

func (f *frame) find(a traceio.Addr) int {
	if f.s.Items == nil {
		return -1
	}
	return f.s.Items.Find(a)
}

// shown reports whether the user wants to see an item. Memory without an item is shown unless something is filtered.
func (f *frame) shown(item int) bool {
	s := f.s
	if item < 0 {
		return !f.filtered
	}
	if !f.filtered {
		return true
	}
	if item < len(s.Hidden) && s.Hidden[item] {
		return false
	}
	return !s.hidden(int(s.Items.region[item])) && !s.hidden(s.Items.owner(item))
}

// hidden reports whether a region is not to be shown.
func (s *State) hidden(region int) bool {
	return region >= 0 && region < len(s.Regions) && s.Regions[region].Hidden
}

// filtered reports whether anything is not to be shown.
func (s *State) filtered() bool {
	return s.Hidden != nil || slices.ContainsFunc(s.Regions, func(r Region) bool { return r.Hidden })
}

// tint is an item's colour: its region's, or the grey of what has none.
func (f *frame) tint(item int) color.NRGBA {
	c := f.s.Theme.Dim
	if item >= 0 {
		if r := f.s.Items.region[item]; r >= 0 && int(r) < len(f.s.Regions) {
			c = f.s.Regions[r].Color
		}
	}
	return c
}

// emphasis is the opacity that the selection leaves to a glyph.
func (f *frame) emphasis(item, level, set int) float64 {
	t := &f.s.Selected
	switch t.What {
	case link.Line, link.Function, link.Instructions:
		if item >= 0 && item < len(f.s.Aside) && f.s.Aside[item] {
			return 0.3
		}
	case link.Region:
		if item >= 0 && (f.s.named(int(f.s.Items.region[item]), t.Name) || f.s.named(f.s.Items.owner(item), t.Name)) {
			return 1
		}
		return 0.3
	case link.Set:
		if level < len(f.s.Levels) && (f.s.Levels[level].Name != t.Name || set != t.ID) {
			return 0.45
		}
	}
	return 1
}

// named reports whether a region has the name.
func (s *State) named(region int, name string) bool {
	return region >= 0 && region < len(s.Regions) && s.Regions[region].Name == name
}

// lone reports whether there is no item in the largest block around address a. Then one dot stands for every smallest
// block there; where there are items, memory between them that was never touched is not drawn.
func (f *frame) lone(a traceio.Addr) bool { return f.first(a) < 0 }

// first is the first item in the largest block around address a, -1 for none.
func (f *frame) first(a traceio.Addr) int {
	if f.s.Items == nil {
		return -1
	}
	start := a &^ traceio.Addr(f.l.broad-1)
	for k := uint64(0); k < f.l.broad; k += f.l.grain {
		if i := f.s.Items.Find(start + traceio.Addr(k)); i >= 0 {
			return i
		}
	}
	return -1
}

// resting visits the lines of one level that just sit in their places.
func (f *frame) resting(level int, cached []bool, visit func(*glyph)) {
	c, g := &f.levels[level], &f.l.rings[level]
	if g.merged() {
		m := newMerger(f, level, visit)
		f.lineGlyphs(c, g, level, cached, m.add)
		m.flush()
		return
	}
	m := g.mesh()
	f.lineGlyphs(c, g, level, cached, func(p *glyph, sub int) {
		if p.at = m.at(p.set, g.place(p.set, p.rank, sub)); f.inside(p.at) {
			visit(p)
		}
	})
}

func (f *frame) lineGlyphs(c *contents, g *ring, level int, cached []bool, visit func(p *glyph, sub int)) {
	perBase := max(1, int(f.l.base/f.l.grain))
	p := glyph{level: level, r: g.dot}
	for set := range c.sets {
		lines := c.lines[set*c.ways : (set+1)*c.ways]
		for rank, entry := range lines {
			if entry == 0 {
				break
			}
			start := traceio.Addr((entry - 1) << c.shift)
			p.set, p.rank = set, rank
			item, faster := f.first(start), false
			unknown := item < 0
			for !unknown && item+1 < f.s.Items.Len() && f.s.Items.addr[item]+traceio.Addr(f.s.Items.unit) <= start {
				item++ // of this line
			}
			for sub := 0; sub < g.per; sub++ {
				a := start + traceio.Addr(uint64(sub)*f.l.grain)
				if sub%perBase == 0 {
					if f.by.get(f.l.block(a)) >= 0 {
						sub += perBase - 1
						item = -1 // what lies between is not known
						continue
					}
					faster = f.faster(a, level)
				}
				p.addr, p.item, p.ghost = a, -1, faster
				at := sub
				if unknown {
					if sub%perBase != 0 {
						continue
					}
					at = sub + perBase/2
				} else {
					if p.item = f.s.Items.after(item, a); p.item < 0 {
						continue
					}
					item = p.item
					cached[item] = true
				}
				if !f.filtered || f.shown(p.item) {
					p.color = f.shade(&p)
					visit(&p, at)
				}
			}
		}
	}
}

// shade is the colour of a glyph at rest.
func (f *frame) shade(p *glyph) color.NRGBA {
	c := f.tint(p.item)
	switch what := f.s.Selected.What; {
	case what == link.Region || what == link.Set || f.s.Aside != nil:
		alpha := f.emphasis(p.item, p.level, p.set)
		if p.ghost {
			alpha *= ghostly
		}
		return palette.Alpha(c, alpha)
	case p.ghost:
		return palette.Alpha(c, ghostly)
	}
	return c
}

func (f *frame) faster(a traceio.Addr, level int) bool {
	for i := range level {
		if f.levels[i].holds(a) {
			return true
		}
	}
	return false
}

// markCached takes the items of a marked block out of the memory ring's bright ones. Where an item is larger than the
// block, its home stays and only turns into a ghost.
func (f *frame) markCached(b *special, cached []bool) {
	if f.s.Items == nil || f.s.Items.unit > f.l.base && f.fastest(&b.after) == len(f.levels) {
		return
	}
	f.glyphsOf(b.addr, f.l.base, func(a traceio.Addr) {
		if i := f.find(a); i >= 0 {
			cached[i] = true
		}
	})
}

// inMemory visits the items in their homes: bright when no cache holds them, as ghosts otherwise. Where several share a
// dot it is bright as soon as one of them is nowhere else.
func (f *frame) inMemory(cached []bool, visit func(*glyph)) {
	it := f.s.Items
	if it == nil {
		return
	}
	p := glyph{level: len(f.levels), set: -1, rank: -1}
	for k := range f.l.mem.arcs {
		arc, items := &f.l.mem.arcs[k], it.order[it.arcs[k].first:][:it.arcs[k].items]
		n := (len(items) + arc.merge - 1) / arc.merge
		f.l.mem.dots(arc, n, func(dot int, at scene.Point) {
			if !f.inside(at) {
				return
			}
			p.item, p.r, p.ghost, p.at = -1, arc.dot, true, at
			for _, i := range items[dot*arc.merge : min(len(items), (dot+1)*arc.merge)] {
				if f.filtered && !f.shown(int(i)) || it.unit <= f.l.base && cached[i] && f.by.get(f.l.block(it.addr[i])) >= 0 {
					continue // not to be seen, or drawn with its block
				}
				if p.item < 0 || !cached[i] {
					p.item = int(i)
				}
				if !cached[i] {
					p.ghost = false
					break
				}
			}
			if p.item < 0 {
				return
			}
			p.addr = it.addr[p.item]
			p.color = f.shade(&p)
			visit(&p)
		})
	}
}

// inside reports whether a dot at p can be seen in the pane.
func (f *frame) inside(p scene.Point) bool {
	const edge = 14
	return f.l.zoom <= 1 || p.X > -edge && p.Y > -edge && p.X < f.l.size.W+edge && p.Y < f.l.size.H+edge
}

// marked visits the copies of one block that moves, flashes or pulses.
func (f *frame) marked(b *special, visit func(*glyph)) {
	per := max(1, int(f.l.base/f.l.grain))
	unknown := f.lone(b.addr)
	for sub := range per {
		a := b.addr + traceio.Addr(uint64(sub)*f.l.grain)
		item := -1
		if unknown {
			if sub > 0 {
				break
			}
		} else if item = f.find(a); item < 0 {
			continue
		}
		if f.shown(item) {
			f.copies(b, a, item, visit)
		}
	}
}

// copies visits one glyph of a marked block and its ghosts.
func (f *frame) copies(b *special, a traceio.Addr, item int, visit func(*glyph)) {
	was, is := f.fastest(&b.before), f.fastest(&b.after)
	memory := len(f.levels)
	size := f.pulse(a)
	for level := is + 1; level <= memory; level++ {
		f.ghost(b, a, item, level, was, size, visit)
	}
	if was < is {
		f.arrival(b, a, item, is, visit)
	}
	p := glyph{level: is, addr: a, item: item, live: true, r: f.dot(was, item)*(1-f.moved) + f.dot(is, item)*f.moved}
	p.set, p.rank = f.setOf(is, a), -1
	if is < memory {
		p.rank = int(b.after[is])
	}
	p.r *= size
	p.at = f.path(b, a, item, was, is)(f.moved)
	p.color = palette.Alpha(f.tint(item), f.emphasis(item, is, p.set))
	p.color = palette.Mix(p.color, f.s.Theme.Miss, b.flash)
	visit(&p)
}

// ghost visits the copy in a level slower than the one where the glyph is or goes.
func (f *frame) ghost(b *special, a traceio.Addr, item, level, was int, size float64, visit func(*glyph)) {
	memory := len(f.levels)
	if level == memory && (item < 0 || f.s.Items.unit > f.l.base) {
		return
	}
	before, after := int32(0), int32(0)
	if level < memory {
		before, after = b.before[level], b.after[level]
	}
	if level < memory && f.folded(a, level) {
		return
	}
	p := glyph{level: level, set: f.setOf(level, a), rank: int(after), addr: a, item: item, ghost: true, live: true,
		r: f.dot(level, item)}
	alpha := ghostly
	switch {
	case before < 0 && after < 0:
		return
	case before < 0 || level <= was:
		// It comes in now, or the bright glyph that stood here leaves it behind.
		alpha *= f.moved
	case after < 0:
		alpha *= 1 - f.moved
		p.rank = int(before)
	}
	if f.moved == 1 && after < 0 {
		return
	}
	p.at = f.within(b, a, item, level)(f.moved)
	if level < memory {
		p.r *= size
	} else {
		p.r *= 1 + (size-1)/2
	}
	p.color = palette.Alpha(f.tint(item), alpha*f.emphasis(item, level, p.set))
	visit(&p)
}

// folded reports whether another item of the line already stands for the dot that this one shares.
func (f *frame) folded(a traceio.Addr, level int) bool {
	g := &f.l.rings[level]
	if g.fold == 1 {
		return false
	}
	for k := a &^ traceio.Addr(uint64(g.fold)*f.l.grain-1); k < a; k += traceio.Addr(f.l.grain) {
		if i := f.find(k); i >= 0 && f.shown(i) {
			return true
		}
	}
	return false
}

// arrival visits the ghost that fades where an evicted glyph will come to rest.
func (f *frame) arrival(b *special, a traceio.Addr, item, level int, visit func(*glyph)) {
	memory := len(f.levels)
	if f.moved == 1 || (level == memory && item < 0) || (level < memory && b.before[level] < 0) {
		return
	}
	p := glyph{level: level, set: f.setOf(level, a), rank: -1, addr: a, item: item, ghost: true, live: true,
		r: f.dot(level, item)}
	p.at = f.within(b, a, item, level)(f.moved)
	p.color = palette.Alpha(f.tint(item), ghostly*(1-f.moved)*f.emphasis(item, level, p.set))
	visit(&p)
}

// dot is the radius of a marked glyph at its level; one that stands for itself is never as fine as those that merge.
func (f *frame) dot(level, item int) float64 {
	r := f.l.dot * 0.9
	switch {
	case level < len(f.l.rings):
		r = f.l.rings[level].dot
	case item >= 0:
		r = f.l.mem.arcs[f.s.Items.place[item].arc].dot
	}
	return max(r, min(f.l.dot, 1.8))
}

func (f *frame) setOf(level int, a traceio.Addr) int {
	if level >= len(f.levels) {
		return -1
	}
	c := &f.levels[level]
	return c.set(uint64(a) >> c.shift)
}

// spot is where a glyph stands in a level at a rank, which may lie between two; level len(levels) is memory.
func (f *frame) spot(a traceio.Addr, item, level int, rank float64) scene.Point {
	if level >= len(f.levels) {
		return f.l.mem.at(item)
	}
	c, g := &f.levels[level], &f.l.rings[level]
	line := uint64(a) >> c.shift
	sub := int((uint64(a) - line<<c.shift) / f.l.grain)
	if item < 0 {
		sub += int(f.l.base / f.l.grain / 2) // the middle of its block
	}
	set := c.set(line)
	return g.at(float64(set), g.slot(set, rank, sub))
}
