package dse

import "slices"

// sweep has the volumes of two, three and four objectives.
type sweep struct {
	byX, byZ, byW ordering
	rank          []int32   // of each row among the values of the first objective
	x             []float64 // those values
	stairs        stairs
	region        []int32 // rows of the three-dimensional region, in the order of the third objective
}

// plane sweeps two objectives in the order of the first.
func (s *sweep) plane(rows, ref []float64) (sum float64) {
	byX := s.byX.of(rows, 2, 0)
	low := ref[1]
	for _, p := range byX {
		if x, y := rows[2*p], rows[2*p+1]; y < low {
			sum += (ref[0] - x) * (low - y)
			low = y
		}
	}
	return sum
}

// index ranks the first objective.
func (s *sweep) index(rows []float64, m int) {
	byX := s.byX.of(rows, m, 0)
	s.rank = slices.Grow(s.rank[:0], len(byX))[:len(byX)]
	s.x = s.x[:0]
	for _, p := range byX {
		if x := rows[int(p)*m]; len(s.x) == 0 || x != s.x[len(s.x)-1] {
			s.x = append(s.x, x)
		}
		s.rank[p] = int32(len(s.x) - 1)
	}
}

// space sweeps three objectives in the order of the third; the region in the plane of the first two only grows.
func (s *sweep) space(rows, ref []float64) (sum float64) {
	s.index(rows, 3)
	byZ := s.byZ.of(rows, 3, 2)
	s.stairs.reset(s.x, ref[0], ref[1])
	area, from := 0.0, 0.0
	for _, p := range byZ {
		z := rows[3*p+2]
		sum += area * (z - from)
		from = z
		area += s.stairs.add(int(s.rank[p]), rows[3*p+1])
	}
	return sum + area*(ref[2]-from)
}

// four sweeps four objectives in the order of the fourth; the region of the first three only grows, by what each point
// alone adds to it.
func (s *sweep) four(rows, ref []float64) (sum float64) {
	s.index(rows, 4)
	byW := s.byW.of(rows, 4, 3)
	s.region = s.region[:0]
	size, from := 0.0, 0.0
	for _, p := range byW {
		w := rows[4*p+3]
		sum += size * (w - from)
		from = w
		size += s.enter(rows, ref, p)
	}
	return sum + size*(ref[3]-from)
}

// enter adds row p to the three-dimensional region and gives the volume that it alone dominates.
func (s *sweep) enter(rows, ref []float64, p int32) (gain float64) {
	x, y, z := rows[4*p], rows[4*p+1], rows[4*p+2]
	at := 0
	for ; at < len(s.region) && rows[4*s.region[at]+2] <= z; at++ {
		if q := s.region[at]; rows[4*q] <= x && rows[4*q+1] <= y {
			return 0
		}
	}
	// In the box from p to ref, the region so far grows along z as the points of it, moved into the box, come in.
	s.stairs.reset(s.x, ref[0], ref[1])
	free, from := (ref[0]-x)*(ref[1]-y), z
	for _, q := range s.region[:at] {
		free -= s.stairs.add(int(max(s.rank[p], s.rank[q])), max(rows[4*q+1], y))
	}
	ended := false
	kept := at
	for i := at; i < len(s.region); i++ {
		q := s.region[i]
		qx, qy, qz := rows[4*q], rows[4*q+1], rows[4*q+2]
		if !ended {
			gain += free * (qz - from)
			from = qz
			free -= s.stairs.add(int(max(s.rank[p], s.rank[q])), max(qy, y))
			ended = qx <= x && qy <= y // q shadows p from here on
		}
		if qx < x || qy < y { // else p dominates it, now and for good
			s.region[kept] = q
			kept++
		}
	}
	if !ended {
		gain += free * (ref[2] - from)
	}
	s.region = slices.Insert(s.region[:kept], at, p)
	return gain
}
