package heapmap

import "orrery/analysis/heap"

// Where there are millions of blocks, most leaves of the index lie within one row of pixels, and their blocks are so
// low that what they show elsewhere does not count (see narrow). Of such level leaves nothing is left but to tell
// columns: no strokes are made, their blocks are added to the cells at once. That is what strokes of them would do, to
// the last bit.

// level is how blocks of one level leaf are added to the cells of their row; level_amd64.s knows the fields by name.
type level struct {
	offsets *heap.Offset // of the next block,
	class   *uint8       // and its mark
	left    int          // blocks
	pow     *power
	hues    *cell  // of the row, see hues,
	cells   *cell  // its cells,
	marks   *uint8 // and their marks
	x, y    float64

	perTime, perAddr [4]float64
	wide             [4]float64 // columns
	narrow           [4]float64 // side up to which a block's own does not count
	high, slope      [4]float32 // see mean
	// light at a relief's border, what is above that, and the mean over the height of what is lower than a border
	edge, gain, level [4]float32

	// Of the leaf's blocks: where the cells of their first and last columns are in the row, in bytes; the shares of
	// these, of the row, and where their powers are; the light. All of these come first, as nothing of a block waits
	// for another there.
	a, b       [leafBlocks]uint32
	f0, f1, fy [leafBlocks]float32
	w0, w1, wy [leafBlocks]uint32
	light      [leafBlocks]float32
}

// leafBlocks is the most blocks of a leaf.
const leafBlocks = 64

// hues is, for each row of a band and each class, {1, 0, m, m r, m g, m b} with m what a narrow block of the class says
// for its weight, and linear colour. Dimmed classes stand behind those that are not: 0, 0 dimmed, 1, 1 dimmed and so
// on.
type hues [bandRows][2 * (maxClasses + 1)]cell

// levels reports whether level leaves are added at once: not where strokes are kept, and not of amounts.
func (p *painter) levels() bool {
	return vectors && p.class != nil && !p.some && !p.plain && p.kept == nil
}

// flatten sets the painter up for level leaves of a band.
func (p *painter) flatten(g *segment) {
	n := &p.level
	for i := range n.wide {
		n.perTime[i], n.perAddr[i], n.wide[i], n.narrow[i] = p.perTime, g.perAddr, p.wide, narrow
		n.high[i], n.slope[i], n.edge[i], n.gain[i], n.level[i] = p.high, p.slope, p.edge, 1-p.edge, p.mean(0)
	}
	n.pow = p.pow
	row0 := g.number(p.r0)
	for row := range p.hues {
		dither := &p.dither[(row0-int64(row))&(ditherRows-1)]
		for class := range p.colors.entries {
			colorWeight := (1 - dither[class]*255) * p.colorWeight.of(1)
			for i, from := range [...]*cell{&p.shades[class], &p.shades[class|dimStroke]} {
				p.hues[row][2*class+i] = cell{
					1,
					0,
					colorWeight,
					colorWeight * from[3],
					colorWeight * from[4],
					colorWeight * from[5],
				}
			}
		}
	}
}

// rowOf is the row of the band in which a leaf is level.
func (p *painter) rowOf(l *leafAt) (row int, ok bool) {
	const rounding = 1e-6
	top := l.y - float64(l.Box.High-l.Box.Low)*l.g.perAddr
	row = int(l.y)
	return row - p.r0, top-rounding > float64(row) && l.y+rounding < float64(row+1) && row >= p.r0 && row < p.r1
}

// patience is how many level leaves are left to strokes after one whose first blocks were not narrow: its neighbours'
// are not, most likely.
const patience = 8

// row adds the blocks of a leaf that is level in a row of the band up to the first that is not narrow, and tells where
// it stands.
func (p *painter) row(l *leafAt, mask []uint8, row int) int {
	p.drain() // sums depend on who comes first, in their last bits
	n, all := &p.level, len(l.Offsets)
	n.hues, n.cells, n.marks, n.x, n.y = &p.hues[row][0], p.brush.rows[row], p.brush.lines[row], l.x, l.y
	n.offsets, n.class, n.left = &l.Offsets[0], &mask[0], all
	rows(n)
	if n.left == all {
		p.waits = patience
	}
	return all - n.left
}

// drain weighs the strokes that wait for it.
func (p *painter) drain() {
	if p.n > 0 {
		p.flush(p.strokes[:p.n])
		p.n = 0
	}
}
