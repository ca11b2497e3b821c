package heapmap

import (
	"cmp"
	"context"
	"image"
	"math"
	"slices"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/scene"
)

// The map in tiles. At one scale, tiles stand on a grid that begins at time 0 and at the beginning of each pool, so
// that moving the window needs only those that come into sight. A frame at a scale of which tiles are missing shows the
// newest ones of other scales in their places, stretched, until they are there.

// The size of a tile in device pixels: some one or two milliseconds' work among a million blocks. Most blocks are wider
// than they are high, and one that lies in two tiles is drawn twice; therefore tiles that are missing side by side are
// made together, up to so many. Idle goroutines join in, see workers.go.
const (
	tileWidth  = 256
	tileHeight = 128
	mostBeside = 8
)

// tileKey is all that a tile depends on.
type tileKey struct {
	look    *look
	w       int       // so many pixels
	span    heap.Time // for so much time
	rows    int       // and so many
	size    uint64    // for so many bytes
	base    traceio.Addr
	top     traceio.Addr // end of the pool
	bin     int          // -1 for all
	x, y    int64
	perAddr float64
	perTime float64
}

// tile is a finished one. Where a window ends inside a tile, only what lies in the window is made at first: the rest
// would cost as much again where all is in view. When more of the tile comes into sight, it is made whole.
type tile struct {
	tileKey
	part image.Rectangle // of the tile, in device pixels from its corner above, that there is
	pix  *image.RGBA
	used int // the last frame that showed it
}

// takeIn makes the tile go on over another one that lies at its right, if they are as high and not too many. Such a
// long one is to be made; it is no tile yet.
func (t *tile) takeIn(o *tile) bool {
	k := t.tileKey
	k.x += int64(t.part.Max.X / tileWidth)
	if k != o.tileKey || t.part.Max.X%tileWidth > 0 || t.part.Max.X >= mostBeside*tileWidth || o.part.Min.X > 0 ||
		t.part.Min.Y != o.part.Min.Y || t.part.Max.Y != o.part.Max.Y {
		return false
	}
	t.part.Max.X += o.part.Max.X
	return true
}

// tiles are all that are kept, the least recently used are dropped.
type tiles struct {
	all   map[tileKey]*tile
	frame int
}

// maxTiles is about 100 MB; a window of 3840x2160 pixels shows at most 300.
const maxTiles = 800

func (p *resultStore) tile(k tileKey) *tile {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.tiles.all[k]
	if t != nil {
		t.used = p.tiles.frame
	}
	return t
}

func (p *resultStore) putTiles(list []*tile) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tiles.all == nil {
		p.tiles.all = map[tileKey]*tile{}
	}
	for _, t := range list {
		t.used = p.tiles.frame
		p.tiles.all[t.tileKey] = t
	}
	if len(p.tiles.all) <= maxTiles {
		return
	}
	old := p.tiles.byAge()
	for _, t := range old[:len(old)/4] {
		delete(p.tiles.all, t.tileKey)
	}
}

// byAge is all tiles, those first that were used last long ago.
func (t *tiles) byAge() []*tile {
	out := make([]*tile, 0, len(t.all))
	for _, x := range t.all {
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b *tile) int {
		return cmp.Or(cmp.Compare(a.used, b.used), cmp.Compare(a.perTime, b.perTime), cmp.Compare(a.perAddr, b.perAddr),
			cmp.Compare(a.base, b.base),
			cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x))
	})
	return out
}

// older is the tiles of a heap that have been shown last, the newest last; at most n.
func (p *resultStore) older(h *heap.Heap, n int) []*tile {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []*tile
	for _, t := range p.tiles.byAge() {
		if t.look.h == h {
			out = append(out, t)
		}
	}
	return out[max(0, len(out)-n):]
}

func (p *resultStore) nextFrame() {
	p.mu.Lock()
	p.tiles.frame++
	p.mu.Unlock()
}

// wholeTile is all pixels of one.
var wholeTile = image.Rect(0, 0, tileWidth, tileHeight)

// paint makes a part of the tile, which may go on over those at its right: a tile of each.
func (k tileKey) paint(p *resultStore, part image.Rectangle) []*tile {
	w, h := part.Dx(), part.Dy()
	under := float64(k.y*tileHeight + int64(tileHeight-part.Max.Y))
	g := segment{Span: heap.Span{Low: k.base, High: k.top}, base: k.base, roof: k.top, perAddr: k.perAddr, under: under,
		rows: [2]int{0, h}, scale: 1}
	left := float64(k.x*tileWidth + int64(part.Min.X))
	f := frame{w: w, h: h, left: left, perTime: k.perTime, from: heap.Time(max(0, math.Floor(left/k.perTime))),
		to: heap.Time(math.Ceil((left + float64(w)) / k.perTime)), axis: axis{segments: []segment{g}, scale: 1}, bin: k.bin}
	place := tileSpot{k, part}
	place.look = nil
	pix := p.drawn(k.look, place, func(s *strokes) *image.RGBA { return k.look.paint(f, p.shareWork, s) })
	var out []*tile
	for x := 0; x < part.Max.X; x += tileWidth {
		own := part.Sub(image.Pt(x, 0)).Intersect(wholeTile)
		out = append(out, &tile{tileKey: k, part: own, pix: &image.RGBA{Pix: pix.Pix[4*(x+own.Min.X-part.Min.X):],
			Stride: pix.Stride, Rect: image.Rect(0, 0, own.Dx(), h)}})
		k.x++
	}
	return out
}

