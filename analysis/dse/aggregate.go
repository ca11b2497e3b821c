package dse

import "math"

// Statistic says how the values of the points below a node become one (D3).
type Statistic uint8

// The statistics. Of the least and the greatest the least is the better, whether the objective is minimised or not.
const (
	Least Statistic = iota
	Average
	Greatest
)

var nothing = float32(math.NaN())

// Aggregate gives each node its part of a normalised objective, 0 to 1: nodes of points their own value, others that of
// the passing points below; the average is that of the values as evaluated. A nil set lets all pass. Nodes have NaN
// where nothing passes at or below.
func (t *Tree) Aggregate(objective int, by Statistic, pass *Bits) []float32 {
	out := t.own(t.Space.Norm[objective], pass)
	switch by {
	case Least:
		t.raise(out, func(x, y float32) bool { return y < x })
	case Greatest:
		t.raise(out, func(x, y float32) bool { return y > x })
	default:
		t.average(out, objective)
	}
	t.show(out, t.Space.Norm[objective])
	return out
}

// show gives the nodes of Pareto points, which had to hand on what is below them, their own values again.
func (t *Tree) show(out []float32, column []float64) {
	for level, l := range t.Levels {
		if l.Kind != GlobalNode && l.Kind != LocalNode {
			continue
		}
		for v := t.Start[level]; v < t.Start[level+1]; v++ {
			if p := t.Point(v); p != None && out[v] == out[v] {
				out[v] = float32(column[p])
			}
		}
	}
}

// points tells whether the nodes of a level have points of their own; those of the global level come again below.
func (t *Tree) points(level int) bool {
	return t.Levels[level].Kind == LocalNode || t.Levels[level].Kind == PointNode
}

// own gives the nodes of points that pass their entry of a column, others NaN.
func (t *Tree) own(column []float64, pass *Bits) []float32 {
	out := make([]float32, t.Len())
	for level := range t.Levels {
		from, end := t.Start[level], t.Start[level+1]
		row, points := out[from:end], t.points(level)
		for i, p := range t.Item[from:end] {
			row[i] = nothing
			if points && (pass == nil || pass.Has(int(p))) {
				row[i] = float32(column[p])
			}
		}
	}
	return out
}

// raise gives each node with children the best value among them and its own.
func (t *Tree) raise(out []float32, better func(x, y float32) bool) {
	for v := t.Start[len(t.Levels)-1] - 1; v >= 0; v-- {
		best := out[v]
		for c := t.Child[v]; c < t.Child[v]+t.Children[v]; c++ {
			if y := out[c]; best != best || better(best, y) {
				best = y
			}
		}
		out[v] = best
	}
}

// average gives nodes with children the average of the points whose own values out has.
func (t *Tree) average(out []float32, objective int) {
	f, extent := t.Space.F[objective], t.Space.Extent[objective]
	last := t.Start[len(t.Levels)-1] // nodes before have sums
	sums, counts := make([]float64, last), make([]int32, last)
	for level := len(t.Levels) - 2; level >= 0; level-- {
		for v := t.Start[level+1] - 1; v >= t.Start[level]; v-- {
			sum, n := 0.0, int32(0)
			if t.points(level) && out[v] == out[v] {
				sum, n = f[t.Item[v]], 1
			}
			for c := t.Child[v] + t.Children[v] - 1; c >= t.Child[v] && t.Children[v] > 0; c-- {
				if c < last {
					sum, n = sum+sums[c], n+counts[c]
				} else if out[c] == out[c] {
					sum, n = sum+f[t.Item[c]], n+1
				}
			}
			sums[v], counts[v] = sum, n
		}
	}
	for v, n := range counts {
		if n > 0 {
			out[v] = float32(extent.Norm(sums[v] / float64(n)))
		}
	}
}

// Range is the least and the greatest of a column, its NaN left out; 0, 0 of nothing.
func Range(column []float64) Extent {
	e := Extent{math.Inf(1), math.Inf(-1)}
	for _, x := range column {
		if x == x {
			e.Min, e.Max = min(e.Min, x), max(e.Max, x)
		}
	}
	if e.Min > e.Max {
		return Extent{}
	}
	return e
}

// Importance says what makes an edge important (D4).
type Importance uint8

// The factors of importance.
const (
	ByDistance   Importance = iota // the least distance below to the global Pareto set; small is important
	ByGeneration                   // the last generation below; large is important
)

// Edges gives, for each node, the value of the edge to its parent and its importance, from 0 to 1 and linear in the
// value over all edges; both are NaN for edges without data below, which are drawn grey and dashed. The root has no
// edge: NaN.
func (t *Tree) Edges(by Importance) (value, importance []float64) {
	n := t.Len()
	value, importance = make([]float64, n), make([]float64, n)
	for v := range n {
		switch {
		case v == 0 || t.Points[v] == 0 || by == ByGeneration && t.Last[v] == None:
			value[v] = math.NaN()
		case by == ByGeneration:
			value[v] = float64(t.Last[v])
		default:
			value[v] = t.Near[v]
		}
	}
	e := Range(value)
	for v, x := range value {
		importance[v] = x - x // NaN stays
		switch {
		case x != x:
		case by == ByGeneration && e.Max > e.Min:
			importance[v] = e.Norm(x)
		case by == ByGeneration:
			importance[v] = 1
		default:
			importance[v] = 1 - e.Norm(x)
		}
	}
	return value, importance
}
