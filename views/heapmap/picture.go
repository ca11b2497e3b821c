package heapmap

import (
	"image"
	"slices"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// picture is a finished image of blocks.
type picture struct {
	image  *image.RGBA
	colors *coloring
}

// key is all that an image depends on. Slices are compared by content, the heap by identity: it is immutable.
type key struct {
	heap      *heap.Heap
	theme     palette.Theme
	from, to  heap.Time
	low, high traceio.Addr
	w, h      int
	color     ColorBy
	cushion   Cushion
	alpha     float64
	selected  link.Thing
}

// get gives the image for a rectangle, from memory if nothing that it shows has changed.
func (k *kept) get(s *State, l *layout, at scene.Rect, a axis, from, to heap.Time) *picture {
	now := key{heap: s.Heap, theme: s.Theme, from: from, to: to, color: s.Color, cushion: s.Cushion, alpha: s.alpha(),
		w: int(at.W()*a.scale + 0.5), h: int(at.H()*a.scale + 0.5)}
	if n := len(a.segments); n > 0 {
		now.low, now.high = a.segments[0].Low, a.segments[n-1].High
	}
	if s.Selected.What != link.Block { // a block is outlined, anything else changes colours
		now.selected = s.Selected
	}
	if k.pix != nil && k.key == now && slices.Equal(k.hidden, s.Hidden) && slices.Equal(k.sites, s.Sites) {
		return k.pix
	}
	if k.pix == nil || k.key.heap != now.heap || k.key.color != now.color || k.key.theme != now.theme || !slices.Equal(k.sites, s.Sites) {
		k.colors = newColoring(s)
	}
	k.key, k.hidden, k.sites = now, slices.Clone(s.Hidden), slices.Clone(s.Sites)
	// Always a new image: drawings that hold the last one are immutable.
	k.pix = &picture{image: image.NewRGBA(image.Rect(0, 0, now.w, now.h)), colors: k.colors}
	c := &canvas{h: s.Heap, w: now.w, rows: now.h, from: float64(from), perTime: float64(now.w) / float64(to-from), to: to, first: from, segments: a.segments,
		colors: k.colors, dim: chosen(s), gap: s.Theme.Panel, back: ground(s.Theme), cushion: s.Cushion, pow: newPower(now.alpha), out: k.pix.image, edge: 0.42}
	if !s.Theme.Dark {
		c.edge = 0.62
	}
	c.ground = toLinear(c.back)
	c.skip = make([]bool, len(k.colors.entries))
	copy(c.skip, s.Hidden)
	for _, e := range k.colors.entries {
		full := toLinear(e.Color)
		fade := full
		for i := range fade {
			fade[i] = dimmed*full[i] + (1-dimmed)*c.ground[i]
		}
		c.linear, c.faded = append(c.linear, full), append(c.faded, fade)
	}
	for i := range c.amounts {
		c.amounts[i] = toLinear(amountColor(s.Theme, float64(i)/amountSteps))
	}
	c.paint()
	return k.pix
}
