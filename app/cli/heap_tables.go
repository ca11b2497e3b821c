package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"orrery/analysis/heap"
	"orrery/app/session"
	"orrery/traceio"
)

// print writes the report as text.
func (r *heapReport) print(w io.Writer, f *heapFlags) error {
	if r.Heap.Allocations == 0 && len(r.Heap.Errors) == 0 {
		_, err := fmt.Fprintln(w, "No allocations in this recording: the program made none, or it was recorded by a tool "+
			"that does not log them; orrery record does.")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	switch {
	case r.change != nil && !f.some():
		r.printChange(w, t, f.against)
	case !f.some():
		r.printAll(w, t)
	}
	if f.sites {
		r.printSites(t)
	}
	if f.leaks {
		r.printLeaks(t)
	}
	if f.temporaries {
		r.printTemporaries(t)
	}
	return t.Flush()
}

func (r *heapReport) printAll(w io.Writer, t *tabwriter.Writer) {
	h, unit := r.Heap, r.unit()
	fmt.Fprintf(w, "%s, %s, %s in all, peak %s at %s %d\n", plainly(h.Allocations, "allocation"), plainly(h.Frees, "free"),
		plainly(h.TotalBytes, "byte"), plainly(h.PeakBytes, "byte"), unit, h.PeakTime)
	fmt.Fprintf(w, "%s with %s never freed, %d temporary, %d freed by another thread, %s\n", plainly(h.LeakedBlocks,
		"block"), plainly(h.LiveBytes, "byte"), h.Temporary, h.Crossed, plainly(uint64(len(h.Links)), "reallocation"))
	if len(r.leaks) > 0 && r.cut {
		fmt.Fprintln(w, mayBeFreed)
	}
	r.printErrors(w)
	if h.Allocations == 0 {
		fmt.Fprintln(w, "The log has no allocation, so there is no heap to tell of; it may begin late.")
		return
	}
	r.printBins(t)
	r.printBursts(t)
	r.printShape(t)
	r.printLatency(t)
	r.printUse(t)
	r.printSites(t)
	r.printCrossings(t)
	r.printChains(t)
}

// printErrors tells each kind with its count and where the first ones stand, in the log and in the program.
func (r *heapReport) printErrors(w io.Writer) {
	listed := map[heap.ErrorKind]int{}
	for i := range r.Heap.Errors {
		e := &r.Heap.Errors[i]
		if listed[e.Kind]++; listed[e.Kind] == 1 {
			n := r.Heap.ErrorCount(e.Kind)
			fmt.Fprintf(w, "%s: %d %s\n", e.Kind, n, e.Kind.Why(n))
		}
		if listed[e.Kind] <= r.top {
			fmt.Fprintf(w, "  %s of %v at event %d", e.Kind, e.Addr, e.Event)
			if r.unit() != "event" {
				fmt.Fprintf(w, ", %s %d", r.unit(), e.Seq)
			}
			if caller := r.Heap.Caller(e.Stack); caller.Where() != "" {
				fmt.Fprintf(w, ", in %s", caller.Where())
			}
			if doubt := e.Doubt(); doubt != "" {
				fmt.Fprintf(w, ": %d bytes, %s", int64(e.Size), doubt) // a size with the highest bit is a negative one
			}
			fmt.Fprintln(w)
		}
	}
}

func (r *heapReport) printBins(t *tabwriter.Writer) {
	h := r.Heap
	fmt.Fprintln(t, "\nbin\tblocks\tpeak bytes\twaste\tfragmentation\tworst\tat\tbursts up\tdown\tmixed\tsteps "+
		"up\toccupancy over time\t")
	for i := range h.Bins {
		b, o := &h.Bins[i], &r.orders[i]
		at, most := worst(r.curves.Bins[i])
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.2f\t%.2f\t%d\t%d\t%d\t%d\t%s\t%s\t\n", b.Name, b.Blocks, b.PeakBytes, b.WasteBytes,
			b.Fragmentation, most, h.Axis.Seq(at),
			o.Bursts[heap.Upward], o.Bursts[heap.Downward], o.Bursts[heap.Mixed], portion(o.Up, o.Steps),
			spark(highs(r.curves.Bins[i])))
	}
	at, most := worst(r.curves.Total)
	fmt.Fprintf(t, "all\t%d\t%d\t\t%.2f\t%.2f\t%d\t\t\t\t\t%s\t\n", h.Allocations, h.PeakBytes, h.PeakFragmentation, most,
		h.Axis.Seq(at), spark(highs(r.curves.Total)))
}

