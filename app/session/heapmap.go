package session

import (
	"image/color"

	"orrery/analysis/region"
	"orrery/traceio"
	"orrery/views/heapmap"
	"orrery/views/palette"
)

// HeapMap is the state of a heap map of the whole recording at a moment.
func (r *Recording) HeapMap(theme palette.Theme, cursor traceio.Seq) heapmap.State {
	var use []region.BlockUse
	if !r.EventsOnly() { // without references nobody knows what is never touched
		use = r.Use.Blocks
	}
	return heapmap.State{Theme: theme, Heap: r.Heap, Use: use, Sites: r.siteColors(theme), Regions: r.siteRegions(),
		Cursor: r.Heap.Axis.At(cursor)}
}

// siteRegions are the names of the regions of the allocation sites' blocks.
func (r *Recording) siteRegions() []string {
	out := make([]string, len(r.Heap.Sites))
	for _, g := range r.Regions.Regions() {
		if g.Site >= 0 && g.Site < len(out) {
			out[g.Site] = g.Name
		}
	}
	return out
}

// siteColors are the colours of the allocation sites: those of their regions.
func (r *Recording) siteColors(theme palette.Theme) []color.NRGBA {
	out := make([]color.NRGBA, len(r.Heap.Sites))
	for i := range out {
		out[i] = palette.Others(theme)
	}
	for id, g := range r.Regions.Regions() {
		if g.Site >= 0 && g.Site < len(out) {
			out[g.Site] = r.RegionColor(theme, id)
		}
	}
	return out
}
