package recording

import (
	"orrery/app/panes"
	"orrery/app/shell"
)

// Panes are those of a recording, in the order of tabs. Behind them stand those of the designs that are searched for it
// and those of the compiler's graphs.
var Panes = []panes.Descriptor[*Document]{
	{ID: shell.Recording, Title: "Recording", Place: shell.Place{Area: shell.LeftTop},
		New: func(d *Document, b panes.Base) shell.View { return newRegionsView(d, b) }},
	{ID: shell.Gallery, Title: "Parameterizations",
		Place: shell.Place{Area: shell.LeftMid, Half: shell.HalfAbove, Rank: 4},
		Idle:  (*Document).noReferences,
		New:   func(d *Document, b panes.Base) shell.View { return newGalleryView(d, b) }},
	{ID: shell.Findings, Title: "Findings", Place: shell.Place{Area: shell.LeftBelow},
		New: func(d *Document, b panes.Base) shell.View {
			d.noticed = newFindingsView(d, b)
			return d.noticed
		}},
	{ID: shell.Cycles, Title: "Cycles", Keys: "1",
		Place: shell.Place{Area: shell.CentreLeft, Half: shell.HalfAbove, Rank: 2},
		Idle:  (*Document).noReferences,
		New: func(d *Document, b panes.Base) shell.View {
			d.cyclesView = newCyclesView(d, b)
			return d.cyclesView
		}},
	{ID: shell.Cache, Title: "Cache", Keys: "2",
		Place: shell.Place{Area: shell.CentreRight, Half: shell.HalfAbove, Rank: 1},
		Idle:  (*Document).noReferences,
		New: func(d *Document, b panes.Base) shell.View {
			d.rings = newCacheView(d, b)
			return d.rings
		}},
	{ID: shell.Curve, Title: "Curve", Keys: "6", Show: "Show the miss curve",
		Place: shell.Place{Area: shell.CentreRight, Half: shell.HalfAbove, Rank: 3},
		Idle:  (*Document).noReferences,
		New: func(d *Document, b panes.Base) shell.View {
			d.curve = newCurveView(d, b)
			return d.curve
		}},
	{ID: shell.Heap, Title: "Heap", Keys: "3",
		Place: shell.Place{Area: shell.CentreBelow, Half: shell.HalfBelow, Rank: 2},
		Idle:  (*Document).noAllocations,
		New: func(d *Document, b panes.Base) shell.View {
			d.heap = newHeapView(d, b)
			return d.heap
		}},
	{ID: shell.Sites, Title: "Sites", Keys: "8", Show: "Show the tables of the heap",
		Place: shell.Place{Area: shell.CentreBelow},
		Idle:  (*Document).noAllocations,
		New: func(d *Document, b panes.Base) shell.View {
			d.sites = newSitesView(d, b)
			return d.sites
		}},
	{ID: shell.Flame, Title: "Flame", Keys: "9", Show: "Show the flame graph of allocations",
		Place: shell.Place{Area: shell.CentreBelow, Half: shell.HalfBelow, Rank: 4},
		Idle:  (*Document).noAllocations,
		New: func(d *Document, b panes.Base) shell.View {
			d.flame = newFlameView(d, b)
			return d.flame
		}},
	{ID: shell.Table, Title: "Table", Keys: "7", Show: "Show the table",
		Place: shell.Place{Area: shell.CentreBelow, Half: shell.HalfBelow, Rank: 3},
		Idle:  (*Document).noReferences,
		New: func(d *Document, b panes.Base) shell.View {
			d.table = newTableView(d, b)
			return d.table
		}},
	{ID: shell.Source, Title: "Source", Keys: "4",
		Place: shell.Place{Area: shell.RightTop, Half: shell.HalfBelow, Rank: 1},
		Idle:  (*Document).noSource,
		New: func(d *Document, b panes.Base) shell.View {
			d.source = newSourceView(d, b)
			return d.source
		}},
	{ID: shell.Explain, Title: "Explanation", Place: shell.Place{Half: shell.HalfBelow, Rank: 5},
		New: func(d *Document, b panes.Base) shell.View { return newExplainView(d, b) }},
	{ID: shell.Timeline, Title: "Timeline", Keys: "5", Place: shell.Place{Area: shell.Bottom, Half: shell.HalfBottom},
		New: func(d *Document, b panes.Base) shell.View {
			d.timeline = newTimelineView(d, b)
			return d.timeline
		}},
}
