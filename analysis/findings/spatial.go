package findings

import (
	"fmt"
)

// Up to fewBytes of a block are few (19 of 64: two or three fields of a record); from allBytes on nearly all of it is
// used over the run.
const (
	fewBytes = 0.3
	allBytes = 0.75
)

// wastes reports whether few bytes are used of the blocks that a line fetches from a region.
func (f *traffic) wastes(p lineRegion) bool {
	s := f.fetched[p]
	return s != nil && s.fills > 0 && f.level.Block >= 16 &&
		float64(s.used) <= fewBytes*float64(f.level.Block)*float64(s.fills)
}

// spatial finds poor spatial locality: blocks of which few bytes are used before they are evicted. What can be done
// depends on the cause: misses without a regular step (look-ups, pointers); blocks used wholly over the run, but in
// several stays (a walk across rows); fields that are never used; anything else.
func (f *traffic) spatial() (list []Finding) {
	block := float64(f.level.Block)
	for _, p := range places(f.fetched) {
		s := f.fetched[p]
		if !f.reportable(&s.missTally) || !f.wastes(p) {
			continue
		}
		used := float64(s.used) / float64(s.fills)
		d := Finding{Kind: Spatial, Cost: f.cost(&s.missTally), Range: s.span, Evidence: []Evidence{
			{"bytes of each block of " + f.dataName(p.region) + " used before it goes", used, "bytes"},
			{"bytes fetched for them", block, "bytes"},
			{"fetches", float64(s.misses), ""},
			{"of them at the same step as the one before", 100 * float64(s.strided) / float64(max(1, s.misses)), "%"}}}
		k := f.regionUse(p.region)
		ever, again := float64(k.ever)/float64(max(1, k.blocks)), float64(s.misses)/float64(max(1, k.blocks))
		d.Evidence = append(d.Evidence, Evidence{"bytes of each block used in the whole run", ever, "bytes"})
		name := f.dataName(p.region)
		switch {
		case 2*s.strided < s.misses:
			d.Title = fmt.Sprintf(spatialIrregularTitle, name)
			d.Advice = fmt.Sprintf(spatialIrregularAdvice, f.codeName(p.line), used, block, name, f.level.Name)
		case ever >= allBytes*block && again >= 2 && 2*s.near < s.misses:
			transposed := ""
			if f.named(p.region) {
				transposed = fmt.Sprintf(spatialTransposed, name)
			}
			d.Title = fmt.Sprintf(spatialAcrossTitle, name)
			d.Advice = fmt.Sprintf(spatialAcrossAdvice, name, again, used, block, f.codeName(p.line), f.level.Name, transposed)
		case ever <= 0.5*block:
			d.Title = fmt.Sprintf(spatialFieldsTitle, name)
			d.Advice = fmt.Sprintf(spatialFieldsAdvice, ever, block, name, f.codeName(p.line))
		default:
			d.Title = fmt.Sprintf(spatialOtherTitle, name)
			d.Advice = fmt.Sprintf(spatialOtherAdvice, f.codeName(p.line), used, block, name)
		}
		d.within = []int32{p.region}
		list = append(list, f.locate(d, p.line, p.region))
	}
	return list
}
