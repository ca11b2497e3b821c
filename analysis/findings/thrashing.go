package findings

import (
	"fmt"
)

// thrashing finds loops that come back to the same blocks in one rhythm after the level has evicted them: the data is
// larger than the level (here: at least half of it, as other data needs room), of which least recently used then keeps
// nothing (P. Denning, "The working set model for program behavior", 1968). Misses that are conflicts for the most part
// are reported by conflict, and blocks of which few bytes are used by spatial.
func (f *traffic) thrashing(first *traffic) (list []Finding) {
	for _, p := range places(f.fetched) {
		s := f.fetched[p]
		r := &s.again
		if !f.reportable(&r.missTally) || 2*r.misses < s.misses || 2*s.conflicts.misses > s.misses || first.wastes(p) {
			continue
		}
		mean, spread := r.rhythm()
		k := f.regionUse(p.region)
		if spread > maxSpread || r.idle > minIdle*r.gap || k.blocks == 0 || 2*f.bytes(p.region) < uint64(f.level.Size) {
			continue
		}
		name, a := f.dataName(p.region), f.codeName(p.line)
		rounds := float64(s.misses) / float64(k.blocks)
		d := Finding{Kind: Thrashing, Cost: f.cost(&r.missTally), Range: r.span, Level: f.level.Name,
			Title:  fmt.Sprintf(thrashingTitle, name, f.level.Name),
			Advice: fmt.Sprintf(thrashingAdvice, a, name, mean, f.level.Name, f.level.Name),
			Evidence: []Evidence{{"fetches of blocks that had been there before", float64(r.misses), ""},
				{"fetches of each block, on average", rounds, ""},
				{"bytes of " + name, float64(f.bytes(p.region)), "bytes"},
				{"bytes of " + f.level.Name, float64(f.level.Size), "bytes"},
				{"references from one use to the next", mean, ""}, {"spread of that", 100 * spread, "%"}}}
		d.within = []int32{p.region}
		list = append(list, f.locate(d, p.line, p.region))
	}
	return list
}
