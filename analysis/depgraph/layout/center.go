package layout

import "slices"

// center gives bricks an order of their own: each goes to the mean place of those it is joined to, again and again, which soon brings it
// near to where it belongs, from however far away (the global barycenter heuristic of Bachmaier and others). Left alone, what remains in
// the end is the slowest of all waves over the graph, and with more layers than places in them that is one from the first layer to
// the last, which says nothing of left and right: level takes it out, so often in each round, at the end of which bricks go to the
// places 0, 1, 2 ... of their order, or all would end in one.
func (b *bricks) center(rounds, times, levels int) {
	near := b.inFours()
	for range rounds {
		b.gatherAll(near, times)
		for i := range levels {
			if i > 0 {
				b.gatherAll(near, times)
			}
			b.level()
		}
		b.line()
	}
}

// average takes bricks to how far to the right they are on the average in the layers' present order.
func (b *bricks) average() {
	scale := b.floats.raw(len(b.levels.order))
	for r, row := range b.levels.order {
		scale[r] = float64(len(b.brick)) / float64(len(row))
	}
	for i := range b.brick {
		x := &b.brick[i]
		right := 0.0
		for r := x.top; r <= x.bottom; r++ {
			right += (float64(b.pos[x.first+r-x.top]) + 0.5) * scale[r]
		}
		b.at[i] = right / float64(x.bottom-x.top+1)
	}
}

// gatherAll takes one brick after the other to the mean place of those it is joined to, some times over: each sees where those before it
// have just gone, so that a shift runs through the graph at once.
func (b *bricks) gatherAll(near *fours, times int) {
	b.spent += int64(times * len(b.brick))
	at, pull, four := b.at[:len(b.at)+1], b.pull, near.four
	for range times {
		next := 0
		for i, end := range near.end {
			if next == int(end) {
				continue // it is joined to nothing
			}
			sum := 0.0
			for ; next < int(end); next++ {
				x := &four[next]
				sum += at[x[0]]
				sum += at[x[1]]
				sum += at[x[2]]
				sum += at[x[3]]
			}
			at[i] = sum * pull[i]
		}
	}
}

// fours are what bricks are joined to, four at a time: most have no more, and are all gone through alike.
type fours struct {
	four [][4]int32
	end  []int32 // brick -> where those of the next begin
}

// inFours lists what bricks are joined to, each as often as it weighs; for what is missing of four there is one brick more, at 0.
func (b *bricks) inFours() *fours {
	n, weight := len(b.brick), 0
	for i := range b.bond {
		weight += int(b.bond[i].weight)
	}
	at := b.floats.raw(n + 1)
	copy(at, b.at)
	at[n], b.at = 0, at[:n:n+1]
	f := &fours{b.fours.spare(weight/4 + n), b.ints.raw(n)}
	none := int32(n)
	for i := range b.brick {
		x, k := [4]int32{none, none, none, none}, 0
		for _, y := range b.joints(&b.brick[i]) {
			for range y.weight {
				if k == 4 {
					f.four = append(f.four, x)
					x, k = [4]int32{none, none, none, none}, 0
				}
				x[k] = y.brick
				k++
			}
		}
		if k > 0 {
			f.four = append(f.four, x)
		}
		f.end[i] = int32(len(f.four))
	}
	return f
}

// level moves each brick so that in every layer the mean of all places is the middle: by the mean of what that takes in its layers.
func (b *bricks) level() {
	n, brick := len(b.levels.order), b.brick
	at := b.at[:len(brick)]
	middle, most := float64(len(brick))/2, float64(len(brick))-0.5
	// Layer -> the sum of its bricks' places, less that of the layer before; then what is over the middle in all above.
	sum := b.over[:n+1]
	clear(sum)
	for i := range brick {
		x := brick[i].tall
		sum[x.top] += at[i]
		sum[x.bottom+1] -= at[i]
	}
	s, over := 0.0, 0.0
	for r, row := range b.levels.order {
		s += sum[r]
		sum[r] = over
		if len(row) > 0 { // between pins a layer may be empty
			over += s/float64(len(row)) - middle
		}
	}
	sum[n] = over
	for i := range brick {
		x := brick[i].tall
		to := at[i] - (sum[x.bottom+1]-sum[x.top])/float64(x.bottom+1-x.top)
		if to < 0 {
			to = 0
		}
		if to > most {
			to = most
		}
		at[i] = to
	}
}

// line puts bricks into the order of where they are, equals as they were made, and each to its place in that order.
func (b *bricks) line() {
	room, ranked := b.slot, b.ranked
	clear(room)
	for i, at := range b.at[:len(ranked)] {
		k := uint64(int64(at * (1 << 16)))
		ranked[i] = k<<24 | uint64(i)
		room[k>>16]++
	}
	sum, most := int32(0), int32(0)
	for i, k := range room {
		room[i] = sum
		sum += k
		most = max(most, k)
	}
	// Places are all but even, so that bricks go straight to where they belong or near it.
	sorted := b.sorted
	for _, k := range ranked {
		r := &room[k>>40]
		sorted[*r] = k
		*r++
	}
	if most > 64 {
		slices.Sort(sorted)
	}
	for i := 1; i < len(sorted); i++ {
		k, j := sorted[i], i
		for ; j > 0 && sorted[j-1] > k; j-- {
			sorted[j] = sorted[j-1]
		}
		sorted[j] = k
	}
	order, place, at := b.order[:len(sorted)], b.place, b.at
	for to, k := range sorted {
		i := int32(k & (1<<24 - 1))
		order[to], place[i], at[i] = i, int32(to), float64(to)
	}
}
