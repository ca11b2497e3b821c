package dse

import "math"

// Aggregate is what the points at or below each node have of one objective (D3), as evaluated, sign and all. Entries of nodes
// without points are NaN.
type Aggregate struct {
	Min, Mean, Max []float64
}

// Aggregate summarises an objective over the points that pass; a nil set lets all pass.
func (t *Tree) Aggregate(objective int, pass *Bits) *Aggregate {
	n := t.Len()
	a := &Aggregate{make([]float64, n), make([]float64, n), make([]float64, n)}
	count := make([]int32, n)
	for v := range n {
		a.Min[v], a.Max[v] = math.Inf(1), math.Inf(-1)
	}
	values := t.Space.Objectives[objective].Values
	for p, v := range t.Of {
		if pass == nil || pass.Has(p) {
			x := values[p]
			a.Min[v], a.Mean[v], a.Max[v], count[v] = x, x, x, 1
		}
	}
	for v := n - 1; v >= 0; v-- {
		if up := t.Parent[v]; up != None && count[v] > 0 {
			count[up] += count[v]
			a.Mean[up] += a.Mean[v]
			a.Min[up], a.Max[up] = min(a.Min[up], a.Min[v]), max(a.Max[up], a.Max[v])
		}
		if count[v] == 0 {
			a.Min[v], a.Mean[v], a.Max[v] = math.NaN(), math.NaN(), math.NaN()
		} else {
			a.Mean[v] /= float64(count[v])
		}
	}
	return a
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

// Edges gives, for each node, the value of the edge to its parent and its importance, from 0 to 1 and linear in the value
// over all edges; both are NaN for edges without data below, which are drawn grey and dashed. The root has no edge: NaN.
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
