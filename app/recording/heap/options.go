// Package heap is what can be chosen in the heap's pane, in the window and on the command line.
package heap

import (
	"fmt"
	"strconv"
	"strings"

	"orrery/analysis/heap"
	"orrery/app/panes"
	"orrery/views/heapmap"
)

// Choices are what the user chose. Each change is an undoable step; maps and slices are replaced, never changed.
type Choices struct {
	Page     Page
	Color    heapmap.ColorBy
	Cushion  heapmap.Cushion
	Bar      heapmap.BarStyle
	Alpha    float64
	Plain    bool
	Curves   bool
	Links    bool
	Softness float64
	Rule     string // of the bins, "" is the heap's own

	Bin     int // the only one that the map shows plus 1, 0 for all
	Hidden  map[int]bool
	Cursors []heap.Time
	Levels  []float64
}

// First is what a pane begins with.
func First() Choices { return Choices{Alpha: heapmap.DefaultAlpha, Softness: 24} }

// Page is what the pane shows.
type Page int

// The pages. Pair is another run beside this one, which is a map, too.
const (
	Map Page = iota
	Addresses
	Times
	Bars
	Pair
)

// Map is the heap map's page.
func (p Page) Map() heapmap.Page {
	if p <= Bars {
		return heapmap.Page(p)
	}
	return heapmap.MapPage
}

type option[T comparable] = panes.Option[Choices, T]

// The options, in the order of the command line's help.
var (
	Pages = option[Page]{ID: "page", Label: "what is shown", Step: "what the heap pane shows", Was: []string{"show"},
		Values: []panes.Value[Page]{
			{ID: "map", Title: "Blocks over time and address", Is: Map},
			{ID: "address", Title: "All bins side by side: where in its addresses each is full", Is: Addresses,
				Was: "bins by address"},
			{ID: "time", Title: "All bins below each other: what happens at the same time", Is: Times, Was: "bins by time"},
			{ID: "bars", Title: "An occupancy bar for each bin", Is: Bars, Was: "occupancy of bins"},
			{ID: "pair", Title: "Two runs on one scale …", Is: Pair, Was: "two runs", Window: true}},
		Get: func(c *Choices) Page { return c.Page },
		Set: func(c *Choices, to Page) { c.Page = to },
	}
	Colors = option[heapmap.ColorBy]{ID: "color", Label: "colour", Step: "colours of the heap", Values: colors(),
		Get:  func(c *Choices) heapmap.ColorBy { return c.Color },
		Set:  func(c *Choices, to heapmap.ColorBy) { c.Color, c.Hidden = to, nil },
		Word: func(c *Choices) string { return c.Color.String() },
	}
	BarStyles = option[heapmap.BarStyle]{ID: "bar", Label: "occupancy bar", Values: bars(),
		Get: func(c *Choices) heapmap.BarStyle { return c.Bar },
		Set: func(c *Choices, to heapmap.BarStyle) { c.Bar = to },
	}
	Cushions = option[heapmap.Cushion]{ID: "cushions", Label: "cushions", Was: []string{"cushion"},
		Values: []panes.Value[heapmap.Cushion]{
			{ID: "plateau", Title: "Plateau cushions", Is: heapmap.Plateau, Was: heapmap.Plateau.String()},
			{ID: "parabolic", Title: "Parabolic cushions", Is: heapmap.Parabolic, Was: heapmap.Parabolic.String()},
			{ID: "none", Title: "No cushions", Is: heapmap.Flat, Was: heapmap.Flat.String()}},
		Get: func(c *Choices) heapmap.Cushion { return c.Cushion },
		Set: func(c *Choices, to heapmap.Cushion) { c.Cushion = to },
	}
	Bins = option[string]{ID: "bins", Label: "the rule of the bins", Step: "bins of the heap", Was: []string{"rule"},
		Values: []panes.Value[string]{
			{ID: "glibc", Title: "Bins: size classes of glibc"}, {ID: "arenas", Title: "Bins: arenas", Is: "arenas"},
			{ID: "pools", Title: "Bins: pools of addresses", Is: "pools"},
			{ID: "threads", Title: "Bins: threads", Is: "threads"}, {ID: "sites", Title: "Bins: allocation sites", Is: "sites"},
			{ID: "sizes 64 256 4K", Title: "Bins: up to 64 B, 256 B, 4 KiB, and more", Is: "sizes 64 256 4K"}},
		Get: func(c *Choices) string { return c.Rule },
		Set: func(c *Choices, to string) { c.Rule, c.Bin = to, 0 },
		Check: func(_ *Choices, to string) error {
			_, err := heap.ParseRule("--bins", to)
			return err
		},
	}
	Alphas = option[float64]{ID: "alpha", Label: "weight of thin blocks", Values: alphas(),
		Get: func(c *Choices) float64 { return c.Alpha },
		Set: func(c *Choices, to float64) { c.Alpha, c.Plain = to, false },
		Check: func(_ *Choices, to float64) error {
			if !(to >= heapmap.MinAlpha && to <= heapmap.MaxAlpha) {
				return fmt.Errorf("--alpha %g is not between %g and %g", to, heapmap.MinAlpha, heapmap.MaxAlpha)
			}
			return nil
		},
		Word: func(c *Choices) string {
			if c.Plain {
				return "not antialiased"
			}
			return fmt.Sprintf("alpha %.2f", c.Alpha)
		},
	}
	Plain = option[bool]{ID: "plain", Label: "without antialiasing by importance", Step: "antialiasing of the heap",
		Values: []panes.Value[bool]{{ID: "on", Title: "Thin blocks by importance, equation (1)"},
			{ID: "off", Title: "No antialiasing: what covers a pixel's middle", Is: true}},
		Get: func(c *Choices) bool { return c.Plain },
		Set: func(c *Choices, to bool) { c.Plain = to },
	}
	Curves = option[bool]{ID: "curves", Label: "curves of bytes, waste, fragmentation and response time below",
		Step: "curves of the heap",
		Values: []panes.Value[bool]{
			{ID: "curves", Title: "Curves of bytes, waste and fragmentation", Is: true, Check: true}},
		Get: func(c *Choices) bool { return c.Curves },
		Set: func(c *Choices, to bool) { c.Curves = to },
	}
	Links = option[bool]{ID: "links", Label: "arcs from each block to the one it was reallocated to",
		Step:   "reallocations shown",
		Values: []panes.Value[bool]{{ID: "links", Title: "Arcs of all reallocations", Is: true, Check: true}},
		Get:    func(c *Choices) bool { return c.Links },
		Set:    func(c *Choices, to bool) { c.Links = to },
	}
	Softness = option[float64]{ID: "softness", Label: "half the width of the cursor's band, in pixels",
		Step: "softness of cursors", Values: []panes.Value[float64]{{ID: "soft8", Title: "Cursors 16 wide", Is: 8},
			{ID: "soft24", Title: "Cursors 48 wide", Is: 24}, {ID: "soft60", Title: "Cursors 120 wide", Is: 60}},
		Get: func(c *Choices) float64 { return c.Softness },
		Set: func(c *Choices, to float64) { c.Softness = to },
		Check: func(_ *Choices, to float64) error {
			if !(to > 0 && to <= 500) {
				return fmt.Errorf("--softness %g is not between 0 and 500", to)
			}
			return nil
		},
	}
)

