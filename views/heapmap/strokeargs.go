package heapmap

import (
	"math"

	"orrery/analysis/heap"
)

// strokeArgs is the arguments of strokesByFour: how blocks of one leaf of the index become strokes of one band, four
// blocks at a time. What is the same for all four is there four times, as a register of the processor holds it;
// stroke_amd64.s knows the fields by name.
type strokeArgs struct {
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
	below  [4]uint32  // and its number with the class and the dither
}

// setArgs sets the arguments for a band of a segment.
func (p *painter) setArgs(g *segment) {
	n := &p.strokeArgs
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

// byFour makes the strokes of blocks of a leaf from i on, four at a time, as far as strokesByFour goes, and returns of
// how many. mask is their marks.
func (p *painter) byFour(l *heap.Leaf, mask []uint8, i int) int {
	n := &p.strokeArgs
	before, had := len(l.Offsets)-i, p.n
	n.offsets, n.left, n.at = &l.Offsets[i], before, p.n*strokeBytes
	n.class, n.amount = &mask[i], nil
	if p.class == nil {
		n.amount = &p.colors.amount[l.First+i]
	}
	strokesByFour(n)
	if p.n = n.at / strokeBytes; p.some {
		p.drop(had)
	}
	return before - n.left
}
