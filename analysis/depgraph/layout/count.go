package layout

import "slices"

// crossings counts those of all layers.
func (l *levels) crossings() int64 {
	sum := int64(0)
	for r := range len(l.order) - 1 {
		if l.cross[r] < 0 {
			l.cross[r] = l.between(r)
		}
		sum += l.cross[r]
	}
	return sum
}

// between counts the crossings between a layer and the next: for each segment from left to right, those before it that end
// further right, with a tree of sums (W. Barth, P. Mutzel, M. Jünger, "Simple and efficient bilayer cross counting", 2004).
func (l *levels) between(r int) int64 {
	slots := int32(0)
	for _, v := range l.order[r+1] {
		slots += l.up.ports[v]
	}
	if slots == 0 {
		return 0
	}
	size := 1
	for size < int(slots) {
		size *= 2
	}
	if len(l.tree) < 2*size {
		l.tree = make([]int64, 2*size)
	}
	tree := l.tree[:2*size]
	clear(tree)
	sum := int64(0)
	add := func(key int32, weight int64) {
		for at := size + int(key); at > 0; at /= 2 {
			tree[at] += weight
		}
	}
	right := func(key int32) int64 {
		s := int64(0)
		for at := size + int(key); at > 1; at /= 2 {
			if at&1 == 0 {
				s += tree[at+1]
			}
		}
		return s
	}
	var row []half
	for _, v := range l.order[r] {
		halves := l.down.of(v)
		if l.down.ports[v] > 1 {
			row = append(row[:0], halves...)
			slices.SortFunc(row, func(a, b half) int { return int(a.own - b.own) })
			halves = row
		}
		l.spent += int64(len(halves))
		for i := 0; i < len(halves); {
			j := i
			for ; j < len(halves) && halves[j].own == halves[i].own; j++ {
				sum += right(l.up.base[halves[j].to]+halves[j].port) * int64(halves[j].weight)
			}
			for ; i < j; i++ {
				add(l.up.base[halves[i].to]+halves[i].port, int64(halves[i].weight))
			}
		}
	}
	return sum
}

// inversions counts the crossings of two neighbours' segments on one side: ab when a is to the left of b, ba the other way
// round. The rows are prepared.
func inversions(a, b []half) (ab, ba int64) {
	if len(a) == 1 && len(b) == 1 {
		w := int64(a[0].weight) * int64(b[0].weight)
		switch {
		case a[0].key > b[0].key:
			return w, 0
		case a[0].key < b[0].key:
			return 0, w
		}
		return 0, 0
	}
	var all int64
	for i := range b {
		all += int64(b[i].weight)
	}
	less, j := int64(0), 0 // weight of b's segments to the left of a's
	for i := range a {
		for j < len(b) && b[j].key < a[i].key {
			less += int64(b[j].weight)
			j++
		}
		same := int64(0)
		for k := j; k < len(b) && b[k].key == a[i].key; k++ {
			same += int64(b[k].weight)
		}
		ab += less * int64(a[i].weight)
		ba += (all - less - same) * int64(a[i].weight)
	}
	return ab, ba
}

// exchange says how many crossings fewer there are when b, which stands to the right of a, stands to its left.
func (l *levels) exchange(a, b int32) int64 {
	ab, ba := inversions(l.up.of(a), l.up.of(b))
	cd, dc := inversions(l.down.of(a), l.down.of(b))
	l.spent += int64(l.up.start[a+1] - l.up.start[a] + l.up.start[b+1] - l.up.start[b] + 2)
	l.spent += int64(l.down.start[a+1] - l.down.start[a] + l.down.start[b+1] - l.down.start[b] + 2)
	return ab + cd - ba - dc
}
