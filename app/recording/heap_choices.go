package recording

import (
	"context"
	"math"
	"slices"

	"orrery/analysis/heap"
	"orrery/app/panes"
	heappane "orrery/app/recording/heap"
)

// binning is sorting the blocks of a heap into the bins of a rule.
type binning struct {
	heap *heap.Heap
	rule string
}

// newBins are the blocks of a run in the bins of a rule.
func newBins(d *Document, name string) *panes.Lazy[binning, *heap.Heap] {
	return panes.NewLazy(d.set, panes.Work[binning, *heap.Heap]{Name: name,
		Title: func(binning) string { return "sorting blocks into bins" },
		Run: func(ctx context.Context, k binning, _ func(done, total int64)) (*heap.Heap, error) {
			rule, err := heap.ParseRule("the rule", k.rule)
			if err != nil {
				return nil, err
			}
			return k.heap.Rebin(ctx, rule)
		}})
}

// binned is a heap in the bins of a rule; as it is, where these are not known.
func binned(bins *panes.Lazy[binning, *heap.Heap], h *heap.Heap, rule string) (sorted *heap.Heap, known bool) {
	if rule == "" {
		return h, true
	}
	if sorted, known = bins.For(binning{h, rule}); known {
		return sorted, true
	}
	return h, false
}

// heap is the recording's heap, in the chosen bins where they are known.
func (v *heapView) heap() *heap.Heap {
	h, _ := binned(v.bins, v.d.rec.Heap, v.shown.Now.Rule)
	return h
}

// bin is the only one that is shown, plus 1; 0 for all, and while its rule's bins are not known.
func (v *heapView) bin() int {
	if h, known := binned(v.bins, v.d.rec.Heap, v.shown.Now.Rule); known && v.shown.Now.Bin <= len(h.Bins) {
		return v.shown.Now.Bin
	}
	return 0
}

// mark sets a cushion cursor at a time, or takes away the one that stands within reach of it.
func (v *heapView) mark(at, reach heap.Time) {
	var list []heap.Time
	for _, t := range v.shown.Now.Cursors {
		if t < at-reach || t > at+reach {
			list = append(list, t)
		}
	}
	if len(list) == len(v.shown.Now.Cursors) {
		list = append(slices.Clone(list), at)
	}
	v.shown.Choose("cursors in the heap", func(c *heappane.Choices) { c.Cursors = list })
}

// level sets a cursor across, at a share of the height, or takes one away.
func (v *heapView) level(at float64) {
	var list []float64
	for _, y := range v.shown.Now.Levels {
		if math.Abs(y-at) > 0.02 {
			list = append(list, y)
		}
	}
	if len(list) == len(v.shown.Now.Levels) {
		list = append(slices.Clone(list), at)
	}
	v.shown.Choose("cursors in the heap", func(c *heappane.Choices) { c.Levels = list })
}

// turn shows another page; the map of one bin becomes that of all.
func (v *heapView) turn(p heappane.Page) {
	switch {
	case p == heappane.Pair && v.second == nil:
		v.askBaseline()
	case p == heappane.Map && v.shown.Now.Bin > 0:
		v.shown.Choose("bin shown", func(c *heappane.Choices) { c.Bin, c.Page = 0, heappane.Map })
	default:
		v.shown.Choose(heappane.Pages.Step, func(c *heappane.Choices) { c.Page = p })
	}
}
