package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"orrery/cachesim"
)

// conflict finds misses that a fully associative cache of the same size would not have (M. Hill and A. Smith,
// "Evaluating associativity in CPU caches", 1989), if nine of ten of them are in at most half of the sets: in more, the
// sets are not to blame. Regions with at least a tenth of these misses are named.
func (f *traffic) conflict() []Finding {
	var all missTally
	at := places(f.fetched)
	for _, p := range at {
		if c := f.fetched[p].conflicts; c.misses > 0 {
			all.merge(&c)
		}
	}
	if !f.reportable(&all) {
		return nil
	}
	slices.SortStableFunc(at, func(a, b lineRegion) int {
		return cmp.Compare(f.fetched[b].conflicts.misses, f.fetched[a].conflicts.misses)
	})
	sets, share := f.hotSets(all.misses)
	if 2*len(sets) > f.level.Sets() { // everywhere alike: the sets are not to blame
		return nil
	}
	var regions []int32
	var names []string
	for _, p := range at {
		if c := f.fetched[p].conflicts.misses; 10*c >= all.misses && !slices.Contains(regions, p.region) {
			regions, names = append(regions, p.region), append(names, f.dataName(p.region))
		}
	}
	title := fmt.Sprintf(conflictTitle, strings.Join(names, ", "), len(sets), f.level.Sets(), f.level.Name)
	if len(names) == 1 {
		title = fmt.Sprintf(conflictOneTitle, names[0], len(sets), f.level.Sets(), f.level.Name)
	}
	d := Finding{Kind: Conflict, Cost: f.cost(&all), Range: all.span, Level: f.level.Name, Sets: sets, Title: title,
		Advice: fmt.Sprintf(conflictAdvice, all.misses, f.codeName(at[0].line), f.advice(at[0])),
		Evidence: []Evidence{{"misses that a fully associative " + f.level.Name + " would not have", float64(all.misses), ""},
			{fmt.Sprintf("of them in %d of %d sets", len(sets), f.level.Sets()), share, "%"},
			{"ways of a set", float64(f.level.Ways), ""}}}
	return []Finding{f.locate(d, at[0].line, regions...)}
}

// advice is how data that meets in few sets is kept apart. Rows are mentioned only where most misses go by a fixed
// step, in data that has a name.
func (f *traffic) advice(p lineRegion) string {
	if s := f.fetched[p]; f.named(p.region) && 2*s.strided >= s.misses {
		return fmt.Sprintf(conflictRows, f.dataName(p.region), f.level.Block)
	}
	return fmt.Sprintf(conflictApart, f.dataName(p.region), f.level.Block*cachesim.Size(f.level.Sets()))
}

// hotSets is the fewest sets that have nine of ten conflict misses, with their share of them in percent.
func (f *traffic) hotSets(all uint64) (sets []int, share float64) {
	for s := range f.sets {
		sets = append(sets, int(s))
	}
	slices.SortFunc(sets, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.sets[int32(b)], f.sets[int32(a)]), cmp.Compare(a, b))
	})
	sum, n := uint64(0), 0
	for n < len(sets) && 10*sum < 9*all {
		sum += f.sets[int32(sets[n])]
		n++
	}
	sets = sets[:n]
	slices.Sort(sets)
	return sets, 100 * float64(sum) / float64(max(1, all))
}
