// Package table draws rows of named things with their numbers in columns that sort: what the lines, functions, regions
// or sets of a recording do. In: rows and columns, an order, a filter; out: a display list, for a point the row or head
// there, and the same table as text for other programs (csv.go).
package table

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"orrery/views/link"
	"orrery/views/palette"
)

// Format says how a column's numbers are written.
type Format uint8

// The formats.
const (
	Count  Format = iota // whole: 2 113
	Tenths               // one digit after the point: misses per 1000 references
	Share                // 0 to 1, in percent
	Change               // whole, with its sign: +2 113; in order of how large it is either way
	Number               // measured, with as many digits as tell it apart: 34.21
)

// Column is the head of the numbers of one kind. Red gives its bars the colour of misses.
type Column struct {
	Title  string
	Tip    string
	Format Format
	Red    bool
}

// Row is one thing. Values has one number for each column; NaN is a number that the thing has not.
type Row struct {
	Name   string
	Short  string      // written in the name's place, where that is long; "" is Name
	Note   string      // stands behind the name: the text of a line
	Color  color.NRGBA // transparent: no chip
	Values []float64
	Thing  link.Thing
}

// State is everything that the table shows.
type State struct {
	Theme   palette.Theme
	Title   string // of the names
	Columns []Column
	Rows    []Row
	Order   []int    // what Arrange gives for the state; nil computes it
	Sort    int      // column, -1 for the names
	Upward  bool     // the smallest first
	Filter  string   // shows the rows whose name and note have all of its words, whatever their case
	Typing  bool     // the keyboard is the filter's
	Words   []string // of the choices above the table
	Chosen  int
	Over    int     // the word under the pointer, -1 for none
	Taken   float64 // how much of the left of the bar above the table is others'
	Scroll  float64
	Across  float64 // how far the columns are moved to the left

	Hover    link.Thing
	Selected link.Thing
	Empty    string // said when there is no row at all
}

// label is what the row is called in the picture.
func (r *Row) label() string {
	if r.Short != "" {
		return r.Short
	}
	return r.Name
}

// Arrange lists the rows that the filter lets through in the order of the chosen column; ties are in the order of
// names.
func Arrange(s State) []int {
	want := strings.Fields(strings.ToLower(s.Filter))
	var out []int
	for i := range s.Rows {
		if len(want) == 0 {
			out = append(out, i)
			continue
		}
		name := strings.ToLower(s.Rows[i].Name + " " + s.Rows[i].Note)
		if !slices.ContainsFunc(want, func(w string) bool { return !strings.Contains(name, w) }) {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		x, y := &s.Rows[a], &s.Rows[b]
		by := 0
		if s.Sort >= 0 && s.Sort < len(s.Columns) {
			v, w := x.Values[s.Sort], y.Values[s.Sort]
			if s.Columns[s.Sort].Format == Change {
				v, w = math.Abs(v), math.Abs(w)
			}
			by = compare(v, w, s.Upward)
		} else if by = strings.Compare(x.Name, y.Name); !s.Upward {
			by = -by
		}
		if by == 0 {
			by = strings.Compare(x.Name, y.Name)
		}
		return by
	})
	return out
}

// compare orders numbers, those that are none last.
func compare(a, b float64, upward bool) int {
	switch {
	case a != a && b != b:
		return 0
	case a != a:
		return 1
	case b != b:
		return -1
	case a == b:
		return 0
	case (a < b) == upward:
		return -1
	}
	return 1
}

// Press is the state after a press on a column's head, -1 the names': that column decides, the largest first and names
// from A on; a second press turns the order around.
func Press(s State, column int) State {
	if column == s.Sort {
		s.Upward = !s.Upward
	} else {
		s.Sort, s.Upward = column, column < 0
	}
	s.Order, s.Scroll = nil, 0
	return s
}

// order is that of the state.
func (s *State) order() []int {
	if s.Order != nil {
		return s.Order
	}
	return Arrange(*s)
}

// Step is the thing of the row by places after the selected one, the first or last row where there is none.
func Step(s State, by int) link.Thing {
	order := s.order()
	if len(order) == 0 {
		return link.Thing{}
	}
	at := slices.IndexFunc(order, func(i int) bool {
		return s.Rows[i].Thing == s.Selected && s.Selected.What != link.Nothing
	})
	switch {
	case at >= 0:
		at = max(0, min(at+by, len(order)-1))
	case by < 0:
		at = len(order) - 1
	default:
		at = 0
	}
	return s.Rows[order[at]].Thing
}
