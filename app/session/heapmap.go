package session

import (
	"image/color"

	"orrery/traceio"
	"orrery/views/heapmap"
	"orrery/views/palette"
)

// HeapMap is the state of a heap map of the whole recording at a moment.
func (r *Recording) HeapMap(theme palette.Theme, cursor traceio.Seq) heapmap.State {
	return heapmap.State{Theme: theme, Heap: r.Heap, Use: r.Use.Blocks, Sites: r.siteColors(theme), Cursor: r.Heap.Axis.At(cursor)}
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
