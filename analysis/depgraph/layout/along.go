package layout

// walk is the way of one brick along the order. Above the highest layer that two bricks share, and below the lowest, they have
// something to cross, and nowhere else: on either side each of the two runs on or ends there and has its bonds. Where the one
// passed ends and the one that moves runs on, what changes is how the bonds of the one passed lean, whatever the place; where it is
// the other way round, how the bonds of the one that moves do, seen from the one passed, which changes little from step to step.
// Only where both end are bonds compared with bonds. Nearly all of it goes without branches, which no processor could foresee.
type walk struct {
	above, below keys
	passed       []int32 // places of bricks that share a layer, from left to right
	change       []int64 // what passing each from left to right adds
	ends         [2][]int32
}

// keys are the places bonds lead to, in order, each with its slot, and the weights.
type keys struct {
	at     []int64
	weight []int64
	all    int64
}

func (b *bricks) keysOf(k *keys, row []bond) {
	k.at, k.weight, k.all = k.at[:0], k.weight[:0], 0
	for i := range row {
		y := &row[i]
		k.at = append(k.at, int64(b.place[y.brick])<<32|int64(y.port))
		k.weight = append(k.weight, int64(y.weight))
		k.all += int64(y.weight)
	}
}

// along looks at the places between two, to either side of where a brick is, and finds what changes where: it passes bricks to its
// left in places b.walk.passed[:left], those to its right in b.walk.passed[left:n], and each adds b.walk.change crossings when passed from left to
// right.
func (b *bricks) along(i, leftmost, rightmost int32) (n, left int) {
	if room := len(b.brick) + 2; len(b.walk.passed) < room {
		b.walk.passed, b.walk.change = make([]int32, room), make([]int64, room)
		b.walk.ends = [2][]int32{make([]int32, room), make([]int32, room)}
	}
	n, left = b.meet(i, leftmost, rightmost)
	if x := &b.brick[i]; x.bonds[1]-x.bonds[0] == 1 && x.bonds[2]-x.bonds[1] == 1 {
		b.weighOne(i, n)
	} else {
		b.weigh(i, n)
	}
	b.spent += int64(n) + int64(rightmost-leftmost)/16
	return n, left
}

// meet finds the bricks that share a layer with one: how many, and how many of them to its left.
func (b *bricks) meet(i, leftmost, rightmost int32) (n, left int) {
	x, from := b.brick[i].tall, b.place[i]
	passed := b.walk.passed
	scan := func(tall []tall, at int32) {
		for k := range tall {
			t := &tall[k]
			passed[n] = at + int32(k)
			n += 1 - int(uint32((x.bottom-t.top)|(t.bottom-x.top))>>31)
		}
	}
	scan(b.tall[leftmost:from], leftmost)
	left = n
	scan(b.tall[from+1:rightmost+1], from+1)
	return n, left
}

// weigh computes what passing each of the first n adds.
func (b *bricks) weigh(i int32, n int) {
	x := &b.brick[i]
	b.keysOf(&b.walk.above, b.ups(x))
	b.keysOf(&b.walk.below, b.downs(x))
	weight := int64(x.weight)
	above, below := b.walk.above, b.walk.below
	passed, change := b.walk.passed[:n], b.walk.change[:n]
	ups, downs := b.walk.ends[0][:n], b.walk.ends[1][:n]
	tall, order, leans := b.tall, b.order, b.lean
	top, bottom := x.top, x.bottom
	nu, nd := 0, 0
	ju, jd := 0, 0
	hereUp, hereDown := -above.all, -below.all
	for k, at := range passed {
		t := tall[at]
		l := &leans[order[at]]
		for ju < len(above.at) && int32(above.at[ju]>>32) < at {
			hereUp += 2 * above.weight[ju]
			ju++
		}
		for jd < len(below.at) && int32(below.at[jd]>>32) < at {
			hereDown += 2 * below.weight[jd]
			jd++
		}
		// All ones where the condition holds.
		xEndsUp, yEndsUp := int64(t.top-top)>>63, int64(top-t.top)>>63
		xEndsDown, yEndsDown := int64(bottom-t.bottom)>>63, int64(t.bottom-bottom)>>63
		change[k] = l.weight*(xEndsUp&hereUp+xEndsDown&hereDown) + weight*(yEndsUp&l.up+yEndsDown&l.down)
		ups[nu], downs[nd] = int32(k), int32(k)
		nu += int(1 + xEndsUp + yEndsUp)
		nd += int(1 + xEndsDown + yEndsDown)
	}
	if len(above.at) > 0 {
		for _, k := range ups[:nu] {
			change[k] += b.both(&b.walk.above, b.ups(&b.brick[b.order[passed[k]]]))
		}
	}
	if len(below.at) > 0 {
		for _, k := range downs[:nd] {
			change[k] += b.both(&b.walk.below, b.downs(&b.brick[b.order[passed[k]]]))
		}
	}
}

// weighOne does so for a brick with one bond on either side, as that of an edge has: bricks to the left of what a bond leads to are
// passed at the opposite cost of those to its right.
func (b *bricks) weighOne(i int32, n int) {
	x := &b.brick[i]
	top, bottom, weight := x.top, x.bottom, int64(x.weight)
	up, down := &b.bond[x.bonds[0]], &b.bond[x.bonds[0]+1]
	upAt, downAt, upWeight, downWeight := b.place[up.brick], b.place[down.brick], int64(up.weight), int64(down.weight)
	passed, change := b.walk.passed[:n], b.walk.change[:n]
	ups, downs := b.walk.ends[0][:n], b.walk.ends[1][:n]
	tall, order, leans := b.tall, b.order, b.lean
	nu, nd := 0, 0
	for k, at := range passed {
		t := tall[at]
		l := &leans[order[at]]
		// All ones where the condition holds.
		xEndsUp, yEndsUp := int64(t.top-top)>>63, int64(top-t.top)>>63
		xEndsDown, yEndsDown := int64(bottom-t.bottom)>>63, int64(t.bottom-bottom)>>63
		toUp, toDown := int64(at-upAt)>>63, int64(at-downAt)>>63
		hereUp, hereDown := (upWeight^toUp)-toUp, (downWeight^toDown)-toDown
		change[k] = l.weight*(xEndsUp&hereUp+xEndsDown&hereDown) + weight*(yEndsUp&l.up+yEndsDown&l.down)
		ups[nu], downs[nd] = int32(k), int32(k)
		nu += int(1 + xEndsUp + yEndsUp)
		nd += int(1 + xEndsDown + yEndsDown)
	}
	a := int64(upAt)<<32 | int64(up.port)
	for _, k := range ups[:nu] {
		change[k] += b.one(a, b.ups(&b.brick[b.order[passed[k]]])) * upWeight
	}
	a = int64(downAt)<<32 | int64(down.port)
	for _, k := range downs[:nd] {
		change[k] += b.one(a, b.downs(&b.brick[b.order[passed[k]]])) * downWeight
	}
}

// one gives the crossings of a bond to a with others that end in the same layer, to the left of it, less those the other way round.
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

// both gives the crossings of two bricks that end in one layer, theirs with keys k on the right, less those the other way round.
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
