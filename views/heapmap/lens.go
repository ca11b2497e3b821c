package heapmap

import (
	"math"

	"orrery/analysis/heap"
)

// lens is how blocks of one leaf of the index become pixels of one band: what is needed to make strokes of four of them
// at a time. Of what is the same for all four there are as many; stroke_amd64.s knows the fields by name.
type lens struct {
	offsets *heap.Offset // of the next block,
	class   *uint8       // its mark
	amount  *float32     // and its amount, or nil
	strokes *stroke      // of the band,
	at      int          // and how many bytes of them are taken
	left    int          // blocks
	x, y    float64      // pixels of the leaf's corner

	perTime, perAddr  [4]float64
	roof, floor, wide [4]float64 // ends of the rows and columns that are wanted
	thin              [4]float64 // side from which on a block has a relief
	high, slope       [4]float32 // see mean
	edge, gain        [4]float32 // light at a relief's border, and what is above that
	row               [4]int32   // the band's first

	second [4]float32 // for blocks in two rows: their shares of the second one,
	below  [4]uint32  // and its number with the class and the turn
}

// aim sets the lens up for a band of a segment.
func (p *painter) aim(g *segment) {
	n := &p.lens
	thinnest := thin
	if p.cushion == Flat {
		thinnest = math.Inf(1)
	}
	for i := range n.row {
		n.perTime[i], n.perAddr[i], n.thin[i] = p.perTime, g.perAddr, thinnest
		n.roof[i], n.floor[i], n.wide[i] = float64(p.r0), float64(p.r1), p.wide
		n.high[i], n.slope[i], n.edge[i], n.gain[i] = p.high, p.slope, p.edge, 1-p.edge
		n.row[i] = int32(p.r0)
	}
	n.strokes = &p.strokes[0]
}

// together leaves the strokes of blocks of a leaf from i on as far as that goes for four at a time, and tells of how
// many. mask is their marks.
func (p *painter) together(l *heap.Leaf, mask []uint8, i int) int {
	n := &p.lens
	before, had := len(l.Offsets)-i, p.n
	n.offsets, n.left, n.at = &l.Offsets[i], before, p.n*strokeBytes
	n.class, n.amount = &mask[i], nil
	if p.class == nil {
		n.amount = &p.colors.amount[l.First+i]
	}
	fours(n)
	if p.n = n.at / strokeBytes; p.some {
		p.drop(had)
	}
	return before - n.left
}
