package heapmap

import (
	"image"
	"sync"
)

// desk is memory that is needed only while an image is made, and used again for the next one. While alpha is dragged
// there are a dozen images a frame: fresh memory for each costs the system's pages, and a collection of garbage every
// few frames. A desk may be used from any goroutine.
type desk struct {
	tools    sync.Pool // *tools
	pictures sync.Pool // *image.RGBA
}

// tools are what a painter works with. The brush's cells and marks are zero.
type tools struct {
	brush   brush
	strokes []stroke
	runs    []run
	hues    hues
}

// take gives tools for images of w pixels.
func (d *desk) take(w int) *tools {
	t, _ := d.tools.Get().(*tools)
	if t == nil {
		t = &tools{strokes: make([]stroke, flushed+leafStrokes)}
	}
	t.brush.fit(w)
	return t
}

// lay puts tools back.
func (d *desk) lay(t *tools) { d.tools.Put(t) }

// picture is an image with anything in it, for who paints all of it and calls drop.
func (d *desk) picture(w, h int) *image.RGBA {
	p, _ := d.pictures.Get().(*image.RGBA)
	if p == nil || cap(p.Pix) < 4*w*h {
		return image.NewRGBA(image.Rect(0, 0, w, h))
	}
	return &image.RGBA{Pix: p.Pix[:4*w*h], Stride: 4 * w, Rect: image.Rect(0, 0, w, h)}
}

// drop gives a picture back.
func (d *desk) drop(p *image.RGBA) { d.pictures.Put(p) }
