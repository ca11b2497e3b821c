package layout

// globalBarycenter orders blocks by the global barycenter heuristic (Bachmaier and others, 2011): every block
// moves to the mean coordinate of its neighbours, "times" times over, and the result is ranked 0, 1, 2 ... at the end
// of every round, or all would end in one point. Two additions:
//
//   - What remains in the end is the slowest mode of the iteration. In a graph with more layers than vertices in each
//     that is a wave from the first layer to the last, which says nothing of left and right: centerLayers takes it
//     out, "levels" times in each round (0: never).
//   - push > 0 extrapolates every step but the first by that share of the last move (the heavy-ball method of B.
//     Polyak, 1964). With 0.5 and the same number of rounds, flat graphs have two to three crossings in a hundred
//     fewer once they are sifted.
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

// coordsFromLayers gives each block the mean of its relative positions in the layers' present order.
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

// moveToBarycenters moves one block after the other, each seeing where those before it have just gone (Gauss-Seidel),
// so that a shift runs through the whole graph in one pass.
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

// paddedSum is the mean of up to four coordinates: their sum times share goes to coordinate "to". Most blocks have at
// most four neighbours, so all are computed alike without a branch; with a loop over neighbours flat graphs take a
// third more time. Missing ones name a coordinate that is always 0; a block with more than four has its sum carried on
// in another coordinate.
//
//	neighbours a b c d e f  ->  carry = a+b+c+d,  block = (carry+e+f+0) / 6
type paddedSum struct {
	of    [4]uint32
	to    uint32
	share float64
}

// paddedSums lists the neighbours of all blocks, each as often as its adjacency weighs.
func (b *blockOrder) paddedSums() []paddedSum {
	n, weight := len(b.blocks), 0
	for i := range b.adjacencies {
		weight += int(b.adjacencies[i].weight)
	}
	none, carry := uint32(n), uint32(n+1)
	b.coord[:n+1][none] = 0
	sums := spare[paddedSum](b.scratch, weight/3+n)
	for i := range b.blocks {
		x, k, weight := paddedSum{[4]uint32{none, none, none, none}, carry, 1}, 0, 0
		for _, y := range b.neighbours(&b.blocks[i]) {
			for range y.weight {
				if k == 4 {
					sums = append(sums, x)
					x.of, k = [4]uint32{carry, none, none, none}, 1
				}
				x.of[k] = uint32(y.block)
				k++
				weight++
			}
		}
		if k > 0 {
			x.to, x.share = uint32(i), 1/float64(weight)
			sums = append(sums, x)
		}
	}
	return sums
}

// centerLayers moves every block by the mean, over its layers, of what takes each layer's mean coordinate to the
// middle; then on by a share of what it has moved since "was", which becomes where it is before that extrapolation.
func (b *blockOrder) centerLayers(was []float64, push float64) {
	over, blocks := b.layerDrift(), b.blocks
	at, most := b.coord[:len(blocks)], float64(len(blocks))-0.5
	was = was[:len(blocks)]
	for i := range blocks {
		x := blocks[i].layerSpan
		to := clampTo(at[i]-(over[x.bottom+1]-over[x.top])/float64(x.bottom+1-x.top), most)
		on := clampTo(to+push*(to-was[i]), most)
		was[i], at[i] = to, on
	}
}

// clampTo is x, or the nearer end of 0 to most.
func clampTo(x, most float64) float64 {
	if x < 0 {
		return 0
	}
	if x > most {
		return most
	}
	return x
}

// layerDrift gives prefix sums over the layers: how far the mean coordinates of all layers above one exceed the middle.
func (b *blockOrder) layerDrift() []float64 {
	n, blocks := len(b.layering.order), b.blocks
	at, middle := b.coord[:len(blocks)], float64(len(blocks))/2
	// A difference array: blocks add to the layers from top to bottom at two places.
	sum := b.drift[:n+1]
	clear(sum)
	for i := range blocks {
		x := blocks[i].layerSpan
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

// rankByCoord sorts blocks by coordinate, equal ones by number, and sets each coordinate to its rank.
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
