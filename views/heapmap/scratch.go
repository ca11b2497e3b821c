package heapmap

import (
	"image"
	"sync"
)

// scratchPool holds memory that is needed only while an image is made, for reuse by the next one. While alpha is
// dragged there are a dozen images a frame: fresh memory for each costs page faults, and a garbage collection every few
// frames. Its methods are safe from any goroutine.
type scratchPool struct {
	scratch sync.Pool // *scratch
	images  sync.Pool // *image.RGBA
}

// scratch is a painter's buffers. The brush's cells and marks are zero between uses.
type scratch struct {
	brush   brush
	strokes []stroke
	runs    []run
	hues    hues
}

// take gives buffers for images of w pixels.
func (d *scratchPool) take(w int) *scratch {
	t, _ := d.scratch.Get().(*scratch)
	if t == nil {
		t = &scratch{strokes: make([]stroke, flushed+leafStrokes)}
	}
	t.brush.fit(w)
	return t
}

// put gives buffers back.
func (d *scratchPool) put(t *scratch) { d.scratch.Put(t) }

// image is an image of undefined contents: the caller paints all of it, and calls putImage when done.
func (d *scratchPool) image(w, h int) *image.RGBA {
	p, _ := d.images.Get().(*image.RGBA)
	if p == nil || cap(p.Pix) < 4*w*h {
		return image.NewRGBA(image.Rect(0, 0, w, h))
	}
	return &image.RGBA{Pix: p.Pix[:4*w*h], Stride: 4 * w, Rect: image.Rect(0, 0, w, h)}
}

// putImage gives an image back.
func (d *scratchPool) putImage(p *image.RGBA) { d.images.Put(p) }
