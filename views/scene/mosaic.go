package scene

import (
	"encoding/binary"
	"image"
)

// Mosaic is an image cut into fields of one colour, as rings and sectors cut a disc. Which field a pixel lies in does
// not change while the colours do: the picture need not be made, where it is only laid over another one.
//
// Pixel x of row y has the colour Colors[Field[y Width + x] - First], premultiplied, red in the lowest byte; it is
// clear where there is no such colour.
type Mosaic struct {
	At     Rect
	Width  int // pixels in a row
	Field  []int32
	First  int32
	Colors []uint32
	Name   string // what the image shows
}

// Rows is the number of whole rows.
func (m Mosaic) Rows() int {
	if m.Width <= 0 {
		return 0
	}
	return len(m.Field) / m.Width
}

// Row writes the pixels of row y from x on, as many as there is room for and as the row has.
func (m *Mosaic) Row(out []uint8, x, y int) []uint8 {
	fields := m.Field[y*m.Width+x : (y+1)*m.Width]
	out = out[:4*min(len(fields), len(out)/4)]
	first, colors := m.First, m.Colors
	for i, f := range fields[:len(out)/4] {
		c := uint32(0)
		if k := uint32(f - first); int(k) < len(colors) {
			c = colors[k]
		}
		binary.LittleEndian.PutUint32(out[4*i:], c)
	}
	return out
}

// Image is the same as an image of its own.
func (m Mosaic) Image() Image {
	im := image.NewRGBA(image.Rect(0, 0, max(0, m.Width), m.Rows()))
	for y := range m.Rows() {
		m.Row(im.Pix[y*im.Stride:], 0, y)
	}
	return Image{At: m.At, Pixels: im, Name: m.Name}
}
