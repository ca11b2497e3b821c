package layout

// even moves vertices whose place among several layers costs nothing, as much weight comes in as goes out, to the layer with
// the fewest (Gansner and others, 1993, section 2.4). Ranks stay feasible and of least cost.
func (in incidence) even(m *room, rank []int32, ties []tie) {
	n, start, at := len(rank), in.start, in.at
	most := int32(0)
	for _, r := range rank {
		most = max(most, r)
	}
	size := m.ints.take(int(most) + 1)
	for _, r := range rank {
		size[r]++
	}
	for v := range int32(n) {
		low, high, balance := int32(0), most, int64(0)
		for _, e := range at[start[v]:start[v+1]] {
			if t := ties[e]; t.lo == v {
				high = min(high, rank[t.hi]-t.length)
				balance += int64(t.weight)
			} else {
				low = max(low, rank[t.lo]+t.length)
				balance -= int64(t.weight)
			}
		}
		if balance != 0 || low >= high || start[v] == start[v+1] {
			continue
		}
		best := rank[v]
		for r := low; r <= high; r++ {
			if size[r] < size[best] {
				best = r
			}
		}
		size[rank[v]]--
		size[best]++
		rank[v] = best
	}
}
