package heapmap

import (
	"context"
	"image"
	"image/color"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"orrery/views/scene"
)

// The strip at the right shows the whole map, as narrow as it is: each of its pixels is the mean, in linear light, of
// those in a row of the map. The map is taken as it has been drawn, in tiles or as one image; only where it shows a
// part does the strip need a picture of its own.

// drawContext draws the strip with everything, and in it the frame of what the map shows.
func (r *Renderer) drawContext(d *scene.Drawing, s *State, l *layout, c *look) {
	if l.context.W() <= 0 {
		return
	}
	whole := Fit(*s)
	w := newLayout(&whole, l.size)
	f := w.plotFrame()
	k := stripKey{f.key(c), int(l.context.W()*l.axis.scale + 0.5)}
	pix, current := r.store.find("context", k)
	// else wait for the tiles
	if !current && !(r.Later && len(r.want) > 0 && w.from == l.from && w.to == l.to && w.axis.same(&l.axis)) {
		pix = r.get("context", k, func(context.Context) any { return r.store.strip(&w, f, k, c) })
	}
	if pix, ok := pix.(*image.RGBA); ok {
		d.Add(scene.Image{At: l.context, Pixels: pix, Name: "all blocks"})
	}
	drawFrame(d, s, l)
}

// same reports whether two axes show the same addresses in the same rows.
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
func (p *resultStore) strip(l *layout, f frame, k stripKey, c *look) *image.RGBA {
	t := thumbnail{out: image.NewRGBA(image.Rect(0, 0, k.columns, f.h)), w: f.w, gap: c.gap}
	if pix, ok := p.find("map", k.frameKey); ok {
		t.pieces = []piece{{pix: pix.(*image.RGBA), r1: f.h}}
	} else if !t.fromTiles(p, l, c) {
		at := spot{"map", k.frameKey}
		at.frame.look = nil
		pix := c.scratchPool.image(f.w, f.h)
		defer c.scratchPool.putImage(pix)
		p.drawn(c, at, func(s *strokes) *image.RGBA {
			c.paintOn(pix, f, startWorkers(runtime.GOMAXPROCS(0)), s)
			return pix
		})
		t.pieces = []piece{{pix: pix, r1: f.h}}
	}
	t.make()
	return t.out
}

// thumbnail is an image that is made narrower.
type thumbnail struct {
	out    *image.RGBA
	pieces []piece
	w      int         // of the original
	gap    color.NRGBA // between two pools, where no piece is
}

// piece is what is at (x, y) of the original, of which rows [r0, r1) count.
type piece struct {
	pix          *image.RGBA
	x, y, r0, r1 int
}

// fromTiles takes all tiles of a map; false when one is missing.
func (t *thumbnail) fromTiles(p *resultStore, l *layout, c *look) bool {
	whole := true
	t.pieces = nil
	for i := range l.axis.segments {
		g := &l.axis.segments[i]
		l.tiles(g, c, func(k tileKey, seen image.Rectangle) {
			found := p.tile(k)
			if found == nil || !seen.In(found.part) {
				whole = false
				return
			}
			y := g.rows[1] - int((k.y+1)*tileHeight) + found.part.Min.Y
			t.pieces = append(t.pieces, piece{found.pix, int(k.x*tileWidth) + found.part.Min.X, y, max(y, g.rows[0]),
				min(y+found.pix.Rect.Dy(), g.rows[1])})
		})
	}
	return whole
}

// rowsAtOnce is how many rows a goroutine makes before it asks for more.
const rowsAtOnce = 32

// make makes all rows, on as many goroutines as there are processors.
func (t *thumbnail) make() {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			sums := make([][4]uint64, t.out.Rect.Dx())
			for r := int(next.Add(rowsAtOnce)) - rowsAtOnce; r < t.out.Rect.Dy(); r = int(next.Add(rowsAtOnce)) - rowsAtOnce {
				for y := r; y < min(r+rowsAtOnce, t.out.Rect.Dy()); y++ {
					t.row(y, sums)
				}
			}
		})
	}
	wait.Wait()
}

// row makes one row. sums are linear light and how many pixels, by column; they are zero before and after.
func (t *thumbnail) row(y int, sums [][4]uint64) {
	for i := range t.pieces {
		if p := &t.pieces[i]; y >= p.r0 && y < p.r1 {
			t.add(p.pix.Pix[(y-p.y)*p.pix.Stride:], p.x, min(t.w, p.x+p.pix.Rect.Dx()), sums)
		}
	}
	for i := range sums {
		s, pix := &sums[i], t.out.Pix[y*t.out.Stride+4*i:][:4]
		pix[0], pix[1], pix[2], pix[3] = t.gap.R, t.gap.G, t.gap.B, 255
		for k := 0; k < 3 && s[3] > 0; k++ {
			pix[k] = toSRGB(float32(s[k]) / float32(s[3]) / linearSteps)
		}
		*s = [4]uint64{}
	}
}

// add takes pixels of columns [x, end) of the original's row.
func (t *thumbnail) add(row []uint8, x, end int, sums [][4]uint64) {
	for x < end {
		column := x * len(sums) / t.w
		next := min(end, ((column+1)*t.w+len(sums)-1)/len(sums))
		var red, green, blue uint64
		for at := row[:4*(next-x)]; len(at) >= 4; at = at[4:] {
			red += uint64(linear[at[0]])
			green += uint64(linear[at[1]])
			blue += uint64(linear[at[2]])
		}
		sum := &sums[column]
		sum[0], sum[1], sum[2], sum[3] = sum[0]+red, sum[1]+green, sum[2]+blue, sum[3]+uint64(next-x)
		row, x = row[4*(next-x):], next
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
