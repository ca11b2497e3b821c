package topology

import (
	"cmp"
	"slices"
)

// equation is sum of term = right over the integers, terms in order of their unknowns.
type equation struct {
	term  []coefficient
	right int
}

type coefficient struct {
	unknown int32
	factor  int
}

// maxFactor stops an elimination whose numbers grow.
const maxFactor = 1 << 30

// solveUnits solves equations over the integers by elimination with pivots 1 and -1, unknowns without a pivot set to 0.
// It gives nil if it needs another pivot or the equations contradict each other.
func solveUnits(rows []equation, unknowns int) []int {
	pivot := make([]*equation, unknowns)
	var order []int32
	for i := range rows {
		r := &rows[i]
		slices.SortFunc(r.term, func(a, b coefficient) int { return cmp.Compare(a.unknown, b.unknown) })
		// A pivot row has no unknown of an earlier pivot, so an elimination brings in later ones only:
		// this ends.
		for changed := true; changed; {
			changed = false
			for _, t := range r.term {
				if q := pivot[t.unknown]; q != nil {
					r.subtract(q, t.factor*q.at(t.unknown))
					changed = true
					break
				}
			}
		}
		at := slices.IndexFunc(r.term, func(t coefficient) bool { return t.factor == 1 || t.factor == -1 })
		switch {
		case len(r.term) == 0 && r.right == 0:
			continue
		case at < 0 || slices.ContainsFunc(r.term, func(t coefficient) bool { return max(t.factor, -t.factor) > maxFactor }):
			return nil
		}
		pivot[r.term[at].unknown] = r
		order = append(order, r.term[at].unknown)
	}
	out := make([]int, unknowns)
	for i := len(order) - 1; i >= 0; i-- { // a row mentions no earlier pivot, so later ones are known by now
		u := order[i]
		r := pivot[u]
		sum := r.right
		for _, t := range r.term {
			if t.unknown != u {
				sum -= t.factor * out[t.unknown]
			}
		}
		out[u] = sum * r.at(u)
	}
	return out
}

// at is the factor of an unknown.
func (r *equation) at(unknown int32) int {
	i, ok := slices.BinarySearchFunc(r.term, unknown, func(t coefficient, u int32) int {
		return cmp.Compare(t.unknown, u)
	})
	if !ok {
		return 0
	}
	return r.term[i].factor
}

// subtract takes factor times q off r.
func (r *equation) subtract(q *equation, factor int) {
	var out []coefficient
	i, j := 0, 0
	for i < len(r.term) || j < len(q.term) {
		switch {
		case j == len(q.term) || i < len(r.term) && r.term[i].unknown < q.term[j].unknown:
			out = append(out, r.term[i])
			i++
		case i == len(r.term) || q.term[j].unknown < r.term[i].unknown:
			out = append(out, coefficient{q.term[j].unknown, -factor * q.term[j].factor})
			j++
		default:
			if c := r.term[i].factor - factor*q.term[j].factor; c != 0 {
				out = append(out, coefficient{r.term[i].unknown, c})
			}
			i++
			j++
		}
	}
	r.term = out
	r.right -= factor * q.right
}
