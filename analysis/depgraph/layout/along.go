package layout

// walk is the way of one brick along the order. Above the highest layer that two bricks share, and below the lowest,
// they have something to cross, and nowhere else: on either side each of the two runs on or ends there and has its
// bonds. Where the one passed ends and the one that moves runs on, what changes is how the bonds of the one passed
// lean, whatever the place; where it is the other way round, how the bonds of the one that moves do, seen from the one
// passed, which changes little from step to step. Only where both end are bonds compared with bonds. Nearly all of it
// goes without branches, which no processor could foresee.
type walk struct {
	above, below keys
	passed       []int32 // places of bricks that share a layer, from left to right
	change       []int64 // what passing each from left to right adds
	ends         []int32 // where both end: twice which of those passed, and one more where below
}

// keys are the places bonds lead to, in order, each with its slot, and the weights.
type keys struct {
	at     []int64
	weight []int64
	all    int64
}

func (b *bricks) keysOf(k *keys, row []bond) {
	b.tidy(row)
	k.at, k.weight, k.all = k.at[:0], k.weight[:0], 0
	for i := range row {
		y := &row[i]
		k.at = append(k.at, int64(b.place[y.brick])<<32|int64(y.port))
		k.weight = append(k.weight, int64(y.weight))
		k.all += int64(y.weight)
	}
}

// along looks at the places between two, to either side of where a brick is, and finds what changes where: it passes
// bricks to its left in places b.walk.passed[:left], those to its right in b.walk.passed[left:n], and each adds
// b.walk.change crossings when passed from left to right, so many times.
func (b *bricks) along(i, leftmost, rightmost int32) (n, left int, times int64) {
	b.walk.fit(len(b.brick))
	x, from := &b.brick[i], b.place[i]
	n, left = b.meet(x.tall, leftmost, from, rightmost)
	if ups, downs := b.ups(x), b.downs(x); len(ups) == 1 && len(downs) == 1 && x.weighsAll(&ups[0], &downs[0]) {
		times = int64(ups[0].weight)
		b.weighOne(x.tall, &ups[0], &downs[0], n)
	} else {
		times = 1
		b.weigh(x, n)
	}
	b.spent += int64(n) + int64(rightmost-leftmost)/16
	return n, left, times
}

// weighsAll says whether two bonds and what runs through their brick weigh the same. What runs through one in a single
// layer does not matter: it passes none that ends where it runs on.
func (x *brick) weighsAll(up, down *bond) bool {
	return up.weight == down.weight && (x.weight == up.weight || x.top == x.bottom)
}

// fit makes room for a walk past n bricks.
func (w *walk) fit(n int) {
	if len(w.passed) < n {
		w.passed, w.change, w.ends = make([]int32, n), make([]int64, n), make([]int32, 2*n+2)
	}
}

// meet finds the bricks that share a layer with one: how many, and how many of them to its left.
func (b *bricks) meet(x tall, leftmost, at, rightmost int32) (n, left int) {
	passed := b.walk.passed
	scan := func(row []post, at int32) {
		for k := range row {
			y := &row[k]
			passed[n] = at + int32(k)
			n += 1 - int(uint32((x.bottom-y.top)|(y.bottom-x.top))>>31)
		}
	}
	scan(b.post[leftmost:at], leftmost)
	left = n
	scan(b.post[at+1:rightmost+1], at+1)
	return n, left
}

// weigh computes what passing each of the first n adds.
func (b *bricks) weigh(x *brick, n int) {
	b.keysOf(&b.walk.above, b.ups(x))
	b.keysOf(&b.walk.below, b.downs(x))
	weight := int64(x.weight)
	above, below := b.walk.above, b.walk.below
	passed, change, ends := b.walk.passed[:n], b.walk.change[:n], b.walk.ends
	top, bottom := x.top, x.bottom
	end := 0
	ju, jd := 0, 0
	hereUp, hereDown := -above.all, -below.all
	for k, at := range passed {
		y := &b.post[at]
		for ju < len(above.at) && int32(above.at[ju]>>32) < at {
			hereUp += 2 * above.weight[ju]
			ju++
		}
		for jd < len(below.at) && int32(below.at[jd]>>32) < at {
			hereDown += 2 * below.weight[jd]
			jd++
		}
		// All ones where the condition holds.
		xEndsUp, yEndsUp := int64(y.top-top)>>63, int64(top-y.top)>>63
		xEndsDown, yEndsDown := int64(bottom-y.bottom)>>63, int64(y.bottom-bottom)>>63
		change[k] = int64(y.weight)*(xEndsUp&hereUp+xEndsDown&hereDown) + weight*(yEndsUp&int64(y.up)+yEndsDown&int64(y.down))
		ends[end] = int32(2 * k)
		end += int(1 + xEndsUp + yEndsUp)
		ends[end] = int32(2*k + 1)
		end += int(1 + xEndsDown + yEndsDown)
	}
	sides := [2]*keys{&b.walk.above, &b.walk.below}
	for _, e := range ends[:end] {
		if own := sides[e&1]; len(own.at) > 0 {
			change[e>>1] += b.both(own, b.sideOf(passed[e>>1], e&1))
		}
	}
}

