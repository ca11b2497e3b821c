package layout

import "math"

// siftPass holds what moving one block x along the order costs: for each block y that shares a layer with x, how many
// crossings more there are once x has gone past it from left to right (Bachmaier and others, 2011: only y and x change
// sides, so only their own segments matter). What crosses lies at the highest layer that both share and at the lowest.
// At either, three cases:
//
//	x runs on, y ends       y runs on, x ends       both end
//
//	   |  \ /                  \ /  |                 \ /  \ /
//	   x   y                    x   y                  x    y
//
//	y's adjacencies          x's adjacencies         pairs of
//	cross x: their lean      cross y: their lean     adjacencies
//	times x's weight         seen from y             are compared
//
// The lean of y's adjacencies (weight to the right less weight to the left) is kept with y; that of x's changes by a
// cursor as y goes from left to right.
type siftPass struct {
	above, below slotKeys
	passed       []int32 // places of the blocks that share a layer with x, from left to right
	change       []int64 // crossings added by passing each from left to right
}

// slotKeys are the far ends of a block's adjacencies on one side, from left to right: place<<32 | port, with a sentinel
// after the last, and their weights.
type slotKeys struct {
	at     []int64
	weight []int64
	all    int64
}

// loadKeys fills k from a row of adjacencies, which it sorts.
func (b *blockOrder) loadKeys(k *slotKeys, row []adjacency) {
	b.sortAdjacencies(row)
	n := len(row)
	if cap(k.weight) < n || cap(k.at) <= n {
		k.at, k.weight = make([]int64, 2*n+1), make([]int64, 2*n)
	}
	k.at, k.weight, k.all = k.at[:n+1], k.weight[:n], 0
	for i := range row {
		y := &row[i]
		k.at[i], k.weight[i] = int64(b.place[y.block])<<32|int64(y.port), int64(y.weight)
		k.all += int64(y.weight)
	}
	k.at[n] = math.MaxInt64
}

// passCosts finds the costs for block i between two places of the order: of n blocks that share a layer with it, the
// first "left" ones stand to its left; b.pass.passed has their places and b.pass.change what passing each adds.
func (b *blockOrder) passCosts(i, leftmost, rightmost int32) (n, left int) {
	b.pass.fit(len(b.blocks))
	x, from := &b.blocks[i], b.place[i]
	n, left = b.sharingLayers(x.layerSpan, leftmost, from, rightmost)
	b.costs(x, n)
	b.spent += int64(n) + int64(rightmost-leftmost)/16
	return n, left
}

// fit makes room for n blocks.
func (w *siftPass) fit(n int) {
	if len(w.passed) < n {
		w.passed, w.change = make([]int32, n), make([]int64, n)
	}
}

// sharingLayers lists the blocks that share a layer with x, to the left and to the right of place "at". About half of
// all do, in no order that a processor can predict, so each is written and the count grows by 0 or 1: with a branch
// sifting takes half as long again.
func (b *blockOrder) sharingLayers(x layerSpan, leftmost, at, rightmost int32) (n, left int) {
	passed := b.pass.passed
	scan := func(row []placedBlock, at int32) {
		for k := range row {
			y := &row[k]
			passed[n] = at + int32(k)
			n += 1 - int(uint32((x.bottom-y.top)|(y.bottom-x.top))>>31)
		}
	}
	scan(b.placed[leftmost:at], leftmost)
	left = n
	scan(b.placed[at+1:rightmost+1], at+1)
	return n, left
}

// costs computes the cost of passing each of the n blocks listed.
func (b *blockOrder) costs(x *block, n int) {
	b.loadKeys(&b.pass.above, b.ups(x))
	b.loadKeys(&b.pass.below, b.downs(x))
	weight := int64(x.weight)
	above, below := b.pass.above, b.pass.below
	passed, change := b.pass.passed[:n], b.pass.change[:n]
	top, bottom := x.top, x.bottom
	ju, jd := 0, 0
	hereUp, hereDown := -above.all, -below.all // how x leans, seen from y
	nextUp, nextDown := int32(above.at[0]>>32), int32(below.at[0]>>32)
	for k, at := range passed {
		y := &b.placed[at]
		for ; nextUp < at; nextUp = int32(above.at[ju] >> 32) {
			hereUp += 2 * above.weight[ju]
			ju++
		}
		for ; nextDown < at; nextDown = int32(below.at[jd] >> 32) {
			hereDown += 2 * below.weight[jd]
			jd++
		}
		// Masks of all ones where x ends and y runs on, and where y ends and x runs on: no branch could be predicted.
		xEndsUp, yEndsUp := int64(y.top-top)>>63, int64(top-y.top)>>63
		xEndsDown, yEndsDown := int64(bottom-y.bottom)>>63, int64(y.bottom-bottom)>>63
		c := int64(y.weight)*(xEndsUp&hereUp+xEndsDown&hereDown) +
			weight*(yEndsUp&int64(y.up)+yEndsDown&int64(y.down))
		if y.top == top && len(above.weight) > 0 {
			c += b.crossingsDelta(&above, b.adjacenciesAt(at, 0))
		}
		if y.bottom == bottom && len(below.weight) > 0 {
			c += b.crossingsDelta(&below, b.adjacenciesAt(at, 1))
		}
		change[k] = c
	}
}

// adjacenciesAt gives the adjacencies upwards (side 0) or downwards (side 1) of the block at a place.
func (b *blockOrder) adjacenciesAt(at, side int32) []adjacency {
	y := &b.blocks[b.order[at]]
	return b.adjacencies[y.rows[side]:y.rows[side+1]]
}

// crossingsDelta compares the adjacencies of two blocks that end in the same layer: the crossings when the block with
// keys k stands to the right of the one with this row, less those when it stands to the left. Short rows are compared
// pair by pair, others merged.
func (b *blockOrder) crossingsDelta(k *slotKeys, row []adjacency) int64 {
	sum := int64(0)
	b.spent += int64(len(row))
	if len(k.weight) == 1 || len(k.weight)*len(row) <= 12 {
		for j, w := range k.weight {
			x, s := k.at[j], int64(0)
			for i := range row {
				y := &row[i]
				at := int64(b.place[y.block])<<32 | int64(y.port)
				s += int64(y.weight) * ((at-x)>>63 - (x-at)>>63) // 1, 0 or -1 times
			}
			sum += w * s
		}
		return sum
	}
	b.sortAdjacencies(row)
	j, less := 0, int64(0)
	for i := range row {
		y := &row[i]
		at := int64(b.place[y.block])<<32 | int64(y.port)
		for k.at[j] < at {
			less += k.weight[j]
			j++
		}
		same := int64(0)
		for m := j; k.at[m] == at; m++ {
			same += k.weight[m]
		}
		sum += int64(y.weight) * (less - (k.all - less - same))
	}
	return sum
}
