package layout

import "slices"

// side holds what vertices are joined to on one side, upwards or downwards.
type side struct {
	start []int32
	half  []half  // of each vertex, by key when prepared
	ports []int32 // vertex -> different slots it has on this side
	base  []int32 // vertex -> number of its first slot among all of its layer on this side
}

// half is a segment seen from one end.
type half struct {
	to     int32 // vertex at the other end
	port   int32 // which of its slots, from 0
	own    int32 // which slot of this end
	key    int32 // place of the slot at the other end in its layer
	weight int32
	seg    int32
}

func (s *side) of(v int32) []half { return s.half[s.start[v]:s.start[v+1]] }

// join makes the rows of both sides.
func (l *levels) join() {
	top := func(s *segment) (int32, float64) { return s.top, s.topX }
	bottom := func(s *segment) (int32, float64) { return s.bottom, s.bottomX }
	down, leave := l.bySide(top)
	up, arrive := l.bySide(bottom)
	own, port := l.slots(down, leave, top), l.slots(up, arrive, bottom)
	l.down = l.rows(down, leave, own, port, bottom)
	l.up = l.rows(up, arrive, port, own, top)
}

// bySide lists the segments of each vertex on one side.
func (l *levels) bySide(end func(*segment) (int32, float64)) (start, seg []int32) {
	n := len(l.rank)
	start, seg = make([]int32, n+1), make([]int32, len(l.segs))
	for i := range l.segs {
		v, _ := end(&l.segs[i])
		start[v+1]++
	}
	for v := range n {
		start[v+1] += start[v]
	}
	next := slices.Clone(start[:n])
	for i := range l.segs {
		v, _ := end(&l.segs[i])
		seg[next[v]] = int32(i)
		next[v]++
	}
	return start, seg
}

// slots numbers the different slots of each vertex on one side: segment -> number.
func (l *levels) slots(start, seg []int32, end func(*segment) (int32, float64)) []int32 {
	number := make([]int32, len(l.segs))
	var row []int32
	for v := range l.rank {
		if start[v+1]-start[v] < 2 {
			continue
		}
		row = append(row[:0], seg[start[v]:start[v+1]]...)
		slices.SortFunc(row, func(i, j int32) int {
			_, x := end(&l.segs[i])
			_, y := end(&l.segs[j])
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
		_, last := end(&l.segs[row[0]])
		k := int32(0)
		for _, i := range row {
			if _, x := end(&l.segs[i]); x != last {
				last = x
				k++
			}
			number[i] = k
		}
	}
	return number
}

// rows makes one side of the segments of each vertex and of slots at its own and the other end.
func (l *levels) rows(start, seg, own, port []int32, other func(*segment) (int32, float64)) side {
	n := len(l.rank)
	s := side{start: start, half: make([]half, len(l.segs)), ports: make([]int32, n), base: make([]int32, n)}
	for v := range n {
		for k := start[v]; k < start[v+1]; k++ {
			i := seg[k]
			to, _ := other(&l.segs[i])
			s.half[k] = half{to: to, port: port[i], own: own[i], weight: l.segs[i].weight, seg: i}
			s.ports[v] = max(s.ports[v], own[i]+1)
		}
	}
	return s
}

// settle takes note of a layer's new order: places, numbers of slots, and that crossings beside it are unknown.
func (l *levels) settle(r int) {
	up, down := int32(0), int32(0)
	for i, v := range l.order[r] {
		l.pos[v] = int32(i)
		l.up.base[v], l.down.base[v] = up, down
		up += l.up.ports[v]
		down += l.down.ports[v]
	}
	l.cross[r] = -1
	if r > 0 {
		l.cross[r-1] = -1
	}
}

// prepare brings the rows of a layer's vertices on one side up to date with the layer there.
func (l *levels) prepare(r int, s, other *side) {
	for _, v := range l.order[r] {
		row := s.of(v)
		for i := range row {
			row[i].key = other.base[row[i].to] + row[i].port
		}
		byKey(row)
		l.spent += int64(len(row))
	}
}

// byKey sorts a row, which is nearly in order most of the time.
func byKey(row []half) {
	if len(row) > 24 {
		slices.SortStableFunc(row, func(a, b half) int { return int(a.key - b.key) })
		return
	}
	for i := 1; i < len(row); i++ {
		for j := i; j > 0 && row[j].key < row[j-1].key; j-- {
			row[j], row[j-1] = row[j-1], row[j]
		}
	}
}
