package findings

import "slices"

// overlaps adds to each finding about misses how much of its cost a finding ranked above it has as well: two causes may
// share misses, and their shares do not add up. What two certainly share is what they cost together beyond all that
// misses on the regions in question cost.
func overlaps(list []Finding, first *traffic) {
	wait, all := map[int32]float64{}, 0.0
	for p, s := range first.fetched {
		wait[p.region] += s.time
		all += s.time
	}
	for i := range list {
		f := &list[i]
		if f.Kind == FalseSharing || f.Cost.Nanoseconds == 0 {
			continue
		}
		shared, with := 0.0, 0
		for j := range i {
			g := &list[j]
			if g.Kind == FalseSharing || g.Cost.Nanoseconds == 0 {
				continue
			}
			room := all
			if f.within != nil && g.within != nil {
				room = 0
				for _, r := range union(f.within, g.within) {
					room += wait[r]
				}
			}
			if both := f.Cost.Nanoseconds + g.Cost.Nanoseconds - room; both > shared {
				shared, with = both, j
			}
		}
		if percent := 100 * min(1, shared/f.Cost.Nanoseconds); percent >= 1 {
			f.Evidence = append(f.Evidence, Evidence{"of its cost, at least, also in: " + list[with].Title, percent, "%"})
		}
	}
}

// union is the regions of two lists, each once.
func union(a, b []int32) []int32 {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}