// printBursts lists the longest bursts of allocations: which way addresses went in each.
func (r *heapReport) printBursts(t *tabwriter.Writer) {
	h := r.Heap
	list := heap.Longest(r.bursts, r.top)
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(t, "\nbursts of %d or more allocations, the longest\tfrom\tto\tblocks\tsteps up\tdown\taddresses go\t\n",
		heap.MinBurst)
	for i := range list {
		b := &list[i]
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t\n", h.Bins[b.Bin].Name, h.Axis.Seq(b.From), h.Axis.Seq(b.To),
			b.Blocks, b.Up, b.Down(),
			[...]string{"both ways", "up", "down"}[b.Direction()])
	}
}

// sparks is how many bars a row of them has.
const sparks = 32

// highs is the most bytes that were live in each of a few parts of a curve.
func highs(points []heap.Point) []uint64 {
	out := make([]uint64, sparks)
	for i := range points {
		k := i * sparks / len(points)
		out[k] = max(out[k], points[i].High)
	}
	return out
}

// portion is a share for people, nothing where there is no whole.
func portion[T int | uint64](part, whole T) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %%", math.Round(100*float64(part)/float64(whole)))
}

// few is how many rows the tables of single blocks and holes have.
const few = 5

// printShape tells of the peak and of the end what lies where: compact regions, holes, and what pins them.
func (r *heapReport) printShape(t *tabwriter.Writer) {
	h := r.Heap
	if regions := h.Compact(h.PeakAt, 0, min(few, r.top)); len(regions) > 0 {
		fmt.Fprintln(t, "\nlargest compact regions at the peak\tbytes\tblocks\tmostly of\t")
		for _, x := range regions {
			fmt.Fprintf(t, "%v\t%d\t%d\t%s\t\n", x.Low, x.Size(), x.Blocks, h.Sites[x.Site].Name())
		}
	} else {
		fmt.Fprintln(t, "\n"+r.shapeless())
	}
	end := h.Axis.End - 1
	if pins := h.Pins(end, min(few, r.top)); len(pins) > 0 {
		fmt.Fprintln(t, "\nblocks that pin free memory at the end\tbytes\tfree below\tfree above\tshrinks the heap "+
			"by\tallocated at\t")
		for _, p := range pins {
			b := h.Block(p.Block)
			fmt.Fprintf(t, "%v\t%d\t%d\t%d\t%d\t%s\t\n", b.Low, b.Size, p.Below, p.Above, p.Shrinks, h.Sites[b.Site].Name())
		}
	}
	if left := h.Survivors(end); len(left) > 0 {
		fmt.Fprintln(t, "\nsites that alone keep pages at the end\tpages of 4 KiB\tblocks\tbytes on them\t")
		for _, s := range printed(left, min(few, r.top)) {
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t\n", h.Sites[s.Site].Name(), s.Pages, s.Blocks, s.Bytes)
		}
	}
}

// shapeless says why no block stands at the peak: a block's time begins with the first reference behind its allocation.
func (r *heapReport) shapeless() string {
	switch h := r.Heap; {
	case h.PeakBytes == 0:
		return "No block has a byte, so there is no peak: there are no regions to tell of."
	case h.PeakAt >= h.Axis.End:
		return "The peak comes behind the last reference, where the time axis ends: there are no regions to tell of."
	}
	return "The blocks of the peak are freed before the next reference: there are no regions to tell of."
}

