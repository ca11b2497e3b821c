package layout

// balance moves vertices with equal weight in and out, for which several layers cost the same, to the feasible layer
// with the fewest vertices (Gansner and others, 1993, section 2.4). Ranks stay feasible and of least cost.
func (in incidence) balance(m *scratch, rank []int32, constraints []constraint) {
	n, start, at := len(rank), in.start, in.at
	most := int32(0)
	for _, r := range rank {
		most = max(most, r)
	}
	size := take[int32](m, int(most)+1)
	for _, r := range rank {
		size[r]++
	}
	balance := take[int64](m, n)
	for i := range constraints {
		t := &constraints[i]
		balance[t.lo] += int64(t.weight)
		balance[t.hi] -= int64(t.weight)
	}
	for v := range int32(n) {
		if balance[v] != 0 || start[v] == start[v+1] {
			continue
		}
		low, high := int32(0), most
		for _, e := range at[start[v]:start[v+1]] {
			if t := &constraints[e]; t.lo == v {
				high = min(high, rank[t.hi]-t.length)
			} else {
				low = max(low, rank[t.lo]+t.length)
			}
		}
		if low >= high {
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
