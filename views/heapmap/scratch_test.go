package heapmap

import (
	"bytes"
	"image"
	"testing"

	"orrery/views/palette"
	"orrery/views/scene"
)

// Scratch memory that was used before does not show: images of undefined contents and buffers of wider and narrower
// images give the pixels of fresh ones.
func TestNothingOfBeforeShows(t *testing.T) {
	s := State{Theme: palette.Dark(), Heap: story(t)}
	for _, s.Plain = range []bool{false, true} {
		for _, s.Color = range []ColorBy{Site, Size} {
			colors := newColoring(&s)
			used := newLook(&s, colors, nil)
			for _, w := range []float64{700, 320, 900, 500} {
				l := newLayout(&s, scene.Size{W: w, H: 300, Scale: 1})
				f := l.plotFrame()
				want := newLook(&s, colors, nil).paint(f, startWorkers(1), nil)
				pix := used.scratchPool.image(f.w, f.h)
				if pix.Rect != image.Rect(0, 0, f.w, f.h) || len(pix.Pix) != 4*f.w*f.h {
					t.Fatalf("a picture of %dx%d has %v and %d bytes", f.w, f.h, pix.Rect, len(pix.Pix))
				}
				for i := range pix.Pix {
					pix.Pix[i] = 0xa5
				}
				used.paintOn(pix, f, startWorkers(2), nil)
				if !bytes.Equal(pix.Pix, want.Pix) {
					t.Errorf("by %s, plain %t, %g wide: pixels of before are left", s.Color, s.Plain, w)
				}
				used.scratchPool.putImage(pix)
			}
		}
	}
}
