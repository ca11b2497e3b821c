package document

import (
	"context"
	"math"
	"slices"

	"orrery/analysis/heap"
	"orrery/app/jobs"
	"orrery/app/shell"
	"orrery/views/heapmap"
	"orrery/views/link"
)

// heapChoices are what the user chose in the heap pane. Each change is an undoable step; maps and slices are replaced, never
// changed.
type heapChoices struct {
	show     heapShow
	color    heapmap.ColorBy
	cushion  heapmap.Cushion
	bar      heapmap.BarStyle
	alpha    float64
	plain    bool
	curves   bool
	links    bool
	softness float64
	rule     string // of the bins, "" is the heap's own
	bin      int    // the only one that the map shows plus 1, 0 for all
	hidden   map[int]bool
	cursors  []heap.Time
	levels   []float64
}

// heapShow is what the pane shows.
type heapShow int

const (
	showMap heapShow = iota
	showAddresses
	showTimes
	showBars
	showPair
)

var heapShowNames = []string{"map", "bins by address", "bins by time", "occupancy of bins", "two runs"}

// page is the heap map's page for what is shown.
func (s heapShow) page() heapmap.Page {
	if s <= showBars {
		return heapmap.Page(s)
	}
	return heapmap.MapPage
}

// choose makes an undoable step; name says what it changes.
func (v *heapView) choose(name string, change func(c *heapChoices)) {
	next := v.shown
	change(&next)
	link.Choose(v.d.link, name, &v.shown, next, v.chosen)
}

// chosen follows from a choice, made, undone or redone.
func (v *heapView) chosen() {
	v.rebin()
	v.d.changed(shell.Heap)
}

// rebin puts the blocks into the bins of the chosen rule.
func (v *heapView) rebin() {
	d, h, text := v.d, v.d.rec.Heap, v.shown.rule
	if text == "" || v.binned.of == h && v.binned.rule == text {
		return
	}
	rule, err := heap.ParseRule("the rule", text)
	if err != nil {
		d.host.Failed(err.Error())
		return
	}
	jobs.Start(d.host.Engine, d.key("heap bins"), "sorting blocks into bins", func(ctx context.Context, _ func(done, total int64)) (*heap.Heap, error) {
		return h.Rebin(ctx, rule)
	}, func(found *heap.Heap, err error) {
		if err != nil {
			d.host.Failed(err.Error())
			return
		}
		v.binned = binned{of: h, rule: text, heap: found}
		d.changed(shell.Heap)
	})
}

// binned is the heap in the bins of another rule.
type binned struct {
	of   *heap.Heap
	rule string
	heap *heap.Heap
}

// heap is the recording's heap, in the chosen bins where they are known.
func (v *heapView) heap() *heap.Heap {
	if v.shown.rule != "" && v.binned.of == v.d.rec.Heap && v.binned.rule == v.shown.rule {
		return v.binned.heap
	}
	return v.d.rec.Heap
}

// mark sets a cushion cursor at a time, or takes away the one that stands within reach of it.
func (v *heapView) mark(at, reach heap.Time) {
	var list []heap.Time
	for _, t := range v.shown.cursors {
		if t < at-reach || t > at+reach {
			list = append(list, t)
		}
	}
	if len(list) == len(v.shown.cursors) {
		list = append(slices.Clone(list), at)
	}
	v.choose("cursors in the heap", func(c *heapChoices) { c.cursors = list })
}

// level sets a cursor across, at a share of the height, or takes one away.
func (v *heapView) level(at float64) {
	var list []float64
	for _, y := range v.shown.levels {
		if math.Abs(y-at) > 0.02 {
			list = append(list, y)
		}
	}
	if len(list) == len(v.shown.levels) {
		list = append(slices.Clone(list), at)
	}
	v.choose("cursors in the heap", func(c *heapChoices) { c.levels = list })
}

func (v *heapView) setShow(s heapShow) {
	if s == showPair && v.rival == nil {
		v.askRival()
		return
	}
	v.choose("what the heap pane shows", func(c *heapChoices) { c.show = s })
}