// tileSpot is where the image of a part of a tile is.
type tileSpot struct {
	tileKey
	part image.Rectangle
}

// place is where a tile lies in a layout, and whether the layout shows its pool.
func (t *tile) place(l *layout) (scene.Rect, bool) {
	for i := range l.axis.segments {
		g := &l.axis.segments[i]
		if g.base != t.base {
			continue
		}
		x := func(px int) float64 {
			return l.plot.Min.X + (float64(t.x*tileWidth+int64(px))/t.perTime*l.perTime-l.left)/l.axis.scale
		}
		y := func(px int) float64 {
			return l.plot.Min.Y + g.bottom - (float64((t.y+1)*tileHeight-int64(px))/t.perAddr*g.perAddr-g.under)/g.scale
		}
		return scene.Rect{Min: scene.Point{X: x(t.part.Min.X), Y: y(t.part.Min.Y)}, Max: scene.Point{X: x(t.part.Max.X),
			Y: y(t.part.Max.Y)}}, true
	}
	return scene.Rect{}, false
}

// tiles calls f with the keys of all tiles of a segment, and what of each is in sight.
func (l *layout) tiles(g *segment, c *look, f func(k tileKey, seen image.Rectangle)) {
	k := tileKey{look: c, w: int(l.pixels()), span: l.to - l.from, rows: g.rows[1] - g.rows[0], size: g.Size(),
		base: g.base, top: g.roof, bin: l.bin, perAddr: g.perAddr, perTime: l.perTime}
	if k.rows == 0 {
		return
	}
	x0, x1 := int64(math.Floor(l.left/tileWidth)), int64(math.Ceil((l.left+l.pixels())/tileWidth))
	y0, y1 := int64(math.Floor(g.under/tileHeight)), int64(math.Ceil((g.under+float64(k.rows))/tileHeight))
	for k.y = y0; k.y < y1; k.y++ {
		for k.x = x0; k.x < x1; k.x++ {
			left, above := int(l.left)-int(k.x*tileWidth), int((k.y+1)*tileHeight)-int(g.under)-k.rows
			f(k, image.Rect(left, above, left+int(l.pixels()), above+k.rows).Intersect(wholeTile))
		}
	}
}

// drawTiles puts what tiles there are in their places, and wants the others, those first that are nearest to the
// middle.
func (r *Renderer) drawTiles(d *scene.Drawing, s *State, l *layout, c *look) {
	r.store.nextFrame()
	d.Add(scene.Fill{Path: scene.Box(l.plot), Color: s.Theme.Panel})
	type gap struct {
		tile
		at  scene.Rect
		off float64 // from the middle
	}
	var gaps []gap
	missing := 0
	groups := make([]scene.Group, len(l.axis.segments))
	for i := range l.axis.segments {
		g := &l.axis.segments[i]
		clip := scene.Rect{Min: scene.Point{X: l.plot.Min.X, Y: l.plot.Min.Y + g.top}, Max: scene.Point{X: l.plot.Max.X,
			Y: l.plot.Min.Y + g.bottom}}
		first := len(gaps)
		groups[i] = scene.Group{Clip: clip, Shapes: []scene.Shape{scene.Fill{Path: scene.Box(clip), Color: c.back}}}
		l.tiles(g, c, func(k tileKey, seen image.Rectangle) {
			t := tile{tileKey: k, part: seen}
			found := r.store.tile(k)
			if found != nil && seen.In(found.part) {
				at, _ := found.place(l)
				groups[i].Shapes = append(groups[i].Shapes, scene.Image{At: at, Pixels: found.pix,
					Name: "heap blocks over time and address"})
				return
			}
			if found != nil {
				t.part = wholeTile
			}
			missing++
			if n := len(gaps) - 1; n >= first && gaps[n].takeIn(&t) {
				return
			}
			gaps = append(gaps, gap{tile: t})
		})
		for n := range gaps[first:] {
			x := &gaps[first+n]
			at, _ := x.place(l)
			m, p := at.Center(), l.plot.Center()
			x.at, x.off = cut(at, clip), math.Hypot(m.X-p.X, m.Y-p.Y)
		}
	}
	for i := range groups {
		d.Add(groups[i])
	}
	if len(gaps) == 0 {
		return
	}
	slices.SortStableFunc(gaps, func(a, b gap) int { return cmp.Compare(a.off, b.off) })
	old := r.store.older(s.Heap, 2*missing+24)
	for _, g := range gaps {
		fill := scene.Group{Clip: g.at}
		for _, t := range old {
			if t.base != g.base {
				continue
			}
			if at, ok := t.place(l); ok && at.Min.X < g.at.Max.X && at.Max.X > g.at.Min.X && at.Min.Y < g.at.Max.Y &&
				at.Max.Y > g.at.Min.Y {
				fill.Shapes = append(fill.Shapes, scene.Image{At: at, Pixels: t.pix, Name: "blocks as they were"})
			}
		}
		if len(fill.Shapes) > 0 {
			d.Add(fill)
		}
		r.want = append(r.want, task{make: func(context.Context) any {
			r.store.putTiles(g.paint(&r.store, g.part))
			return nil
		}})
	}
}

// cut is the part of a that lies in b.
func cut(a, b scene.Rect) scene.Rect {
	return scene.Rect{Min: scene.Point{X: max(a.Min.X, b.Min.X), Y: max(a.Min.Y, b.Min.Y)},
		Max: scene.Point{X: min(a.Max.X, b.Max.X), Y: min(a.Max.Y, b.Max.Y)}}
}
