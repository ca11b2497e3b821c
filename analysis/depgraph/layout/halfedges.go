package layout

import "slices"

// side holds the half-edges of all vertices on one side, upwards or downwards.
type side struct {
	start  []int32
	halves []halfEdge // those of a vertex v are halves[start[v]:start[v+1]]
	ports  []int32    // vertex -> number of different slots on this side
	base   []int32    // vertex -> number of its first slot, counted through its layer
}

// halfEdge is a segment seen from one end.
type halfEdge struct {
	to     int32 // vertex at the other end
	port   int32 // which slot there, from 0
	slot   int32 // which slot at this end
	order  int32 // number of the slot at the other end, counted through its layer
	weight int32
	seg    int32
}

func (s *side) of(v int32) []halfEdge { return s.halves[s.start[v]:s.start[v+1]] }

// join lists the half-edges of both sides. manyIn and manyOut say whether vertices may have several slots above and
// below.
func (l *layering) join(manyIn, manyOut bool) {
	n, m := len(l.rank), len(l.segments)
	for _, s := range [2]*side{&l.up, &l.down} {
		*s = side{start: take[int32](l.scratch, n+1), halves: raw[halfEdge](l.scratch, m),
			ports: raw[int32](l.scratch, n), base: raw[int32](l.scratch, n)}
	}
	up, down := l.up.start, l.down.start
	for i := range l.segments {
		x := &l.segments[i]
		up[x.bottom]++
		down[x.top]++
	}
	l.up.sum()
	l.down.sum()
	// start holds the ends of rows, which are filled backwards.
	above, below := l.up.halves, l.down.halves
	for i := m - 1; i >= 0; i-- {
		x := &l.segments[i]
		up[x.bottom]--
		h := &above[up[x.bottom]]
		h.to, h.port, h.slot, h.weight, h.seg = x.top, 0, 0, x.weight, int32(i)
		down[x.top]--
		h = &below[down[x.top]]
		h.to, h.port, h.slot, h.weight, h.seg = x.bottom, 0, 0, x.weight, int32(i)
	}
	if manyOut {
		number := l.slots(&l.down, func(x *segment) float64 { return x.topX })
		for i := range l.up.halves {
			h := &l.up.halves[i]
			h.port = number[h.seg]
		}
	}
	if manyIn {
		number := l.slots(&l.up, func(x *segment) float64 { return x.bottomX })
		for i := range l.down.halves {
			h := &l.down.halves[i]
			h.port = number[h.seg]
		}
	}
}

// sum replaces the lengths of rows by their ends and gives vertices one slot each.
func (s *side) sum() {
	ports, sum := s.ports, int32(0)
	start := s.start[:len(ports)]
	for v, n := range start {
		ports[v] = min(n, 1)
		sum += n
		start[v] = sum
	}
	s.start[len(start)] = sum
}

// slots numbers the different slots of each vertex on one side and returns segment -> number.
func (l *layering) slots(s *side, at func(*segment) float64) []int32 {
	number := take[int32](l.scratch, len(l.segments))
	for v := range l.rank {
		row := s.of(int32(v))
		if len(row) < 2 {
			continue
		}
		same, x := true, at(&l.segments[row[0].seg])
		for i := 1; i < len(row) && same; i++ {
			same = at(&l.segments[row[i].seg]) == x
		}
		if same {
			continue
		}
		by := make([]float64, len(row))
		for i := range row {
			by[i] = at(&l.segments[row[i].seg])
		}
		slices.Sort(by)
		by = slices.Compact(by)
		s.ports[v] = int32(len(by))
		for i := range row {
			k, _ := slices.BinarySearch(by, at(&l.segments[row[i].seg]))
			row[i].slot, number[row[i].seg] = int32(k), int32(k)
		}
	}
	return number
}

// renumber updates what follows from a layer's order: positions, numbers of slots, and that crossings beside it are
// unknown.
func (l *layering) renumber(r int) {
	// Rows of one length: one bounds check serves all five.
	pos := l.pos
	upBase, upPorts := l.up.base[:len(pos)], l.up.ports[:len(pos)]
	downBase, downPorts := l.down.base[:len(pos)], l.down.ports[:len(pos)]
	up, down := int32(0), int32(0)
	for i, v := range l.order[r] {
		pos[v], upBase[v], downBase[v] = int32(i), up, down
		up += upPorts[v]
		down += downPorts[v]
	}
	l.cross[r] = -1
	if r > 0 {
		l.cross[r-1] = -1
	}
}

// sortHalfEdges sorts the half-edges of a layer's vertices on side s by the present order of the layer there.
func (l *layering) sortHalfEdges(r int, s, other *side) {
	for _, v := range l.order[r] {
		row := s.of(v)
		l.sortRow(row, other)
		l.spent += int64(len(row))
	}
}

// sortRow does so for one vertex.
func (l *layering) sortRow(row []halfEdge, other *side) {
	for i := range row {
		row[i].order = other.base[row[i].to] + row[i].port
	}
	sortByOrder(row)
}

// sortByOrder sorts half-edges by the order of their other ends.
func sortByOrder(row []halfEdge) {
	slices.SortStableFunc(row, func(a, b halfEdge) int { return int(a.order - b.order) })
}
