package layout

import (
	"context"
	"math/rand/v2"
	"slices"
)

// perturb leaves local optima, as simulated annealing does: it puts a block and some of its neighbours at random
// places, lets the group and its neighbours sift to their best places, and takes that back if there are more crossings
// than before. At first it accepts up to one part in a hundred more, and one crossing, falling to none as the work is
// spent. It ends with the best order seen. A try that passes no block costs no work, so there are no more tries than
// units of work.
func (b *blockOrder) perturb(ctx context.Context, random *rand.Rand, limit int64) error {
	b.readLayers()
	old, best := slices.Clone(b.order), slices.Clone(b.order)
	begin, now, least := b.spent, b.crossings(), b.crossings()
	g := &group{blockOrder: b, marked: make([]int32, len(b.blocks))}
	for tries := limit - begin; tries > 0 && b.spent < limit && least > 0; tries-- {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		copy(old, b.order)
		change := g.scatter(random)
		change -= g.gather()
		patience := float64(limit-b.spent) / float64(limit-begin)
		if float64(change) > patience*(1+float64(least)/100)*random.Float64() {
			b.setOrder(old)
			continue
		}
		if now += change; now < least {
			least = now
			copy(best, b.order)
		}
	}
	b.setOrder(best)
	return nil
}

// group is the set of blocks of one try.
type group struct {
	*blockOrder
	try    int32
	marked []int32 // block -> the last try it was in
	member []int32
}

// take adds a block to the group, once.
func (g *group) take(i int32) {
	if g.marked[i] != g.try {
		g.marked[i] = g.try
		g.member = append(g.member, i)
	}
}

// around adds the neighbours of a block, from left to right.
func (g *group) around(i int32) {
	x := &g.blocks[i]
	g.sortAdjacencies(g.ups(x))
	g.sortAdjacencies(g.downs(x))
	for _, y := range g.neighbours(x) {
		g.take(y.block)
	}
}

// scatter puts a random block and up to seven of its neighbours at random places and returns how many crossings that
// adds.
func (g *group) scatter(random *rand.Rand) int64 {
	n := int32(len(g.blocks))
	g.try++
	g.member = g.member[:0]
	g.take(random.Int32N(n))
	g.around(g.member[0])
	if len(g.member) > 8 {
		random.Shuffle(len(g.member), func(i, j int) { g.member[i], g.member[j] = g.member[j], g.member[i] })
		g.member = g.member[:8]
	}
	change := int64(0)
	for _, i := range g.member[:1+random.IntN(len(g.member))] {
		change += g.displace(i, random.Int32N(n))
	}
	return change
}

// gather sifts the group and its neighbours, at most four rounds, and returns how many crossings that saves.
func (g *group) gather() int64 {
	for _, i := range slices.Clone(g.member) {
		g.around(i)
	}
	sum := int64(0)
	for range 4 {
		saved := int64(0)
		for _, i := range g.member {
			saved += g.siftBlock(i)
		}
		sum += saved
		if saved == 0 {
			break
		}
	}
	return sum
}

// displace moves a block to a place and returns how many crossings that adds.
func (b *blockOrder) displace(i, to int32) int64 {
	n, left := b.passCosts(i, min(to, b.place[i]), max(to, b.place[i]))
	sum := int64(0)
	for _, change := range b.pass.change[left:n] {
		sum += change
	}
	for _, change := range b.pass.change[:left] {
		sum -= change
	}
	b.moveTo(i, to)
	return sum
}
