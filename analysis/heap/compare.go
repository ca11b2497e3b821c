package heap

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"orrery/traceio"
)

// SiteChange is a site in two runs; the one that has no such site costs nothing and has index -1.
type SiteChange struct {
	Name          string
	Before, After Cost
	Old, New      int // indexes the runs' Sites
}

// Grown is how many more bytes were asked for after than before.
func (c *SiteChange) Grown() int64 { return int64(c.After.Bytes - c.Before.Bytes) }

// Comparison is two runs site by site.
type Comparison struct {
	Old, New *Heap
	Sites    []SiteChange // the greatest change of bytes first, in either direction

	before, after []Cost // of the runs' sites, or of what one bin has of them
}

// Compare matches the sites of two runs. Sites are the same if file (by its name), function and line are; of those left
// over, those in one function of one file are paired in the order of their lines if there are equally many, since lines
// move when a program is edited.
func Compare(old, new *Heap) *Comparison {
	c := &Comparison{Old: old, New: new, before: siteCosts(old), after: siteCosts(new)}
	c.compare()
	return c
}

// CompareBins is Compare for the blocks of one bin in each run; sites without a block in either are left out. Of costs
// only blocks and bytes are known. A run that has no such bin has the history nil, and costs nothing.
func CompareBins(old, new *Heap, before, after *BinHistory) *Comparison {
	c := &Comparison{Old: old, New: new, before: make([]Cost, len(old.Sites)), after: make([]Cost, len(new.Sites))}
	if before != nil {
		c.before = before.Costs
	}
	if after != nil {
		c.after = after.Costs
	}
	c.compare()
	c.Sites = slices.DeleteFunc(c.Sites, func(x SiteChange) bool { return x.Before.Blocks == 0 && x.After.Blocks == 0 })
	return c
}

func siteCosts(h *Heap) []Cost {
	out := make([]Cost, len(h.Sites))
	for i := range out {
		out[i] = h.Sites[i].Cost
	}
	return out
}

// compare matches the sites and ranks what changed.
func (c *Comparison) compare() {
	before, after := groupSites(c.Old.Sites), groupSites(c.New.Sites)
	for _, key := range keysOf(before, after) {
		c.match(before[key], after[key])
	}
	slices.SortStableFunc(c.Sites, func(a, b SiteChange) int {
		return cmp.Or(cmp.Compare(abs(b.Grown()), abs(a.Grown())), cmp.Compare(b.After.Bytes, a.After.Bytes),
			cmp.Compare(a.Name, b.Name))
	})
}

func abs(x int64) int64 { return max(x, -x) }

// groupSites lists the sites by function and file in order of line.
func groupSites(sites []Site) map[string][]int {
	groups := map[string][]int{}
	for i := range sites {
		s := &sites[i]
		key := path.Base(s.File) + "\x00" + traceio.ShortFunction(s.Function) + "\x00" + s.Module
		groups[key] = append(groups[key], i)
	}
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b int) int { return cmp.Compare(sites[a].Line, sites[b].Line) })
	}
	return groups
}

func keysOf(a, b map[string][]int) []string {
	var keys []string
	for k := range a {
		keys = append(keys, k)
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// match pairs the sites of one function in both runs.
func (c *Comparison) match(old, new []int) {
	var oldLeft, newLeft []int
	for _, i := range old {
		line := c.Old.Sites[i].Line
		k := slices.IndexFunc(new, func(j int) bool { return j >= 0 && c.New.Sites[j].Line == line })
		if k < 0 {
			oldLeft = append(oldLeft, i)
			continue
		}
		c.pair(i, new[k])
		new = slices.Delete(slices.Clone(new), k, k+1)
	}
	newLeft = new
	if len(oldLeft) == len(newLeft) {
		for k := range oldLeft {
			c.pair(oldLeft[k], newLeft[k])
		}
		return
	}
	for _, i := range oldLeft {
		c.pair(i, -1)
	}
	for _, j := range newLeft {
		c.pair(-1, j)
	}
}

func (c *Comparison) pair(old, new int) {
	x := SiteChange{Old: old, New: new}
	if old >= 0 {
		x.Before, x.Name = c.before[old], c.Old.Sites[old].Name()
	}
	if new >= 0 {
		x.After, x.Name = c.after[new], c.New.Sites[new].Name()
	}
	if old >= 0 && new >= 0 && c.Old.Sites[old].Line != c.New.Sites[new].Line {
		name, _, _ := strings.Cut(c.Old.Sites[old].Name(), "#")
		x.Name = name + " → " + strconv.Itoa(c.New.Sites[new].Line)
	}
	c.Sites = append(c.Sites, x)
}
