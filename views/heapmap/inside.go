package heapmap

import (
	"image"
	"image/color"
	"math"
	"slices"

	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// Inside is where and when a block is touched: references counted in a grid, rows from the block's beginning to its end, columns
// from its allocation to its free.
type Inside struct {
	Block  int
	Counts [][]uint32
}

// roomInside is the extent in units from which on a block has room for the references inside it.
const roomInside = 10.0

// drawInside lays the references over the selected block: bright where there are many, the ground where there are none. What
// stays dark was never touched.
func drawInside(d *scene.Drawing, s *State, l *layout) {
	if s.Inside == nil || s.Selected.What != link.Block || s.Selected.ID != s.Inside.Block || s.Bin > 0 && s.Heap.Bin(s.Inside.Block) != s.Bin-1 {
		return
	}
	b := s.Heap.Block(s.Inside.Block)
	r := scene.Rect{Min: scene.Point{X: l.x(float64(b.From)), Y: l.plot.Min.Y + l.axis.y(b.High())},
		Max: scene.Point{X: l.x(float64(max(b.To, b.From+1))), Y: l.plot.Min.Y + l.axis.y(b.Low)}}
	if r.W() < roomInside || r.H() < roomInside || !l.axis.shows(b.Low) || !l.axis.shows(b.High()-1) {
		return
	}
	if pix := s.Inside.paint(s.Theme, min(r.W(), 4*l.plot.W()), min(r.H(), 4*l.plot.H())); pix != nil {
		d.Add(scene.Group{Clip: l.plot, Shapes: []scene.Shape{scene.Image{At: r, Pixels: pix, Name: "references inside the block"}}})
	}
}

// leastCellSide is the side of a cell of the grid on the screen. A single reference would not be seen in less.
const leastCellSide = 3.0

// coarse is the counts in at most so many rows and columns: cells side by side are added up.
func (n *Inside) coarse(rows, columns int) [][]uint32 {
	rows, columns = max(1, min(rows, len(n.Counts))), max(1, min(columns, len(n.Counts[0])))
	out := make([][]uint32, rows)
	for y := range out {
		out[y] = make([]uint32, columns)
	}
	for y, row := range n.Counts {
		for x, v := range row {
			c := &out[y*rows/len(n.Counts)][x*columns/len(row)]
			*c += min(v, math.MaxUint32-*c)
		}
	}
	return out
}

// paint is the grid as an image for so much room, the block's beginning below.
func (n *Inside) paint(t palette.Theme, w, h float64) *image.RGBA {
	if len(n.Counts) == 0 || len(n.Counts[0]) == 0 {
		return nil
	}
	counts := n.coarse(int(h/leastCellSide), int(w/leastCellSide))
	most := uint32(1)
	for _, row := range counts {
		most = max(most, slices.Max(row))
	}
	rows := len(counts)
	img := image.NewRGBA(image.Rect(0, 0, len(counts[0]), rows))
	for y, row := range counts {
		for x, v := range row {
			c := palette.Mix(ground(t), t.Line, 0.5)
			if v > 0 {
				c = amountColor(t, 0.2+0.8*math.Log1p(float64(v))/math.Log1p(float64(most)))
			}
			img.SetRGBA(x, rows-1-y, color.RGBA{R: c.R, G: c.G, B: c.B, A: 255})
		}
	}
	return img
}
