package heap

// Activity is how many blocks each site allocated in each of n parts of the time, which are of equal length.
func (h *Heap) Activity(n int) [][]uint64 {
	out := newActivity(len(h.Sites), n)
	now, of := make([]uint64, len(h.Sites)), 0 // what belongs to one part
	flush := func(next int) {
		for site := range now {
			out[site][of] += now[site]
			now[site] = 0
		}
		of = next
	}
	for first := 0; first < h.Count(); first += run {
		last := min(first+run, h.Count()) - 1
		part, end := h.Axis.part(h.from(int32(first)), n), h.Axis.part(h.from(int32(last)), n)
		for id := first; id <= last; id++ {
			if part != end {
				part = h.Axis.part(h.from(int32(id)), n)
			}
			if part != of {
				flush(part)
			}
			now[h.SiteOf(id)]++
		}
	}
	if len(now) > 0 {
		flush(0)
	}
	return out
}

// newActivity is n counts of 0 for each site.
func newActivity(sites, n int) [][]uint64 {
	out := make([][]uint64, sites)
	for i := range out {
		out[i] = make([]uint64, n)
	}
	return out
}

// part is which of n equal parts of the time t is in.
func (a *Axis) part(t Time, n int) int {
	return max(0, min(int(float64(t)/float64(max(a.End, 1))*float64(n)), n-1))
}
