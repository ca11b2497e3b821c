package dse

import "slices"

// Hypervolume is the volume that points dominate below the reference point (paper, 7.3): the measure of the union of
// the boxes between each point and ref. f holds one column an objective, smaller is better; points nil means all.
// Points that are not below ref in every objective add nothing. It is exact but for rounding.
//
// Two objectives take a sweep, three a sweep of a staircase (N. Beume et al., On the complexity of computing the
// hypervolume indicator, IEEE TEVC 13, 2009), four a sweep that adds up what each point alone adds to the
// three-dimensional region so far, after A. P. Guerreiro, C. M. Fonseca, Computing and updating hypervolume
// contributions in up to four dimensions, IEEE TEVC 22 (2018), HV4D+; more are sliced down to four as L. While, L.
// Bradstreet, L. Barone, A fast way of calculating exact hypervolumes, IEEE TEVC 16 (2012), WFG, does.
func Hypervolume(f [][]float64, points []int32, ref []float64) float64 {
	m := len(f)
	if m == 0 {
		return 0
	}
	rows := make([]float64, 0, 64)
	for _, p := range worthwhile(f, points) {
		from := len(rows)
		for j := range m {
			if f[j][p] >= ref[j] {
				rows = rows[:from]
				break
			}
			rows = append(rows, f[j][p])
		}
	}
	var v volume
	return v.of(rows, ref, m)
}

// worthwhile leaves out many of the points that add nothing: what the sweeps pass over anyway costs them less than
// finding the front does, but slicing needs the front.
func worthwhile(f [][]float64, points []int32) []int32 {
	if len(f) > 4 {
		return Front(f, points)
	}
	s := sieve{m: len(f), left: slices.Clone(all(f, points))}
	if len(s.left) > 4*scouts {
		s.prefilter(f)
	}
	return s.left
}

// ones is the reference point (1, .., 1) of normalised objectives.
func ones(m int) []float64 { return slices.Repeat([]float64{1}, m) }

// volume computes hypervolumes and keeps its memory between them, by dimension for the slicing.
type volume struct {
	depth []scratch
	sweep
}

type scratch struct {
	order ordering
	rows  []float64
	kept  []float64
}

// of is the volume of rows, m numbers each, all of them below ref.
func (v *volume) of(rows, ref []float64, m int) float64 {
	switch {
	case len(rows) == 0:
		return 0
	case len(rows) == m:
		return box(rows, ref, m)
	case m == 1:
		return ref[0] - slices.Min(rows)
	case m == 2:
		return v.plane(rows, ref)
	case m == 3:
		return v.space(rows, ref)
	case m == 4:
		return v.four(rows, ref)
	}
	return v.slice(rows, ref, m)
}

func box(row, ref []float64, m int) float64 {
	product := 1.0
	for j := range m {
		product *= ref[j] - row[j]
	}
	return product
}

// slice is WFG's sum: in the order of the last objective each point adds a slab, from its last coordinate to the
// reference, over what it dominates in the other objectives and those before do not.
func (v *volume) slice(rows, ref []float64, m int) (sum float64) {
	for len(v.depth) <= m {
		v.depth = append(v.depth, scratch{})
	}
	order := v.depth[m].order.of(rows, m, m-1)
	for k, p := range order {
		x := rows[int(p)*m : int(p)*m+m]
		limited := v.limit(rows, order[:k], x, m)
		sum += (ref[m-1] - x[m-1]) * (box(x, ref, m-1) - v.of(limited, ref, m-1))
	}
	return sum
}

// limit moves the points of before into the box that x dominates, without the last objective, and keeps the
// non-dominated.
func (v *volume) limit(rows []float64, before []int32, x []float64, m int) []float64 {
	d := &v.depth[m]
	d.kept = d.kept[:0]
	w := m - 1
	moved := slices.Grow(d.rows[:0], w)[:w]
	d.rows = moved
	for i := len(before) - 1; i >= 0; i-- {
		q := int(before[i]) * m
		for j := range moved {
			moved[j] = max(rows[q+j], x[j])
		}
		d.kept = keep(d.kept, moved)
	}
	return d.kept
}

// keep appends a row unless one of rows weakly dominates it, and drops those that it dominates.
func keep(rows, row []float64) []float64 {
	w, to := len(row), 0
	for from := 0; from < len(rows); from += w {
		other := rows[from : from+w]
		if WeaklyDominates(other, row) {
			return rows // nothing was dropped: row would dominate the dropped one, and so would other
		}
		if !WeaklyDominates(row, other) {
			to += copy(rows[to:], other)
		}
	}
	return append(rows[:to], row...)
}
