package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"orrery/analysis/heap"
	heappane "orrery/app/recording/heap"
	"orrery/app/session"
	"orrery/traceio"
	"orrery/views/heapmap"
	"orrery/views/palette"
	"orrery/views/scene"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// heapPicture is the options of `render heap`: those of the pane in the window, and what is drawn of them.
type heapPicture struct {
	heappane.Choices
	bin      string
	from, to uint64
	row      int
}

func (f *heapPicture) add(c *cobra.Command) {
	flags := c.Flags()
	f.Choices = heappane.First()
	heappane.Options.Flags(&f.Choices, flags)
	flags.IntVar(&f.row, "row", 1, "on a page of bins that has not room for all, the row of bins that it begins with")
	flags.StringVar(&f.bin, "bin", "", "only the bin of this name: \"24 B\"")
	flags.Uint64Var(&f.from, "heap-from", 0, "the left end of the map, references or heap events")
	flags.Uint64Var(&f.to, "heap-to", 0, "the right end, 0 for that of the recording")
}

// checkHeap refuses options that the page does not use.
func checkHeap(f *renderFlags, flags *pflag.FlagSet) error {
	if err := f.heap.check(); err != nil {
		return err
	}
	one := f.heap.Page == heappane.Map
	return refuse(flags,
		applies{one, "bin curves links", "to --page map"},
		applies{one || f.heap.Page == heappane.Bars, "bar", "to --page map and bars"},
		applies{f.heap.Page != heappane.Bars, "cushions", "to pages that draw blocks, not to --page bars"})
}

// check refuses what no picture can show.
func (f *heapPicture) check() error {
	if f.row < 1 {
		return usagef("--row %d is not at least 1", f.row)
	}
	if f.row > 1 && f.Page == heappane.Map {
		return usagef("--row %d is for a page of bins; choose one with --page address, time or bars", f.row)
	}
	if f.to > 0 && f.from >= f.to {
		return usagef("--heap-from %d is not before --heap-to %d", f.from, f.to)
	}
	return nil
}

// Smaller pictures have no room for a map, or for one of each bin between the names and the edge.
const (
	leastMap, leastPage = 40, 160
	leastHeight         = 60
)

// fits refuses a picture or a part of the heap in which nothing would be seen.
func (f *heapPicture) fits(s *heapmap.State, size scene.Size) error {
	width := float64(leastMap)
	if s.Page != heapmap.MapPage {
		width = leastPage
	}
	if size.W < width || size.H < leastHeight {
		return usagef("--size %gx%g has no room for the heap; it needs %gx%d at least", size.W, size.H, width, leastHeight)
	}
	end := s.Heap.Axis.End
	if s.From > 0 && s.From >= end {
		return usagef("--heap-from %d lies beyond the recording's %d %s", f.from, end, s.Heap.Axis.Unit())
	}
	if f.row > 1 {
		switch last := heapmap.Scroll(*s, size, 0).Row; {
		case last == 0:
			return usagef("--row %d is too far down: at this size the page shows all rows of bins at once", f.row)
		case s.Row > last:
			return usagef("--row %d is too far down: at this size the page can begin with the rows 1 to %d", f.row, last+1)
		}
	}
	return nil
}

// has refuses to colour blocks by what nobody measured: each would have the colour of nothing at all, or of the least.
func (f *heapPicture) has(s *heapmap.State, rec *session.Recording) error {
	switch {
	case s.Heap.Allocations == 0 || s.Color < heapmap.Heat || slices.Contains(heapmap.Colors(*s), s.Color):
		return nil
	case s.Color == heapmap.Latency:
		return fmt.Errorf("%s has no response times of the allocator to colour by; `orrery record --heap-only` and `ltrace "+
			"-T` measure them", rec.Name())
	}
	return fmt.Errorf(
		"%s has no references, so nothing tells the %s of a block; `orrery record` without --heap-only records them",
		rec.Name(), s.Color)
}

// apply puts the options into a state.
func (f *heapPicture) apply(ctx context.Context, s *heapmap.State) error {
	s.Color, s.Page, s.Bar, s.Cushion = f.Color, f.Page.Map(), f.Bar, f.Cushion
	s.Row = max(0, f.row-1)
	s.Alpha, s.Plain, s.Curves, s.Links, s.Softness = f.Alpha, f.Plain, f.Curves, f.Links, f.Softness
	s.From, s.To = heap.Time(min(f.from, 1<<62)), heap.Time(min(f.to, 1<<62))
	if s.From > 0 && s.To == 0 {
		s.To = s.Heap.Axis.End
	}
	if f.Rule != "" {
		rule, err := heap.ParseRule("--bins", f.Rule)
		if err != nil {
			return usageError{err}
		}
		if s.Heap, err = s.Heap.Rebin(ctx, rule); err != nil {
			return err
		}
	}
	if f.bin == "" {
		return nil
	}
	var names []string
	for i := range s.Heap.Bins {
		if names = append(names, s.Heap.Bins[i].Name); names[i] == f.bin {
			s.Bin = i + 1
		}
	}
	if s.Bin == 0 {
		return usagef("there is no bin %q; the bins are %s", f.bin, strings.Join(names, ", "))
	}
	return nil
}

func drawHeap(ctx context.Context, rec *session.Recording, f *renderFlags, theme palette.Theme, size scene.Size,
	_ *progress) (scene.Drawing, error) {
	state, err := f.heapMap(ctx, rec, theme, size, traceio.Seq(f.at))
	if err != nil {
		return scene.Drawing{}, err
	}
	return heapmap.Scene(state, size), nil
}

// heapMap is the map with its cursor.
func (f *renderFlags) heapMap(ctx context.Context, rec *session.Recording, theme palette.Theme, size scene.Size,
	at traceio.Seq) (heapmap.State, error) {
	state := rec.HeapMap(theme, at)
	if err := f.heap.apply(ctx, &state); err != nil {
		return state, err
	}
	for _, err := range []error{f.heap.fits(&state, size), f.heap.has(&state, rec)} {
		if err != nil {
			return state, err
		}
	}
	var err error
	if state.Color == heapmap.Untouched && !rec.EventsOnly() {
		state.Usage, err = heap.Observe(ctx, state.Heap, rec, nil)
	}
	return state, err
}
