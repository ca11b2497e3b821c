package findings

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"orrery/analysis/region"
	"orrery/cachesim"
)

// reportable reports whether misses are worth a finding.
func (f *traffic) reportable(t *missTally) bool {
	return t.misses >= LeastMisses && t.time >= LeastShare*f.time
}

// cost is what misses cost, as a share of the time of all references (without latencies, of the misses of the level).
func (f *traffic) cost(t *missTally) Cost {
	if !f.in.Config.Timed() {
		return Cost{Misses: t.misses, Share: t.time / max(1, f.time), Of: fmt.Sprintf("the misses of %s in %s", f.level.Name,
			f.in.Config.Brief())}
	}
	return Cost{Misses: t.misses, Nanoseconds: t.time, Share: t.time / max(1, f.time), Of: timeOf(f.in.Config)}
}

// timeOf names the time of all references.
func timeOf(c cachesim.Config) string { return "the time of all references in " + c.Brief() }

// codeName and dataName name a line and a region in sentences.
func (f *traffic) codeName(line int32) string {
	if line < 0 {
		return "unknown code"
	}
	return f.in.Lines.At(line).Name()
}

func (f *traffic) dataName(region int32) string {
	if list := f.in.Regions.Regions(); region >= 0 && int(region) < len(list) {
		return list[region].Name
	}
	return "unknown memory"
}

// function names the function of a line.
func (f *traffic) function(line int32) string {
	if line >= 0 {
		if name := f.in.Lines.At(line).Function; name != "" {
			return name
		}
	}
	return "the program"
}

// named reports whether a region is a variable or the blocks of one allocation site: something whose layout can be
// changed.
func (f *traffic) named(r int32) bool {
	list := f.in.Regions.Regions()
	return r >= 0 && int(r) < len(list) && (list[r].Kind == region.Global || list[r].Kind == region.Heap)
}

// locate gives a finding its line, its data and their addresses.
func (f *traffic) locate(d Finding, line int32, regions ...int32) Finding {
	if line >= 0 {
		l := f.in.Lines.At(line)
		d.File, d.Line, d.Function = l.File, l.Line, l.Function
	}
	for _, r := range regions {
		if name := f.dataName(r); !slices.Contains(d.Regions, name) {
			d.Regions = append(d.Regions, name)
		}
	}
	if list := f.in.Regions.Regions(); len(regions) == 1 && regions[0] >= 0 {
		d.Low, d.High = list[regions[0]].Low, list[regions[0]].High
	}
	d.Site = -1
	return d
}

// places and pairs are the keys of a table in order, so that nothing depends on the order of a map.
func places(m map[lineRegion]*fetches) []lineRegion {
	return slices.SortedFunc(maps.Keys(m), func(a, b lineRegion) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.region, b.region))
	})
}

func pairs(m map[pair]*refetches) []pair { return slices.SortedFunc(maps.Keys(m), comparePairs) }

func comparePairs(a, b pair) int {
	return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.second, b.second))
}
