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

// heapChoices are what the user chose in the heap pane. Each change is an undoable step; maps and slices are replaced,
// never changed.
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
	v.Redraw()
}

// rebin puts the blocks of all runs that are shown into the bins of the chosen rule.
func (v *heapView) rebin() {
	v.sort("heap bins", v.d.rec.Heap, &v.binned)
	if v.rival != nil {
		v.sort("other heap bins", v.rival.run.Heap, &v.rival.binned)
	}
}

// sort puts the blocks of one of them into the bins of the chosen rule.
func (v *heapView) sort(key string, h *heap.Heap, into *binned) {
	d, text := v.d, v.shown.rule
	if text == "" || into.of == h && into.rule == text {
		return
	}
	rule, err := heap.ParseRule("the rule", text)
	if err != nil {
		d.host.Failed(err.Error())
		return
	}
	jobs.Start(d.host.Engine, d.key(key), "sorting blocks into bins",
		func(ctx context.Context, _ func(done, total int64)) (*heap.Heap, error) {
			return h.Rebin(ctx, rule)
		}, func(found *heap.Heap, err error) {
			if err != nil {
				d.host.Failed(err.Error())
				return
			}
			*into = binned{of: h, rule: text, heap: found}
			d.changed(shell.Heap)
		})
}

// binned is the heap in the bins of another rule.
type binned struct {
	of   *heap.Heap
	rule string
	heap *heap.Heap
}

// as is a heap in the bins of a rule; as it is, where these are not known.
func (b *binned) as(h *heap.Heap, rule string) (sorted *heap.Heap, known bool) {
	if rule != "" && b.of == h && b.rule == rule {
		return b.heap, true
	}
	return h, rule == ""
}

// heap is the recording's heap, in the chosen bins where they are known.
func (v *heapView) heap() *heap.Heap {
	h, _ := v.binned.as(v.d.rec.Heap, v.shown.rule)
	return h
}

// bin is the only one that is shown, plus 1; 0 for all, and while its rule's bins are not known.
func (v *heapView) bin() int {
	if h, known := v.binned.as(v.d.rec.Heap, v.shown.rule); known && v.shown.bin <= len(h.Bins) {
		return v.shown.bin
	}
	return 0
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