// Options are all of them.
var Options = panes.Options[Choices]{Pages, Colors, BarStyles, Cushions, Bins, Alphas, Plain, Curves, Links, Softness}

// colors are the attributes of blocks, in the order of their values.
func colors() (list []panes.Value[heapmap.ColorBy]) {
	for i, id := range strings.Fields("site function freed freer process thread bin size lifetime waste heat lag drag " +
		"untouched latency") {
		by := heapmap.ColorBy(i)
		list = append(list, panes.Value[heapmap.ColorBy]{ID: id, Title: "Colour by " + by.String(), Is: by, Was: by.String()})
	}
	return list
}

// bars are the occupancy bars, by the letters of figure 5 of the paper.
func bars() (list []panes.Value[heapmap.BarStyle]) {
	for i, b := range heapmap.BarStyles {
		id := string(rune('a' + i))
		list = append(list, panes.Value[heapmap.BarStyle]{ID: id, Title: fmt.Sprintf("Occupancy bar (%s): %s", id, b), Is: b,
			Was: b.String()})
	}
	return list
}

func alphas() (list []panes.Value[float64]) {
	for _, a := range []float64{0.1, 0.2, heapmap.DefaultAlpha, 0.6, 1} {
		list = append(list, panes.Value[float64]{ID: strconv.FormatFloat(a, 'g', -1, 64),
			Title: fmt.Sprintf("Alpha %.2f", a), Is: a})
	}
	return list
}
