package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"orrery/analysis/heap"
	"orrery/app/session"
	"orrery/traceio"
	"orrery/views/heapmap"
	"orrery/views/palette"
	"orrery/views/scene"
)

// heapPicture is the options of `render heap`.
type heapPicture struct {
	colors, page, bar, cushions, rule, bin string
	alpha                                  float64
	plain, curves, links                   bool
	from, to                               uint64
	row                                    int
}

// Names of the heap map's choices, in the order of their values.
var (
	heapColors = []string{"site", "function", "freed", "freer", "process", "thread", "bin", "size", "lifetime", "waste",
		"heat", "lag", "drag", "untouched", "latency"}
	heapPages    = []string{"map", "address", "time", "bars"}
	heapCushions = []string{"plateau", "parabolic", "none"}
	heapBars     = []string{"a", "b", "c", "d", "e", "f"} // as in figure 5 of the paper
)

func (f *heapPicture) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.colors, "color", "site", "colour by "+strings.Join(heapColors, ", "))
	flags.StringVar(&f.page, "page", heapPages[0], "one map, or all bins compared by address, by time, or by their bars: "+
		strings.Join(heapPages, ", "))
	flags.IntVar(&f.row, "row", 1, "on a page of bins that has not room for all, the row of bins that it begins with")
	flags.StringVar(&f.bar, "bar", "c", "the occupancy bar, a to f as in figure 5 of the paper")
	flags.StringVar(&f.cushions, "cushions", heapCushions[0], ""+strings.Join(heapCushions, ", "))
	flags.StringVar(&f.rule, "bins", "", "the rule of the bins, see orrery heap --help")
	flags.StringVar(&f.bin, "bin", "", "only the bin of this name: \"24 B\"")
	flags.Float64Var(&f.alpha, "alpha", heapmap.DefaultAlpha, "weight of thin blocks, 0.05 (most) to 2")
	flags.BoolVar(&f.plain, "plain", false, "without antialiasing by importance")
	flags.BoolVar(&f.curves, "curves", false, "curves of bytes, waste, fragmentation and response time below")
	flags.BoolVar(&f.links, "links", false, "arcs from each block to the one it was reallocated to")
	flags.Uint64Var(&f.from, "heap-from", 0, "the left end of the map, references or heap events")
	flags.Uint64Var(&f.to, "heap-to", 0, "the right end, 0 for that of the recording")
}

// checkHeap refuses options that the page does not use.
func checkHeap(f *renderFlags, flags *pflag.FlagSet) error {
	if err := f.heap.check(); err != nil {
		return err
	}
	one := f.heap.page == heapPages[heapmap.MapPage]
	return refuse(flags,
		applies{one, "bin curves links", "to --page map"},
		applies{one || f.heap.page == heapPages[heapmap.BarsPage], "bar", "to --page map and bars"},
		applies{f.heap.page != heapPages[heapmap.BarsPage], "cushions", "to pages that draw blocks, not to --page bars"})
}

// check refuses what no picture can show.
func (f *heapPicture) check() error {
	for _, row := range []struct {
		flag, value string
		names       []string
	}{{"color", f.colors, heapColors}, {"page", f.page, heapPages}, {"bar", f.bar, heapBars},
		{"cushions", f.cushions, heapCushions}} {
		if !slices.Contains(row.names, row.value) {
			return usagef("--%s %q is none of %s", row.flag, row.value, strings.Join(row.names, ", "))
		}
	}
	if !(f.alpha >= heapmap.MinAlpha && f.alpha <= heapmap.MaxAlpha) {
		return usagef("--alpha %g is not between %g and %g", f.alpha, heapmap.MinAlpha, heapmap.MaxAlpha)
	}
	if f.row < 1 {
		return usagef("--row %d is not at least 1", f.row)
	}
	if f.row > 1 && f.page == heapPages[heapmap.MapPage] {
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
	s.Color = heapmap.ColorBy(slices.Index(heapColors, f.colors))
	s.Page = heapmap.Page(slices.Index(heapPages, f.page))
	s.Bar = heapmap.BarStyles[slices.Index(heapBars, f.bar)]
	s.Cushion = heapmap.Cushion(slices.Index(heapCushions, f.cushions))
	s.Row = max(0, f.row-1)
	s.Alpha, s.Plain, s.Curves, s.Links = f.alpha, f.plain, f.curves, f.links
	s.From, s.To = heap.Time(min(f.from, 1<<62)), heap.Time(min(f.to, 1<<62))
	if s.From > 0 && s.To == 0 {
		s.To = s.Heap.Axis.End
	}
	if f.rule != "" {
		rule, err := heap.ParseRule("--bins", f.rule)
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
