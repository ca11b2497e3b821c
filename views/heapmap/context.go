package heapmap

import (
	"context"
	"image"
	"math"
	"runtime"

	"orrery/views/scene"
)

// The strip at the right shows the whole map, as narrow as it is: each of its pixels is the mean, in linear light, of those in a
// row of the map. The map is taken as it has been drawn, in tiles or as one image; only where it shows a part does the
// strip need a picture of its own.

// drawContext draws the strip with everything, and in it the frame of what the map shows.
func (r *Renderer) drawContext(d *scene.Drawing, s *State, l *layout, c *look) {
	if l.context.W() <= 0 {
		return
	}
	whole := Fit(*s)
	w := newLayout(&whole, l.size)
	f := w.plotFrame()
	k := stripKey{f.key(c), int(l.context.W()*l.axis.scale + 0.5)}
	pix, current := r.parts.find("context", k)
	if !current && !(r.Later && len(r.want) > 0 && w.from == l.from && w.to == l.to && w.axis.same(&l.axis)) { // else wait for the tiles
		pix = r.get("context", k, func(context.Context) any { return r.parts.strip(&w, f, k, c) })
	}
	if pix, ok := pix.(*image.RGBA); ok {
		d.Add(scene.Image{At: l.context, Pixels: pix, Name: "all blocks"})
	}
	drawFrame(d, s, l)
}

// same tells whether two axes show the same addresses in the same rows.
func (a *axis) same(b *axis) bool {
	if len(a.segments) != len(b.segments) {
		return false
	}
	for i := range a.segments {
		if a.segments[i] != b.segments[i] {
			return false
		}
	}
	return true
}

// stripKey is the whole map, and the columns of the strip.
type stripKey struct {
	frameKey
	columns int
}

// strip makes the strip of a map that shows everything.
func (p *parts) strip(l *layout, f frame, k stripKey, c *look) *image.RGBA {
	t := thumbnail{out: image.NewRGBA(image.Rect(0, 0, k.columns, f.h)), sums: make([][4]uint64, k.columns*f.h), w: f.w}
	if pix, ok := p.find("map", k.frameKey); ok {
		t.add(pix.(*image.RGBA), 0, 0, 0, f.h)
	} else if !t.addTiles(p, l, c) {
		at := spot{"map", k.frameKey}
		at.frame.look = nil
		clear(t.sums)
		t.add(p.drawn(c, at, func(s *strokes) *image.RGBA { return c.paint(f, runtime.GOMAXPROCS(0), s) }), 0, 0, 0, f.h)
	}
	t.finish(c)
	return t.out
}

// thumbnail is an image that is made narrower.
type thumbnail struct {
	out  *image.RGBA
	sums [][4]uint64 // linear light, and how many pixels
	w    int         // of the original
}

// add takes in rows [r0, r1) of what is at (x0, y0) of the original.
func (t *thumbnail) add(pix *image.RGBA, x0, y0, r0, r1 int) {
	columns := t.out.Rect.Dx()
	for y := max(r0, y0); y < min(r1, y0+pix.Rect.Dy()); y++ {
		row := pix.Pix[(y-y0)*pix.Stride:]
		sums := t.sums[y*columns : (y+1)*columns]
		for x, end := x0, min(t.w, x0+pix.Rect.Dx()); x < end; {
			column := x * columns / t.w
			next := min(end, ((column+1)*t.w+columns-1)/columns)
			sum := &sums[column]
			for ; x < next; x++ {
				p := row[4*(x-x0) : 4*(x-x0)+3 : 4*(x-x0)+3]
				sum[0] += uint64(linear[p[0]])
				sum[1] += uint64(linear[p[1]])
				sum[2] += uint64(linear[p[2]])
				sum[3]++
			}
		}
	}
}

// addTiles takes in all tiles of a map; false when one is missing.
func (t *thumbnail) addTiles(p *parts, l *layout, c *look) bool {
	whole := true
	for i := range l.axis.segments {
		g := &l.axis.segments[i]
		l.tiles(g, c, func(k tileKey, seen image.Rectangle) {
			if found := p.tile(k); found != nil && seen.In(found.part) {
				t.add(found.pix, int(k.x*tileWidth)+found.part.Min.X, g.rows[1]-int((k.y+1)*tileHeight)+found.part.Min.Y, g.rows[0], g.rows[1])
			} else {
				whole = false
			}
		})
	}
	return whole
}

// finish makes pixels of the sums.
func (t *thumbnail) finish(c *look) {
	for i := range t.sums {
		s, pix := &t.sums[i], t.out.Pix[4*i:4*i+4]
		if s[3] == 0 { // between two pools
			pix[0], pix[1], pix[2], pix[3] = c.gap.R, c.gap.G, c.gap.B, 255
			continue
		}
		for k := range 3 {
			pix[k] = toSRGB(float32(s[k]) / float32(s[3]) / linearSteps)
		}
		pix[3] = 255
	}
}

// linear is the light of a channel's value in so many steps.
const linearSteps = 1 << 20

var linear = func() (t [256]uint32) {
	for i := range t {
		t[i] = uint32(math.Round(linearSteps * linearLight(uint8(i))))
	}
	return t
}()
