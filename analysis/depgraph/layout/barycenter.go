package layout

// center gives bricks an order of their own: each goes to the mean place of those it is joined to, again and again,
// which soon brings it near to where it belongs, from however far away (the global barycenter heuristic of Bachmaier
// and others). Left alone, what remains in the end is the slowest of all waves over the graph, and with more layers
// than places in them that is one from the first layer to the last, which says nothing of left and right: level takes
// it out, so often in each round, at the end of which bricks go to the places 0, 1, 2 ... of their order, or all would
// end in one.
func (b *blockOrder) globalBarycenter(rounds, times, levels int, push float64) {
	near := b.paddedSums()
	was, on := append(spare[float64](b.scratch, len(b.coord)), b.coord...), 0.0
	for range rounds {
		for i := range max(levels, 1) {
			b.moveToBarycenters(near, times)
			if i < levels {
				b.centerLayers(was, on)
				on = push
			}
		}
		b.rankByCoord()
	}
}

// average takes bricks to how far to the right they are on the average in the layers' present order.
func (b *blockOrder) coordsFromLayers() {
	scale := raw[float64](b.scratch, len(b.layering.order))
	for r, row := range b.layering.order {
		scale[r] = float64(len(b.blocks)) / float64(len(row))
	}
	for i := range b.blocks {
		x := &b.blocks[i]
		right := 0.0
		for r := x.top; r <= x.bottom; r++ {
			right += (float64(b.pos[x.first+r-x.top]) + 0.5) * scale[r]
		}
		b.coord[i] = right / float64(x.bottom-x.top+1)
	}
}

// gatherAll takes one brick after the other to the mean place of those it is joined to, some times over: each sees
// where those before it have just gone, so that a shift runs through the graph at once.
func (b *blockOrder) moveToBarycenters(near []paddedSum, times int) {
	b.spent += int64(times * len(b.blocks))
	at := b.coord[:len(b.coord)+2]
	for range times {
		for i := range near {
			x := &near[i]
			at[x.to] = (at[x.of[0]] + at[x.of[1]] + at[x.of[2]] + at[x.of[3]]) * x.share
		}
	}
}

// four are what a brick is joined to: their sum, times a share, is where it goes. Most are joined to no more, so that
// all are gone through alike, without a branch: for what is missing of four there is one brick more, at 0, and what is
// joined to more has the sum so far carried to the next of its fours by yet another.
type paddedSum struct {
	of    [4]uint32
	to    uint32
	share float64
}

// inFours lists what bricks are joined to, each as often as it weighs.
func (b *blockOrder) paddedSums() []paddedSum {
	n, weight := len(b.blocks), 0
	for i := range b.adjacencies {
		weight += int(b.adjacencies[i].weight)
	}
	none, carry := uint32(n), uint32(n+1)
	b.coord[:n+1][none] = 0
	fours := spare[paddedSum](b.scratch, weight/3+n)
	for i := range b.blocks {
		x, k, weight := paddedSum{[4]uint32{none, none, none, none}, carry, 1}, 0, 0
		for _, y := range b.neighbours(&b.blocks[i]) {
			for range y.weight {
				if k == 4 {
					fours = append(fours, x)
					x.of, k = [4]uint32{carry, none, none, none}, 1
				}
				x.of[k] = uint32(y.block)
				k++
				weight++
			}
		}
		if k > 0 {
			x.to, x.share = uint32(i), 1/float64(weight)
			fours = append(fours, x)
		}
	}
	return fours
}

// level moves each brick so that in every layer the mean of all places is the middle, by the mean of what that takes in
// its layers; and then on by a share of what it has moved since it was where was says, which is where it was now.
func (b *blockOrder) centerLayers(was []float64, push float64) {
	over, brick := b.layerDrift(), b.blocks
	at, most := b.coord[:len(brick)], float64(len(brick))-0.5
	was = was[:len(brick)]
	for i := range brick {
		x := brick[i].layerSpan
		to := clampTo(at[i]-(over[x.bottom+1]-over[x.top])/float64(x.bottom+1-x.top), most)
		on := clampTo(to+push*(to-was[i]), most)
		was[i], at[i] = to, on
	}
}

// held is the nearest to a place that is not beyond either end.
func clampTo(x, most float64) float64 {
	if x < 0 {
		return 0
	}
	if x > most {
		return most
	}
	return x
}

// overs give, for each layer, how far the mean places in all above are over the middle.
func (b *blockOrder) layerDrift() []float64 {
	n, brick := len(b.layering.order), b.blocks
	at, middle := b.coord[:len(brick)], float64(len(brick))/2
	// Layer -> the sum of its bricks' places, less that of the layer before; then what is over the middle in all above.
	sum := b.drift[:n+1]
	clear(sum)
	for i := range brick {
		x := brick[i].layerSpan
		sum[x.top] += at[i]
		sum[x.bottom+1] -= at[i]
	}
	s, over := 0.0, 0.0
	for r, row := range b.layering.order {
		s += sum[r]
		sum[r] = over
		if len(row) > 0 { // between pins a layer may be empty
			over += s/float64(len(row)) - middle
		}
	}
	sum[n] = over
	return sum
}

// line puts bricks into the order of where they are, equals as they were made, and each to its place in that order.
func (b *blockOrder) rankByCoord() {
	ranked := b.keys
	for i, at := range b.coord[:len(ranked)] {
		ranked[i] = uint64(int64(at*(1<<16)))<<24 | uint64(i)
	}
	sorted := sortKeys(ranked, b.sorted, b.counts)
	order, place, at := b.order[:len(sorted)], b.place, b.coord
	for to, k := range sorted {
		i := int32(k & (1<<24 - 1))
		order[to], place[i], at[i] = i, int32(to), float64(to)
	}
}
