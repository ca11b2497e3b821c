package layout

import "math"

// walk is the way of one brick along the order. Above the highest layer that two bricks share, and below the lowest,
// they have something to cross, and nowhere else: on either side each of the two runs on or ends there and has its
// bonds. Where the one passed ends and the one that moves runs on, what changes is how the bonds of the one passed
// lean, whatever the place; where it is the other way round, how the bonds of the one that moves do, seen from the one
// passed, which changes little from step to step. Only where both end are bonds compared with bonds. Nearly all of it
// goes without branches, which no processor could foresee.
type siftPass struct {
	above, below slotKeys
	passed       []int32 // places of bricks that share a layer, from left to right
	change       []int64 // what passing each from left to right adds
}

// keys are the places bonds lead to, in order, each with its slot, and the weights.
type slotKeys struct {
	at     []int64
	weight []int64
	all    int64
}

func (b *blockOrder) loadKeys(k *slotKeys, row []adjacency) {
	b.sortAdjacencies(row)
	k.at, k.weight, k.all = k.at[:0], k.weight[:0], 0
	for i := range row {
		y := &row[i]
		k.at = append(k.at, int64(b.place[y.block])<<32|int64(y.port))
		k.weight = append(k.weight, int64(y.weight))
		k.all += int64(y.weight)
	}
	k.at = append(k.at, math.MaxInt64)
}

// along looks at the places between two, to either side of where a brick is, and finds what changes where: it passes
// bricks to its left in places b.walk.passed[:left], those to its right in b.walk.passed[left:n], and each adds
// b.walk.change crossings when passed from left to right, so many times.
func (b *blockOrder) passCosts(i, leftmost, rightmost int32) (n, left int) {
	b.pass.fit(len(b.blocks))
	x, from := &b.blocks[i], b.place[i]
	n, left = b.sharingLayers(x.layerSpan, leftmost, from, rightmost)
	b.costs(x, n)
	b.spent += int64(n) + int64(rightmost-leftmost)/16
	return n, left
}

// fit makes room for a walk past n bricks.
func (w *siftPass) fit(n int) {
	if len(w.passed) < n {
		w.passed, w.change = make([]int32, n), make([]int64, n)
	}
}

// meet finds the bricks that share a layer with one: how many, and how many of them to its left.
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

// weigh computes what passing each of the first n adds.
func (b *blockOrder) costs(x *block, n int) {
	b.loadKeys(&b.pass.above, b.ups(x))
	b.loadKeys(&b.pass.below, b.downs(x))
	weight := int64(x.weight)
	above, below := b.pass.above, b.pass.below
	passed, change := b.pass.passed[:n], b.pass.change[:n]
	top, bottom := x.top, x.bottom
	ju, jd := 0, 0
	hereUp, hereDown := -above.all, -below.all
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
		c := int64(0)
		switch {
		case y.top < top:
			c = int64(y.weight) * hereUp
		case y.top > top:
			c = weight * int64(y.up)
		case len(above.weight) > 0:
			c = b.crossingsDelta(&above, b.adjacenciesAt(at, 0))
		}
		switch {
		case y.bottom > bottom:
			c += int64(y.weight) * hereDown
		case y.bottom < bottom:
			c += weight * int64(y.down)
		case len(below.weight) > 0:
			c += b.crossingsDelta(&below, b.adjacenciesAt(at, 1))
		}
		change[k] = c
	}
}

// sideOf gives the bonds upwards, for 0, or downwards, for 1, of the brick at a place.
func (b *blockOrder) adjacenciesAt(at, side int32) []adjacency {
	y := &b.blocks[b.order[at]]
	return b.adjacencies[y.rows[side]:y.rows[side+1]]
}

// both gives the crossings of two bricks that end in one layer, theirs with keys k on the right, less those the other way round.
func (b *blockOrder) crossingsDelta(k *slotKeys, row []adjacency) int64 {
	sum := int64(0)
	b.spent += int64(len(row))
	if len(k.weight) == 1 || len(k.weight)*len(row) <= 12 {
		for i := range row {
			y := &row[i]
			at := int64(b.place[y.block])<<32 | int64(y.port)
			s := int64(0)
			for j, w := range k.weight {
				a := k.at[j]
				s += w * ((at-a)>>63 - (a-at)>>63)
			}
			sum += s * int64(y.weight)
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
