package heapmap

import (
	"image"
	"image/color"

	"orrery/views/palette"
	"orrery/views/scene"
)

// sampleBox is where a small block shows the relief of all blocks, left of the footer: figure 3 of the paper has it in
// a corner of each map. It is empty where there is no gutter.
func (l *layout) sampleBox() scene.Rect {
	if l.footer == 0 || l.plot.Min.X < gutterWide {
		return scene.Rect{}
	}
	const w, h = 44, 11
	return scene.R(l.plot.Min.X-6-w, l.footer-h+1.5, w, h)
}

// drawSample draws it.
func drawSample(d *scene.Drawing, s *State, l *layout, c *look) {
	at := l.sampleBox()
	w, h := int(at.W()*l.axis.scale+0.5), int(at.H()*l.axis.scale+0.5)
	if w == 0 {
		return
	}
	full := palette.Mix(s.Theme.Dim, s.Theme.Panel, 0.25)
	light := toLinear(full)
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			v := c.edge + (1-c.edge)*s.Cushion.relief(float64(x)+0.5, 0, float64(w))*s.Cushion.relief(float64(y)+0.5, 0,
				float64(h))
			img.SetRGBA(x, y, color.RGBA{R: toSRGB(v * light[0]), G: toSRGB(v * light[1]), B: toSRGB(v * light[2]), A: 255})
		}
	}
	d.Add(scene.Image{At: at, Pixels: img, Name: s.Cushion.String()})
}

// tells is what the sample's tooltip says of a relief.
func (c Cushion) tells() string {
	return [...]string{"blocks are dark along their borders alone", "blocks are brightest in the middle",
		"blocks are flat"}[min(c, Flat)]
}
