package layout

import (
	"context"
	"math/rand/v2"
	"slices"
)

// sift takes bricks along the order that is shown, at first all of them, and then those joined to one whose move has
// paid since, until a round saves little or the work is spent: row by row those that are in one layer only, and then
// the others, which are in the most layers first; those of a flat graph have been taken along before. What it leaves is
// shown, but for the bricks to adopt.
func (b *blockOrder) sift(ctx context.Context, enough, limit int64) error {
	rest := take[bool](b.scratch, len(b.blocks))
	for before := int64(0); b.spent < limit; {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		saved := b.siftLayers(rest, limit)
		if !b.flat() {
			saved += b.siftLong(rest, limit)
		}
		if before = max(before, saved); saved <= before/enough {
			break
		}
	}
	return nil
}

// siftLong takes bricks in several layers along the order of all.
func (b *blockOrder) siftLong(rest []bool, limit int64) int64 {
	saved, any := int64(0), false
	for _, i := range b.longFirst {
		if b.spent > limit {
			break
		}
		if rest[i] {
			continue
		}
		if !any {
			any = true
			b.readLayers()
		}
		rest[i] = true
		if gain := b.siftBlock(i); gain > 0 {
			saved += gain
			b.wakeNeighbours(i, rest)
		}
	}
	if any {
		b.writeLayers()
	}
	return saved
}

// siftAll takes each brick in several layers along the order of all, by at most so many places and so many more for
// each of its layers.
func (b *blockOrder) siftAll(reach, each int64) {
	most := b.reach
	for _, i := range b.longFirst {
		x := &b.blocks[i]
		b.reach = int32(min(int64(most), reach+each*int64(x.bottom-x.top+1)))
		b.siftBlock(i)
	}
	b.reach = most
}

// wake has bricks joined to one looked at again.
func (b *blockOrder) wakeNeighbours(i int32, rest []bool) {
	for _, y := range b.neighbours(&b.blocks[i]) {
		rest[y.block] = false
	}
}

// move takes a brick to its best place, the farthest away if several are as good, and says how many crossings that
// saves: what costs nothing often makes room for what pays.
func (b *blockOrder) siftBlock(i int32) int64 {
	from := b.place[i]
	n, middle := b.passCosts(i, max(0, from-b.reach), min(int32(len(b.order))-1, from+b.reach))
	passed, change := b.pass.passed, b.pass.change
	right, far, left, near := int64(0), 0, int64(0), 0
	for k, sum := middle, int64(0); k < n; k++ {
		if sum += change[k]; sum <= right {
			right, far = sum, k-middle+1
		}
	}
	for k, sum := middle-1, int64(0); k >= 0; k-- {
		if sum -= change[k]; sum <= left {
			left, near = sum, middle-k
		}
	}
	to, away := from, from
	if far > 0 {
		to = passed[middle+far-1]
	}
	if near > 0 {
		away = passed[middle-near]
	}
	if left < right || left == right && from-away > to-from {
		to, right = away, left
	}
	b.moveTo(i, to)
	return -right
}

// shake tries to leave a place where no single move helps: it puts a brick and some of those joined to it anywhere,
// lets them and what they are joined to find their best places again, and takes all that back if it made things worse.
// At first a little worse is good enough, too: up to a hundredth, and one crossing more. The best order seen stays. A
// try that passes nothing costs no work, so tries are counted as well: there are no more of them than units of work.
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

// group is what is shaken together.
type group struct {
	*blockOrder
	turn   int32
	marked []int32 // brick -> turn in which it was last taken in
	some   []int32
}

func (g *group) take(i int32) {
	if g.marked[i] != g.turn {
		g.marked[i] = g.turn
		g.some = append(g.some, i)
	}
}

// around takes in what a brick is joined to, in order.
func (g *group) around(i int32) {
	x := &g.blocks[i]
	g.sortAdjacencies(g.ups(x))
	g.sortAdjacencies(g.downs(x))
	for _, y := range g.neighbours(x) {
		g.take(y.block)
	}
}

// scatter puts a brick and up to seven of its neighbours anywhere and says how many crossings that adds.
func (g *group) scatter(random *rand.Rand) int64 {
	n := int32(len(g.blocks))
	g.turn++
	g.some = g.some[:0]
	g.take(random.Int32N(n))
	g.around(g.some[0])
	if len(g.some) > 8 {
		random.Shuffle(len(g.some), func(i, j int) { g.some[i], g.some[j] = g.some[j], g.some[i] })
		g.some = g.some[:8]
	}
	change := int64(0)
	for _, i := range g.some[:1+random.IntN(len(g.some))] {
		change += g.displace(i, random.Int32N(n))
	}
	return change
}

// gather lets the group and what it is joined to find their best places, and says how many crossings that saves.
func (g *group) gather() int64 {
	for _, i := range slices.Clone(g.some) {
		g.around(i)
	}
	sum := int64(0)
	for range 4 {
		saved := int64(0)
		for _, i := range g.some {
			saved += g.siftBlock(i)
		}
		sum += saved
		if saved == 0 {
			break
		}
	}
	return sum
}

// force takes a brick to a place and says how many crossings that adds.
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
