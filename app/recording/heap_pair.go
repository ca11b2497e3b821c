package recording

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	heappane "orrery/app/recording/heap"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/words"
)

// secondRun is another run beside this one, on one scale: as many references or events to a pixel, where it is possible
// as many bytes of addresses, and the same colours for as many bytes in the bars.
type secondRun struct {
	run  *session.Allocations
	both pairing
	draw heapmap.Renderer
}

// pairing is the comparison of this run's blocks, or of those of a bin, with the other run's.
type pairing struct {
	pairOf
	*heap.Comparison // Old is the other run; of a bin nil while what the two do is being counted
}

// pairOf is what a comparison is of.
type pairOf struct {
	mine, other  *heap.Heap
	bin          string // whose name it is, or ""
	above, below *heap.BinHistory
	absent       string // why the other run's bin is not drawn, or ""
}

// betweenPair is the height of the words between the two runs.
const betweenPair = 18.0

// askBaseline lets the user name the other run.
func (v *heapView) askBaseline() {
	if v.d.host.OpenFile != nil {
		v.d.host.OpenFile(v.compareWith)
	}
}

// compareWith reads another run and shows both.
func (v *heapView) compareWith(path string) { v.baseline.Restart(path) }

// loadPair reads a run with allocations.
func loadPair(ctx context.Context, path string, report func(done, total int64)) (*session.Allocations, error) {
	run, err := session.LoadHeap(ctx, path, report)
	if err == nil && run.Count() == 0 {
		run.Close()
		return nil, errors.New(filepath.Base(path) +
			" has no allocations to compare with; choose a recording of a program that allocates")
	}
	return run, err
}

// pairWith shows a run that was read beside this one.
func (v *heapView) pairWith(run *session.Allocations) {
	v.second = &secondRun{run: run}
	v.shown.Choose(heappane.Pages.Step, func(c *heappane.Choices) { c.Page = heappane.Pair })
}

// baselineChip are the choices of what this run is shown beside, and where the two are compared site by site.
func (v *heapView) baselineChip() toolbar.Chip {
	c := toolbar.Chip{Name: "beside", Word: scene.Ellipsis(scene.Sans, 10.5, "beside "+stem(v.second.run.Path), toolWidth)}
	c.List = append(c.List, toolbar.Choice{Title: "The sites of both runs in a table", Run: v.tabulate})
	c.List = append(c.List, panes.BaselineChoices(&v.d.host, v.d.rings.neighbours(), "Beside", "a recording or a log",
		v.second.run.Path, v.compareWith)...)
	return c
}

// tabulate compares the two runs in the tables of the heap, site by site.
func (v *heapView) tabulate() {
	if v.second != nil {
		v.d.sites.compare(v.second.run.Path)
		v.d.show(shell.Sites)
	}
}

// pairs tells whether two runs are shown.
func (v *heapView) pairs() bool { return v.shown.Now.Page == heappane.Pair && v.second != nil }

// between tells whether a point is in the words between the two runs.
func (v *heapView) between(e pane.Event) bool {
	y := e.At.Y - (e.Size.H-betweenPair)/2
	return v.pairs() && y >= 0 && y < betweenPair
}

// closeSecond releases the other run's file.
func (v *heapView) closeSecond() {
	v.secondUse.Forget()
	v.secondBins.Forget()
	v.second = nil
	v.baseline.Forget()
}

// pair is the states of both, and the room of each: a line of words above, then this run, then the other. Where this
// run shows a bin, the other one shows the bin of the same name.
func (v *heapView) pair(size scene.Size, theme palette.Theme,
	left float64) (mine, other heapmap.State, room scene.Size) {
	r := v.second
	mine = v.state(theme)
	other = mine
	sorted, known := binned(v.secondBins, r.run.Heap, v.shown.Now.Rule)
	other.Heap, other.Bin = sorted, 0
	of := pairOf{mine: mine.Heap, other: other.Heap}
	if mine.Bin > 0 {
		of.bin = mine.Heap.Bins[mine.Bin-1].Name
		other.Bin = 1 + slices.IndexFunc(other.Heap.Bins, func(b heap.Bin) bool { return b.Name == of.bin })
		switch {
		case !known:
			other.Bin, of.absent = 0, "Sorting the blocks of "+r.run.Name()+" into bins …"
		case other.Bin == 0:
			of.absent = r.run.Name() + " has no block in bin " + of.bin + "."
		}
		if known {
			of.above, of.below = v.draw.History(mine), r.draw.History(other)
		}
	}
	if r.both.pairOf != of {
		r.both = of.compare()
	}
	mine.Until, mine.Tools = max(mine.Heap.Axis.End, other.Heap.Axis.End), size.W-left
	if mine.Peak = peakOf(&mine); of.absent == "" {
		mine.Peak = max(mine.Peak, peakOf(&other))
	}
	other.Until, other.Peak = mine.Until, mine.Peak
	other.Sites, other.Regions, other.Hidden, other.Inside, other.Low, other.High = nil, nil, nil, nil, 0, 0
	other.Use, other.Usage, other.Why = v.useOfSecond()
	other.Hover, other.Selected, other.Tools = heapmap.Counterpart(&mine, &other, mine.Hover),
		heapmap.Counterpart(&mine, &other, mine.Selected), 0
	if theirs, ours, common := heap.Pools(other.Heap, mine.Heap); common {
		mine.Spans, other.Spans = ours, theirs
		if mine.High > mine.Low {
			other.Low, other.High = heap.Across(ours, theirs, mine.Low), heap.Across(ours, theirs, mine.High)
		}
	}
	if mine.Heap.Axis.Ordinal != other.Heap.Axis.Ordinal {
		other.NoCursor, other.Cursors = true, nil
	}
	other.Like = v.draw.Like(mine)
	v.hideAlike(mine, &other)
	size.H = (size.H - betweenPair) / 2
	return mine, other, size
}