// sideOf gives the bonds upwards, for 0, or downwards, for 1, of the brick at a place.
func (b *bricks) sideOf(at, side int32) []bond {
	y := &b.brick[b.order[at]]
	return b.bond[y.bonds[side]:y.bonds[side+1]]
}

// weighOne does so for a brick with one bond on either side, as that of an edge has: bricks to the left of what a bond
// leads to are passed at the opposite cost of those to its right. It has one weight, and is looked at as if that were
// 1.
func (b *bricks) weighOne(x tall, up, down *bond, n int) {
	upAt, downAt := b.place[up.brick], b.place[down.brick]
	change, passed := b.walk.change, b.walk.passed[:n]
	end := b.passOne(x, upAt, downAt, n)
	to := [2]int64{int64(upAt)<<32 | int64(up.port), int64(downAt)<<32 | int64(down.port)}
	for _, e := range b.walk.ends[:end] {
		change[e>>1] += b.one(to[e&1], b.sideOf(passed[e>>1], e&1))
	}
}

// passOne computes what does not take a look at bonds, and lists where both end, for which it does: how many there are.
func (b *bricks) passOne(x tall, upAt, downAt int32, n int) int {
	passed, change, ends, post := b.walk.passed[:n], b.walk.change[:n], b.walk.ends, b.post
	end, twice := uint32(0), int32(0)
	for k, at := range passed {
		y := &post[uint32(at)]
		// All ones where it runs on and the other ends, or where the other does.
		diff := y.top - x.top
		on, off := diff>>31, -diff>>31
		ends[end] = twice
		end += uint32(1 + on + off)
		sum := ((at-upAt)>>31|1)&on*y.weight + y.up&off
		diff = x.bottom - y.bottom
		on, off = diff>>31, -diff>>31
		ends[end] = twice + 1
		end += uint32(1 + on + off)
		sum += ((at-downAt)>>31|1)&on*y.weight + y.down&off
		change[k] = int64(sum)
		twice += 2
	}
	return int(end)
}

// one gives the crossings of a bond to a with others that end in the same layer, to the left of it, less those the
// other way round.
func (b *bricks) one(a int64, row []bond) int64 {
	sum := int64(0)
	b.spent += int64(len(row))
	for i := range row {
		y := &row[i]
		at := int64(b.place[y.brick])<<32 | int64(y.port)
		sum += int64(y.weight) * ((at-a)>>63 - (a-at)>>63)
	}
	return sum
}

// both gives the crossings of two bricks that end in one layer, theirs with keys k on the right, less those the other
// way round.
func (b *bricks) both(k *keys, row []bond) int64 {
	if len(k.at) == 1 {
		return b.one(k.at[0], row) * k.weight[0]
	}
	sum := int64(0)
	b.spent += int64(len(row))
	if len(k.at)*len(row) <= 12 {
		for i := range row {
			y := &row[i]
			at := int64(b.place[y.brick])<<32 | int64(y.port)
			s := int64(0)
			for j, a := range k.at {
				s += k.weight[j] * ((a-at)>>63 - (at-a)>>63)
			}
			sum -= s * int64(y.weight)
		}
		return sum
	}
	b.tidy(row)
	j, less := 0, int64(0)
	for i := range row {
		y := &row[i]
		at := int64(b.place[y.brick])<<32 | int64(y.port)
		for j < len(k.at) && k.at[j] < at {
			less += k.weight[j]
			j++
		}
		same := int64(0)
		for m := j; m < len(k.at) && k.at[m] == at; m++ {
			same += k.weight[m]
		}
		sum += int64(y.weight) * (less - (k.all - less - same))
	}
	return sum
}
