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
func (b *bricks) sift(ctx context.Context, enough, limit int64) error {
	rest := take[bool](b.room, len(b.brick))
	for before := int64(0); b.spent < limit; {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		saved := b.siftRows(rest, limit)
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
func (b *bricks) siftLong(rest []bool, limit int64) int64 {
	saved, any := int64(0), false
	for _, i := range b.turn {
		if b.spent > limit {
			break
		}
		if rest[i] {
			continue
		}
		if !any {
			any = true
			b.adopt()
		}
		rest[i] = true
		if gain := b.move(i); gain > 0 {
			saved += gain
			b.wake(i, rest)
		}
	}
	if any {
		b.show()
	}
	return saved
}

// siftAll takes each brick in several layers along the order of all, by at most so many places and so many more for
// each of its layers.
func (b *bricks) siftAll(reach, each int64) {
	most := b.reach
	for _, i := range b.turn {
		x := &b.brick[i]
		b.reach = int32(min(int64(most), reach+each*int64(x.bottom-x.top+1)))
		b.move(i)
	}
	b.reach = most
}

// wake has bricks joined to one looked at again.
func (b *bricks) wake(i int32, rest []bool) {
	for _, y := range b.joints(&b.brick[i]) {
		rest[y.brick] = false
	}
}

// move takes a brick to its best place, the farthest away if several are as good, and says how many crossings that
// saves: what costs nothing often makes room for what pays.
func (b *bricks) move(i int32) int64 {
	from := b.place[i]
	n, middle := b.along(i, max(0, from-b.reach), min(int32(len(b.order))-1, from+b.reach))
	passed, change := b.walk.passed, b.walk.change
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
	b.put(i, to)
	return -right
}

// shake tries to leave a place where no single move helps: it puts a brick and some of those joined to it anywhere,
// lets them and what they are joined to find their best places again, and takes all that back if it made things worse.
// At first a little worse is good enough, too: up to a hundredth, and one crossing more. The best order seen stays. A
// try that passes nothing costs no work, so tries are counted as well: there are no more of them than units of work.
func (b *bricks) shake(ctx context.Context, random *rand.Rand, limit int64) error {
	b.adopt()
	old, best := slices.Clone(b.order), slices.Clone(b.order)
	begin, now, least := b.spent, b.crossings(), b.crossings()
	g := &group{bricks: b, marked: make([]int32, len(b.brick))}
	for tries := limit - begin; tries > 0 && b.spent < limit && least > 0; tries-- {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		copy(old, b.order)
		change := g.scatter(random)
		change -= g.gather()
		patience := float64(limit-b.spent) / float64(limit-begin)
		if float64(change) > patience*(1+float64(least)/100)*random.Float64() {
			b.set(old)
			continue
		}
		if now += change; now < least {
			least = now
			copy(best, b.order)
		}
	}
	b.set(best)
	return nil
}

// group is what is shaken together.
type group struct {
	*bricks
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
	x := &g.brick[i]
	g.tidy(g.ups(x))
	g.tidy(g.downs(x))
	for _, y := range g.joints(x) {
		g.take(y.brick)
	}
}

// scatter puts a brick and up to seven of its neighbours anywhere and says how many crossings that adds.
func (g *group) scatter(random *rand.Rand) int64 {
	n := int32(len(g.brick))
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
		change += g.force(i, random.Int32N(n))
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
			saved += g.move(i)
		}
		sum += saved
		if saved == 0 {
			break
		}
	}
	return sum
}

// force takes a brick to a place and says how many crossings that adds.
func (b *bricks) force(i, to int32) int64 {
	n, left := b.along(i, min(to, b.place[i]), max(to, b.place[i]))
	sum := int64(0)
	for _, change := range b.walk.change[left:n] {
		sum += change
	}
	for _, change := range b.walk.change[:left] {
		sum -= change
	}
	b.put(i, to)
	return sum
}