// peakOf is the most bytes of what a state shows, of all blocks or of a bin.
func peakOf(s *heapmap.State) uint64 {
	if s.Bin > 0 {
		return s.Heap.Bins[s.Bin-1].PeakBytes
	}
	return s.Heap.PeakBytes
}

// compare compares like with like: all blocks with all, or a bin with the bin of the same name.
func (of pairOf) compare() pairing {
	switch {
	case of.bin == "":
		return pairing{of, heap.Compare(of.other, of.mine)}
	case of.above != nil && (of.below != nil || of.absent != ""):
		return pairing{of, heap.CompareBins(of.other, of.mine, of.below, of.above)}
	}
	return pairing{pairOf: of}
}

// useOfSecond is what references did to the blocks of the other run, as far as that is known, and why it is not. Which
// bytes they touched is found when it is asked for.
func (v *heapView) useOfSecond() (use []region.BlockUse, usage *heap.Usage, why string) {
	run := v.second.run
	if run.Full == nil || run.Full.EventsOnly() {
		return nil, nil, "not known for the other run: it has no references"
	}
	if v.shown.Now.Color == heapmap.Untouched {
		usage, _ = v.secondUse.For(run)
	}
	return run.Full.Use.Blocks, usage, "not known yet for the other run"
}

// hideAlike hides in the other run what is hidden in this one.
func (v *heapView) hideAlike(mine heapmap.State, other *heapmap.State) {
	hidden := map[string]bool{}
	for i, e := range v.draw.Legend(mine) {
		if i < len(mine.Hidden) && mine.Hidden[i] {
			hidden[e.Name] = true
		}
	}
	if len(hidden) == 0 {
		return
	}
	for _, e := range v.second.draw.Legend(*other) {
		other.Hidden = append(other.Hidden, hidden[e.Name])
	}
}

func (v *heapView) drawPair(size scene.Size, theme palette.Theme, left float64) scene.Drawing {
	mine, other, room := v.pair(size, theme, left)
	v.draw.Later, v.second.draw.Later = mine.Heap.Count() > atOnce, other.Heap.Count() > atOnce
	d := v.draw.Scene(mine, room)
	d.Size = size
	if text := v.second.both.absent; text != "" {
		d.Add(scene.Text{At: scene.Point{X: size.W / 2, Y: size.H - room.H/2}, Size: 12, Color: theme.Dim, Align: 0.5,
			Max: size.W - 24, S: text})
	} else {
		d.Add(scene.Move(v.second.draw.Scene(other, room).Shapes, 0, room.H+betweenPair)...)
	}
	d.Add(scene.Text{At: scene.Point{X: 12, Y: room.H + 12}, Size: 11, Color: theme.Text, Max: size.W - 24,
		S: v.second.words(v.d.rec.Name(), mine, other)})
	v.d.set.After(func() {
		v.work(&v.draw, "heap map")
		if v.second != nil {
			v.work(&v.second.draw, "heap map beside")
		}
	})
	return d
}

// words say what is above and what below, what their heights stand for where that is not the same, and which sites
// differ most.
func (r *secondRun) words(name string, above, below heapmap.State) string {
	text := fmt.Sprintf("above %s, below %s", name, r.run.Name())
	if above.Spans == nil {
		text = fmt.Sprintf("above %s, %s of addresses; below %s, %s of them", name, words.Bytes(heapmap.Height(above)),
			r.run.Name(), words.Bytes(heapmap.Height(below)))
	}
	if r.both.bin != "" {
		text = "bin " + r.both.bin + ": " + text
	}
	if r.both.Comparison == nil {
		return text
	}
	a := session.Allocating{Heap: r.both.mine, Baseline: r.both.Comparison, Than: r.run.Path}
	told := a.Told("against")
	sites := told[len(told)-1]
	return text + " · from " + r.run.Name() + " to " + name + ": " + strings.ToLower(sites[:1]) + sites[1:]
}

// hitPair asks the map under the pointer; things of the other run cannot be selected here.
func (v *heapView) hitPair(e pane.Event) heapmap.Target {
	_, left := v.place(e.Size, e.Theme)
	mine, other, room := v.pair(e.Size, e.Theme, left)
	if e.At.Y < room.H {
		return v.draw.Hit(mine, room, e.At)
	}
	if e.At.Y -= room.H + betweenPair; e.At.Y < 0 { // the words between them
		lines := strings.Split(v.second.words(v.d.rec.Name(), mine, other), " · ")
		return heapmap.Target{Entry: -1, Lines: append(lines, "click: the sites of both runs in a table")}
	}
	if v.second.both.absent != "" {
		return heapmap.Target{Entry: -1}
	}
	t := v.second.draw.Hit(other, room, e.At)
	if len(t.Lines) > 0 {
		t.Lines = append(t.Lines, "in "+v.second.run.Name())
	}
	t.Thing, t.Bin = link.Thing{}, 0
	if t.Part != heapmap.Map && t.Part != heapmap.Context { // these move the window; its times are not this run's
		t.Part = heapmap.Nowhere
	}
	return t
}
