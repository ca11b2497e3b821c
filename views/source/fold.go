package source

import "slices"

// A folded function takes one row: its first line that makes references, with what all of its lines do. So the text
// collapses as the pictures do whose colours show functions.

// fold is the part of the text that a function's references come from.
type fold struct {
	function  string
	low, high int // lines, from 1
}

// folds are the functions of the file that are folded, in order of the text; of functions that overlap, as those that
// are inlined into each other do, the earlier.
func (s *State) folds() []fold {
	if len(s.Folded) == 0 {
		return nil
	}
	at := map[string]*fold{}
	for n, h := range s.Heat {
		if !s.Folded[h.Function] || n < 1 || n > len(s.Text) {
			continue
		}
		if f := at[h.Function]; f == nil {
			at[h.Function] = &fold{h.Function, n, n}
		} else {
			f.low, f.high = min(f.low, n), max(f.high, n)
		}
	}
	var out []fold
	for _, f := range at {
		out = append(out, *f)
	}
	slices.SortFunc(out, func(a, b fold) int { return a.low - b.low })
	end := 0
	return slices.DeleteFunc(out, func(f fold) bool {
		if f.low <= end {
			return true
		}
		end = f.high
		return false
	})
}

// visible lists the lines that have a row.
func (s *State) visible() []int {
	var out []int
	folds := s.folds()
	for n := 1; n <= len(s.Text); n++ {
		out = append(out, n)
		if len(folds) > 0 && folds[0].low == n {
			n = folds[0].high
			folds = folds[1:]
		}
	}
	return out
}

// rowOf is the row of line n, that of the function where it is folded away.
func rowOf(visible []int, n int) int {
	at, found := slices.BinarySearch(visible, n)
	if !found {
		at--
	}
	return max(0, at)
}

// heat is what line n does, all of its function where that is folded, and how many lines are folded into it.
func (s *State) heat(n int) (h Heat, runs bool, lines int) {
	h, runs = s.Heat[n]
	for _, f := range s.folds() {
		if f.low != n {
			continue
		}
		h.References, h.Misses = 0, 0
		for line := f.low; line <= f.high; line++ {
			if other, ok := s.Heat[line]; ok && other.Function == f.function {
				h.References += other.References
				h.Misses += other.Misses
			}
		}
		return h, runs, f.high - f.low
	}
	return h, runs, 0
}
