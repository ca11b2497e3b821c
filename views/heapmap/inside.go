package heapmap

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// Inside is where and when a block is touched: references counted in a grid, rows from the block's beginning to its
// end, columns from its allocation to its free.
type Inside struct {
	Block  int
	Counts [][]uint32
}

// roomInside is the extent in units from which on a block has room for the references inside it.
const roomInside = 10.0

// drawInside lays the references over the selected block, from the ground where there are none to the colour of text
// where there are most: shades that no colouring of blocks has. What has the ground's was never touched. A legend of
// its own stands beside the block.
func drawInside(d *scene.Drawing, s *State, l *layout) {
	if s.Inside == nil || s.Selected.What != link.Block || s.Selected.ID != s.Inside.Block || s.Bin > 0 &&
		s.Heap.Bin(s.Inside.Block) != s.Bin-1 {
		return
	}
	b := s.Heap.Block(s.Inside.Block)
	r := scene.Rect{Min: scene.Point{X: l.x(float64(b.From)), Y: l.plot.Min.Y + l.axis.y(b.High())},
		Max: scene.Point{X: l.x(float64(max(b.To, b.From+1))), Y: l.plot.Min.Y + l.axis.y(b.Low)}}
	if r.W() < roomInside || r.H() < roomInside || !l.axis.shows(b.Low) || !l.axis.shows(b.High()-1) ||
		len(s.Inside.Counts) == 0 || len(s.Inside.Counts[0]) == 0 {
		return
	}
	counts, most := s.Inside.fit(min(r.W(), 4*l.plot.W()), min(r.H(), 4*l.plot.H()))
	d.Add(scene.Group{Clip: l.plot, Shapes: []scene.Shape{scene.Image{At: r, Pixels: paintInside(s.Theme, counts, most),
		Name: "references inside the block"}}})
	if r.Min.X > l.plot.Max.X || r.Max.X < l.plot.Min.X {
		return
	}
	bytes := float64(b.High()-b.Low) / float64(len(counts))
	span := float64(s.Heap.Free(b)-s.Heap.Alloc(b)) / float64(len(counts[0]))
	insideLegend(d, s, l, r, most, "in "+words.Bytes(uint64(max(1, math.Round(bytes))))+" and "+
		words.Plural(uint64(max(1, math.Round(span))), "reference")+" of time")
}

// insideLegend says what the shades inside a block at r mean, above it where there is room and else below. per is what
// a count is of.
func insideLegend(d *scene.Drawing, s *State, l *layout, r scene.Rect, most uint32, per string) {
	const h, edge, ramp = 16.0, 7.0, 60.0
	wide := func(t string) float64 { return scene.Measure(scene.Sans, labelSize, t) + edge }
	name, high := fmt.Sprintf("inside #%d: untouched", s.Inside.Block), words.Plural(uint64(most), "reference")
	if most == 0 {
		high = "no reference"
	}
	w := edge + wide(name) + swatch + edge
	if most > 0 {
		w += wide("1") + ramp + edge
		if most > 1 {
			high += " (log)"
		}
	}
	if w += wide(high); w > l.plot.W() {
		return
	}
	if more := wide(per); w+more <= l.plot.W() {
		w += more
	} else {
		per = ""
	}
	at := scene.R(min(max(r.Min.X, l.plot.Min.X), l.plot.Max.X-w), r.Min.Y-h-3, w, h)
	if at.Min.Y < l.plot.Min.Y {
		at = scene.R(at.Min.X, min(r.Max.Y+3, l.plot.Max.Y-h), w, h)
	}
	d.Add(scene.Fill{Path: scene.RoundBox(at, 3), Color: palette.Alpha(s.Theme.Panel, 0.92)})
	x, mid := at.Min.X+edge, at.Center().Y
	text := func(t string) {
		d.Add(scene.Text{At: scene.Point{X: x, Y: mid + 3.7}, Size: labelSize, Color: s.Theme.Text, S: t})
		x += wide(t)
	}
	text(name)
	box := scene.Box(scene.R(x, mid-swatch/2, swatch, swatch))
	d.Add(scene.Fill{Path: box, Color: insideColor(s.Theme, 0, most)}, scene.Stroke{Path: box, Width: 0.75,
		Color: s.Theme.Faint})
	if x += swatch + edge; most > 0 {
		text("1")
		drawRamp(d, scene.R(x, mid-4, ramp, 8), func(v float64) color.NRGBA {
			return insideShade(s.Theme, math.Log1p(1)/math.Log1p(float64(most))*(1-v)+v)
		})
		x += ramp + edge
	}
	if text(high); per != "" {
		text(per)
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

// fit is the counts in cells that can be seen in so much room, and the most of one.
func (n *Inside) fit(w, h float64) (counts [][]uint32, most uint32) {
	counts = n.coarse(int(h/leastCellSide), int(w/leastCellSide))
	for _, row := range counts {
		most = max(most, slices.Max(row))
	}
	return counts, most
}

// paintInside is counts as an image, the block's beginning below.
func paintInside(t palette.Theme, counts [][]uint32, most uint32) *image.RGBA {
	rows := len(counts)
	img := image.NewRGBA(image.Rect(0, 0, len(counts[0]), rows))
	for y, row := range counts {
		for x, v := range row {
			c := insideColor(t, v, most)
			img.SetRGBA(x, rows-1-y, color.RGBA{R: c.R, G: c.G, B: c.B, A: 255})
		}
	}
	return img
}

// insideColor is the shade of a count, by its logarithm.
func insideColor(t palette.Theme, v, most uint32) color.NRGBA {
	if v == 0 {
		return palette.Mix(ground(t), t.Line, 0.5)
	}
	return insideShade(t, math.Log1p(float64(v))/math.Log1p(float64(most)))
}

// insideShade is the shade of 0..1: the least stands out from what is untouched.
func insideShade(t palette.Theme, v float64) color.NRGBA {
	return palette.Mix(palette.Mix(ground(t), t.Text, 0.35), t.Text, v)
}
