package layout

// strip is one layer while vertices are taken along it, from one place to another, to where their segments cross the fewest others. It
// keeps the segments of all its vertices in the order of the layer, each by the slot it leads to, so that a way along the layer is a
// way along a few rows of numbers: what passing each segment adds is summed up from the left, and a place is as good as the sums
// at its left end are low. A vertex adds nothing when it passes itself, so that its own segments need no care.
type strip struct {
	row      []int32 // vertices from left to right
	up, down flank
	turn     []int32
}

// flank is what leaves the vertices of a layer on one side.
type flank struct {
	start  []int32 // place in the layer -> its first segment
	key    []int32 // segment -> slot at the other end
	plain  bool    // all segments weigh 1
	weight []int32 // of segments, unless they are plain
	sum    []int64 // segment -> what passing those to its left adds; one more for all of them
	slots  int32   // at the other end
	passed []int64 // slot -> what passing a segment to there adds
}

// lift takes up a layer from place lo to hi.
func (l *levels) lift(s *strip, r, lo, hi int) {
	s.row = l.order[r][lo : hi+1]
	s.up.plain, s.down.plain = r > 0 && l.plain[r-1], l.plain[r]
	s.up.fill(s.row, &l.up, &l.down)
	s.down.fill(s.row, &l.down, &l.up)
	l.spent += int64(len(s.up.key) + len(s.down.key))
}

func (f *flank) fill(row []int32, s, other *side) {
	start, key, weight, slots, plain := f.start[:0], f.key[:0], f.weight[:0], int32(0), f.plain
	for _, v := range row {
		start = append(start, int32(len(key)))
		halves := s.half[s.start[v]:s.start[v+1]]
		for i := range halves {
			h := &halves[i]
			k := other.base[h.to] + h.port
			key = append(key, k)
			if !plain {
				weight = append(weight, h.weight)
			}
			slots = max(slots, k+1)
		}
	}
	f.start, f.key, f.weight, f.slots = append(start, int32(len(key))), key, weight, slots
	if len(f.sum) <= len(key) {
		f.sum = make([]int64, 2*len(key)+1)
	}
	if len(f.passed) < int(slots) {
		f.passed = make([]int64, 2*slots)
	}
}

// along sums up what passing segments adds when the vertex at place p is taken from place lo to hi.
func (f *flank) along(p, lo, hi int) {
	own := f.key[f.start[p]:f.start[p+1]]
	from, to := f.start[lo], f.start[hi+1]
	keys, sum := f.key[from:to], f.sum[from:to+1]
	sum = sum[:len(keys)+1]
	var c int64
	switch {
	case len(own) == 0:
		clear(sum)
		return
	case f.plain:
		c = f.alongPlain(own, keys, sum)
	default:
		c = f.alongWeighed(own, f.weight[f.start[p]:f.start[p+1]], keys, f.weight[from:to], sum)
	}
	sum[len(keys)] = c
}

// alongPlain does so where all segments weigh 1.
func (f *flank) alongPlain(own, keys []int32, sum []int64) (c int64) {
	sum = sum[:len(keys)]
	switch len(own) {
	case 1:
		k := own[0]
		for i, e := range keys {
			sum[i] = c
			c += int64((e-k)>>31 - (k-e)>>31)
		}
	case 2:
		k, l := own[0], own[1]
		for i, e := range keys {
			sum[i] = c
			c += int64((e-k)>>31 - (k-e)>>31 + (e-l)>>31 - (l-e)>>31)
		}
	default:
		f.tabulate(own, nil)
		passed := f.passed
		for i, e := range keys {
			sum[i] = c
			c += passed[e]
		}
	}
	return c
}

// alongWeighed does so with any weights.
func (f *flank) alongWeighed(own, weight, keys, weights []int32, sum []int64) (c int64) {
	sum, weights = sum[:len(keys)], weights[:len(keys)]
	switch len(own) {
	case 1:
		k, w := own[0], int64(weight[0])
		for i, e := range keys {
			sum[i] = c
			c += int64((e-k)>>31-(k-e)>>31) * int64(weights[i]) * w
		}
	case 2:
		k, w, k2, w2 := own[0], int64(weight[0]), own[1], int64(weight[1])
		for i, e := range keys {
			sum[i] = c
			c += (int64((e-k)>>31-(k-e)>>31)*w + int64((e-k2)>>31-(k2-e)>>31)*w2) * int64(weights[i])
		}
	default:
		f.tabulate(own, weight)
		passed := f.passed
		for i, e := range keys {
			sum[i] = c
			c += passed[e] * int64(weights[i])
		}
	}
	return c
}

// tabulate finds for each slot the weight of segments that lead to its left less that of those to its right; without weights all are 1.
func (f *flank) tabulate(own, weight []int32) {
	passed := f.passed[:f.slots]
	clear(passed)
	all := int64(0)
	for i, k := range own {
		w := int64(1)
		if weight != nil {
			w = int64(weight[i])
		}
		passed[k] += w
		all += w
	}
	sum := -all
	for k, w := range passed {
		passed[k] = sum + w
		sum += 2 * w
	}
}

// best is where the vertex at place p belongs, at most reach places away, and how many crossings that saves; of places that are as good
// the one farthest away.
func (s *strip) best(p, reach int) (int, int64) {
	lo, hi := max(0, p-reach), min(len(s.row)-1, p+reach)
	s.up.along(p, lo, hi)
	s.down.along(p, lo, hi)
	up, down := s.up.start[lo:hi+2], s.down.start[lo:hi+2]
	down = down[:len(up)]
	at := s.up.sum[up[p-lo]] + s.down.sum[down[p-lo]]
	left, right, least := p, p, at
	for i, k := range up {
		sum := s.up.sum[k] + s.down.sum[down[i]]
		if sum > least {
			continue
		}
		if sum < least {
			least, left, right = sum, lo+i, lo+i
		}
		left, right = min(left, lo+i), max(right, lo+i)
	}
	if right > p {
		right--
	}
	if left > p {
		left--
	}
	if p-left > right-p {
		right = left
	}
	return right, at - least
}

// put takes the vertex at place p to place q.
func (s *strip) put(p, q int) {
	shift(s.row, p, p+1, q)
	s.up.put(p, q)
	s.down.put(p, q)
}

func (f *flank) put(p, q int) {
	from, to := int(f.start[p]), int(f.start[p+1])
	n := int32(to - from)
	at := int(f.start[q])
	if q > p {
		at = int(f.start[q+1]) - int(n)
		for i := p + 1; i <= q; i++ {
			f.start[i] = f.start[i+1] - n
		}
	} else {
		for i := p; i > q; i-- {
			f.start[i] = f.start[i-1] + n
		}
	}
	if n > 0 {
		shift(f.key, from, to, at)
		if !f.plain {
			shift(f.weight, from, to, at)
		}
	}
}

// shift takes what is from one place to before another, so that it begins at a third, and lets what is passed close the gap.
func shift(row []int32, from, to, at int) {
	var few [8]int32
	held := append(few[:0], row[from:to]...)
	if at < from {
		copy(row[at+to-from:to], row[at:from])
	} else {
		copy(row[from:], row[to:at+to-from])
	}
	copy(row[at:], held)
}
