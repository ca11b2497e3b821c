package findings

import (
	"fmt"
	"maps"
	"slices"
)

// pollution finds data that is used once as it passes and evicts a table that would fit the level and is used again.
// The stream is at least twice as large as the level, so that caching it is of no use.
func (f *traffic) pollution() (list []Finding) {
	sums, worst := map[pair]*missTally{}, map[pair]int32{} // by the table and what passes
	most := map[pair]uint64{}
	for _, p := range pairs(f.evicted) {
		r := f.evicted[p]
		passing := f.passing(p.second)
		k := pair{p.first, passing}
		if passing < 0 || p.first < 0 || p.first == passing || f.bytes(p.first) > uint64(f.level.Size) ||
			f.bytes(passing) < 2*uint64(f.level.Size) {
			continue
		}
		t := sums[k]
		if t == nil {
			t = &missTally{}
			sums[k] = t
		}
		t.merge(&r.missTally)
		if r.misses > most[k] {
			most[k], worst[k] = r.misses, p.second
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(sums), comparePairs) {
		t := sums[k]
		if !f.reportable(t) {
			continue
		}
		table, passing := f.dataName(k.first), f.dataName(k.second)
		d := Finding{Kind: Pollution, Cost: f.cost(t), Range: t.span,
			Title: fmt.Sprintf(pollutionTitle, passing, table, f.level.Name),
			Advice: fmt.Sprintf(pollutionAdvice, table, f.bytes(k.first), f.level.Name, f.function(worst[k]), passing,
				f.codeName(worst[k]), f.level.Name),
			Evidence: []Evidence{{"blocks of " + table + " fetched again after it pushed them out", float64(t.misses), ""},
				{"bytes of " + table, float64(f.bytes(k.first)), "bytes"},
				{"bytes of " + passing, float64(f.bytes(k.second)), "bytes"}}}
		list = append(list, f.locate(d, worst[k], k.first, k.second))
	}
	return list
}

// passing is the region that a line fetches as a stream: most of what it fetches, each byte touched once or, to be
// changed, twice (2.5 times with some slack) in a stay. It is negative when there is none.
func (f *traffic) passing(line int32) int32 {
	best, fills := int32(-1), uint64(0)
	for p, s := range f.fetched {
		if p.line == line && (s.fills > fills || s.fills == fills && p.region < best) {
			best, fills = p.region, s.fills
		}
	}
	if s := f.fetched[lineRegion{line, best}]; s == nil || s.bytes > s.used*5/2 {
		return -1
	}
	return best
}
