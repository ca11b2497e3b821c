package raster

import (
	"image"

	"orrery/views/scene"
)

// mosaic lays the picture over what is there, by pieces of rows that stay in the processor's cache: where it has as
// many pixels as the target it is never made as a whole.
func (c *canvas) mosaic(m scene.Mosaic) {
	at, ok := c.device(m.At)
	w, h := m.Width, m.Rows()
	if !ok || w <= 0 || h == 0 {
		return
	}
	if near(m.At.W()*c.scale, w) && near(m.At.H()*c.scale, h) {
		at.Max = at.Min.Add(image.Pt(w, h))
	}
	if at.Size() != image.Pt(w, h) {
		c.image(m.Image())
		return
	}
	visible := at.Intersect(c.clip)
	if visible.Empty() {
		return
	}
	c.bands(visible.Dx()*visible.Dy()/8, func(rows image.Rectangle) {
		part := visible.Intersect(rows)
		var piece [1024]uint8
		for y := part.Min.Y; y < part.Max.Y; y++ {
			below := c.im.Pix[c.im.PixOffset(part.Min.X, y):][:4*part.Dx()]
			for x := part.Min.X - at.Min.X; len(below) > 0; {
				above := m.Row(piece[:min(len(piece), len(below))], x, y-at.Min.Y)
				over(below, above)
				below, x = below[len(above):], x+len(above)/4
			}
		}
	})
}
