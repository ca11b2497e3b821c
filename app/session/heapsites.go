package session

import (
	"image/color"
	"math"

	"orrery/analysis/heap"
	"orrery/views/heapmap"
	"orrery/views/table"
)

// HeapTable is the columns and rows of a table of sites.
type HeapTable struct {
	Columns []table.Column
	Rows    []table.Row
}

// HeapSites is the places that allocate with all that they did: how much, what is left of it, and, where the use of the blocks is
// known, what of it was for nothing. colors are those of the sites.
func HeapSites(h *heap.Heap, use *heap.Usage, colors []color.NRGBA) HeapTable {
	t := HeapTable{Columns: []table.Column{
		{Title: "blocks", Tip: "how often memory was asked for"},
		{Title: "bytes", Tip: "asked for in all"},
		{Title: "at the peak", Tip: "bytes live when most were"},
		{Title: "never freed", Tip: "bytes of blocks that live to the end"},
		{Title: "grew in", Tip: "of 16 parts of the run, in how many the bytes that are never freed grew"},
		{Title: "temporary", Tip: "blocks that the next event of their thread frees"},
		{Title: "crossed", Tip: "blocks that another thread frees"},
		{Title: "waste", Tip: "bytes set aside that nobody asked for"},
	}}
	if use != nil {
		t.Columns = append(t.Columns,
			table.Column{Title: "never touched", Tip: "share of the bytes that no reference ever reached", Format: table.Share},
			table.Column{Title: "lag", Tip: "share of the bytes held over time before their first use", Format: table.Share},
			table.Column{Title: "drag", Tip: "share of the bytes held over time after their last use", Format: table.Share})
	}
	steps := make([]int, len(h.Sites))
	for _, l := range h.Leaks() {
		steps[l.Site] = l.Steps()
	}
	for i := range h.Sites {
		x := &h.Sites[i]
		row := table.Row{Name: x.Name(), Note: x.Function, Thing: heapmap.SiteThing(x)}
		if i < len(colors) {
			row.Color = colors[i]
		}
		for _, v := range []uint64{x.Blocks, x.Bytes, x.PeakBytes, x.LiveBytes, uint64(steps[i]), x.Temporary, x.Crossed, x.WasteBytes} {
			row.Values = append(row.Values, float64(v))
		}
		if use != nil {
			u := &use.Sites[i]
			untouched := math.NaN()
			if u.Bytes > 0 {
				untouched = 1 - float64(min(u.Touched, u.Bytes))/float64(u.Bytes)
			}
			row.Values = append(row.Values, untouched, u.LagShare(), u.DragShare())
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
