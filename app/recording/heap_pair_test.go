package recording

import (
	"slices"
	"strings"
	"testing"

	"orrery/analysis/heap"
	"orrery/app/jobs"
	heappane "orrery/app/recording/heap"
	"orrery/app/shell"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// settled draws the heap until nothing is lacking.
func (b *bench) settled() scene.Drawing {
	for range 20 {
		b.draw(shell.Heap, heapPane)
		b.settle()
	}
	return b.draw(shell.Heap, heapPane)
}

// paired is the heap of a recording beside that of another one, in some colours.
func paired(t *testing.T, by heapmap.ColorBy) (*bench, *heapView) {
	t.Helper()
	b := open(t, shipped+"list.orr")
	v := b.heap
	v.shown.Choose("colours of the heap", func(c *heappane.Choices) { c.Color = by })
	v.compareWith(shipped + "containers.orr")
	b.settle()
	return b, v
}

// following tells whether the other run's references are being followed.
func (b *bench) following() bool {
	key := b.key("other heap use")
	return slices.ContainsFunc(b.engine.Running(), func(j jobs.Job) bool { return j.Key == key })
}

// The other run's blocks are coloured by what its own references did to them: its map is what it is alone, but for the
// scales.
func TestHeapPairColorsByTheOthersOwnUse(t *testing.T) {
	b, v := paired(t, heapmap.Heat)
	r := v.second
	usage, err := heap.Observe(t.Context(), r.run.Heap, r.run.Full, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []heapmap.ColorBy{heapmap.Heat, heapmap.Lag, heapmap.Drag, heapmap.Untouched} {
		v.shown.Choose("colours of the heap", func(c *heappane.Choices) { c.Color = by })
		b.settled()
		mine, other, _ := v.pair(heapPane, palette.Dark(), heapPane.W)
		if mine.Heap == other.Heap || len(other.Use) != other.Heap.Count() {
			t.Fatalf("%s: the other run has %d blocks and the use of %d", by, other.Heap.Count(), len(other.Use))
		}
		for i := range other.Use {
			if other.Use[i] != r.run.Full.Use.Blocks[i] {
				t.Fatalf("%s: block %d of the other run has the use %+v, want %+v", by, i, other.Use[i], r.run.Full.Use.Blocks[i])
			}
		}
		if by != heapmap.Untouched {
			continue
		}
		if other.Usage == nil || len(other.Usage.Blocks) != other.Heap.Count() {
			t.Fatal("which bytes of the other run's blocks were touched is not known")
		}
		for i := range usage.Blocks {
			if other.Usage.Blocks[i] != usage.Blocks[i] {
				t.Fatalf("block %d of the other run has %+v, want %+v", i, other.Usage.Blocks[i], usage.Blocks[i])
			}
		}
	}
	v.closeSecond()
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// While the other run's references are being followed, and where it has none, its blocks have no colour of the map.
func TestHeapPairSaysWhatIsNotKnown(t *testing.T) {
	b, v := paired(t, heapmap.Untouched)
	b.draw(shell.Heap, heapPane)
	if _, other, _ := v.pair(heapPane, palette.Dark(), heapPane.W); !b.following() || other.Usage != nil ||
		other.Why != "not known yet for the other run" {
		t.Errorf("at once the use of the other run is %v, %q, being found: %v", other.Usage, other.Why, b.following())
	}
	b.engine.CancelAll()
	b.Stopped()
	b.settle()
	if b.draw(shell.Heap, heapPane); b.following() || v.secondUse.Has(v.second.run) {
		t.Error("cancelled work goes on by itself")
	}
	b.again()
	if b.settled(); !v.secondUse.Has(v.second.run) {
		t.Error("after F5 the use of the other run is not known")
	}
	v.second.run.Full = nil // a log of allocations alone
	v.shown.Choose("colours of the heap", func(c *heappane.Choices) { c.Color = heapmap.Drag })
	if text := written(b.settled()); !strings.Contains(text, "not known for the other run: it has no references") {
		t.Errorf("a log without references beside this run says %q", text)
	}
}

// What is selected or hovered is the same place, function or line in the other run, and never a block of the same
// number.
func TestHeapPairSelectsByName(t *testing.T) {
	b, v := paired(t, heapmap.Heat)
	block := heapmap.BlockThing(b.rec.Heap, 5)
	line := link.Thing{What: link.Line, File: b.rec.Heap.Sites[0].File, Line: b.rec.Heap.Sites[0].Line}
	for _, row := range []struct{ selected, hover, wantSelected, wantHover link.Thing }{
		{block, heapmap.BlockThing(b.rec.Heap, 7), link.Thing{}, link.Thing{}},
		{line, block, line, link.Thing{}},
	} {
		b.link.Select(row.selected, "heap")
		b.link.SetHover(row.hover)
		mine, other, _ := v.pair(heapPane, palette.Dark(), heapPane.W)
		if mine.Selected != row.selected || mine.Hover != row.hover || other.Selected != row.wantSelected ||
			other.Hover != row.wantHover || other.Inside != nil {
			t.Errorf("of %+v and %+v the other run has %+v and %+v", row.selected, row.hover, other.Selected, other.Hover)
		}
	}
	b.link.Select(block, "heap")
	framed := 0
	for _, x := range b.settled().Shapes {
		g, ok := x.(scene.Group)
		for i := 0; ok && i < len(g.Shapes); i++ {
			if s, ok := g.Shapes[i].(scene.Stroke); ok && s.Color == palette.Dark().Accent && s.Width == 1.5 {
				if framed++; g.Clip.Min.Y > heapPane.H/2 {
					t.Errorf("a block of the other run is framed: %+v", s)
				}
			}
		}
	}
	if framed != 1 {
		t.Errorf("%d blocks are framed", framed)
	}
}

// A document can be closed while the other run's references are being followed.
func TestHeapPairCloses(t *testing.T) {
	b, v := paired(t, heapmap.Untouched)
	if b.draw(shell.Heap, heapPane); !b.following() {
		t.Error("the other run's references are not followed")
	}
	v.closeSecond()
	if b.following() {
		t.Error("the references of a closed run are followed")
	}
	b.settle()
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	b.settle()
}

// Of one bin in two runs all that is drawn and said is of that bin in both: its blocks below, the scale of the bars,
// the sites that differ. A rule of bins is that of both runs. The twin counts the blocks of the bin of that name.
func TestHeapPairComparesBinWithBin(t *testing.T) {
	const rule = "sizes 32 64"
	for _, row := range []struct {
		rule, bin string
		below     bool // the other run has that bin
	}{{"", "24 B", true}, {"", "56 B", false}, {rule, "to 32 B", true}} {
		b, v := paired(t, heapmap.Site)
		v.shown.Choose("bins of the heap", func(c *heappane.Choices) { c.Rule, c.Bin = row.rule, 0 })
		b.settled()
		bin := slices.IndexFunc(v.heap().Bins, func(x heap.Bin) bool { return x.Name == row.bin })
		if bin < 0 {
			t.Fatalf("this run has no bin %q: %+v", row.bin, v.heap().Bins)
		}
		v.shown.Choose("bin shown", func(c *heappane.Choices) { c.Bin = bin + 1 })
		text := written(b.settled())
		mine, other, _ := v.pair(heapPane, palette.Dark(), heapPane.W)
		want, grown := v.heap().Bins[bin].PeakBytes, map[string]int64{}
		count := func(h *heap.Heap, bin int, sign int64) {
			for id := range h.Count() {
				if h.Bin(id) == bin {
					grown[h.Sites[h.SiteOf(id)].Name()] += sign * int64(h.Size(id))
				}
			}
		}
		count(v.heap(), bin, 1)
		if row.below {
			if name := other.Heap.Bins[other.Bin-1].Name; other.Bin == 0 || name != row.bin {
				t.Fatalf("beside bin %s stands %s", row.bin, name)
			}
			want = max(want, other.Heap.Bins[other.Bin-1].PeakBytes)
			count(other.Heap, other.Bin-1, -1)
		} else if why := "containers.orr has no block in bin " + row.bin + "."; !strings.Contains(text, why) {
			t.Errorf("bin %s: it says %s, want %q", row.bin, text, why)
		}
		if mine.Bin != bin+1 || mine.Peak != want || other.Peak != want {
			t.Errorf("bin %s: %d on scales of %d and %d, want %d on %d", row.bin, mine.Bin, mine.Peak, other.Peak, bin+1, want)
		}
		changes := v.second.both.Comparison
		if changes == nil {
			t.Fatalf("bin %s: nothing is compared", row.bin)
		}
		for _, x := range changes.Sites {
			if grown[x.Name] != x.Grown() {
				t.Errorf("bin %s: %s grew by %d, want %d", row.bin, x.Name, x.Grown(), grown[x.Name])
			}
			delete(grown, x.Name)
		}
		if len(grown) > 0 || !strings.Contains(text, "bin "+row.bin+
			": above list.orr, below containers.orr · from containers.orr to list.orr: ") {
			t.Errorf("bin %s: of %v nothing is known; it says\n%s", row.bin, grown, text)
		}
		v.closeSecond()
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}
