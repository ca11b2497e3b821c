package findings

import (
	"fmt"
)

// shortLoop is how many blocks a loop fetches at least before the other one runs again: two lines that alternate over
// fewer are in one loop.
const shortLoop = 8

// fusion finds loops that fetch again, in the same order, what another loop has just had: at least half of the misses
// of a line are on blocks that one other line touched last, in one rhythm, and that other line was idle for part of the
// gap.
func (f *traffic) fusion() (list []Finding) {
	ofLine := map[int32]uint64{}
	for p, s := range f.fetched {
		ofLine[p.line] += s.misses
	}
	for _, p := range pairs(f.refetched) {
		r := f.refetched[p]
		other := f.refetched[pair{p.second, p.first}]
		if other != nil && (other.misses > r.misses || other.misses == r.misses && p.first > p.second) {
			continue // reported for the pair in the other order
		}
		if !f.reportable(&r.missTally) || 2*r.misses < ofLine[p.second] {
			continue
		}
		mean, spread := r.rhythm()
		if spread > maxSpread || r.idle < minIdle*r.gap || shortLoop*r.alternations > r.misses {
			continue
		}
		name, a, b := f.dataName(r.region), f.codeName(p.first), f.codeName(p.second)
		d := Finding{Kind: Fusion, Cost: f.cost(&r.missTally), Range: r.span,
			Title:  fmt.Sprintf(fusionTitle, b, a),
			Advice: fmt.Sprintf(fusionAdvice, b, name, a, mean, f.level.Name),
			Evidence: []Evidence{{"misses on blocks that the other loop had", float64(r.misses), ""},
				{"of the misses of " + b, 100 * float64(r.misses) / float64(max(1, ofLine[p.second])), "%"},
				{"references from one use to the next", mean, ""}, {"spread of that", 100 * spread, "%"}}}
		list = append(list, f.locate(d, p.second, r.region))
	}
	return list
}