func (r *heapReport) printLatency(t *tabwriter.Writer) {
	if len(r.latency) == 0 {
		return
	}
	fmt.Fprintln(t, "\nresponse time in ns\tcalls\tmean\tmedian\t99 %\tslowest\t")
	slowest := slices.Clone(r.latency)
	slices.SortStableFunc(slowest, func(a, b heap.Histogram) int { return cmp.Compare(b.Total, a.Total) })
	for i := range printed(slowest, r.top) {
		g := &slowest[i]
		name := "allocate"
		if g.Op == traceio.Free {
			name = "free"
		}
		if g.Bin >= 0 {
			name += " " + r.Heap.Bins[g.Bin].Name
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t\n", name, g.Count, g.Mean(), g.Quantile(0.5), g.Quantile(0.99), g.Slowest)
	}
}

// printUse tells what the references say of each site's blocks, and the worst in a sentence.
func (r *heapReport) printUse(t *tabwriter.Writer) {
	if r.usage == nil {
		return
	}
	fmt.Fprintln(t, "\nused by references\tblocks\tnever used\tbytes never touched\treferences\tlag\tdrag\tof the "+
		"memory held over time: lag\tdrag\t")
	for i := range printed(r.Heap.Sites, r.top) {
		u := &r.usage.Sites[i]
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f %%\t%.0f %%\t\n", r.Heap.Sites[i].Name(), u.Blocks, u.Unused,
			u.Bytes-u.Touched, u.References,
			u.Lag/max(u.Blocks, 1), u.Drag/max(u.Blocks, 1), 100*u.LagShare(), 100*u.DragShare())
	}
	for _, line := range append(r.usage.Sentences(r.Heap, 3), r.usage.Caveat(r.Heap)) {
		if line != "" {
			fmt.Fprintln(t, line)
		}
	}
}

func (r *heapReport) printSites(t *tabwriter.Writer) {
	if len(r.Heap.Sites) == 0 {
		fmt.Fprintln(t, "Nothing was allocated.")
		return
	}
	fmt.Fprintln(t, "\nallocated at\tblocks\tbytes\tat the peak\tnever freed\ttemporary\twaste\tallocations over time\t")
	activity := r.Heap.Activity(sparks)
	for i := range printed(r.Heap.Sites, r.top) {
		s := &r.Heap.Sites[i]
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t\n", s.Name(), s.Blocks, s.Bytes, s.PeakBytes, s.LiveBytes,
			s.Temporary, s.WasteBytes, spark(activity[i]))
	}
	if n := len(r.Heap.Sites) - r.top; n > 0 {
		fmt.Fprintf(t, "and %d more\t\n", n)
	}
}

// spark draws numbers as a row of bars.
func spark(values []uint64) string {
	most := slices.Max(values)
	var s strings.Builder
	for _, v := range values {
		switch {
		case v == 0:
			s.WriteRune('·')
		default:
			s.WriteRune([]rune("▁▂▃▄▅▆▇█")[7*v/max(most, 1)])
		}
	}
	return s.String()
}

// mayBeFreed is said of leaks in a log that is not whole.
const mayBeFreed = "Events of this log are missing, so what was never freed in it may not be a leak: it may have " +
	"been freed by one of them."

func (r *heapReport) printLeaks(t *tabwriter.Writer) {
	leaks := r.leaks
	if len(leaks) == 0 {
		fmt.Fprintln(t, "Everything was freed.")
		return
	}
	if r.cut {
		fmt.Fprintln(t, mayBeFreed)
	}
	fmt.Fprintln(t, "\nnever freed, allocated at\tblocks\tbytes\tfirst\tlast\tover time\t\t")
	for i := range printed(leaks, r.top) {
		l := &leaks[i]
		word := ""
		if l.Growing() {
			word = "grows"
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%s\t%s\t\n", r.Heap.Sites[l.Site].Name(), l.Blocks, l.Bytes,
			r.Heap.Axis.Seq(l.First), r.Heap.Axis.Seq(l.Last), spark(l.Growth[:]), word)
	}
}

