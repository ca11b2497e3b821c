package heapmap

import (
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"runtime"
	"slices"

	"orrery/analysis/heap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// look is how blocks are painted, wherever: everything of a State that pixels of blocks depend on but the window. It is
// immutable, so that images can tell by its identity whether they still hold.
type look struct {
	lookKey
	generation   *generation
	alphaChanged bool // the look before was of the same generation
	hidden       []bool
	colors       *coloring
	shades       *shades
	dither       [ditherRows][maxClasses + 1]float32
	skip         []bool // by class
	marks        marks
	binning      *binning
	scratchPool  *scratchPool
	dim          []bool // by site, when a part is chosen: true is not dimmed
	through      []bool // the same by call stack, when a function is chosen
	amounts      *[amountSteps + 1][3]float32
	ground       [3]float32 // behind the blocks
	gap          color.NRGBA
	back         color.NRGBA
	pow          *power
	colorWeight  *power  // of 1 / (1 + side^2), see paint.go
	edge         float32 // luminance at the border of a cushion
}

// lookKey is what is compared by value; the heap by identity: it is immutable.
type lookKey struct {
	h        *heap.Heap
	theme    palette.Theme
	cushion  Cushion
	alpha    float64
	plain    bool
	selected link.Thing
}

// but is the key with another alpha.
func (k lookKey) but(alpha float64) lookKey {
	k.alpha = alpha
	return k
}

// newLook is the look of a state with the given colours, the old one if it is the same.
func newLook(s *State, colors *coloring, old *look) *look {
	k := lookKey{h: s.Heap, theme: s.Theme, cushion: s.Cushion, alpha: s.alpha(), plain: s.Plain}
	if s.Selected.What != link.Block { // a block is outlined, anything else changes colours
		k.selected = s.Selected
	}
	if old != nil && old.lookKey == k && old.colors == colors && slices.Equal(old.hidden, s.Hidden) {
		return old
	}
	c := &look{lookKey: k, hidden: slices.Clone(s.Hidden), colors: colors, dim: chosen(s), gap: s.Theme.Panel,
		back: ground(s.Theme), edge: 0.42}
	if !s.Theme.Dark {
		c.edge = 0.62
	}
	c.alphaChanged = old != nil && old.but(k.alpha) == k && old.colors == colors && slices.Equal(old.hidden, s.Hidden)
	if c.alphaChanged {
		c.generation = old.generation
	} else {
		c.generation = new(generation)
	}
	if old != nil && old.alpha == k.alpha {
		c.pow, c.colorWeight = old.pow, old.colorWeight
	} else {
		c.pow, c.colorWeight = newPower(k.alpha, 0), newPower(2*max(0, 1-k.alpha), leastWeight)
	}
	if c.binning = new(binning{h: s.Heap}); old != nil && old.h == s.Heap {
		c.binning = old.binning
	}
	if c.scratchPool = new(scratchPool); old != nil {
		c.scratchPool = old.scratchPool
	}
	if t := k.selected; t.What == link.Function && t.Name != "" {
		if c.through = s.Heap.Through(t.Name); c.through != nil {
			c.dim = nil
		}
	}
	c.ground = toLinear(c.back)
	c.skip = make([]bool, len(colors.entries))
	copy(c.skip, s.Hidden)
	c.dither = ditherLoss(len(colors.entries), k.alpha)
	c.shades = new(shades)
	for i, e := range colors.entries {
		full := toLinear(e.Color)
		fade := full
		for k := range fade {
			fade[k] = dimmed*full[k] + (1-dimmed)*c.ground[k]
		}
		c.shades[i], c.shades[i|dimStroke] = cell{2: 1, full[0], full[1], full[2]}, cell{2: 1, fade[0], fade[1], fade[2]}
	}
	if old != nil && old.theme == k.theme {
		c.amounts = old.amounts
		return c
	}
	c.amounts = new([amountSteps + 1][3]float32)
	for i := range c.amounts {
		c.amounts[i] = toLinear(amountColor(s.Theme, float64(i)/amountSteps))
	}
	return c
}

// frame is the place in time and address of one image of blocks.
type frame struct {
	w, h          int
	left, perTime float64
	from, to      heap.Time
	axis          axis
	bin           int
}

// plotFrame is the plot of a layout.
func (l *layout) plotFrame() frame {
	return frame{w: int(l.pixels()), h: int(l.plot.H()*l.axis.scale + 0.5), left: l.left, perTime: l.perTime, from: l.from,
		to: l.to, axis: l.axis, bin: l.bin}
}

// paint makes the image of blocks in a frame; from strokes if they are ready, else it fills them where they are not
// nil.
func (c *look) paint(f frame, together workers, strokes *strokes) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, f.w, f.h))
	c.paintOn(out, f, together, strokes)
	return out
}

// paintOn is paint on all of an image.
func (c *look) paintOn(out *image.RGBA, f frame, together workers, strokes *strokes) {
	n := &canvas{look: c, w: f.w, rows: f.h, left: f.left, perTime: f.perTime, first: max(f.from-1, 0), to: f.to + 1,
		segments: f.axis.segments, bin: f.bin, out: out, kept: strokes}
	n.paint(together)
}

// frameKey is a frame that can be compared.
type frameKey struct {
	look          *look
	w, h, bin     int
	left, perTime float64
	axis          string // addresses and rows of all segments
}

func (f *frame) key(c *look) frameKey {
	axis := make([]byte, 0, 24*len(f.axis.segments))
	for i := range f.axis.segments {
		g := &f.axis.segments[i]
		axis = binary.LittleEndian.AppendUint64(axis, uint64(g.Low))
		axis = binary.LittleEndian.AppendUint64(axis, uint64(g.High))
		axis = binary.LittleEndian.AppendUint32(axis, uint32(g.rows[0]))
		axis = binary.LittleEndian.AppendUint32(axis, uint32(g.rows[1]))
	}
	return frameKey{look: c, w: f.w, h: f.h, left: f.left, perTime: f.perTime, bin: f.bin, axis: string(axis)}
}

// blocks is the image of the blocks in a frame.
func (r *Renderer) blocks(slot string, c *look, f frame) *image.RGBA {
	k := f.key(c)
	at := spot{slot, k}
	at.frame.look = nil
	return r.image(slot, k, func(context.Context) *image.RGBA {
		return r.store.drawn(
			c,
			at,
			func(s *strokes) *image.RGBA { return c.paint(f, startWorkers(runtime.GOMAXPROCS(0)), s) },
		)
	})
}

// spot is where an image is that is no tile.
type spot struct {
	slot  string
	frame frameKey
}

// drawBlocks draws the map itself: one image, or tiles where the rest comes later.
func (r *Renderer) drawBlocks(d *scene.Drawing, s *State, l *layout, c *look) {
	if r.Later {
		r.drawTiles(d, s, l, c)
		return
	}
	d.Add(scene.Image{At: l.plot, Pixels: r.blocks("map", c, l.plotFrame()), Name: "heap blocks over time and address"})
}