// temporarySites is the sites with temporary blocks, the most first.
func temporarySites(sites []heap.Site) []*heap.Site {
	var out []*heap.Site
	for i := range sites {
		if sites[i].Temporary > 0 {
			out = append(out, &sites[i])
		}
	}
	slices.SortStableFunc(out, func(a, b *heap.Site) int { return cmp.Compare(b.Temporary, a.Temporary) })
	return out
}

func (r *heapReport) printTemporaries(t *tabwriter.Writer) {
	sites := temporarySites(r.Heap.Sites)
	if len(sites) == 0 {
		fmt.Fprintln(t, "No block was freed at once.")
		return
	}
	fmt.Fprintln(t, "\nfreed at once, allocated at\ttemporary\tof its blocks\tbytes of all\t")
	for _, s := range printed(sites, r.top) {
		fmt.Fprintf(t, "%s\t%d\t%s\t%d\t\n", s.Name(), s.Temporary, portion(s.Temporary, s.Blocks), s.Bytes)
	}
}

func (r *heapReport) printCrossings(t *tabwriter.Writer) {
	crossings := r.Heap.Crossings()
	if len(crossings) == 0 {
		return
	}
	fmt.Fprintln(t, "\nfreed by another thread: allocated at\tthread\tfreed at\tthread\tblocks\tbytes\t")
	for _, c := range printed(crossings, min(few, r.top)) {
		fmt.Fprintf(t, "%s\t%d\t%s\t%d\t%d\t%d\t\n", r.Heap.Sites[c.Site].Name(), c.From, r.Heap.FreeSites[c.FreeSite].Name(),
			c.To, c.Blocks, c.Bytes)
	}
}

func (r *heapReport) printChains(t *tabwriter.Writer) {
	chains := r.Heap.Chains()
	if len(chains) == 0 {
		return
	}
	fmt.Fprintln(t, "\nreallocated, first at\ttimes\tmoved\tbytes copied\tlargest size\t")
	for i := range printed(chains, min(few, r.top)) {
		c := &chains[i]
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t\n", r.Heap.Sites[r.Heap.Block(int(c.Blocks[0])).Site].Name(), len(c.Blocks)-1,
			c.Moves, c.Copied, c.Most)
	}
}

// printChange compares with the earlier run, first in the words of the application's table.
func (r *heapReport) printChange(w io.Writer, t *tabwriter.Writer, than string) {
	c := r.change
	told := session.Allocating{Heap: r.Heap, Baseline: c, Than: than}
	for _, line := range told.Told("against") {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(t, "\n\t before\tafter\tchange\t")
	row := func(name string, a, b uint64) { fmt.Fprintf(t, "%s\t%d\t%d\t%+d\t\n", name, a, b, int64(b-a)) }
	row("allocations", c.Old.Allocations, c.New.Allocations)
	row("bytes in all", c.Old.TotalBytes, c.New.TotalBytes)
	row("peak bytes", c.Old.PeakBytes, c.New.PeakBytes)
	row("never freed", c.Old.LiveBytes, c.New.LiveBytes)
	row("temporary", c.Old.Temporary, c.New.Temporary)
	if len(c.Sites) == 0 {
		return
	}
	fmt.Fprintln(t, "\nallocated at\tblocks before\tafter\tbytes before\tafter\tchange\tnever freed before\tafter\t")
	for i := range printed(c.Sites, r.top) {
		x := &c.Sites[i]
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%+d\t%d\t%d\t\n", x.Name, x.Before.Blocks, x.After.Blocks, x.Before.Bytes,
			x.After.Bytes, x.Grown(), x.Before.LiveBytes, x.After.LiveBytes)
	}
}
